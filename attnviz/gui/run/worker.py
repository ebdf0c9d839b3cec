"""The worker's loop: it holds the run at hand and the trainings that were left, and does one task after the other."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Asked, Event, Trace
from attnviz.experiment.run import Cursor, Run
from attnviz.gui.run.mailbox import PATIENCE_S, Arrival, Change, Mailbox, Ready, Request, SideRun
from attnviz.gui.run.playback import HERE, Due, Phase, Playback, Show
from attnviz.log import first_line, note_defect

KEPT_BYTES = 256 << 20
"""How much memory the trainings that were left may hold."""
FRAME_S = 0.016
"""A step that follows one which the window has not taken yet is shown after so long: there is no faster screen."""


class Engine(NamedTuple):
    """The functions of the engine that the worker calls, once it is loaded."""

    start: Callable[[Asked, Run | None], Run]
    run: Callable[..., Any]
    identity: Callable[[Asked], Hashable]
    failure_of: Callable[[Asked, BaseException], Failure[Any]]
    take_cores_for: Callable[[Asked], None]


def serve(mailbox: Mailbox) -> None:
    """Load the engine, then do what the mailbox asks for until it closes."""
    try:
        from attnviz.engine.devices import devices
        from attnviz.engine.failures import failure_of
        from attnviz.engine.labs import identity
        from attnviz.engine.run import run, start
        from attnviz.engine.threads import take_cores_for

        mailbox.announce(Ready(tuple((device.name, device.label) for device in devices())))
    except BaseException as error:
        # Whatever keeps torch from loading (missing, broken, wrong libraries), the window must live and say so.
        mailbox.announce(Ready(problem=f"PyTorch cannot be loaded: {first_line(error)}"))
        note_defect("PyTorch cannot be loaded", error)
        return
    Worker(mailbox, Engine(start, run, identity, failure_of, take_cores_for)).work()


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that was left, where it was shown, and whether it waited there."""

    run: Run
    place: Cursor
    paused: bool


