"""A crash report, to be read and copied: what somebody who mends it has to know."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget


class ReportDialog(QDialog):
    """The text, where it lies, and a button that copies it; destroyed when it is closed."""

    def __init__(self, window: QWidget, path: str, text: str) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Crash report"))
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(self.windowTitle())
        self.place = QLabel(path)
        self.place.setTextFormat(Qt.TextFormat.PlainText)
        self.place.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.place.setWordWrap(True)
        self.place.setAccessibleName(self.tr("Where the report lies"))
        self.said = QLabel(self.tr("It holds versions and places in the code, nothing of your experiments."))
        self.said.setObjectName("caption")
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.setObjectName("primary")
        self.copy.clicked.connect(self.copy_text)
        self._lay_out()

    @Slot()
    def copy_text(self) -> None:
        """Put the report on the clipboard."""
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.said.setText(self.tr("The report is on the clipboard."))

    def _lay_out(self) -> None:
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addWidget(self.said, 1)
        for button in (close, self.copy):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addWidget(self.place)
        layout.addWidget(self.text, 1)
        layout.addLayout(buttons)
        self.resize(820, 480)
