"""What lies between the window and its worker: one slot for a request, one for what came of it, and the brakes."""

import threading
import time
from dataclasses import dataclass, replace

from attnviz.experiment.labs import Event, Spec


@dataclass(frozen=True, slots=True)
class Request:
    """One run to carry out; it captures everything that the worker needs to know."""

    generation: int
    spec: Spec
    paused: bool = False
    beside: tuple[Spec, ...] = ()
    """Where there are any, these are run, to be shown beside the spec's own trace, and the spec is not run again."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came out of a request: its newest event, and whether the run is over."""

    generation: int
    event: Event | None
    finished: bool
    beside: tuple[Event, ...] = ()
    """The last event of each run that was asked for beside the spec's own."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has loaded the engine: what this machine can run on. Or it could not, and says why."""

    devices: tuple[tuple[str, str], ...] = ()
    problem: str = ""


class Mailbox:
    """Everything the two threads share, under one lock. A newer request displaces one that waits."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._request: Request | None = None
        self._arrival: Arrival | None = None
        self._ready: Ready | None = None
        self._newest = 0
        self._stopped = 0  # generations up to this one are to end
        self._paused = False
        self._steps = 0
        self._pause_between = 0.0
        self._closed = False

    # The window's side.

    def submit(self, request: Request) -> None:
        """Ask for a run in place of any other."""
        with self._changed:
            self._request, self._newest = request, request.generation
            self._paused, self._steps = request.paused, 0
            self._arrival = None
            self._changed.notify_all()

    def submit_beside(self, request: Request) -> None:
        """Ask for runs beside the newest, unless a newer one waits already."""
        with self._changed:
            if self._request is None:  # a newer spec goes first, and will ask again
                self._stopped = min(self._stopped, request.generation - 1)  # a Stop was for what ran before
                self._request = request
                self._changed.notify_all()

    def stop(self) -> None:
        """End every run asked for so far."""
        with self._changed:
            self._stopped = self._newest
            self._changed.notify_all()

    def pause(self, paused: bool) -> None:
        """Hold the run between two steps, or let it go on."""
        with self._changed:
            self._paused, self._steps = paused, 0
            self._changed.notify_all()

    def step(self) -> None:
        """Let a paused run take one step more."""
        with self._changed:
            self._paused = True
            self._steps += 1
            self._changed.notify_all()

    def pace(self, steps_per_second: float | None) -> None:
        """Limit how fast steps follow each other."""
        with self._changed:
            self._pause_between = 1 / steps_per_second if steps_per_second else 0.0
            self._changed.notify_all()

    def close(self) -> None:
        """Let the worker end."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def take(self) -> tuple[Ready | None, Arrival | None]:
        """Return what has come in since the last call."""
        with self._changed:
            ready, arrival = self._ready, self._arrival
            self._ready = self._arrival = None
            return ready, arrival

    # The worker's side.

    def announce(self, ready: Ready) -> None:
        """Say that the engine is loaded, or cannot be."""
        with self._changed:
            self._ready = ready

    def next_request(self) -> Request | None:
        """Return the newest request, waiting for one; None when the window closes."""
        with self._changed:
            self._changed.wait_for(lambda: self._request is not None or self._closed)
            request, self._request = self._request, None
            return None if self._closed else request

    def over(self, generation: int) -> bool:
        """Return whether nobody waits for this run any more."""
        return self._closed or generation != self._newest or generation <= self._stopped

    def may_step(self, generation: int, since: float) -> bool:
        """Wait until the next step is due; False when the run is over."""
        with self._changed:
            while not self.over(generation):
                if self._paused and self._steps == 0:
                    self._changed.wait()
                    continue
                left = 0.0 if self._paused else since + self._pause_between - time.monotonic()
                if left <= 0:
                    self._steps = max(0, self._steps - 1)
                    return True
                self._changed.wait(left)
            return False

    def deliver(self, arrival: Arrival) -> None:
        """Put the newest event into the slot; an end without an event does not displace an event before it."""
        with self._changed:
            if arrival.generation != self._newest:
                return
            waiting = self._arrival
            if arrival.event is None and waiting is not None:
                arrival = replace(waiting, finished=arrival.finished)
            self._arrival = arrival
