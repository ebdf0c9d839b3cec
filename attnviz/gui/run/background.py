"""Slow work other than runs: done in background threads, with results reported in the window's thread."""

import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Literal

from PySide6.QtCore import QMetaMethod, QObject, QTimer, Signal, Slot

Pool = Literal["background", "files", "autosave", "exports"]
"""The thread of a job; each thread runs its jobs one after the other."""
_SOON_MS, POLL_MS = 2, 16
"""The times in milliseconds between looks for a result: the first one, and later ones."""
PATIENCE_MS = 300
"""The time in milliseconds after which `lasts` is emitted for a job."""
AT_ONCE = 600_000
"""The most numbers that the window's thread processes within one frame; more are processed in the background."""

# Exports have their own thread, so that no session or formula waits for a figure that takes a minute. The user's files
# have one thread, so that two saves keep their order. Autosave has its own, so that it does not wait for a network
# share that does not respond.
_POOLS = {
    name: ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"attnviz {name}")
    for name in ("background", "files", "autosave", "exports")
}


def finish_all(timeout_s: float) -> bool:
    """Wait for the jobs of all windows, so that no save is cut short; return whether they have finished."""
    last = [pool.submit(_nothing) for pool in _POOLS.values()]  # each pool has one thread, so this job is its last
    return not wait(last, timeout_s).not_done


def _nothing() -> None:
    pass


class Background(QObject):
    """Starts jobs and reports their results.

    A timer in the window's thread polls for results. A job never touches this object or any other Qt object: emitting a
    signal from its thread would crash if the window is destroyed at that moment.
    """

    done = Signal(object)
    """The return value of a job."""
    failed = Signal(str)
    """The reason of a failed job, as a message. A bug is reported to `sys.excepthook` first.

    So is any error while no slot is connected to this signal."""
    lasts = Signal()
    """Emitted if a job has not finished after `PATIENCE_MS`."""

    def __init__(self, parent: QObject | None = None, *, pool: Pool = "background") -> None:
        super().__init__(parent)
        self._pool = _POOLS[pool]
        self._jobs: list[Future[Any]] = []
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._report)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._report_slow)

    @property
    def busy(self) -> bool:
        """Whether a result has yet to be reported."""
        return bool(self._jobs)

    def start(self, work: Callable[[], Any], *, instead: bool = False) -> None:
        """Call ``work`` in the other thread; ``instead`` cancels this object's jobs that have not begun yet."""
        if instead:
            self._jobs = [job for job in self._jobs if not job.cancel()]
        self._jobs.append(self._pool.submit(work))
        self._timer.start(_SOON_MS)
        self._patience.start()

    def finish(self, timeout_s: float) -> bool:
        """Wait for the jobs of this object; return whether they have finished. Their results are reported later."""
        return not wait(self._jobs, timeout_s).not_done

    @Slot()
    def _report(self) -> None:
        ended = [job for job in self._jobs if job.done()]
        self._jobs = [job for job in self._jobs if job not in ended]
        if not self._jobs:
            self._timer.stop()
            self._patience.stop()
        else:
            self._timer.setInterval(POLL_MS)
        for job in ended:
            error = job.exception()
            if error is None:
                self.done.emit(job.result())
            else:
                self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """Report a failure: to `sys.excepthook` for a bug or without a listener, then by `failed`."""
        expected = isinstance(error, OSError | MemoryError)
        if not expected or not self.isSignalConnected(QMetaMethod.fromSignal(self.failed)):
            sys.excepthook(type(error), error, error.__traceback__)
        if isinstance(error, MemoryError):
            self.failed.emit(self.tr("there is not enough memory for it. {0}").format(error).strip())
        elif isinstance(error, OSError):
            self.failed.emit(": ".join(filter(None, (error.filename, error.strerror or str(error)))))
        else:
            self.failed.emit(f"{type(error).__name__}: {error}")

    @Slot()
    def _report_slow(self) -> None:
        # If the window's thread was busy, the job may have finished without having been reported yet.
        if not all(job.done() for job in self._jobs):
            self.lasts.emit()
