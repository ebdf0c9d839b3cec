"""How long the window takes to follow the mouse and the arrow keys, and to step through the stages.

    python tests/benchmarks/pointing_cost.py

Each move is timed from the event to the painted window, everything included: the marks in every head, the row and
the cell in the inspector. The budget is a frame, 16 ms, for 8 heads of 64 tokens; the ratio says how much of one a
move takes. Measured offscreen, so without the desktop's own composition.
"""

import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QEventLoop, QPointF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.experiment.labs import make_spec
from attnviz.gui.app import make_application
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

FRAME_MS = 16.0
MOVES = 200


def main() -> None:
    """Print one line a kind of move: median and 95th percentile in ms, and the median over a frame."""
    app = make_application()
    spec = make_spec({"num_heads": 8, "num_hiddens": 64, "self_attention": True, "num_queries": 64, "batch_size": 1})
    window = MainWindow(spec)
    window.resize(1280, 800)
    window.show()
    window.start()
    while not window.controller.up_to_date or window.runner.busy:
        _let_pass(20)
    _let_pass(1500)  # the formula, the first paints
    stage = window.room.stage
    heatmap, grid = stage.heatmap, stage.grid
    window.room.selection.lock(Selection(0, 5, 5))
    _let_pass(200)
    middle = grid.tiles[3].center()

    def hover_large(move: int) -> None:
        _move(heatmap, heatmap.rect_of(move % 64, move * 7 % 64).center())

    def hover_grid(move: int) -> None:
        _move(grid, middle + QPointF(move % 31 - 15, move * 5 % 31 - 15))

    def arrow(move: int) -> None:
        _press(heatmap, Qt.Key.Key_Right if move % 100 < 50 else Qt.Key.Key_Left)

    def step(move: int) -> None:
        stage.strip.go(1) if move % 14 < 7 else stage.strip.go(-1)

    moves = {"hover, large": hover_large, "hover, grid": hover_grid, "arrow key": arrow, "stage": step}
    for name, act in moves.items():
        times = _time(app, act)
        median, slow = statistics.median(times), sorted(times)[int(0.95 * len(times))]
        print(f"{name:14} median {median:6.2f} ms   95 % {slow:6.2f} ms   of a frame {median / FRAME_MS:5.2f}")
    window.keeper.asks = False
    window.close()


def _time(app: QApplication, act: Callable[[int], None]) -> list[float]:
    times = []
    for move in range(MOVES):
        start = time.perf_counter()
        act(move)
        app.processEvents()
        times.append((time.perf_counter() - start) * 1e3)
    return times


def _move(widget: QWidget, place: QPointF) -> None:
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        place,
        QPointF(widget.mapToGlobal(place)),
        none,
        none,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)


def _press(widget: QWidget, key: Qt.Key) -> None:
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier))


def _let_pass(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


if __name__ == "__main__":
    main()
