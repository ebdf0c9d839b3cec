"""What a fit plot draws: its curves, and its training points with the weights of the chosen row."""

import numpy as np
from PySide6.QtCore import Qt

from attnviz.experiment.regression.spec import MOST_HEADS, MOST_OVERLAYS
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.plots.curves.dots import MANY, Dots, Rings
from attnviz.gui.plots.curves.lines import Curve, Stems, overlay_pen
from attnviz.gui.plots.curves.plot_layer import Numbers, PlotLayer
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


_STEM_SHARE = 0.22
_LEAST_SHARE = 0.004
_MOST_LIT = 500
"""How many points a query may highlight: among thousands of equal weights none is worth highlighting."""
_GRADES = 5


class FitPoints:
    """Draws points and, at the foot of a plot, stems as high as their weights.

    Two layers, for the points are thousands and change with the data, while what is lit changes with the mouse.
    """

    def __init__(self, plot: CurvePlot) -> None:
        self._plot = plot
        self.all = Dots(PlotLayer(plot, kept=True))
        self.stems = Stems(plot.layer)
        self.lit = [Dots(plot.layer) for _ in range(_GRADES)]
        self.chosen = Rings(plot.layer)
        self._scale = plot.look.scale

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._scale = look.scale
        self.all.set_look(self._plot.colour("k", 90), look.px(6))
        self.stems.set_pen(self._plot.pen("k", 2))
        self.chosen.set_look(self._plot.pen("text", 2), look.px(16))

    def show_points(self, x: Numbers, y: Numbers) -> None:
        """Draw every training point, (K,), (K,)."""
        self.all.set_data(x, y)

    def light(self, trace: RegressionTrace, query: int) -> None:
        """Draw the points that a query looks at by their weights: size and opacity, and the stems."""
        weights = trace.weights[query]
        most = float(np.fmax.reduce(weights)) or 1.0
        looked_at = np.flatnonzero(weights > most * _LEAST_SHARE)
        if len(looked_at) > _MOST_LIT:
            looked_at = looked_at[np.argpartition(weights[looked_at], -_MOST_LIT)[-_MOST_LIT:]]
        share = weights[looked_at] / most
        x, y = trace.x_train[looked_at], trace.y_train[looked_at]
        self._light_up(x, y, share, many=len(weights) > MANY)
        self.stems.set_data(x, share * _STEM_SHARE)

    def light_none(self) -> None:
        """Draw every point alike."""
        for mark in (self.stems, *self.lit):
            mark.clear()

    def _light_up(self, x: Numbers, y: Numbers, share: Numbers, *, many: bool) -> None:
        """Draw points (n,), (n,) in a few grades of their share of the largest weight, (n,)."""
        grades = np.ceil(share * _GRADES).astype(int)
        for grade, dots in enumerate(self.lit, start=1):
            size = (6 + 8 * grade / _GRADES) * self._scale
            dots.set_look(self._plot.colour("k", 90 + 165 * grade // _GRADES), size / 2 if many else size)
            dots.set_data(x[grades == grade], y[grades == grade])

    def choose(self, x: float | None, y: float | None) -> None:
        """Draw a ring around the chosen point, wherever the hand has it."""
        if x is None or y is None:
            self.chosen.clear()
        else:
            self.chosen.set_data(np.array([x]), np.array([y]))
