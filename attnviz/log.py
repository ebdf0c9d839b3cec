"""The log of all windows and commands: small, rotated, and never an obstacle.

It holds starts, ends, bugs of attnviz and Qt's warnings: versions and tracebacks, no tensors and no sessions. Every
process opens it for one record at a time, under a lock, so that no process blocks the rotation. If it cannot be
written, nothing is logged.
"""

import contextlib
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from attnviz.folders import make_private, state_folder

MOST_BYTES, KEPT_BEFORE = 256 * 1024, 2
MOST_LETTERS = 20_000
"""The most characters of a record: a traceback of an endless recursion, for example, is truncated."""
MOST_ALIKE, MOST = 3, 100
_LOCK_S = 0.2
"""The time in seconds to wait for another process's lock before the log is written without it."""


def reports_folder() -> Path:
    """Return the folder of the log and the crash reports."""
    return state_folder() / "reports"


def make_reports_folder() -> Path:
    """Create the folder of the log and the crash reports, and return it; raises OSError."""
    make_private(state_folder())
    folder = reports_folder()
    make_private(folder)
    return folder


def log_file() -> Path:
    """Return the path of the current log; older ones have the suffixes .1 and .2."""
    return reports_folder() / "attnviz.log"


def note(text: str) -> bool:
    """Add a record to the log; return whether it was written. Safe in every thread, and raises nothing."""
    try:
        path = log_file()
        make_reports_folder()
        if path.exists() and not path.is_file():
            return False  # opening a pipe would block
        with _locked(path.with_name("attnviz.log.lock")):
            return _write(path, f"{time.strftime('%Y-%m-%d %H:%M:%S')} [{os.getpid()}] {without_home(cut(text))}")
    except (OSError, ValueError):
        return False


def note_defect(where: str, error: BaseException) -> bool:
    """Add an unexpected exception with its traceback; return whether it was written."""
    import traceback

    return note(f"{where}\n{''.join(traceback.format_exception(error)).rstrip()}")


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message, which may be long; without a message its type's name."""
    try:
        lines = str(error).splitlines()
    except Exception:
        lines = []
    return next((line.strip()[:300] for line in lines if line.strip()), type(error).__name__)


def without_home(text: str) -> str:
    """Return a text in which the home folder, which often holds the user's name, is written as ~."""
    home = os.path.expanduser("~").rstrip("/\\")
    # Whole names only: /srv/anna is not in /srv/ann.
    return re.sub(rf"{re.escape(home)}(?![\w-]|\.\w)", "~", text) if len(home) > 1 else text


def cut(text: str) -> str:
    """Return a text without its middle if it is too long: the important parts are its beginning and end."""
    half = MOST_LETTERS // 2
    return text if len(text) <= MOST_LETTERS else f"{text[:half]}\n...\n{text[-half:]}"


def lock(handle: int) -> bool:
    """Lock an open file; return False if another process has. The system unlocks it when this process ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, 1 << 30, os.SEEK_SET)  # on Windows others cannot read locked bytes, so lock beyond the end
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            os.lseek(handle, 0, os.SEEK_END)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        until = time.monotonic() + _LOCK_S
        while not lock(handle) and time.monotonic() < until:
            time.sleep(0.005)
        yield
    finally:
        os.close(handle)


def _write(path: Path, line: str) -> bool:
    import logging
    from logging.handlers import RotatingFileHandler

    failures: list[logging.LogRecord] = []
    handler = RotatingFileHandler(
        path, maxBytes=MOST_BYTES, backupCount=KEPT_BEFORE, encoding="utf-8", errors="backslashreplace", delay=True
    )
    handler.handleError = failures.append  # type: ignore[method-assign,assignment]  # the default prints a traceback
    try:
        handler.emit(logging.makeLogRecord({"msg": line}))
    finally:
        handler.close()
    with contextlib.suppress(OSError):
        path.chmod(0o600)
    return not failures


class NoteLimit:
    """Lets through `MOST_ALIKE` records of each kind and `MOST` in all, since a defect may repeat at every frame."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def lets(self, kind: str) -> bool:
        """Count one of a kind, and return whether it may be noted."""
        self._seen[kind] += 1
        return self._seen[kind] <= MOST_ALIKE and self._seen.total() <= MOST
