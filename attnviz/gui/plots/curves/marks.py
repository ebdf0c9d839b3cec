"""The marks of a plot layer: curves and vertical lines; dots, rings and stars; and the pens of the overlays."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF
from typing_extensions import override

from attnviz.gui.plots.curves.plot_layer import Mark, Numbers, PlotLayer, PointsMark, Scales, polygon
from attnviz.gui.theme import Look

MANY = 2_000
"""From this number on dots are square and smaller."""
_TIPS = 5


class Dots(PointsMark):
    """Round dots of one style, optionally with an edge; thousands are drawn in one call."""

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
    def draw(self, painter: QPainter, scales: Scales) -> None:
        points = polygon(*self.places(scales))
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
    """Open circles of one style."""

    def __init__(self, layer: PlotLayer) -> None:
        super().__init__(layer)
        self.size = 6.0

    def set_look(self, pen: QPen, size: float) -> None:
        """Draw them with a pen, ``size`` wide."""
        self.pen, self.size = pen, size
        self.changed()

    @override
    def draw(self, painter: QPainter, scales: Scales) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = self.size / 2
        for x, y in zip(*(each.tolist() for each in self.places(scales)), strict=True):
            painter.drawEllipse(QPointF(x, y), radius, radius)


class Stars(PointsMark):
    """Five-pointed stars."""

    def __init__(self, layer: PlotLayer) -> None:
        super().__init__(layer)
        self.colour, self.size = QColor(), 9.0

    def set_look(self, colour: QColor, size: float) -> None:
        """Draw them in a colour, ``size`` wide."""
        self.colour, self.size = colour, size
        self.changed()

    @override
    def draw(self, painter: QPainter, scales: Scales) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(self.colour))
        for x, y in zip(*(each.tolist() for each in self.places(scales)), strict=True):
            painter.drawPolygon(_star(x, y, self.size / 2))


def _star(x: float, y: float, radius: float) -> QPolygonF:
    """Return a star around a point: tips at the radius, inner corners where straight lines between tips would meet."""
    turns = np.arange(2 * _TIPS) * np.pi / _TIPS
    far: Numbers = np.where(np.arange(2 * _TIPS) % 2, radius * 0.382, radius)
    return polygon(x + far * np.sin(turns), y - far * np.cos(turns))


_MOST_PER_COLUMN = 8
"""If a column of pixels holds more points, their extremes are drawn instead."""
_PIECE = 2_000
"""In pixels. A longer line is drawn in pieces: Qt's time grows with how often one path returns to the same rows."""


class CurveMark(PointsMark):
    """A curve through points; values that are not finite leave a gap, and a point between two gaps is a dot."""

    @override
    def draw(self, painter: QPainter, scales: Scales) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for x, y in _runs(self.x, self.y):
            places = scales.x_of(x), scales.y_of(y)
            if len(x) == 1:
                painter.setPen(self._of_a_dot())
                painter.drawPoints(polygon(*places))
            else:
                for start, piece in _pieces(*_by_columns(*places)):
                    painter.setPen(self._continued(start))
                    painter.drawPolyline(piece)

    def _continued(self, start: float) -> QPen:
        """Return the pen of a line's continuation after ``start`` pixels, with the dash pattern continued."""
        if self.pen.style() is Qt.PenStyle.SolidLine or not start:
            return self.pen
        pen = QPen(self.pen)
        pen.setDashOffset(start / max(self.pen.widthF(), 1))
        return pen

    def _of_a_dot(self) -> QPen:
        return QPen(self.pen.color(), self.pen.widthF(), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)


class Upright(Mark):
    """A vertical line at one x, over the height of the plot; not shown until it is placed."""

    def __init__(self, layer: PlotLayer) -> None:
        super().__init__(layer)
        self.x: float | None = None

    def put(self, x: float | None) -> None:
        """Place it at an x; None, or a value that is not finite, hides it."""
        self.x = None if x is None or not math.isfinite(x) else float(x)
        self.changed()

    @property
    @override
    def empty(self) -> bool:
        return self.x is None

    @override
    def draw(self, painter: QPainter, scales: Scales) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen)
        x = float(scales.x_of(np.array(self.x, np.float64)))
        painter.drawLine(QLineF(x, scales.view.top(), x, scales.view.bottom()))


def _runs(x: Numbers, y: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the parts of a curve between gaps."""
    known = np.isfinite(x) & np.isfinite(y)
    if known.all():
        if len(x):
            yield x, y
        return
    edges = np.flatnonzero(np.diff(known, prepend=False, append=False))
    for start, stop in edges.reshape(-1, 2).tolist():
        yield x[start:stop], y[start:stop]


def _pieces(x: Numbers, y: Numbers) -> Iterator[tuple[float, QPolygonF]]:
    """Yield a line in pieces of about `_PIECE` pixels, each with the pixels before it."""
    lengths = np.append(0, np.hypot(np.diff(x), np.diff(y)).cumsum())
    cuts = [0, *np.flatnonzero(np.diff(lengths // _PIECE)).tolist(), len(x) - 1]
    for start, stop in pairwise(cuts):
        if start < stop:
            yield float(lengths[start]), polygon(x[start : stop + 1], y[start : stop + 1])


def _by_columns(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    """Return a line of far fewer points that covers the same pixels: of each column the first, least, greatest, last.

    Only for long lines that run from left to right, such as the history of a training. Source: Jugel et al., "M4: a
    visualization-oriented time series data aggregation" (2014).
    """
    if len(x) <= _MOST_PER_COLUMN * (1 + abs(x[-1] - x[0])) or (np.diff(x) < 0).any():
        return x, y
    starts = np.flatnonzero(np.diff(np.floor(x), prepend=-np.inf))
    ends = np.append(starts[1:], len(x)) - 1
    least, most = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
    middle = (x[starts] + x[ends]) / 2
    xs = np.stack((x[starts], middle, middle, x[ends]), axis=1)
    ys = np.stack((y[starts], least, most, y[ends]), axis=1)
    return xs.reshape(-1), ys.reshape(-1)


_PATTERNS = (
    (Qt.PenStyle.SolidLine, "━"),
    (Qt.PenStyle.DashLine, "╍"),
    (Qt.PenStyle.DotLine, "┅"),
    (Qt.PenStyle.DashDotLine, "┉"),
)


def overlay_pen(look: Look, place: int) -> QPen:
    """Return the pen of an overlay by its index in the list."""
    # After all colours have been used with one pattern they repeat with the next.
    pattern, _ = _PATTERNS[place % len(_PATTERNS)]
    return QPen(QColor(overlay_colour(look, place)), 1.8 * look.scale, pattern)


def overlay_colour(look: Look, place: int) -> str:
    """Return the colour of an overlay by its index in the list."""
    return look.theme.curves[place % len(look.theme.curves)]


def overlay_sign(place: int) -> str:
    """Return a line in an overlay's pattern, for a legend."""
    return _PATTERNS[place % len(_PATTERNS)][1]
