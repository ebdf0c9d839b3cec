"""One matrix, large, as it is drawn: axes with labels, values in the cells when they fit, hatching, row sums."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPainterPath, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.colours.levels import NOT_FINITE
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.cell_view import Cell, CellView
from attnviz.gui.plots.matrix.colour_table import ColourTable
from attnviz.gui.plots.matrix.matrix import Matrix
from attnviz.gui.plots.matrix.matrix_axes import draw_axes, margins
from attnviz.gui.plots.matrix.matrix_cells import draw_cells, mark_cell
from attnviz.gui.plots.matrix.tile import draw_hatching, draw_tiles, mask_path
from attnviz.gui.theme import Look

_MAX_CELL = 72


class MatrixView(Canvas):
    """Draws the visible part of a matrix, and marks a row or a cell of it; `Heatmap` gives it hands."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.view = CellView()
        self._matrix: Matrix | None = None
        self._table: ColourTable | None = None
        self._path, self._not_finite = QPainterPath(), QPainterPath()
        self._selected: Cell | None = None
        self.setAccessibleName(name)

    def show_matrix(self, matrix: Matrix, table: ColourTable) -> None:
        """Draw a matrix; the zoom stays while the shape does."""
        old = self._matrix
        if old is None or old.levels.shape != matrix.levels.shape:
            rows, columns = matrix.levels.shape
            self.view.show_all((rows, columns))
        if matrix.mask is None:
            self._path.clear()
        elif old is None or old.mask is None or not np.array_equal(old.mask, matrix.mask):
            self._path = mask_path(matrix.mask)
        # Most matrices are finite throughout; finding no path through a large one would take longer than drawing it.
        finite = matrix.levels.max(initial=0) < NOT_FINITE
        self._not_finite = QPainterPath() if finite else mask_path(matrix.levels != NOT_FINITE)
        self._matrix, self._table = matrix, table
        self.redraw()

    def select(self, cell: Cell | None) -> None:
        """Mark a row, or a cell."""
        self._selected = cell
        self.update()

    @property
    def cells(self) -> QRectF:
        """The rectangle that the visible cells fill, in points of the widget."""
        return self.view.area

    @property
    def reduced(self) -> bool:
        """Whether cells are finer than pixels, so that each pixel shows the largest of several."""
        cell = self.view.rect_of(0, 0)
        return min(cell.width(), cell.height()) * self.devicePixelRatioF() < 1

    def cell_at(self, place: QPointF) -> Cell | None:
        """Return the cell under a point of the widget."""
        return None if self._matrix is None else self.view.cell_at(place)

    def rect_of(self, row: int, column: int | None) -> QRectF:
        """Return where a cell, or a whole row, is drawn; it may lie outside while zoomed."""
        return self.view.rect_of(row, column)

    @override
    def redraw(self) -> None:
        self._place_cells()
        super().redraw()

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, self.look.px(400))

    @override
    def draw(self, painter: QPainter) -> None:
        matrix, table = self._matrix, self._table
        if matrix is None or table is None:
            return
        rows, columns = self.view.rows(), self.view.columns()
        first = self.rect_of(rows.start, columns.start)
        shown = QRectF(first.x(), first.y(), first.width() * len(columns), first.height() * len(rows))
        painter.save()
        painter.setClipRect(self.cells)
        part = matrix.levels[rows.start : rows.stop, columns.start : columns.stop]
        draw_tiles(painter, [shown], part[None], table)
        draw_hatching(painter, self.view.whole_rect(), self._path, self.view.shape, self.look)
        draw_hatching(painter, self.view.whole_rect(), self._not_finite, self.view.shape, self.look, crossed=True)
        draw_cells(painter, self, matrix, table, self.look)
        painter.restore()
        draw_axes(painter, self, matrix, self.look)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        """Draw the chosen row in the query colour and the chosen column in the key colour."""
        cell = self._selected
        if cell is not None and self._matrix is not None and cell.row < self.view.shape[0]:
            mark_cell(painter, self, self._matrix, cell, self.look)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_cells()
        super().resizeEvent(event)

    def _place_cells(self) -> None:
        if self._matrix is not None:
            left, top, right, bottom = margins(self._matrix, self.look)
            room = QRectF(self.rect()).adjusted(left, top, -right, -bottom)
            self.view.place(room, square=self._matrix.square, limit=self.look.px(_MAX_CELL))
