"""What the window and its worker hand each other: the newest request, what came of it, and how it is played."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Asked, Event, RunEvent, Spec
from attnviz.experiment.run import Cursor
from attnviz.gui.run.playback import Due, Phase, Playback, Show

PATIENCE_S = 0.1
"""How long a run that is on its way to its first picture may go on after a newer one is asked for."""

Change = Callable[[Playback], Playback]


@dataclass(frozen=True, slots=True)
class Request:
    """One run to carry out; it captures everything that the worker needs to know."""

    generation: int
    spec: Spec
    gesture: int
    """The first generation whose traces may still be shown."""
    target: Cursor | None = None
    """A training goes to this step at full speed, and is shown from there on; None is where it was left, if it was."""
    paused: bool = False
    """Whether it waits there."""
    afresh: bool = False
    """Whether it begins anew, also where it was kept."""
    asked_at: float = 0.0
    """When, by the monotonic clock."""
    left: Playback = field(default_factory=Playback)
    """How the run before it was played; the mailbox fills it in."""


@dataclass(frozen=True, slots=True)
class SideRun:
    """What is to be shown beside the run of this generation."""

    generation: int
    number: int
    """Counts what was asked for; a newer one displaces it."""
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came out of a request: its newest event, and whether the run is over."""

    generation: int
    event: RunEvent | None = None
    finished: bool = False
    before: RunEvent | None = None
    """The trace before a failure, where the window has not taken it yet."""
    beside: tuple[Event, ...] = ()
    """What was asked for beside the run; then nothing is said of the run itself."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has loaded the engine: what this machine can run on. Or it could not, and says why."""

    devices: tuple[tuple[str, str], ...] = ()
    problem: str = ""


class Taken(NamedTuple):
    """What has come in for the window."""

    ready: Ready | None
    arrival: Arrival | None
    side: Arrival | None


