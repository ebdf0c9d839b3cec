"""A bar above the stage that offers what a window has left behind which ended unexpectedly."""

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget


class RestoreBar(QWidget):
    """One sentence and two buttons; work goes on whether they are pressed or not."""

    restored = Signal()
    discarded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("restoreBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sentence = QLabel()
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.restore = QPushButton(self.tr("Restore"))
        self.restore.clicked.connect(self.restored)
        self.discard = QPushButton(self.tr("Discard"))
        self.discard.clicked.connect(self.discarded)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 6, 12, 6)
        layout.setSpacing(8)
        layout.addWidget(self.sentence, 1)
        layout.addWidget(self.restore)
        layout.addWidget(self.discard)
        self.hide()

    def offer(self, name: str, seconds: float) -> None:
        """Offer a session that was last written at a time, in seconds since the epoch."""
        when = QDateTime.fromSecsSinceEpoch(int(seconds))
        time = QLocale().toString(when, QLocale.FormatType.ShortFormat)
        self.sentence.setText(self.tr("attnviz ended unexpectedly; the session of {0}, {1}").format(time, name))
        self.show()
