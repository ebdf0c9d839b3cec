"""The fit: training points, truth, fitted curve and overlays, with the chosen query; below them the weights of its row.

Keys: arrows choose a query, with Shift a point, with Ctrl they move it; Insert adds, Delete removes, 0 shows all.
"""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.arrays import Vector
from attnviz.experiment.regression.data import truth_line
from attnviz.experiment.regression.spec import MOST_HEADS, MOST_OVERLAYS
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.labs.regression.plots.point_drag import TINY_MOVE, Edit, FitHand
from attnviz.gui.labs.regression.plots.weight_strip import STRIP, FitAxis, Stems
from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.plots.curves.marks import MANY, CurveMark, Dots, Rings, Upright, overlay_pen
from attnviz.gui.plots.curves.plot_layer import Numbers, PlotLayer, in_round_numbers
from attnviz.gui.plots.matrix.canvas import ARROWS
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

_DOTS_UP_TO = 40


class FitCurves:
    """Draws into a plot, with marks that are created once and reused."""

    def __init__(self, plot: CurvePlot) -> None:
        self._plot = plot
        self.truth = CurveMark(plot.layer)
        self.overlays = [CurveMark(plot.layer) for _ in range(MOST_OVERLAYS)]
        self.heads = [CurveMark(plot.layer) for _ in range(MOST_HEADS)]
        self.fit = CurveMark(plot.layer)
        self._dots, self.filled = Dots(plot.layer), Rings(plot.layer)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.truth.set_pen(self._plot.pen("muted", 1.5, style=Qt.PenStyle.DashLine))
        self.fit.set_pen(self._plot.pen("accent", 2.5))
        for curve in self.heads:
            curve.set_pen(self._plot.pen("accent", 1.2, alpha=180))
        for place, curve in enumerate(self.overlays):
            curve.set_pen(overlay_pen(look, place))
        self._dots.set_look(self._plot.colour("accent"), look.px(6))
        self.filled.set_look(self._plot.pen("accent", 1.2), look.px(6))

    def show_trace(self, trace: RegressionTrace) -> None:
        """Draw a fit."""
        x = trace.x_test
        self.truth.set_data(*truth_line(trace.spec.data, x))
        self.fit.set_data(x, trace.curve)
        _draw_all(self.overlays, x, [curve.y_hat for curve in trace.curves])
        _draw_all(self.heads, x, [head.y_hat for head in trace.heads] if trace.num_heads > 1 else [])
        dotted = np.isfinite(trace.curve) & (len(x) <= _DOTS_UP_TO)
        self._dots.set_data(x[dotted], trace.curve[dotted])
        # The mask policy's fill for empty rows is shown, but it is not part of the curve.
        filled = trace.empty_rows & np.isfinite(trace.y_hat)
        self.filled.set_data(x[filled], trace.y_hat[filled])


def _draw_all(curves: list[CurveMark], x: Numbers, ys: list[Numbers]) -> None:
    """Draw so many of the curves, and none with the others."""
    for place, curve in enumerate(curves):
        if place < len(ys):
            curve.set_data(x, ys[place])
        else:
            curve.clear()


_LEAST_SHARE = 0.004
_MOST_LIT = 500
"""The most points that a query may highlight: among thousands of equal weights none is worth highlighting."""
_GRADES = 5
_FAINTEST = 220
"""The opacity of a point without weight: its contrast is still 3 to 1."""


