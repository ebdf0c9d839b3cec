"""The session in the window and its file: new, open, save, and whether there are changes that are not saved."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.experiment.file_names import proposed_name
from attnviz.experiment.labs import Spec, SpecError
from attnviz.experiment.session import Session
from attnviz.export.document import ENDING, read_document, write_session
from attnviz.gui.background import Background
from attnviz.gui.forms.words import translate
from attnviz.gui.last_folder import LastFolder
from attnviz.gui.recent_files import RecentFiles
from attnviz.gui.session_parts import SessionParts, Work
from attnviz.gui.session_questions import Answer, SessionQuestions


class SessionKeeper(QObject):
    """Files are read and written outside the window's thread; whatever comes of it is said in a sentence."""

    said = Signal(str, bool)
    """A sentence for the user, and whether it is about a failure."""
    changed = Signal()
    """The session, its file, or whether it is saved is another."""

    def __init__(self, window: QWidget, parts: SessionParts, folder: LastFolder) -> None:
        super().__init__(window)
        self._window, self._parts = window, parts
        self.questions = SessionQuestions(window)
        self.recent = RecentFiles()
        self.asks = True
        """Whether changes that are not saved are asked about; a terminal's Ctrl+C and a screenshot do not wait."""
        self.path: Path | None = None
        """The file that the session is in; a figure or a bare spec that was opened is none."""
        self._name = ""
        self._folder = folder
        self._saved: Work | None = parts.work
        self._being_saved: Work | None = None
        self._go_on: Callable[[], object] | None = None
        self._asked_to_open: Path | None = None
        self._writing, self._reading = Background(self), Background(self)
        self._writing.done.connect(self._take_saved)
        self._writing.failed.connect(self._fail_to_save)
        self._reading.done.connect(self._take_document)
        parts.changed.connect(self._show)

    @property
    def modified(self) -> bool:
        """Whether something would be lost: the spec, the pinned run or the notes are not as they were saved."""
        return self._parts.work != self._saved

    @property
    def name(self) -> str:
        """What the session is called."""
        return self.path.name if self.path is not None else self._name or self.tr("Untitled")

    @property
    def proposed(self) -> Path:
        """Where it would be saved."""
        name = self._name or proposed_name(self._parts.work.spec)
        return self.path or self._folder.path / f"{name}{ENDING}"

    def begin(self, session: Session, source: Path | None = None) -> None:
        """Take the session that the window begins with; its spec is the current one already."""
        self._parts.lay_out_around(session)
        self._settle_in(source)

    @Slot()
    def new(self) -> None:
        """Begin with the lab's opening preset."""
        self._unless_unsaved(self._begin_new)

    @Slot()
    def open(self) -> None:
        """Ask for a file and open it."""
        path = self.questions.what_to_open(self._folder.path)
        if path is not None:
            self.open_path(path)

    @Slot(object)
    def open_path(self, path: Path) -> None:
        """Open a session, a spec or a figure; one that cannot be opened changes nothing."""
        self._asked_to_open = path
        self._folder.take(path)
        self._reading.start(partial(_read, path), instead=True)

    @Slot()
    def save(self) -> None:
        """Save the session in its file, or ask where to."""
        if self.path is None:
            self.save_as()
        else:
            self._save_in(self.path)

    @Slot()
    def save_as(self) -> None:
        """Ask for a file, and save the session in it."""
        path = self.questions.where_to_save(self.proposed)
        if path is None:
            self._go_on = None  # whatever waited for the save does not happen
        else:
            self._save_in(path if path.suffix == ENDING else path.with_name(path.name + ENDING))

    def may_close(self) -> bool:
        """Return whether the window may close now; one whose changes are saved first is closed after that."""
        closing = False

        def let_it() -> None:
            nonlocal closing
            closing = True

        if self.asks:
            self._unless_unsaved(let_it, afterwards=self._window.close)
        return closing or not self.asks

    def restore(self, session: Session, restored: Callable[[], object]) -> None:
        """Show a session that was never saved, which it still is not; call ``restored`` when it is there."""
        self._unless_unsaved(partial(self._restore, session, restored))

    def take_device(self, before: Spec) -> None:
        """Note that a run fell back to another device: that is no change of the user's."""
        if self._saved is not None and self._saved.spec == before:
            self._saved = self._saved._replace(spec=self._parts.work.spec)
            self._show()

    def _unless_unsaved(self, go_on: Callable[[], object], afterwards: Callable[[], object] | None = None) -> None:
        """Do what ends the session; where changes are not saved, only after the user has said what becomes of them.

        ``afterwards`` takes the place of ``go_on`` once they are saved.
        """
        self._go_on = None
        if self._writing.busy and self._being_saved == self._parts.work:
            self._go_on = afterwards or go_on  # a save of all this is on its way: there is nothing to ask
            return
        answer = self.questions.unsaved(self.name) if self.modified and self.asks else Answer.DISCARD
        if answer is Answer.DISCARD:
            go_on()
        elif answer is Answer.SAVE:
            self._go_on = afterwards or go_on
            self.save()

    def _restore(self, session: Session, restored: Callable[[], object]) -> None:
        self._replace(session, None, self.tr("Restore"))
        self._saved = None
        self._show()
        restored()

    def _begin_new(self) -> None:
        self._replace(self._parts.new_session(), None, self.tr("New"))

    def _replace(self, session: Session, source: Path | None, step: str) -> None:
        self._parts.lay_out(session, step)
        self._settle_in(source)

    def _settle_in(self, source: Path | None) -> None:
        """Note where the session is from. It is what the window made of it that is compared with later."""
        self.path = source.absolute() if source is not None and source.suffix == ENDING else None
        self._name = source.stem if source is not None else ""
        self._saved = self._parts.work
        if source is not None:
            self._folder.take(source)
            self.recent.add(source)
        self._show()

    def _save_in(self, path: Path) -> None:
        self._being_saved = self._parts.work
        self._writing.start(partial(_write, self._parts.session(), path, self._being_saved))

    @Slot(object)
    def _take_saved(self, saved: tuple[Path, Work]) -> None:
        self.path, self._saved = saved
        self._name = self.path.stem
        self._folder.take(self.path)
        self.recent.add(self.path)
        self._show()
        self.said.emit(self.tr("Saved {0}").format(self.path), False)
        go_on, self._go_on = self._go_on, None
        if go_on is not None:
            go_on()

    @Slot(str)
    def _fail_to_save(self, why: str) -> None:
        self._go_on = None
        self.said.emit(self.tr("Not saved: {0}").format(why), True)

    @Slot(object)
    def _take_document(self, found: tuple[Path, Session | SpecError]) -> None:
        path, session = found
        if path != self._asked_to_open:
            return
        self._asked_to_open = None
        if isinstance(session, SpecError):
            self.said.emit(translate(str(session)), True)
        else:
            self._unless_unsaved(partial(self._replace, session, path, self.tr("Open {0}").format(path.name)))

    @Slot()
    def _show(self) -> None:
        name = self.name.replace("[*]", "[*][*]")  # which a title shows as it is
        self._window.setWindowTitle(self.tr("{0}[*] - attnviz").format(name))
        self._window.setWindowModified(self.modified)
        self.changed.emit()


def _read(path: Path) -> tuple[Path, Session | SpecError]:
    try:
        return path, read_document(path)
    except SpecError as error:
        return path, error


def _write(session: Session, path: Path, work: Work) -> tuple[Path, Work]:
    try:
        write_session(session, path)
    except OSError as error:
        # Named for the file that was asked for, not for the temporary one beside it.
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
    return path.absolute(), work
