"""A vector as a strip of coloured cells, 0 in the middle colour."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from attnviz.experiment.colours.levels import NOT_FINITE, Scale, quantise, symmetric_scale
from attnviz.experiment.colours.maps import DIVERGING
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.colour_table import colour_table
from attnviz.gui.plots.matrix.tile import cross_brush, draw_tiles
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import number_text

_HEIGHT = 14


class VectorStrip(Canvas):
    """One row of numbers; cells that are not a number have their own colour and are crossed."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._levels: NDArray[np.uint8] = np.zeros((1, 0), np.uint8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Output of the chosen query"))

    def show_vector(self, values: NDArray[np.floating], scale: Scale | None = None) -> None:
        """Draw a vector; without a scale its own largest size is the end of the colours."""
        scale = scale or symmetric_scale(values)
        self._levels = quantise(values[None], None, scale.low, scale.high)
        shown = ", ".join(number_text(value, ".3g") for value in values[:8])
        self.setAccessibleDescription(shown + (", ..." if len(values) > 8 else ""))
        self.setToolTip(self.accessibleDescription())
        self.redraw()

    @override
    def sizeHint(self) -> QSize:
        return QSize(120, self.look.px(_HEIGHT))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.look.px(_HEIGHT))

    @override
    def draw(self, painter: QPainter) -> None:
        if not self._levels.size:
            return
        area = QRectF(self.rect()).adjusted(0, 1, 0, -1)
        draw_tiles(painter, [area], self._levels[None], colour_table(DIVERGING, self.look.theme))
        width = area.width() / self._levels.shape[1]
        for column in np.flatnonzero(self._levels[0] == NOT_FINITE):
            cell = QRectF(area.x() + column * width, area.y(), width, area.height())
            painter.fillRect(cell, cross_brush(self.look))
