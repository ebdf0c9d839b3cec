"""Many dots of one look in a plot: thousands are drawn in one go, and changing them costs next to nothing."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget
from typing_extensions import override

_MANY = 2_000


class Dots(pg.GraphicsObject):  # type: ignore[misc]
    """Round dots of a fixed size on the screen; square and smaller where they are very many."""

    def __init__(self) -> None:
        super().__init__()
        self._polygon = QPolygonF()
        self._bounds = QRectF()
        self._pen = QPen()
        # What moves over them, such as the line of the query, does not draw them anew.
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)
        self.x, self.y = np.empty(0), np.empty(0)

    def set_data(self, x: NDArray[np.float64], y: NDArray[np.float64], size: float, colour: QColor) -> None:
        """Draw dots at points (n,), (n,), of a size in points of the screen."""
        self.prepareGeometryChange()
        self.x, self.y = x, y
        self._polygon, self._bounds = pg.functions.create_qpolygonf(len(x)), QRectF()
        if len(x):
            place = pg.functions.ndarray_from_qpolygonf(self._polygon)
            place[:, 0], place[:, 1] = x, y
            self._bounds = QRectF(x.min(), y.min(), np.ptp(x), np.ptp(y))
        many = len(x) > _MANY
        cap = Qt.PenCapStyle.SquareCap if many else Qt.PenCapStyle.RoundCap
        self._pen = QPen(colour, size / 2 if many else size, Qt.PenStyle.SolidLine, cap)
        self._pen.setCosmetic(True)
        self.update()

    @override
    def boundingRect(self) -> QRectF:
        """Return where the dots' centres lie, with room for a dot around them."""
        per_x, per_y = self.pixelLength(pg.Point(1, 0)) or 0.0, self.pixelLength(pg.Point(0, 1)) or 0.0
        air = self._pen.widthF()
        return self._bounds.adjusted(-air * per_x, -air * per_y, air * per_x, air * per_y)

    @override
    def viewTransformChanged(self) -> None:
        """Follow a zoom: the room for a dot is another."""
        self.prepareGeometryChange()

    @override
    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        """Draw the dots."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(self.x) <= _MANY)
        painter.setPen(self._pen)
        # In points of the screen: a plot stretches x and y differently, and a dot is to stay round.
        to_screen = painter.transform()
        painter.resetTransform()
        painter.drawPoints(to_screen.map(self._polygon))
