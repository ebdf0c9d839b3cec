"""Curves over the steps of a training, on one axis, optionally with their names at their ends."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.plots.curves.curve_plot import CurvePlot, Range
from attnviz.gui.plots.curves.marks import CurveMark, Dots, Upright
from attnviz.gui.plots.curves.plot_layer import Numbers, extent, in_round_numbers
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture

_NEAR = 14.0
"""The distance in pixels within which the mouse hits a curve."""
_DOTS_UP_TO = 30
_NAMES_FROM = 170
"""The least width of a plot whose curves have names at their ends, at scale 1."""
_NONE = np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class StepCurve:
    """One curve: steps and values (n,), the colour of a theme, and its name."""

    x: Numbers
    y: Numbers
    colour: str
    """As "#rrggbb"."""
    name: str = ""
    """Written at its end; "" for none."""
    text_colour: str = ""
    """The colour of the name; "" is the curve's own."""
    weight: float = 0.0
    """If not all names fit, those of a greater weight are written first, one of each colour before others."""
    thin: bool = False


def apart(places: Sequence[float], height: float, low: float, high: float) -> tuple[float, ...]:
    """Return the centres of lines of a height within low and high, as near to these positions as possible, in order.

    Lines that would overlap share the room around the mean of their positions. There must be room for all of them.
    """
    groups: list[tuple[float, int]] = []  # groups of touching lines: the centre of the first, and their number
    for place in places:
        start, count = min(max(place, low + height / 2), high - height / 2), 1
        while groups and groups[-1][0] + groups[-1][1] * height > start + 1e-9:
            first, others = groups.pop()
            # Both groups move to the mean of their own positions.
            start = (others * first + count * (start - others * height)) / (others + count)
            count += others
            start = min(max(start, low + height / 2), high - (count - 0.5) * height)
        groups.append((start, count))
    return tuple(start + line * height for start, count in groups for line in range(count))


def _not_crowded(
    ranked: Sequence[int], places: Mapping[int, float], height: float, low: float, high: float
) -> list[int]:
    """Return lines of a height by rank, without those that would overlap one of a higher rank at its position."""
    middles = {line: min(max(places[line], low + height / 2), high - height / 2) for line in ranked}
    kept: list[int] = []
    for line in ranked:
        if all(abs(middles[line] - middles[other]) >= height for other in kept):
            kept.append(line)
    return kept


def _round_step(length: int, most: float) -> int:
    """Return a round tick spacing with at most ``most`` ticks for a length."""
    size = 1
    while True:
        for digit in (1, 2, 5):
            if length / (digit * size) <= max(1.0, most):
                return digit * size
        size *= 10


