"""A bar above the stage that offers the session and the crash report of a window that ended unexpectedly."""

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from attnviz.gui.widgets.labels import as_plain


class RestoreBar(QWidget):
    """One sentence and up to three buttons; work goes on whether they are pressed or not."""

    restored = Signal()
    discarded = Signal()
    report_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("restoreBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session = self._report = ""
        self.sentence = QLabel()
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.restore = QPushButton(self.tr("Restore"))
        self.restore.clicked.connect(self.restored)
        self.discard = QPushButton(self.tr("Discard"))
        self.discard.clicked.connect(self.discarded)
        self.report = QPushButton(self.tr("Report ..."))
        self.report.clicked.connect(self.report_asked)
        self.dismiss = QPushButton(self.tr("Dismiss"))
        self.dismiss.clicked.connect(self._dismiss)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 6, 12, 6)
        layout.setSpacing(8)
        layout.addWidget(self.sentence, 1)
        for button in (self.report, self.restore, self.discard, self.dismiss):
            layout.addWidget(button)
        self.hide()

    def offer(self, name: str, seconds: float) -> None:
        """Offer a session that was last written at a time, in seconds since the epoch."""
        self._session = self.tr("Unsaved work was kept: the session of {0}, {1}").format(_time(seconds), name)
        self._show()

    def tell_of_report(self, path: str, seconds: float) -> None:
        """Offer a report about a crash at a time, in seconds since the epoch; the button's tooltip is its path."""
        self._report = self.tr("attnviz ended unexpectedly, {0}").format(_time(seconds))
        self.report.setToolTip(as_plain(path))
        self._show()

    def withdraw(self) -> None:
        """Offer no session any more, nor the report that was offered beside it."""
        if self._session:
            self._session = self._report = ""
        self._show()

    @Slot()
    def _dismiss(self) -> None:
        self._report = ""
        self._show()

    def _show(self) -> None:
        self.sentence.setText(self._session or self._report)
        self.report.setVisible(bool(self._report))
        for button in (self.restore, self.discard):
            button.setVisible(bool(self._session))
        self.dismiss.setVisible(not self._session)
        self.setVisible(bool(self._session or self._report))


def _time(seconds: float) -> str:
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(int(seconds)), QLocale.FormatType.ShortFormat)
