"""The interface between the window and a lab: a form, a stage and an inspector that show one trace and one view."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, NamedTuple, cast

from PySide6.QtCore import QObject, QSettings, Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.experiment.labs import LABS, Asked, Event, Lab, Spec
from attnviz.experiment.pin import Pin
from attnviz.experiment.run import Cursor, Failure
from attnviz.experiment.view_settings import ViewSettings
from attnviz.gui.forms.editor_for import EditorMaker
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.labs.compare_page import ComparePage
from attnviz.gui.labs.current_view import CurrentView, ViewT
from attnviz.gui.labs.lab_stage import LabStage, TraceT
from attnviz.gui.theme import Look, dress
from attnviz.gui.widgets.inspector import Inspector
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.spoken import announce


class BaseRoom(QObject, Generic[TraceT, ViewT]):
    """One lab's screen: a form, a stage and an inspector that show the same trace, view settings and selection.

    A lab's room sets `lab_name`, and perhaps the other class attributes. It overrides `make_stage`, `make_inspector`
    and `show_choice`, which fills the inspector. Where the lab needs it, it overrides

    - `show_trace`, for parts beside the stage that show the trace;
    - `adapted`, where an edit means another change of the spec;
    - `specs_beside`, `show_beside` and `beside_stopped`, for side runs that no page asks for;
    - `take_failure`, `inputs_of`, `remember_in`;
    - `selection_of` and `noted`, where the selection is not stored as head, query and key.

    The window calls the rest.
    """

    lab_name: ClassVar[str]
    trains: ClassVar[bool] = False
    """Whether its runs can be trainings, with steps and a pace."""
    first_pace: ClassVar[float | None] = None
    """The default pace of Run in steps per second; None is no limit. One of `PACES`."""
    arrows_step: ClassVar[bool] = False
    """Whether Left and Right step through its runs, where the focused widget has no use for them."""
    beside_while_running: ClassVar[bool] = False
    """Whether `specs_beside` is called at every trace of a run, not only at the last."""
    editors: ClassVar[Mapping[object, EditorMaker]] = {}
    """Makers of the editors of its own kinds of fields, by type; see `editor_for`."""
    with_gestures: ClassVar[tuple[type[Any], ...]] = ()
    """Its own widget classes that declare gestures."""
    points_asked = Signal()
    """The user wants to save the points on screen."""
    cursor_asked = Signal(object)
    """The user wants to see another position of the run: a `Cursor`."""
    step_asked = Signal(int)
    """The user wants to see another step: the signed distance from the one on screen."""
    beginning_asked = Signal(object, str)
    """The user wants the run of a spec from its beginning; the second is the name of the undo step."""
    beside_changed = Signal()
    """The result of `specs_beside` may have changed."""
    pin_asked = Signal(str, object)
    """The lab, and the run on screen that the user pins there, as a `Pin`; None unpins."""
    pin_shown = Signal()
    """The shown pinned run has changed, or was removed."""
    field_asked = Signal(str)
    """The user wants to focus a field of the form, which may be collapsed."""
    said = Signal(str)
    """A message about a failure, for the notice bar."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lab: Lab = LABS[self.lab_name]
        self.form = SpecForm(self.lab, self.editors)
        self.form.adapt = self.adapted
        self.selection = SelectionModel(self)
        self.current_view: CurrentView[ViewT] = CurrentView(cast("ViewT", self.lab.view_type()), self)
        self.selection.changed.connect(self._note_selection)
        self.stage: LabStage[TraceT, ViewT] = self.make_stage(look)
        self.inspector: Inspector = self.make_inspector(look)
        self.parts: tuple[QWidget, ...] = (self.form, self.stage, self.inspector)
        """What it shows, with the frames that others put around it."""
        self.stage.head.follow(self.form)
        self.stage.head.said.connect(self.said)
        self.selection.changed.connect(self.inspect)
        self.current_view.changed.connect(self.inspect)
        self.stage.page_chosen.connect(self.beside_changed)
        pages = self.stage.pages.pages.values()
        self._compare = next((page for page in pages if isinstance(page, ComparePage)), None)
        if self._compare is not None:
            self._compare.pin_asked.connect(self.ask_pin)
            self._compare.pin_shown.connect(self._show_compared)
            self._compare.failed.connect(self.said)

    @abstractmethod
    def make_stage(self, look: Look) -> LabStage[TraceT, ViewT]:
        """Return a new stage; reimplemented by a lab's room."""

    @abstractmethod
    def make_inspector(self, look: Look) -> Inspector:
        """Return a new inspector; reimplemented by a lab's room."""

    @property
    def view(self) -> ViewT:
        """The view settings of the trace on screen."""
        return self.current_view.value

    def view_settings(self) -> ViewT:
        """Return the view settings of the awaited trace, or of the one on screen if none is awaited."""
        current = self.current_view
        return current.value if current.awaited is None else current.awaited

    def apply_view(self, settings: ViewSettings) -> None:
        """Apply view settings when the current spec's trace is there; values that it lacks fall back.

        Changes that the user makes until then are kept.
        """
        self.current_view.awaited = cast("ViewT", settings)
        trace = self.stage.trace
        if trace is not None and trace.spec == self.form.spec:
            self.show_trace(trace)
            self.beside_changed.emit()

    def state(self) -> "RoomState":
        """Return its state, for the room of the same lab in another window."""
        return RoomState(self.view_settings(), self.form.is_unfolded, self.inspector.pressed)

    def restore(self, state: "RoomState") -> None:
        """Restore the state of the room of the same lab in another window."""
        self.apply_view(state.view)
        self.form.unfold(state.form_unfolded)
        self.inspector.press(state.pressed)

    def show_trace(self, trace: TraceT) -> None:
        """Draw a trace of this lab; the first after `apply_view` with its settings."""
        awaited, self.current_view.awaited = self.current_view.awaited, None
        if awaited is not None:
            self.current_view.value = awaited
            self.selection.begin_with(self.selection_of(awaited))
        self.stage.show_trace(trace)
        self.inspect()

    def selection_of(self, view: ViewT) -> Selection:
        """Return the selection that is stored in a view."""
        return Selection(view.head, view.query, view.key)

    def noted(self, selection: Selection) -> dict[str, Any]:
        """Return a locked selection as fields of the view."""
        return {"head": selection.head, "query": selection.query, "key": selection.key}

    def adapted(self, spec: Spec, changed: str) -> Spec:
        """Return the spec to propose instead of the form's values, in which the user changed a field.

        Reimplemented by a lab's room if a change has another meaning beside the trace on screen.
        """
        del changed
        return spec

    @property
    def pinned_now(self) -> Pin | None:
        """The pinned run on screen; None in a lab that compares no runs."""
        return None if self._compare is None or self._compare.a is None else self._compare.pin

    def show_pin(self, pin: Pin | None) -> None:
        """Compare with a pinned run, which is run beside the next trace; None: with none."""
        if self._compare is not None:
            self._compare.show_pin(pin)

    @Slot(object)
    def ask_pin(self, pin: Pin | None) -> None:
        """Pin a run for the user, or unpin (None)."""
        self.pin_asked.emit(self.lab_name, pin)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        for part in self.parts:
            dress(part, look)
        self.stage.head.fit()
        self.inspect()

    def remember_in(self, settings: QSettings) -> None:
        """Store in settings what outlives the window; reimplemented by a lab's room if needed."""

    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
        self.current_view.insist(colour_map=name)

    @Slot(int)
    def ask_step(self, step: int) -> None:
        """Request the trace of a training step."""
        self.cursor_asked.emit(Cursor(step=step))

    @Slot()
    def inspect(self) -> None:
        """Show the selection in the inspector, if there is a trace."""
        if self.stage.trace is not None:
            self.show_choice(self.stage.trace)

    def show_choice(self, trace: TraceT) -> None:
        """Show the trace and the selection in the inspector; reimplemented by a lab's room."""

    def inputs_of(self, trace: TraceT, view: ViewT) -> QWidget | None:  # noqa: ARG002
        """Return a picture of a run's inputs without its results, for a question about the run.

        None where the names of the cells and the tokens say it all.
        """
        return None

    def take_failure(self, failure: Failure[Spec]) -> None:
        """Handle the failure of a run; reimplemented by a lab's room to show it in place of a picture."""

    def tells_failure(self, failure: Failure[Spec]) -> bool:  # noqa: ARG002
        """Return whether a page tells why a run failed, so that no notice needs to; it then is on screen."""
        return False

    def tell(self, summary: str, *pictures: QWidget) -> None:
        """Describe the selection in pictures to a screen reader.

        Locked cells are also announced if the stage has the focus; hovered ones are not.
        """
        for picture in pictures:
            picture.setAccessibleDescription(summary)
        if self.selection.current == self.selection.locked:
            announce(summary, self.stage)

    def specs_beside(self, spec: Spec) -> tuple[Asked, ...]:
        """Return the side runs of the current spec's run: those that the page on screen needs, and some of others."""
        del spec
        pages = () if self.stage.trace is None else self.stage.pages.pages.values()
        wanted = [asked for page in pages if page.at_once or page is self.stage.page for asked in page.wanted()]
        return tuple(asked for place, asked in enumerate(wanted) if asked not in wanted[:place])

    def beside_stopped(self) -> None:
        """Show that the runs of `specs_beside` were cancelled."""
        for page in self.stage.pages.pages.values():
            page.say_stopped()

    def show_part(self, asked: Asked, done: int, count: int) -> None:
        """Show the progress of a run of `specs_beside`."""
        for page in self.stage.pages.pages.values():
            page.show_part(asked, done, count)

    def show_beside(self, events: tuple[Event, ...]) -> None:
        """Show the results of `specs_beside`, in the same order."""
        for page in self.stage.pages.pages.values():
            page.show_events(events)

    @Slot()
    def _show_compared(self) -> None:
        if self.stage.trace is not None:
            self.stage.show_view()
        self.inspect()
        self.pin_shown.emit()
        self.beside_changed.emit()

    @Slot()
    def _note_selection(self) -> None:
        self.current_view.note(**self.noted(self.selection.locked))


class RoomState(NamedTuple):
    """The state of a room."""

    view: ViewSettings
    form_unfolded: bool
    """Whether the rarely used fields of the form are shown."""
    pressed: tuple[bool, ...]
    """The states of the inspector's checkable buttons."""


AnyRoom = BaseRoom[Any, Any]
