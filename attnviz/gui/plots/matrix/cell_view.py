"""Which cells of a matrix are visible, and where they are in a widget."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

_MAX_ASPECT = 1.5
_FEWEST = 4


@dataclass(frozen=True, slots=True)
class Cell:
    """A row and a column."""

    row: int
    column: int | None


class CellView:
    """Maps the cells of a (rows, columns) matrix to a widget's points and back; zooming narrows what is visible."""

    def __init__(self) -> None:
        self.shape = (1, 1)
        self.visible = QRectF(0, 0, 1, 1)
        """In cells."""
        self.area = QRectF()
        """Where the visible cells are drawn, in points of the widget."""

    @property
    def zoomed(self) -> bool:
        """Whether some cells are not visible."""
        return self.visible.size().toTuple() != (self.shape[1], self.shape[0])

    def show_all(self, shape: tuple[int, int]) -> None:
        """Make every cell of a matrix visible."""
        self.shape = shape
        self.visible = QRectF(0, 0, shape[1], shape[0])

    def place(self, room: QRectF, *, square: bool, limit: float) -> None:
        """Place the visible cells in a rectangle: nearly square and no larger than ``limit``, or filling it."""
        rows, columns = self.visible.height(), self.visible.width()
        width, height = max(1.0, room.width()) / columns, max(1.0, room.height()) / rows
        if square:
            width, height = min(width, limit), min(height, limit)
            width, height = min(width, height * _MAX_ASPECT), min(height, width * _MAX_ASPECT)
        if square and not self.zoomed:
            width, height = (float(int(side)) if side >= 1 else side for side in (width, height))
        size_x, size_y = width * columns, height * rows
        x = room.x() + max(0.0, (room.width() - size_x) / 2)
        y = room.y() + max(0.0, (room.height() - size_y) / 3)
        self.area = QRectF(round(x), round(y), size_x, size_y)

    def cell_at(self, place: QPointF) -> Cell | None:
        """Return the cell under a point."""
        area, visible = self.area, self.visible
        if not area.contains(place):
            return None
        row = int(visible.y() + (place.y() - area.y()) / area.height() * visible.height())
        column = int(visible.x() + (place.x() - area.x()) / area.width() * visible.width())
        return Cell(min(row, self.shape[0] - 1), min(column, self.shape[1] - 1))

    def rect_of(self, row: int, column: int | None) -> QRectF:
        """Return where a cell, or a whole row, is drawn; it may be outside the area while zoomed."""
        area, visible = self.area, self.visible
        width, height = area.width() / visible.width(), area.height() / visible.height()
        y = area.y() + (row - visible.y()) * height
        if column is None:
            return QRectF(area.x(), y, area.width(), height)
        return QRectF(area.x() + (column - visible.x()) * width, y, width, height)

    def whole_rect(self) -> QRectF:
        """Return where the whole matrix would be drawn, its hidden part included."""
        first = self.rect_of(0, 0)
        return QRectF(first.x(), first.y(), first.width() * self.shape[1], first.height() * self.shape[0])

    def rows(self) -> range:
        """Return the rows that are visible, wholly or in part."""
        return range(int(self.visible.top()), min(self.shape[0], math.ceil(self.visible.bottom())))

    def columns(self) -> range:
        """Return the columns that are visible, wholly or in part."""
        return range(int(self.visible.left()), min(self.shape[1], math.ceil(self.visible.right())))

    def zoom(self, place: QPointF, factor: float) -> None:
        """Show ``factor`` times as many cells; the one under the point stays there."""
        area, old = self.area, self.visible
        rows, columns = self.shape
        width = min(max(old.width() * factor, min(_FEWEST, columns)), columns)
        height = min(max(old.height() * factor, min(_FEWEST, rows)), rows)
        left = old.x() + (place.x() - area.x()) / area.width() * (old.width() - width)
        top = old.y() + (place.y() - area.y()) / area.height() * (old.height() - height)
        self._look_at(left, top, width, height)

    def move(self, by: QPointF) -> None:
        """Move the visible part by a drag in pixels of the widget."""
        old = self.visible
        left = old.x() - by.x() / self.area.width() * old.width()
        top = old.y() - by.y() / self.area.height() * old.height()
        self._look_at(left, top, old.width(), old.height())

    def reveal(self, row: int, column: int) -> bool:
        """Scroll just enough to make a cell wholly visible; return whether that was needed."""
        old = self.visible
        left = min(max(old.x(), column + 1 - old.width()), column)
        top = min(max(old.y(), row + 1 - old.height()), row)
        if (left, top) == (old.x(), old.y()):
            return False
        self._look_at(left, top, old.width(), old.height())
        return True

    def _look_at(self, left: float, top: float, width: float, height: float) -> None:
        left = min(max(0.0, left), self.shape[1] - width)
        top = min(max(0.0, top), self.shape[0] - height)
        self.visible = QRectF(left, top, width, height)
