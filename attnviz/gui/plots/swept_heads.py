"""The picture of all heads of a sweep: a point for each in two measures, with its spread over the runs."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF
from typing_extensions import override

from attnviz.definitions.tasks import EVERY_ROLE
from attnviz.experiment.colours import colours_of_map
from attnviz.experiment.scalars import axis_title
from attnviz.experiment.sweeps.heads import Group, Head, HeadsPicture
from attnviz.experiment.sweeps.results import value_text
from attnviz.gui.plots.heads.role_words import role_colour
from attnviz.gui.plots.matrix.canvas import Pointed
from attnviz.gui.plots.scale import round_range, ticks_between
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

_LEFT, _RIGHT, _TOP, _BOTTOM, _ROW = 52, 12, 20, 40, 18
"""The margins, and the height of a row of the legend, at scale 1."""
_DOT, _NEAR = 4.5, 14.0
"""The radius of a point, and the distance within which the mouse hits it, at scale 1."""
_BARS = 90
"""The opacity of error bars, of 255."""
_LIGHTEST = 205
"""The level of the last layer in a colour map: beyond it, points are pale."""
_MOST_NAMED = 12
"""The most layers in the legend; of more, some are named."""

_SHAPES: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    ((0, -1.2), (1.2, 1), (-1.2, 1)),
    ((0, 1.2), (1.2, -1), (-1.2, -1)),
    ((-1.2, 0), (1, -1.2), (1, 1.2)),
    ((1.2, 0), (-1, -1.2), (-1, 1.2)),
)
"""The corners of a mark, in radii; empty: a circle. Each role has its own, so that its colour is not needed."""


class SweptHeads(Pointed):
    """Draws heads; emits the head that is hovered, and the one that is opened."""

    GESTURES = (
        Gesture("Point", "Read a head", "Heads of a sweep"),
        Gesture("Click, Return", "Open a head on its most typical run", "Heads of a sweep"),
        Gesture("Shift+Click, Shift+Return", "Open a head on its most extreme run", "Heads of a sweep"),
        Gesture("Left, Right", "Read the previous or next head", "Heads of a sweep"),
    )
    opened = Signal(object, bool)
    """A head, and whether its most extreme run is wanted instead of the most typical one."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.picture: HeadsPicture | None = None
        self._map = ""
        self._heads: tuple[Head, ...] = ()
        self._x, self._y = np.empty(0), np.empty(0)
        self.pointed: Head | None = None
        """The head that is read."""
        self.setAccessibleName(translate("Heads of a sweep"))

    def show_picture(self, picture: HeadsPicture | None, colour_map: str) -> None:
        """Draw a picture, or (None) nothing; a colour map has the colours of layers."""
        self.picture, self._map = picture, colour_map
        self.redraw()

    @property
    def places(self) -> dict[Head, QPointF]:
        """The centre of each head's point."""
        known = zip(self._heads, self._x, self._y, strict=True)
        return {head: QPointF(x, y) for head, x, y in known if np.isfinite(x + y)}

    @override
    def draw(self, painter: QPainter) -> None:
        picture, colour_map = self.picture, self._map
        self._heads = ()
        self._x, self._y = np.empty(0), np.empty(0)
        if picture is None:
            return
        x, y = picture.points
        groups = picture.groups
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.look.font("small"))
        px, metrics = self.look.px, QFontMetrics(painter.font())
        below = self._draw_legend(painter, groups, colour_map)
        area = QRectF(self.rect()).adjusted(px(_LEFT), below + px(_TOP), -px(_RIGHT), -px(_BOTTOM))
        across, down = self._axes(painter, picture, area, metrics)
        self._heads, self._x, self._y = x.heads, across(x.mean), down(y.mean)
        ends = [across(x.mean - x.spread), across(x.mean + x.spread), down(y.mean - y.spread), down(y.mean + y.spread)]
        left, right, low, high = (np.where(np.isfinite(each), each, np.nan) for each in ends)
        index_of = {head: index for index, head in enumerate(x.heads)}
        there = np.isfinite(self._x + self._y).tolist()
        for group in groups:
            colour, faint = self._colour(group, colour_map), self._colour(group, colour_map)
            faint.setAlpha(_BARS)
            painter.setPen(QPen(faint, self.look.scale))
            at = [index for index in sorted(index_of[head] for head in group.heads) if there[index]]
            for index in at:
                if np.isfinite(left[index] + right[index]):
                    painter.drawLine(QPointF(left[index], self._y[index]), QPointF(right[index], self._y[index]))
                if np.isfinite(low[index] + high[index]):
                    painter.drawLine(QPointF(self._x[index], low[index]), QPointF(self._x[index], high[index]))
            for index in at:
                self._draw_mark(painter, QPointF(self._x[index], self._y[index]), group, colour)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        place = None if self.pointed is None else self.places.get(self.pointed)
        if place is None or self.pointed is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.look.color("accent"), 2 * self.look.scale))
        radius = self.look.px(_DOT + 4)
        painter.drawEllipse(place, radius, radius)
        painter.setPen(self.look.color("text"))
        painter.setFont(self.look.font("small", bold=True))
        wide = QFontMetrics(painter.font()).horizontalAdvance(self.pointed.name)
        left = place.x() + radius + 4 if place.x() + radius + 4 + wide < self.width() else place.x() - radius - 4 - wide
        painter.drawText(QPointF(left, place.y() - radius), self.pointed.name)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.cell_at(event.position()))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        head = self.cell_at(event.position())
        if head is not None and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(head, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)
        super().leaveEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right hover the previous and the next head; Enter opens it."""
        there = list(self.places)
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and there:
            step = 1 if event.key() == Qt.Key.Key_Right else -1
            self._point(there[(there.index(self.pointed) + step if self.pointed in there else 0) % len(there)])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.pointed is not None:
            self.opened.emit(self.pointed, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    @override
    def cell_at(self, place: QPointF) -> Head | None:
        """Return the nearest head within reach of a position, if any."""
        far = np.hypot(self._x - place.x(), self._y - place.y())
        if not np.isfinite(far).any():
            return None
        nearest = int(np.nanargmin(far))
        return self._heads[nearest] if far[nearest] <= self.look.px(_NEAR) else None

    def _point(self, head: Head | None) -> None:
        if head != self.pointed:
            self.pointed = head
            self.hovered.emit(head)
            self.update()

    def _axes(
        self, painter: QPainter, picture: HeadsPicture, area: QRectF, metrics: QFontMetrics
    ) -> tuple[Callable[[NDArray[np.float64]], NDArray[np.float64]], ...]:
        """Draw both scales and their titles, and return the functions from numbers to positions."""
        px, muted = self.look.px, self.look.color("muted")
        reaches = []
        for points in picture.points:
            spread = np.nan_to_num(points.spread)
            low, high = round_range(np.concatenate([points.mean - spread, points.mean + spread]))
            around = 0.03 * (high - low)
            reaches.append((low - around, high + around))
        (left, right), (low, high) = reaches

        def across(value: NDArray[np.float64]) -> NDArray[np.float64]:
            return area.left() + (value - left) / (right - left) * area.width()

        def down(value: NDArray[np.float64]) -> NDArray[np.float64]:
            return area.bottom() - (value - low) / (high - low) * area.height()

        ticks = ticks_between(left, right)
        for tick, at in zip(ticks, across(np.array(ticks)), strict=True):
            painter.setPen(QPen(self.look.color("line"), 1))
            painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
            room = QRectF(at - 40, area.bottom() + px(3), 80, metrics.height())
            painter.setPen(muted)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, value_text(tick))
        ticks = ticks_between(low, high)
        for tick, at in zip(ticks, down(np.array(ticks)), strict=True):
            painter.setPen(QPen(self.look.color("line"), 1))
            painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at))
            room = QRectF(0, at - metrics.height() / 2, px(_LEFT - 6), metrics.height())
            painter.setPen(muted)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, value_text(tick))
        painter.setPen(muted)
        title = QRectF(px(4), area.top() - px(_TOP), self.width(), px(_TOP))
        painter.drawText(title, Qt.AlignmentFlag.AlignVCenter, translate(axis_title(picture.y)))
        title = QRectF(area.left(), self.height() - px(20), area.width(), px(20))
        painter.drawText(title, Qt.AlignmentFlag.AlignCenter, translate(axis_title(picture.x)))
        return across, down

    def _draw_legend(self, painter: QPainter, groups: tuple[Group, ...], colour_map: str) -> float:
        """Draw the legend at the top, in as many rows as it needs, and return its height."""
        px, metrics = self.look.px, QFontMetrics(painter.font())
        step = -(-len(groups) // _MOST_NAMED)
        shown = [*groups[:-1:step], groups[-1]] if groups else []
        left, top, row = px(_LEFT), 0.0, px(_ROW)
        for group in shown:
            text = translate(group.title)
            if step == 1 and group.level is None:
                text = f"{text} ({len(group.heads)})"
            wide = px(16) + metrics.horizontalAdvance(text) + px(14)
            if left + wide > self.width() and left > px(_LEFT):
                left, top = px(_LEFT), top + row
            self._draw_mark(painter, QPointF(left + px(6), top + row / 2), group, self._colour(group, colour_map))
            painter.setPen(self.look.color("text"))
            room = QRectF(left + px(16), top, wide, row)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
            left += wide
        return top + row

    def _colour(self, group: Group, colour_map: str) -> QColor:
        if group.level is None:
            return QColor(role_colour(group.role, self.look.theme))
        return QColor(*map(int, colours_of_map(colour_map)[round(_LIGHTEST * group.level)]))

    def _draw_mark(self, painter: QPainter, place: QPointF, group: Group, colour: QColor) -> None:
        index = 0 if group.role is None else 1 + list(EVERY_ROLE).index(group.role.name) % (len(_SHAPES) - 1)
        radius = self.look.px(_DOT) * (0.7 if group.role is None and group.level is None else 1.0)
        painter.setPen(QPen(self.look.color("window"), 1))
        painter.setBrush(colour)
        if corners := _SHAPES[index]:
            painter.drawPolygon(QPolygonF([place + QPointF(x, y) * radius * 0.95 for x, y in corners]))
        else:
            painter.drawEllipse(place, radius, radius)
