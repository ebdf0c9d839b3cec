"""The labels around a large heatmap: keys above, queries on the left, row sums on the right."""

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from attnviz.gui.theme import Look

if TYPE_CHECKING:
    from attnviz.gui.plots.heatmap import Heatmap, Matrix

_LONGEST = 84
_SLANT = 38
_TOP_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


def margins(matrix: "Matrix", look: Look) -> tuple[int, int, int, int]:
    """Return the room that the labels take: left, top, right, bottom."""
    metrics = QFontMetrics(look.font("small"))
    left = min(_widest(metrics, matrix.row_labels), look.px(_LONGEST)) + metrics.height() + look.px(20)
    right = metrics.horizontalAdvance("Σ 1.000") + look.px(16) if matrix.row_sums is not None else look.px(16)
    slanted = min(_widest(metrics, matrix.column_labels), look.px(_LONGEST))
    # Words are slanted and need height; numbers stand upright.
    top = (
        look.px(24)
        + (metrics.height() + look.px(4) if matrix.title else 0)
        + (metrics.height() if _upright(matrix) else round(slanted * 0.62) + look.px(8))
    )
    return left, top, right, look.px(8)


def draw_axes(painter: QPainter, heatmap: "Heatmap", matrix: "Matrix", look: Look) -> None:
    """Draw titles, labels (every n-th where they would collide) and row sums."""
    area = heatmap.cells
    painter.setFont(look.font("small"))
    metrics = painter.fontMetrics()
    cell = heatmap.rect_of(0, 0)
    painter.setPen(QColor(look.theme.text))
    every = max(1, math.ceil(metrics.height() / cell.height()))
    for row in _every(heatmap.view.rows(), every):
        band = heatmap.rect_of(row, None)
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
            line.setRight(heatmap.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, f"Σ {matrix.row_sums[row]:.3f}")
    _draw_columns(painter, heatmap, matrix, look)
    _draw_titles(painter, heatmap, matrix, look)


def _draw_columns(painter: QPainter, heatmap: "Heatmap", matrix: "Matrix", look: Look) -> None:
    metrics = painter.fontMetrics()
    area, cell = heatmap.cells, heatmap.rect_of(0, 0)
    upright = _upright(matrix)
    room = _widest(metrics, matrix.column_labels) + look.px(8) if upright else metrics.height()
    painter.setPen(QColor(look.theme.text))
    for column in _every(heatmap.view.columns(), max(1, math.ceil(room / cell.width()))):
        middle = heatmap.rect_of(0, column).center().x()
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


def _draw_titles(painter: QPainter, heatmap: "Heatmap", matrix: "Matrix", look: Look) -> None:
    area = heatmap.cells
    metrics = painter.fontMetrics()
    note = heatmap.tr(" (a pixel shows the largest of its cells; zoom in)") if heatmap.reduced else ""
    line = QRectF(area.left(), area.top() - margins(matrix, look)[1], heatmap.width(), metrics.height() + 2)
    if matrix.title:
        painter.setPen(QColor(look.theme.text))
        painter.setFont(look.font("small", bold=True))
        painter.drawText(line, _TOP_LEFT, f"{matrix.title}{note}")
        painter.setFont(look.font("small"))
        line.translate(0, metrics.height() + look.px(4))
        note = ""
    painter.setPen(QColor(look.theme.k))
    painter.drawText(line, _TOP_LEFT, f"{matrix.column_title}{note}")
    labels = min(_widest(metrics, matrix.row_labels), look.px(_LONGEST))
    painter.setPen(QColor(look.theme.q))
    painter.save()
    painter.translate(area.left() - labels - look.px(14) - metrics.height(), area.top() + max(area.height() / 2, 0))
    painter.rotate(-90)
    width = metrics.horizontalAdvance(matrix.row_title)
    painter.drawText(round(-width / 2), metrics.ascent(), matrix.row_title)
    painter.restore()


def _upright(matrix: "Matrix") -> bool:
    return not matrix.square or all(len(label) <= 4 for label in matrix.column_labels)


def _widest(metrics: QFontMetrics, labels: tuple[str, ...]) -> int:
    # Measuring thousands of labels would cost a frame; the longest by letters is the widest for our purpose.
    return max((metrics.horizontalAdvance(label) for label in sorted(set(labels), key=len)[-3:]), default=0)


def _every(places: range, step: int) -> range:
    return range(-(-places.start // step) * step, places.stop, step)
