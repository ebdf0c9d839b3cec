"""The worker's loop: it holds the current run and the suspended ones, and does one task after the other."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from attnviz.definitions.text import Text
from attnviz.experiment.labs import Asked, Event, Trace
from attnviz.experiment.run import CarriedRun, Cursor, Failure, Run
from attnviz.gui.run.mailbox import (
    PATIENCE_S,
    Ahead,
    Arrival,
    Mailbox,
    Ready,
    Request,
    SideProgress,
    SideRun,
    TrainedTask,
    Transition,
)
from attnviz.gui.run.playback import HERE, Due, Phase, Playback, Show
from attnviz.log import first_line, note_defect

KEPT_BYTES = 256 << 20
"""The memory limit of the suspended trainings, in bytes."""
FRAME_S = 0.016
"""While the window has not taken the last trace, a new one is delivered at most this often: the screen's frame time."""
UNTAKEN_SHARE = 0.02
"""The largest share of the time spent on traces that replace one the window has not taken."""
DRAWING_S = 0.06
"""The pause in seconds after each step of a run, for the window draws it on the same cores."""


class Engine(NamedTuple):
    """The functions of the engine that the worker calls, once it is loaded."""

    start: Callable[..., Run]
    run: Callable[..., Any]
    identity: Callable[[Asked], Hashable]
    past_for: Callable[[Asked], Run | None]
    failure_of: Callable[[Asked, BaseException], Failure[Any]]
    take_cores_for: Callable[[Asked], None]
    kept_results: Any
    """A cache of results for the runs that are shown."""


def serve(mailbox: Mailbox) -> None:
    """Load the engine, then do the mailbox's tasks until it closes."""
    try:
        from attnviz.engine.kept_results import KeptResults
        from attnviz.engine.labs import identity, past_for, take_cores_for
        from attnviz.engine.machine import devices
        from attnviz.engine.run import failure_of, run, start

        mailbox.post(Ready(tuple((device.name, device.label) for device in devices())))
    except BaseException as error:
        # Whatever the cause (torch missing, broken, wrong libraries), the window must stay open and show it.
        mailbox.post(Ready(problem=Text("PyTorch cannot be loaded: {why}", {"why": first_line(error)})))
        note_defect("PyTorch cannot be loaded", error)
        return
    Worker(mailbox, Engine(start, run, identity, past_for, failure_of, take_cores_for, KeptResults())).work()


@dataclass(frozen=True, slots=True)
class Kept:
    """A suspended run, and the cursor that was shown."""

    run: Run
    place: Cursor


