"""Drawing of a large heatmap: values and lines on the cells; keys above, queries on the left, row sums right."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from attnviz.definitions.counting import SCREEN, short_name
from attnviz.experiment.colours import DARK_TEXT, LIGHT_TEXT, LOWEST, MASKED, NOT_FINITE
from attnviz.gui.plots.layout import Margins
from attnviz.gui.plots.matrix.matrix import Cell, CellView, Marks, Matrix, NumberLabels
from attnviz.gui.plots.matrix.tile import Border, ColourTable, draw_frames
from attnviz.gui.plots.tensors.head_colours import every_nth, head_colour
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import number_text, translate

_SMALLEST, _SMALLEST_CROSS, _SMALLEST_OUTLINE = 14, 5, 9
_OUTLINE_ALPHA = 150


def draw_cells(painter: QPainter, view: CellView, matrix: Matrix, table: ColourTable, look: Look) -> None:
    """Draw lines and values, if cells are large enough for them."""
    cell = view.rect_of(0, 0)
    if min(cell.width(), cell.height()) >= look.px(_SMALLEST):
        _draw_grid(painter, view, look)
        _draw_values(painter, view, matrix, table, look)
    if matrix.outlined and min(cell.width(), cell.height()) >= _SMALLEST_OUTLINE:
        draw_outlines(painter, view, matrix, table)
    if matrix.dropped is not None and min(cell.width(), cell.height()) >= _SMALLEST_CROSS:
        rows, columns = view.rows(), view.columns()
        places = np.argwhere(matrix.dropped[rows.start : rows.stop, columns.start : columns.stop])
        cells = [view.rect_of(rows.start + int(row), columns.start + int(column)) for row, column in places]
        draw_crosses(painter, cells, table)


def draw_outlines(painter: QPainter, view: CellView, matrix: Matrix, table: ColourTable) -> None:
    """Draw a thin frame within the outlined cells, dark on light colours and light on dark ones."""
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for row, column in matrix.outlined:
        colour = QColor(table.ink(matrix.levels[row, column]))
        colour.setAlpha(_OUTLINE_ALPHA)
        painter.setPen(QPen(colour, 1))
        painter.drawRect(view.rect_of(row, column).adjusted(1.5, 1.5, -1.5, -1.5))
    painter.restore()


def draw_crosses(painter: QPainter, cells: Sequence[QRectF], table: ColourTable) -> None:
    """Draw the sign of weights dropped by dropout into cells of one size; they have the colour of 0."""
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
    painter.setPen(QPen(QColor(table.ink(LOWEST)), 1))
    painter.drawLines(lines)
    painter.restore()


def mark_cell(painter: QPainter, view: CellView, matrix: Matrix, cell: Cell, look: Look, marks: Marks = "cell") -> None:
    """Frame a row, and a column if the cell has one, in the colours of their axes; the cell itself twice as wide."""
    area = view.area
    painter.setClipRect(area.adjusted(-3, -3, 3, 3))
    frames: list[Border] = [] if marks == "column" else [(view.rect_of(cell.row, None), matrix.row_role, 2)]
    if marks != "row" and cell.column is not None and cell.column < view.shape[1]:
        one = view.rect_of(cell.row, cell.column)
        frames.append((QRectF(one.x(), area.y(), one.width(), area.height()), matrix.column_role, 2))
        if marks == "cell":
            frames.append((one, matrix.column_role, 4))
    draw_frames(painter, frames, look)


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
    """Write the values, if the widest of them fits into a cell; larger in larger cells. None if they are hidden.

    In high and narrow cells they are rotated, read from below.
    """
    if not look.numbers:
        return
    cell, gap = view.rect_of(0, 0), _gap(matrix)
    font = look.font("small")
    font.setPixelSize(min(max(font.pixelSize(), round(cell.height() * 0.3)), look.px(_LARGEST_VALUE)))
    painter.setFont(font)
    widest = _widest(matrix, painter.fontMetrics())
    if widest > cell.width() - gap and font.pixelSize() > look.px(11):
        painter.setFont(look.font("small"))
        widest = _widest(matrix, painter.fontMetrics())
    standing = widest > cell.width() - gap
    if standing and (widest > cell.height() - gap or painter.fontMetrics().height() > cell.width()):
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
            if standing:
                painter.save()
                painter.translate(cell.center())
                painter.rotate(-90)
                painter.drawText(
                    QRectF(-cell.height() / 2, -cell.width() / 2, cell.height(), cell.width()),
                    Qt.AlignmentFlag.AlignCenter,
                    text,
                )
                painter.restore()
            else:
                painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)


def number_width(matrix: Matrix, look: Look) -> int:
    """Return the width of a cell that fits any number of a matrix in small type."""
    return _widest(matrix, QFontMetrics(look.font("small"))) + _gap(matrix)


def _gap(matrix: Matrix) -> int:
    """Return the gap between the numbers of two cells in pixels: smaller if a minus sign separates the widest ones."""
    return 4 if not matrix.signed and matrix.values.min(initial=0.0) < 0 else 5


def _widest(matrix: Matrix, metrics: QFontMetrics) -> int:
    """Return the width of its widest number in pixels."""
    finite = np.where(np.isfinite(matrix.values), matrix.values, 0.0)
    ends = float(finite.min(initial=0.0)), float(finite.max(initial=0.0))
    return max(metrics.horizontalAdvance(matrix.text_of(end)) for end in ends)


_LONGEST = 84
_FEW_CELLS = 16
_FEW_WORDS = 64
"""Up to this number of visible labels, each is measured."""
_NARROWEST = 0.85
"""The narrowest stretch of the labels over columns."""
_LARGEST_VALUE = 20
_FEW_SUMS, _SHORT_SUM = 1024, 1e5
_SLANT = 38
_TOP_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_ELIDED = Qt.TextElideMode.ElideRight
_MIDDLE_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def margins(matrix: Matrix, look: Look) -> Margins:
    """Return the margins for the labels around the cells."""
    if look not in matrix.measured:
        matrix.measured[look] = _measured(matrix, look)
    return matrix.measured[look]


def _measured(matrix: Matrix, look: Look) -> Margins:
    metrics = QFontMetrics(label_font(matrix, look))
    left = min(width_of(metrics, matrix.longest_rows), look.px(_LONGEST))
    left += look.px(8 if left else 2)
    right = look.px(4)
    if matrix.row_sums is not None:
        ends = matrix.row_sums[np.isfinite(matrix.row_sums)]
        widest = max((_sum(end) for end in (ends.min(initial=1.0), ends.max(initial=1.0))), key=len)
        right = QFontMetrics(look.font("small")).horizontalAdvance(widest) + look.px(10)
    slanted = min(width_of(metrics, matrix.longest_columns), look.px(_LONGEST))
    if isinstance(matrix.column_labels, NumberLabels) or not matrix.square:  # the last number extends beyond the cells
        right = max(right, width_of(metrics, matrix.longest_columns) // 2)
    if not matrix.upright:  # so does the last slanted label
        right = max(right, round(slanted * math.cos(math.radians(_SLANT))))
    # Slanted words need height; numbers are upright.
    labels = metrics.height() if matrix.upright else round(slanted * math.sin(math.radians(_SLANT))) + look.px(12)
    labels = labels if slanted else 0
    return Margins(left, _title_height(matrix, look) + labels + look.px(6), right, look.px(8))


def label_font(matrix: Matrix, look: Look) -> QFont:
    """Return the font of the labels: larger for a matrix of few cells."""
    return look.token_font("body" if max(matrix.levels.shape) <= _FEW_CELLS else "small")


def _title_height(matrix: Matrix, look: Look) -> int:
    if not matrix.title:
        return 0
    noted = QFontMetrics(look.font("small")).height() if matrix.note else 0
    return QFontMetrics(look.font("body")).height() + noted + look.px(6)


def title_width(matrix: Matrix, look: Look) -> int:
    """Return the width of the title and the note under it in pixels, from the left of the cells."""
    title = QFontMetrics(look.font("body", bold=True)).horizontalAdvance(matrix.title)
    return max(title, QFontMetrics(look.font("small")).horizontalAdvance(matrix.note))


def titles(matrix: Matrix, look: Look, room: int, *, reduced: bool) -> tuple[str, str]:
    """Return the title as drawn in ``room`` pixels, and in full; remarks are dropped first."""
    metrics = QFontMetrics(look.font("body", bold=True))
    remark = translate(" (a pixel shows the largest of its cells; zoom in)")
    whole = f"{matrix.title}{remark if reduced else ''}"
    if metrics.horizontalAdvance(whole) <= room:
        return whole, whole
    return metrics.elidedText(matrix.title, Qt.TextElideMode.ElideRight, room), whole


_NO_CELL = Cell(-1, None)


def draw_labels(
    painter: QPainter, view: CellView, matrix: Matrix, look: Look, *, width: int, chosen: Cell = _NO_CELL
) -> None:
    """Draw the labels of rows and columns, every n-th if they would collide, and the sums of these rows.

    ``width`` is that of the widget, in pixels. The ``chosen`` row and column take precedence over their neighbours.
    """
    painter.setFont(label_font(matrix, look))
    _draw_rows(painter, view, matrix, look, chosen.row)
    if matrix.row_sums is not None and look.numbers:
        painter.setFont(label_font(matrix, look))
        _draw_sums(painter, view, matrix, matrix.row_sums, look, width, chosen.row)
    painter.setFont(label_font(matrix, look))
    _draw_columns(painter, view, matrix, look, chosen.column)


def label_chosen(
    painter: QPainter, view: CellView, matrix: Matrix, look: Look, cell: Cell, size: QSize, ground: QColor
) -> None:
    """Redraw the labels on their background, including those of a chosen row and column; the title stays."""
    area, gap = view.area, 4  # for the frame around the selection
    top = area.top() - margins(matrix, look).top + _title_height(matrix, look)
    painter.fillRect(QRectF(0, top, size.width(), area.top() - gap - top), ground)
    painter.fillRect(QRectF(0, top, area.left() - gap, size.height() - top), ground)
    painter.fillRect(QRectF(area.right() + gap, top, size.width(), size.height() - top), ground)
    draw_labels(painter, view, matrix, look, width=size.width(), chosen=cell)


def draw_axes(painter: QPainter, view: CellView, matrix: Matrix, look: Look, *, width: int, reduced: bool) -> None:
    """Draw the title, and a label on rows without a valid key.

    Args:
        painter: of the widget.
        view: the visible cells and their positions.
        matrix: the matrix to label.
        look: type and colours.
        width: that of the widget, in pixels.
        reduced: whether a pixel shows several cells, which is noted beside the title.
    """
    painter.setFont(label_font(matrix, look))
    _draw_empty_rows(painter, view, matrix, look)
    _draw_slices(painter, view, matrix, look)
    _draw_title(painter, view, matrix, look, width=width, reduced=reduced)


def _draw_rows(painter: QPainter, view: CellView, matrix: Matrix, look: Look, chosen: int) -> None:
    area, most = view.area, look.px(_LONGEST)
    painter.setPen(look.color("text"))
    for row, band, height in _labelled_bands(painter, view, matrix, look, chosen):
        line = QRectF(0, band.center().y() - height / 2, area.left() - look.px(6), height)
        label = painter.fontMetrics().elidedText(short_name(matrix.row_labels[row]), _ELIDED, most)
        painter.drawText(line, _MIDDLE_RIGHT, label)


def _draw_sums(
    painter: QPainter, view: CellView, matrix: Matrix, sums: NDArray[np.float64], look: Look, width: int, chosen: int
) -> None:
    bands = list(_labelled_bands(painter, view, matrix, look, chosen))
    painter.setFont(look.font("small"))
    painter.setPen(look.color("muted"))
    left = view.area.right() + look.px(8)
    for row, band, height in bands:
        line = QRectF(left, band.center().y() - height / 2, width - left, height)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, _sum(sums[row]))


def _draw_empty_rows(painter: QPainter, view: CellView, matrix: Matrix, look: Look) -> None:
    if matrix.empty_rows is None or not matrix.empty_rows.any():
        return
    for row, band, _ in list(_labelled_bands(painter, view, matrix, look)):
        if matrix.empty_rows[row] and (matrix.levels[row] == MASKED).all():  # the label must not cover a weight
            _say_empty(painter, band.intersected(view.area), look)


def sums_written(matrix: Matrix) -> object:
    """Return a cache key for the sums of a matrix: their texts, or the sums themselves if there are very many rows."""
    sums = matrix.row_sums
    if sums is None:
        return None
    if len(sums) > _FEW_SUMS:
        return sums.tobytes()
    totals = sums.tolist()
    if np.abs(sums).max(initial=0) < _SHORT_SUM:  # not where one is NaN; vectorised, since it is called for each frame
        return " ".join(["%.3f"] * len(totals)) % tuple(totals)
    return tuple(map(_sum, totals))


def _labelled_bands(
    painter: QPainter, view: CellView, matrix: Matrix, look: Look, chosen: int = -1
) -> Iterator[tuple[int, QRectF, float]]:
    """Yield the visible rows whose labels have room, their rectangles and the label heights in the current font."""
    if painter.fontMetrics().ascent() + 1 > view.rect_of(0, 0).height():
        painter.setFont(look.font("small"))
    area, metrics = view.area, painter.fontMetrics()
    for row in _labelled_rows(view, matrix, metrics.ascent() + 1, chosen):
        band = view.rect_of(row, None)
        if area.top() - 1 <= band.center().y() <= area.bottom() + 1:
            yield row, band, metrics.height()


def _labelled_rows(view: CellView, matrix: Matrix, needed: float, chosen: int) -> list[int]:
    """Return the rows whose labels have room: the chosen one, then empty ones, then the others."""
    available = view.rect_of(0, 0).height()
    rows = list(_labelled(view.rows(), matrix.row_labels, needed, available))
    apart = math.ceil(needed / available)
    if apart == 1:
        return rows
    kept = [chosen] if chosen in view.rows() else []
    empty = () if matrix.empty_rows is None else np.flatnonzero(matrix.empty_rows).tolist()
    for row in empty:
        if row in view.rows() and all(abs(row - other) >= apart for other in kept[:1] + kept[-1:]):
            kept.append(row)
    return sorted(kept + [row for row in rows if all(abs(row - other) >= apart for other in kept)])


def _say_empty(painter: QPainter, band: QRectF, look: Look) -> None:
    """Label a row without a valid key as such, if there is room."""
    text = translate("no valid key")
    font = painter.font()
    painter.setFont(look.font("small"))
    needed = QRectF(painter.fontMetrics().boundingRect(text)).size()
    if needed.width() + look.px(8) <= band.width() and painter.fontMetrics().height() <= band.height():
        paper = QRectF(0, 0, needed.width() + look.px(8), painter.fontMetrics().height())
        paper.moveCenter(band.center())
        painter.fillRect(paper, look.color("window"))
        painter.setPen(QColor(look.theme.text))
        painter.drawText(paper, Qt.AlignmentFlag.AlignCenter, text)
    painter.setFont(font)


def _draw_columns(painter: QPainter, view: CellView, matrix: Matrix, look: Look, chosen: int | None) -> None:
    area, cell = view.area, view.rect_of(0, 0)
    # Words are upright if each has room over its column.
    upright = matrix.upright or width_of(painter.fontMetrics(), matrix.longest_columns) + look.px(4) <= cell.width()
    if upright and width_of(painter.fontMetrics(), matrix.longest_columns) + look.px(4) > cell.width():
        painter.setFont(look.font("small"))
    metrics = painter.fontMetrics()
    if upright:
        room: float = width_of(metrics, matrix.longest_columns) + look.px(4)
        if room > cell.width() and len(view.columns()) <= _FEW_WORDS:
            labels = [short_name(matrix.column_labels[column]) for column in view.columns()]
            beside = _beside(metrics, labels) + look.px(4)
            if cell.width() < beside <= cell.width() / _NARROWEST:  # rather narrow letters than half of the words
                font = painter.font()
                font.setStretch(int(100 * cell.width() / beside))
                painter.setFont(font)
                metrics = painter.fontMetrics()
                beside = _beside(metrics, labels) + look.px(4)
            room = beside if beside <= cell.width() else room
    else:
        room = round(metrics.height() / math.sin(math.radians(_SLANT)))
    painter.setPen(QColor(look.theme.text))
    columns = list(_labelled(view.columns(), matrix.column_labels, room, cell.width()))
    if chosen is not None and chosen in view.columns():
        columns = [chosen] + [column for column in columns if abs(column - chosen) * cell.width() >= room]
    for column in columns:
        middle = view.rect_of(0, column).center().x()
        if not area.left() <= middle <= area.right():
            continue
        text = metrics.elidedText(short_name(matrix.column_labels[column]), _ELIDED, look.px(_LONGEST))
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


def _draw_title(painter: QPainter, view: CellView, matrix: Matrix, look: Look, *, width: int, reduced: bool) -> None:
    """Draw the title above the cells, and the names of rows and columns in the colours of their axes."""
    if not matrix.title:
        return
    area, role = view.area, matrix.title_role
    painter.setFont(look.font("body", bold=True))
    line = QRectF(area.left(), max(0.0, area.top() - margins(matrix, look).top), 0, painter.fontMetrics().height())
    line.setRight(width)
    title, _ = titles(matrix, look, round(line.width()), reduced=reduced)
    painter.setPen(look.text_color(role))
    _draw_symbol(painter, line, title)
    if matrix.note:
        line.translate(0, line.height())
        painter.setFont(look.font("small"))
        painter.setPen(look.color("muted"))
        painter.drawText(line, _TOP_LEFT, matrix.note)
        return
    line.setLeft(line.left() + painter.fontMetrics().horizontalAdvance(title) + look.px(12))
    painter.setFont(look.font("small"))
    line.translate(0, look.px(1))
    metrics = painter.fontMetrics()
    words = [
        (f"{translate('rows:')} ", "muted"),
        (matrix.row_title, matrix.row_role),
        (f",  {translate('columns:')} ", "muted"),
        (matrix.column_title, matrix.column_role),
    ]
    if sum(metrics.horizontalAdvance(text) for text, _ in words) > line.width():
        return
    for text, colour in words:
        painter.setPen(look.text_color(colour))
        painter.drawText(line, _TOP_LEFT, text)
        line.setLeft(line.left() + metrics.horizontalAdvance(text))


_SCRIPTS = re.compile(r"((?<=\b\w)_[^\W_]ᵀ?(?!\w)|ᵀ)")
_SMALLER, _ABOVE, _LOWER, _HIGHER = 0.85, 0.62, 0.16, 0.46
"""The sizes of an index and of the sign above it, and their offsets below and above the baseline, relative to the font:
the sign is below the ascent, so that it is not cut off, and above an x."""
_LEAST_TYPE = 11
"""The least height of the sign in pixels."""


def _draw_symbol(painter: QPainter, line: QRectF, text: str) -> None:
    """Draw a title in which "_q" is a subscript, smaller and lower, with "ᵀ" above it."""
    font, left, metrics = painter.font(), line.left(), painter.fontMetrics()
    small, base = QFont(font), line.top() + metrics.ascent()
    small.setPixelSize(round(font.pixelSize() * _SMALLER))
    above = QFont(font)
    above.setPixelSize(max(min(small.pixelSize(), _LEAST_TYPE), round(font.pixelSize() * _ABOVE)))
    painter.save()
    painter.setClipRect(line.adjusted(0, -line.height() / 4, 0, line.height()), Qt.ClipOperation.IntersectClip)
    for part in filter(None, _SCRIPTS.split(text)):
        scripts = _SCRIPTS.fullmatch(part) is not None
        painter.setFont(small if scripts else font)
        texts = (part.strip("_ᵀ"), "T" * part.endswith("ᵀ")) if scripts else (part, "")
        painter.drawText(QPointF(left, base + (_LOWER * font.pixelSize() if scripts else 0)), texts[0])
        widest = painter.fontMetrics().horizontalAdvance(texts[0])
        if texts[1]:
            painter.setFont(above)
            painter.drawText(QPointF(left, base - _HIGHER * font.pixelSize()), texts[1])
            widest = max(widest, painter.fontMetrics().horizontalAdvance(texts[1]))
        left += widest
    painter.restore()


def _sum(total: float) -> str:
    return number_text(total, ".3f" if abs(total) < _SHORT_SUM else ".3g")


def width_of(metrics: QFontMetrics, labels: Iterable[str]) -> int:
    """Return the width of the widest of a few labels in pixels."""
    return max(map(metrics.horizontalAdvance, labels), default=0)


def _beside(metrics: QFontMetrics, labels: Sequence[str]) -> float:
    """Return the width of columns over which no label touches the next: a wide word has room beside short ones."""
    widths = map(metrics.horizontalAdvance, labels)
    return max((sum(pair) / 2 for pair in pairwise(widths)), default=0.0)


def _labelled(places: range, labels: Sequence[str], needed: float, available: float) -> range:
    """Return the positions whose labels have room; for counted positions, those at 5, 10, 15 and so on."""
    first, step = 0, every_nth(needed, available)
    if step > 1 and labels[0] == str(SCREEN.first) and labels[-1] == str(SCREEN.number(len(labels) - 1)):
        first = SCREEN.position(step)
    return range(first - (first - places.start) // step * step, places.stop, step)
