"""Marks at points, of a fixed size on the screen: dots, rings and stars."""

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF
from typing_extensions import override

from attnviz.gui.plots.curves.plot_layer import Frame, Numbers, PlotLayer, PointsMark, polygon

MANY = 2_000
"""From here on dots are square and smaller."""
_TIPS = 5


class Dots(PointsMark):
    """Round dots of one look, which may have an edge; thousands are drawn in one go."""

    def __init__(self, layer: PlotLayer) -> None:
        super().__init__(layer)
        self.size = 6.0
        self.colour = QColor()
        self.edge: QColor | None = None
        self.edge_width = 0.0

    def set_look(self, colour: QColor, size: float, edge: QColor | None = None, edge_width: float = 0.0) -> None:
        """Draw them in a colour, ``size`` wide, with an edge around that."""
        self.colour, self.size, self.edge, self.edge_width = colour, size, edge, edge_width
        self.changed()

    @override
    def draw(self, painter: QPainter, frame: Frame) -> None:
        points = polygon(*self.places(frame))
        if points.isEmpty():
            return
        many = points.size() > MANY
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not many)
        size = self.size / 2 if many else self.size
        cap = Qt.PenCapStyle.SquareCap if many else Qt.PenCapStyle.RoundCap
        if self.edge is not None:
            painter.setPen(QPen(self.edge, size + 2 * self.edge_width, Qt.PenStyle.SolidLine, cap))
            painter.drawPoints(points)
        painter.setPen(QPen(self.colour, size, Qt.PenStyle.SolidLine, cap))
        painter.drawPoints(points)


class Rings(PointsMark):
    """Open circles of one look."""

    def __init__(self, layer: PlotLayer) -> None:
        super().__init__(layer)
        self.size = 6.0

    def set_look(self, pen: QPen, size: float) -> None:
        """Draw them with a pen, ``size`` wide."""
        self.pen, self.size = pen, size
        self.changed()

    @override
    def draw(self, painter: QPainter, frame: Frame) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = self.size / 2
        for x, y in zip(*(each.tolist() for each in self.places(frame)), strict=True):
            painter.drawEllipse(QPointF(x, y), radius, radius)


class Stars(PointsMark):
    """Stars of five tips."""

    def __init__(self, layer: PlotLayer) -> None:
        super().__init__(layer)
        self.colour, self.size = QColor(), 9.0

    def set_look(self, colour: QColor, size: float) -> None:
        """Draw them in a colour, ``size`` wide."""
        self.colour, self.size = colour, size
        self.changed()

    @override
    def draw(self, painter: QPainter, frame: Frame) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(self.colour))
        for x, y in zip(*(each.tolist() for each in self.places(frame)), strict=True):
            painter.drawPolygon(_star(x, y, self.size / 2))


def _star(x: float, y: float, radius: float) -> QPolygonF:
    """Return a star around a point: tips at the radius, the corners between them where straight lines would meet."""
    turns = np.arange(2 * _TIPS) * np.pi / _TIPS
    far: Numbers = np.where(np.arange(2 * _TIPS) % 2, radius * 0.382, radius)
    return polygon(x + far * np.sin(turns), y - far * np.cos(turns))
