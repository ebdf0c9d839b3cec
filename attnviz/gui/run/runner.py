"""One worker thread between the window and the engine: the newest request goes in, the newest trace comes out."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Asked, Event, Spec
from attnviz.gui.run.mailbox import Mailbox
from attnviz.gui.run.player import LookBack, Player, RunFunction
from attnviz.gui.run.requests import Beside, LookAt, Ready, Request, Turn
from attnviz.log import first_line, note_defect

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
            from attnviz.engine.failures import failure_of
            from attnviz.engine.run import look_back, run
            from attnviz.engine.threads import take_cores_for

            self._mailbox.announce(Ready(tuple((device.name, device.label) for device in devices())))
        except BaseException as error:
            # Whatever keeps torch from loading (missing, broken, wrong libraries), the window must live and say so.
            self._mailbox.announce(Ready(problem=f"PyTorch cannot be loaded: {first_line(error)}"))
            note_defect("PyTorch cannot be loaded", error)
            return
        self._work(_Engine(run, look_back, failure_of, take_cores_for))

    def _work(self, engine: "_Engine") -> None:
        player: Player | None = None
        while (turn := self._mailbox.next_turn()) is not None:
            if isinstance(turn, Beside):
                self._run_beside(turn, engine)
                continue
            if isinstance(turn, Request):
                if player is not None:
                    player.close()
                player = Player(turn, self._mailbox, engine.run, engine.look_back)
            if player is None:
                continue
            try:
                engine.take_cores_for(player.request.spec)
                _play(player, turn)
            except BaseException as error:
                # A defect of ours, or no memory for the colours: the picture on screen stays, the user is told, the
                # worker lives on. A thread has no Ctrl+C and no exit that an error could stand for.
                player.fail(engine.failure_of(player.request.spec, error))

    def _run_beside(self, beside: Beside, engine: "_Engine") -> None:
        """Run everything that is asked for, each to its last event, and deliver them together."""
        found: list[Event] = []
        for asked in beside.asked:
            last: Event | None = None
            try:
                engine.take_cores_for(asked)
                for event in engine.run(asked, should_stop=lambda: self._mailbox.beside_over(beside)):
                    last = event
                if last is not None and not isinstance(last, Failure):
                    last.prepare()
            except BaseException as error:  # it fails alone: what else is asked for is shown
                last = engine.failure_of(asked, error)
            if last is None:
                return  # nobody waits for it any more
            found.append(last)
        self._mailbox.deliver_beside(beside, tuple(found))


class _Engine(NamedTuple):
    """The functions of the engine that the worker calls, once it is loaded."""

    run: RunFunction
    look_back: LookBack
    failure_of: Callable[[Asked, BaseException], Failure[Any]]
    take_cores_for: Callable[[Asked], None]


def _play(player: Player, turn: Request | LookAt | Turn) -> None:
    if isinstance(turn, Request):
        player.play()
    elif isinstance(turn, LookAt):
        player.look(turn.step)
    elif turn is Turn.STEP:
        player.advance()
    else:
        player.end()


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
        self._begun = False
        self._busy = True  # loading counts
        self._busy_beside = False
        self._besides = 0
        self._frame_began = self._frame_cost = 0.0
        self._asked_at = 0.0
        self._at_full_pace = False
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._take)
        self._unseen = QTimer(self)
        self._unseen.setSingleShot(True)
        self._unseen.setInterval(UNSEEN_MS)
        self._unseen.timeout.connect(self.begin)

    @property
    def busy(self) -> bool:
        """Whether the engine is loading, or a run is not over yet."""
        return self._busy

    @property
    def busy_beside(self) -> bool:
        """Whether something is computed beside the run."""
        return self._busy_beside

    @property
    def generation(self) -> int:
        """The number of the newest request."""
        return self._generation

    def start(self) -> None:
        """Let the worker begin soon; a window that is painted says so before."""
        self._unseen.start()

    def submit(self, spec: Spec, *, paused: bool = False, from_step: int = 0, gesture: int | None = None) -> int:
        """Ask for a run, in place of any that waits or runs; return its generation number.

        ``from_step`` is the step that a training is shown from; ``gesture`` the generation that a turn of a knob began
        with, whose traces are shown as they come until this one is there.
        """
        self._generation += 1
        self._asked_at = time.monotonic()
        request = Request(self._generation, spec, paused, from_step, self._asked_at)
        self._mailbox.submit(request, self._generation if gesture is None else gesture)
        self._busy, self._busy_beside = True, False
        self._wake()
        return self._generation

    def submit_beside(self, asked: tuple[Asked, ...]) -> None:
        """Ask for something to be shown beside the newest run, in place of what was asked before."""
        self._besides += 1
        # Where a run waits to begin, it asks again for what it needs.
        self._busy_beside = self._mailbox.submit_beside(Beside(self._generation, self._besides, asked))
        self._wake()

    def look(self, step: int) -> bool:
        """Pause a training and show it as it was after a step; return False where another run waits to begin."""
        taken = self._mailbox.look(step)
        self._wake()
        return taken

    def resume(self, *, paused: bool = False) -> None:
        """Let a training that is over, or was looked back on, go on from the step that is shown."""
        self._mailbox.resume(paused=paused)
        self._busy = True
        self._wake()

    def stop(self) -> None:
        """End the run at hand after its step, and what goes on beside it; what it has produced stays."""
        self._mailbox.stop()
        self._busy_beside = False
        self._wake()

    def pause(self, paused: bool) -> None:
        """Hold the run between two steps, or let it go on."""
        self._mailbox.pause(paused)
        self._wake()

    def step(self) -> None:
        """Let a paused run take one step."""
        self._mailbox.step()
        self._wake()

    def watch(self, stage: str) -> None:
        """Say which stage is shown of the traces to come; "" is the one that is shown first."""
        self._mailbox.watched = stage

    def set_pace(self, steps_per_second: float | None) -> None:
        """Limit how fast training steps follow each other; None is as fast as they come."""
        self._at_full_pace = steps_per_second is None
        self._mailbox.pace(steps_per_second)
        self._wake()

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
        share, longest = (0.1, LONGEST_AT_FULL_PACE_MS) if self._at_full_pace else (0.5, LONGEST_FRAME_MS)
        return max(FRAME_MS, min(longest, round(1e3 * self._frame_cost / share)))

    def _wake(self) -> None:
        """Look soon for what comes in; a timer started anew with each of many requests would never ring."""
        if not self._timer.isActive() or self._timer.remainingTime() > SOON_MS:
            self._timer.start(SOON_MS)

    @Slot()
    def _take(self) -> None:
        ready, arrival, beside = self._mailbox.take()
        awaited = arrival is None and time.monotonic() - self._asked_at < FRAME_MS * 2e-3
        self._timer.setInterval(SOON_MS if awaited else self._frame_ms)
        self._frame_began = time.perf_counter()
        if ready is not None:
            if ready.problem or self._generation == 0:
                self._busy = False
            self.ready.emit(ready)
        for each in (beside, arrival):  # a trace may ask for more beside it, which then is what is waited for
            if each is None:
                continue
            if each is beside:
                self._busy_beside = False
            elif each.generation == self._generation and each.finished:
                self._busy = False
            self.arrived.emit(each)
            QTimer.singleShot(0, self, self._note_frame)  # which comes after what has been painted
        # A run that is paused is not over, and yet nothing comes of it; without an engine nothing ever does.
        if self._mailbox.quiet or not self._worker.isRunning():
            self._timer.stop()
