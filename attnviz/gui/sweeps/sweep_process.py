"""A sweep in a separate process, `attnviz sweep`, and the rows of its table, read as they are written.

So it never blocks the window's engine, and the table survives the end of either process.
"""

import re
import time
from pathlib import Path

from PySide6.QtCore import QDir, QObject, QProcess, QTemporaryDir, QTimer, Signal, Slot

from attnviz.experiment.labs import Spec
from attnviz.experiment.sweeps.crossing import Crossing
from attnviz.experiment.sweeps.results import Results
from attnviz.export.tables.lines import JsonLines
from attnviz.gui.run.command import start_command
from attnviz.gui.widgets.words import translate

LOOK_MS = 30
"""The interval in milliseconds between reads of the table."""
SHOW_MS = 150
"""The least time in milliseconds between two updates of the picture."""
PATIENCE_MS = 3000
"""The time in milliseconds for the process to end after it was told to."""
_AT_A_TIME = 0.0015
"""The time in seconds spent on rows before the window continues."""
_BLOCK, _LONGEST_STDERR = 1 << 13, 1 << 16
_RUN = re.compile(rb'\{"run": (\d+),')
"""Matches the beginning of a row; known rows are not parsed again."""
_ESTIMATE = re.compile(r"about (.+?) (?:in|on|for) ")


class SweepProcess(QObject):
    """Runs one sweep at a time."""

    advanced = Signal()
    """Rows have arrived, or the status has changed."""
    ended = Signal(str)
    """The process has ended; with the reason if it failed."""

    def __init__(self) -> None:
        super().__init__()
        self.results: Results | None = None
        """The rows of the last sweep that was started."""
        self.overs: tuple[str, ...] = ()
        """What it sweeps, as it was typed."""
        self.estimate = ""
        """How long it takes, as the process said before its first run: "40 s"."""
        self.began = 0.0
        self._folder: QTemporaryDir | None = None
        self._stopped = False
        self._why: str | None = None  # why the process has failed, set when it has ended and the rest is being read
        self._shown_at, self._unshown = 0.0, False
        self._offset, self._rest, self._stderr = 0, b"", b""
        self._process = QProcess(self)
        self._process.readyReadStandardError.connect(self._listen)
        self._process.finished.connect(self._finish)
        self._process.errorOccurred.connect(self._fail_to_start)
        self._looks = QTimer(self, interval=LOOK_MS)
        self._looks.timeout.connect(self.look)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._process.kill)

    @property
    def busy(self) -> bool:
        """Whether it is running, or its rows are still being read."""
        return self._runs or self._looks.isActive()

    @property
    def _runs(self) -> bool:
        return self._process.state() != QProcess.ProcessState.NotRunning

    @property
    def table(self) -> Path | None:
        """The table of JSON lines; None before the first sweep."""
        return None if self._folder is None else Path(self._folder.filePath("table.jsonl"))

    def start(self, crossing: Crossing, overs: tuple[str, ...], spec: Spec) -> None:
        """Start a sweep in place of the last one; ``overs`` as typed, ``spec`` with the content of its file.

        If the last one was the same and was interrupted, it resumes from the existing rows.
        """
        folder = self._interrupted(crossing) or QTemporaryDir()
        if not folder.isValid():
            where = QDir.toNativeSeparators(QDir.tempPath())
            self.ended.emit(translate("its table cannot be written in {0}: {1}").format(where, folder.errorString()))
            return
        self._folder, self.overs = folder, overs
        self.results, self.estimate, self.began = Results(crossing), "", time.monotonic()
        self._offset, self._rest, self._stderr, self._stopped, self._why = 0, b"", b"", False, None
        arguments = ["sweep", "-", "-o", str(self.table)]
        arguments += [part for over in overs for part in ("--over", over)]
        start_command(self._process, arguments, spec.model_dump_json())
        self._looks.start()
        self.advanced.emit()

    def _interrupted(self, crossing: Crossing) -> QTemporaryDir | None:
        """Return the folder of the last sweep if it is the same one and incomplete."""
        results, table = self.results, self.table
        if results is None or table is None or len(results) == len(crossing) or not table.is_file():
            return None
        return self._folder if results.crossing.digest == crossing.digest else None

    def stop(self) -> None:
        """Stop the process; its rows stay."""
        if self._runs and not self._stopped:
            self._stopped = True
            self._process.terminate()
            self._patience.start()

    def close(self) -> None:
        """Stop the process and wait for it: the window is being closed."""
        self.stop()
        if self._runs and not self._process.waitForFinished(PATIENCE_MS):
            self._process.kill()
            self._process.waitForFinished(PATIENCE_MS)

    @Slot()
    def look(self) -> None:
        """Read the rows written since the last call, within a time limit, and show them."""
        came, all_read = self._read()
        self._unshown |= came
        if all_read and self._why is not None:
            self._looks.stop()
            self.ended.emit(self._why)
        elif self._unshown and time.monotonic() - self._shown_at >= SHOW_MS / 1000:
            self._unshown = False
            self.advanced.emit()
            self._shown_at = time.monotonic()

    def _read(self) -> tuple[bool, bool]:
        """Read rows for a moment; return whether any was new, and whether there are no more."""
        table, results, form = self.table, self.results, JsonLines()
        assert table is not None
        assert results is not None, "both are there while it looks"
        until, before = time.perf_counter() + _AT_A_TIME, len(results)
        block = b""
        try:
            with table.open("rb") as file:
                file.seek(self._offset)
                while block := file.read(_BLOCK):
                    self._offset += len(block)
                    *lines, self._rest = (self._rest + block).split(b"\n")
                    for line in lines:
                        match = _RUN.match(line)
                        row = None if match is None or int(match[1]) in results else form.row(line, ())
                        if row is not None:
                            results.add(row)
                    if time.perf_counter() > until:
                        break
        except OSError:  # it does not exist yet, or is being sorted
            pass
        return len(results) != before, not block

    @Slot()
    def _listen(self) -> None:
        self._stderr = (self._stderr + self._process.readAllStandardError().data())[-_LONGEST_STDERR:]
        match = _ESTIMATE.search(self._stderr.decode(errors="replace"))
        if match and not self.estimate:
            self.estimate = match[1]
            self.advanced.emit()

    @Slot()
    def _finish(self) -> None:
        """Read the rest of the table in several calls, then report the end."""
        self._patience.stop()
        self._listen()
        well = self._process.exitStatus() == QProcess.ExitStatus.NormalExit and self._process.exitCode() == 0
        if well:  # at its end the process has sorted the rows
            self._offset, self._rest = 0, b""
        self._why = "" if self._stopped or well else self._last_words()

    def _last_words(self) -> str:
        lines = [each.strip() for each in re.split(r"[\r\n]+", self._stderr.decode(errors="replace")) if each.strip()]
        last = lines[-1].removeprefix("attnviz: ") if lines else ""
        crashed = (
            self._process.exitStatus() == QProcess.ExitStatus.CrashExit
        )  # its last message was about something else
        return (not crashed and last) or translate("the process ended with code {0}").format(self._process.exitCode())

    @Slot(QProcess.ProcessError)
    def _fail_to_start(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._looks.stop()
            self.ended.emit(self._process.errorString())
