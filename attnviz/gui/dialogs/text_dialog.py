"""A dialog that shows a text in letters of one width and copies it."""

from abc import abstractmethod

from PySide6.QtCore import Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTextEdit, QVBoxLayout, QWidget

from attnviz.gui.widgets.labels import caption


class TextDialog(QDialog):
    """A text that cannot be changed, a caption below it, and buttons beside that: Close and Copy, perhaps others."""

    def __init__(self, window: QWidget, title: str) -> None:
        super().__init__(window)
        self.setWindowTitle(title)
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(title)
        self.said = caption()
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.setObjectName("primary")
        self.copy.clicked.connect(self.copy_text)
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.close)
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self.said, 1)
        for button in (close, self.copy):
            self.add_button(button)
        self.lines = QVBoxLayout(self)
        """The text, and below it the line of the buttons."""
        self.lines.setContentsMargins(24, 24, 24, 16)
        self.lines.setSpacing(16)
        self.lines.addWidget(self.text, 1)
        self.lines.addLayout(self._buttons)

    def add_button(self, button: QPushButton) -> None:
        """Put a button beside the others; Enter presses none of them by itself."""
        button.setAutoDefault(False)
        self._buttons.addWidget(button)

    @Slot()
    @abstractmethod
    def copy_text(self) -> None:
        """Put the text on the clipboard, and say so."""
