"""The current spec, its undo history, and what is shown. The only place that talks to the runner."""

import time

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.differences import share_parts
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import LABS, Asked, Spec, Trace
from attnviz.experiment.presets import preset
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.run.gesture import goes_on
from attnviz.gui.run.requests import Arrival, Ready
from attnviz.gui.run.runner import Runner
from attnviz.gui.run.transport import Transport
from attnviz.gui.run.undo_text import words_of
from attnviz.gui.widgets.words import translate

MOST_STEPS = 1_000
"""How far back undo reaches; without an end, a window that is never closed would only grow."""


class Controller(Transport):
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
    engine_ready = Signal(object)
    """`Ready`: the engine is loaded, or cannot be."""

    def __init__(self, first: Spec, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(first, runner, parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MOST_STEPS)
        self._shown_generation = 0
        self._changing = False  # whether a spec is being made current
        self._last_of_lab: dict[str, Spec] = {first.lab: first}
        runner.ready.connect(self._engine_ready)
        runner.arrived.connect(self._arrive)

    def start(self) -> None:
        """Load the engine and run the first spec."""
        self._runner.submit(self._spec)
        self._runner.start()
        self.spec_changed.emit(self._spec)
        self.state_changed.emit()

    def propose(self, spec: Spec, field: str = "", said: str = "") -> None:
        """Make a spec the current one; the step of undo is called ``said``, or by what it changes.

        Changes of one field in quick succession are one step of undo, and those of one drag, "data#3", always.
        """
        # A box that is hidden with its form takes what was half typed as finished, in the middle of a step of undo.
        if spec == self._spec or self._changing:
            return
        share_parts(spec, self._spec)
        newest = self._newest_step()
        if newest is not None and newest.goes_on_with(spec, field):
            newest.redo()
            if newest.isObsolete():
                self.undo_stack.undo()  # which only throws it away: a drag that ends where it began is no step
            else:
                self.undo_stack.undoTextChanged.emit(newest.text())
        else:
            self.undo_stack.push(_Proposal(self, self._spec, spec, field, said))

    def watch(self, stage: str) -> None:
        """Say which stage of a trace is shown, so that its colours come with it."""
        self._runner.watch(stage)

    def enter_lab(self, name: str) -> None:
        """Go to a lab as it was left, or to its opening preset."""
        if name != self._spec.lab:
            self.propose(self._last_of_lab.get(name) or preset(LABS[name].opening_preset).spec)

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

    def run_beside(self, asked: tuple[Asked, ...]) -> None:
        """Run what is to be shown beside the trace on screen; nothing of it becomes current or a step of undo."""
        if asked and self.up_to_date:
            self._runner.submit_beside(asked)
            self.state_changed.emit()

    def make_current(self, spec: Spec, field: str = "") -> None:
        """Take a spec as the current one and run it; undo and redo come through here too.

        While one ``field`` is changed again and again, traces are shown as they come, also when they are a change or
        two behind; they name the spec that they belong to.
        """
        shown, step, paused = self._shown, 0, False
        if isinstance(shown, RegressionTrace) and isinstance(spec, RegressionSpec) and spec.trains_on(shown.spec):
            # Only its points or overlays are others: it is shown at the step that it was at, or was on its way to.
            step = max(shown.step, self._on_its_way_to)
            paused = self.paused or (not self._runner.busy and not shown.final)
        self._spec = spec
        self._last_of_lab[spec.lab] = spec
        self._changing = True
        try:
            self.spec_changed.emit(spec)
        finally:
            self._changing = False
        self._submit(field, paused=paused, from_step=step)

    def _newest_step(self) -> "_Proposal | None":
        """Return the step that a change can go on with: the last one, where nothing has been undone."""
        stack = self.undo_stack
        last = stack.command(stack.index() - 1) if stack.index() and not stack.canRedo() else None
        return last if isinstance(last, _Proposal) else None

    @Slot(object)
    def _engine_ready(self, ready: Ready) -> None:
        self._broken = bool(ready.problem)
        self.engine_ready.emit(ready)
        self.state_changed.emit()

    @Slot(object)
    def _arrive(self, arrival: Arrival) -> None:
        newest = arrival.generation == self._runner.generation
        if arrival.finished and newest:
            self._paused = self._stopping = False
        if arrival.beside and newest:
            self.beside_accepted.emit(arrival.beside)
        for event in (arrival.before, arrival.event):
            if isinstance(event, AttentionTrace | RegressionTrace):
                self._show(event, arrival, newest=newest)
            elif isinstance(event, Failure) and newest:
                self.failed.emit(event)
        self.state_changed.emit()

    def _show(self, trace: Trace, arrival: Arrival, *, newest: bool) -> None:
        """Take a trace as the one on screen; an older one only from earlier in the same turn of a knob."""
        if not newest and not self._turn.began <= arrival.generation > self._shown_generation:
            return
        self._shown, self._shown_generation = trace, arrival.generation
        if getattr(trace, "step", 0) >= self._on_its_way_to:
            self._on_its_way_to = 0
        self.trace_accepted.emit(trace)
        if arrival.finished and newest:
            self.settled.emit()


class _Proposal(QUndoCommand):
    """From one spec to the next."""

    def __init__(self, controller: Controller, old: Spec, new: Spec, field: str, said: str) -> None:
        super().__init__(said or words_of(old, new, field))
        self._controller = controller
        self._old, self._new, self._field = old, new, field
        self._time = time.monotonic()

    def goes_on_with(self, spec: Spec, field: str) -> bool:
        """Take in the next change of the same field, if it follows at once, and say so: one drag, one undo.

        Not `mergeWith`: Qt would delete a step for each change of a drag, and PySide keep its Python half for ever.
        """
        now = time.monotonic()
        if not goes_on(field, self._field, now - self._time):
            return False
        self._new, self._time = spec, now
        self.setObsolete(spec == self._old)
        self.setText(words_of(self._old, spec, field))
        return True

    def redo(self) -> None:
        """Make the newer spec the current one."""
        self._controller.make_current(self._new, self._field)

    def undo(self) -> None:
        """Make the older spec the current one."""
        self._controller.make_current(self._old)
