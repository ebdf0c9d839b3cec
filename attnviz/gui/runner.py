"""One worker thread between the window and the engine: the newest request goes in, the newest trace comes out."""

import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Event, Spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    RunFunction = Callable[..., Iterator[Event]]

FRAME_MS = 16
STACK_BYTES = 16 << 20  # macOS gives a thread 512 KiB, less than torch's kernels may want


@dataclass(frozen=True, slots=True)
class Request:
    """One run to carry out; it captures everything that the worker needs to know."""

    generation: int
    spec: Spec
    paused: bool = False


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came out of a request: its newest event, and whether the run is over."""

    generation: int
    event: Event | None
    finished: bool


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has loaded the engine: what this machine can run on. Or it could not, and says why."""

    devices: tuple[tuple[str, str], ...] = ()
    problem: str = ""


class _Mailbox:
    """Everything the two threads share, under one lock: one request slot, one arrival slot, and the brakes."""

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
        with self._changed:
            self._request, self._newest = request, request.generation
            self._paused, self._steps = request.paused, 0
            self._arrival = None
            self._changed.notify_all()

    def stop(self) -> None:
        with self._changed:
            self._stopped = self._newest
            self._changed.notify_all()

    def pause(self, paused: bool) -> None:
        with self._changed:
            self._paused, self._steps = paused, 0
            self._changed.notify_all()

    def step(self) -> None:
        with self._changed:
            self._paused = True
            self._steps += 1
            self._changed.notify_all()

    def pace(self, steps_per_second: float | None) -> None:
        with self._changed:
            self._pause_between = 1 / steps_per_second if steps_per_second else 0.0
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def take(self) -> tuple[Ready | None, Arrival | None]:
        with self._changed:
            ready, arrival = self._ready, self._arrival
            self._ready = self._arrival = None
            return ready, arrival

    # The worker's side.

    def announce(self, ready: Ready) -> None:
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


class _Worker(QThread):
    """Loads the engine, then serves one request after the other until the window closes."""

    def __init__(self, mailbox: _Mailbox) -> None:
        super().__init__()
        self.setObjectName("attnviz engine")
        self.setStackSize(STACK_BYTES)
        self._mailbox = mailbox

    def run(self) -> None:
        """Work until the mailbox closes."""
        try:
            from attnviz.engine.devices import devices
            from attnviz.engine.run import run
            from attnviz.engine.threads import leave_a_core_for_the_window

            leave_a_core_for_the_window()
            self._mailbox.announce(Ready(tuple((device.name, device.label) for device in devices())))
        except Exception as error:
            # Whatever keeps torch from loading (missing, broken, wrong libraries), the window must live and say so.
            self._mailbox.announce(Ready(problem=f"PyTorch cannot be loaded: {error}"))
            return
        while (request := self._mailbox.next_request()) is not None:
            self._serve(request, run)

    def _serve(self, request: Request, run: "RunFunction") -> None:
        generation = request.generation
        try:
            events = run(request.spec, should_stop=lambda: self._mailbox.over(generation), untrained_first=True)
            for event in events:
                last = isinstance(event, Failure) or event.final
                if not isinstance(event, Failure):
                    event.prepare()
                self._mailbox.deliver(Arrival(generation, event, last))
                if last or not self._mailbox.may_step(generation, since=time.monotonic()):
                    break
        except Exception as error:
            # A defect of ours: the picture on screen stays, the user is told, the worker lives on.
            sentence = f"the run failed unexpectedly: {type(error).__name__}: {error}"
            self._mailbox.deliver(Arrival(generation, Failure(request.spec, "internal", sentence), finished=True))
        self._mailbox.deliver(Arrival(generation, None, finished=True))


class Runner(QObject):
    """The window's end of the worker: requests go in by method, results come out by signal, newest only."""

    ready = Signal(object)
    """`Ready`, once."""
    arrived = Signal(object)
    """`Arrival`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mailbox = _Mailbox()
        self._worker = _Worker(self._mailbox)
        self._generation = 0
        self._busy = True  # loading counts
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._take)

    @property
    def busy(self) -> bool:
        """Whether the engine is loading, or a run is not over yet."""
        return self._busy

    @property
    def generation(self) -> int:
        """The number of the newest request."""
        return self._generation

    def start(self) -> None:
        """Start the worker, which first loads the engine."""
        self._worker.start()
        self._timer.start()

    def submit(self, spec: Spec, *, paused: bool = False) -> int:
        """Ask for a run, in place of any that waits or runs; return its generation number."""
        self._generation += 1
        self._mailbox.submit(Request(self._generation, spec, paused))
        self._busy = True
        self._timer.start()
        return self._generation

    def stop(self) -> None:
        """End the run at hand after its step; what it has produced stays."""
        self._mailbox.stop()

    def pause(self, paused: bool) -> None:
        """Hold the run between two steps, or let it go on."""
        self._mailbox.pause(paused)

    def step(self) -> None:
        """Let a paused run take one step."""
        self._mailbox.step()

    def set_pace(self, steps_per_second: float | None) -> None:
        """Limit how fast training steps follow each other; None is as fast as they come."""
        self._mailbox.pace(steps_per_second)

    def close(self, timeout_ms: int = 15_000) -> bool:
        """End the worker; return False if it is still inside one long operation after the timeout."""
        self._timer.stop()
        self._mailbox.close()
        return not self._worker.isRunning() or self._worker.wait(timeout_ms)

    @Slot()
    def _take(self) -> None:
        ready, arrival = self._mailbox.take()
        if ready is not None:
            if ready.problem or self._generation == 0:
                self._rest()
            self.ready.emit(ready)
        if arrival is not None:
            if arrival.finished:
                self._rest()
            self.arrived.emit(arrival)

    def _rest(self) -> None:
        self._busy = False
        self._timer.stop()
