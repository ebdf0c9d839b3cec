"""A crash report, to be read and copied: what somebody who mends it has to know."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from attnviz.gui.dialogs.text_dialog import TextDialog
from attnviz.gui.widgets.words import translate


class ReportDialog(TextDialog):
    """The text, where it lies, and a button that copies it; destroyed when it is closed."""

    def __init__(self, window: QWidget, path: str, text: str) -> None:
        super().__init__(window, translate("Crash report"))
        self.text.setPlainText(text)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.place = QLabel(path)
        self.place.setTextFormat(Qt.TextFormat.PlainText)
        self.place.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.place.setWordWrap(True)
        self.place.setAccessibleName(self.tr("Where the report lies"))
        self.lines.insertWidget(0, self.place)
        self.said.setText(self.tr("It holds versions and places in the code, nothing of your experiments."))
        self.resize(820, 480)

    @Slot()
    @override
    def copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.said.setText(self.tr("The report is on the clipboard."))
