"""The curves of a fit: the truth, the predictions with their gaps, each of several heads, and the overlays."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt

from attnviz.experiment.regression import MOST_HEADS, MOST_OVERLAYS
from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.gui.plots.curve_plot import CurvePlot
from attnviz.gui.plots.overlay_style import overlay_pen
from attnviz.gui.theme import Look

_DOTS_UP_TO = 40


class FitCurves:
    """Draws into a plot; items are made once and used again."""

    def __init__(self, plot: CurvePlot) -> None:
        self._plot = plot
        self.truth = plot.plot(connect="finite")
        self.overlays = [plot.plot(connect="finite") for _ in range(MOST_OVERLAYS)]
        self.heads = [plot.plot(connect="finite") for _ in range(MOST_HEADS)]
        self.fit = plot.plot(connect="finite")
        self._dots, self.filled = pg.ScatterPlotItem(pxMode=True), pg.ScatterPlotItem(pxMode=True)
        plot.addItem(self._dots)
        plot.addItem(self.filled)

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        accent = self._plot.colour("accent")
        self.truth.setPen(pg.mkPen(self._plot.colour("muted"), width=1.5 * look.scale, style=Qt.PenStyle.DashLine))
        self.fit.setPen(pg.mkPen(accent, width=2.5 * look.scale))
        for item in self.heads:
            item.setPen(pg.mkPen(self._plot.colour("accent", 110), width=1.2 * look.scale))
        for place, item in enumerate(self.overlays):
            item.setPen(overlay_pen(look, place))
        self._dots.setData([], [], size=look.px(6), pen=None, brush=accent)
        self.filled.setData([], [], size=look.px(6), pen=pg.mkPen(accent, width=1.2 * look.scale), brush=None)

    def show_trace(self, trace: RegressionTrace) -> None:
        """Draw a fit."""
        x = trace.x_test
        _draw(self.truth, x, trace.y_truth)
        _draw(self.fit, x, trace.curve)
        _draw_all(self.overlays, x, [curve.y_hat for curve in trace.curves])
        _draw_all(self.heads, x, [head.y_hat for head in trace.heads] if trace.num_heads > 1 else [])
        dotted = np.isfinite(trace.curve) & (len(x) <= _DOTS_UP_TO)
        self._dots.setData(x[dotted], trace.curve[dotted])
        # What the mask policy fills in where no point is in reach is shown, but it is no part of the curve.
        filled = trace.empty_rows & np.isfinite(trace.y_hat)
        self.filled.setData(x[filled], trace.y_hat[filled])


def _draw(item: pg.PlotDataItem, x: np.ndarray, y: np.ndarray) -> None:
    some = slice(None if np.isfinite(y).any() else 0)  # pyqtgraph warns of a curve that is nowhere
    item.setData(x[some], y[some])


def _draw_all(items: list[pg.PlotDataItem], x: np.ndarray, ys: list[np.ndarray]) -> None:
    """Draw a curve with each item; those that are left over draw nothing, and cost nothing where they drew none."""
    for place, item in enumerate(items):
        if place < len(ys):
            _draw(item, x, ys[place])
        elif item.xData is not None and len(item.xData):
            item.setData([], [])
