"""Exchange between the window and its worker: the newest request, its newest result, and the state of playback."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from attnviz.definitions.text import Text
from attnviz.experiment.labs import Asked, Event, RunEvent, Spec, Trace, Trained
from attnviz.experiment.run import Cursor, Failure
from attnviz.gui.run.playback import HERE, Due, Phase, Playback, Show

PATIENCE_S = 0.1
"""The time in seconds for which a run that has shown nothing yet may continue after a newer request."""

Transition = Callable[[Playback], Playback]


@dataclass(frozen=True, slots=True)
class Request:
    """A run to compute, in place of any that is pending or running."""

    generation: int
    spec: Spec
    gesture: int
    """The first generation whose traces may still be shown."""
    target: Cursor = HERE
    """The layer that is shown. A training runs to its step at full speed and is shown from there on."""
    paused: bool = False
    """Whether it pauses there."""
    resumes: bool = False
    """Whether a suspended run, if one is kept, is shown where it was instead."""
    afresh: bool = False
    """Whether it restarts even if a suspended run is kept."""
    trained: Trained | None = None
    """The trained state of the session, from which the run resumes unless a suspended run has got as far."""
    asked_at: float = field(default_factory=time.monotonic)
    """The time of the request, by the monotonic clock, in seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class SideRun:
    """Specs to run and show beside the run of this generation."""

    generation: int
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Ahead:
    """A task: compute the trace of a cursor that is likely to be requested next. Also the answer, with that trace."""

    spec: Spec
    cursor: Cursor
    trained: Trained | None = None
    """The trained state of the session."""
    trace: Trace | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """The result of a request: its newest event, and whether the run has ended."""

    generation: int
    event: RunEvent | None = None
    finished: bool = False
    before: RunEvent | None = None
    """The trace before a failure, if the window has not taken it yet."""
    beside: tuple[Event, ...] = ()
    """The results of a side run; then the other fields say nothing about the run itself."""


@dataclass(frozen=True, slots=True)
class SideProgress:
    """The progress of a spec or study beside the run of a generation."""

    generation: int
    asked: Asked
    done: int
    count: int


@dataclass(frozen=True, slots=True)
class TrainedTask:
    """A task: return the trained state of the run of this generation. Also the answer, with that state."""

    generation: int
    trained: Trained | None = None
    """None if no step was taken, or another run was requested meanwhile."""
    failure: Failure[Spec] | None = None
    """The reason if there is no state."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The engine is loaded, with the devices of this machine as (name, label); or the reason why it failed to load."""

    devices: tuple[tuple[str, str], ...] = ()
    problem: Text = Text()  # noqa: RUF009 - frozen


Message = Ready | TrainedTask | Ahead | SideProgress | Arrival
"""A message from the worker to the window."""