class Mailbox:
    """One slot for each thing that waits, in which the newest displaces what was there, under one lock."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.watched = ""
        """The stage that the window shows of a trace; its colours are made before it is delivered."""
        self.closed = False
        self.playback = Playback()
        """How the newest run is played. It is frozen, so that either thread may read it at any time."""
        self._newest = 0  # the generation that was asked for last
        self._gesture = 0  # the first generation whose traces may still be shown
        self._request: Request | None = None
        self._side: SideRun | None = None
        self._side_number = 0  # of what is wanted beside the run; 0 is nothing
        self._ready: Ready | None = None
        self._arrival: Arrival | None = None
        self._side_arrival: Arrival | None = None
        self._idle = False  # whether the worker waits to be asked
        self._told = True  # whether the window knows that the run is over

    # The window's side.

    def submit(self, request: Request) -> None:
        """Ask for a run in place of any other."""
        with self._changed:
            left = self.playback if self._request is None else self._request.left
            self._request = replace(request, left=left)
            self._newest, self._gesture = request.generation, request.gesture
            self.playback = self.playback.submit(paused=request.paused, target=request.target or Cursor())
            self._side, self._side_arrival, self._side_number = None, None, 0
            if self._arrival is not None and not self._may_show(self._arrival):
                self._arrival = None
            self._wake_worker()

    def play(self, change: Change) -> None:
        """Change how the newest run is played."""
        with self._changed:
            self.playback = change(self.playback)
            self._wake_worker()

    def submit_side(self, side: SideRun) -> bool:
        """Ask for something beside the newest run; return False where a run waits to begin, which goes first."""
        with self._changed:
            if self._request is not None:
                return False
            self._side, self._side_number = side, side.number
            self._wake_worker()
            return True

    def cancel_side(self) -> None:
        """End what is computed beside the run."""
        with self._changed:
            self._side, self._side_number = None, 0

    def close(self) -> None:
        """Let the worker end."""
        with self._changed:
            self.closed = True
            self._wake_worker()

    @property
    def busy(self) -> bool:
        """Whether a run waits to begin, is not over, or has something to show."""
        with self._changed:
            return self._arrival is not None or not self._over

    @property
    def quiet(self) -> bool:
        """Whether nothing will come in before the window asks for something."""
        with self._changed:
            waiting = (self._request, self._side, self._ready, self._arrival, self._side_arrival)
            told = self._told or not self._over
            return self._idle and told and self.playback.seeking is None and all(each is None for each in waiting)

    def take(self) -> Taken:
        """Return what has come in since the last call: the engine, the newest of a run, what was asked beside it."""
        with self._changed:
            arrival, over = self._arrival, self._over
            if arrival is None and over and not self._told:
                arrival = Arrival(self._newest)
            if arrival is not None:
                arrival = replace(arrival, finished=over and arrival.generation == self._newest)
            taken = Taken(self._ready, arrival, self._side_arrival)
            self._ready = self._arrival = self._side_arrival = None
            self._told = over
            return taken

    @property
    def _over(self) -> bool:
        return self._request is None and self.playback.phase is Phase.OVER

    def _wake_worker(self) -> None:
        """Let the worker look what is asked of it; it is not idle until it has."""
        self._idle = False
        self._changed.notify_all()

    def _may_show(self, arrival: Arrival) -> bool:
        """Return whether an arrival is of the newest run, or a trace from earlier in the same gesture."""
        if arrival.generation == self._newest:
            return True
        return not isinstance(arrival.event, Failure) and arrival.generation >= self._gesture

    # The worker's side.

    def announce(self, ready: Ready) -> None:
        """Say that the engine is loaded, or cannot be."""
        with self._changed:
            self._ready = ready

    def next_task(self) -> Request | SideRun | Show | Due | None:
        """Return what is due, waiting for it; None when the window closes."""
        with self._changed:
            while not self.closed:
                now = time.monotonic()
                if self._request is not None:
                    request, self._request = self._request, None
                    self.playback = self.playback.begin(now)
                    return request
                if self._side is not None:
                    side, self._side = self._side, None
                    return side
                due = self.playback.due(now)
                if isinstance(due, Due | Show):
                    self.playback = self.playback.do(due, now)
                    return due
                self._idle = due is None
                self._changed.wait(due)
            return None

    @property
    def unseen(self) -> bool:
        """Whether something that was delivered still waits for the window."""
        return self._arrival is not None

    def target_of(self, request: Request) -> Cursor:
        """Return the step that a run is on its way to; the window may have cut the way short."""
        return self.playback.target if request.generation == self._newest else request.target or Cursor()

    def is_cancelled(self, request: Request) -> bool:
        """Return whether a run is to take no further step: it was stopped, or a newer one is asked for."""
        return self.closed or self.playback.stopped or request.generation != self._newest

    def must_give_way(self, request: Request) -> bool:
        """Return whether a run on its way to its first picture is to end: at once when stopped, else after a while.

        While a knob is turned every moment asks for a new run; each gets as far as patience goes.
        """
        if not self.is_cancelled(request):
            return False
        at_once = self.closed or self.playback.stopped or request.generation < self._gesture
        return at_once or time.monotonic() - request.asked_at > PATIENCE_S

    def deliver(self, arrival: Arrival, change: Change | None = None) -> None:
        """Put the newest event into its slot, and change how its run is played; both are seen at the same time."""
        with self._changed:
            if change is not None and arrival.generation == self._newest:
                self.playback = change(self.playback)
                self._told = False
            if arrival.event is None or not self._may_show(arrival):
                return
            waiting = self._arrival
            if isinstance(arrival.event, Failure) and arrival.before is None and waiting is not None:
                same = waiting.generation == arrival.generation
                arrival = replace(arrival, before=waiting.event) if same else arrival
            self._arrival = arrival

    def deliver_side(self, side: SideRun, events: tuple[Event, ...]) -> None:
        """Put what was asked beside a run into its slot, unless it is not wanted any more."""
        with self._changed:
            if not self.is_side_cancelled(side):
                self._side_arrival = Arrival(side.generation, beside=events)

    def is_side_cancelled(self, side: SideRun) -> bool:
        """Return whether what was asked beside a run is not wanted any more."""
        return self.closed or side.number != self._side_number
