"""Where the cells of a grid of kernels and widths lie, and where in a cell a point of its plot does."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from attnviz.experiment.regression.studies import KernelGridTrace
from attnviz.gui.theme import Look

_TITLE, _SIDE, _GAP, _WITHIN = 18, 44, 8, 3
_FIT_SHARE = 0.58
_AIR = 0.06
_FEW_DOTS = 1_500


class KernelGridLayout:
    """Columns of kernels, rows of widths; in each cell a fit above a matrix, all on the same axes."""

    def __init__(self) -> None:
        self._columns, self._rows = 1, 1
        self._inside, self._step_x, self._step_y = QRectF(), 1.0, 1.0
        self._gap, self._within = 1.0, 1.0
        self._title, self._side = 1.0, 1.0
        self._extent = (0.0, 1.0, 0.0, 1.0)

    def fit(self, trace: KernelGridTrace, room: QRectF, look: Look) -> None:
        """Divide the room for a grid."""
        self._columns, self._rows = trace.left_out_error.shape
        self._title, self._side = look.px(_TITLE), look.px(_SIDE)
        self._gap, self._within = look.px(_GAP), look.px(_WITHIN)
        self._inside = room.adjusted(self._side, self._title, 0, 0)
        self._step_x = (self._inside.width() + self._gap) / self._columns
        self._step_y = (self._inside.height() + self._gap) / self._rows
        truth = trace.y_truth[np.isfinite(trace.y_truth)]
        xs, ys = np.concatenate((trace.x_train, trace.x_test)), np.concatenate((trace.y_train, truth))
        air_x, air_y = (float(np.ptp(values)) * _AIR or 1.0 for values in (xs, ys))
        # The error is written above the points.
        self._extent = xs.min() - air_x, xs.max() + air_x, ys.min() - air_y, ys.max() + 4 * air_y

    def title(self, column: int) -> QRectF:
        """Return where the name of a kernel stands."""
        cell = self.cell((column, 0))
        return QRectF(cell.left(), 0, cell.width(), self._title)

    def side(self, row: int) -> QRectF:
        """Return where a width stands."""
        cell = self.cell((0, row))
        return QRectF(0, cell.top(), self._side, cell.height())

    def cell(self, place: tuple[int, int]) -> QRectF:
        """Return the rectangle of a kernel and width."""
        left = self._inside.left() + place[0] * self._step_x
        top = self._inside.top() + place[1] * self._step_y
        return QRectF(left, top, self._step_x - self._gap, self._step_y - self._gap)

    def fit_area(self, place: tuple[int, int]) -> QRectF:
        """Return where its fit is drawn."""
        inner = self._inner(place)
        return QRectF(inner.left(), inner.top(), inner.width(), inner.height() * _FIT_SHARE)

    def matrix(self, place: tuple[int, int]) -> QRectF:
        """Return where its weights are drawn."""
        inner = self._inner(place)
        top = inner.top() + inner.height() * _FIT_SHARE + self._within
        return QRectF(inner.left(), top, inner.width(), inner.bottom() - top)

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """Return the kernel and width under a point of the widget."""
        for column in range(self._columns):
            for row in range(self._rows):
                if self.cell((column, row)).contains(place):
                    return column, row
        return None

    def query_at(self, place: QPointF, trace: KernelGridTrace) -> int | None:
        """Return the query under a point of the widget, in a fit or in a matrix."""
        cell = self.cell_at(place)
        if cell is None:
            return None
        area, matrix = self.fit_area(cell), self.matrix(cell)
        if matrix.contains(place):
            row = int((place.y() - matrix.top()) / matrix.height() * len(trace.x_test))
            return min(max(row, 0), len(trace.x_test) - 1)
        left, right = self._extent[:2]
        x = left + (place.x() - area.left()) / (area.width() or 1.0) * (right - left)
        return int(np.abs(trace.x_test - x).argmin())

    def x(self, area: QRectF, value: float) -> float:
        """Return where an x of the plot lies in a fit's area."""
        left, right = self._extent[:2]
        return area.left() + (value - left) / (right - left) * area.width()

    def points(self, area: QRectF, xs: NDArray[np.float64], ys: NDArray[np.float64]) -> QPolygonF:
        """Return where points of the plot lie in a fit's area; of very many, an even choice."""
        some = slice(None, None, -(-len(xs) // _FEW_DOTS) if len(xs) > _FEW_DOTS else 1)
        left, right, low, high = self._extent
        across = area.left() + (xs[some] - left) / (right - left) * area.width()
        down = area.bottom() - (ys[some] - low) / (high - low) * area.height()
        return QPolygonF([QPointF(x, y) for x, y in zip(across.tolist(), down.tolist(), strict=True)])

    def _inner(self, place: tuple[int, int]) -> QRectF:
        return self.cell(place).adjusted(self._within, self._within, -self._within, -self._within)
