"""The picture of a sweep: dots and medians of one knob, or a map of two; below it a sign for each run.

It is drawn from the rows that have come, and each dot, cell and sign knows its run.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF
from typing_extensions import override

from attnviz.experiment.colours import colours_of_map, takes_dark_text
from attnviz.experiment.scalars import Scalar
from attnviz.experiment.sweeps.results import Results, State, value_text
from attnviz.gui.plots.curves.plot_layer import in_round_numbers
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

_LEFT, _RIGHT, _TOP, _BAND, _LABELS, _SIGN = 52, 8, 10, 26, 40, 12
"""Margins, the band of runs that never got there, the labels below, and a sign with its gap, at scale 1."""
_DOT, _NEAR = 4.0, 12.0
"""The radius of a dot, and how far from it the mouse may be, at scale 1."""
_TICKS = 5
_WIDE = 0.7
"""The share of a column in which its dots are beside each other."""
_LEAST = 44
"""The width of a column in which each dot has a place of its own and a median its number, at scale 1."""


@dataclass(frozen=True)
class SweptPicture:
    """What is drawn."""

    results: Results
    measure: Scalar
    colour_map: str
    titles: Mapping[str, str]
    """Of the knobs, by field."""
    on_screen: int | None = None
    """The run whose spec is the current one."""


class SweepPlot(Canvas):
    """Draws the results of a sweep; emits what is pointed at and clicked as the number of a run."""

    GESTURES = (
        Gesture("Point", "Read a run", "Sweep"),
        Gesture("Click", "Open a run", "Sweep"),
        Gesture("Left, Right", "Read the previous or next run", "Sweep"),
        Gesture("Return", "Open the run", "Sweep"),
    )
    run_hovered = Signal(object)
    """The run under the mouse, or None."""
    run_clicked = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._shown: SweptPicture | None = None
        self._places: list[tuple[QPointF, int]] = []
        self._pointed: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(translate("Sweep"))

    def show_picture(self, shown: SweptPicture | None) -> None:
        """Draw results, or nothing."""
        self._shown = shown
        self.redraw()

    @property
    def places(self) -> list[tuple[QPointF, int]]:
        """Where each run is drawn: the middle of its dot or cell."""
        return self._places

    @override
    def draw(self, painter: QPainter) -> None:
        self._places = []
        shown = self._shown
        if shown is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.look.font("small"))
        if shown.results.plan.is_map:
            self._draw_map(painter, shown)
        else:
            self._draw_columns(painter, shown)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        for run, role in ((None if self._shown is None else self._shown.on_screen, "text"), (self._pointed, "accent")):
            place = next((place for place, each in self._places if each == run), None)
            if run is None or place is None:
                continue
            if self._shown is not None and self._shown.results.plan.is_map:
                box = next(box for _, box in self._cells() if box.contains(place))
                painter.setPen(QPen(self.look.color("window"), 5))
                painter.drawRect(box.adjusted(2, 2, -2, -2))
                painter.setPen(QPen(self.look.color(role), 2))
                painter.drawRect(box.adjusted(2, 2, -2, -2))
            else:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(self.look.color(role), 2 * self.look.scale))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                radius = self.look.px(_DOT + 4)
                painter.drawEllipse(place, radius, radius)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.run_at(event.position()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point(None)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        run = self.run_at(event.position())
        if run is not None and event.button() == Qt.MouseButton.LeftButton:
            self.run_clicked.emit(run)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right point at the run before and after; Enter opens it."""
        order = sorted(run for _, run in self._places)
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and order:
            step = 1 if event.key() == Qt.Key.Key_Right else -1
            at = order.index(self._pointed) + step if self._pointed in order else 0
            self._point(order[at % len(order)])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._pointed is not None:
            self.run_clicked.emit(self._pointed)
        else:
            super().keyPressEvent(event)

    def run_at(self, place: QPointF) -> int | None:
        """Return the run that is drawn nearest to a place, if one is near."""
        if self._shown is not None and self._shown.results.plan.is_map:
            cell = self._cell_at(place)
            return None if cell is None else self._median_run(cell)
        near = [((at - place).manhattanLength(), run) for at, run in self._places]
        far, run = min(near, default=(math.inf, -1))
        return run if far <= self.look.px(_NEAR) else None

    def _point(self, run: int | None) -> None:
        if run != self._pointed:
            self._pointed = run
            self.run_hovered.emit(run)
            self.update()

    # One knob.

    def _draw_columns(self, painter: QPainter, shown: SweptPicture) -> None:
        px, results, name = self.look.px, shown.results, shown.measure.name
        plan, medians = results.plan, results.medians(name)
        count, signs = plan.shape[0], plan.most_seeds
        values = np.array([results.value(run, name) for run in range(len(results.crossing))])
        finite, never = values[np.isfinite(values)], bool(np.isinf(values).any())
        low, high = _reach(finite)
        area = QRectF(self.rect()).adjusted(px(_LEFT), px(_TOP), -px(_RIGHT), -px(_LABELS + _SIGN))
        if never:
            band = QRectF(area.left(), area.top(), area.width(), px(_BAND))
            painter.fillRect(band, self.look.color("faint"))
            self._write(painter, QRectF(0, band.top(), px(_LEFT - 6), band.height()), translate("never"), right=True)
            area.setTop(band.bottom())
        across = area.width() / max(1, count)

        def y_of(value: float) -> float:
            if math.isinf(value):
                return area.top() - px(_BAND) / 2
            return area.bottom() - (value - low) / (high - low) * area.height()

        self._draw_scale(painter, area, low, high, y_of)
        roomy = across >= px(_LEAST)
        middle: list[QPointF] = []
        for column in range(count):
            left = area.left() + column * across
            x_of = _spread(left, across, signs)
            self._draw_signs(painter, shown, plan.runs[(column,)], x_of, area.bottom() + px(6), across)
            for place, run in enumerate(plan.runs[(column,)]):
                if not math.isnan(value := values[run]):
                    self._places.append((QPointF(x_of(place), y_of(value)), run))
            if not math.isnan(medians[column]):
                middle.append(QPointF(left + across / 2, y_of(medians[column])))
        painter.setPen(QPen(self.look.color("muted"), self.look.scale))
        painter.drawPolyline(QPolygonF([place for place in middle if place.y() >= area.top()]))
        self._draw_dots(painter, values, min(px(_DOT), max(1.0, 1.5 * across / signs)))
        if signs > 1:
            self._draw_medians(painter, medians, area, across, y_of, shown.measure, roomy=roomy)
        self._draw_labels(painter, plan.values[0], area, across, area.bottom() + px(_SIGN + 8))
        self._write(
            painter, QRectF(area.left(), self.height() - px(18), area.width(), px(18)), shown.titles[plan.fields[0]]
        )

    def _draw_scale(
        self,
        painter: QPainter,
        area: QRectF,
        low: float,
        high: float,
        y_of: Callable[[float], float],
    ) -> None:
        for each in _ticks(low, high):
            y = y_of(each)
            painter.setPen(QPen(self.look.color("line"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            text = value_text(each)
            height = QFontMetrics(painter.font()).height()
            self._write(painter, QRectF(0, y - height / 2, self.look.px(_LEFT - 6), height), text, right=True)

    def _draw_dots(self, painter: QPainter, values: NDArray[np.float64], radius: float) -> None:
        fill, edge = self.look.color("v"), self.look.color("window")
        for place, run in self._places:
            if math.isinf(values[run]):
                painter.setPen(QPen(fill, 1.5 * self.look.scale))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawPolygon(_triangle(place, radius))
            else:
                painter.setPen(QPen(edge, 1))
                painter.setBrush(fill)
                painter.drawEllipse(place, radius, radius)

    def _draw_medians(
        self,
        painter: QPainter,
        medians: NDArray[np.float64],
        area: QRectF,
        across: float,
        y_of: Callable[[float], float],
        measure: Scalar,
        *,
        roomy: bool,
    ) -> None:
        painter.setFont(self.look.font("small", bold=True))
        for column, median in enumerate(medians):
            if not math.isfinite(median):
                continue
            left, y = area.left() + column * across, y_of(median)
            painter.setPen(QPen(self.look.color("text"), 2 * self.look.scale))
            painter.drawLine(QPointF(left + across * 0.08, y), QPointF(left + across * 0.92, y))
            if roomy:
                above = QRectF(left, y - self.look.px(18), across * 0.92, self.look.px(16))
                self._write(painter, above, measure.number(float(median)), right=True, role="text")
        painter.setFont(self.look.font("small"))

    def _draw_signs(
        self,
        painter: QPainter,
        shown: SweptPicture,
        runs: tuple[int, ...],
        x_of: Callable[[int], float],
        top: float,
        across: float,
    ) -> None:
        size = min(self.look.px(_SIGN - 3), across * _WIDE / max(1, len(runs)) - 1)
        if size < 2:
            return
        for place, run in enumerate(runs):
            box = QRectF(x_of(place) - size / 2, top, size, size)
            self._draw_sign(painter, box, shown.results.state(run, shown.measure.name))
            if shown.results.state(run, shown.measure.name) == "failed":
                self._places.append((box.center(), run))

    def _draw_sign(self, painter: QPainter, box: QRectF, state: State) -> None:
        fill = self.look.color("v")
        painter.setPen(QPen(self.look.color("edge"), 1))
        if state == "waits":
            painter.setBrush(Qt.BrushStyle.NoBrush)
        elif state == "failed":
            painter.setPen(QPen(self.look.color("danger"), 1))
            painter.setBrush(self.look.color("danger_soft"))
        else:
            fill.setAlpha(70 if state == "never" else 255)
            painter.setBrush(fill)
        painter.drawRect(box)
        if state == "failed":
            painter.drawLine(box.topLeft(), box.bottomRight())
            painter.drawLine(box.bottomLeft(), box.topRight())

    # Two knobs.

    def _draw_map(self, painter: QPainter, shown: SweptPicture) -> None:
        plan, medians = shown.results.plan, shown.results.medians(shown.measure.name)
        finite = medians[np.isfinite(medians)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        high = high if high > low else low + (abs(low) or 1.0) * 1e-9
        levels = _levels(medians, low, high)
        colours = colours_of_map(shown.colour_map)
        dark = takes_dark_text(colours)
        metrics = QFontMetrics(painter.font())
        for place, box in self._cells():
            median, state = medians[place], self._state_at(place)
            if math.isnan(median):
                self._draw_sign(painter, box.adjusted(1, 1, -1, -1), state)
            else:
                level = levels[place]
                painter.fillRect(box.adjusted(0.5, 0.5, -0.5, -0.5), QColor(*map(int, colours[level])))
                text = translate("never") if math.isinf(median) else shown.measure.number(float(median))
                if metrics.horizontalAdvance(text) + 4 <= box.width() and metrics.height() <= box.height():
                    painter.setPen(QColor("#000000" if dark[level] else "#ffffff"))
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
            self._places.append((box.center(), self._median_run(place)))
        area = self._map_area()
        self._draw_labels(painter, plan.values[0], area, area.width() / plan.shape[0], area.bottom() + self.look.px(4))
        foot = QRectF(area.left(), self.height() - self.look.px(18), area.width(), self.look.px(18))
        self._write(painter, foot, shown.titles[plan.fields[0]])
        down = area.height() / plan.shape[1]
        step = max(1, math.ceil(metrics.height() / max(1e-9, down)))
        for row, value in list(enumerate(plan.values[1]))[::step]:
            room = QRectF(0, area.top() + row * down, self.look.px(_LEFT - 6), down)
            self._write(painter, room, value_text(value), right=True)
        self._write(painter, QRectF(0, 0, self.width(), self.look.px(16)), shown.titles[plan.fields[1]], left=True)

    def _map_area(self) -> QRectF:
        px = self.look.px
        return QRectF(self.rect()).adjusted(px(_LEFT), px(20), -px(_RIGHT), -px(_LABELS))

    def _cells(self) -> Iterator[tuple[tuple[int, ...], QRectF]]:
        """Yield each place of the map, and its rectangle."""
        assert self._shown is not None
        columns, rows = self._shown.results.plan.shape
        area = self._map_area()
        across, down = area.width() / columns, area.height() / rows
        for column in range(columns):
            for row in range(rows):
                box = QRectF(area.left() + column * across, area.top() + row * down, across, down)
                yield (column, row), box

    def _cell_at(self, place: QPointF) -> tuple[int, ...] | None:
        return next((cell for cell, box in self._cells() if box.contains(place)), None)

    def _median_run(self, place: tuple[int, ...]) -> int:
        """Return the run at a place whose number is nearest to the median there."""
        assert self._shown is not None
        results, name = self._shown.results, self._shown.measure.name
        runs = results.plan.runs[place]
        ended = [run for run in runs if not math.isnan(results.value(run, name))]
        ended.sort(key=lambda run: results.value(run, name))
        return ended[(len(ended) - 1) // 2] if ended else runs[0]

    def _state_at(self, place: tuple[int, ...]) -> State:
        assert self._shown is not None
        results = self._shown.results
        states = [results.state(run, self._shown.measure.name) for run in results.plan.runs[place]]
        return "failed" if "failed" in states and "waits" not in states else "waits"

    # Both.

    def _draw_labels(self, painter: QPainter, values: tuple[Any, ...], area: QRectF, across: float, top: float) -> None:
        """Write the values below their columns, as many as have room."""
        texts = [value_text(value) for value in values]
        metrics = QFontMetrics(painter.font())
        wide = max(map(metrics.horizontalAdvance, texts), default=0) + self.look.px(8)
        step = max(1, math.ceil(wide / max(1e-9, across)))
        for place in range(0, len(texts), step):
            middle = area.left() + (place + 0.5) * across
            room = QRectF(middle - wide / 2, top, wide, metrics.height())
            self._write(painter, room, texts[place], role="text")

    def _write(
        self,
        painter: QPainter,
        room: QRectF,
        text: str,
        *,
        right: bool = False,
        left: bool = False,
        role: str = "muted",
    ) -> None:
        painter.setPen(self.look.color(role))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft if left else None
        side = Qt.AlignmentFlag.AlignHCenter if side is None else side
        painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)


def _reach(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return a range in round numbers around values; one from 0 where they are near it."""
    if not values.size:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if 0 <= low < 0.7 * high:
        low = 0.0
    low, high = in_round_numbers(low, high)
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers from low to high, which are round too."""
    step = 10.0 ** math.floor(math.log10((high - low) / _TICKS))
    step *= next(each for each in (1, 2, 5, 10) if each * step >= (high - low) / _TICKS)
    return [float(f"{each * step:.12g}") for each in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _levels(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.int64]:
    """Return the places of numbers among the 254 colours of a map; infinity has the last."""
    share = np.clip((np.nan_to_num(values, nan=low, posinf=high) - low) / (high - low), 0, 1)
    return np.asarray(np.rint(share * 253), np.int64)


def _spread(left: float, across: float, count: int) -> Callable[[int], float]:
    """Return where the dots of a column are, by the place of their seed."""
    wide = across * _WIDE / max(1, count)
    return lambda place: left + across * (1 - _WIDE) / 2 + (place + 0.5) * wide


def _triangle(middle: QPointF, radius: float) -> QPolygonF:
    return QPolygonF(
        [middle + QPointF(0, -radius), middle + QPointF(radius, radius), middle + QPointF(-radius, radius)]
    )
