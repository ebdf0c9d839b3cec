"""The bar above the stage after a crash, with the unsaved session and the crash report."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QDateTime, QObject, Qt, QTimer, Signal, Slot, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from typing_extensions import override

from attnviz.crash_report import CrashReport, Watch, collect, text_of
from attnviz.gui.dialogs.text_dialog import TextDialog
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.run.background import Background
from attnviz.gui.run.mailbox import Ready
from attnviz.gui.widgets.labels import as_plain
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import translate
from attnviz.log import note
from attnviz.versions import installed_version


class RestoreBar(QWidget):
    """One sentence, a list of unsaved sessions and a few buttons; the user may ignore it and keep working."""

    restored = Signal(int)
    """The index in the list of the session to restore; likewise the next signal."""
    discarded = Signal(int)
    all_discarded = Signal()
    report_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("restoreBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._sessions = self._report = ""
        self.sentence = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.list = ComboBox()
        """The sessions, if there is more than one: when each was last written, and its title."""
        self.list.setAccessibleName(self.tr("Unsaved sessions"))
        self.report, self.restore, self.discard, self.discard_all, self.dismiss = buttons = (
            QPushButton(self.tr("Report ...")),
            QPushButton(self.tr("Restore")),
            QPushButton(self.tr("Discard")),
            QPushButton(self.tr("Discard all")),
            QPushButton(self.tr("Dismiss")),
        )
        slots = (self.report_asked, self._restore, self._discard, self.all_discarded, self._dismiss)
        for button, slot in zip(buttons, slots, strict=True):
            button.clicked.connect(slot)
        line = row_of(None, self.sentence, *buttons, wide=(self.sentence,))
        column_of(self, line, self.list, gap=6).setContentsMargins(16, 6, 12, 6)
        self.hide()

    def offer(self, sessions: Sequence[tuple[str, float]]) -> None:
        """Offer sessions, each with its title and the time it was last written, in seconds since the epoch.

        An empty list withdraws the offer, and that of a report beside it.
        """
        if self._sessions and not sessions:
            self._report = ""
        self.list.clear()
        self.list.addItems([f"{_time(seconds)}  {title}" for title, seconds in sessions])
        self._sessions = ""
        if len(sessions) == 1:
            ((title, seconds),) = sessions
            self._sessions = self.tr("Unsaved work was kept: the session of {0}, {1}").format(_time(seconds), title)
        elif sessions:
            self._sessions = self.tr("Unsaved work of {0} windows was kept").format(len(sessions))
        self._show()

    def tell_of_report(self, path: str, seconds: float) -> None:
        """Offer a report about a crash at a time, in seconds since the epoch; the button's tooltip is its path."""
        self._report = self.tr("attnviz ended unexpectedly, {0}").format(_time(seconds))
        self.report.setToolTip(as_plain(path))
        self._show()

    @Slot()
    def _restore(self) -> None:
        self.restored.emit(self.list.currentIndex())

    @Slot()
    def _discard(self) -> None:
        self.discarded.emit(self.list.currentIndex())

    @Slot()
    def _dismiss(self) -> None:
        self._report = ""
        self._show()

    def _show(self) -> None:
        self.sentence.setText(self._sessions or self._report)
        self.report.setVisible(bool(self._report))
        for button in (self.restore, self.discard):
            button.setVisible(bool(self._sessions))
        for part in (self.list, self.discard_all):
            part.setVisible(self.list.count() > 1)
        self.dismiss.setVisible(not self._sessions)
        self.setVisible(bool(self._sessions or self._report))


def _time(seconds: float) -> str:
    """Return a local time in the format of ISO 8601, to the minute."""
    return QDateTime.fromSecsSinceEpoch(int(seconds)).toString("yyyy-MM-dd HH:mm")


class _Read(NamedTuple):
    report: CrashReport
    text: str


class CrashNotice(QObject):
    """Looks for reports in the background after the start, and shows the newest when the user asks for it."""

    def __init__(self, window: QWidget, watch: Watch, bar: RestoreBar) -> None:
        super().__init__(window)
        self._window, self._watch, self._bar = window, watch, bar
        self._newest: CrashReport | None = None
        self._background = Background(self, pool="autosave")
        self._background.done.connect(self._take)
        self._background.failed.connect(self._note_failure)
        bar.report_asked.connect(self._read)
        QTimer.singleShot(0, self, self._begin)

    def move_to(self, window: QWidget) -> None:
        """Show a report in another window."""
        self.setParent(window)
        self._window = window

    @Slot(object)
    def note_engine(self, ready: Ready) -> None:
        """Note the engine's versions, since a crash may well be its own."""
        self._background.start(lambda: self._watch.note(_engine(ready)))

    @Slot()
    def _begin(self) -> None:
        def look() -> list[CrashReport]:
            found = collect()
            self._watch.note(_screen())
            return found

        self._background.start(look)

    @Slot()
    def _read(self) -> None:
        report = self._newest
        if report is not None:
            self._background.start(lambda: _Read(report, text_of(report)))

    @Slot(object)
    def _take(self, found: list[CrashReport] | _Read | None) -> None:
        if isinstance(found, _Read):
            ReportDialog(self._window, str(found.report.path), found.text).open()
        elif found:
            self._newest = found[-1]
            self._bar.tell_of_report(str(self._newest.path), self._newest.ended_at)

    @Slot(str)
    def _note_failure(self, why: str) -> None:
        note(f"the reports of earlier crashes cannot be read: {why}")


def _screen() -> str:
    import platform

    packages = f"PySide6 {installed_version('PySide6-Essentials')}, numpy {installed_version('numpy')}"
    return f"{platform.platform()}, Qt {qVersion()}, {packages}"


def _engine(ready: Ready) -> str:
    devices = ", ".join(f"{name} ({label})" for name, label in ready.devices)
    return f"torch {installed_version('torch')}: {ready.problem or devices}"


class ReportDialog(TextDialog):
    """The report, its path, and a button that copies it; destroyed when it is closed."""

    def __init__(self, window: QWidget, path: str, text: str) -> None:
        super().__init__(window, translate("Crash report"))
        self.text.setPlainText(text)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        selectable = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        plain = Qt.TextFormat.PlainText
        self.place = QLabel(path, textFormat=plain, textInteractionFlags=selectable, wordWrap=True)
        self.place.setAccessibleName(self.tr("Path of the report"))
        self.lines.insertWidget(0, self.place)
        self.said.setText(self.tr("It contains versions and code locations, nothing from your experiments."))
        self.resize(820, 480)

    @Slot()
    @override
    def copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.said.setText(self.tr("The report is on the clipboard."))
