"""Marks that are drawn with a pen: curves, stems and upright lines; and the pens of the overlays."""

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from typing_extensions import override

from attnviz.gui.plots.curves.plot_layer import Frame, Mark, Numbers, PlotLayer, PointsMark, polygon
from attnviz.gui.theme import Look

_MOST_PER_COLUMN = 8
"""If a column of pixels holds more points, their extremes are drawn instead."""


class Curve(PointsMark):
    """A curve through points; where one is not finite it has a gap, and a point between two gaps is a dot."""

    @override
    def draw(self, painter: QPainter, frame: Frame) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for x, y in _runs(self.x, self.y):
            places = frame.x_of(x), frame.y_of(y)
            if len(x) == 1:
                painter.setPen(self._of_a_dot())
                painter.drawPoints(polygon(*places))
            else:
                painter.setPen(self.pen)
                painter.drawPolyline(polygon(*_by_columns(*places)))

    def _of_a_dot(self) -> QPen:
        return QPen(self.pen.color(), self.pen.widthF(), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)


class Stems(PointsMark):
    """Upright strokes at x (n,), from the foot of the plot, ``height`` (n,) of the plot's high."""

    @override
    def draw(self, painter: QPainter, frame: Frame) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen)
        foot = frame.view.bottom()
        heights = self.y * frame.view.height()
        for x, height in zip(frame.x_of(self.x).tolist(), heights.tolist(), strict=True):
            painter.drawLine(QLineF(x, foot, x, foot - height))


class Upright(Mark):
    """A line at one x, from the foot of the plot to its top; not shown before it is put anywhere."""

    def __init__(self, layer: PlotLayer) -> None:
        super().__init__(layer)
        self.x: float | None = None

    def put(self, x: float | None) -> None:
        """Put it at an x; None, or what is not finite, takes it away."""
        self.x = None if x is None or not math.isfinite(x) else float(x)
        self.changed()

    @property
    @override
    def empty(self) -> bool:
        return self.x is None

    @override
    def draw(self, painter: QPainter, frame: Frame) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen)
        x = float(frame.x_of(np.array(self.x, np.float64)))
        painter.drawLine(QLineF(x, frame.view.top(), x, frame.view.bottom()))


def _runs(x: Numbers, y: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the parts of a curve that have no gap."""
    known = np.isfinite(x) & np.isfinite(y)
    if known.all():
        if len(x):
            yield x, y
        return
    edges = np.flatnonzero(np.diff(known, prepend=False, append=False))
    for start, stop in edges.reshape(-1, 2).tolist():
        yield x[start:stop], y[start:stop]


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
    """Return the pen of the overlay at a place of the list."""
    # After all colours have been used with one pattern they come again with the next.
    pattern, _ = _PATTERNS[place % len(_PATTERNS)]
    return QPen(QColor(overlay_colour(look, place)), 1.8 * look.scale, pattern)


def overlay_colour(look: Look, place: int) -> str:
    """Return the colour of the overlay at a place of the list."""
    return look.theme.curves[place % len(look.theme.curves)]


def overlay_sign(place: int) -> str:
    """Return a line of the overlay's pattern, for a legend."""
    return _PATTERNS[place % len(_PATTERNS)][1]
