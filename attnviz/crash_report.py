"""Crash reports: a file for each window, into which faulthandler writes a traceback when the process crashes.

The file is locked while its window is open, and removed when it is closed. A file without a lock is from a window that
ended unexpectedly: the next start makes a report of it; without a traceback (kill, power cut) only a line in the log.
"""

import contextlib
import faulthandler
import os
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from attnviz import __version__
from attnviz.folders import for_the_user_alone
from attnviz.log import cut, lock, make_reports_folder, note, reports_folder, without_home

_RUNNING = ".running"
_BEGUN = _RUNNING if sys.platform == "win32" else ".begun"
"""The file's suffix until it is locked, so that no other window takes it for a crash.

Windows cannot rename an open file.
"""
_MOST_BYTES, _MOST_REPORTS = 1 << 18, 5
_CRASHED = re.compile(r"^(Fatal Python error|Windows fatal exception|Qt: )", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CrashReport:
    """A text file about one crash."""

    path: Path
    ended_at: float
    """In seconds since the epoch."""


class Watch:
    """Holds the crash file of this process; without a writable folder there is none."""

    def __init__(self) -> None:
        self._file: BinaryIO | None = None
        self._path = Path()
        self._enabled = False
        self._began = time.monotonic()
        self._noted = False

    def begin(self) -> None:
        """Create the file. A faulthandler that is already enabled (for the terminal) is left unchanged."""
        with contextlib.suppress(OSError, ValueError):
            folder = make_reports_folder()
            self._file = self._locked(folder / f"{os.getpid()}-{time.time_ns()}{_BEGUN}")
            if self._file is None:
                return
            self._put(f"{_this_program()}, started {time.strftime('%Y-%m-%d %H:%M:%S')}")
            if not faulthandler.is_enabled():
                faulthandler.enable(self._file)
                self._enabled = True

    def _locked(self, path: Path) -> BinaryIO | None:
        """Return a new locked file, which marks a running window; None if it cannot be locked."""
        file: BinaryIO = open(path, "xb", buffering=0, opener=for_the_user_alone)  # noqa: SIM115 - kept open
        try:
            if lock(file.fileno()):
                self._path = path.rename(path.with_suffix(_RUNNING)) if path.suffix != _RUNNING else path
                return file
        except OSError:
            pass
        file.close()
        path.unlink(missing_ok=True)
        return None

    def note(self, text: str) -> None:
        """Add facts about this process to the file and to the log."""
        self._put(text)
        note(text if self._noted else f"started: {_this_program()}; {text}")
        self._noted = True

    def put_defect(self, where: str, error: BaseException) -> None:
        """Add an exception that the window survived: its type and stack, not its message, which may quote the user."""
        import traceback

        stack = "".join(traceback.format_tb(error.__traceback__)).rstrip()
        self._put(cut(f"{where}: {type(error).__name__}\n{stack}"))

    def put_last_words(self, text: str) -> None:
        """Add Qt's reason for aborting the process to the file."""
        self._put(f"Qt: {text}")

    def close(self, how: str) -> None:
        """Remove the file; log the end if the start was logged."""
        if self._noted:
            note(f"ended after {time.monotonic() - self._began:.0f} s: {how}")
        if self._enabled:
            faulthandler.disable()
            self._enabled = False
        file, self._file = self._file, None
        if file is not None:
            file.close()
            with contextlib.suppress(OSError):
                self._path.unlink()

    def _put(self, text: str) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError, ValueError):
                self._file.write(f"{text}\n".encode(errors="backslashreplace"))


def collect() -> list[CrashReport]:
    """Make reports from the files of windows that crashed, log them, and return them, the newest last.

    If the folder cannot be read or written, nothing is returned and nothing is lost.
    """
    reports = []
    try:
        for path in sorted(reports_folder().glob(f"*{_RUNNING}")):
            report = _collected(path)
            if report is not None:
                reports.append(report)
    except OSError:
        pass
    with contextlib.suppress(OSError):
        for old in sorted(reports_folder().glob("crash-*.txt"))[:-_MOST_REPORTS]:
            old.unlink()
    return sorted(reports, key=lambda report: report.ended_at)


def text_of(report: CrashReport) -> str:
    """Return the text of a report, or a message if it cannot be read."""
    try:
        with report.path.open("rb") as file:
            return file.read(_MOST_BYTES).decode(errors="replace")
    except OSError as error:
        return f"{report.path} cannot be read: {error.strerror or error}"


def _collected(path: Path) -> CrashReport | None:
    """Turn the file of an ended process into a report; None if the process runs or left no traceback."""
    try:
        with path.open("r+b") as file:
            if not lock(file.fileno()) or not path.exists():
                return None
            file.seek(0)
            text = without_home(file.read(_MOST_BYTES).decode(errors="replace"))
            ended_at = os.fstat(file.fileno()).st_mtime
            report = _report_of(text, ended_at, path.name.removesuffix(_RUNNING))
            if sys.platform != "win32":
                path.unlink()  # while it is locked, so that no other process reports it too
        path.unlink(missing_ok=True)
    except OSError:
        return None
    return report


def _report_of(text: str, ended_at: float, name: str) -> CrashReport | None:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(ended_at))
    if not _CRASHED.search(text):
        first = (text.splitlines() or ["an unknown version"])[0]
        note(f"a window ended without a report (killed, perhaps), last seen {when}: {first}")
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(ended_at))
    path = reports_folder() / f"crash-{stamp}-{name.partition('-')[0]}.txt"
    with open(path, "w", encoding="utf-8", opener=for_the_user_alone) as file:
        file.write(text)
    os.utime(path, (ended_at, ended_at))
    note(f"a window crashed {when}, see {path.name}:\n{text.rstrip()}")
    return CrashReport(path, ended_at)


def _this_program() -> str:
    return f"attnviz {__version__}, Python {sys.version.split()[0]}, {sys.platform}"