class FitPoints:
    """Draws points and, in the strip below them, stems as high as their weights.

    It uses two layers, since thousands of points change with the data, while highlights change with the mouse.
    """

    def __init__(self, plot: CurvePlot, axis: FitAxis) -> None:
        self._plot, self._axis = plot, axis
        self.all = Dots(PlotLayer(plot, kept=True))
        self.stems = Stems(plot.layer, axis, translate("weight of each point"))
        self.lit = [Dots(plot.layer) for _ in range(_GRADES)]
        self.chosen = Rings(plot.layer)
        self._scale = plot.look.scale
        self.colours, self.contrast = colour_table("viridis", plot.look.theme), ""
        """The colours of weights, and the contrast under which the stems have them."""

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._scale = look.scale
        self.all.set_look(self._plot.colour("k", _FAINTEST), look.px(6))
        self.stems.set_look(self._plot.pen("edge", 5), look.color("edge"), look.color("muted"), look.font("small"))
        self.chosen.set_look(self._plot.pen("text", 2), look.px(16))

    def show_points(self, x: Numbers, y: Numbers) -> None:
        """Draw every training point, (K,), (K,)."""
        self.all.set_data(x, y)

    def show_most(self, largest: float) -> None:
        """Extend the axis of the weights to the largest of a trace, rounded."""
        known = np.isfinite(largest) and largest > 0
        self._axis.show_most(in_round_numbers(0.0, largest)[1] if known else 1.0)

    def light(self, trace: RegressionTrace, query: int) -> None:
        """Draw the points that a query attends to by their weights: size and opacity, and the stems."""
        weights = trace.weights[query]
        most = float(np.fmax.reduce(weights)) or 1.0
        looked_at = np.flatnonzero(weights > most * _LEAST_SHARE)
        if len(looked_at) > _MOST_LIT:
            looked_at = looked_at[np.argpartition(weights[looked_at], -_MOST_LIT)[-_MOST_LIT:]]
        share = weights[looked_at] / most
        x, y = trace.x_train[looked_at], trace.y_train[looked_at]
        self._light_up(x, y, share, many=len(weights) > MANY)
        self.stems.set_data(x, weights[looked_at])
        self.stems.colours = self.colours.rgb[trace.row_levels(query, self.contrast)[looked_at]]

    def light_none(self) -> None:
        """Draw every point alike."""
        for mark in (self.stems, *self.lit):
            mark.clear()

    def _light_up(self, x: Numbers, y: Numbers, share: Numbers, *, many: bool) -> None:
        """Draw points (n,), (n,) in a few grades of their share of the largest weight, (n,)."""
        grades = np.ceil(share * _GRADES).astype(int)
        for grade, dots in enumerate(self.lit, start=1):
            size = (6 + 8 * grade / _GRADES) * self._scale
            dots.set_look(
                self._plot.colour("k", _FAINTEST + (255 - _FAINTEST) * grade // _GRADES), size / 2 if many else size
            )
            dots.set_data(x[grades == grade], y[grades == grade])

    def choose(self, x: float | None, y: float | None) -> None:
        """Draw a ring around the chosen point, also while it is dragged."""
        if x is None or y is None:
            self.chosen.clear()
        else:
            self.chosen.set_data(np.array([x]), np.array([y]))


_REACH = 9.0  # the distance in pixels within which the mouse grabs a training point
_NUDGE = 0.01  # the step of a key, as a share of the plot's width or height
_AIR, _SIDE = 0.1, 0.04  # shares of the height and of the width, so that the largest points are not cut off


class FitPlot(CurvePlot):
    """Predictions over x. Moving the mouse previews the nearest query, a click locks it; points can be dragged."""

    GESTURES = (
        Gesture("Click, Left, Right", "Hold a query", "Fit"),
        Gesture("Drag", "Move a training point", "Fit"),
        Gesture("Double click, Insert", "Add a training point", "Fit"),
        Gesture("Shift+Left, Shift+Right", "Choose a training point", "Fit"),
        Gesture("Ctrl+Up, Ctrl+Down, Ctrl+Left, Ctrl+Right", "Move the chosen point", "Fit"),
        Gesture("Delete, Backspace", "Remove the chosen point", "Fit"),
        Gesture("Wheel", "Zoom", "Fit"),
        Gesture("0", "Show everything again", "Fit"),
    )

    hovered = Signal(object)
    """Index of the query under the mouse, or None."""
    clicked = Signal(int)
    """Index of the query under the mouse."""
    point_chosen = Signal(object)
    """Index of a training point, or None to release it."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        axis = FitAxis()
        super().__init__(look, "", "x", "y", parent, axis)
        self.setAccessibleName(self.tr("Fit: training points, truth and fitted curve"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hand = FitHand(self)
        self._view = _FitView(self.getViewBox())
        self._trace: RegressionTrace | None = None
        self._weighing: RegressionTrace | None = None
        self._awaited: Edit | None = None
        self._query: int | None = None
        self._point: int | None = None
        self._pressed_at = QPointF()
        self.points = FitPoints(self, axis)
        self.curves = FitCurves(self)
        self.line, self._here = Upright(self.layer), Dots(self.layer)
        self.getViewBox().setMouseEnabled(x=True, y=False)
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.curves.restyle(look)
        self.points.restyle(look)
        self.line.set_pen(self.pen("q", 1.5))
        self._here.set_look(self.colour("q"), look.px(9), self.colour("window"), 2)
        if self._trace is not None:
            self.show_trace(self._trace, self._weighing)
            self.select(self._query, self._point)

    def show_trace(self, trace: RegressionTrace, weighing: RegressionTrace | None = None) -> None:
        """Draw a fit, without the parts that depend on the query; the view moves with new data, not with a new fit.

        ``weighing`` is the head whose weights the points show, if not all of them.
        """
        self._trace, self._weighing = trace, weighing or trace
        if self._awaited is not None and np.array_equal(self._awaited[:2], (trace.x_train, trace.y_train)):
            self._awaited = None
        self.curves.show_trace(trace)
        self.points.show_points(*self.training_points)
        self.points.show_most(self._weighing.contrast_scale.high)
        if not self.hand.holding:
            self._view.fit(trace)

    def await_fit(self, edit: Edit | None) -> None:
        """Draw edited points that the fit on screen does not know yet, for further edits; None: there are none."""
        self._awaited = edit
        if self._trace is not None:
            self.points.show_points(*self.training_points)
            self._ring()

    @property
    def training_points(self) -> tuple[Vector, Vector]:
        """The points (K,), (K,) that can be dragged: the newest, also while their fit is on its way."""
        if self._awaited is not None:
            return self._awaited.x, self._awaited.y
        return (np.empty(0), np.empty(0)) if self._trace is None else (self._trace.x_train, self._trace.y_train)

    def select(self, query: int | None, point: int | None = None) -> None:
        """Put the line on a query, its weights, as stems, below the training points, and a ring around a point."""
        self._query, self._point = query, point
        trace = self._trace
        if trace is None or query is None or query >= len(trace.x_test):
            self.line.put(None)
            self._here.clear()
            self.points.light_none()
        else:
            self.line.put(float(trace.x_test[query]))
            self._here.set_data(trace.x_test[[query]], trace.y_hat[[query]])
            self.points.light(self._weighing or trace, query)
        self._ring()

    def colour_weights(self, table: ColourTable, contrast: str) -> None:
        """Let the stems have the colours of the matrix, from the next query that is selected."""
        self.points.colours, self.points.contrast = table, contrast

    @property
    def chosen(self) -> tuple[int, int | None]:
        """The query that the line is on, and the training point that has the ring."""
        return self._query or 0, self._point if self._awaited is None else self._awaited.point

    def _ring(self) -> None:
        """Draw the ring around the chosen point, also while it is dragged."""
        (x, y), (_, point) = self.training_points, self.chosen
        there = point is not None and point < len(x)
        self.points.choose(*(x[point], y[point]) if there else (None, None))

    def show_all(self) -> None:
        """Show every point again after a zoom."""
        self._view.forget()
        if self._trace is not None:
            self._view.fit(self._trace)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = self._point_at(event.position())
        self._pressed_at = event.position()
        if self._trace is None or point is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self.hand.take(*self.training_points, point, event.position())
        self.point_chosen.emit(point)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.hand.holding and event.buttons() & Qt.MouseButton.LeftButton:
            self._drag(event.position())
            return
        self._let_go()  # the button was released outside, without an event
        super().mouseMoveEvent(event)
        if not event.buttons():
            over = self._point_at(event.position()) is not None
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor)
            self.hovered.emit(self._query_at(event.position()))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if self.hand.holding:
            if left:
                self._let_go()
            return
        super().mouseReleaseEvent(event)
        query = self._query_at(event.position())
        # A press that has moved was no click: it has moved the view.
        if query is not None and left and (event.position() - self._pressed_at).manhattanLength() < TINY_MOVE:
            self.clicked.emit(query)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._let_go()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if self._trace is None or not left or not self.covers(event.position()):
            super().mouseDoubleClickEvent(event)
        elif self._point_at(event.position()) is None:
            place = self.in_plot(event.position())
            self.hand.add(*self.training_points, place.x(), place.y())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        # While the mouse holds a point the keys would work on another order of them.
        if self._trace is None or self.hand.holding or not self._act(self._trace, event):
            super().keyPressEvent(event)

    def _act(self, trace: RegressionTrace, event: QKeyEvent) -> bool:
        """Handle a key; return whether it has a meaning here."""
        key, (query, point) = event.key(), self.chosen
        if key in ARROWS:
            return self._move_by_key(trace, event)
        if key == Qt.Key.Key_Insert:
            known = np.isfinite(trace.curve[query])
            y = float(trace.curve[query] if known else trace.y_train.mean())
            self.hand.add(*self.training_points, float(trace.x_test[query]), y)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and point is not None:
            self.hand.remove(*self.training_points, point)
        elif key == Qt.Key.Key_0:
            self.show_all()
        else:
            return False
        return True

    def _move_by_key(self, trace: RegressionTrace, event: QKeyEvent) -> bool:
        """Choose another query with an arrow, another point with Shift, or move the point with Ctrl."""
        (up, right), (query, point), held = ARROWS[event.key()], self.chosen, event.modifiers()
        if held & Qt.KeyboardModifier.ControlModifier:
            if point is not None:
                (left, end), (low, high) = self.getViewBox().viewRange()
                dx, dy = right * _NUDGE * (end - left), -up * _NUDGE * (high - low)
                self.hand.nudge(*self.training_points, point, dx, dy)
        elif held & Qt.KeyboardModifier.ShiftModifier:
            x, _ = self.training_points
            nearest = int(np.abs(x - trace.x_test[query]).argmin())
            self.point_chosen.emit(nearest if point is None else min(max(point + right, 0), len(x) - 1))
        elif right:
            self.clicked.emit(min(max(query + right, 0), len(trace.x_test) - 1))
        else:
            return False
        return True

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if not self.hand.holding:
            self.hovered.emit(None)

    def _let_go(self) -> None:
        """Release the point, and bring every point into view again."""
        if self.hand.holding:
            self.hand.let_go()
            self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
            if self._trace is not None:
                self._view.fit(self._trace)
                self.select(self._query, self._point)

    def _drag(self, place: QPointF) -> None:
        here = self.in_plot(place)
        if self.hand.move(place, here.x(), here.y()):
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def _query_at(self, place: QPointF) -> int | None:
        if self._trace is None or not self.covers(place):
            return None
        return int(np.abs(self._trace.x_test - self.in_plot(place).x()).argmin())

    def _point_at(self, place: QPointF) -> int | None:
        """Return the nearest training point within reach of a place of the widget."""
        if self._trace is None or not self.covers(place):
            return None
        per_x, per_y = self.getViewBox().viewPixelSize()
        here = self.in_plot(place)
        x, y = self.training_points
        dx, dy = (x - here.x()) / per_x, (y - here.y()) / per_y
        far = dx**2 + dy**2
        nearest = int(far.argmin())
        return nearest if far[nearest] <= (_REACH * self.look.scale) ** 2 else None


class _FitView:
    """Brings all points and the truth into view; only when they have changed, so that a zoom survives a training."""

    def __init__(self, box: pg.ViewBox) -> None:
        self._box = box
        self._extent: tuple[float, float, float, float] | None = None

    def forget(self) -> None:
        """Bring everything into view with the next fit, and drop the zoom."""
        self._extent = None

    def fit(self, trace: RegressionTrace) -> None:
        """Follow the points of a trace."""
        ys = np.concatenate((trace.y_train, trace.y_truth[np.isfinite(trace.y_truth)]))
        xs = np.concatenate((trace.x_train, trace.x_test))
        extent = float(xs.min()), float(xs.max()), float(ys.min()), float(ys.max())
        if extent == self._extent:
            return
        self._extent = left, right, low, high = extent
        air, side = (high - low or 1.0) * _AIR, (right - left or 1.0) * _SIDE
        foot = (high - low + 2 * air) * STRIP / (1 - STRIP)
        self._box.setRange(xRange=(left - side, right + side), yRange=(low - air - foot, high + air), padding=0)
        self._box.prepareForPaint()  # `paint` would otherwise start another layout pass
