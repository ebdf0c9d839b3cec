"""A dialog that shows a text in letters of one width and copies it."""

from abc import abstractmethod

from PySide6.QtCore import Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QTextEdit, QWidget

from attnviz.gui.dialogs.button_dialog import ButtonDialog


class TextDialog(ButtonDialog):
    """A text that cannot be changed, and the buttons Close and Copy, perhaps others."""

    def __init__(self, window: QWidget, title: str) -> None:
        self.text = QTextEdit(readOnly=True, lineWrapMode=QTextEdit.LineWrapMode.NoWrap)
        super().__init__(window, title, self.text)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(title)
        self.button(self.tr("Close"), self.close)
        self.copy = self.button(self.tr("Copy"), self.copy_text, primary=True)

    @Slot()
    @abstractmethod
    def copy_text(self) -> None:
        """Put the text on the clipboard, and say so."""
