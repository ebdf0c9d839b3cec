"""The training points of a fit: every one alike, and over them those that the chosen query looks at, larger."""

import numpy as np
import pyqtgraph as pg

from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.gui.plots.curve_plot import CurvePlot
from attnviz.gui.plots.dots import Dots
from attnviz.gui.theme import Look

_STEM_SHARE = 0.22
_LEAST_SHARE = 0.004
_MOST_LIT = 500
"""How many points a query may light: where it looks at thousands alike, none of them stands out."""
_GRADES = 5
_MANY = 2_000  # points, which are drawn smaller


class FitPoints:
    """Draws points and, at the foot of a plot, stems as high as their weights.

    Two layers, for the points are thousands and change with the data, while what is lit changes with the mouse.
    """

    def __init__(self, plot: CurvePlot) -> None:
        self._plot = plot
        self.all = Dots()
        self.lit = pg.ScatterPlotItem(pxMode=True)
        self.chosen = pg.ScatterPlotItem(pxMode=True)
        self.stems = plot.plot(connect="pairs")
        for item in (self.all, self.lit, self.chosen):
            plot.addItem(item)
        self._brushes: list[object] = []
        self._look = plot.look

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._look = look
        colour = self._plot.colour("k")
        self.stems.setPen(pg.mkPen(colour, width=2 * look.scale))
        ring = pg.mkPen(self._plot.colour("text"), width=2 * look.scale)
        # Styles are set here and nowhere else: pyqtgraph keeps a picture of every pen and brush that it has ever met.
        self.chosen.setData([], [], size=look.px(16), pen=ring, brush=None)
        self.lit.setData([], [], pen=None)
        # A few brushes and sizes, shared: one for each point would cost more than drawing them.
        self._brushes = [
            pg.mkBrush(colour.red(), colour.green(), colour.blue(), 90 + 165 * grade // _GRADES)
            for grade in range(_GRADES + 1)
        ]

    def show_points(self, x: np.ndarray, y: np.ndarray) -> None:
        """Draw every training point, (K,), (K,)."""
        self.all.set_data(x, y, self._look.px(6), self._plot.colour("k", 90))

    def light(self, trace: RegressionTrace, query: int | None) -> None:
        """Draw the points that a query looks at by their weights: size and opacity, and the stems."""
        if query is None:
            self.lit.setData([], [])
            self.stems.setData([], [])
            return
        weights = trace.weights[query]
        most = float(np.fmax.reduce(weights)) or 1.0
        looked_at = np.flatnonzero(weights > most * _LEAST_SHARE)
        if len(looked_at) > _MOST_LIT:
            looked_at = looked_at[np.argpartition(weights[looked_at], -_MOST_LIT)[-_MOST_LIT:]]
        share = weights[looked_at] / most
        grades = np.ceil(share * _GRADES).astype(int)
        x, y = trace.x_train[looked_at], trace.y_train[looked_at]
        brushes = [self._brushes[grade] for grade in grades]
        size = (6 + 8 * grades / _GRADES) * self._look.scale
        if len(weights) > _MANY:
            size /= 2
        self.lit.setData(x, y, size=size, brush=brushes)
        low, high = self._plot.getViewBox().viewRange()[1]
        feet = np.full(2 * len(x), low)
        feet[1::2] += share * (high - low) * _STEM_SHARE
        self.stems.setData(np.repeat(x, 2), feet)

    def choose(self, x: float | None, y: float | None) -> None:
        """Draw a ring around the chosen point, wherever the hand has it."""
        here = x is not None and y is not None
        self.chosen.setData([x] if here else [], [y] if here else [])