class KeptRuns:
    """The runs that were left last, by what decides their past, as many as a number of bytes holds."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._runs: OrderedDict[Hashable, Kept] = OrderedDict()

    def put(self, identity: Hashable, kept: Kept) -> None:
        """Keep a run, in place of an older one of the same past and of those that were left first."""
        self._runs.pop(identity, None)
        self._runs[identity] = kept
        held = sum(each.run.nbytes for each in self._runs.values())
        while held > self._most:
            _, oldest = self._runs.popitem(last=False)
            held -= oldest.run.nbytes

    def take(self, identity: Hashable) -> Kept | None:
        """Take out the run of a past, where one is kept."""
        return self._runs.pop(identity, None)


class Worker:
    """Plays the newest request. A training is shown again from its run, and played on from there."""

    def __init__(self, mailbox: Mailbox, engine: Engine) -> None:
        self._mailbox = mailbox
        self._engine = engine
        self._kept = KeptRuns(KEPT_BYTES)
        self._request: Request | None = None
        self._identity: Hashable = None  # of the run at hand; None where it is not kept
        self._run: Run | None = None
        self._place = HERE  # where the run at hand is shown
        self._unshown = False  # whether it has come to its place without being delivered
        self._delivered_at = 0.0
        self._on_its_way = False  # whether it has nothing to show yet, or is not at the step that it is shown from

    def work(self) -> None:
        """Work until the mailbox closes."""
        while (task := self._mailbox.next_task()) is not None:
            if isinstance(task, SideRun):
                self._run_beside(task)
                continue
            if isinstance(task, Request):
                self._leave(task.left)
                self._request = task
            if self._request is None:
                continue
            try:
                self._engine.take_cores_for(self._request.spec)
                self._do(task, self._request)
            except BaseException as error:
                # A defect of ours, or no memory for the colours: the picture on screen stays, the user is told, the
                # worker lives on. A thread has no Ctrl+C and no exit that an error could stand for.
                self._fail(self._request, error)

    def _do(self, task: Request | Show | Due, request: Request) -> None:
        match task:
            case Request():
                self._begin(request)
            case Show(cursor):
                self._seek(cursor, request)
            case Due.STEP:
                self._advance(request)
            case Due.END:
                self._end(request)

    def _leave(self, left: Playback) -> None:
        """Keep the run at hand for when the window comes back to it, if there are steps to lose."""
        run = self._run
        if run is not None and run.known is not None and self._identity is not None and not self._on_its_way:
            plays = left.phase is Phase.PLAYING and not left.stopped
            at_end = run.final and not self._place.is_before(run.known)
            self._kept.put(self._identity, Kept(run, self._place, paused=not plays and not at_end))
        self._run, self._identity, self._place, self._unshown = None, None, HERE, False

    def _begin(self, request: Request) -> None:
        """Make the run of a request, or take up the one that was left, and come to its first picture."""
        identity = self._engine.identity(request.spec)
        kept = None if identity is None else self._kept.take(identity)
        if request.afresh:
            kept = None
        if kept is not None and kept.run.spec == request.spec:
            self._run = kept.run
        else:
            self._run = self._engine.start(request.spec, None if kept is None else kept.run)
        self._identity = identity
        self._come_to_first(self._run, request, kept)

    def _come_to_first(self, run: Run, request: Request, kept: Kept | None = None) -> None:
        self._on_its_way = True
        while run.known is None:
            if not run.advance(self._should_stop):
                return
        self._place = run.known
        if kept is not None and request.target is None:
            self._place = kept.place if kept.place.is_before(run.known) else run.known
            if kept.paused:
                self._mailbox.deliver(Arrival(request.generation), Playback.suspend)
        elif not self._hurry(run, request):
            return
        self._on_its_way = False
        self._show(run, request, self._place)
        while not request.spec.trains and not run.final and run.advance(self._should_stop):
            self._show(run, request, self._place)

    def _hurry(self, run: Run, request: Request) -> bool:
        """Take steps to the one that the run is shown from; return False where it gave way. A slow run is seen."""
        while (known := run.known or HERE).is_before(target := self._mailbox.target_of(request)):
            if run.final:
                break
            if self._mailbox.must_give_way(request) or not run.advance(self._should_stop):
                return False
            self._place, self._unshown = run.known or HERE, True
            if time.monotonic() - request.asked_at > PATIENCE_S and self._is_due():
                self._show(run, request, self._place)
        if target.step is not None and target.is_before(known):
            self._place = replace(known, step=target.step)
        return True

    def _advance(self, request: Request) -> None:
        """Show the next step: one that the run has passed already, or a new one."""
        run = self._run
        if run is None:
            self._begin(request)
        elif run.known is None:
            self._come_to_first(run, request)
        elif self._place.is_before(run.known):
            self._show(run, request, replace(self._place, step=(self._place.step or 0) + 1))
        elif run.final or run.advance(self._should_stop):
            self._place, self._unshown = replace(self._place, step=run.known.step), True
            if run.final or self._is_due():
                self._show(run, request, self._place)

    def _seek(self, cursor: Cursor, request: Request) -> None:
        """Show another place, as far as the run has come; nothing where it is there already."""
        run = self._run
        if run is None or run.known is None or (cursor == HERE and not self._unshown):
            return
        place = self._place if cursor.step is None else cursor if cursor.is_before(run.known) else run.known
        self._show(run, request, place if cursor.layer is None else replace(place, layer=cursor.layer))

    def _end(self, request: Request) -> None:
        """Let the run be over where it is."""
        if self._run is not None and self._unshown:
            self._deliver(request, self._run.at(self._place), Playback.give_up)
        else:
            self._mailbox.deliver(Arrival(request.generation), Playback.give_up)

    def _show(self, run: Run, request: Request, place: Cursor) -> None:
        trace = run.at(place)
        self._place = place
        at_end = run.final and not place.is_before(run.known or HERE)
        self._deliver(request, trace, Playback.finish if at_end else None)

    def _deliver(self, request: Request, trace: Trace, change: Change | None) -> None:
        trace.prepare(self._mailbox.watched)
        self._unshown, self._delivered_at = False, time.monotonic()
        self._mailbox.deliver(Arrival(request.generation, trace), change)

    def _fail(self, request: Request, error: BaseException) -> None:
        """Let the run be over at the last place that can be shown; it is not kept, but may be played on."""
        failure = self._engine.failure_of(request.spec, error)
        before: Trace | None = None
        if self._run is not None and self._unshown:
            try:
                before = self._run.at(self._place)
                before.prepare(self._mailbox.watched)
            except BaseException:  # it is what failed: one failure is said
                before = None
        self._unshown, self._identity = False, None
        self._mailbox.deliver(Arrival(request.generation, failure, before=before), Playback.finish)

    def _is_due(self) -> bool:
        """Return whether a step is worth a picture: there is none that the window has not taken, or it waits here."""
        if not self._mailbox.unseen or self._mailbox.playback.phase is Phase.PAUSED:
            return True
        return time.monotonic() - self._delivered_at >= FRAME_S

    def _should_stop(self) -> bool:
        assert self._request is not None
        ends = self._mailbox.must_give_way if self._on_its_way else self._mailbox.is_cancelled
        return ends(self._request)

    def _run_beside(self, side: SideRun) -> None:
        """Run everything that is asked for, each to its last event, and deliver them together."""
        found: list[Event] = []
        for asked in side.asked:
            last: Event | None = None
            try:
                self._engine.take_cores_for(asked)
                for event in self._engine.run(asked, should_stop=lambda: self._mailbox.is_side_cancelled(side)):
                    last = event
                if last is not None and not isinstance(last, Failure):
                    last.prepare()
            except BaseException as error:  # it fails alone: what else is asked for is shown
                last = self._engine.failure_of(asked, error)
            if last is None:
                return  # it is not wanted any more
            found.append(last)
        self._mailbox.deliver_side(side, tuple(found))
