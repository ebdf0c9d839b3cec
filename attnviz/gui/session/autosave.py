"""Unsaved work is written to a file a few seconds after each change, and offered again after a crash.

Every window has its own file in the folder, beside a lock that Qt recognises as stale once its process has ended. A
file without a living lock is from a window that ended unexpectedly.
"""

import contextlib
import os
import time
import uuid
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from attnviz.definitions.text import Text, untranslated
from attnviz.experiment.files.plain_files import is_folder, naming_path, remove_left_parts
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset_of
from attnviz.experiment.labs import LABS, SpecError
from attnviz.export.document import ENDING, read_document, write_session
from attnviz.folders import make_private
from attnviz.gui.run.background import Background
from attnviz.gui.session.crash_notice import RestoreBar
from attnviz.gui.session.manager import SessionManager
from attnviz.gui.session.state import SessionState
from attnviz.gui.widgets.words import preset_before, spec_title, translate

AFTER_MS = 3000
_AT_THE_END_S = 5.0
_ABANDONED_S = 3 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Orphan:
    """A file of a window that ended unexpectedly, locked as long as this object is alive."""

    path: Path
    lock: QLockFile


def orphans(folder: Path) -> list[Orphan]:
    """Return the files of windows that ended unexpectedly and that no other window has locked, the newest last.

    A lock of another machine, or an empty one, does not tell whether its process runs: it counts as stale once the file
    has not changed for some days.
    """
    found = []
    for path in sorted(folder.glob(f"*{ENDING}"), key=_time_of):
        lock = _lock_of(path)
        if lock.tryLock(0) or (_is_abandoned(path, lock) and lock.removeStaleLockFile() and lock.tryLock(0)):
            found.append(Orphan(path, lock))
    return found


def remove_left_locks(folder: Path) -> None:
    """Remove the locks of windows that ended unexpectedly before they wrote a file."""
    for path in folder.glob(f"*{ENDING}.lock"):
        lock = _lock_of(path.with_suffix(""))
        if not path.with_suffix("").exists() and lock.tryLock(0):
            lock.unlock()


class Autosave(QObject):
    """Writes the session a few seconds after a change, and removes the file while there is no unsaved work."""

    failed = Signal(str)
    """The reason why the session cannot be written; repeated only after a write has succeeded."""

    def __init__(self, folder: Path, keeper: SessionManager, parts: SessionState) -> None:
        super().__init__(keeper)
        self._keeper, self._parts = keeper, parts
        self.path = folder / f"{uuid.uuid4().hex}{ENDING}"
        self._lock: QLockFile | None = None
        self._said = False
        self._background = Background(self, pool="autosave")
        self._background.done.connect(self._note_kept)
        self._background.failed.connect(self._fail)
        self._timer = QTimer(self, singleShot=True, interval=AFTER_MS)
        self._timer.timeout.connect(self.write)
        keeper.changed.connect(self._follow)

    @Slot()
    def write(self) -> None:
        """Write the current session."""
        self._timer.stop()
        if self._locked():
            session = self._parts.session().model_copy(update={"origin": self._keeper.origin})
            self._background.start(partial(_write, session, self.path), instead=True)

    def adopt(self, orphan: Orphan) -> None:
        """Take over the file of a restored session for this window."""
        if self._locked() and self._background.finish(_AT_THE_END_S):
            with contextlib.suppress(OSError):  # then it is offered again
                os.replace(orphan.path, self.path)
            orphan.lock.unlock()

    def close(self) -> None:
        """Remove the file and release its lock; keep the file if unsaved work was closed without asking the user."""
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
        """Return whether this window holds the lock; folder and lock are created on first use."""
        if self._lock is None or not is_folder(self.path.parent):  # or it was deleted since
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
            self.failed.emit(self.tr("Unsaved work could not be backed up: {0}").format(why))


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(f"{path}.lock")
    lock.setStaleLockTime(0)  # not by age: only once its process is gone
    return lock


def _write(session: Session, path: Path) -> None:
    with naming_path(path):
        write_session(session, path)
        path.chmod(0o600)  # an earlier version may have left it readable for other users


def _is_abandoned(path: Path, lock: QLockFile) -> bool:
    """Return whether a file was not written for days, and its lock does not tell whether its process runs."""
    return lock.error() == QLockFile.LockError.LockFailedError and time.time() - _time_of(path) > _ABANDONED_S


