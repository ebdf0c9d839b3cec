"""The user's own notes on a session, folded away below the inspector of either lab."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from attnviz.experiment.session import LONGEST_NOTES
from attnviz.gui.theme import Look
from attnviz.gui.widgets.fold import Fold

_HEIGHT = 132


class Notes(QWidget):
    """A text without form, part of the session."""

    changed = Signal()
    """The user has typed, or another session brought other notes."""
    refused = Signal(str)
    """Why what was typed, or pasted, is not taken whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notesPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._text = ""
        self.editor = QPlainTextEdit()
        self.editor.setAccessibleName(self.tr("Notes"))
        self.editor.setPlaceholderText(self.tr("What to remember about this session"))
        self.editor.setTabChangesFocus(True)
        # Breaking words too would take seconds for a text of 200,000 signs in one word, which a file may hold.
        self.editor.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.editor.textChanged.connect(self._take)
        self.fold = Fold(self.tr("Notes").upper(), self.editor)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(17, 0, 16, 8)
        layout.addWidget(self.fold)

    @property
    def text(self) -> str:
        """The text, never longer than a session can hold."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show other notes; they unfold where there are some."""
        if text == self._text:
            return
        self._text = text
        self._show()
        if text and not self.fold.isExpanded():
            self.fold.expand()
        self.changed.emit()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.fold.restyle(look)
        self.editor.setFixedHeight(look.px(_HEIGHT))

    @Slot()
    def _take(self) -> None:
        # Half of a surrogate pair, which a broken clipboard may hold, is no text that a file can keep.
        text = self.editor.toPlainText().encode(errors="replace").decode()
        if len(text) > LONGEST_NOTES:
            self._text = text[:LONGEST_NOTES]
            self._show()
            self.refused.emit(self.tr("Notes end after {0} characters.").format(f"{LONGEST_NOTES:,}"))
        else:
            self._text = text
        self.changed.emit()

    def _show(self) -> None:
        with QSignalBlocker(self.editor):
            self.editor.setPlainText(self._text)
