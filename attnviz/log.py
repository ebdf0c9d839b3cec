"""The log of all windows and commands: small, in turn with those before it, and never in the way.

It holds starts, ends, defects of ours and what Qt complains of: versions and tracebacks, no tensors and no sessions.
Every process opens it for one record at a time, under a lock, so that none stands in the way when it is turned over.
A log that cannot be written is done without.
"""

import contextlib
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from attnviz.state_folder import make_private, state_folder

MOST_BYTES, KEPT_BEFORE = 256 * 1024, 2
MOST_LETTERS = 20_000
"""Of one record: the traceback of an endless recursion, or an error that quotes a whole file, is cut."""
_LOCK_S = 0.2
"""How long another process may hold the log before it is written all the same."""


def reports_folder() -> Path:
    """Return the folder of the log and the crash reports."""
    return state_folder() / "reports"


def make_reports_folder() -> Path:
    """Make the folder of the log and the crash reports, and return it; raises OSError."""
    make_private(state_folder())
    folder = reports_folder()
    make_private(folder)
    return folder


def log_file() -> Path:
    """Return the newest log; those before it have .1 and .2 behind their name."""
    return reports_folder() / "attnviz.log"


def note(text: str) -> bool:
    """Add a record to the log; return whether it stands there. Safe in every thread, and raises nothing."""
    try:
        path = log_file()
        make_reports_folder()
        if path.exists() and not path.is_file():
            return False  # a pipe would be waited for
        with _alone(path.with_name("attnviz.log.lock")):
            return _write(path, f"{time.strftime('%Y-%m-%d %H:%M:%S')} [{os.getpid()}] {without_home(cut(text))}")
    except (OSError, ValueError):
        return False


def note_defect(where: str, error: BaseException) -> bool:
    """Add an exception that nobody expected, with its traceback; return whether it stands in the log."""
    import traceback

    return note(f"{where}\n{''.join(traceback.format_exception(error)).rstrip()}")


def first_line(error: BaseException) -> str:
    """Return what an error says first: numpy's is a page. Of one that says nothing, or cannot, what it is."""
    try:
        lines = str(error).splitlines()
    except Exception:
        lines = []
    return next((line.strip()[:300] for line in lines if line.strip()), type(error).__name__)


def without_home(text: str) -> str:
    """Return a text in which the user's own folder, and so mostly their name, is written as ~."""
    home = os.path.expanduser("~").rstrip("/\\")
    # Whole names alone: /srv/anna is not in /srv/ann.
    return re.sub(rf"{re.escape(home)}(?![\w-]|\.\w)", "~", text) if len(home) > 1 else text


def cut(text: str) -> str:
    """Return a text with its middle left out where it is too long: it begins and ends with what matters."""
    half = MOST_LETTERS // 2
    return text if len(text) <= MOST_LETTERS else f"{text[:half]}\n...\n{text[-half:]}"


def lock(handle: int) -> bool:
    """Lock an open file unless another process has; the system unlocks it when this one ends, however it does."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, 1 << 30, os.SEEK_SET)  # Windows forbids others to read what is locked
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            os.lseek(handle, 0, os.SEEK_END)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
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
    handler.handleError = failures.append  # type: ignore[method-assign,assignment]  # which would print a traceback
    try:
        handler.emit(logging.makeLogRecord({"msg": line}))
    finally:
        handler.close()
    with contextlib.suppress(OSError):
        path.chmod(0o600)
    return not failures
