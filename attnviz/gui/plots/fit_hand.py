"""The hand on the training points: drag one, double click to add one, Delete to take the chosen one away."""

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QPointF, Signal

from attnviz.experiment import points_edit
from attnviz.experiment.regression_trace import RegressionTrace

_TINY_MOVE = 3.0  # points of the screen; a click that trembles is no drag


class Edit(NamedTuple):
    """The points after a change by hand, and the number of the stroke that it belongs to."""

    x: np.ndarray
    """(K,)."""
    y: np.ndarray
    """(K,)."""
    point: int | None
    """Where the changed point is now; None where it was taken away."""
    stroke: int


class FitHand(QObject):
    """Turns movements into edits of the points of the trace that was on screen when the stroke began."""

    edited = Signal(object)
    """An `Edit`; every one of a drag has the same stroke."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stroke = 0
        self._x, self._y = np.empty(0), np.empty(0)
        self._point = 0
        self._from: QPointF | None = None
        self.dragging = False
        """Whether a point is on its way; a click alone moves nothing."""

    @property
    def holding(self) -> bool:
        """Whether a point is held, moved already or not."""
        return self._from is not None

    @property
    def point(self) -> int:
        """The point that is held, by its place when it was taken."""
        return self._point

    def take(self, trace: RegressionTrace, point: int, place: QPointF) -> None:
        """Take hold of a point, at a place of the screen."""
        self._begin(trace)
        self._point, self._from, self.dragging = point, place, False

    def move(self, place: QPointF, x: float, y: float) -> bool:
        """Bring the held point to (x, y), which is drawn at ``place``; return whether it is on its way."""
        if self._from is None:
            return False
        if not self.dragging and (place - self._from).manhattanLength() < _TINY_MOVE:
            return False
        self.dragging = True
        self._emit(*points_edit.moved(self._x, self._y, self._point, x, y))
        return True

    def let_go(self) -> bool:
        """Let go of the point; return whether it has been moved."""
        moved, self._from, self.dragging = self.dragging, None, False
        return moved

    def nudge(self, trace: RegressionTrace, point: int, dx: float, dy: float) -> None:
        """Move a point by a little, as a stroke of its own."""
        self._begin(trace)
        x, y = trace.x_train[point] + dx, trace.y_train[point] + dy
        self._emit(*points_edit.moved(self._x, self._y, point, float(x), float(y)))

    def add(self, trace: RegressionTrace, x: float, y: float) -> None:
        """Add a point."""
        self._begin(trace)
        self._emit(*points_edit.added(self._x, self._y, x, y))

    def remove(self, trace: RegressionTrace, point: int) -> None:
        """Take a point away, unless it is the only one."""
        if len(trace.x_train) > 1:
            self._begin(trace)
            self._emit(*points_edit.removed(self._x, self._y, point), None)

    def _begin(self, trace: RegressionTrace) -> None:
        self._stroke += 1
        self._x, self._y = trace.x_train, trace.y_train

    def _emit(self, x: np.ndarray, y: np.ndarray, point: int | None) -> None:
        self.edited.emit(Edit(x, y, point, self._stroke))
