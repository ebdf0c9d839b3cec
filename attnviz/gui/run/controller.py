"""The current spec, its undo history, what is shown, and the transport. The only place that talks to the runner."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from attnviz.experiment.differences import share_parts
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Asked, Spec, Trace
from attnviz.experiment.presets import opening_spec, preset
from attnviz.experiment.run import Cursor
from attnviz.gui.run.gesture import Gesture
from attnviz.gui.run.mailbox import Arrival, Change, Ready
from attnviz.gui.run.playback import Phase, Playback
from attnviz.gui.run.runner import Runner
from attnviz.gui.run.undo_text import words_of
from attnviz.gui.widgets.words import translate

MOST_STEPS = 1_000
"""How far back undo reaches; without an end, a window that is never closed would only grow."""


class Controller(QObject):
    """Takes specs from forms and presets, sends them to the runner, hands traces to the views, plays and pauses."""

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
    engine_ready = Signal(object)
    """`Ready`: the engine is loaded, or cannot be."""
    state_changed = Signal()
    """Computing, paused, or idle: `computing`, `paused` and `up_to_date` say."""

    def __init__(self, first: Spec, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MOST_STEPS)
        self._runner = runner
        self._spec = first
        self._shown: Trace | None = None
        self._shown_generation = 0
        self._gesture = Gesture()
        self._changing = False  # whether a spec is being made current
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
        return self._runner.busy and self._runner.playback.phase is not Phase.PAUSED

    @property
    def computing_beside(self) -> bool:
        """Whether something is computed to be shown beside the trace on screen."""
        return self._runner.busy_beside

    @property
    def paused(self) -> bool:
        """Whether a run waits between two steps."""
        return self._runner.busy and self._runner.playback.phase is Phase.PAUSED

    @property
    def stopping(self) -> bool:
        """Whether a run was told to end, and is still in the middle of one operation."""
        return self._runner.busy and self._runner.playback.stopped

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

    # What is run.

    def propose(self, spec: Spec, field: str = "", said: str = "") -> None:
        """Make a spec the current one; the step of undo is called ``said``, or by what it changes.

        Changes of one field in quick succession are one step of undo, and those of one drag, "data#3", always.
        """
        # A box that is hidden with its form takes what was half typed as finished, in the middle of a step of undo.
        if spec == self._spec or self._changing:
            return
        old = self._spec
        share_parts(spec, old)
        self.make_current(spec, field)
        newest = self._newest_step()
        if newest is None or newest.gesture != self._gesture.number:
            self.undo_stack.push(_Step(self, old, spec, self._gesture, said))
            return
        newest.extend(spec)
        if newest.isObsolete():
            self.undo_stack.undo()  # which only throws it away: a drag that ends where it began is no step
        else:
            self.undo_stack.undoTextChanged.emit(newest.text())

    def enter_lab(self, name: str) -> None:
        """Go to a lab as it was left, or to its opening preset."""
        if name != self._spec.lab:
            self.propose(self._last_of_lab.get(name) or opening_spec(name))

    def open_preset(self, name: str) -> None:
        """Make a preset's spec the current one."""
        chosen = preset(name)
        self.propose(chosen.spec, said=self.tr("Preset: {0}").format(translate(chosen.title)))

    def choose_device(self, name: str) -> None:
        """Run on another device from now on."""
        self.propose(self._spec.model_copy(update={"device": name}), "device")

    def fall_back_to(self, device: str) -> None:
        """Run on another device without a step of undo: the user did not ask for it."""
        self.make_current(self._spec.model_copy(update={"device": device}))

    def make_current(self, spec: Spec, field: str = "") -> None:
        """Take a spec as the current one and run it, without a step of undo; nothing where it is current already.

        While one ``field`` is changed again and again, traces are shown as they come, also when they are a change or
        two behind; they name the spec that they belong to.
        """
        if spec == self._spec:
            return
        shown, target, paused = self._shown, None, False
        if shown is not None and spec.keeps_step_of(shown.spec):
            # Only its points or overlays are others: it is shown at the step that it was at, or was on its way to.
            target = max(shown.cursor, self._runner.playback.target, key=lambda cursor: cursor.step or 0)
            paused = self.paused or (not self._runner.busy and not shown.final)
        self._spec = spec
        self._last_of_lab[spec.lab] = spec
        self._changing = True
        try:
            self.spec_changed.emit(spec)
        finally:
            self._changing = False
        self._gesture = self._gesture.then(field, self._runner.generation + 1)
        self._runner.submit(spec, target=target, paused=paused, gesture=self._gesture.began)
        self.state_changed.emit()

    def run_beside(self, asked: tuple[Asked, ...]) -> None:
        """Run what is to be shown beside the trace on screen; nothing of it becomes current or a step of undo."""
        if asked and self.up_to_date:
            self._runner.submit_side(asked)
            self.state_changed.emit()

    def watch(self, stage: str) -> None:
        """Say which stage of a trace is shown, so that its colours come with it."""
        self._runner.watch(stage)

    # How it is played.

    def run_or_pause(self) -> None:
        """Pause a run; go on with one that waits, was stopped, or is looked back on; start a finished one again."""
        if not self._spec.trains:
            return
        if self._runner.busy and not self.stopping:
            self._play(Playback.play if self.paused else Playback.pause)
        elif self._may_go_on():
            self._play(Playback.play)
        else:
            self.run_again()

    def step(self) -> None:
        """Take one training step; a run under way is paused, a finished one begins again."""
        if not self._spec.trains:
            return
        if not self._runner.busy and not self._may_go_on():
            self.run_again(paused=True)
        self._play(Playback.step)

    def seek(self, cursor: Cursor) -> None:
        """Show another place of a training, as far as it has come, and wait there."""
        if self._spec.trains and self.up_to_date:
            self._play(lambda playback: playback.seek(cursor))

    def reset(self) -> None:
        """Go back to before the first training step, and wait there."""
        if self._spec.trains:
            self.run_again(paused=True)

    def run_again(self, *, paused: bool = False) -> None:
        """Run the current spec from its beginning."""
        self._gesture = self._gesture.then("", self._runner.generation + 1)
        self._runner.submit(self._spec, paused=paused, afresh=True)
        self.state_changed.emit()

    def stop(self) -> None:
        """End the run and what goes on beside it; what they have produced stays on screen."""
        self._runner.stop()
        self.state_changed.emit()

    def set_pace(self, steps_per_second: float | None) -> None:
        """Limit how fast training steps follow each other."""
        self._runner.set_pace(steps_per_second)

    def _may_go_on(self) -> bool:
        """Return whether a training that is over has steps to show or to take after the one on screen."""
        shown = self._shown
        at_rest = self.stopping or not self._runner.busy
        return at_rest and self.up_to_date and shown is not None and not shown.final

    def _play(self, change: Change) -> None:
        self._runner.play(change)
        self.state_changed.emit()

    def _newest_step(self) -> "_Step | None":
        """Return the step that a change can go on with: the last one, where nothing has been undone."""
        stack = self.undo_stack
        last = stack.command(stack.index() - 1) if stack.index() and not stack.canRedo() else None
        return last if isinstance(last, _Step) else None

    @Slot(object)
    def _engine_ready(self, ready: Ready) -> None:
        self.engine_ready.emit(ready)
        self.state_changed.emit()

    @Slot(object)
    def _arrive(self, arrival: Arrival) -> None:
        newest = arrival.generation == self._runner.generation
        if arrival.beside and newest:
            self.beside_accepted.emit(arrival.beside)
        for event in (arrival.before, arrival.event):
            if isinstance(event, Failure):
                if newest:
                    self.failed.emit(event)
            elif event is not None:
                self._show(event, arrival, newest=newest)
        self.state_changed.emit()

    def _show(self, trace: Trace, arrival: Arrival, *, newest: bool) -> None:
        """Take a trace as the one on screen; an older one only from earlier in the same gesture."""
        if not newest and not self._gesture.began <= arrival.generation > self._shown_generation:
            return
        self._shown, self._shown_generation = trace, arrival.generation
        self.trace_accepted.emit(trace)
        if arrival.finished and newest:
            self.settled.emit()


class _Step(QUndoCommand):
    """From one spec to the next: a step of undo, which is pushed after it was taken."""

    def __init__(self, controller: Controller, old: Spec, new: Spec, gesture: Gesture, said: str) -> None:
        super().__init__(said or words_of(old, new, gesture.field))
        self._controller = controller
        self._old, self._new, self._field = old, new, gesture.field
        self.gesture = gesture.number
        """Which gesture it is the outcome of."""

    def extend(self, spec: Spec) -> None:
        """Take in the next change of the same gesture.

        Not `mergeWith`: Qt would delete a step for each change of a drag, and PySide keep its Python half for ever.
        """
        self._new = spec
        self.setObsolete(spec == self._old)
        self.setText(words_of(self._old, spec, self._field))

    def redo(self) -> None:
        """Make the newer spec the current one."""
        self._controller.make_current(self._new)

    def undo(self) -> None:
        """Make the older spec the current one."""
        self._controller.make_current(self._old)
