"""One item of a plot's scene that draws all of its lines, dots and signs, from numpy arrays.

pyqtgraph would create an item for each curve and each group of points, and query its bounds, its pixel size and its
range several times per frame, in Python: four plots took 25 ms to paint, most of it for queries.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget
from typing_extensions import override

Numbers = NDArray[np.float64]
"""(n,)."""

_FAR = 1e5
"""In pixels. Points farther out are drawn there: invisible, and within the range of Qt's coordinates."""
_MOST = 1e300
"""The limit of axes: numbers around it cannot be subtracted."""


@dataclass(frozen=True)
class Scales:
    """The mapping from a plot's numbers to the screen: ``left + x * per_x`` and ``top + y * per_y``."""

    left: float
    per_x: float
    top: float
    per_y: float
    view: QRectF
    """The visible rectangle, in points of the screen."""

    def x_of(self, x: Numbers) -> Numbers:
        """Return the screen coordinates of numbers (n,), from the left."""
        return _placed(x, self.left, self.per_x)

    def y_of(self, y: Numbers) -> Numbers:
        """Return the screen coordinates of numbers (n,), from the top."""
        return _placed(y, self.top, self.per_y)


class PlotLayer(pg.GraphicsObject):  # type: ignore[misc]
    """Draws its marks in the order of their creation; always fills the axes."""

    def __init__(self, plot: pg.PlotWidget, *, kept: bool = False) -> None:
        """``kept``: changes in other layers do not redraw this one; for thousands of static dots."""
        super().__init__()
        self.marks: list[Mark] = []
        self._box = plot.getViewBox()
        self._bounds = QRectF()
        if kept:
            self.setCacheMode(self.CacheMode.DeviceCoordinateCache)
        self._box.addItem(self, ignoreBounds=True)

    @override
    def boundingRect(self) -> QRectF:
        """Return the visible range of the axes."""
        return self._bounds

    @override
    def viewTransformChanged(self) -> None:
        """Follow a zoom or a resize."""
        self.prepareGeometryChange()
        self._bounds = self._box.viewRect()
        self.update()  # a cached layer has not moved on the screen, and Qt would reuse its old picture

    @override
    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        """Draw the marks in points of the screen: a plot stretches x and y differently, but a dot stays round."""
        on_screen = painter.transform()
        painter.resetTransform()
        scales = Scales(
            on_screen.dx(), on_screen.m11(), on_screen.dy(), on_screen.m22(), on_screen.mapRect(self._bounds)
        )
        for mark in self.marks:
            if not mark.empty:
                mark.draw(painter, scales)


class Mark(ABC):
    """A drawable of a layer."""

    def __init__(self, layer: PlotLayer) -> None:
        self._layer = layer
        self.pen = QPen()
        layer.marks.append(self)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return False

    @abstractmethod
    def draw(self, painter: QPainter, scales: Scales) -> None:
        """Draw it; the painter counts in points of the screen."""

    def set_pen(self, pen: QPen) -> None:
        """Set the pen; ignored by marks without one."""
        self.pen = pen
        self.changed()

    def changed(self) -> None:
        """Schedule a redraw with the next frame."""
        self._layer.update()


class PointsMark(Mark):
    """A mark made of points; those that are not finite are not drawn."""

    def __init__(self, layer: PlotLayer) -> None:
        super().__init__(layer)
        self.x: Numbers = np.empty(0)
        self.y: Numbers = np.empty(0)

    @property
    @override
    def empty(self) -> bool:
        return not len(self.x)

    @property
    def data(self) -> tuple[Numbers, Numbers]:
        """The points, (n,), (n,)."""
        return self.x, self.y

    def set_data(self, x: Numbers, y: Numbers) -> None:
        """Draw points (n,), (n,)."""
        if len(self.x) or len(x):
            self.x, self.y = x, y
            self.changed()

    def clear(self) -> None:
        """Draw nothing."""
        self.set_data(np.empty(0), np.empty(0))

    def places(self, scales: Scales) -> tuple[Numbers, Numbers]:
        """Return the screen coordinates of the finite points, (m,), (m,)."""
        known = np.isfinite(self.x) & np.isfinite(self.y)
        x, y = (self.x, self.y) if known.all() else (self.x[known], self.y[known])
        return scales.x_of(x), scales.y_of(y)


def _placed(values: Numbers, start: float, step: float) -> Numbers:
    with np.errstate(over="ignore"):  # for points far outside
        return np.clip(start + values * step, -_FAR, _FAR)


def polygon(x: Numbers, y: Numbers) -> QPolygonF:
    """Return points (n,), (n,) as a Qt polygon."""
    points: QPolygonF = pg.functions.create_qpolygonf(len(x))
    if len(x):
        places = pg.functions.ndarray_from_qpolygonf(points)
        places[:, 0], places[:, 1] = x, y
    return points


def in_round_numbers(low: float, high: float) -> tuple[float, float]:
    """Return a range around low and high with round ends, so that growing numbers seldom change it."""
    size = max(high - low, max(abs(low), abs(high)) * 1e-9, 1 / _MOST)
    step = 10.0 ** math.floor(math.log10(size / 4))
    step *= max(each for each in (1, 2, 5) if each * step <= size / 4)
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    return (first, last) if math.isfinite(first) and math.isfinite(last) else (low, high)


def extent(*values: Numbers) -> tuple[float, float] | None:
    """Return the least and the greatest finite number of all, or None without any."""
    known = [np.clip(each[np.isfinite(each)], -_MOST, _MOST) for each in values]
    least = [float(each.min()) for each in known if each.size]
    return (min(least), max(float(each.max()) for each in known if each.size)) if least else None
