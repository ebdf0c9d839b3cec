"""How the window keeps up with a hand that drags a training point.

    python -m tests.benchmarks.dragging_cost

A timer moves the mouse every 16 ms for some seconds, as a hand does. A frame is the time from one painting of the fit
to the next; the budget is 33 ms in the median, also with 10,000 points and 2,000 queries, where the fit itself takes
longer and follows a few times a second. Measured offscreen, so without the desktop's own composition.
"""

import os
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from tests.benchmarks.window import BenchWindow, median_and_slow

BUDGET_MS = 33.0
EVERY_MS = 16
MOVES = 250
SIZES = ((50, 100), (1_000, 1_000), (10_000, 2_000))


class Paints(QObject):
    """Notes when a widget is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.times.append(time.perf_counter())
        return False


def main() -> None:
    """Print one line a size: the median and the 95th percentile of a frame, and how often the fit followed."""
    for points, queries in SIZES:
        frames, fits, seconds = _drag(points, queries)
        median, slow = median_and_slow(frames)
        print(
            f"{points:6} points {queries:5} queries: frame median {median:5.1f} ms, 95 % {slow:6.1f} ms, "
            f"of the budget {median / BUDGET_MS:4.2f}; {fits / seconds:5.1f} fits a second"
        )


def _drag(points: int, queries: int) -> tuple[list[float], int, float]:
    data = {"kind": "synthetic", "n_train": points}
    grid = {"start": 0, "stop": 5, "step": 5 / queries}
    bench = BenchWindow({"lab": "regression", "data": data, "x_test": grid, "width": 0.3})
    plot, trace = bench.window.room.stage.fit, bench.shown
    start = plot.place_of(float(trace.x_train[points // 2]), float(trace.y_train[points // 2]))
    paints, fits = Paints(), []
    plot.viewport().installEventFilter(paints)
    bench.window.controller.trace_accepted.connect(fits.append)
    _mouse(plot.viewport(), QEvent.Type.MouseButtonPress, start)
    began = time.perf_counter()
    for move in range(MOVES):
        due = began + move * EVERY_MS / 1e3
        _mouse(plot.viewport(), QEvent.Type.MouseMove, start + QPointF(40 - abs(move % 80 - 40), move % 60))
        while (left := due - time.perf_counter()) > 0:
            bench.let_pass(max(1, round(left * 1e3)))
        bench.let_pass(0)
    seconds = time.perf_counter() - began
    _mouse(plot.viewport(), QEvent.Type.MouseButtonRelease, start)
    bench.close()
    gaps = [(after - before) * 1e3 for before, after in zip(paints.times, paints.times[1:], strict=False)]
    return gaps, len(fits), seconds


def _mouse(widget: QObject, kind: QEvent.Type, place: QPointF) -> None:
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else Qt.MouseButton.LeftButton
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    QApplication.sendEvent(widget, QMouseEvent(kind, place, place, button, held, Qt.KeyboardModifier.NoModifier))


if __name__ == "__main__":
    main()
