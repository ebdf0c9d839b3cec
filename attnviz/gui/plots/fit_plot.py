"""The fit: training points, truth, fitted curve and overlays, with the chosen query and the weights of its row."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.gui.plots.curve_plot import CurvePlot
from attnviz.gui.plots.fit_curves import FitCurves
from attnviz.gui.plots.fit_hand import FitHand
from attnviz.gui.plots.fit_keys import act
from attnviz.gui.plots.fit_points import FitPoints
from attnviz.gui.theme import Look

_REACH = 9.0  # points of the screen within which the mouse takes hold of a training point


class FitPlot(CurvePlot):
    """Predictions over x. Moving the mouse previews the nearest query, a click locks it; points follow the hand."""

    hovered = Signal(object)
    """Index of the query under the mouse, or None."""
    clicked = Signal(int)
    """Index of the query under the mouse."""
    point_chosen = Signal(object)
    """Index of a training point, or None to let go of it."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, "", "x", "y", parent)
        self.setAccessibleName(self.tr("Fit: training points, truth and fitted curve"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hand = FitHand(self)
        self._trace: RegressionTrace | None = None
        self._weighing: RegressionTrace | None = None
        self._query: int | None = None
        self._point: int | None = None
        self._extent: tuple[float, float, float, float] | None = None
        self.points = FitPoints(self)
        self.curves = FitCurves(self)
        self._line = pg.InfiniteLine(angle=90, movable=False)
        self._here = pg.ScatterPlotItem(pxMode=True)
        self.addItem(self._line)
        self.addItem(self._here)
        self.getViewBox().setMouseEnabled(x=True, y=False)
        self._line.hide()
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.curves.restyle(look)
        self.points.restyle(look)
        self._line.setPen(pg.mkPen(self.colour("q"), width=1.5 * look.scale))
        if self._trace is not None:
            self.show_trace(self._trace, self._weighing)
            self.select(self._query, self._point)

    def show_trace(self, trace: RegressionTrace, weighing: RegressionTrace | None = None) -> None:
        """Draw a fit, all but what hangs on the query; the view moves with new data, and not with a new fit.

        ``weighing`` is the one of its heads whose weights the points show, where it is not all of them.
        """
        self._trace, self._weighing = trace, weighing or trace
        self.curves.show_trace(trace)
        self.points.show_trace(trace)
        if not self.hand.holding:
            self._fit_view(trace)

    def select(self, query: int | None, point: int | None = None) -> None:
        """Put the line on a query, its weights, as stems, under the training points, and a ring around a point."""
        self._query, self._point = query, point
        trace = self._trace
        shown = trace is not None and query is not None and query < len(trace.x_test)
        self._line.setVisible(shown)
        if trace is None:
            return
        self.points.light(self._weighing or trace, query if shown else None)
        if not self.hand.dragging:
            there = point is not None and point < len(trace.x_train)
            self.points.choose(*(trace.x_train[point], trace.y_train[point]) if there else (None, None))
        known = shown and bool(np.isfinite(trace.y_hat[query]))
        x, y = ([trace.x_test[query]], [trace.y_hat[query]]) if known else ([], [])
        edge = pg.mkPen(self.colour("window"), width=2)
        self._here.setData(x, y, size=self.look.px(11), pen=edge, brush=self.colour("q"))
        if shown:
            self._line.setValue(trace.x_test[query])

    @property
    def chosen(self) -> tuple[int, int | None]:
        """The query that the line is on, and the training point that has the ring."""
        return self._query or 0, self._point

    def show_all(self) -> None:
        """Show every point again after a zoom."""
        self._extent = None
        if self._trace is not None:
            self._fit_view(self._trace)

    def place_of(self, x: float, y: float) -> QPointF:
        """Return where a point of the plot is drawn, in the widget."""
        return QPointF(self.mapFromScene(self.getViewBox().mapViewToScene(QPointF(x, y))))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = self._point_at(event.position())
        if self._trace is None or point is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self.hand.take(self._trace, point, event.position())
        self.point_chosen.emit(point)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.hand.holding:
            self._drag(event.position())
            return
        super().mouseMoveEvent(event)
        if not event.buttons():
            over = self._point_at(event.position()) is not None
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor)
            self.hovered.emit(self._query_at(event.position()))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.hand.holding:
            self.hand.let_go()
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
            if self._trace is not None:
                self._fit_view(self._trace)
                self.select(self._query, self._point)
            return
        super().mouseReleaseEvent(event)
        query = self._query_at(event.position())
        if query is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(query)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if self._trace is None or not left or not self._covers(event.position()):
            super().mouseDoubleClickEvent(event)
        elif self._point_at(event.position()) is None:
            place = self._in_plot(event.position())
            self.hand.add(self._trace, place.x(), place.y())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._trace is None or not act(self, self._trace, event):
            super().keyPressEvent(event)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if not self.hand.holding:
            self.hovered.emit(None)

    def _drag(self, place: QPointF) -> None:
        here = self._in_plot(place)
        if self.hand.move(place, here.x(), here.y()):
            self.points.choose(here.x(), here.y())
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def _covers(self, place: QPointF) -> bool:
        return bool(self.getViewBox().sceneBoundingRect().contains(place))

    def _in_plot(self, place: QPointF) -> QPointF:
        """Return a place of the widget in the plot's numbers, within what is shown of them."""
        area = self.getViewBox().sceneBoundingRect()
        inside = QPointF(min(max(place.x(), area.left()), area.right()), min(max(place.y(), area.top()), area.bottom()))
        return QPointF(self.getViewBox().mapSceneToView(inside))

    def _query_at(self, place: QPointF) -> int | None:
        if self._trace is None or not self._covers(place):
            return None
        return int(np.abs(self._trace.x_test - self._in_plot(place).x()).argmin())

    def _point_at(self, place: QPointF) -> int | None:
        """Return the nearest training point within reach of a place of the widget."""
        if self._trace is None or not self._covers(place):
            return None
        per_x, per_y = self.getViewBox().viewPixelSize()
        here = self._in_plot(place)
        dx, dy = (self._trace.x_train - here.x()) / per_x, (self._trace.y_train - here.y()) / per_y
        far = dx**2 + dy**2
        nearest = int(far.argmin())
        return nearest if far[nearest] <= (_REACH * self.look.scale) ** 2 else None

    def _fit_view(self, trace: RegressionTrace) -> None:
        """Show all points and the truth with some air; only when they have moved, so that a zoom survives training."""
        ys = np.concatenate((trace.y_train, trace.y_truth[np.isfinite(trace.y_truth)]))
        xs = np.concatenate((trace.x_train, trace.x_test))
        extent = float(xs.min()), float(xs.max()), float(ys.min()), float(ys.max())
        if extent == self._extent:
            return
        self._extent = extent
        left, right, low, high = extent
        air = (high - low or 1.0) * 0.08
        side = (right - left or 1.0) * 0.02
        # Room below the points for the stems.
        self.getViewBox().setRange(xRange=(left - side, right + side), yRange=(low - 4 * air, high + air), padding=0)
