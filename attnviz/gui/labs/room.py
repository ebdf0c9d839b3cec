"""The contract between the window and a lab: a form, a stage and an inspector that follow one trace and one view."""

from typing import Any, ClassVar, Generic, cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.experiment.labs import LABS, Asked, Event, Lab, Spec
from attnviz.experiment.view_settings import ViewSettings
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.labs.current_view import CurrentView, ViewT
from attnviz.gui.labs.lab_stage import LabStage, TraceT
from attnviz.gui.theme import Look
from attnviz.gui.widgets.inspector import Inspector
from attnviz.gui.widgets.selection import Selection, SelectionModel


class BaseRoom(QObject, Generic[TraceT, ViewT]):
    """One lab's screen. A lab's room makes a stage and an inspector, and says how the one feeds the other."""

    lab_name: ClassVar[str]
    """The name of its lab."""
    trains: ClassVar[bool] = False
    """Whether its runs may go on in steps, at the pace that its stage has."""
    beside_while_running: ClassVar[bool] = False
    """Whether `specs_beside` is asked at every trace of a run, not only at its last."""
    points_asked = Signal()
    """The user wants the points on screen in a file."""
    step_asked = Signal(int)
    """The user wants to see a training as it was after this step."""
    watched_changed = Signal(str)
    """Another stage is shown of the traces to come, by the name that `prepare` of the trace knows."""
    beside_changed = Signal()
    """`specs_beside` may answer otherwise now."""
    pinned_changed = Signal()
    """`pinned_spec` is another."""
    said = Signal(str)
    """A sentence about something that went wrong here."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lab: Lab = LABS[self.lab_name]
        self.form = SpecForm(self.lab)
        self.selection = SelectionModel(self)
        self.current_view: CurrentView[ViewT] = CurrentView(cast("ViewT", self.lab.view_type()), self)
        self.selection.changed.connect(self._note_selection)
        self.stage: LabStage[TraceT, ViewT] = self.make_stage(look)
        self.inspector: Inspector = self.make_inspector(look)
        self.selection.changed.connect(self.inspect)
        self.current_view.changed.connect(self.inspect)
        self.stage.watched.connect(self.watched_changed)
        self.stage.page_chosen.connect(self.beside_changed)

    def make_stage(self, look: Look) -> LabStage[TraceT, ViewT]:
        """Return a new stage; a lab's room overrides it."""
        raise NotImplementedError

    def make_inspector(self, look: Look) -> Inspector:
        """Return a new inspector; a lab's room overrides it."""
        raise NotImplementedError

    @property
    def view(self) -> ViewT:
        """How the trace on screen is looked at."""
        return self.current_view.value

    def view_settings(self) -> ViewT:
        """Return how the trace on screen is looked at, or the one that is waited for will be."""
        return self.current_view.next_value

    def apply_view(self, settings: ViewSettings) -> None:
        """Look at the current spec's trace in this way, as soon as it is there; what it has not falls back.

        What the user chooses otherwise meanwhile stays chosen.
        """
        self.current_view.await_trace(cast("ViewT", settings))
        trace = self.stage.trace
        if trace is not None and trace.spec == self.form.spec:
            self.show_trace(trace)
            self.beside_changed.emit()

    def show_trace(self, trace: TraceT) -> None:
        """Draw a trace of this lab; the first after `apply_view` as that asks for."""
        awaited = self.current_view.take_awaited()
        if awaited is not None:
            self.current_view.put(awaited)
            self.selection.begin_with(self.selection_of(awaited))
        self.stage.show_trace(trace)
        self.inspect()

    def selection_of(self, view: ViewT) -> Selection:
        """Return what a view holds as the selection."""
        return Selection(view.head, view.query, view.key)

    def noted(self, selection: Selection) -> dict[str, Any]:
        """Return a held selection as fields of the view."""
        return {"head": selection.head, "query": selection.query, "key": selection.key}

    @property
    def pinned_spec(self) -> Spec | None:
        """The spec of the run that is pinned, or is to be; a lab's room that compares runs has one."""
        return None

    @property
    def pinned_now(self) -> Spec | None:
        """The spec of the run that is on screen as pinned; a lab's room that compares runs may have one."""
        return None

    def pin(self, spec: Spec | None) -> None:
        """Pin the run of a spec, which is run beside the next picture, or none."""

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.form.restyle(look)
        self.stage.restyle(look)
        self.inspector.restyle(look)
        self.inspect()

    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
        self.current_view.insist(colour_map=name)

    def release(self) -> None:
        """Let go of what is locked (Esc)."""
        self.selection.release()

    @Slot()
    def inspect(self) -> None:
        """Show what is chosen in the inspector, once there is a trace."""
        if self.stage.trace is not None:
            self.show_choice(self.stage.trace)

    def show_choice(self, trace: TraceT) -> None:
        """Hand the stage's trace and the selection to the inspector; a lab's room overrides it."""

    def specs_beside(self, spec: Spec) -> tuple[Asked, ...]:
        """Return what is run to be shown beside the run of the current spec: what the page on screen wants."""
        del spec
        return () if self.stage.trace is None else self.stage.page.wanted(self.stage.trace.spec_written_out)

    def beside_stopped(self) -> None:
        """Say that the runs of `specs_beside` were stopped."""
        for page in self.stage.pages.pages.values():
            page.say_stopped()

    def show_beside(self, events: tuple[Event, ...]) -> None:
        """Show the runs of `specs_beside`, in that order."""
        for page in self.stage.pages.pages.values():
            page.show_events(events)

    @Slot()
    def _note_selection(self) -> None:
        self.current_view.note(**self.noted(self.selection.locked))


AnyRoom = BaseRoom[Any, Any]
"""The room of whichever lab."""
