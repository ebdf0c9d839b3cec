"""At the start, in passing: reports of windows that crashed, and what a later report has to know of this one."""

from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Slot, qVersion
from PySide6.QtWidgets import QWidget

from attnviz.crash_report import CrashReport, Watch, collect, text_of
from attnviz.gui.recovery.restore_bar import RestoreBar
from attnviz.gui.run.background import Background
from attnviz.gui.run.mailbox import Ready
from attnviz.log import note


class _Read(NamedTuple):
    report: CrashReport
    text: str


class LastCrash(QObject):
    """Looks for reports once the window is painted, and shows the newest to whoever asks for it."""

    def __init__(self, window: QWidget, watch: Watch, bar: RestoreBar) -> None:
        super().__init__(window)
        self._window, self._watch, self._bar = window, watch, bar
        self._newest: CrashReport | None = None
        self._background = Background(self, pool="autosave")
        self._background.done.connect(self._take)
        self._background.failed.connect(self._note_failure)
        bar.report_asked.connect(self._read)
        QTimer.singleShot(0, self, self._begin)

    @Slot(object)
    def note_engine(self, ready: Ready) -> None:
        """Note what the engine runs on: a crash may well be its own."""
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
            from attnviz.gui.recovery.report_dialog import ReportDialog

            ReportDialog(self._window, str(found.report.path), found.text).open()
        elif found:
            self._newest = found[-1]
            self._bar.tell_of_report(str(self._newest.path), self._newest.ended_at)

    @Slot(str)
    def _note_failure(self, why: str) -> None:
        note(f"the reports of earlier crashes cannot be read: {why}")


def _screen() -> str:
    import platform

    packages = f"PySide6 {_version('PySide6-Essentials')}, numpy {_version('numpy')}"
    return f"{platform.platform()}, Qt {qVersion()}, {packages}"


def _engine(ready: Ready) -> str:
    devices = ", ".join(f"{name} ({label})" for name, label in ready.devices)
    return f"torch {_version('torch')}: {ready.problem or devices}"


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "of an unknown version"
