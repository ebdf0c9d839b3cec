"""One matrix, large: axes with labels, values in the cells when they fit, hatching, row sums, zoom."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.plots.canvas import Canvas
from attnviz.gui.plots.colour_table import ColourTable
from attnviz.gui.plots.heatmap_axes import draw_axes, margins
from attnviz.gui.plots.tile import draw_hatching, draw_tiles, mask_path
from attnviz.gui.theme import Look

_MAX_CELL = 72
_MAX_ASPECT = 1.5
_MIN_VISIBLE = 4


@dataclass(frozen=True, eq=False)
class Matrix:
    """What a heatmap shows: (Q, K) colour levels with the values behind them, and what stands around them."""

    levels: NDArray[np.uint8]
    values: NDArray[np.floating]
    mask: NDArray[np.bool_] | None
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    row_sums: NDArray[np.float64] | None
    title: str
    row_title: str
    column_title: str
    decimals: int = 2
    square: bool = True
    """Whether cells are square, as token cells are; else they fill the room."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A row and a column."""

    row: int
    column: int | None


class Heatmap(Canvas):
    """A large matrix. Wheel zooms, drag moves, double click shows all; hover previews and click locks a cell."""

    hovered = Signal(object)
    """`Cell` under the mouse, or None."""
    clicked = Signal(object)
    """`Cell` under the mouse."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._matrix: Matrix | None = None
        self._table: ColourTable | None = None
        self._path = mask_path(np.ones((1, 1), bool))
        self._visible = QRectF()  # in cells
        self._area: QRectF | None = None
        self._selected: Cell | None = None
        self._pressed: QPointF | None = None
        self._dragged = False
        self.setAccessibleName(name)
        self.setToolTip("")

    def show_matrix(self, matrix: Matrix, table: ColourTable) -> None:
        """Draw a matrix; the zoom stays while the shape does."""
        old = self._matrix
        if old is None or old.levels.shape != matrix.levels.shape:
            self._visible = _whole(matrix)
        if matrix.mask is None:
            self._path.clear()
        elif old is None or old.mask is None or not np.array_equal(old.mask, matrix.mask):
            self._path = mask_path(matrix.mask)
        self._matrix, self._table = matrix, table
        self.redraw()

    def select(self, cell: Cell | None) -> None:
        """Mark a row, or a cell."""
        self._selected = cell
        self.update()

    @property
    def cells(self) -> QRectF:
        """The rectangle that the visible cells fill, in widget coordinates."""
        if self._area is None:
            self._area = self._place_cells()
        return self._area

    @override
    def redraw(self) -> None:
        self._area = None
        super().redraw()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._area = None
        super().resizeEvent(event)

    def _place_cells(self) -> QRectF:
        if self._matrix is None:
            return QRectF()
        left, top, right, bottom = margins(self._matrix, self.look)
        room = QRectF(self.rect()).adjusted(left, top, -right, -bottom)
        rows, columns = self._visible.height(), self._visible.width()
        width, height = max(1.0, room.width() / columns), max(1.0, room.height() / rows)
        if self._matrix.square:
            # Near to square, and no larger than a caption needs.
            limit = float(self.look.px(_MAX_CELL))
            width, height = min(width, limit), min(height, limit)
            width, height = min(width, height * _MAX_ASPECT), min(height, width * _MAX_ASPECT)
        if self._matrix.square and self._visible == _whole(self._matrix):
            width, height = (float(int(side)) if side >= 1 else side for side in (width, height))
        size_x, size_y = width * columns, height * rows
        x = room.x() + max(0.0, (room.width() - size_x) / 2)
        y = room.y() + max(0.0, (room.height() - size_y) / 3)
        return QRectF(round(x), round(y), size_x, size_y)

    def cell_at(self, place: QPointF) -> Cell | None:
        """Return the cell under a point of the widget."""
        area = self.cells
        if self._matrix is None or not area.contains(place):
            return None
        rows, columns = self._matrix.levels.shape
        row = int(self._visible.y() + (place.y() - area.y()) / area.height() * self._visible.height())
        column = int(self._visible.x() + (place.x() - area.x()) / area.width() * self._visible.width())
        return Cell(min(row, rows - 1), min(column, columns - 1))

    def rect_of(self, row: int, column: int | None) -> QRectF:
        """Return where a cell, or a whole row, is drawn; it may lie outside while zoomed."""
        area = self.cells
        width, height = area.width() / self._visible.width(), area.height() / self._visible.height()
        y = area.y() + (row - self._visible.y()) * height
        if column is None:
            return QRectF(area.x(), y, area.width(), height)
        return QRectF(area.x() + (column - self._visible.x()) * width, y, width, height)

    def sizeHint(self) -> QSize:
        """Two thirds of a stage."""
        return QSize(600, self.look.px(400))

    def draw(self, painter: QPainter) -> None:
        """Draw the cells, their values and the axes."""
        matrix, table, area = self._matrix, self._table, self.cells
        if matrix is None or table is None:
            return
        whole = self._whole_rect(area)
        painter.save()
        painter.setClipRect(area)
        if self._visible == _whole(matrix):
            draw_tiles(painter, [area], matrix.levels[None], table)
        else:
            first_row, last_row, first_column, last_column = self._visible_range()
            part = matrix.levels[first_row:last_row, first_column:last_column]
            corner = self.rect_of(first_row, first_column)
            size = corner.width() * (last_column - first_column), corner.height() * (last_row - first_row)
            draw_tiles(painter, [QRectF(corner.x(), corner.y(), *size)], part[None], table)
        draw_hatching(painter, whole, self._path, matrix.levels.shape, self.look)
        self._draw_grid_and_values(painter, matrix, table)
        painter.restore()
        draw_axes(painter, self, matrix, self._visible_range(), self.look)

    def draw_marks(self, painter: QPainter) -> None:
        """Draw the chosen row in the query colour and the chosen column and cell in the key colour."""
        cell, matrix = self._selected, self._matrix
        if cell is None or matrix is None or cell.row >= len(matrix.levels):
            return
        area = self.cells
        painter.setClipRect(area.adjusted(-2, -2, 2, 2))
        painter.setPen(QPen(QColor(self.look.theme.q), 2))
        painter.drawRect(self.rect_of(cell.row, None))
        if cell.column is not None and cell.column < matrix.levels.shape[1]:
            column = self.rect_of(cell.row, cell.column)
            painter.setPen(QPen(QColor(self.look.theme.k), 2))
            painter.drawRect(QRectF(column.x(), area.y(), column.width(), area.height()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the mouse."""
        cell = self.cell_at(event.position())
        if self._matrix is None or cell is None:
            return
        factor = 0.8 if event.angleDelta().y() > 0 else 1.25
        area, old = self.cells, self._visible
        fraction_x = (event.position().x() - area.x()) / area.width()
        fraction_y = (event.position().y() - area.y()) / area.height()
        rows, columns = self._matrix.levels.shape
        width = min(max(old.width() * factor, min(_MIN_VISIBLE, columns)), columns)
        height = min(max(old.height() * factor, min(_MIN_VISIBLE, rows)), rows)
        left = old.x() + fraction_x * (old.width() - width)
        top = old.y() + fraction_y * (old.height() - height)
        self._look_at(QRectF(left, top, width, height))
        event.accept()

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Show everything again."""
        if self._matrix is not None:
            self._look_at(_whole(self._matrix))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Preview the cell under the mouse, or move the zoomed matrix."""
        if self._pressed is None:
            self.hovered.emit(self.cell_at(event.position()))
            return
        moved = event.position() - self._pressed
        if moved.manhattanLength() > 4 or self._dragged:
            self._dragged, self._pressed = True, event.position()
            area = self.cells
            across = moved.x() / area.width() * self._visible.width()
            down = moved.y() / area.height() * self._visible.height()
            self._look_at(self._visible.translated(-across, -down))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Lock the cell under the mouse, unless it was a drag."""
        cell = self.cell_at(event.position())
        if self._pressed is not None and not self._dragged and cell is not None:
            self.clicked.emit(cell)
        self._pressed = None

    def leaveEvent(self, event: QEvent) -> None:
        """End the preview."""
        self.hovered.emit(None)
        super().leaveEvent(event)

    def _look_at(self, wanted: QRectF) -> None:
        assert self._matrix is not None
        rows, columns = self._matrix.levels.shape
        left = min(max(0.0, wanted.x()), columns - wanted.width())
        top = min(max(0.0, wanted.y()), rows - wanted.height())
        self._visible = QRectF(left, top, wanted.width(), wanted.height())
        self.redraw()

    def _whole_rect(self, area: QRectF) -> QRectF:
        """Return where the whole matrix would be drawn, its hidden part included."""
        assert self._matrix is not None
        rows, columns = self._matrix.levels.shape
        corner = self.rect_of(0, 0)
        return QRectF(
            corner.x(),
            corner.y(),
            area.width() / self._visible.width() * columns,
            area.height() / self._visible.height() * rows,
        )

    def _visible_range(self) -> tuple[int, int, int, int]:
        assert self._matrix is not None
        rows, columns = self._matrix.levels.shape
        return (
            int(self._visible.top()),
            min(rows, int(np.ceil(self._visible.bottom()))),
            int(self._visible.left()),
            min(columns, int(np.ceil(self._visible.right()))),
        )

    def _draw_grid_and_values(self, painter: QPainter, matrix: Matrix, table: ColourTable) -> None:
        cell = self.rect_of(0, 0)
        if min(cell.width(), cell.height()) < self.look.px(14):
            return
        first_row, last_row, first_column, last_column = self._visible_range()
        painter.setPen(QPen(QColor(self.look.theme.window), 1))
        for row in range(first_row, last_row):
            y = self.rect_of(row, 0).y()
            painter.drawLine(QPointF(self.cells.left(), y), QPointF(self.cells.right(), y))
        for column in range(first_column, last_column):
            x = self.rect_of(0, column).x()
            painter.drawLine(QPointF(x, self.cells.top()), QPointF(x, self.cells.bottom()))
        painter.setFont(self.look.font("small"))
        ends = (np.nanmin(matrix.values, initial=0.0), np.nanmax(matrix.values, initial=0.0))
        widest = max(painter.fontMetrics().horizontalAdvance(f"{float(end):.{matrix.decimals}f}") for end in ends)
        if widest > cell.width() - 4:
            return
        dark, light = QColor("#15181e"), QColor("#ffffff")
        for row in range(first_row, last_row):
            for column in range(first_column, last_column):
                if matrix.mask is not None and not matrix.mask[row, column]:
                    continue
                painter.setPen(dark if table.is_light[matrix.levels[row, column]] else light)
                text = f"{matrix.values[row, column]:.{matrix.decimals}f}"
                painter.drawText(self.rect_of(row, column), Qt.AlignmentFlag.AlignCenter, text)


def _whole(matrix: Matrix) -> QRectF:
    rows, columns = matrix.levels.shape
    return QRectF(0, 0, columns, rows)
