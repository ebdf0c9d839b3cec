"""What the buttons of the transport do to the run at hand: run, pause, step, look back, stop."""

from PySide6.QtCore import QObject, Signal

from attnviz.experiment.labs import Spec, Trace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.run.gesture import KnobTurn
from attnviz.gui.run.runner import Runner


class Transport(QObject):
    """The current spec, its run, and the trace on screen; `Controller` says which spec that is."""

    state_changed = Signal()
    """Computing, paused, or idle: `computing`, `paused` and `up_to_date` say."""

    def __init__(self, first: Spec, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._spec = first
        self._shown: Trace | None = None
        self._broken = False  # without an engine nothing runs
        self._paused = False
        self._stopping = False  # whether a run was told to end and has not said yet that it has
        self._on_its_way_to = 0  # the step that a training goes to at full speed
        self._turn = KnobTurn()

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
    def stopping(self) -> bool:
        """Whether a run was told to end, and is still in the middle of one operation."""
        return self._stopping and self._runner.busy

    @property
    def up_to_date(self) -> bool:
        """Whether the picture belongs to the current spec."""
        return self._shown is not None and self._shown.spec == self._spec

    def run_or_pause(self) -> None:
        """Pause a run; go on with one that waits, was stopped, or is looked back on; start a finished one again."""
        if not self._spec.trains:
            return
        if self._runner.busy and not self._stopping:
            self._paused, self._on_its_way_to = not self._paused, 0
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
        self._paused, self._on_its_way_to = True, 0
        self._runner.step()
        self.state_changed.emit()

    def look_at(self, step: int) -> None:
        """Show a training as it was after another step of its history, and wait there."""
        if self._spec.trains and self.up_to_date and self._runner.look(step):
            self._paused, self._on_its_way_to = self._runner.busy, 0
            self.state_changed.emit()

    def reset(self) -> None:
        """Go back to before the first training step, and wait there."""
        if self._spec.trains:
            self._submit(paused=True)

    def stop(self) -> None:
        """End the run and what goes on beside it; what they have produced stays on screen."""
        self._runner.stop()
        self._stopping = self._runner.busy
        self.state_changed.emit()

    def set_pace(self, steps_per_second: float | None) -> None:
        """Limit how fast training steps follow each other."""
        self._runner.set_pace(steps_per_second)

    def _may_go_on(self) -> bool:
        """Return whether a training that is over has steps to show or to take after the one on screen."""
        shown = self._shown
        at_rest = self._stopping or not self._runner.busy
        return at_rest and self.up_to_date and isinstance(shown, RegressionTrace) and not shown.final

    def _resume(self, *, paused: bool) -> None:
        self._paused, self._stopping = paused, False
        self._runner.resume(paused=paused)
        self.state_changed.emit()

    def _submit(self, field: str = "", *, paused: bool = False, from_step: int = 0) -> None:
        self._paused, self._on_its_way_to, self._stopping = paused, from_step, False
        self._turn.change(field, self._runner.generation + 1)
        if not self._broken:
            self._runner.submit(self._spec, paused=paused, from_step=from_step, gesture=self._turn.began)
        self.state_changed.emit()
