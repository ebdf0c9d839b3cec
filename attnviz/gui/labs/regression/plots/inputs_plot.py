"""The inputs of a kernel regression, its training points and the query, without its results."""

import numpy as np
from PySide6.QtCore import Qt
from typing_extensions import override

from attnviz.experiment.regression.data import truth_line
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.plots.curves.marks import CurveMark, Dots, Upright
from attnviz.gui.theme import Look

_AIR = 0.1
"""A share of the height and of the width, around the points."""


class InputsPlot(CurvePlot):
    """Points, the truth if it is known, and a line at the query; no fit and no weights."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "", "x", "y")
        self.setAccessibleName(self.tr("Training points and query"))
        self.truth, self.points, self.line = CurveMark(self.layer), Dots(self.layer), Upright(self.layer)
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.truth.set_pen(self.pen("muted", 1.5, style=Qt.PenStyle.DashLine))
        self.points.set_look(self.colour("k"), look.px(8))
        self.line.set_pen(self.pen("q", 1.5))

    def show_inputs(self, trace: RegressionTrace, query: int | None) -> None:
        """Show the inputs of a trace, and a query where one is chosen."""
        x, y = trace.x_train, trace.y_train
        self.points.set_data(x, y)
        self.truth.set_data(*truth_line(trace.spec.data, trace.x_test))
        self.line.put(None if query is None or query >= len(trace.x_test) else float(trace.x_test[query]))
        known = np.concatenate((y, trace.y_truth[np.isfinite(trace.y_truth)]))
        spans = ((float(each.min()), float(each.max())) for each in (np.concatenate((x, trace.x_test)), known))
        across, up = ((low - _AIR * (high - low or 1.0), high + _AIR * (high - low or 1.0)) for low, high in spans)
        self.getViewBox().setRange(xRange=across, yRange=up, padding=0)
