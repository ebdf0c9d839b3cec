"""Reports of earlier crashes, offered at the start; and the facts that a later report needs about this process."""

from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Slot, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from attnviz.crash_report import CrashReport, Watch, collect, text_of
from attnviz.gui.dialogs.text_dialog import TextDialog
from attnviz.gui.recovery.restore_bar import RestoreBar
from attnviz.gui.run.background import Background
from attnviz.gui.run.mailbox import Ready
from attnviz.gui.widgets.words import translate
from attnviz.log import note


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
        return "(unknown version)"


class ReportDialog(TextDialog):
    """The report, its path, and a button that copies it; destroyed when it is closed."""

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
        self.place.setAccessibleName(self.tr("Path of the report"))
        self.lines.insertWidget(0, self.place)
        self.said.setText(self.tr("It contains versions and places in the code, nothing of your experiments."))
        self.resize(820, 480)

    @Slot()
    @override
    def copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.said.setText(self.tr("The report is on the clipboard."))
