"""The current spec, its undo history, the trace on screen, and playback. The only module that uses the runner."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from attnviz.experiment.fields.differences import share_parts
from attnviz.experiment.labs import LABS, Asked, Spec, Trace, Trained
from attnviz.experiment.run import Cursor, Failure
from attnviz.gui.run.mailbox import (
    Ahead,
    Arrival,
    Message,
    Ready,
    Request,
    SideProgress,
    SideRun,
    TrainedTask,
    Transition,
)
from attnviz.gui.run.playback import HERE, Phase, Playback
from attnviz.gui.run.runner import Runner
from attnviz.gui.run.undo import UndoGesture, words_of
from attnviz.gui.widgets.words import failure_text

MOST_STEPS = 1_000
"""The length of the undo history; without a limit, the memory of a window that stays open would grow without bound."""


def _place_in(spec: Spec, cursor: Cursor | None) -> Cursor:
    """Return a cursor of a spec's run; a step of None is the last one of a training."""
    end = Cursor(step=spec.steps if spec.waits else None)
    return end.moved_to(cursor or HERE)


class Controller(QObject):
    """Takes specs from forms and presets, sends them to the runner, passes traces to the views, plays and pauses."""

    spec_changed = Signal(object)
    """The current spec has changed, or was opened again."""
    trace_accepted = Signal(object)
    """A trace of the current spec arrived."""
    settled = Signal()
    """The last trace of the current spec is on screen."""
    beside_accepted = Signal(object)
    """A tuple of events: the results of the runs that `run_beside` requested, in the order of the request."""
    beside_advanced = Signal(object)
    """A `SideProgress` of a run that `run_beside` requested."""
    failed = Signal(object)
    """A `Failure` of the current spec; the last good picture stays."""
    engine_ready = Signal(object)
    """`Ready`: the engine is loaded, or failed to load."""
    trained_taken = Signal(object, str)
    """The trained state of the current run, requested by `want_trained`; or None and the reason."""
    ahead_taken = Signal(object)
    """An `Ahead` with the trace requested by `want_ahead`."""
    state_changed = Signal()
    """`computing`, `paused` or `up_to_date` may have changed."""

    def __init__(self, first: Spec, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MOST_STEPS)
        self._runner, self._mailbox = runner, runner.mailbox
        self.spec = first
        """The current spec: the one requested last."""
        self.shown: Trace | None = None
        """The trace on screen."""
        self.shows_stored = False
        """Whether that came with attnviz, and the run has not taken its place yet."""
        self._shown_generation = 0
        self._carried: Trained | None = None
        self._asked: dict[str, Any] = {}  # the arguments of the newest request
        self._failed_generation = -1
        self._gesture = UndoGesture()
        self._changing = False  # whether `make_current` is emitting `spec_changed`
        self.sought: int | None = None
        """The step that the user wants to look at, until it is on screen: its training may take many steps again."""
        self._at = HERE  # the layer and side that the window shows or requested; None in a lab without them
        self.last_of_lab: Mapping[str, Spec] = {first.lab: first}
        """The last spec of each lab that was entered."""
        runner.arrived.connect(self._arrive)

    @property
    def computing(self) -> bool:
        """Whether a run is in progress (a paused one is not, unless it is still on its way to its target step)."""
        return self._runner.busy and not self.paused

    @property
    def computing_beside(self) -> bool:
        """Whether side runs, shown beside the trace on screen, are being computed."""
        return self._mailbox.busy_beside

    @property
    def paused(self) -> bool:
        """Whether a run is paused between two steps, at its target step."""
        return self._waits and self._there and self.shown is not None and not self.shown.final

    @property
    def playing(self) -> bool:
        """Whether a training is showing its steps, so that it can be paused."""
        waits = self._waits and (self.goal is None or not self.up_to_date)
        return self.spec.trains and self._runner.busy and not self.stopping and not waits

    @property
    def _waits(self) -> bool:
        """Whether a run is paused, or will be at its target step."""
        return self._runner.busy and self._mailbox.playback.phase is Phase.PAUSED

    @property
    def goal(self) -> int | None:
        """The target step at which a training will pause; None if it is there, or runs to its end."""
        target = self._mailbox.playback.target
        return target.step if self._waits and target.step and not self._there else None

    @property
    def _there(self) -> bool:
        """Whether the target step of a run, if any, is on screen."""
        return (
            self.shown is not None
            and self.up_to_date
            and not self.shown.cursor.is_before(self._mailbox.playback.target)
        )

    @property
    def stopping(self) -> bool:
        """Whether a run was cancelled, but its current operation has not returned yet."""
        return self._runner.busy and self._mailbox.playback.stopped

    @property
    def up_to_date(self) -> bool:
        """Whether the trace on screen belongs to the current spec and the requested layer and side."""
        shown = self.shown
        if shown is None or shown.spec != self.spec:
            return False
        asked, here = self._at, shown.cursor
        return all(None in pair or pair[0] == pair[1] for pair in ((asked.layer, here.layer), (asked.side, here.side)))

    @property
    def has_steps(self) -> bool:
        """Whether the run has several steps: by its spec, or since an encoder-decoder has written by itself."""
        return self.spec.trains or (self.shown is not None and self.shown.known_steps > 0)

    @property
    def shows_last_good(self) -> bool:
        """Whether the picture on screen is outdated: the requested one is on its way, or its run has failed."""
        return self.shown is not None and (self.has_failed or not self.up_to_date)

    @property
    def has_failed(self) -> bool:
        """Whether the last run has failed, possibly after some steps that are on screen."""
        return self._failed_generation == self._runner.generation

    @property
    def has_trained(self) -> bool:
        """Whether the training on screen has a trained state to store."""
        shown = self.shown
        carries = LABS[self.spec.lab].trained_type is not None
        return carries and self.up_to_date and shown is not None and shown.known_steps > 0

    def start(self, cursor: Cursor | None = None, trained: Trained | None = None) -> None:
        """Load the engine and run the first spec: to the end, or to a cursor where it pauses."""
        self._carried = trained
        place = _place_in(self.spec, cursor)
        self._submit(target=place, paused=self.spec.waits or place.step is not None)
        self._runner.start()
        self.spec_changed.emit(self.spec)
        self.state_changed.emit()

    def show_stored(self, trace: Trace) -> None:
        """Show a trace of the first spec until its run has one; it is up to date, but settles nothing."""
        self.shown, self.shows_stored = trace, True
        self.trace_accepted.emit(trace)
        self.state_changed.emit()

    # What is run.

    def propose(self, spec: Spec, field: str = "", said: str = "") -> None:
        """Make a spec current; the undo step is named ``said``, or by default after the change.

        Changes of one field in quick succession are one undo step; changes of one drag, "data#3", always are.
        """
        # A spin box hidden with its form commits its unfinished text, which would propose a spec during an undo.
        if spec == self.spec or self._changing:
            return
        old = self.spec
        share_parts(spec, old)
        self.make_current(spec, field)
        stack = self.undo_stack
        newest = stack.command(stack.index() - 1) if stack.index() and not stack.canRedo() else None
        if not isinstance(newest, _Step) or newest.gesture != self._gesture.number:
            stack.push(_Step(self, old, spec, self._gesture, said))  # calls `redo`: the spec is the current one already
            return
        newest.extend(spec)
        if newest.isObsolete():
            stack.undo()  # removes the obsolete step: a drag that ends where it began changes nothing
        else:
            stack.undoTextChanged.emit(newest.text())

    def begin(self, spec: Spec, said: str) -> None:
        """Make a spec current, with a named undo step, and run it from its beginning."""
        self.propose(spec, said=said)
        self.run_again()

    def choose_device(self, name: str) -> None:
        """Run on another device from now on."""
        self.propose(self.spec.model_copy(update={"device": name}), "device")

    def fall_back_to(self, device: str) -> None:
        """Run on another device, as before and without an undo step: the user did not request it."""
        self._change(self.spec.model_copy(update={"device": device}), **self._asked)

    def want_trained(self) -> None:
        """Request the trained state of the current run."""
        self._runner.want(TrainedTask(self._runner.generation))

    def want_ahead(self, spec: Spec, cursor: Cursor | None, trained: Trained | None) -> None:
        """Request the trace of a cursor that is likely to be shown next, so that it is ready then."""
        self._runner.want(Ahead(spec, _place_in(spec, cursor), trained))

    def show_at(
        self, spec: Spec, cursor: Cursor | None, trained: Trained | None = None, *, resumes: bool = False
    ) -> None:
        """Make a spec current and show its run at a cursor, where it pauses, or (None) at its end; no undo step.

        A training that ``resumes`` is shown where it was suspended, if it is kept. Every training that fits
        ``trained``, the trained state of a session, resumes from it until it is restarted.
        """
        place, before = _place_in(spec, cursor), self.spec
        anew = place.step == 0 and not resumes
        if trained is not None or anew:
            self._carried = trained
        paused = spec.waits or place.step is not None
        how: dict[str, Any] = {"target": place, "paused": paused, "afresh": anew, "resumes": resumes}
        if spec != self.spec:
            self._change(spec, **how)
        elif resumes or not spec.trains:
            self.seek(place)
        else:
            self._submit(**how)
            self.state_changed.emit()
        if spec == before:
            self._say_spec()  # unfinished input that is not in the spec is not shown any more

    def make_current(self, spec: Spec, field: str = "") -> None:
        """Make a spec current and show its run, without an undo step; does nothing if it is current already.

        A training that shares the steps of the one on screen stays at its step, and continues if that one plays. Any
        other is shown where it was suspended; a new one at `shown_first`, where it pauses: only Run plays it.

        While one ``field`` keeps changing, traces are shown as they arrive, even if they are a change or two behind;
        `Trace.spec` is the spec that they belong to.
        """
        shown = self.shown
        if spec == self.spec:
            return
        if shown is not None and spec.keeps_step_of(shown.spec):
            step = max(shown.cursor.step or 0, self._mailbox.playback.target.step or 0)
            step = max(step, spec.shown_first) if shown.final else step
            # A run that has just ended may still be busy: continue only if it plays.
            plays = self._runner.busy and self._mailbox.playback.phase is Phase.PLAYING
            self._change(spec, field, target=Cursor(step=step), paused=not plays)
        else:
            target = Cursor(step=spec.shown_first) if spec.waits else HERE
            self._change(spec, field, target=target, paused=spec.waits, resumes=True)

    def _change(self, spec: Spec, field: str = "", **how: Any) -> None:
        """Make a spec current and request its run; ``how`` are the arguments of `_submit`."""
        if spec.lab != self.spec.lab:
            self._at = HERE
        self.spec = spec
        self.last_of_lab = {**self.last_of_lab, spec.lab: spec}
        self._submit(field, **how)  # first, so that it runs while the window shows the spec
        self._say_spec()
        self.state_changed.emit()

    def _say_spec(self) -> None:
        self._changing = True
        try:
            self.spec_changed.emit(self.spec)
        finally:
            self._changing = False

    def run_beside(self, asked: tuple[Asked, ...]) -> None:
        """Run specs to show beside the trace on screen; they never become current and are no undo steps."""
        if asked and self.up_to_date and not self.shows_stored:
            self._runner.want(SideRun(self._runner.generation, asked))
            self.state_changed.emit()

    # Playback.

    def run_or_pause(self) -> None:
        """Pause a run; resume one that is paused, was stopped or shows an earlier step; restart a finished one."""
        if not self.spec.trains:
            return
        if self._runner.busy and not self.stopping:
            self._play(Playback.pause if self.playing else Playback.play)
        elif self._may_go_on():
            self._play(Playback.play)
        else:
            self.run_again()

    def step(self) -> None:
        """Take one training step; a run in progress is paused, a finished one restarts."""
        if not self.spec.trains:
            return
        if not self._runner.busy and not self._may_go_on():
            self.run_again(paused=True)
        self._play(Playback.step)

    def seek(self, cursor: Cursor) -> None:
        """Show another cursor of the run: a step of a training, at most its newest, where it pauses, or a layer."""
        if not (self.has_steps and self.up_to_date):
            cursor = replace(cursor, step=None)
        self._at = self._at.moved_to(replace(cursor, step=None))
        if cursor != HERE:
            sought = self.sought if cursor.step is None else cursor.step
            self._play(lambda playback: playback.seek(cursor), sought=sought)

    def go(self, by: int) -> None:
        """Show the step ``by`` steps away; one that a paused or stopped run has not taken yet is taken."""
        shown = self.shown
        if shown is None or not self.up_to_date:
            return
        step = (shown.step if self.sought is None else self.sought) + by  # keys may be faster than pictures
        if 0 <= step <= shown.known_steps:
            self.seek(Cursor(step=step))
        elif by > 0 and not shown.final and not self.playing:
            self.step()

    def reset(self) -> None:
        """Restart the training and pause before its first step."""
        if self.spec.trains:
            self.run_again(paused=True)

    def run_again(self, *, paused: bool = False) -> None:
        """Run the current spec from its beginning."""
        self._carried = None
        self._submit(paused=paused, afresh=True)
        self.state_changed.emit()

    def stop(self) -> None:
        """Cancel the run and its side runs; their results so far stay on screen."""
        self.sought = None
        self._runner.stop()
        self.state_changed.emit()

    def set_pace(self, steps_per_second: float | None) -> None:
        """Limit the speed of the training; None is no limit."""
        seconds = 1 / steps_per_second if steps_per_second else 0.0
        self._runner.play(lambda playback: playback.at_pace(seconds))

    def _submit(self, field: str = "", target: Cursor = HERE, **how: Any) -> None:
        """Request the run of the current spec, in which the user changed a field, at the layer on screen.

        ``how`` are further fields of the `Request`.
        """
        target = self._at.moved_to(target)
        self._at = replace(target, step=None)
        self._asked, self.sought = {"target": target, **how}, None
        carried = self._carried if self._carried is not None and self._carried.fits(self.spec) else None
        generation = self._runner.generation + 1
        self._gesture = self._gesture.then(field, generation)
        self._runner.submit(Request(generation, self.spec, self._gesture.began, target, trained=carried, **how))

    def _may_go_on(self) -> bool:
        """Return whether a training that has ended has steps left after the one on screen, computed or not."""
        shown = self.shown
        at_rest = self.stopping or not self._runner.busy
        return at_rest and self.up_to_date and shown is not None and not shown.final

    def _play(self, change: Transition, sought: int | None = None) -> None:
        self._runner.play(change)
        is_heard = self._mailbox.playback.seeking is not None and not self._is_there(sought)
        self.sought = sought if is_heard else None
        self.state_changed.emit()

    def _is_there(self, sought: int | None) -> bool:
        """Return whether the trace on screen is that of a step, or the newest one if the step is later."""
        shown = self.shown
        return shown is not None and sought is not None and shown.step in (sought, min(sought, shown.known_steps))

    @Slot(object)
    def _arrive(self, message: Message) -> None:
        match message:
            case SideProgress(generation):
                if generation == self._runner.generation:
                    self.beside_advanced.emit(message)
            case TrainedTask(_, trained, failure):
                self.trained_taken.emit(trained, "" if failure is None else failure_text(failure))
            case Ahead():
                self.ahead_taken.emit(message)
            case Ready():
                self.engine_ready.emit(message)
                self.state_changed.emit()
            case Arrival(generation):
                newest = generation == self._runner.generation
                if message.beside and newest:
                    self.beside_accepted.emit(message.beside)
                for event in (message.before, message.event):
                    if isinstance(event, Failure):
                        if newest:
                            self.sought, self._failed_generation = None, generation
                            self.failed.emit(event)
                    elif event is not None:
                        self._show(event, message, newest=newest)
                self.state_changed.emit()

    def _show(self, trace: Trace, arrival: Arrival, *, newest: bool) -> None:
        """Show a trace; one of an older request only if it is of the current gesture and newer than the one shown."""
        if not newest and not self._gesture.began <= arrival.generation > self._shown_generation:
            return
        self.shown, self._shown_generation, self.shows_stored = trace, arrival.generation, False
        if newest and self._mailbox.playback.seeking is None:
            self._at = self._at.moved_to(replace(trace.cursor, step=None))  # the run may have no such layer
        if self._is_there(self.sought):
            self.sought = None
        self.trace_accepted.emit(trace)
        if arrival.finished and newest:
            self.settled.emit()


class _Step(QUndoCommand):
    """An undo step from one spec to the next; it is pushed after the change was made."""

    def __init__(self, controller: Controller, old: Spec, new: Spec, gesture: UndoGesture, said: str) -> None:
        super().__init__(said or words_of(old, new, gesture.field))
        self._controller = controller
        self._old, self._new, self._field = old, new, gesture.field
        self.gesture = gesture.number
        """The number of the gesture that made it."""

    def extend(self, spec: Spec) -> None:
        """Add the next change of the same gesture.

        Not `mergeWith`: Qt would delete one command per change of a drag, and PySide would leak its Python wrapper.
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
