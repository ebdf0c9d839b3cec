"""One worker thread between the window and the engine: the newest request goes in, the newest trace comes out."""

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Event, Spec
from attnviz.gui.mailbox import Arrival, Mailbox, Ready, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    RunFunction = Callable[..., Iterator[Event]]

FRAME_MS = 16
STACK_BYTES = 16 << 20  # macOS gives a thread 512 KiB, less than torch's kernels may want


class _Worker(QThread):
    """Loads the engine, then serves one request after the other until the window closes."""

    def __init__(self, mailbox: Mailbox) -> None:
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
            if request.beside:
                self._serve_beside(request, run)
                return
            events = run(request.spec, should_stop=lambda: self._mailbox.over(generation), untrained_first=True)
            for event in events:
                last = isinstance(event, Failure) or event.final
                if not isinstance(event, Failure):
                    event.prepare()
                self._mailbox.deliver(Arrival(generation, event, last))
                if last:
                    return
                if not self._mailbox.may_step(generation, since=time.monotonic()):
                    break
        except Exception as error:
            # A defect of ours: the picture on screen stays, the user is told, the worker lives on.
            sentence = f"the run failed unexpectedly: {type(error).__name__}: {error}"
            self._mailbox.deliver(Arrival(generation, Failure(request.spec, "internal", sentence), finished=True))
            return
        # The run was ended before its last event. One word of the end is enough: after it another request may be under
        # way, which a second would end.
        self._mailbox.deliver(Arrival(generation, None, finished=True))

    def _serve_beside(self, request: Request, run: "RunFunction") -> None:
        """Run every spec that is asked for, to its last event, and deliver them together."""
        generation, found = request.generation, []
        for spec in request.beside:
            for event in run(spec, should_stop=lambda: self._mailbox.over(generation)):
                last = event
            if self._mailbox.over(generation):
                break
            if not isinstance(last, Failure):
                last.prepare()
            found.append(last)
        complete = tuple(found) if len(found) == len(request.beside) else ()
        self._mailbox.deliver(Arrival(generation, None, finished=True, beside=complete))


class Runner(QObject):
    """The window's end of the worker: requests go in by method, results come out by signal, newest only."""

    ready = Signal(object)
    """`Ready`, once."""
    arrived = Signal(object)
    """`Arrival`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mailbox = Mailbox()
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

    def submit_beside(self, spec: Spec, beside: tuple[Spec, ...]) -> None:
        """Ask for further runs to be shown beside the newest one, once that is over; a newer spec displaces them."""
        if not self._busy:
            self._mailbox.submit_beside(Request(self._generation, spec, beside=beside))
            self._busy = True
            self._timer.start()

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
