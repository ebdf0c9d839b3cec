"""The weights of a fit's query: stems in a strip below the points, with an axis of their own."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from typing_extensions import override

from attnviz.gui.plots.curves.plot_layer import PlotLayer, PointsMark, Scales

STRIP = 0.2
"""The share of the plot's height for the weights, below the points."""


class FitAxis(pg.AxisItem):  # type: ignore[misc]
    """The left axis of a fit: that of y, and in the strip below the points that of the weights."""

    def __init__(self) -> None:
        super().__init__("left")
        self.most = 1.0
        """The weight at the top of the strip."""
        self.text_height = 0.0
        """The height of the strip's title, which the stems leave free."""

    def show_most(self, most: float) -> None:
        """Change the largest weight of the strip."""
        if most != self.most:
            self.most = most
            self.picture = None
            self.update()

    def reach(self, height: float) -> float:
        """Return how high the stem of the largest weight is in a plot of this height, in pixels."""
        return max(STRIP * height - self.text_height, STRIP * height / 2)

    @override
    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """Return the ticks of y above the strip, and in the first level those of weights, which are below it."""
        low, high = sorted((minVal, maxVal))
        strip = low + STRIP * (high - low)
        levels: list[tuple[float, list[float]]] = super().tickValues(strip, high, (1 - STRIP) * size)
        if not levels:
            return levels
        of_weights = [low, low + (high - low) * self.reach(size) / max(size, 1.0)]
        spacing, values = levels[0]
        return [(spacing, [*of_weights, *values]), *levels[1:]]

    @override
    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return the numbers at ticks: weights within the strip, else y."""
        low, high = sorted(self.range)
        texts: list[str] = super().tickStrings(values, scale, spacing)
        strip = low + STRIP * (high - low) * (1 - 1e-9)
        return [
            text if value >= strip else ("0" if value <= low else f"{self.most:.3g}")
            for value, text in zip(values, texts, strict=True)
        ]


class Stems(PointsMark):
    """Upright strokes at x (n,) as high as weights (n,), in the strip of an axis, under its title."""

    def __init__(self, layer: PlotLayer, axis: FitAxis, title: str) -> None:
        super().__init__(layer)
        self._axis, self._title = axis, title
        self._line, self._text, self._font = QPen(), QColor(), QFont()
        self.colours: NDArray[np.uint8] = np.empty((0, 3), np.uint8)
        """(n, 3), the colour of each."""

    @property
    @override
    def empty(self) -> bool:
        return False

    def set_look(self, pen: QPen, line: QColor, text: QColor, font: QFont) -> None:
        """Draw stems within an outline of a pen, and in these colours the edge of the strip and its title."""
        self._line, self._text, self._font = QPen(line), text, font
        self._axis.text_height = QFontMetrics(font).height()
        self.set_pen(pen)

    @override
    def draw(self, painter: QPainter, scales: Scales) -> None:
        view = scales.view
        foot, top = view.bottom(), view.bottom() - STRIP * view.height()
        painter.setPen(self._line)
        painter.drawLine(QLineF(view.left(), top, view.right(), top))
        painter.setFont(self._font)
        painter.setPen(self._text)
        painter.drawText(QPointF(view.left() + 4, top + painter.fontMetrics().ascent()), self._title)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen)
        heights = self.y / self._axis.most * self._axis.reach(view.height())
        places = zip(scales.x_of(self.x).tolist(), heights.tolist(), strict=True)
        stems = [QLineF(x, foot, x, foot - height) for x, height in places]
        painter.drawLines(stems)
        for stem, colour in zip(stems, self.colours.tolist(), strict=False):  # none are left after `clear`
            painter.setPen(QPen(QColor(*colour), self.pen.widthF() - 2))
            painter.drawLine(stem)
