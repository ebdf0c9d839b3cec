"""What lies between the window and its worker: what is asked for, what came of it, and the brakes.

The worker asks for its next turn and gets, in this order, a new run, something to compute beside the run on screen, a
look at another step of a training, or leave to take the next step of the run at hand.
"""

import threading
import time
from dataclasses import replace

from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Event
from attnviz.gui.run.requests import Arrival, Beside, LookAt, Ready, Request, Turn

PATIENCE_S = 0.1
"""How long a run that is on its way to a step may go on without showing anything."""


class _WindowSide:
    """What the window asks for, and takes; and all that the two threads share, under one lock."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.watched = ""
        """The stage that the window shows of a trace; its colours are made before it is delivered."""
        self._request: Request | None = None
        self._beside: Beside | None = None
        self._look: LookAt | None = None
        self._arrival: Arrival | None = None
        self._beside_arrival: Arrival | None = None
        self._ready: Ready | None = None
        self._newest = 0
        self._gesture = 0  # the generation that the turn of the knob at hand began with
        self._stopped = 0  # generations up to this one are to end
        self._beside_number = 0  # of what is wanted beside the run; 0 is nothing
        self._idle = False  # whether the worker waits to be asked
        self._open = False  # whether the run at hand has steps to take
        self._at_hand: Request | None = None  # the one that the worker has
        self._hurries = False  # whether it is on its way to the step that it is shown from
        self._resumed = False  # whether a run that ended has been told to go on, and has taken no step since
        self._paused = False
        self._steps = 0
        self._pause_between = 0.0
        self._next_step_at = 0.0
        self._closed = False

    def submit(self, request: Request, gesture: int) -> None:
        """Ask for a run in place of any other; ``gesture`` is the first generation whose traces may still be shown."""
        with self._changed:
            self._request, self._newest = request, request.generation
            self._gesture = gesture
            self._paused, self._steps = request.paused, 0
            self._beside = self._look = self._beside_arrival = None
            self._beside_number = 0
            if self._arrival is not None and not self._may_show(self._arrival):
                self._arrival = None
            self._wake_worker()

    def submit_beside(self, beside: Beside) -> bool:
        """Ask for something beside the newest run; return False where a run waits to begin, which goes first."""
        with self._changed:
            if self._request is not None:
                return False
            self._beside, self._beside_number = beside, beside.number
            self._wake_worker()
            return True

    def look(self, step: int) -> bool:
        """Pause a training and show another step of it; return False where a run waits to begin, which goes first."""
        with self._changed:
            if self._request is not None:
                return False
            self._look, self._paused, self._steps, self._hurries = LookAt(step), True, 0, False
            self._wake_worker()
            return True

    def resume(self, *, paused: bool = False) -> None:
        """Let a run that was stopped, or looked back on, go on from where it is shown."""
        with self._changed:
            self._stopped, self._resumed = min(self._stopped, self._newest - 1), True
            if self._arrival is not None:  # that it was over is no longer true
                self._arrival = replace(self._arrival, finished=False)
            self._open, self._paused, self._steps = True, paused, 0
            self._wake_worker()

    def stop(self) -> None:
        """End every run asked for so far."""
        with self._changed:
            self._stopped, self._beside_number, self._beside = self._newest, 0, None
            self._wake_worker()

    def pause(self, paused: bool) -> None:
        """Hold the run between two steps, or let it go on; one that is on its way to a step is shown where it is."""
        with self._changed:
            if self._hurries:
                self._look, self._hurries = LookAt(None), False
            self._paused, self._steps = paused, 0
            self._wake_worker()

    def step(self) -> None:
        """Let a paused run take one step more."""
        with self._changed:
            self._paused, self._hurries = True, False
            self._steps += 1
            self._wake_worker()

    def pace(self, steps_per_second: float | None) -> None:
        """Limit how fast steps follow each other."""
        with self._changed:
            self._pause_between = 1 / steps_per_second if steps_per_second else 0.0
            self._wake_worker()

    @property
    def closed(self) -> bool:
        """Whether the worker is to end."""
        return self._closed

    def close(self) -> None:
        """Let the worker end."""
        with self._changed:
            self._closed = True
            self._wake_worker()

    @property
    def quiet(self) -> bool:
        """Whether nothing will come in before the window asks for something."""
        with self._changed:
            waiting = (self._request, self._beside, self._look, self._ready, self._arrival, self._beside_arrival)
            return self._idle and all(each is None for each in waiting)

    def take(self) -> tuple[Ready | None, Arrival | None, Arrival | None]:
        """Return what has come in since the last call: the engine, the newest of a run, what was asked beside it."""
        with self._changed:
            taken = self._ready, self._arrival, self._beside_arrival
            self._ready = self._arrival = self._beside_arrival = None
            return taken

    def _wake_worker(self) -> None:
        """Let the worker look what is asked of it; it is not idle until it has."""
        self._idle = False
        self._changed.notify_all()

    def _may_show(self, arrival: Arrival) -> bool:
        """Return whether an arrival is of the newest run, or a trace from earlier in the same turn of a knob."""
        if arrival.generation == self._newest:
            return True
        is_trace = arrival.event is not None and not isinstance(arrival.event, Failure)
        return is_trace and arrival.generation >= self._gesture


class Mailbox(_WindowSide):
    """Both sides; this one is the worker's. A newer request displaces one that waits."""

    def announce(self, ready: Ready) -> None:
        """Say that the engine is loaded, or cannot be."""
        with self._changed:
            self._ready = ready

    def next_turn(self) -> Request | Beside | LookAt | Turn | None:
        """Return what is due, waiting for it; None when the window closes."""
        with self._changed:
            while not self._closed:
                if self._hurries and not self.displaced(self._at_hand):
                    return Turn.STEP  # also before a newer request, as far as patience goes
                if self._request is not None:
                    request, self._request, self._open = self._request, None, True
                    self._at_hand, self._hurries = request, request.from_step > 0
                    self._next_step_at = time.monotonic() + self._pause_between
                    return request
                if self._beside is not None:
                    beside, self._beside = self._beside, None
                    return beside
                if self._look is not None:
                    look, self._look = self._look, None
                    return look
                if not self._open:
                    self._wait_to_be_asked()
                elif self.over(self._newest):
                    return Turn.END
                elif self._paused and not self._steps:
                    self._wait_to_be_asked()
                elif (left := 0.0 if self._paused else self._next_step_at - time.monotonic()) > 0:
                    self._changed.wait(left)
                else:
                    self._steps, self._resumed = max(0, self._steps - 1), False
                    self._next_step_at = time.monotonic() + self._pause_between
                    return Turn.STEP
            return None

    def _wait_to_be_asked(self) -> None:
        self._idle = True
        self._changed.wait()

    @property
    def unseen(self) -> bool:
        """Whether something that was delivered still waits for the window."""
        return self._arrival is not None

    def there(self) -> None:
        """Note that the run at hand is at the step that it is shown from."""
        with self._changed:
            self._hurries = False

    @property
    def hurries(self) -> bool:
        """Whether the run at hand is on its way to the step that it is shown from."""
        return self._hurries

    def end(self) -> bool:
        """Take no further step of the run at hand; return False where it has been told to go on meanwhile."""
        with self._changed:
            if not self._resumed:
                self._open = self._hurries = False
            return not self._resumed

    def rest(self, generation: int) -> None:
        """Take no further step of the run at hand."""
        with self._changed:
            self._hurries = False
            if generation == self._newest and self._request is None:
                self._open = False

    def over(self, generation: int) -> bool:
        """Return whether nobody waits for this run any more."""
        return self._closed or generation != self._newest or generation <= self._stopped

    def beside_over(self, beside: Beside) -> bool:
        """Return whether nobody waits any more for what was asked beside a run."""
        return self._closed or beside.number != self._beside_number

    def displaced(self, request: Request | None) -> bool:
        """Return whether a run on its way to a step is to give way: at once when it is stopped, else after a while.

        While a knob is turned every moment asks for a new run; each gets as far as patience goes.
        """
        if request is None or not self.over(request.generation):
            return False
        at_once = self._closed or request.generation <= self._stopped or request.generation < self._gesture
        return at_once or time.monotonic() - request.asked_at > PATIENCE_S

    def deliver(self, arrival: Arrival) -> None:
        """Put the newest event into its slot; an end, or a failure, does not displace the trace before it."""
        with self._changed:
            if not self._may_show(arrival):
                return
            waiting = self._arrival
            if waiting is not None and waiting.generation == arrival.generation:
                if arrival.event is None:
                    arrival = replace(waiting, finished=arrival.finished)
                elif isinstance(arrival.event, Failure):
                    arrival = replace(arrival, before=waiting.event)
            self._arrival = arrival

    def deliver_beside(self, beside: Beside, events: tuple[Event, ...]) -> None:
        """Put what was asked beside a run into its slot, unless nobody waits for it any more."""
        with self._changed:
            if beside.number == self._beside_number:
                self._beside_arrival = Arrival(beside.generation, None, finished=False, beside=events)
