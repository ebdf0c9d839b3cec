"""The current spec, its undo history, and what is shown. The only place that talks to the runner."""

import time

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import LABS, Asked, Spec, Trace
from attnviz.experiment.presets import preset
from attnviz.experiment.regression import RegressionSpec
from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.gui.knob_turn import MERGE_WITHIN_S, KnobTurn
from attnviz.gui.mailbox import Arrival, Ready
from attnviz.gui.runner import Runner


class Controller(QObject):
    """Takes specs from forms and presets, sends them to the runner, and hands traces to the views."""

    spec_changed = Signal(object)
    """The current spec is another one."""
    trace_accepted = Signal(object)
    """A trace of the current spec arrived."""
    settled = Signal()
    """The last trace of the current spec is on screen."""
    beside_accepted = Signal(object)
    """A tuple of events: the runs that `run_beside` asked for, in that order."""
    failed = Signal(object)
    """A `Failure` of the current spec; the last good picture stays."""
    state_changed = Signal()
    """Computing, paused, or idle: `computing`, `paused` and `up_to_date` say."""
    engine_ready = Signal(object)
    """`Ready`: the engine is loaded, or cannot be."""

    def __init__(self, first: Spec, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._runner = runner
        self._spec = first
        self._shown: Trace | None = None
        self._paused = False
        self._broken = False
        self._shown_generation = 0
        self._turn = KnobTurn()
        self._last_of_lab: dict[str, Spec] = {first.lab: first}
        runner.ready.connect(self._engine_ready)
        runner.arrived.connect(self._arrive)

    @property
    def spec(self) -> Spec:
        """The current spec: the one that was asked for last."""
        return self._spec

    @property
    def shown(self) -> Trace | None:
        """The trace on screen."""
        return self._shown

    @property
    def computing(self) -> bool:
        """Whether a run is under way (a paused one is not)."""
        return self._runner.busy and not self._paused

    @property
    def computing_beside(self) -> bool:
        """Whether something is computed to be shown beside the trace on screen."""
        return self._runner.busy_beside

    @property
    def paused(self) -> bool:
        """Whether a run waits between two steps."""
        return self._paused and self._runner.busy

    @property
    def up_to_date(self) -> bool:
        """Whether the picture belongs to the current spec."""
        return self._shown is not None and self._shown.spec == self._spec

    def start(self) -> None:
        """Load the engine and run the first spec."""
        self._runner.submit(self._spec)
        self._runner.start()
        self.spec_changed.emit(self._spec)
        self.state_changed.emit()

    def propose(self, spec: Spec, field: str = "") -> None:
        """Make a spec the current one.

        Changes of one field in quick succession are one step of undo, and those of one drag, "data#3", always.
        """
        if spec != self._spec:
            self.undo_stack.push(_Proposal(self, self._spec, spec, field))

    def enter_lab(self, name: str) -> None:
        """Go to a lab as it was left, or to its opening preset."""
        if name != self._spec.lab:
            self.propose(self._last_of_lab.get(name) or preset(LABS[name].opening_preset).spec)

    def choose_device(self, name: str) -> None:
        """Run on another device from now on."""
        self.propose(self._spec.model_copy(update={"device": name}), "device")

    def fall_back_to(self, device: str) -> None:
        """Run on another device without a step of undo: the user did not ask for it."""
        self.make_current(self._spec.model_copy(update={"device": device}))

    def run_or_pause(self) -> None:
        """Pause a run; go on with one that waits, was stopped, or is looked back on; start a finished one again."""
        if not self._spec.trains:
            return
        if self._runner.busy:
            self._paused = not self._paused
            self._runner.pause(self._paused)
            self.state_changed.emit()
        elif self._may_go_on():
            self._resume(paused=False)
        else:
            self._submit()

    def step(self) -> None:
        """Take one training step; a run under way is paused, a finished one begins again."""
        if not self._spec.trains:
            return
        if self._may_go_on():
            self._resume(paused=True)
        elif not self._runner.busy:
            self._submit(paused=True)
        self._paused = True
        self._runner.step()
        self.state_changed.emit()

    def look_at(self, step: int) -> None:
        """Show a training as it was after another step of its history, and wait there."""
        if self._spec.trains and self.up_to_date:
            self._paused = self._runner.busy
            self._runner.look(step)
            self.state_changed.emit()

    def reset(self) -> None:
        """Go back to before the first training step, and wait there."""
        if self._spec.trains:
            self._submit(paused=True)

    def _may_go_on(self) -> bool:
        """Return whether a training that is over has steps to show or to take after the one on screen."""
        shown = self._shown
        return not self._runner.busy and self.up_to_date and isinstance(shown, RegressionTrace) and not shown.final

    def _resume(self, *, paused: bool) -> None:
        self._paused = paused
        self._runner.resume(paused=paused)
        self.state_changed.emit()

    def stop(self) -> None:
        """End the run and what goes on beside it; what they have produced stays on screen."""
        self._runner.stop()
        self.state_changed.emit()

    def run_beside(self, asked: tuple[Asked, ...]) -> None:
        """Run what is to be shown beside the trace on screen; nothing of it becomes current or a step of undo."""
        if asked and self.up_to_date:
            self._runner.submit_beside(asked)
            self.state_changed.emit()

    def set_pace(self, steps_per_second: float | None) -> None:
        """Limit how fast training steps follow each other."""
        self._runner.set_pace(steps_per_second)

    def make_current(self, spec: Spec, field: str = "") -> None:
        """Take a spec as the current one and run it; undo and redo come through here too.

        While one ``field`` is changed again and again, traces are shown as they come, also when they are a change or
        two behind; they name the spec that they belong to.
        """
        shown = self._shown
        # A training whose points or overlays are others now is shown at the step that it was shown at.
        same = isinstance(shown, RegressionTrace) and isinstance(spec, RegressionSpec) and spec.trains_as(shown.spec)
        step = shown.step if same and isinstance(shown, RegressionTrace) else 0
        self._spec = spec
        self._last_of_lab[spec.lab] = spec
        self.spec_changed.emit(spec)
        self._submit(field, paused=same and self.paused, from_step=step)

    def _submit(self, field: str = "", *, paused: bool = False, from_step: int = 0) -> None:
        self._paused = paused
        self._turn.change(field, self._runner.generation + 1)
        if not self._broken:
            self._runner.submit(self._spec, paused=paused, from_step=from_step, gesture=self._turn.began)
        self.state_changed.emit()

    @Slot(object)
    def _engine_ready(self, ready: Ready) -> None:
        self._broken = bool(ready.problem)
        self.engine_ready.emit(ready)
        self.state_changed.emit()

    @Slot(object)
    def _arrive(self, arrival: Arrival) -> None:
        event, newest = arrival.event, arrival.generation == self._runner.generation
        if arrival.finished and newest:
            self._paused = False
        if arrival.beside and newest:
            self.beside_accepted.emit(arrival.beside)
        if isinstance(event, AttentionTrace | RegressionTrace):
            # An older one only from earlier in the same turn of a knob.
            if newest or self._turn.began <= arrival.generation > self._shown_generation:
                self._shown, self._shown_generation = event, arrival.generation
                self.trace_accepted.emit(event)
                if arrival.finished and newest:
                    self.settled.emit()
        elif isinstance(event, Failure) and newest:
            self.failed.emit(event)
        self.state_changed.emit()


class _Proposal(QUndoCommand):
    """From one spec to the next."""

    def __init__(self, controller: Controller, old: Spec, new: Spec, field: str) -> None:
        super().__init__(field or new.lab)
        self._controller = controller
        self._old, self._new, self._field = old, new, field
        self._time = time.monotonic()

    def id(self) -> int:
        """Proposals may merge with each other."""
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Become one step with the next change of the same field, if it follows at once: one drag, one undo."""
        assert isinstance(other, _Proposal)
        one_drag = "#" in self._field
        if not self._field or other._field != self._field:
            return False
        if not one_drag and other._time - self._time > MERGE_WITHIN_S:
            return False
        self._new, self._time = other._new, other._time
        self.setObsolete(self._new == self._old)  # a drag that ends where it began is no step
        return True

    def redo(self) -> None:
        """Make the newer spec the current one."""
        self._controller.make_current(self._new, self._field)

    def undo(self) -> None:
        """Make the older spec the current one."""
        self._controller.make_current(self._old)
