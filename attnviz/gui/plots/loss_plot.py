"""The loss over w, with the way that the training has taken on it."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.regression import MOST_HEADS
from attnviz.experiment.regression_studies import LossOverWTrace
from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.gui.plots.curve_plot import CurvePlot
from attnviz.gui.plots.dots import Dots
from attnviz.gui.theme import Look

MOST_STOPS = 400
"""How many of the last steps have a dot."""


class LossPlot(CurvePlot):
    """A curve, the w that each step came to as dots joined by a line, and the w of the picture."""

    background_role = "panel"

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, "", "w", "", parent)
        self.setAccessibleName(self.tr("Loss over w"))
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.curve = self.plot(connect="finite")
        self.way = self.plot()
        self.stops = Dots()
        self.least = pg.ScatterPlotItem(pxMode=True)
        self.here = pg.ScatterPlotItem(pxMode=True)
        self.lines = [pg.InfiniteLine(angle=90, movable=False) for _ in range(MOST_HEADS)]
        for item in (self.least, self.stops, *self.lines, self.here):
            self.addItem(item)
        self._study: LossOverWTrace | None = None
        self._trace: RegressionTrace | None = None
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.curve.setPen(pg.mkPen(self.colour("accent"), width=2 * look.scale))
        self.way.setPen(pg.mkPen(self.colour("output", 160), width=look.scale))
        for line in self.lines:
            line.setPen(pg.mkPen(self.colour("output"), width=look.scale))
        edge = pg.mkPen(self.colour("panel"), width=1.5)
        self.here.setData([], [], size=look.px(10), pen=edge, brush=self.colour("output"))
        self.least.setData([], [], symbol="star", size=look.px(9), pen=None, brush=self.colour("accent"))
        self.show_study(self._study)

    def show_study(self, study: LossOverWTrace | None) -> None:
        """Draw the loss over w; None takes it away."""
        self._study = study
        self.getAxis("left").setStyle(showValues=study is not None)  # an empty plot has no scale
        self.curve.setData(*([], []) if study is None else (study.w, study.loss))
        known = study is not None and bool(np.isfinite(study.loss).any())
        if study is not None and known:
            best = int(np.nanargmin(study.loss))
            x, y = [study.w[best]], [study.loss[best]]
        else:
            x, y = [], []
        self.least.setData(x, y)
        self._show_way()

    def show_trace(self, trace: RegressionTrace) -> None:
        """Mark where the training of a trace is and has been."""
        self._trace = trace
        self._show_way()

    def _show_way(self) -> None:
        trace, study = self._trace, self._study
        heads = 0 if trace is None else trace.w_path.shape[1]
        for place, line in enumerate(self.lines):
            line.setVisible(place < heads)
            if trace is not None and place < heads:
                line.setValue(trace.w_path[trace.step, place])
        # The loss that a step notes is that of the w before it; several heads have no single one.
        one = trace is not None and heads == 1 and study is not None
        steps = slice(max(0, trace.step - MOST_STOPS), trace.step) if one and trace is not None else slice(0, 0)
        w = trace.w_path[steps, 0] if trace is not None and one else np.empty(0)
        loss = trace.loss[steps] if trace is not None and one else np.empty(0)
        self.way.setData(w, loss)
        self.stops.set_data(w, loss, self.look.px(5), self.colour("output"))
        now = trace.w_now if trace is not None and one else None
        known = now is not None and study is not None and study.w[0] <= now <= study.w[-1]
        x = [now] if known else []
        y = [float(np.interp(now, study.w, study.loss))] if known and study is not None and now is not None else []
        self.here.setData(x, y)
        self.arrange()
