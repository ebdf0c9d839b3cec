"""The files of sessions: read and written outside the window's thread, one after the other."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from attnviz.experiment.files.plain_files import Stamp, naming_path, stamp_of
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import SpecError
from attnviz.export.document import read_document, write_session
from attnviz.folders import state_folder
from attnviz.gui.run.background import Background
from attnviz.gui.session.questions import SessionQuestions
from attnviz.gui.session.state import Save, SessionState
from attnviz.gui.widgets.words import translate

_OTHERS_MS = 10_000
"""The time in milliseconds that a save waits for another window's save of the same file."""


class _Written(NamedTuple):
    to: Save
    was_changed: bool
    """Whether nothing was written because another program has changed the file."""


class SessionFiles(QObject):
    """Waits for one document at a time; while a question is open, the document waits too."""

    said = Signal(str, bool)
    """A message, and whether it reports a failure."""
    saved = Signal(object)
    """`Save`: a session is in its file."""
    not_saved = Signal()
    """A session could not be saved; the reason has been reported."""
    opened = Signal(object, object)
    """A session, and the path of the file that it was read from."""

    def __init__(self, parent: QObject, ask: SessionQuestions) -> None:
        super().__init__(parent)
        self._ask = ask
        self._saving: Save | None = None
        self._stamp_read: Stamp | None = None
        self._awaited: Path | None = None  # the document being read
        self._found: Session | SpecError | None = None
        self._waiting_was_said = False
        self._questions = 0
        self._writing, self._reading = Background(self, pool="files"), Background(self, pool="files")
        # Of the files that this window has read or written. A save records its own stamp, so that the next save, which
        # may be queued behind it, finds the file unchanged.
        self._stamps: dict[Path, Stamp | None] = {}
        self._writing.done.connect(self._take_written)
        self._writing.failed.connect(self._fail_to_save)
        self._writing.lasts.connect(self._say_saving)
        self._reading.done.connect(self._take)
        self._reading.failed.connect(self._fail_to_open)
        self._reading.lasts.connect(self._say_opening)

    def move_to(self, ask: SessionQuestions) -> None:
        """Ask questions in another window from now on."""
        self._ask = ask

    @property
    def asking(self) -> bool:
        """Whether a question is open."""
        return self._questions > 0

    def know(self, path: Path | None) -> None:
        """Note that the session in the window was read from a file in its current state, or from none."""
        if path is not None:
            self._stamps[path.absolute()] = stamp_of(path)

    def save(self, to: Save, *, though_changed: bool = False) -> None:
        """Write a session to its file; ask first if the file has changed since this window last read or wrote it."""
        self._saving = to
        self._writing.start(partial(_write, to, self._stamps, though_changed=though_changed))

    def is_saving(self, state: SessionState) -> bool:
        """Return whether a save of exactly this session and work is in progress."""
        return self._writing.busy and self._saving is not None and state.is_now(self._saving)

    def is_last(self, saved: Save) -> bool:
        """Return whether no later save was requested."""
        return saved is self._saving

    def open(self, path: Path) -> None:
        """Read a file, instead of one that is still being read."""
        self._awaited, self._found, self._waiting_was_said = path, None, False
        self._reading.start(partial(_read, path), instead=True)

    def forget(self) -> None:
        """Drop the document being read: another session takes its place."""
        self._awaited = self._found = None

    def say_opened(self, path: Path) -> None:
        """Note that a document is in the window; report it if the user was told to wait."""
        self._stamps[path.absolute()] = self._stamp_read
        if self._waiting_was_said:
            self._waiting_was_said = False
            self.said.emit(self.tr("Opened {0}").format(path), False)

    @contextmanager
    def question(self) -> Iterator[None]:
        """Hold back a document while the user is asked something, since opening it may ask too."""
        self._questions += 1
        try:
            yield
        finally:
            self._questions -= 1
            QTimer.singleShot(0, self, self._hand_over)  # after the actions that follow the answer

    @Slot(object)
    def _take_written(self, written: _Written) -> None:
        if written.was_changed:
            self._ask_to_replace(written.to)
        else:
            self.saved.emit(written.to)

    def _ask_to_replace(self, to: Save) -> None:
        """Ask whether to replace a file that another program has changed; only for the newest save."""
        if not self.is_last(to):
            return
        with self.question():
            replace = self._ask.may_replace_changed(to.path)
        if replace:
            self.save(to, though_changed=True)
        else:
            self.said.emit(self.tr("Not saved: {0} was changed by another window or program").format(to.path), True)
            self.not_saved.emit()

    @Slot(object)
    def _take(self, found: tuple[Path, Session | SpecError, Stamp | None]) -> None:
        path, document, self._stamp_read = found
        if path == self._awaited:
            self._found = document
            self._hand_over()

    @Slot()
    def _hand_over(self) -> None:
        found, path = self._found, self._awaited
        if found is None or self.asking:
            return
        self.forget()
        if isinstance(found, SpecError):
            self.said.emit(translate(found.text), True)
        else:
            self.opened.emit(found, path)

    @Slot(str)
    def _fail_to_save(self, why: str) -> None:
        self.said.emit(self.tr("Not saved: {0}").format(why), True)
        self.not_saved.emit()

    @Slot(str)
    def _fail_to_open(self, why: str) -> None:
        self.forget()
        self.said.emit(self.tr("Not opened: {0}").format(why), True)

    @Slot()
    def _say_saving(self) -> None:
        name = "" if self._saving is None else self._saving.path.name
        self.said.emit(self.tr("Saving {0} ...").format(name), False)

    @Slot()
    def _say_opening(self) -> None:
        if self._awaited is not None:
            self._waiting_was_said = True
            self.said.emit(self.tr("Opening {0} ...").format(self._awaited.name), False)


def _read(path: Path) -> tuple[Path, Session | SpecError, Stamp | None]:
    stamp = stamp_of(path)  # before it is read: later changes count as changes
    try:
        return path, read_document(path), stamp
    except SpecError as error:
        return path, error, stamp


def _write(to: Save, stamps: dict[Path, Stamp | None], *, though_changed: bool) -> _Written:
    with naming_path(to.path), _one_after_the_other(to.path):
        known = stamps.get(to.path)
        found = None if known is None or though_changed else stamp_of(to.path)
        if found is not None and found != known:
            return _Written(to, was_changed=True)
        write_session(to.session, to.path)
        stamps[to.path] = stamp_of(to.path) or Stamp(0, 0, 0)
        return _Written(to, was_changed=False)


@contextmanager
def _one_after_the_other(path: Path) -> Iterator[None]:
    """Let another window's save of the same file finish first, so that it is noticed; wait a limited time.

    Without a state folder for the lock the file is saved all the same.
    """
    name = uuid.uuid5(uuid.NAMESPACE_URL, os.path.realpath(path)).hex
    lock = QLockFile(str(state_folder() / f"{name}.saving"))
    lock.setStaleLockTime(0)  # not by age: only once its process is gone
    lock.tryLock(_OTHERS_MS)
    try:
        yield
    finally:
        lock.unlock()
