"""The curves of a fit: the truth, the predictions with their gaps, each of several heads, and the overlays."""

import numpy as np
from PySide6.QtCore import Qt

from attnviz.experiment.regression.spec import MOST_HEADS, MOST_OVERLAYS
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.plots.curves.dots import Dots, Rings
from attnviz.gui.plots.curves.lines import Curve
from attnviz.gui.plots.curves.overlay_style import overlay_pen
from attnviz.gui.plots.curves.plot_layer import Numbers
from attnviz.gui.theme import Look

_DOTS_UP_TO = 40


class FitCurves:
    """Draws into a plot, with marks that are made once and used again."""

    def __init__(self, plot: CurvePlot) -> None:
        self._plot = plot
        self.truth = Curve(plot.layer)
        self.overlays = [Curve(plot.layer) for _ in range(MOST_OVERLAYS)]
        self.heads = [Curve(plot.layer) for _ in range(MOST_HEADS)]
        self.fit = Curve(plot.layer)
        self._dots, self.filled = Dots(plot.layer), Rings(plot.layer)

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.truth.set_pen(self._plot.pen("muted", 1.5, style=Qt.PenStyle.DashLine))
        self.fit.set_pen(self._plot.pen("accent", 2.5))
        for curve in self.heads:
            curve.set_pen(self._plot.pen("accent", 1.2, alpha=110))
        for place, curve in enumerate(self.overlays):
            curve.set_pen(overlay_pen(look, place))
        self._dots.set_look(self._plot.colour("accent"), look.px(6))
        self.filled.set_look(self._plot.pen("accent", 1.2), look.px(6))

    def show_trace(self, trace: RegressionTrace) -> None:
        """Draw a fit."""
        x = trace.x_test
        self.truth.set_data(x, trace.y_truth)
        self.fit.set_data(x, trace.curve)
        _draw_all(self.overlays, x, [curve.y_hat for curve in trace.curves])
        _draw_all(self.heads, x, [head.y_hat for head in trace.heads] if trace.num_heads > 1 else [])
        dotted = np.isfinite(trace.curve) & (len(x) <= _DOTS_UP_TO)
        self._dots.set_data(x[dotted], trace.curve[dotted])
        # What the mask policy fills in where no point is in reach is shown, but it is no part of the curve.
        filled = trace.empty_rows & np.isfinite(trace.y_hat)
        self.filled.set_data(x[filled], trace.y_hat[filled])


def _draw_all(curves: list[Curve], x: Numbers, ys: list[Numbers]) -> None:
    """Draw so many of the curves, and none with the others."""
    for place, curve in enumerate(curves):
        if place < len(ys):
            curve.set_data(x, ys[place])
        else:
            curve.clear()
