"""The notes below the inspector, which are saved with the session."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from attnviz.experiment.files.session import LONGEST_NOTES
from attnviz.gui.theme import Look
from attnviz.gui.widgets.explained import place_in_manual
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.widgets.layouts import column_of

_HEIGHT = 132
"""The height of the editor, at scale 1."""


class Notes(QWidget):
    """Free text, part of the session."""

    changed = Signal()
    """The user has typed, or another session has other notes."""
    refused = Signal(str)
    """Why typed or pasted text is not accepted completely."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notesPanel")
        place_in_manual(self, "window#notes")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = ""
        """The text, never longer than a session can hold."""
        self.editor = QPlainTextEdit()
        self.editor.setAccessibleName(self.tr("Notes"))
        self.editor.setPlaceholderText(self.tr("What to remember about this session"))
        self.editor.setTabChangesFocus(True)
        # Breaking words too would take seconds for a text of 200,000 signs in one word, which a file may hold.
        self.editor.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.editor.textChanged.connect(self._take)
        self.fold = Fold(self.tr("Notes").upper(), self.editor)
        column_of(self, self.fold).setContentsMargins(17, 0, 16, 8)

    def set_text(self, text: str) -> None:
        """Show other notes; expand if there are any."""
        if text == self.text:
            return
        self.text = text
        self._show()
        if text and not self.fold.isExpanded():
            self.fold.expand()
        self.changed.emit()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.editor.setFixedHeight(look.px(_HEIGHT))

    @Slot()
    def _take(self) -> None:
        # Half of a surrogate pair, which a broken clipboard may hold, is no text that a file can keep.
        text = self.editor.toPlainText().encode(errors="replace").decode()
        if len(text) > LONGEST_NOTES:
            self.text = text[:LONGEST_NOTES]
            self._show()
            self.refused.emit(self.tr("Notes end after {0} characters.").format(f"{LONGEST_NOTES:,}"))
        else:
            self.text = text
        self.changed.emit()

    def _show(self) -> None:
        with QSignalBlocker(self.editor):
            self.editor.setPlainText(self.text)
