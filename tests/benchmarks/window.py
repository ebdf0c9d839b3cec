"""A window of 1280x800 whose knobs are turned and whose frames are timed."""

import gc
import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QAbstractSpinBox

from attnviz.experiment.labs import make_spec
from attnviz.gui.app import make_application
from attnviz.gui.window.main_window import MainWindow


def timed(call: Callable[[], Any]) -> float:
    """Return the milliseconds that a call takes."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def median_and_slow(times: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    return statistics.median(times), sorted(times)[int(0.95 * len(times))]


class BenchWindow(QObject):
    """Opens on a spec and waits for its picture; what is timed afterwards is what a user would wait for."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        gc.disable()  # the app collects once a second; here that is done between the turns
        self.app = make_application()
        super().__init__()
        self.window = MainWindow(make_spec(values))
        self.window.keeper.asks = False
        self.window.show()
        self.window.start()
        self.wait_until(lambda: self.window.controller.up_to_date and not self.window.runner.busy)
        self.let_pass(500)  # the formula, and the modules of the other room
        gc.collect()
        gc.freeze()
        self._loop: QEventLoop | None = None
        self._awaits: Callable[[Any], bool] | None = None
        self.window.installEventFilter(self)

    @property
    def shown(self) -> Any:
        """The trace on screen."""
        return self.window.controller.shown

    def turn_knob(self, field: str = "seed") -> float:
        """Step a spin box up; return the milliseconds until the window has painted the trace of the new spec."""
        knob = self.window.room.form.editor(field).findChild(QAbstractSpinBox)
        return self.until_painted(knob.stepUp, lambda trace: trace.spec == self.window.controller.spec)

    def until_painted(self, change: Callable[[], object], holds: Callable[[Any], bool]) -> float:
        """Make a change; return the milliseconds until the window has painted a trace of which something holds."""
        self.let_pass(50)  # what the last frame has left to do, such as the notes beside many heads
        gc.collect(1)
        self._loop = QEventLoop()
        start = time.perf_counter()
        change()
        self._awaits = holds
        self._loop.exec()
        return (time.perf_counter() - start) * 1e3

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let an event of ours follow the one in which the window paints itself."""
        is_paint = watched is self.window and event.type() == QEvent.Type.UpdateRequest
        if is_paint and self._awaits is not None and self._awaits(self.shown):
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), 1_000)
        return False

    def customEvent(self, _event: QEvent) -> None:
        """The frame that was waited for is on screen."""
        self._awaits = None
        if self._loop is not None:
            self._loop.quit()

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Let the window live until something holds."""
        while not holds():
            self.let_pass(10)

    def let_pass(self, milliseconds: int) -> None:
        """Let the window live for a while."""
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def close(self) -> None:
        """Close the window."""
        self.window.close()
        self.window.deleteLater()
        self.let_pass(0)
