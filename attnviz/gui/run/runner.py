"""The worker thread, and the window's end of it: the newest request goes in, the newest trace comes out."""

import time

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from attnviz.experiment.labs import Asked, Spec
from attnviz.experiment.run import Cursor
from attnviz.gui.run.mailbox import Change, Mailbox, Request, SideRun
from attnviz.gui.run.playback import Playback
from attnviz.gui.run.worker import serve

FRAME_MS = 16
LONGEST_FRAME_MS = 60
LONGEST_AT_FULL_PACE_MS = 300
"""While a training goes as fast as it can, the window takes a tenth of the time; else as much as the worker does."""
SOON_MS = 4
"""How long it takes to look for the result of a request, and to look again: most runs are over in a few of these."""
UNSEEN_MS = 500
"""How long the engine waits for a window that is not painted, for it was opened as an icon."""
PATIENCE_MS = 5_000
"""How long the worker may take to end; it holds nothing that would be lost with it."""
STACK_BYTES = 16 << 20  # macOS gives a thread 512 KiB, less than torch's kernels may want


class _Thread(QThread):
    """The one thread of the engine."""

    def __init__(self, mailbox: Mailbox) -> None:
        super().__init__()
        self.setObjectName("attnviz engine")
        self.setStackSize(STACK_BYTES)
        self._mailbox = mailbox

    def run(self) -> None:
        """Work until the mailbox closes."""
        serve(self._mailbox)


class Runner(QObject):
    """The window's end of the worker: requests go in by method, results come out by signal, newest only."""

    ready = Signal(object)
    """`Ready`, once."""
    arrived = Signal(object)
    """`Arrival`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mailbox = Mailbox()
        self._worker = _Thread(self._mailbox)
        self.generation = 0
        """The number of the newest request."""
        self._begun = False
        self._broken = False  # without an engine nothing runs
        self._side_number = 0
        self.busy_beside = False
        """Whether something is computed beside the run."""
        self._frame_began = self._frame_cost = 0.0
        self._asked_at = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._take)
        self._unseen = QTimer(self)
        self._unseen.setSingleShot(True)
        self._unseen.setInterval(UNSEEN_MS)
        self._unseen.timeout.connect(self.begin)

    @property
    def busy(self) -> bool:
        """Whether the engine is loading for a run, or a run is not over yet."""
        return not self._broken and self._mailbox.busy

    @property
    def playback(self) -> Playback:
        """How the newest run is played."""
        return self._mailbox.playback

    def start(self) -> None:
        """Let the worker begin soon; a window that is painted says so before."""
        self._unseen.start()

    def submit(
        self,
        spec: Spec,
        *,
        target: Cursor | None = None,
        paused: bool = False,
        afresh: bool = False,
        gesture: int | None = None,
    ) -> int:
        """Ask for a run, in place of any that waits or runs; return its generation number.

        Args:
            spec: what to run.
            target: the step that a training is shown from; None is where it was left, if it was.
            paused: whether it waits there.
            afresh: whether it begins anew, also where it was left.
            gesture: the generation that a gesture began with, whose traces are shown until this one's are there.
        """
        self.generation += 1
        self._asked_at = time.monotonic()
        first = self.generation if gesture is None else gesture
        if not self._broken:
            self._mailbox.submit(Request(self.generation, spec, first, target, paused, afresh, self._asked_at))
            self.busy_beside = False
            self._wake()
        return self.generation

    def submit_side(self, asked: tuple[Asked, ...]) -> None:
        """Ask for something to be shown beside the newest run, in place of what was asked before."""
        self._side_number += 1
        # Where a run waits to begin, it asks again for what it needs.
        self.busy_beside = self._mailbox.submit_side(SideRun(self.generation, self._side_number, asked))
        self._wake()

    def play(self, change: Change) -> None:
        """Change how the newest run is played: pause it, let it take a step, show another place of it, ..."""
        self._mailbox.play(change)
        self._wake()

    def stop(self) -> None:
        """End the run at hand after its step, and what goes on beside it; what it has produced stays."""
        self._mailbox.cancel_side()
        self.busy_beside = False
        self.play(Playback.stop)

    def watch(self, stage: str) -> None:
        """Say which stage is shown of the traces to come; "" is the one that is shown first."""
        self._mailbox.watched = stage

    def set_pace(self, steps_per_second: float | None) -> None:
        """Limit how fast training steps follow each other; None is as fast as they come."""
        seconds = 1 / steps_per_second if steps_per_second else 0.0
        self.play(lambda playback: playback.at_pace(seconds))

    def close(self, timeout_ms: int | None = None) -> bool:
        """End the worker; return False if it is still inside one long operation after the timeout, or `PATIENCE_MS`."""
        self._timer.stop()
        self._unseen.stop()
        self._mailbox.close()
        return not self._worker.isRunning() or self._worker.wait(PATIENCE_MS if timeout_ms is None else timeout_ms)

    @Slot()
    def begin(self) -> None:
        """Start the worker, which first loads the engine.

        Loading torch needs the interpreter, and so does painting: beside each other the first picture took 0.3 s more.
        """
        self._unseen.stop()
        if not self._mailbox.closed and not self._begun:
            self._begun = True
            self._worker.start()
            self._wake()

    @Slot()
    def _note_frame(self) -> None:
        """Note what a picture costs the window: the worker, which needs the interpreter too, stands still meanwhile."""
        self._frame_cost = time.perf_counter() - self._frame_began

    @property
    def _frame_ms(self) -> int:
        share, longest = (0.5, LONGEST_FRAME_MS) if self.playback.pace else (0.1, LONGEST_AT_FULL_PACE_MS)
        return max(FRAME_MS, min(longest, round(1e3 * self._frame_cost / share)))

    def _wake(self) -> None:
        """Look soon for what comes in; a timer started anew with each of many requests would never ring."""
        if not self._timer.isActive() or self._timer.remainingTime() > SOON_MS:
            self._timer.start(SOON_MS)

    @Slot()
    def _take(self) -> None:
        ready, arrival, side = self._mailbox.take()
        awaited = arrival is None and time.monotonic() - self._asked_at < FRAME_MS * 2e-3
        self._timer.setInterval(SOON_MS if awaited else self._frame_ms)
        self._frame_began = time.perf_counter()
        if ready is not None:
            self._broken = bool(ready.problem)
            self.ready.emit(ready)
        for each in (side, arrival):  # a trace may ask for more beside it, which then is what is waited for
            if each is None:
                continue
            if each is side:
                self.busy_beside = False
            self.arrived.emit(each)
            QTimer.singleShot(0, self, self._note_frame)  # which comes after what has been painted
        # A run that is paused is not over, and yet nothing comes of it; without an engine nothing ever does.
        if self._mailbox.quiet or not self._worker.isRunning():
            self._timer.stop()
