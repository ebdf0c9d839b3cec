"""The session in the window: its parts, its file, and the undo steps from one session to another."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand

from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import opening_session, preset
from attnviz.experiment.labs import Spec, Trained
from attnviz.experiment.pin import Pin
from attnviz.export.document import ENDING
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.run.controller import Controller
from attnviz.gui.run.undo import words_of
from attnviz.gui.widgets.words import translate
from attnviz.gui.window.notes import Notes


class Work(NamedTuple):
    """The part of a session that is work and can be lost; the view settings are not."""

    spec: Spec
    pins: tuple[Pin, ...]
    notes: str


class Source(NamedTuple):
    """The origin of a session, and the work saved there."""

    number: int = 0
    """Counts the window's sessions: a save that ends late belongs to its own session, not to the next."""
    path: Path | None = None
    """The session file; None after opening a figure or a bare spec."""
    name: str = ""
    """The title without a session file."""
    saved: Work | None = None
    """The work in the file, or at the beginning of a new session; None if none of it is saved."""
    trained: Trained | None = None
    """The trained model in the file."""


class Save(NamedTuple):
    """A save of one state of a session."""

    path: Path
    session: Session
    work: Work
    """The work in the session."""
    number: int
    """The number of the session, see `Source`."""


class SessionState(QObject):
    """Collects the session from the window's parts, shows another one, and tracks which part of it is saved."""

    changed = Signal()
    """`work`, `path`, `name` or `modified` may have changed."""
    laid_out = Signal()
    """The view of a session, a preset or a lesson's step is shown."""

    def __init__(self, controller: Controller, rooms: Rooms, notes: Notes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self.move_to(rooms, notes)
        self._source = Source(saved=self.work)
        self._count = 0
        self._in_file: dict[Path, int] = {}
        """The number of the session that was last read from a file, or written to it."""
        controller.spec_changed.connect(self.changed)

    def move_to(self, rooms: Rooms, notes: Notes) -> None:
        """Collect the session from these parts of a window from now on."""
        self._rooms, self._notes = rooms, notes
        notes.changed.connect(self.changed)
        rooms.pins.changed.connect(self.changed)

    @property
    def work(self) -> Work:
        """The work as it is now."""
        return Work(self._controller.spec, self._rooms.pins.all, self._notes.text)

    @property
    def modified(self) -> bool:
        """Whether the spec, the pinned runs or the notes differ from the saved ones."""
        return self.work != self._source.saved

    @property
    def path(self) -> Path | None:
        """The session file; None after opening a figure or a bare spec."""
        return self._source.path

    @property
    def name(self) -> str:
        """The name of the file; without one that of the opened figure or spec; or empty."""
        return self.path.name if self.path is not None else self._source.name

    @property
    def trained(self) -> Trained | None:
        """The trained model in the file, if it still belongs to the current spec."""
        trained = self._source.trained
        return trained if trained is not None and trained.fits(self._controller.spec) else None

    def session(self) -> Session:
        """Return the session as it is now, without a trained model."""
        work = self.work
        view = self._rooms[work.spec.lab].view_settings()
        return Session(spec=work.spec, view=view, notes=work.notes).with_pins(work.pins)

    def begin(self, session: Session, source: Path | None) -> None:
        """Take the first session of the window; its spec is the current one already."""
        self._lay_out_around(session)
        self._begin_source(source, session.fitting)

    def new(self) -> None:
        """Start with the current lab's opening preset, as one undo step; other labs follow when they are entered."""
        session = opening_session(self._controller.spec.lab).before_training()
        self.replace(self._in_current_map(session), None, self.tr("New"))

    def replace(self, session: Session, source: Path | None, step: str) -> None:
        """Show another session, read from a file or from none, as one named undo step."""
        trained, session = session.fitting, session.with_trained(None)
        self._controller.undo_stack.push(_Swap(self._swap, _Left(session, Source(trained=trained), {}), step))
        self._begin_source(source, trained)

    @Slot(str)
    def open_preset(self, name: str) -> None:
        """Show a preset with all of its view settings, as one undo step; pinned runs, notes and file stay."""
        chosen = preset(name)
        step = self.tr("Preset: {0}").format(translate(chosen.title))
        self.show_step(chosen.session.before_training(), step, resumes=True)

    @Slot(str)
    def enter_lab(self, name: str) -> None:
        """Enter a lab in the state in which it was left; the first time with its opening preset."""
        controller = self._controller
        if name == controller.spec.lab:
            return
        known = controller.last_of_lab.get(name)
        if known is not None:
            controller.propose(known)
        else:
            opening = opening_session(name)
            self.show_step(opening.before_training(), words_of(controller.spec, opening.spec), resumes=True)

    def lay_out(self, session: Session, trained: Trained | None = None) -> None:
        """Show a session, with its trained model; without view settings of its own the lab's defaults."""
        self._controller.show_at(session.spec, session.shown_view.cursor, trained)
        self._lay_out_around(session)

    def save_as(self, path: Path, trained: Trained | None) -> Save:
        """Return the save of the current work in a file, with a trained model."""
        return Save(path.absolute(), self.session().with_trained(trained), self.work, self._source.number)

    def is_now(self, save: Save) -> bool:
        """Return whether a save is of exactly this session and work."""
        return (save.number, save.work) == (self._source.number, self.work)

    def take_saved(self, save: Save) -> bool:
        """Note that a save has succeeded; return whether its session is still the one in the window."""
        self._in_file[save.path] = save.number
        still_here = save.number == self._source.number
        if still_here:  # another session does not inherit the file
            self._source = Source(save.number, save.path, save.path.stem, save.work, save.session.trained)
        self.changed.emit()
        return still_here

    def mark_unsaved(self, name: str) -> None:
        """Note that nothing of the session is saved, and its title."""
        self._source = self._source._replace(saved=None, name=name)
        self.changed.emit()

    def take_device(self, before: Spec) -> None:
        """Note that a run fell back from this spec to another device, which is no change made by the user."""
        saved = self._source.saved
        if saved is not None and saved.spec == before:
            self._source = self._source._replace(saved=saved._replace(spec=self.work.spec))
        self.changed.emit()

    def _in_current_map(self, session: Session) -> Session:
        """Return the session in the colour map of the window: the user's choice, which only a file changes."""
        return session.with_view(colour_map=self._rooms[self._controller.spec.lab].view_settings().colour_map)

    def show_step(self, session: Session, step: str, trained: Trained | None = None, *, resumes: bool = False) -> None:
        """Show the spec and the view of a session, a training at the step of its view; as one named undo step.

        A stored training need not repeat its steps. One that ``resumes`` is shown where it was suspended, if it is
        kept.
        """
        shown = _SpecAndView(self._in_current_map(session), resumes, trained)
        self._controller.undo_stack.push(_Swap(self._swap_shown, shown, step))

    def _swap_shown(self, other: "_SpecAndView") -> "_SpecAndView":
        """Show the spec and the view of a session, and return the previous ones."""
        left = _SpecAndView(self.session(), resumes=True)
        session, resumes, trained = other
        self._controller.show_at(session.spec, session.shown_view.cursor, trained, resumes=resumes)
        self._show_view(session)
        return left

    def _swap(self, other: "_Left") -> "_Left":
        """Show a session, and return the previous one."""
        left = _Left(self.session(), self._source, self._controller.last_of_lab)
        session, source, specs = other
        if source.path is not None and self._in_file.get(source.path) != source.number:
            # The file holds another session of this window by now.
            source = source._replace(path=None, name=source.path.stem, saved=None)
        self._source = source
        self.lay_out(session, source.trained)
        self._controller.last_of_lab = {**specs, session.spec.lab: session.spec}
        self.changed.emit()
        return left

    def _begin_source(self, source: Path | None, trained: Trained | None) -> None:
        """Note where the session comes from. Later work is compared with the session as the window shows it."""
        self._count += 1
        path = source.absolute() if source is not None and source.suffix.lower() == ENDING else None
        self._source = Source(self._count, path, "" if source is None else source.stem, self.work, trained)
        if path is not None:
            self._in_file[path] = self._count
        self.changed.emit()

    def _lay_out_around(self, session: Session) -> None:
        """Show all of a session but its spec, which is the current one."""
        self._rooms.pins.put_all(session.all_pins)
        self._show_view(session)
        self._notes.set_text(session.notes)

    def _show_view(self, session: Session) -> None:
        """Show the view settings of a session, whose spec is the current one."""
        view = session.shown_view
        self._rooms.set_map(view.colour_map)
        self._rooms[session.spec.lab].apply_view(view)
        self.laid_out.emit()


class _SpecAndView(NamedTuple):
    """The spec and the view of a session."""

    session: Session
    resumes: bool
    """Whether a training is shown where it was suspended, if it is kept, or at the step of the view."""
    trained: Trained | None = None


class _Left(NamedTuple):
    """A session in the state in which it was left."""

    session: Session
    source: Source
    last_of_lab: Mapping[str, Spec]
    """The last spec of each lab that was entered."""


_T = TypeVar("_T")


class _Swap(QUndoCommand, Generic[_T]):
    """Undo step between two states; ``swap`` shows the given state and returns the one it replaced."""

    def __init__(self, swap: Callable[[_T], _T], other: _T, text: str) -> None:
        super().__init__(text)
        self._swap, self._other = swap, other

    def redo(self) -> None:
        """Show the newer state."""
        self._other = self._swap(self._other)

    def undo(self) -> None:
        """Show the older state."""
        self._other = self._swap(self._other)
