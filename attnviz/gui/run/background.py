"""Work that takes longer than a frame and is no run: done in a thread of its own, its end reported in the window's."""

import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Literal

from PySide6.QtCore import QMetaMethod, QObject, QTimer, Signal, Slot

Pool = Literal["background", "files", "autosave", "exports"]
"""Which thread a job is done in: each comes to its jobs one after the other."""
POLL_MS = 16
PATIENCE_MS = 300
"""What a job may take before it is worth a word."""
AT_ONCE = 600_000
"""How many numbers may be gone through before the next frame; more are left to the other thread."""

# Exports have a thread of their own: neither a session nor a formula waits for a figure of a minute. So have the user's
# files; it is one thread, so that two saves keep their order. What is kept for the event of a crash, and what is left
# of an earlier one, does not wait for a share that has stopped answering.
_POOLS = {
    name: ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"attnviz {name}")
    for name in ("background", "files", "autosave", "exports")
}


def finish_all(timeout_s: float) -> bool:
    """Wait for the jobs of all windows, so that no save is cut short; return whether they have ended."""
    last = [pool.submit(_nothing) for pool in _POOLS.values()]  # each has one thread, which comes to it in its turn
    return not wait(last, timeout_s).not_done


def _nothing() -> None:
    pass


class Background(QObject):
    """Starts jobs and reports each one's result.

    A timer of the window's thread looks for results. A job never touches this object or any other of Qt's: emitting
    from its thread would crash whenever the window is destroyed at that moment.
    """

    done = Signal(object)
    """What a job returned."""
    failed = Signal(str)
    """Why a job ended without a result, as a sentence; a defect of ours reaches `sys.excepthook` before it.

    So does an error that nobody listens for.
    """
    lasts = Signal()
    """A job has not ended after `PATIENCE_MS`."""

    def __init__(self, parent: QObject | None = None, *, pool: Pool = "background") -> None:
        super().__init__(parent)
        self._pool = _POOLS[pool]
        self._jobs: list[Future[Any]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._report)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._lose_patience)

    @property
    def busy(self) -> bool:
        """Whether a result is still to be reported."""
        return bool(self._jobs)

    def start(self, work: Callable[[], Any], *, instead: bool = False) -> None:
        """Call ``work`` in the other thread; ``instead`` of the jobs of this object that have not begun yet."""
        if instead:
            self._jobs = [job for job in self._jobs if not job.cancel()]
        self._jobs.append(self._pool.submit(work))
        self._timer.start()
        self._patience.start()

    def finish(self, timeout_s: float) -> bool:
        """Wait for the jobs of this object; return whether they have ended. Their results are reported later."""
        return not wait(self._jobs, timeout_s).not_done

    @Slot()
    def _report(self) -> None:
        ended = [job for job in self._jobs if job.done()]
        self._jobs = [job for job in self._jobs if job not in ended]
        if not self._jobs:
            self._timer.stop()
            self._patience.stop()
        for job in ended:
            error = job.exception()
            if error is None:
                self.done.emit(job.result())
            else:
                self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """Say why there is no result, last of all: whoever waits for it knows best what that means."""
        expected = isinstance(error, OSError | MemoryError)
        if not expected or not self.isSignalConnected(QMetaMethod.fromSignal(self.failed)):
            sys.excepthook(type(error), error, error.__traceback__)
        if isinstance(error, MemoryError):
            self.failed.emit(self.tr("there is not enough memory for it. {0}").format(error).strip())
        elif isinstance(error, OSError):
            self.failed.emit(f"{error.filename or ''} {error.strerror or error}".strip())
        else:
            self.failed.emit(f"{type(error).__name__}: {error}")

    @Slot()
    def _lose_patience(self) -> None:
        # A window that was busy itself may learn of the end only now.
        if not all(job.done() for job in self._jobs):
            self.lasts.emit()
