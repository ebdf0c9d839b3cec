"""Edits of the training points with mouse and keys: drag one, double click to add one, Delete to remove one."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QPointF, Signal

from attnviz.experiment.arrays import Vector
from attnviz.experiment.regression.points import added, moved, removed

TINY_MOVE = 3.0
"""In pixels: a shorter movement between press and release is a click."""


class Edit(NamedTuple):
    """The points after an edit, and the number of its stroke."""

    x: Vector
    """(K,)."""
    y: Vector
    """(K,)."""
    point: int | None
    """The index of the changed point; None if it was removed."""
    stroke: int


class FitHand(QObject):
    """Turns movements into edits of the training points (K,), (K,) as they were when the stroke began."""

    edited = Signal(object)
    """An `Edit`; every one of a drag has the same stroke."""
    refused = Signal(str)
    """The reason why an edit is not possible."""

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

    def take(self, x: Vector, y: Vector, point: int, place: QPointF) -> None:
        """Grab a point, at a position of the screen."""
        self._begin(x, y)
        self._point, self._from, self.dragging = point, place, False

    def move(self, place: QPointF, x: float, y: float) -> bool:
        """Move the grabbed point to (x, y), which is drawn at ``place``; return whether it has moved."""
        if self._from is None:
            return False
        if not self.dragging and (place - self._from).manhattanLength() < TINY_MOVE:
            return False
        self.dragging = True
        self._edit(moved, self._point, x, y)
        return True

    def let_go(self) -> None:
        """Release the point."""
        self._from, self.dragging = None, False

    def nudge(self, x: Vector, y: Vector, point: int, dx: float, dy: float) -> None:
        """Move a point by a little, as a stroke of its own."""
        self._begin(x, y)
        self._edit(moved, point, float(x[point] + dx), float(y[point] + dy))

    def add(self, x: Vector, y: Vector, new_x: float, new_y: float) -> None:
        """Add a point."""
        self._begin(x, y)
        self._edit(added, new_x, new_y)

    def remove(self, x: Vector, y: Vector, point: int) -> None:
        """Remove a point, unless it is the only one."""
        if len(x) > 1:
            self._begin(x, y)
            self.edited.emit(Edit(*removed(x, y, point), None, self._stroke))

    def _begin(self, x: Vector, y: Vector) -> None:
        self._stroke += 1
        self._x, self._y = x, y

    def _edit(self, change: Callable[..., tuple[Vector, Vector, int]], *how: float) -> None:
        """Change the points and emit them, or report why not."""
        try:
            x, y, point = change(self._x, self._y, *how)
        except ValueError as error:
            self.refused.emit(str(error))
        else:
            self.edited.emit(Edit(x, y, point, self._stroke))
