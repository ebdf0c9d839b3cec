"""The heads of a model as points over two measures of the same unit, with the line on which both agree."""

import math
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from attnviz.definitions.text import number_said
from attnviz.gui.plots.matrix.canvas import ARROWS, Pointed
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture

_HEIGHT, _MARGIN, _RADIUS, _NEAR = 170, 6, 4, 12
"""The height, the margin around the points, their radius, and how near the mouse must be, at scale 1."""
_NAMED = 4
"""The most points with their names beside them."""


class HeadPoint(NamedTuple):
    """A head with two numbers."""

    name: str
    x: float
    y: float
    place: int
    """The head, counted through all layers."""
    tip: str


class HeadPoints(Pointed):
    """A point for each head; the chosen one is filled, and those farthest from the line have their names."""

    GESTURES = (Gesture("Click, Left, Right", "Choose a head", "Heads as points"),)

    background = "panel"

    def __init__(self, look: Look, name: str) -> None:
        super().__init__(look)
        self.points: tuple[HeadPoint, ...] = ()
        self._titles = "", ""
        self._chosen: int | None = None
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_points(self, points: tuple[HeadPoint, ...], x_title: str, y_title: str) -> None:
        """Draw these heads over two titled axes, which have the same scale."""
        if (points, (x_title, y_title)) != (self.points, self._titles):
            self.points, self._titles = points, (x_title, y_title)
            self.setAccessibleDescription("; ".join(point.tip for point in self._farthest))
            self.redraw()

    def select(self, place: int | None) -> None:
        """Fill the point of a head, counted through all layers."""
        if place != self._chosen:
            self._chosen = place
            self.redraw()

    @property
    def _farthest(self) -> tuple[HeadPoint, ...]:
        """The points farthest from the line."""
        return tuple(sorted(self.points, key=lambda point: -abs(point.y - point.x))[:_NAMED])

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.look.px(240), self.look.px(_HEIGHT))

    def _area(self) -> QRectF:
        """Return the rectangle of the points."""
        line, margin = QFontMetrics(self.look.font("small")).height(), self.look.px(_MARGIN)
        return QRectF(margin, line + margin, self.width() - 2 * margin, self.height() - 2 * line - 2 * margin)

    def _range(self) -> tuple[float, float]:
        values = [0.0, *(value for point in self.points for value in (point.x, point.y))]
        low, high = min(values), max(values)
        return low, (high if high > low else low + 1.0)

    def at(self, x: float, y: float) -> QPointF:
        """Return the place of two numbers."""
        area, (low, high) = self._area(), self._range()
        right, up = ((value - low) / (high - low) for value in (x, y))
        return QPointF(area.left() + right * area.width(), area.bottom() - up * area.height())

    @override
    def draw(self, painter: QPainter) -> None:
        area, (low, high) = self._area(), self._range()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.look.font("small"))
        painter.setPen(QPen(self.look.color("edge"), 1))
        painter.drawLine(self.at(0, low), self.at(0, high))
        painter.drawLine(self.at(low, 0), self.at(high, 0))
        painter.setPen(QPen(self.look.color("muted"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(self.at(low, low), self.at(high, high))
        painter.setPen(self.look.color("muted"))
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(0, 0, self.width(), area.top()), left, f"↑ {self._titles[1]}")
        ends = QRectF(0, area.bottom() + self.look.px(_MARGIN) / 2, self.width(), self.height() - area.bottom())
        painter.drawText(ends, right, f"{self._titles[0]} →")
        if self.look.numbers:
            painter.drawText(ends, left, number_said(low))
            painter.drawText(QRectF(0, 0, self.width(), area.top()), right, number_said(high))
        self._draw_points(painter)

    def _draw_points(self, painter: QPainter) -> None:
        radius = self.look.px(_RADIUS)
        names: list[QRectF] = []
        for point in self.points:
            painter.setPen(QPen(self.look.color("accent"), 1.5))
            painter.setBrush(self.look.color("accent" if point.place == self._chosen else "panel"))
            painter.drawEllipse(self.at(point.x, point.y), radius, radius)
        painter.setPen(self.look.color("text"))
        for point in self._farthest:
            box = self._name_box(point)
            if not any(box.intersects(other) for other in names):
                names.append(box)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, point.name)

    def _name_box(self, point: HeadPoint) -> QRectF:
        """Return the rectangle of a point's name: at its right, or at its left if there is no room."""
        metrics, at, apart = QFontMetrics(self.look.font("small")), self.at(point.x, point.y), self.look.px(_RADIUS + 3)
        wide, high = metrics.horizontalAdvance(point.name), metrics.height()
        left = at.x() + apart if at.x() + apart + wide < self.width() else at.x() - apart - wide
        return QRectF(left, at.y() - high / 2, wide, high)

    def _nearest(self, place: QPointF) -> HeadPoint | None:
        """Return the point at the mouse; None if none is near."""

        def far(point: HeadPoint) -> float:
            apart = self.at(point.x, point.y) - place
            return math.hypot(apart.x(), apart.y())

        nearest = min(self.points, key=far, default=None)
        return nearest if nearest is not None and far(nearest) <= self.look.px(_NEAR) else None

    @override
    def cell_at(self, place: QPointF) -> int | None:
        point = self._nearest(place)
        return None if point is None else point.place

    @override
    def tip(self, place: QPointF) -> str:
        point = self._nearest(place)
        return "" if point is None else point.tip

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the head before or after, in the order of heads."""
        step = sum(ARROWS.get(event.key(), (0, 0)))
        places = [point.place for point in self.points]
        if not step or not places:
            super().keyPressEvent(event)
            return
        now = places.index(self._chosen) if self._chosen in places else -step
        self.clicked.emit(places[min(max(now + step, 0), len(places) - 1)])
