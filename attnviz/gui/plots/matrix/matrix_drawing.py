"""How a large heatmap is drawn: values and lines upon the cells; keys above, queries on the left, row sums right."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from attnviz.definitions.counting import SCREEN
from attnviz.experiment.colours import DARK_TEXT, LIGHT_TEXT, LOWEST, MASKED, NOT_FINITE
from attnviz.gui.plots.matrix.matrix import Cell, CellView, Matrix
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.plots.tensors.head_colours import every_nth, head_colour
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import number_text

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


_LONGEST = 84
_SLANT = 38
_TOP_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


def margins(matrix: Matrix, look: Look) -> tuple[int, int, int, int]:
    """Return the room that the labels take: left, top, right, bottom."""
    metrics = QFontMetrics(look.font("small"))
    left = min(width_of(metrics, matrix.longest_rows), look.px(_LONGEST)) + metrics.height() + look.px(20)
    right = look.px(16)
    if matrix.row_sums is not None:
        # The longer note has room only where a row needs it.
        names_empty = matrix.empty_rows is not None and bool(matrix.empty_rows.any())
        ends = matrix.row_sums[np.isfinite(matrix.row_sums)]
        widest = max((_figure(end) for end in (ends.min(initial=1.0), ends.max(initial=1.0))), key=len)
        right += metrics.horizontalAdvance(widest + (_no_valid_key() if names_empty else ""))
    slanted = min(width_of(metrics, matrix.longest_columns), look.px(_LONGEST))
    # Words are slanted and need height; numbers are upright.
    top = (
        look.px(8 if _shares_title_line(matrix) else 24)
        + (metrics.height() + look.px(4) if matrix.title else 0)
        + (metrics.height() if matrix.upright else round(slanted * 0.62) + look.px(8))
    )
    return left, top, right, look.px(8)


def draw_axes(painter: QPainter, view: CellView, matrix: Matrix, look: Look, *, width: int, reduced: bool) -> None:
    """Draw titles, labels (every n-th where they would collide) and row sums.

    Args:
        painter: of the widget.
        view: which cells are drawn, and where.
        matrix: what is labelled.
        look: type and colours.
        width: that of the widget, in pixels.
        reduced: whether a pixel shows several cells, which is noted beside the title.
    """
    area = view.area
    painter.setFont(look.font("small"))
    metrics = painter.fontMetrics()
    cell = view.rect_of(0, 0)
    painter.setPen(QColor(look.theme.text))
    for row in _labelled(view.rows(), matrix.row_labels, metrics.ascent() + 1, cell.height()):
        band = view.rect_of(row, None)
        if not area.top() - 1 <= band.center().y() <= area.bottom() + 1:
            continue
        line = QRectF(0, band.center().y() - metrics.height() / 2, 10, metrics.height())
        text = metrics.elidedText(matrix.row_labels[row], Qt.TextElideMode.ElideRight, look.px(_LONGEST))
        line.setRight(area.left() - look.px(6))
        painter.setPen(QColor(look.theme.text))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        if matrix.row_sums is not None:
            painter.setPen(QColor(look.theme.muted))
            line.setLeft(area.right() + look.px(8))
            line.setRight(width)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, _sum(matrix, row))
    _draw_columns(painter, view, matrix, look)
    _draw_slices(painter, view, matrix, look)
    _draw_titles(painter, view, matrix, look, width=width, reduced=reduced)


def _draw_columns(painter: QPainter, view: CellView, matrix: Matrix, look: Look) -> None:
    metrics = painter.fontMetrics()
    area, cell = view.area, view.rect_of(0, 0)
    upright = matrix.upright
    room = width_of(metrics, matrix.longest_columns) + look.px(8) if upright else metrics.height()
    painter.setPen(QColor(look.theme.text))
    for column in _labelled(view.columns(), matrix.column_labels, room, cell.width()):
        middle = view.rect_of(0, column).center().x()
        if not area.left() <= middle <= area.right():
            continue
        text = metrics.elidedText(matrix.column_labels[column], Qt.TextElideMode.ElideRight, look.px(_LONGEST))
        painter.save()
        painter.translate(middle, area.top() - look.px(5))
        if upright:
            width = metrics.horizontalAdvance(text)
            painter.drawText(round(-width / 2), 0, text)
        else:
            painter.rotate(-_SLANT)
            painter.drawText(0, 0, text)
        painter.restore()


def _draw_slices(painter: QPainter, view: CellView, matrix: Matrix, look: Look) -> None:
    """Draw a line in each head's colour under its slice of the columns."""
    area, count = view.area, matrix.values.shape[1]
    for head in range(matrix.slices if matrix.slices > 1 else 0):
        first = view.rect_of(0, head * count // matrix.slices)
        beyond = view.rect_of(0, (head + 1) * count // matrix.slices)
        line = QRectF(first.x() + 0.5, area.bottom() + 2, beyond.x() - first.x() - 1, look.px(3))
        within = line.intersected(QRectF(area.left(), line.top(), area.width(), line.height()))
        painter.fillRect(within, head_colour(head, matrix.slices, look.theme))


def _draw_titles(painter: QPainter, view: CellView, matrix: Matrix, look: Look, *, width: int, reduced: bool) -> None:
    area = view.area
    metrics = painter.fontMetrics()
    note = ""
    if reduced:
        note = QCoreApplication.translate("Heatmap", " (a pixel shows the largest of its cells; zoom in)")
    line = QRectF(area.left(), area.top() - margins(matrix, look)[1], width, metrics.height() + 2)
    if matrix.title:
        painter.setPen(look.color(matrix.title_role))
        painter.setFont(look.font("small", bold=True))
        room = round(width - line.left())
        title = painter.fontMetrics().elidedText(f"{matrix.title}{note}", Qt.TextElideMode.ElideRight, room)
        painter.drawText(line, _TOP_LEFT, title)
        painter.setFont(look.font("small"))
        line.translate(0, metrics.height() + look.px(4))
        note = ""
    painter.setPen(look.color(matrix.column_role))
    if _shares_title_line(matrix):
        line.translate(0, -metrics.height() - look.px(4))
        line.setRight(area.right())
        if metrics.horizontalAdvance(f"{matrix.title}   {matrix.column_title}") <= line.width():
            painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, matrix.column_title)
    else:
        painter.drawText(line, _TOP_LEFT, f"{matrix.column_title}{note}")
    if metrics.horizontalAdvance(matrix.row_title) > max(area.height(), look.px(40)):
        return  # a single row: its title would run into its neighbours'
    labels = min(width_of(metrics, matrix.longest_rows), look.px(_LONGEST))
    painter.setPen(look.color(matrix.row_role))
    painter.save()
    painter.translate(area.left() - labels - look.px(14) - metrics.height(), area.top() + max(area.height() / 2, 0))
    painter.rotate(-90)
    long = metrics.horizontalAdvance(matrix.row_title)
    painter.drawText(round(-long / 2), metrics.ascent(), matrix.row_title)
    painter.restore()


def _shares_title_line(matrix: Matrix) -> bool:
    """Return whether the title of the columns is to the right of the matrix's own, to save a line."""
    return bool(matrix.title) and not matrix.square


def _sum(matrix: Matrix, row: int) -> str:
    assert matrix.row_sums is not None
    total = _figure(matrix.row_sums[row])
    is_empty = matrix.empty_rows is not None and matrix.empty_rows[row]
    return total + _no_valid_key() if is_empty else total


def _figure(total: float) -> str:
    return f"Σ {number_text(total, '.3f' if abs(total) < 1e5 else '.3g')}"


def _no_valid_key() -> str:
    return QCoreApplication.translate("Heatmap", ", no valid key")


def width_of(metrics: QFontMetrics, labels: Iterable[str]) -> int:
    """Return the pixels that the widest of a few labels takes."""
    return max(map(metrics.horizontalAdvance, labels), default=0)


def _labelled(places: range, labels: Sequence[str], needed: float, available: float) -> range:
    """Return the places whose labels have room; of places that are only counted, those at 5, 10, 15 and the like."""
    first, step = 0, max(1, math.ceil(needed / available))
    if step > 1 and labels[0] == str(SCREEN.first) and labels[-1] == str(SCREEN.number(len(labels) - 1)):
        step = every_nth(needed, available)
        first = SCREEN.position(step)
    return range(first - (first - places.start) // step * step, places.stop, step)
