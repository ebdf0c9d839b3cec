"""What every room offers to the window: a form, a stage and an inspector that follow one trace and one selection."""

from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import LABS, Asked, Event, Spec
from attnviz.experiment.view_settings import AttentionViewSettings, RegressionViewSettings
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel


class BaseRoom(QObject):
    """One lab's screen. A lab's ``Room`` gives it a stage and an inspector, and says how the one feeds the other.

    The stage has ``trace``, ``show_trace``, ``restyle``, ``set_map`` and a signal ``painted(float)``: milliseconds of
    its last drawing; its ``strip`` and ``player`` step through the mechanism. The inspector has ``restyle``.
    """

    trains = False
    """Whether run, pause and step may mean something here; then the stage has ``pace`` and ``pace_chosen``."""
    stage: Any
    inspector: Any
    beside_while_running = False
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

    def __init__(self, lab: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = SpecForm(LABS[lab])
        self._to_come: AttentionViewSettings | RegressionViewSettings | None = None
        self._look_before = dict[str, Any]()  # how the stage was looked at when that was asked for
        self.selection = SelectionModel(self)
        self.selection.changed.connect(self.inspect)

    def show_trace(self, trace: Any) -> None:
        """Draw a trace of this lab; the first after `look_as` as that asks for."""
        settings, self._to_come = self._look_to_come(), None
        if settings is not None:
            self.prepare_look(settings, trace)
        self.stage.show_trace(trace)
        self.inspect()

    def view_settings(self) -> AttentionViewSettings | RegressionViewSettings:
        """Return how the trace on screen is looked at, or the one that is waited for will be."""
        return self._look_to_come() or self.look_now()

    def look_as(self, settings: AttentionViewSettings | RegressionViewSettings) -> None:
        """Look at the current spec's trace in this way, as soon as it is there; what it has not falls back.

        What the user chooses otherwise meanwhile stays chosen.
        """
        self._to_come, self._look_before = settings, dict(self.look_now())
        trace = self.stage.trace
        if trace is not None and trace.spec == self.form.spec:
            self.show_trace(trace)
            self.beside_changed.emit()

    def _look_to_come(self) -> AttentionViewSettings | RegressionViewSettings | None:
        """Return how the awaited trace will be looked at: as asked for, but for what was chosen since."""
        if self._to_come is None:
            return None
        now = dict(self.look_now())
        chosen = {name: value for name, value in now.items() if value != self._look_before.get(name)}
        return self._to_come.model_copy(update=chosen)

    def look_now(self) -> AttentionViewSettings | RegressionViewSettings:
        """Return how the trace on screen is looked at; a lab's room overrides it."""
        raise NotImplementedError

    def prepare_look(self, settings: Any, trace: Any) -> None:
        """Choose around the stage what these settings say, for a trace that is not drawn yet; without a signal."""
        raise NotImplementedError

    @property
    def pinned_spec(self) -> AttentionSpec | None:
        """The spec of the run that is pinned, or is to be; a lab's room that compares runs has one."""
        return None

    @property
    def pinned_now(self) -> AttentionSpec | None:
        """The spec of the run that stands on screen as pinned; a lab's room that compares runs may have one."""
        return None

    def pin(self, spec: AttentionSpec | None) -> None:
        """Pin the run of a spec, which is run beside the next picture, or none."""

    @property
    def close_up(self) -> QWidget:
        """The large picture of the stage: the chosen head, or the fit; a lab's room overrides it."""
        stage: QWidget = self.stage
        return stage

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.form.restyle(look)
        self.stage.restyle(look)
        self.inspector.restyle(look)
        self.inspect()

    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
        self._look_before.pop("colour_map", None)  # it is chosen, also where it is the one on screen
        if name == self.stage.map_name:
            return
        self.stage.set_map(name)
        self.inspect()

    def release(self) -> None:
        """Let go of what is locked (Esc)."""
        self.selection.release()

    @Slot()
    def inspect(self) -> None:
        """Show what is chosen in the inspector, once there is a trace."""
        if self.stage.trace is not None:
            self.show_choice()

    def show_choice(self) -> None:
        """Hand the stage's trace and the selection to the inspector; a lab's room overrides it."""

    def specs_beside(self, spec: Spec) -> tuple[Asked, ...]:
        """Return the specs whose runs are shown beside that of the current one; a lab's room may have some."""
        del spec
        return ()

    def beside_stopped(self) -> None:
        """Say that the runs of `specs_beside` were stopped; a lab's room may have a place for it."""

    def show_beside(self, events: tuple[Event, ...]) -> None:
        """Show the runs of `specs_beside`, in that order."""
