"""The worker thread and the window's interface to it: the newest request in, the newest trace out."""

import time

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from attnviz.gui.run.mailbox import Ahead, Arrival, Mailbox, Ready, Request, SideRun, TrainedTask, Transition
from attnviz.gui.run.playback import Playback
from attnviz.gui.run.worker import serve

FRAME_MS = 16
LONGEST_FRAME_MS = 60
LONGEST_AT_FULL_PACE_MS = 330
"""The longest time between frames at full speed, where drawing takes a twelfth of the time; at a limited pace it takes
half."""
UNSEEN_MS = 500
"""The time in milliseconds that the engine waits for the first paint: a minimised window is not painted."""
PATIENCE_MS = 5_000
"""The time in milliseconds for the worker to end; it holds no unsaved data."""
STACK_BYTES = 16 << 20  # macOS gives a thread 512 KiB, less than torch's kernels may need


class _Thread(QThread):
    """The engine's thread."""

    answered = Signal()
    """The first message after a request is in the mailbox."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("attnviz engine")
        self.setStackSize(STACK_BYTES)
        self.mailbox = Mailbox(self.answered.emit)

    def run(self) -> None:
        """Work until the mailbox closes."""
        serve(self.mailbox)


class Runner(QObject):
    """The window's interface to the worker: requests by method, results by signal, only the newest of each."""

    arrived = Signal(object)
    """A `Message` of the mailbox; `Ready` is the first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = _Thread()
        self._worker.answered.connect(self._take)  # polling for an answer would take a core from the run
        self.mailbox = self._worker.mailbox
        """Holds the playback state of the newest run."""
        self.generation = 0
        """The number of the newest request."""
        self._begun = False
        self._broken = False  # without an engine nothing runs
        self._frame_began = self._frame_cost = 0.0
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._take)
        self._unseen = QTimer(self, singleShot=True, interval=UNSEEN_MS)
        self._unseen.timeout.connect(self.begin)

    @property
    def busy(self) -> bool:
        """Whether the engine is loading for a run, or a run has not ended yet."""
        return not self._broken and self.mailbox.busy

    def start(self) -> None:
        """Start the worker after `UNSEEN_MS`; a window that is painted earlier calls `begin`."""
        self._unseen.start()

    def submit(self, request: Request) -> None:
        """Request a run, whose generation is the next one."""
        self.generation = request.generation
        if not self._broken:
            self.mailbox.submit(request)
            self._wake()

    def want(self, task: SideRun | TrainedTask | Ahead) -> None:
        """Request another task, see `Mailbox.want`."""
        if not self._broken:
            self.mailbox.want(task)
            self._wake()

    def play(self, change: Transition) -> None:
        """Change the playback state of the newest run: pause, take a step, show another cursor, ..."""
        self.mailbox.play(change)
        self._wake()

    def stop(self) -> None:
        """Stop the run after its current step and cancel its side run; the last trace stays."""
        self.mailbox.cancel_side()
        self.play(Playback.stop)

    @Slot(str, str)
    def watch(self, lab: str, stage: str) -> None:
        """Set which stage of a lab's next traces is shown, so that the worker prepares its colours."""
        self.mailbox.watched[lab] = stage

    def close(self, timeout_ms: int | None = None) -> bool:
        """End the worker; return False if it is still in a long operation after the timeout (default `PATIENCE_MS`)."""
        self._timer.stop()
        self._unseen.stop()
        self.mailbox.close()
        return not self._worker.isRunning() or self._worker.wait(PATIENCE_MS if timeout_ms is None else timeout_ms)

    @Slot()
    def begin(self) -> None:
        """Start the worker, which first loads the engine.

        Loading torch and painting both need the interpreter lock: together they delayed the first picture by 0.3 s.
        """
        self._unseen.stop()
        if not self.mailbox.closed and not self._begun:
            self._begun = True
            self._worker.start()
            self._wake()

    @Slot()
    def _note_frame(self) -> None:
        """Measure the window's drawing time: it holds the interpreter lock, so the worker waits meanwhile."""
        self._frame_cost = time.perf_counter() - self._frame_began

    def _wake(self) -> None:
        """Poll for what follows the answer; a timer restarted by each of many requests would never fire."""
        if not self._timer.isActive() or self._timer.remainingTime() > FRAME_MS:
            self._timer.start(FRAME_MS)

    @Slot()
    def _take(self) -> None:
        if self.mailbox.closed:
            return  # an answer may still be on its way
        messages = self.mailbox.take()
        # Poll after the duration of a frame, and several times as much for the run.
        share, longest = (1 / 2, LONGEST_FRAME_MS) if self.mailbox.playback.pace else (1 / 12, LONGEST_AT_FULL_PACE_MS)
        self._timer.setInterval(max(FRAME_MS, min(longest, round(1e3 * self._frame_cost / share))))
        self._frame_began = time.perf_counter()
        for message in messages:
            if isinstance(message, Ready):
                self._broken = bool(message.problem)
            self.arrived.emit(message)
            if isinstance(message, Arrival):
                QTimer.singleShot(0, self, self._note_frame)  # runs after the paint events
        # A paused run has not ended but produces nothing; without an engine nothing ever arrives.
        if self.mailbox.quiet or not self._worker.isRunning():
            self._timer.stop()
