"""Work that takes longer than a frame and is no run: done in a thread of its own, its end reported in the window's."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

POLL_MS = 16
AT_ONCE = 600_000
"""How many numbers may be gone through before the next frame; more are left to the other thread."""

# The interpreter waits for it at exit, so that a save under way is not cut short.
_POOL = ThreadPoolExecutor(max_workers=1, thread_name_prefix="attnviz background")


class Background(QObject):
    """Starts jobs and reports each one's result.

    A timer of the window's thread looks for results. A job never touches this object or any other of Qt's: emitting
    from its thread would crash whenever the window is destroyed at that moment.
    """

    done = Signal(object)
    """What a job returned."""
    failed = Signal(str)
    """The sentence of the OSError that ended a job."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: list[Future[Any]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._report)

    @property
    def busy(self) -> bool:
        """Whether a result is still to be reported."""
        return bool(self._jobs)

    def start(self, work: Callable[[], Any], *, instead: bool = False) -> None:
        """Call ``work`` in the other thread; ``instead`` of the jobs of this object that have not begun yet."""
        if instead:
            self._jobs = [job for job in self._jobs if not job.cancel()]
        self._jobs.append(_POOL.submit(work))
        self._timer.start()

    def finish(self, timeout_s: float) -> bool:
        """Wait for the jobs of this object; return whether they have ended. Their results are reported later."""
        return not wait(self._jobs, timeout_s).not_done

    @Slot()
    def _report(self) -> None:
        ended = [job for job in self._jobs if job.done()]
        self._jobs = [job for job in self._jobs if job not in ended]
        if not self._jobs:
            self._timer.stop()
        for job in ended:
            try:
                result = job.result()
            except OSError as error:
                self.failed.emit(f"{error.filename or ''} {error.strerror or error}".strip())
            else:
                self.done.emit(result)
