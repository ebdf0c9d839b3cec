"""A dialog that shows a text in monospaced type and copies it."""

from abc import abstractmethod

from PySide6.QtCore import Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QTextEdit, QWidget

from attnviz.gui.dialogs.button_dialog import ButtonDialog


class TextDialog(ButtonDialog):
    """A read-only text, and the buttons Close and Copy, possibly others."""

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
        """Copy the text to the clipboard, and report it."""
