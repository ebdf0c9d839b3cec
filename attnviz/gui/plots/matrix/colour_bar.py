"""The colour legend: the bar, its two ends, and the heads it applies to."""

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter

from attnviz.experiment.colours import HIGHEST, LOWEST, MASKED, NOT_FINITE
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.matrix_drawing import draw_crosses
from attnviz.gui.plots.matrix.tile import cross_brush, draw_tiles, hatch_brush
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import translate

_BAR = 140
_SWATCH = 16


class ColourBar(Canvas):
    """One bar for every head, with swatches for masked cells and, if there are any, for cells that are not finite."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._line: ColourLine | None = None
        self._swatches: list[tuple[int, str]] = []
        self.setAccessibleName(self.tr("Colour scale"))

    def show_line(self, line: ColourLine) -> None:
        """Draw the bar of a scale, its scope, and the swatches of the picture's signs."""
        if line == self._line:
            return
        self._line = line
        words = self.tr("masked or left out") if line.masked else self.tr("left out")
        words = words if line.left_out else self.tr("masked")
        signs = (
            (line.masked or line.left_out, MASKED, words),
            (line.dropped, LOWEST, self.tr("dropped")),
            (line.not_finite, NOT_FINITE, self.tr("not a number")),
        )
        self._swatches = [(level, name) for there, level, name in signs if there]
        self.setAccessibleDescription(f"{' .. '.join(_ends(line))} {line.caption}")
        self.redraw()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(self.look.px(460), self.look.px(20))

    def draw(self, painter: QPainter) -> None:
        """Draw low end, bar, high end, caption and swatches from left to right."""
        if self._line is None:
            return
        _, table, caption = self._line[:3]
        painter.setFont(self.look.font("small"))
        low, high = _ends(self._line)
        gap, middle = self.look.px(8), self.height() / 2
        # If room is short the bar shrinks, and its caption is dropped before the swatches.
        signs = sum(self._width(painter, name) + self.look.px(_SWATCH) + 3 * gap for _, name in self._swatches)
        room = self.width() - signs - self._width(painter, low) - self._width(painter, high) - 2 * gap
        caption = caption if self._width(painter, caption) + gap + self.look.px(_BAR) / 4 < room else ""
        length = min(self.look.px(_BAR), max(24, room - (self._width(painter, caption) + gap if caption else 0)))
        bar = QRectF(self._text(painter, 0, low), middle - self.look.px(4), length, self.look.px(8))
        levels = np.arange(LOWEST, HIGHEST + 1, dtype=np.uint8)[None, None]
        draw_tiles(painter, [bar], levels, table)
        x = self._text(painter, bar.right() + gap, high)
        x = self._text(painter, x, caption) + gap if caption else x
        for level, name in self._swatches:
            swatch = QRectF(x, middle - self.look.px(6), self.look.px(_SWATCH), self.look.px(12))
            painter.fillRect(swatch, QColor(*map(int, table.rgb[level])))
            ratio = painter.device().devicePixelRatio()
            if level == LOWEST:
                draw_crosses(painter, [swatch], table)
            else:
                painter.fillRect(swatch, hatch_brush(self.look, ratio) if level == MASKED else cross_brush(self.look))
            x = self._text(painter, swatch.right() + gap, name) + gap

    def _width(self, painter: QPainter, text: str) -> int:
        return painter.fontMetrics().horizontalAdvance(text)

    def _text(self, painter: QPainter, x: float, text: str) -> float:
        painter.setPen(QColor(self.look.theme.muted))
        width = painter.fontMetrics().horizontalAdvance(text)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
        painter.drawText(QRectF(x, 0, width + 4, self.height()), flags, text)
        return x + width + self.look.px(8)


def _ends(line: ColourLine) -> tuple[str, str]:
    scale, low = line.scale, line.number(line.scale.low)
    high = translate("largest") if scale.per_head else line.number(scale.high)
    return f"≤ {low}" if scale.logarithmic else low, high