class KeptRuns:
    """The most recently suspended runs, by the identity of their past (`labs.identity`), up to a memory limit."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._runs: OrderedDict[Hashable, Kept] = OrderedDict()

    def put(self, identity: Hashable, kept: Kept) -> None:
        """Keep a run in place of one with the same identity; drop the oldest runs beyond the memory limit."""
        self._runs.pop(identity, None)
        self._runs[identity] = kept
        held = sum(each.run.nbytes for each in self._runs.values())
        while held > self._most:
            _, oldest = self._runs.popitem(last=False)
            held -= oldest.run.nbytes

    def find(self, identity: Hashable) -> Run | None:
        """Return the run with an identity, which stays kept; None if there is none."""
        return self._runs[identity].run if identity in self._runs else None

    def take(self, identity: Hashable) -> Kept | None:
        """Remove and return the run with an identity, None if there is none."""
        return self._runs.pop(identity, None)


def _rests(run: Run) -> bool:
    """Let a run release memory; return False if that failed, such as for lack of memory.

    Its steps are then repeated when they are needed: whatever the cause, the worker must continue.
    """
    try:
        run.rest()
    except BaseException as error:
        note_defect("a run that was left is not kept", error)
        return False
    return True


class Worker:
    """Plays the newest request. A suspended training is resumed from its kept run."""

    def __init__(self, mailbox: Mailbox, engine: Engine) -> None:
        self._mailbox = mailbox
        self._engine = engine
        self._kept = KeptRuns(KEPT_BYTES)
        self._beside: tuple[Hashable, Run | None] = (None, None)  # the last training that only side runs use
        self._request: Request | None = None
        self._identity: Hashable = None  # of the current run; None if it is not kept when suspended
        self._run: Run | None = None
        self._place = HERE  # the cursor shown of the current run
        self._unshown = False  # whether its cursor has not been delivered yet
        self._delivered_at = 0.0
        self._cost = 0.0  # the seconds that the last trace took
        self._before_first = False  # whether it has not reached its first shown step
        self._ahead: tuple[Any, Trace] | None = None  # the last trace computed ahead, and its key

    def work(self) -> None:
        """Work until the mailbox closes."""
        while (task := self._mailbox.next_task()) is not None:
            match task:
                case SideRun():
                    self._run_beside(task)
                case TrainedTask():
                    self._mailbox.post(self._trained_of(task))
                case Ahead():
                    self._make_ahead(task)
                case Request() | Show() | Due():
                    if isinstance(task, Request):
                        self._suspend(task)
                        self._request = task
                    if self._request is not None:
                        self._do(task, self._request)

    def _do(self, task: Request | Show | Due, request: Request) -> None:
        """Do a task of the current run.

        Whatever fails, such as for lack of memory: the picture on screen stays, the user is told, and the worker
        continues. In this thread no exception means Ctrl+C or an exit.
        """
        try:
            if task is not Due.STEP:  # a step keeps its run's threads: resetting costs a tenth of it
                self._engine.take_cores_for(request.spec)
            match task:
                case Request():
                    self._begin(request)
                case Show(cursor):
                    self._seek(cursor, request)
                case Due.STEP:
                    self._advance(request)
                case Due.END:
                    self._end(request)
        except BaseException as error:
            self._fail(request, error)

    def _suspend(self, next_one: Request) -> None:
        """Suspend the current run, so that it can be resumed later, if there is something to keep."""
        run, request = self._run, self._request
        if run is not None and request is not None and self._identity is not None and not self._before_first:
            # No undo step leads back to a value between the first and the last of a gesture.
            passed_by = request.gesture == next_one.gesture and self._engine.identity(next_one.spec) != self._identity
            # An untrained run that a new one would show at the same step need not be kept.
            begun = run.known is not None and bool(run.known.step or run.spec.shown_first)
            if begun and not passed_by and _rests(run):
                self._kept.put(self._identity, Kept(run, self._place))
        self._run, self._identity, self._place, self._unshown = None, None, HERE, False

    def _begin(self, request: Request) -> None:
        """Start the run of a request, or resume the suspended one, up to its first trace."""
        identity = self._engine.identity(request.spec)
        kept = None if identity is None else self._kept.take(identity)
        if request.afresh:
            kept = None
        known = HERE if kept is None else kept.run.known or HERE
        trained = request.trained
        if trained is not None and not known.is_before(Cursor(step=trained.step)):
            trained = None
        if trained is None and kept is not None and kept.run.spec == request.spec:
            self._run = kept.run
        else:
            past = None if kept is None else kept.run
            self._run = self._engine.start(request.spec, past, trained=trained, kept=self._engine.kept_results)
        self._identity = identity
        self._advance_to_first(self._run, request, kept)

    def _advance_to_first(self, run: Run, request: Request, kept: Kept | None = None) -> None:
        self._before_first = True
        while run.known is None:
            if not run.advance(self._should_stop):
                return
        self._place = run.known.moved_to(replace(self._mailbox.target_of(request), step=None))
        if request.resumes and (kept is not None or request.trained is not None):
            place = run.known if kept is None or run.known.is_before(kept.place) else kept.place
            self._place = self._place.moved_to(Cursor(step=place.step))
            self._mailbox.deliver(Arrival(request.generation), Playback.resume)
        elif not self._advance_to_target(run, request):
            return
        self._before_first = False
        self._go_to(run, request, self._place)
        while not request.spec.trains and not run.final:
            self._mailbox.pause(request, DRAWING_S)
            at_newest = self._place.step == run.known.step
            if not run.advance(self._should_stop):
                return
            if at_newest:  # an encoder-decoder may write by itself
                self._place = replace(self._place, step=run.known.step)
            self._show(run, request, self._place)

    def _advance_to_target(self, run: Run, request: Request) -> bool:
        """Go to the target step; return False if the run was cancelled. A slow run is shown on the way."""
        while (known := run.known or HERE).is_before(target := self._mailbox.target_of(request)):
            if run.final:
                break
            if self._mailbox.must_give_way(request) or not run.advance(self._should_stop):
                return False
            self._place, self._unshown = self._place.moved_to(run.known or HERE), True
            if time.monotonic() - request.asked_at > PATIENCE_S and self._is_due():
                self._show(run, request, self._place)
        if target.step is not None and target.is_before(known):
            self._place = self._place.moved_to(target)
        return True

    def _advance(self, request: Request) -> None:
        """Show the next step: one computed already, or a new one."""
        run = self._run
        if run is None:
            self._begin(request)
        elif run.known is None:
            self._advance_to_first(run, request)
        elif self._place.is_before(run.known):
            self._show(run, request, replace(self._place, step=(self._place.step or 0) + 1))
        elif run.final or run.advance(self._should_stop):
            self._place, self._unshown = replace(self._place, step=run.known.step), True
            if run.final or self._mailbox.playback.phase is Phase.PAUSED or self._is_due():
                self._show(run, request, self._place)

    def _seek(self, cursor: Cursor, request: Request) -> None:
        """Show another cursor, at most the newest step; does nothing if it is shown already."""
        run = self._run
        if run is None or run.known is None or (cursor == HERE and not self._unshown):
            return
        newest = cursor.step is not None and not cursor.is_before(run.known)
        self._go_to(run, request, self._place.moved_to(cursor).moved_to(run.known if newest else HERE))

    def _go_to(self, run: Run, request: Request, place: Cursor) -> None:
        """Show a cursor; also steps on the way if many must be repeated, until another cursor is requested."""
        while not self._has_ahead(run, place) and isinstance(run, CarriedRun) and (near := run.near(place)) != place:
            self._show(run, request, near)
            if self._mailbox.is_elsewhere_wanted(request):
                return
        self._show(run, request, place)

    def _has_ahead(self, run: Run, place: Cursor) -> bool:
        return self._ahead is not None and self._ahead[0] == (run.spec, place, run.known)

    def _make_ahead(self, task: Ahead) -> None:
        """Compute the trace of a cursor before it is requested; give up once there is another task."""
        try:
            self._engine.take_cores_for(task.spec)
            run = self._run
            if run is None or run.spec != task.spec:
                run = self._engine.start(task.spec, self._past_of(task.spec), trained=task.trained)
            while not run.final and (run.known is None or run.known.is_before(task.cursor)):
                if self._mailbox.is_wanted or not run.advance(lambda: self._mailbox.is_wanted):
                    return
            assert run.known is not None
            place = run.known.moved_to(task.cursor)
            while isinstance(run, CarriedRun) and (near := run.near(place)) != place:
                if self._mailbox.is_wanted:
                    return
                run.at(near)
            trace = run.at(place)
            self._prepare(trace)
        except BaseException as error:  # it is requested again when it is shown, and reported then
            note_defect("a trace could not be made ahead", error)
            return
        self._ahead = (run.spec, place, run.known), trace
        self._mailbox.post(replace(task, trace=trace))

    def _end(self, request: Request) -> None:
        """End the run at its current cursor."""
        if self._run is not None and self._unshown:
            self._deliver(request, self._run.at(self._place), Playback.give_up)
        else:
            self._mailbox.deliver(Arrival(request.generation), Playback.give_up)

    def _show(self, run: Run, request: Request, place: Cursor) -> None:
        start = time.monotonic()
        trace = self._ahead[1] if self._ahead is not None and self._has_ahead(run, place) else run.at(place)
        self._place = place
        at_end = run.final and not place.is_before(run.known or HERE)
        self._deliver(request, trace, Playback.finish if at_end else None)
        self._cost = time.monotonic() - start

    def _deliver(self, request: Request, trace: Trace, change: Transition | None) -> None:
        self._prepare(trace)
        self._unshown, self._delivered_at = False, time.monotonic()
        self._mailbox.deliver(Arrival(request.generation, trace), change)

    def _prepare(self, trace: Trace) -> None:
        trace.prepare(self._mailbox.watched.get(trace.spec.lab, ""))

    def _fail(self, request: Request, error: BaseException) -> None:
        """End the run at the last cursor that can be shown; it is not kept, but can be resumed."""
        failure = self._engine.failure_of(request.spec, error)
        before: Trace | None = None
        if self._run is not None and self._unshown:
            try:
                before = self._run.at(self._place)
                self._prepare(before)
            except BaseException:  # making the trace is what failed: report one failure only
                before = None
        self._unshown, self._identity = False, None
        self._mailbox.deliver(Arrival(request.generation, failure, before=before), Playback.finish)

    def _trained_of(self, wanted: TrainedTask) -> TrainedTask:
        """Return the trained state of the current run, including the state that is shown."""
        run = self._run
        request = self._request
        if request is None or request.generation != wanted.generation or not isinstance(run, CarriedRun):
            return wanted
        try:
            return replace(wanted, trained=run.carried(self._place))
        except BaseException as error:
            return replace(wanted, failure=self._engine.failure_of(request.spec, error))

    def _is_due(self) -> bool:
        """Return whether to deliver a step: the last one was taken, or a frame has passed."""
        if not self._mailbox.unseen:
            return True
        return time.monotonic() - self._delivered_at >= max(FRAME_S, self._cost / UNTAKEN_SHARE)

    def _should_stop(self) -> bool:
        assert self._request is not None
        ends = self._mailbox.must_give_way if self._before_first else self._mailbox.is_cancelled
        return ends(self._request)

    def _past_of(self, asked: Asked) -> Run | None:
        """Return a run with the same past, whose steps a side run need not repeat."""
        identity = self._engine.identity(asked)
        if identity is None:
            return None
        found = self._run if identity == self._identity else self._kept.find(identity)
        if found is None and self._beside[0] != identity:  # a pinned training, for example
            self._beside = identity, self._engine.past_for(asked)
        return self._beside[1] if found is None else found

    def _run_beside(self, side: SideRun) -> None:
        """Run every spec of a side run, and deliver the last event of each together, unless it was cancelled."""
        results: list[Event] = []
        for asked in side.asked:
            last = self._last_event_of(asked, side)
            if last is None:
                break
            results.append(last)
        if self._beside[1] is not None and not _rests(self._beside[1]):
            self._beside = None, None
        if len(results) == len(side.asked):
            self._mailbox.post(Arrival(side.generation, beside=tuple(results)), side)

    def _note_part(self, side: SideRun, asked: Asked, done: int, count: int) -> None:
        self._mailbox.post(SideProgress(side.generation, asked, done, count), side)

    def _last_event_of(self, asked: Asked, side: SideRun) -> Event | None:
        """Return the last event of a spec of a side run, a failure too; None if it was cancelled."""
        last: Event | None = None
        try:
            past, cancelled = self._past_of(asked), lambda: self._mailbox.is_side_cancelled(side)
            progress = partial(self._note_part, side, asked)
            for event in self._engine.run(asked, should_stop=cancelled, progress=progress, past=past):
                last = event
            if last is not None and not isinstance(last, Failure):
                last.prepare()
        except BaseException as error:  # the others are still shown
            return self._engine.failure_of(asked, error)
        return last
