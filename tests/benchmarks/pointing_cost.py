"""How long the window takes to follow the mouse and the arrow keys, and to step through the stages.

    python -m tests.benchmarks.pointing_cost

Each move is timed from the event to the painted window, everything included: the marks in every head, the row and
the cell in the inspector. The budget is a frame, 16 ms, for 8 heads of 64 tokens; the ratio says how much of one a
move takes. Measured offscreen, so without the desktop's own composition.
"""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.gui.widgets.selection import Selection
from tests.benchmarks.window import BenchWindow, median_and_slow, timed

FRAME_MS = 16.0
MOVES = 200


def main() -> None:
    """Print one line a kind of move: median and 95th percentile in ms, and the median over a frame."""
    bench = BenchWindow({"num_heads": 8, "num_hiddens": 64, "self_attention": True, "num_queries": 64, "batch_size": 1})
    stage = bench.window.room.stage
    heatmap, grid = stage.heatmap, stage.grid
    bench.window.room.selection.lock(Selection(0, 5, 5))
    bench.let_pass(200)
    middle = grid.tiles[3].center()
    moves = {
        "hover, large": lambda move: _move(heatmap, heatmap.rect_of(move % 64, move * 7 % 64).center()),
        "hover, grid": lambda move: _move(grid, middle + QPointF(move % 31 - 15, move * 5 % 31 - 15)),
        "arrow key": lambda move: _press(heatmap, Qt.Key.Key_Right if move % 100 < 50 else Qt.Key.Key_Left),
        "stage": lambda move: stage.strip.go(1 if move % 14 < 7 else -1),
    }
    for name, act in moves.items():
        times = [timed(lambda m=move, a=act: (a(m), bench.app.processEvents())) for move in range(MOVES)]
        median, slow = median_and_slow(times)
        print(f"{name:14} median {median:6.2f} ms   95 % {slow:6.2f} ms   of a frame {median / FRAME_MS:5.2f}")
    bench.close()


def _move(widget: QWidget, place: QPointF) -> None:
    none = Qt.MouseButton.NoButton
    where = QPointF(widget.mapToGlobal(place))
    event = QMouseEvent(QEvent.Type.MouseMove, place, where, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)


def _press(widget: QWidget, key: Qt.Key) -> None:
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier))


if __name__ == "__main__":
    main()