class Mailbox:
    """Holds, under one lock, the newest request of each kind, and the last message of each kind not yet taken."""

    def __init__(self, answered: Callable[[], object] = lambda: None) -> None:
        """``answered`` is called, by the worker, for the first message after each request of the window."""
        self._changed = threading.Condition()
        self._answered = answered
        self._asked = False  # whether no message has come since the last request
        self.watched: dict[str, str] = {}
        """The stage that the window shows of each lab; the worker prepares its colours before it delivers a trace."""
        self.closed = False
        self.playback = Playback()
        """The playback state of the newest run. It is frozen, so either thread may read it without the lock."""
        self._newest = 0  # the generation of the newest request
        self._gesture = 0  # the first generation whose traces may still be shown
        self._request: Request | None = None
        self._side: SideRun | None = None  # the wanted one, until its results are taken
        self._side_begun = False
        self._trained_wanted: TrainedTask | None = None
        self._arrival: Arrival | None = None
        self._beside: Message | None = None  # the results or the progress of the side run
        self._ahead: Ahead | None = None
        self._others: list[Message] = []
        self._idle = False  # whether the worker waits for a message
        self._end_taken = True  # whether the window was told that the run has ended

    # The window's side.

    def submit(self, request: Request) -> None:
        """Request a run in place of any other."""
        with self._changed:
            self._request = request
            self._newest, self._gesture = request.generation, request.gesture
            self.playback = self.playback.submit(paused=request.paused, target=request.target)
            self._side = self._beside = self._ahead = None
            if self._arrival is not None and not self._may_show(self._arrival):
                self._arrival = None
            self._wake_worker()

    def play(self, change: Transition) -> None:
        """Change the playback state of the newest run."""
        with self._changed:
            self.playback = change(self.playback)
            self._wake_worker()

    def want(self, task: SideRun | TrainedTask | Ahead) -> None:
        """Request another task in place of the last one of its kind.

        A side run is refused while a run is pending (it is requested again when that has settled); a trained state is
        returned after any pending run; a trace for later is computed when the worker is idle, unless another run is
        requested.
        """
        with self._changed:
            match task:
                case TrainedTask():
                    self._trained_wanted = task
                case Ahead():
                    self._ahead = task
                case SideRun() if self._request is None:
                    self._side, self._side_begun, self._beside = task, False, None
            self._wake_worker()

    def cancel_side(self) -> None:
        """Cancel the side run."""
        with self._changed:
            self._side = self._beside = None

    def close(self) -> None:
        """Let the worker end."""
        with self._changed:
            self.closed = True
            self._wake_worker()

    @property
    def busy(self) -> bool:
        """Whether a run is pending, has not ended, or has a result that the window has not taken."""
        with self._changed:
            return self._arrival is not None or not self._over

    @property
    def busy_beside(self) -> bool:
        """Whether a side run is pending or being computed, or has results that the window has not taken."""
        return self._side is not None

    @property
    def quiet(self) -> bool:
        """Whether no message will arrive until the window requests something."""
        with self._changed:
            waiting = (self._request, self._side, self._trained_wanted, self._ahead, self._arrival, *self._others)
            told = self._end_taken or not self._over
            return self._idle and told and self.playback.seeking is None and not any(waiting)

    def take(self) -> list[Message]:
        """Return the messages since the last call, that of the run last, since showing it may request a side run."""
        with self._changed:
            taken: list[Message] = [*self._others] if self._beside is None else [*self._others, self._beside]
            if isinstance(self._beside, Arrival):
                self._side = None
            arrival, over = self._arrival, self._over
            if arrival is None and over and not self._end_taken:
                arrival = Arrival(self._newest)
            if arrival is not None:
                taken.append(replace(arrival, finished=over and arrival.generation == self._newest))
            self._arrival, self._beside, self._others, self._end_taken = None, None, [], over
            return taken

    @property
    def _over(self) -> bool:
        return self._request is None and self.playback.phase is Phase.OVER

    def _wake_worker(self) -> None:
        """Wake the worker; it does not count as idle until it has looked for its next task."""
        self._idle, self._asked = False, True
        self._changed.notify_all()

    def _may_show(self, arrival: Arrival) -> bool:
        """Return whether an arrival belongs to the newest request, or is a trace from earlier in the same gesture."""
        if arrival.generation == self._newest:
            return True
        return not isinstance(arrival.event, Failure) and arrival.generation >= self._gesture

    # The worker's side.

    def post(self, message: Message, side: SideRun | None = None) -> None:
        """Post a message that is not about the run; nothing if it is of a side run that was cancelled."""
        with self._changed:
            if side is None:
                self._others.append(message)
            elif self.is_side_cancelled(side):
                return
            else:
                self._beside = message
            answers = self._is_answer()
        if answers:
            self._answered()

    def next_task(self) -> Request | SideRun | TrainedTask | Ahead | Show | Due | None:
        """Wait for the next task and return it; None when the window closes."""
        with self._changed:
            while not self.closed:
                now = time.monotonic()
                if self._request is not None:
                    request, self._request = self._request, None
                    self.playback = self.playback.begin(now)
                    return request
                if self._trained_wanted is not None:
                    wanted, self._trained_wanted = self._trained_wanted, None
                    return wanted
                if self._side is not None and not self._side_begun:
                    self._side_begun = True
                    return self._side
                due = self.playback.due(now)
                if isinstance(due, Due | Show):
                    self.playback = self.playback.do(due, now)
                    return due
                if self._ahead is not None and due is None:
                    ahead, self._ahead = self._ahead, None
                    return ahead
                self._idle = due is None
                self._changed.wait(due)
            return None

    @property
    def unseen(self) -> bool:
        """Whether the window has not taken the last delivery yet."""
        return self._arrival is not None

    def target_of(self, request: Request) -> Cursor:
        """Return the target cursor of a run; the window may have changed it since the request."""
        return self.playback.target if request.generation == self._newest else request.target

    def is_cancelled(self, request: Request) -> bool:
        """Return whether a run must take no further step: it was stopped, or a newer one was requested."""
        return self.closed or self.playback.stopped or request.generation != self._newest

    @property
    def is_wanted(self) -> bool:
        """Whether there is a task that the window waits for."""
        now = time.monotonic()
        pending = (self._request, self._trained_wanted, None if self._side_begun else self._side)
        return self.closed or any(each is not None for each in pending) or self.playback.due(now) is not None

    def pause(self, request: Request, seconds: float) -> None:
        """Pause a run for some seconds, or until it is cancelled."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_cancelled(request), seconds)

    def is_elsewhere_wanted(self, request: Request) -> bool:
        """Return whether a run must not continue to a cursor requested before: another one was, or it is cancelled."""
        return self.is_cancelled(request) or self.playback.seeking is not None

    def must_give_way(self, request: Request) -> bool:
        """Return whether a run that has shown nothing yet must end: at once if stopped, else after `PATIENCE_S`.

        While a slider is dragged, every change requests a run; each run gets this time to show its first trace.
        """
        if not self.is_cancelled(request):
            return False
        at_once = self.closed or self.playback.stopped or request.generation < self._gesture
        return at_once or time.monotonic() - request.asked_at > PATIENCE_S

    def deliver(self, arrival: Arrival, change: Transition | None = None) -> None:
        """Put the newest event into its slot and change the playback state; the window sees both together."""
        answers = False
        with self._changed:
            newest = arrival.generation == self._newest
            if change is not None and newest:
                self.playback = change(self.playback)
                self._end_taken = False
            if arrival.event is not None and self._may_show(arrival):
                waiting = self._arrival
                if isinstance(arrival.event, Failure) and arrival.before is None and waiting is not None:
                    same = waiting.generation == arrival.generation
                    arrival = replace(arrival, before=waiting.event) if same else arrival
                self._arrival = arrival
            if newest:
                answers = self._is_answer()
        if answers:
            self._answered()

    def _is_answer(self) -> bool:
        """Return whether this is the first message after a request; the window polls for further ones.

        The window is notified without the lock, since a signal takes locks of Qt's.
        """
        answers, self._asked = self._asked and not self.closed, False
        return answers

    def is_side_cancelled(self, side: SideRun) -> bool:
        """Return whether a side run was cancelled or replaced."""
        return self.closed or side is not self._side
