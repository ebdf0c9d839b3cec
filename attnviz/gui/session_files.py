"""The files of sessions: read and written outside the window's thread, one after the other."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviz.experiment.labs import SpecError
from attnviz.experiment.session import Session
from attnviz.export.document import read_document, write_session
from attnviz.gui.background import Background
from attnviz.gui.forms.words import translate
from attnviz.gui.session_home import Saved
from attnviz.gui.session_parts import Work


class SessionFiles(QObject):
    """One document is waited for at a time; while a question is open it waits in its turn."""

    said = Signal(str, bool)
    """A sentence for the user, and whether it is about a failure."""
    saved = Signal(object)
    """`Saved`: a session is in its file."""
    not_saved = Signal()
    """A session is not in its file; why has been said."""
    opened = Signal(object, object)
    """A session, and the path of the file that it was read from."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._saving: Saved | None = None
        self._awaited = Path()
        self._found: Session | SpecError | None = None
        self._waits = self._waiting_was_said = False
        self._questions = 0
        self._writing, self._reading = Background(self, pool="files"), Background(self, pool="files")
        self._writing.done.connect(self.saved)
        self._writing.failed.connect(self._fail_to_save)
        self._writing.lasts.connect(self._say_saving)
        self._reading.done.connect(self._take)
        self._reading.failed.connect(self._fail_to_open)
        self._reading.lasts.connect(self._say_opening)

    @property
    def asking(self) -> bool:
        """Whether a question is open."""
        return self._questions > 0

    def save(self, session: Session, to: Saved) -> None:
        """Write a session as its file."""
        self._saving = to
        self._writing.start(partial(_write, session, to))

    def is_saving(self, number: int, work: Work) -> bool:
        """Return whether a save of just this is on its way."""
        to = self._saving
        return self._writing.busy and to is not None and (to.number, to.work) == (number, work)

    def is_last(self, saved: Saved) -> bool:
        """Return whether no later save was asked for."""
        return saved is self._saving

    def open(self, path: Path) -> None:
        """Read a file, instead of one that is still waited for."""
        self._awaited, self._waits, self._found, self._waiting_was_said = path, True, None, False
        self._reading.start(partial(_read, path), instead=True)

    def forget(self) -> None:
        """Wait for no document: another session takes its place."""
        self._waits, self._found = False, None

    def say_opened(self, path: Path) -> None:
        """Say that a document is there, where the user was told to wait for it."""
        if self._waiting_was_said:
            self._waiting_was_said = False
            self.said.emit(self.tr("Opened {0}").format(path), False)

    @contextmanager
    def question(self) -> Iterator[None]:
        """Hold back a document while the user is asked something: it would ask too."""
        self._questions += 1
        try:
            yield
        finally:
            self._questions -= 1
            QTimer.singleShot(0, self, self._hand_over)  # after what the answer leads to

    @Slot(object)
    def _take(self, found: tuple[Path, Session | SpecError]) -> None:
        path, document = found
        if self._waits and path == self._awaited:
            self._found = document
            self._hand_over()

    @Slot()
    def _hand_over(self) -> None:
        found = self._found
        if found is None or self.asking:
            return
        self.forget()
        if isinstance(found, SpecError):
            self.said.emit(translate(str(found)), True)
        else:
            self.opened.emit(found, self._awaited)

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
        if self._waits:
            self._waiting_was_said = True
            self.said.emit(self.tr("Opening {0} ...").format(self._awaited.name), False)


def _read(path: Path) -> tuple[Path, Session | SpecError]:
    try:
        return path, read_document(path)
    except SpecError as error:
        return path, error


def _write(session: Session, to: Saved) -> Saved:
    try:
        write_session(session, to.path)
    except OSError as error:
        # Named for the file that was asked for, not for the temporary one beside it.
        raise OSError(error.errno, error.strerror or str(error), str(to.path)) from error
    return to
