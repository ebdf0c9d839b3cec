"""What a query pools: the values of its keys as strips, each beside its weight, and below them what comes out."""

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from attnviz.experiment.attention.row import AttentionRow
from attnviz.experiment.colours.levels import quantise, symmetric_scale
from attnviz.experiment.colours.maps import DIVERGING
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.tile import colour_table, draw_tiles
from attnviz.gui.plots.tensors.row_bars import rest_said
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import number_text

_ROW = 18
_MOST = 5
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PooledValues(Canvas):
    """The keys with the most weight, after dropout; values and output share one scale, centred on 0."""

    background = "panel"

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._row: AttentionRow | None = None
        self._keys: tuple[int, ...] = ()
        self.rest = ""
        """What is said of the keys that are not drawn."""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Values that the chosen row pools, and its output"))

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys whose values are drawn, from top to bottom."""
        return self._keys

    def show_row(self, row: AttentionRow) -> None:
        """Draw the values of a row's largest weights, and its output."""
        self._row = row
        order = row.pooled
        self._keys = tuple(map(int, order[:_MOST]))
        self.rest = rest_said(row.dropped_weights[order[:_MOST]], row.dropped_weights[order[_MOST:]])
        said = ", ".join(number_text(value, ".3g") for value in row.output[:8])
        more = ", ..." if len(row.output) > 8 else ""
        self.setAccessibleDescription(self.tr("output {0}").format(said + more))
        self.setToolTip(self.accessibleDescription())
        self.redraw()

    @override
    def sizeHint(self) -> QSize:
        lines = len(self.keys) + bool(self.rest) + 1
        return QSize(self.look.px(240), self.look.px(_ROW) * lines + self.look.px(6))

    def strip_of(self, place: int) -> QRectF:
        """Return where a strip is drawn: the keys in order, then (as the last one) the output."""
        height = self.look.px(_ROW)
        lines = len(self.keys) + bool(self.rest)
        y = lines * height + self.look.px(6) if place == len(self.keys) else place * height
        left = self.look.px(118)
        return QRectF(left, y + 2, max(8, self.width() - left), height - 4)

    @override
    def draw(self, painter: QPainter) -> None:
        row = self._row
        if row is None:
            return
        painter.setFont(self.look.font("small"))
        metrics, height, theme = painter.fontMetrics(), self.look.px(_ROW), self.look.theme
        table = colour_table(DIVERGING, theme)
        keys = self.keys
        shown = np.concatenate((row.values[np.array(keys, np.intp)], row.output[None]))
        scale = symmetric_scale(shown)
        levels = quantise(shown, None, scale.low, scale.high)
        for place, key in enumerate(keys):
            strip = self.strip_of(place)
            draw_tiles(painter, [strip], levels[place][None, None], table)
            painter.setPen(QColor(theme.text))
            text = f"{number_text(row.dropped_weights[key], '.3f')} ×"
            painter.drawText(QRectF(0, strip.y(), strip.x() - self.look.px(6), strip.height()), _RIGHT, text)
            painter.setPen(QColor(theme.v))
            name = metrics.elidedText(row.key_tokens[key], Qt.TextElideMode.ElideRight, self.look.px(64))
            painter.drawText(
                QRectF(0, strip.y(), self.look.px(64), strip.height()), Qt.AlignmentFlag.AlignVCenter, name
            )
        if self.rest:
            painter.setPen(QColor(theme.muted))
            line = QRectF(0, len(keys) * height, self.width(), height)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, self.rest)
        strip = self.strip_of(len(keys))
        painter.setPen(QColor(theme.line))
        painter.drawLine(0, int(strip.y()) - 4, self.width(), int(strip.y()) - 4)
        draw_tiles(painter, [strip], levels[-1][None, None], table)
        painter.setPen(QColor(theme.output))
        painter.drawText(QRectF(0, strip.y(), strip.x() - self.look.px(6), strip.height()), _RIGHT, self.tr("output ="))
