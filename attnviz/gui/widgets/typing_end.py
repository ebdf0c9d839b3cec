"""Commits what was typed without Enter in the focused field, before a file is written or the session changes."""

from PySide6.QtWidgets import QAbstractItemView, QAbstractSpinBox, QLineEdit, QWidget

from attnviz.gui.forms.inputs_edit import SentenceEdit


def finish_typing(focused: QWidget | None) -> None:
    """Commit what was typed in a widget. What is not a number yet, such as "1e-", is left as it is."""
    match focused:
        case QAbstractSpinBox():
            if focused.hasAcceptableInput():  # anything else Qt would replace by the last number
                focused.interpretText()
        case QLineEdit():
            table = _table_around(focused)
            if table is None:
                focused.editingFinished.emit()
            else:
                table.commitData(focused)
        case SentenceEdit():
            focused.finished.emit()


def _table_around(widget: QWidget) -> QAbstractItemView | None:
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QAbstractItemView):
        around = around.parentWidget()
    return around