class StepCurves(CurvePlot):
    """Many curves and the current step. Pointing finds the nearest curve; a press or a drag seeks a step."""

    GESTURES: tuple[Gesture, ...] = (Gesture("Point", "Show the head of the nearest curve", "What the heads do"),)

    looked = Signal(int)
    """The user wants to see this step."""
    pointed = Signal(int)
    """The curve under the mouse, -1 for none."""

    def __init__(
        self, look: Look, name: str, most: int, longest: str = "", parent: QWidget | None = None, *, unit: bool = True
    ) -> None:
        """Create the plot for at most ``most`` curves, whose longest name is ``longest``.

        The axis is from 0 to 1, or if not ``unit`` follows the values; then few values have dots.
        """
        super().__init__(look, name, "", "", parent)
        self._longest, self._unit = longest, unit
        self._reach: Range = (0.0, 1.0)
        self.curves = [CurveMark(self.layer) for _ in range(most)]
        self.here, self._dots = Upright(self.layer), Dots(self.layer)
        self.shown: tuple[StepCurve, ...] = ()
        self._length = 1
        self._lit: frozenset[int] = frozenset()
        self._gutter = 0
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.setAccessibleDescription(self.tr("Press to look back at a step"))
        # In low plots pyqtgraph would hide those at the ends, or all.
        self.getAxis("left").setStyle(hideOverlappingLabels=False, textFillLimits=[(0, math.inf)])
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        if self._unit:
            self.getAxis("left").setWidth(look.px(26))
        self.here.set_pen(self.pen("accent", 1.5))
        self._style_curves()
        self._show_range()

    def show_curves(self, curves: Sequence[StepCurve], length: int, here: int) -> None:
        """Draw curves over a training of ``length`` steps, and mark the current step."""
        looks = [(curve.colour, curve.thin) for curve in self.shown]
        self.shown = tuple(curves)
        for place, mark in enumerate(self.curves):
            if place < len(self.shown):
                mark.set_data(self.shown[place].x, self.shown[place].y)
            else:
                mark.clear()
        self.here.put(here)
        if not self._unit:
            self._follow_values()
        if looks != [(curve.colour, curve.thin) for curve in self.shown]:
            self._style_curves()
        if max(1, length) != self._length:
            self._length = max(1, length)
            self._show_range()
        self.viewport().update()

    def _follow_values(self) -> None:
        """Fit the axis to the values; mark them with dots if lines between so few would hardly be visible."""
        x, y = (np.concatenate([_NONE, *(getattr(each, name) for each in self.shown)]) for name in ("x", "y"))
        few = slice(len(y) if len(y) <= _DOTS_UP_TO else 0)
        self._dots.set_data(x[few], y[few])
        known = extent(y)
        reach = self._reach if known is None else in_round_numbers(*known)
        if reach != self._reach:
            self._reach = reach
            self._show_range()

    def light(self, lit: Sequence[int]) -> None:
        """Highlight some curves."""
        if frozenset(lit) != self._lit:
            self._lit = frozenset(lit)
            self._style_curves()
            self.viewport().update()

    def _style_curves(self) -> None:
        for place, (mark, curve) in enumerate(zip(self.curves, self.shown, strict=False)):
            strong = place in self._lit
            width = 3.0 if strong else 1.0 if curve.thin else 1.8
            pen = QPen(QColor(curve.colour), width * self.look.scale)
            if mark.pen != pen:
                mark.set_pen(pen)
        for curve in self.shown[:1]:
            self._dots.set_look(QColor(curve.colour), self.look.px(6))

    def _show_range(self) -> None:
        """Reserve room for the names at the right."""
        metrics = QFontMetrics(self.look.font("small"))
        bold = QFontMetrics(self.look.font("small", bold=True))
        has_names = bool(self._longest) and self.width() >= self.look.px(_NAMES_FROM)
        gutter = bold.horizontalAdvance(self._longest) + self.look.px(8) if has_names else 0
        if gutter != self._gutter:
            self._gutter = gutter
            self._place_legend()
        box = self.getViewBox()
        # The numbers at the ends need half of their height.
        half = 0.45 * metrics.height()
        self.show_range((0.0, float(self._length)), self._reach, half / max(box.height() - 2 * half, half))
        between = (0.5,) if self._unit and box.height() >= 3.5 * metrics.height() else ()
        low, high = self._reach
        self.getAxis("left").setTicks([[(at, f"{at:.6g}") for at in dict.fromkeys((low, *between, high))]])
        step = _round_step(self._length, box.width() / (1.8 * metrics.horizontalAdvance(str(self._length))))
        self.getAxis("bottom").setTicks([[(at, str(at)) for at in range(0, self._length + 1, step)]])

    @override
    def _place_legend(self) -> None:
        super()._place_legend()
        left, top, _, bottom = self.getPlotItem().layout.getContentsMargins()
        self.getPlotItem().setContentsMargins(left, top, getattr(self, "_gutter", 0), bottom)

    @override
    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if hasattr(self, "shown"):
            self._show_range()

    def names(self) -> tuple[tuple[int, QRectF], ...]:
        """Return the named curves with the rectangles of their names, in the widget."""
        return tuple((place, line) for place, _, line in self.named())

    def named(self) -> tuple[tuple[int, str, QRectF], ...]:
        """Return the curves named at their ends, the names, and their rectangles in the widget."""
        if self._longest and not self._gutter:
            return ()
        named = [place for place, curve in enumerate(self.shown) if curve.name and len(curve.x)]
        axes = self.getViewBox().sceneBoundingRect()
        height = QFontMetrics(self.look.font("small")).height() - 1
        over = self.look.px(4)  # how far names may extend beyond the axes
        room = int((axes.bottom() + over - max(0.0, axes.top() - over)) // height)
        ranked = self._most_telling_first(named)[: max(0, room)]
        ends = {place: self.place_of(self.shown[place].x[-1], self._end_of(place)) for place in ranked}
        top, bottom = max(0.0, axes.top() - over), axes.bottom() + over
        if self.look.present and len(ranked) > 2:  # two move apart and are still beside their ends
            ranked = _not_crowded(ranked, {place: end.y() for place, end in ends.items()}, height, top, bottom)
        order = sorted(ranked, key=lambda place: ends[place].y())
        middles = apart([ends[place].y() for place in order], height, top, bottom)
        # A name is behind the line of the current step, if the curve ends there or beyond.
        line = -math.inf if self.here.x is None else self.place_of(self.here.x, 0.0).x()
        lefts = [min(max(ends[place].x(), line), axes.right()) + self.look.px(5) for place in order]
        return tuple(
            (place, self.shown[place].name, QRectF(left, middle - height / 2, self.width() - left, height))
            for place, middle, left in zip(order, middles, lefts, strict=True)
        )

    def _most_telling_first(self, places: Sequence[int]) -> list[int]:
        """Return curves: highlighted ones, then the one of most weight in each colour, then the others by weight."""
        by_weight = sorted(places, key=lambda place: -self.shown[place].weight)
        colours = {self.shown[place].colour: place for place in reversed(by_weight)}
        best = {place for place in colours.values() if self.shown[place].weight}
        return sorted(by_weight, key=lambda place: (place not in self._lit, place not in best))

    def _end_of(self, place: int) -> float:
        known = self.shown[place].y[np.isfinite(self.shown[place].y)]
        return float(min(1.0, max(0.0, known[-1]))) if len(known) else 0.0

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.plotItem is None:  # pyqtgraph has closed it
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        self._draw_names(painter)

    def _draw_names(self, painter: QPainter) -> None:
        for place, name, line in self.named():
            curve = self.shown[place]
            painter.setFont(self.look.font("small", bold=place in self._lit))
            painter.setPen(QColor(curve.text_colour or curve.colour))
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)

    def curve_at(self, place: QPointF) -> int:
        """Return the curve whose name or line is nearest to a point of the widget; -1 if none is near."""
        for number, line in self.names():
            if line.contains(place):
                return number
        if not self.covers(place):
            return -1
        at = self.in_plot(place)
        nearest, best = -1, _NEAR * self.look.scale
        for number, curve in enumerate(self.shown):
            if len(curve.x):
                y = float(np.interp(at.x(), curve.x, curve.y))
                away = abs(self.place_of(at.x(), y).y() - place.y()) if np.isfinite(y) else np.inf
                if away < best:
                    nearest, best = number, away
        return nearest

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._look(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look(event)
        else:
            self.pointed.emit(self.curve_at(event.position()))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(-1)
        super().leaveEvent(event)

    def _look(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton and not event.buttons() & Qt.MouseButton.LeftButton:
            return
        if event.position().x() <= self.getViewBox().sceneBoundingRect().right() + self.look.px(4):
            self.looked.emit(max(0, round(self.in_plot(event.position()).x())))
