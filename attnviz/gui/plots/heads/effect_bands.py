"""Effects beside others that they can be compared with: a band from the least to the largest, and a mark."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.theme import Look

_ROW, _MOST = 26, 12
"""The height of a row at scale 1, and the most rows."""
_BAND, _DOT, _MARK = 10, 2, 5
"""The height of a band, the radius of its values, and of the mark, at scale 1."""


class EffectBand(NamedTuple):
    """A row: what is compared, the values of the others, and the value that is marked, NaN for none."""

    name: str
    others: NDArray[np.floating]
    marked: float
    tip: str


class EffectBands(Canvas):
    """A row for each band, on one scale; the middle half of the values is darker, their median a line."""

    background = "panel"

    def __init__(self, look: Look, name: str) -> None:
        super().__init__(look)
        self.bands: tuple[EffectBand, ...] = ()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_bands(self, bands: tuple[EffectBand, ...]) -> None:
        """Draw these, the first ones of many."""
        self.bands = bands[:_MOST]
        self.setAccessibleDescription("; ".join(band.tip for band in self.bands))
        self.redraw()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.look.px(240), self.look.px(_ROW) * len(self.bands))

    @property
    def _left(self) -> float:
        wide = QFontMetrics(self.look.font("small")).horizontalAdvance
        return max((wide(band.name) for band in self.bands), default=0) + self.look.px(10)

    def x_of(self, value: float) -> float:
        """Return the horizontal place of an effect."""
        values = np.concatenate([[0.0], *(np.append(band.others, band.marked) for band in self.bands)])
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        left, margin = self._left, self.look.px(_MARK + 1)
        return left + margin + (value - low) / ((high - low) or 1.0) * (self.width() - left - 2 * margin)

    @override
    def draw(self, painter: QPainter) -> None:
        row = self.look.px(_ROW)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.look.font("small"))
        painter.setPen(QPen(self.look.color("edge"), 1))
        painter.drawLine(QPointF(self.x_of(0), 0), QPointF(self.x_of(0), row * len(self.bands)))
        for number, band in enumerate(self.bands):
            middle = (number + 0.5) * row
            painter.setPen(self.look.color("muted"))
            painter.drawText(QRectF(0, number * row, self._left, row), Qt.AlignmentFlag.AlignVCenter, band.name)
            values = band.others[np.isfinite(band.others)]
            if values.size:
                self._draw_band(painter, values, middle)
            if np.isfinite(band.marked):
                painter.setPen(QPen(self.look.color("panel"), 1))
                painter.setBrush(self.look.color("accent"))
                painter.drawEllipse(QPointF(self.x_of(band.marked), middle), *[self.look.px(_MARK)] * 2)

    def _draw_band(self, painter: QPainter, values: NDArray[np.floating], middle: float) -> None:
        high = self.look.px(_BAND)
        low, first, median, third, top = (
            self.x_of(float(each)) for each in np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
        )
        colour = self.look.color("muted")
        painter.setPen(Qt.PenStyle.NoPen)
        for left, right, strength in ((low, top, 0.2), (first, third, 0.3)):
            colour.setAlphaF(strength)
            painter.setBrush(colour)
            painter.drawRect(QRectF(left, middle - high / 2, max(right - left, 1.0), high))
        colour.setAlphaF(1.0)
        painter.setPen(QPen(colour, 2))
        painter.drawLine(QPointF(median, middle - high / 2), QPointF(median, middle + high / 2))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for value in values.tolist():
            painter.drawEllipse(QPointF(self.x_of(value), middle), *[self.look.px(_DOT)] * 2)

    @override
    def tip(self, place: QPointF) -> str:
        at = int(place.y() // self.look.px(_ROW))
        return self.bands[at].tip if 0 <= at < len(self.bands) else ""
