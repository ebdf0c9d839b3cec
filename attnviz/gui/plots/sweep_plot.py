"""The picture of a sweep: dots and medians for one field, or a map for two; below it a sign for each run.

It is drawn from the rows so far, and each dot, cell and sign knows its run.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPaintEngine,
    QPainter,
    QPen,
    QPolygonF,
)
from typing_extensions import override

from attnviz.definitions.text import English
from attnviz.experiment.colours import colours_of_map, takes_dark_text
from attnviz.experiment.scalars import Scalar, axis_title
from attnviz.experiment.sweeps.results import Results, State, value_text
from attnviz.gui.plots.curves.plot_layer import extent, polygon
from attnviz.gui.plots.matrix.canvas import Pointed
from attnviz.gui.plots.matrix.matrix import CellView
from attnviz.gui.plots.matrix.tile import draw_hatching, mask_path
from attnviz.gui.plots.scale import round_range, ticks_between
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

_LEFT, _RIGHT, _TOP, _BAND, _LABELS, _SIGN = 52, 8, 24, 26, 40, 12
"""The margins (above are the title of the axis and a legend), the band of runs without a measure, the labels below, and
a sign with its gap, at scale 1."""
_DOT, _NEAR = 4.0, 12.0
"""The radius of a dot, and the distance within which the mouse hits it, at scale 1."""
_LEAST_SIGN, _LARGE, _CROSSED = 2, 8, 6
"""In pixels, the least sign that is drawn, and the least sides of a large cell and of a
crossed-out one."""
_STATES: Mapping[State, English] = {
    "done": "done",
    "never": "never reached",
    "none": "no value",
    "failed": "failed",
    "waits": "not run yet",
}
"""The names of the states of runs in the legend."""
_WIDE = 0.7
"""The share of a column over which its dots are spread."""
_LEAST = 44
"""The width of a column with room to spread its dots and for the number of a median, at scale 1."""
_MANY_DOTS, _MANY_CELLS, _FEW_TEXTS = 300, 200, 60
"""Beyond these numbers, dots or cells are drawn as pixels at once (10,000 took 0.1 s one by one), and only some labels
are measured."""


@dataclass(frozen=True)
class SweptPicture:
    """The content of the picture."""

    results: Results
    measure: Scalar
    colour_map: str
    titles: Mapping[str, str]
    """The titles of the swept fields."""
    on_screen: int | None = None
    """The run of the current spec."""


class SweepPlot(Pointed):
    """Draws the results of a sweep; emits the number of the run that is hovered or clicked."""

    GESTURES = (
        Gesture("Point", "Read a run", "Sweep"),
        Gesture("Click", "Open a run", "Sweep"),
        Gesture("Left, Right", "Read the previous or next run", "Sweep"),
        Gesture("Return", "Open the run", "Sweep"),
    )

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._shown: SweptPicture | None = None
        self._x, self._y, self._runs = np.empty(0), np.empty(0), np.empty(0, np.int64)
        self._pointed: int | None = None
        self.setAccessibleName(translate("Sweep"))

    def show_picture(self, shown: SweptPicture | None) -> None:
        """Draw results, or (None) nothing."""
        self._shown = shown
        self.redraw()

    @property
    def places(self) -> list[tuple[QPointF, int]]:
        """The position of each run: the centre of its dot or sign, or of the cell with it as the median."""
        return [(QPointF(x, y), int(run)) for x, y, run in zip(self._x, self._y, self._runs, strict=True)]

    @override
    def draw(self, painter: QPainter) -> None:
        self._take_places()
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
        if self._shown is None:
            return  # the run under the mouse has gone with its picture
        for run, role in ((self._shown.on_screen, "text"), (self._pointed, "accent")):
            place = None if run is None else self._place_of(run)
            if place is None:
                continue
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if isinstance(place, QRectF):
                box = place.adjusted(2, 2, -2, -2) if min(place.width(), place.height()) > _LARGE else place
                painter.setPen(QPen(self.look.color("window"), 5))
                painter.drawRect(box)
                painter.setPen(QPen(self.look.color(role), 2))
                painter.drawRect(box)
            else:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(self.look.color(role), 2 * self.look.scale))
                radius = self.look.px(_DOT + 4)
                painter.drawEllipse(place, radius, radius)

    def _place_of(self, run: int) -> QPointF | QRectF | None:
        """Return the position of a run: the centre of its dot or sign, or its cell."""
        assert self._shown is not None
        plan = self._shown.results.plan
        if plan.is_map:
            column, row, _ = np.argwhere(plan.runs == run)[0]
            return self._cells.rect_of(int(row), int(column))
        found = np.flatnonzero(self._runs == run)
        return QPointF(self._x[found[0]], self._y[found[0]]) if len(found) else None

    def _take_places(self, *places: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]) -> None:
        """Store the positions of runs: x, y and their numbers, (n,) each."""
        nowhere = np.empty(0), np.empty(0), np.empty(0, np.int64)
        self._x, self._y, self._runs = map(np.concatenate, zip(nowhere, *places, strict=True))

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.cell_at(event.position()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)
        super().leaveEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right hover the previous and the next run; Enter opens it."""
        order = sorted(self._runs.tolist())
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and order:
            step = 1 if event.key() == Qt.Key.Key_Right else -1
            at = order.index(self._pointed) + step if self._pointed in order else 0
            self._point(order[at % len(order)])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._pointed is not None:
            self.clicked.emit(self._pointed)
        else:
            super().keyPressEvent(event)

    @override
    def cell_at(self, place: QPointF) -> int | None:
        """Return the nearest run within reach of a position, if any."""
        if self._shown is not None and self._shown.results.plan.is_map:
            cells = self._cells
            cell, (rows, _) = cells.cell_at(place), cells.shape
            if cell is None or not len(self._runs):
                return None
            return int(self._runs[(cell.column or 0) * rows + cell.row])
        if not len(self._runs):
            return None
        far = np.abs(self._x - place.x()) + np.abs(self._y - place.y())
        nearest = int(np.argmin(far))
        return int(self._runs[nearest]) if far[nearest] <= self.look.px(_NEAR) else None

    def _point(self, run: int | None) -> None:
        if run != self._pointed:
            self._pointed = run
            self.hovered.emit(run)
            self.update()

    # One field.

    def _draw_columns(self, painter: QPainter, shown: SweptPicture) -> None:
        px, results, name = self.look.px, shown.results, shown.measure.name
        plan, medians = results.plan, results.medians(name)
        count, signs = plan.shape[0], plan.seeds
        values = results.values(name)
        finite, never = values[np.isfinite(values)], bool(np.isinf(values).any())
        low, high = round_range(finite)
        area = QRectF(self.rect()).adjusted(px(_LEFT), px(_TOP), -px(_RIGHT), -px(_LABELS + _SIGN))
        if never:
            band = QRectF(area.left(), area.top(), area.width(), px(_BAND))
            painter.fillRect(band, self.look.color("faint"))
            self._write(painter, QRectF(0, band.top(), px(_LEFT - 6), band.height()), translate("never"), right=True)
            area.setTop(band.bottom())
        across = area.width() / max(1, count)

        def y_of(value: NDArray[np.float64]) -> NDArray[np.float64]:
            inside = area.bottom() - (np.clip(value, low, high) - low) / (high - low) * area.height()
            return np.where(np.isinf(value), area.top() - px(_BAND) / 2, inside)

        if finite.size:  # else the scale would be made up
            self._draw_scale(painter, area, low, high, y_of)
        self._write(painter, self._head(), translate(axis_title(shown.measure)), left=True)
        roomy = across >= px(_LEAST)
        wide = across * _WIDE / signs
        columns, seeds = np.indices(plan.runs.shape).reshape(2, -1)
        runs = plan.runs.reshape(-1)
        x = area.left() + across * (columns + (1 - _WIDE) / 2) + wide * (seeds + 0.5)
        foot = area.bottom() + px(6) + px(_SIGN - 3) / 2
        dots, failed = ~np.isnan(values[runs]), np.isin(runs, list(results.failures))
        y = np.where(failed, foot, y_of(values[runs]))
        self._take_places((x[dots], y[dots], runs[dots]), (x[failed], y[failed], runs[failed]))
        size = min(px(_SIGN - 3), wide - 1)
        if size >= _LEAST_SIGN:
            for middle, run in zip(x, runs, strict=True):
                box = QRectF(middle - size / 2, foot - size / 2, size, size)
                self._draw_sign(painter, box, results.state(int(run), name))
            self._draw_legend(painter, results.states(name))
        else:
            self._stamp(painter, x[failed], y[failed], 1.5, self.look.color("danger"))
        lines = np.isfinite(medians)
        if across >= 1:
            painter.setPen(QPen(self.look.color("muted"), self.look.scale))
            at = np.asarray(area.left() + across * (np.flatnonzero(lines) + 0.5), np.float64)
            painter.drawPolyline(polygon(at, y_of(medians[lines])))
        self._draw_dots(painter, x[dots], y[dots], np.isinf(values[runs][dots]), min(px(_DOT), max(1.0, 2.1 * wide)))
        if signs > 1 and across >= _LEAST_SIGN:
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
        y_of: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    ) -> None:
        ticks = ticks_between(low, high)
        for each, y in zip(ticks, y_of(np.array(ticks)), strict=True):
            painter.setPen(QPen(self.look.color("line"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            text = value_text(each)
            height = QFontMetrics(painter.font()).height()
            self._write(painter, QRectF(0, y - height / 2, self.look.px(_LEFT - 6), height), text, right=True)

    def _draw_dots(
        self, painter: QPainter, x: NDArray[np.float64], y: NDArray[np.float64], never: NDArray[np.bool_], radius: float
    ) -> None:
        fill, edge = self.look.color("v"), self.look.color("window")
        if len(x) > _MANY_DOTS and painter.paintEngine().type() != QPaintEngine.Type.Pdf:
            self._stamp(painter, x, y, radius, fill)
            return
        for place, is_never in zip(map(QPointF, x, y), never, strict=True):
            if is_never:
                painter.setPen(QPen(fill, 1.5 * self.look.scale))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawPolygon(_triangle(place, radius))
            else:
                painter.setPen(QPen(edge, 1))
                painter.setBrush(fill)
                painter.drawEllipse(place, radius, radius)

    def _stamp(
        self, painter: QPainter, x: NDArray[np.float64], y: NDArray[np.float64], radius: float, colour: QColor
    ) -> None:
        """Draw many dots at once, as pixels."""
        if not len(x):
            return
        ratio = painter.device().devicePixelRatio()
        reach = math.ceil(radius * ratio)
        left, top = math.floor(x.min() * ratio) - reach, math.floor(y.min() * ratio) - reach
        columns, rows = np.rint(x * ratio).astype(int) - left, np.rint(y * ratio).astype(int) - top
        pixels = np.zeros((rows.max() + reach + 1, columns.max() + reach + 1), np.uint32)
        for down, across in np.argwhere(np.ones((2 * reach + 1, 2 * reach + 1))) - reach:
            if math.hypot(down, across) <= radius * ratio:
                pixels[rows + down, columns + across] = colour.rgba()
        height, width = pixels.shape
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
        painter.drawImage(QRectF(left / ratio, top / ratio, width / ratio, height / ratio), image)

    def _draw_medians(
        self,
        painter: QPainter,
        medians: NDArray[np.float64],
        area: QRectF,
        across: float,
        y_of: Callable[[NDArray[np.float64]], NDArray[np.float64]],
        measure: Scalar,
        *,
        roomy: bool,
    ) -> None:
        painter.setFont(self.look.font("small", bold=True))
        for column in np.flatnonzero(np.isfinite(medians)):
            median = medians[column]
            left, y = area.left() + column * across, float(y_of(median))
            painter.setPen(QPen(self.look.color("text"), 2 * self.look.scale))
            painter.drawLine(QPointF(left + across * 0.08, y), QPointF(left + across * 0.92, y))
            if roomy and self.look.numbers:
                above = QRectF(left, y - self.look.px(18), across * 0.92, self.look.px(16))
                self._write(painter, above, measure.number(float(median)), right=True, role="text")
        painter.setFont(self.look.font("small"))

    def _draw_sign(self, painter: QPainter, box: QRectF, state: str) -> None:
        fill = self.look.color("faint" if state == "none" else "v")
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

    def _head(self) -> QRectF:
        """Return the line above the picture."""
        return QRectF(0, 0, self.width(), self.look.px(18))

    def _draw_legend(self, painter: QPainter, states: Sequence[State], before: str = "") -> None:
        """Draw the legend of these states at the right above the picture, after that of the colours."""
        px, metrics, head = self.look.px, QFontMetrics(painter.font()), self._head()
        side, right = px(_SIGN - 3), head.right() - px(_RIGHT)
        for state in reversed(states):
            text = translate(_STATES[state])
            right -= metrics.horizontalAdvance(text)
            self._write(painter, QRectF(right, 0, 1, head.height()), text, left=True)
            right -= side + px(4)
            self._draw_sign(painter, QRectF(right, (head.height() - side) / 2, side, side), state)
            right -= px(12)
        self._write(painter, QRectF(0, 0, right, head.height()), before, right=True)

    # Two fields.

    def _draw_map(self, painter: QPainter, shown: SweptPicture) -> None:
        plan, medians = shown.results.plan, shown.results.medians(shown.measure.name)
        low, high = extent(medians) or (0.0, 1.0)
        high = high if high > low else low + max(abs(low) * 1e-9, 1e-300)
        levels = _levels(medians, low, high)
        colours = colours_of_map(shown.colour_map)
        metrics = QFontMetrics(painter.font())
        self._take_places(self._middles())
        if medians.size > _MANY_CELLS:
            self._draw_pixels(painter, medians, colours[levels], shown.results.states_without_median())
        else:
            self._draw_cells(painter, shown, medians, levels, colours)
        area = self._cells.area
        self._draw_labels(painter, plan.values[0], area, area.width() / plan.shape[0], area.bottom() + self.look.px(4))
        foot = QRectF(area.left(), self.height() - self.look.px(18), area.width(), self.look.px(18))
        self._write(painter, foot, shown.titles[plan.fields[0]])
        down = area.height() / plan.shape[1]
        step = max(1, math.ceil(metrics.height() / max(1e-9, down)))
        for row, value in list(enumerate(plan.values[1]))[::step]:
            room = QRectF(0, area.top() + row * down, self.look.px(_LEFT - 6), down)
            self._write(painter, room, value_text(value), right=True)
        self._write(painter, self._head(), shown.titles[plan.fields[1]], left=True)
        self._draw_legend(
            painter,
            [state for state in shown.results.states(shown.measure.name) if state not in ("done", "never")],
            translate(axis_title(shown.measure)),
        )

    def _draw_cells(
        self,
        painter: QPainter,
        shown: SweptPicture,
        medians: NDArray[np.float64],
        levels: NDArray[np.int64],
        colours: NDArray[np.uint8],
    ) -> None:
        metrics, dark, states = (
            QFontMetrics(painter.font()),
            takes_dark_text(colours),
            shown.results.states_without_median(),
        )
        cells = self._cells
        for column, row in np.ndindex(medians.shape):
            place, box = (column, row), cells.rect_of(row, column)
            median = float(medians[place])
            if math.isnan(median):
                self._draw_sign(painter, box.adjusted(1, 1, -1, -1), str(states[place]))
                continue
            painter.fillRect(box.adjusted(0.5, 0.5, -0.5, -0.5), QColor(*map(int, colours[levels[place]])))
            text = translate("never") if math.isinf(median) else shown.measure.number(median)
            fits = metrics.horizontalAdvance(text) + 4 <= box.width() and metrics.height() <= box.height()
            if fits and self.look.numbers:
                painter.setPen(QColor("#000000" if dark[levels[place]] else "#ffffff"))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_pixels(
        self, painter: QPainter, medians: NDArray[np.float64], rgb: NDArray[np.uint8], states: NDArray[np.str_]
    ) -> None:
        """Draw a large map as one image, (x, y, 3) colours: blank for waiting runs, crossed out for failed ones."""
        red, green, blue = np.moveaxis(rgb.astype(np.uint32), -1, 0)
        opaque, area = red << 16 | green << 8 | blue | 0xFF000000, self._cells.area
        small = min(area.width() / medians.shape[0], area.height() / medians.shape[1]) < _CROSSED
        failed = self.look.color("danger" if small else "danger_soft").rgba()
        blank = np.select([states == "waits", states == "failed"], [0, failed], self.look.color("faint").rgba())
        pixels = np.ascontiguousarray(np.where(np.isnan(medians), blank, opaque).T.astype(np.uint32))
        height, width = pixels.shape
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
        painter.drawImage(area, image)
        if not small:
            path = mask_path((~np.isnan(medians) | (states != "failed")).T)
            lines = QBrush(self.look.color("danger"), Qt.BrushStyle.DiagCrossPattern)
            draw_hatching(painter, area, path, (height, width), self.look, lines)
        painter.setPen(QPen(self.look.color("edge"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)

    def _middles(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Return the centre of each cell, and the run whose measure is nearest to its median."""
        assert self._shown is not None
        results, area = self._shown.results, self._cells.area
        runs = results.plan.runs
        columns, rows, _ = runs.shape
        x = area.left() + area.width() / columns * (np.arange(columns) + 0.5)
        y = area.top() + area.height() / rows * (np.arange(rows) + 0.5)
        values = results.values(self._shown.measure.name)[runs]
        known = np.count_nonzero(~np.isnan(values), axis=-1)
        at = np.take_along_axis(
            np.argsort(values, axis=-1, kind="stable"), np.maximum(known - 1, 0)[..., None] // 2, -1
        )
        found = np.take_along_axis(runs, at, -1)[..., 0]
        return np.repeat(x, rows), np.tile(y, columns), found.reshape(-1)

    @property
    def _cells(self) -> CellView:
        """The positions of the cells: columns are the values of the first field, rows those of the second."""
        assert self._shown is not None
        px, cells = self.look.px, CellView()
        columns, rows = self._shown.results.plan.shape
        cells.show_all((rows, columns))
        cells.area = QRectF(self.rect()).adjusted(px(_LEFT), px(20), -px(_RIGHT), -px(_LABELS))
        return cells

    # Both.

    def _draw_labels(self, painter: QPainter, values: tuple[Any, ...], area: QRectF, across: float, top: float) -> None:
        """Write the values below their columns, as many as fit."""
        metrics = QFontMetrics(painter.font())
        some = [*values[:: math.ceil(len(values) / _FEW_TEXTS)], *values[-1:]]
        wide = max(metrics.horizontalAdvance(value_text(value)) for value in some) + self.look.px(8)
        step = max(1, math.ceil(wide / max(1e-9, across)))
        for place in range(0, len(values), step):
            middle = area.left() + (place + 0.5) * across
            room = QRectF(middle - wide / 2, top, wide, metrics.height())
            self._write(painter, room, value_text(values[place]), role="text")

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


def _levels(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.int64]:
    """Return the levels of numbers among the 254 colours of a map; infinity has the last."""
    share = (np.clip(np.nan_to_num(values, nan=low), low, high) - low) / (high - low)
    return np.asarray(np.rint(share * 253), np.int64)


def _triangle(middle: QPointF, radius: float) -> QPolygonF:
    return QPolygonF(
        [middle + QPointF(0, -radius), middle + QPointF(radius, radius), middle + QPointF(-radius, radius)]
    )
