"""The fit: training points, truth and fitted curve, with the chosen query and the weights of its row."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.gui.plots.curve_plot import CurvePlot
from attnviz.gui.theme import Look

_STEM_SHARE = 0.22


class FitPlot(CurvePlot):
    """Predictions over x. Moving the mouse previews the nearest query, a click locks it."""

    hovered = Signal(object)
    """Index of the query under the mouse, or None."""
    clicked = Signal(int)
    """Index of the query under the mouse."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, "", "x", "y", parent)
        self.setAccessibleName(self.tr("Fit: training points, truth and fitted curve"))
        self._trace: RegressionTrace | None = None
        self._query: int | None = None
        self._extent: tuple[float, float, float, float] | None = None
        self._truth = self.plot(name=self.tr("truth"))
        self._points = pg.ScatterPlotItem(pxMode=True)
        self._stems = self.plot(connect="pairs")
        self._curve = self.plot(connect="finite")
        self._knots = pg.ScatterPlotItem(pxMode=True)
        self._line = pg.InfiniteLine(angle=90, movable=False)
        self._here = pg.ScatterPlotItem(pxMode=True)
        for item in (self._points, self._knots, self._line, self._here):
            self.addItem(item)
        self.getViewBox().setMouseEnabled(x=True, y=False)
        self._line.hide()
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        dash = pg.mkPen(self.colour("muted"), width=1.5 * look.scale)
        dash.setStyle(Qt.PenStyle.DashLine)
        self._truth.setPen(dash)
        self._curve.setPen(pg.mkPen(self.colour("accent"), width=2.5 * look.scale))
        self._stems.setPen(pg.mkPen(self.colour("k"), width=2 * look.scale))
        self._line.setPen(pg.mkPen(self.colour("q"), width=1.5 * look.scale))
        if self._trace is not None:
            self.show_trace(self._trace)
            self.select(self._query)

    def show_trace(self, trace: RegressionTrace) -> None:
        """Draw a fit, all but what hangs on the query; the view moves with new data, and not with a new fit."""
        self._trace = trace
        self._truth.setData(trace.x_test, trace.y_truth, connect="finite")
        self._curve.setData(trace.x_test, trace.y_hat)
        few = len(trace.x_test) <= 40
        self._knots.setData(
            trace.x_test if few else [],
            trace.y_hat if few else [],
            size=self.look.px(6),
            pen=None,
            brush=self.colour("accent"),
        )
        self._fit_view(trace)

    def select(self, query: int | None) -> None:
        """Put the line on a query and its weights, as stems, under the training points."""
        self._query = query
        trace = self._trace
        shown = trace is not None and query is not None and query < len(trace.x_test)
        self._line.setVisible(shown)
        self._draw_points()
        if not shown or trace is None or query is None:
            self._stems.setData([], [])
            self._here.setData([], [])
            return
        self._line.setValue(trace.x_test[query])
        y = trace.y_hat[query]
        known = bool(np.isfinite(y))
        self._here.setData(
            [trace.x_test[query]] if known else [],
            [y] if known else [],
            size=self.look.px(11),
            pen=pg.mkPen(self.colour("window"), width=2),
            brush=self.colour("q"),
        )
        self._draw_stems(trace, query)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons():
            self.hovered.emit(self._query_at(event.position()))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        query = self._query_at(event.position())
        if query is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(query)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(None)

    def _query_at(self, place: QPointF) -> int | None:
        if self._trace is None or not self.getViewBox().sceneBoundingRect().contains(place):
            return None
        x = self.getViewBox().mapSceneToView(place).x()
        return int(np.abs(self._trace.x_test - x).argmin())

    def _draw_points(self) -> None:
        """Draw the training points; the chosen row's weights show in their size and opacity."""
        trace, query = self._trace, self._query
        if trace is None:
            return
        share = np.zeros(len(trace.x_train))
        if query is not None and query < len(trace.weights):
            share = trace.weights[query] / (trace.weights[query].max() or 1.0)
        # A few brushes, shared: one for each point would cost more than drawing them.
        colour = self.colour("k")
        brushes = [pg.mkBrush(colour.red(), colour.green(), colour.blue(), 90 + 33 * step) for step in range(6)]
        self._points.setData(
            trace.x_train,
            trace.y_train,
            size=(6 + 8 * share) * self.look.scale,
            pen=None,
            brush=[brushes[step] for step in (share * 5).astype(int)],
        )

    def _draw_stems(self, trace: RegressionTrace, query: int) -> None:
        weights = trace.weights[query]
        low, high = self.getViewBox().viewRange()[1]
        most = float(weights.max()) or 1.0
        x = np.repeat(trace.x_train, 2)
        y = np.full(len(x), low)
        y[1::2] += weights / most * (high - low) * _STEM_SHARE
        self._stems.setData(x, y)

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