def _time_of(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another window has just taken it
        return 0.0


class Left(NamedTuple):
    """The unsaved session of a window that ended unexpectedly."""

    orphan: Orphan
    session: Session
    written_at: float
    """In seconds since the epoch."""

    @property
    def title(self) -> str:
        """Its lab and its preset, after the name of its file."""
        spec, preset = self.session.spec, preset_of(self.session.spec)
        title = spec_title(spec, preset_before(spec)) if preset is None else translate(preset.title)
        what = translate(Text("{lab}: {title}", {"lab": Text(LABS[spec.lab].title), "title": untranslated(title)}))
        return f"{Path(self.session.origin).name} ({what})" if self.session.origin else what


class RecoveredSessions(QObject):
    """Offers the unsaved sessions of windows that ended unexpectedly, the newest first.

    It holds their locks, so that no other window offers them too; unanswered ones are offered at the next start.
    """

    def __init__(self, folder: Path, keeper: SessionManager, autosave: Autosave, bar: RestoreBar) -> None:
        super().__init__(keeper)
        self._keeper, self._autosave, self._bar = keeper, autosave, bar
        self._offered: list[Left] = []
        self._background = Background(self, pool="autosave")
        self._background.done.connect(self._take)
        self._background.failed.connect(self._say_unread)
        bar.restored.connect(self._restore)
        bar.discarded.connect(self._discard)
        bar.all_discarded.connect(self._discard_all)
        remove_left_parts(folder)
        remove_left_locks(folder)
        self._orphans = orphans(folder)  # until they are read
        if self._orphans:
            paths = [orphan.path for orphan in reversed(self._orphans)]
            self._background.start(lambda: [_read(path) for path in paths])

    def close(self) -> None:
        """Release the unanswered sessions."""
        for orphan in (*self._orphans, *(left.orphan for left in self._offered)):
            orphan.lock.unlock()
        self._orphans, self._offered = [], []

    @Slot(object)
    def _take(self, read: list[tuple[Session | SpecError, float]]) -> None:
        """Offer the readable sessions, and set the others aside."""
        for orphan, (session, written_at) in zip(self._orphans[::-1], read, strict=False):  # none while it is closing
            if isinstance(session, Session):
                self._offered.append(Left(orphan, session, written_at))
            else:
                self._set_aside(orphan, session)
        self._orphans = []
        self._offer()

    def _offer(self) -> None:
        self._bar.offer([(left.title, left.written_at) for left in self._offered])

    def _set_aside(self, orphan: Orphan, error: SpecError) -> None:
        aside = orphan.path.with_suffix(".broken")
        try:
            orphan.path.replace(aside)
        except OSError:  # then it stays, and is reported again at the next start
            aside = orphan.path
        orphan.lock.unlock()
        sentence = self.tr("Unsaved work of a window that ended unexpectedly cannot be restored: {0}")
        self._keeper.said.emit(sentence.format(translate(error.text).replace(str(orphan.path), str(aside))), True)

    @Slot(str)
    def _say_unread(self, why: str) -> None:
        """Report why nothing is offered; the next start tries again."""
        sentence = self.tr("Unsaved work of a window that ended unexpectedly cannot be read: {0}")
        self._keeper.said.emit(sentence.format(why), True)

    @Slot(int)
    def _restore(self, place: int) -> None:
        left = self._offered[place]
        self._keeper.restore(left.session, partial(self._adopt, left))

    def _adopt(self, left: Left) -> None:
        self._autosave.adopt(left.orphan)
        self._offered.remove(left)
        self._offer()

    @Slot(int)
    def _discard(self, place: int) -> None:
        self._remove([self._offered[place]])

    @Slot()
    def _discard_all(self) -> None:
        if self._keeper.questions.may_discard(len(self._offered)):
            self._remove([*self._offered])

    def _remove(self, gone: list[Left]) -> None:
        for left in gone:
            with contextlib.suppress(OSError):
                left.orphan.path.unlink(missing_ok=True)
            left.orphan.lock.unlock()
            self._offered.remove(left)
        self._offer()


def _read(path: Path) -> tuple[Session | SpecError, float]:
    try:
        written_at = path.stat().st_mtime
    except OSError:  # reading it reports why
        written_at = 0.0
    try:
        return read_document(path, is_own=True), written_at
    except SpecError as error:
        return error, written_at
