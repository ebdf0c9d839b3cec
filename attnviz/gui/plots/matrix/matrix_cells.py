"""What is drawn upon the cells of a large heatmap: the lines between them, and their values where these fit."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from attnviz.experiment.colours.levels import LOWEST, MASKED, NOT_FINITE
from attnviz.experiment.colours.maps import DARK_TEXT, LIGHT_TEXT
from attnviz.gui.plots.matrix.cell_view import Cell, CellView
from attnviz.gui.plots.matrix.colour_table import ColourTable
from attnviz.gui.plots.matrix.matrix import Matrix
from attnviz.gui.theme import Look

_SMALLEST, _SMALLEST_CROSS = 14, 5


def draw_cells(painter: QPainter, view: CellView, matrix: Matrix, table: ColourTable, look: Look) -> None:
    """Draw lines and values, where a cell is large enough for them."""
    cell = view.rect_of(0, 0)
    if min(cell.width(), cell.height()) >= look.px(_SMALLEST):
        _draw_grid(painter, view, look)
        _draw_values(painter, view, matrix, table, look)
    if matrix.dropped is not None and min(cell.width(), cell.height()) >= _SMALLEST_CROSS:
        rows, columns = view.rows(), view.columns()
        places = np.argwhere(matrix.dropped[rows.start : rows.stop, columns.start : columns.stop])
        cells = [view.rect_of(rows.start + int(row), columns.start + int(column)) for row, column in places]
        draw_crosses(painter, cells, table)


def draw_crosses(painter: QPainter, cells: Sequence[QRectF], table: ColourTable) -> None:
    """Draw the sign of a weight that dropout took into cells of one size; they have the colour of 0."""
    if not cells:
        return
    reach = 0.22 * min(cells[0].width(), cells[0].height())
    lines = []
    for cell in cells:
        middle = cell.center()
        for slope in (-1, 1):
            arm = QPointF(reach, slope * reach)
            lines.append(QLineF(middle - arm, middle + arm))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(DARK_TEXT if table.is_light[LOWEST] else LIGHT_TEXT), 1))
    painter.drawLines(lines)
    painter.restore()


def mark_cell(painter: QPainter, view: CellView, matrix: Matrix, cell: Cell, look: Look) -> None:
    """Frame a row, and a column where the cell has one, in the colours of their axes."""
    area = view.area
    painter.setClipRect(area.adjusted(-2, -2, 2, 2))
    painter.setPen(QPen(look.color(matrix.row_role), 2))
    painter.drawRect(view.rect_of(cell.row, None))
    if cell.column is not None and cell.column < view.shape[1]:
        column = view.rect_of(cell.row, cell.column)
        painter.setPen(QPen(look.color(matrix.column_role), 2))
        painter.drawRect(QRectF(column.x(), area.y(), column.width(), area.height()))


def _draw_grid(painter: QPainter, view: CellView, look: Look) -> None:
    area = view.area
    painter.setPen(QPen(QColor(look.theme.window), 1))
    for row in view.rows():
        y = view.rect_of(row, 0).y()
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
    for column in view.columns():
        x = view.rect_of(0, column).x()
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))


def _draw_values(painter: QPainter, view: CellView, matrix: Matrix, table: ColourTable, look: Look) -> None:
    """Print the values, where the widest of them fits into a cell."""
    painter.setFont(look.font("small"))
    finite = np.where(np.isfinite(matrix.values), matrix.values, 0.0)
    ends = (float(finite.min(initial=0.0)), float(finite.max(initial=0.0)))
    widest = max(painter.fontMetrics().horizontalAdvance(matrix.text_of(end)) for end in ends)
    if widest > view.rect_of(0, 0).width() - 4:
        return
    dark, light = QColor(DARK_TEXT), QColor(LIGHT_TEXT)
    for row in view.rows():
        for column in view.columns():
            level, value = matrix.levels[row, column], matrix.values[row, column]
            if level == MASKED or (matrix.dropped is not None and matrix.dropped[row, column]):
                continue
            painter.setPen(dark if table.is_light[level] else light)
            text = matrix.text_of(value)
            cell = view.rect_of(row, column)
            if level == NOT_FINITE:  # room for the word among the crossing lines
                room = painter.boundingRect(cell, Qt.AlignmentFlag.AlignCenter, text)
                painter.fillRect(room, QColor(*map(int, table.rgb[level])))
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)
