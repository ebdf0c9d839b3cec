"""The session in passing: written beside the work, so that a crash loses a few seconds; and found again afterwards.

Every window has a file of its own in the folder, with a lock beside it that Qt knows to be stale once the process that
made it is gone. A file without a living lock is what a window has left behind that ended unexpectedly.
"""

import contextlib
import os
import time
import uuid
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from attnviz.experiment.files.plain_files import is_folder, told_of
from attnviz.experiment.session import Session
from attnviz.export.document import ENDING, write_session
from attnviz.gui.run.background import Background
from attnviz.gui.session.manager import SessionKeeper
from attnviz.gui.session.parts import SessionParts
from attnviz.state_folder import make_private

AFTER_MS = 3000
_AT_THE_END_S = 5.0
_ABANDONED_S = 3 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Orphan:
    """A file that a window has left behind, locked as long as this is alive."""

    path: Path
    lock: QLockFile


def orphans(folder: Path) -> list[Orphan]:
    """Return what was left behind and no other window has taken, the newest last.

    A lock of another machine, or an empty one, does not tell whether its window lives: it counts as gone after some
    days without a change.
    """
    found = []
    for path in sorted(folder.glob(f"*{ENDING}"), key=_time_of):
        lock = _lock_of(path)
        if lock.tryLock(0) or (_is_abandoned(path, lock) and lock.removeStaleLockFile() and lock.tryLock(0)):
            found.append(Orphan(path, lock))
    return found


class Autosave(QObject):
    """Writes the session a few seconds after a change, and takes the file away when nothing would be lost."""

    failed = Signal(str)
    """Why nothing is kept, said once, and again only after something was."""

    def __init__(self, folder: Path, keeper: SessionKeeper, parts: SessionParts) -> None:
        super().__init__(keeper)
        self._keeper, self._parts = keeper, parts
        self.path = folder / f"{uuid.uuid4().hex}{ENDING}"
        self._lock: QLockFile | None = None
        self._said = False
        self._background = Background(self, pool="autosave")
        self._background.done.connect(self._note_kept)
        self._background.failed.connect(self._fail)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AFTER_MS)
        self._timer.timeout.connect(self.write)
        keeper.changed.connect(self._follow)

    @Slot()
    def write(self) -> None:
        """Write the session as it is now."""
        self._timer.stop()
        if self._locked():
            self._background.start(partial(_write, self._parts.session(), self.path), instead=True)

    def adopt(self, orphan: Orphan) -> None:
        """Take over the file of a session that was restored: it is this window's now."""
        if self._locked() and self._background.finish(_AT_THE_END_S):
            with contextlib.suppress(OSError):  # then it is offered again
                os.replace(orphan.path, self.path)
            orphan.lock.unlock()

    def close(self) -> None:
        """End: a session that the user has let go, or saved, leaves nothing; one that nobody asked about stays."""
        self._timer.stop()
        lost = self._keeper.modified and not self._keeper.asks
        if lost:
            self.write()
        self._background.finish(_AT_THE_END_S)
        if not lost:
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.unlock()

    def _locked(self) -> bool:
        """Return whether the file is this window's; its folder and lock are made when they are first needed."""
        if self._lock is None or not is_folder(self.path.parent):  # somebody may have tidied it away
            try:
                make_private(self.path.parent)
            except OSError as error:
                self._fail(f"{self.path.parent} {error.strerror or error}")
                return False
            self._lock = _lock_of(self.path)
        if not self._lock.isLocked() and not self._lock.tryLock(0):  # a full disk may have room by now
            self._fail(self.tr("{0} cannot be written").format(self.path.parent))
        return self._lock.isLocked()

    @Slot()
    def _follow(self) -> None:
        if not self._keeper.modified:
            self._timer.stop()
            if self._lock is not None:
                self._background.start(partial(self.path.unlink, missing_ok=True), instead=True)
        elif not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _note_kept(self) -> None:
        self._said = False

    @Slot(str)
    def _fail(self, why: str) -> None:
        if not self._said:
            self._said = True
            self.failed.emit(self.tr("Unsaved work is not kept for the event of a crash: {0}").format(why))


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(f"{path}.lock")
    lock.setStaleLockTime(0)  # not by age: only once its process is gone
    return lock


def _write(session: Session, path: Path) -> None:
    with told_of(path):
        write_session(session, path)
        path.chmod(0o600)  # unsaved work, as an earlier version may have left it for everybody to read


def _is_abandoned(path: Path, lock: QLockFile) -> bool:
    """Return whether a locked file was not written for days; a window that lives here holds its lock all the same."""
    return lock.error() == QLockFile.LockError.LockFailedError and time.time() - _time_of(path) > _ABANDONED_S


def _time_of(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another window has just taken it
        return 0.0
