"""Work that takes longer than a frame and is no run: done in Qt's pool, its end reported in the window's thread."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal
from typing_extensions import override


class Background(QObject):
    """Starts jobs and reports each one's result. It lives in the window's thread, and so do its signals."""

    done = Signal(object)
    """What a job returned."""
    failed = Signal(str)
    """The sentence of the OSError that ended a job."""

    def start(self, work: Callable[[], Any]) -> None:
        """Call ``work`` in the pool; it must touch no widget."""
        QThreadPool.globalInstance().start(_Job(self, work))


class _Job(QRunnable):
    def __init__(self, background: Background, work: Callable[[], Any]) -> None:
        super().__init__()
        self._background, self._work = background, work

    @override
    def run(self) -> None:
        try:
            try:
                result = self._work()
            except OSError as error:
                self._background.failed.emit(f"{error.filename or ''} {error.strerror or error}".strip())
            else:
                self._background.done.emit(result)
        except RuntimeError:
            pass  # the window, and with it the signals, went away meanwhile
