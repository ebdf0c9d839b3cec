"""The two plots of a training: one quantity over its steps, and the loss over w with the path taken on it."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from attnviz.experiment.regression.spec import MOST_HEADS
from attnviz.experiment.regression.studies import LossOverWTrace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.plots.curves.learning_curves import LearningCurves
from attnviz.gui.plots.curves.marks import CurveMark, Dots, Stars, Upright
from attnviz.gui.plots.curves.plot_layer import extent
from attnviz.gui.plots.curves.step_curves import StepCurve, StepCurves
from attnviz.gui.theme import Look
from attnviz.gui.widgets.explained import explain
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.labels import SteadyLabel, caption
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import translate


class HistoryPlot(QWidget):
    """Draws a growing history over a fixed number of steps, under its name and the value of the step on screen."""

    GESTURES = (Gesture("Click, Drag", "Look at this step", "Training"),)

    looked = Signal(int)
    """The user wants to see this step."""

    def __init__(self, look: Look, name: str, role: str, *, playhead: bool = False) -> None:
        """``playhead``: later steps than the current one are paler, and its line has a handle."""
        super().__init__()
        self._role = role
        self._drawn: tuple[NDArray[np.float64], NDArray[np.float64], int, int] | None = None
        self.now = SteadyLabel("-")
        self.now.setObjectName("number")
        kind = LearningCurves if playhead else StepCurves
        self.plot: StepCurves = kind(look, name, MOST_HEADS, unit=False)
        self.plot.looked.connect(self.looked)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(explain(caption(name)))
        line.addWidget(self.now)
        line.addStretch(1)
        column_of(self, line, self.plot, gap=2, wide=(self.plot,))
        self.restyle(look)

    def take_ground(self, role: str) -> None:
        """Use the theme's colour of a surface as the background."""
        self.plot.background_role = role
        self.plot.setBackground(self.plot.look.color(role))

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.now.setVisible(look.numbers)
        self._draw()

    def show_history(
        self, steps: NDArray[np.float64], values: NDArray[np.float64], length: int, here: int, now: str
    ) -> None:
        """Draw values (n,), or (n, h) of several heads, at steps (n,); the axis is as long as the whole training.

        ``here`` is the step on screen, and ``now`` what the quantity is there.
        """
        self.now.setText(now)
        self._drawn = steps, values[:, None] if values.ndim == 1 else values, length, here
        self._draw()

    def _draw(self) -> None:
        if self._drawn is not None:
            steps, columns, length, here = self._drawn
            colour = getattr(self.plot.look.theme, self._role)
            self.plot.show_curves([StepCurve(steps, column, colour) for column in columns.T], length, here)


MOST_STOPS = 400
"""The number of last steps with a dot."""
_NONE = np.empty(0)


class LossPlot(CurvePlot):
    """A curve, the w after each step as dots joined by a line, and the w of the picture."""

    background_role = "panel"

    def __init__(self, look: Look) -> None:
        super().__init__(look, "", "w", "")
        self.setAccessibleName(self.tr("Loss over w"))
        self.setAccessibleDescription(translate("not computed yet"))
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.curve, self.way = CurveMark(self.layer), CurveMark(self.layer)
        self.least, self.stops = Stars(self.layer), Dots(self.layer)
        self.lines = [Upright(self.layer) for _ in range(MOST_HEADS)]
        self.here = Dots(self.layer)
        self._study: LossOverWTrace | None = None
        self._trace: RegressionTrace | None = None
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.curve.set_pen(self.pen("accent", 2))
        self.way.set_pen(self.pen("output", 1, alpha=220))
        for line in self.lines:
            line.set_pen(self.pen("output", 1))
        self.stops.set_look(self.colour("output"), look.px(5))
        self.here.set_look(self.colour("output"), look.px(8), self.colour("panel"), 1.5)
        self.least.set_look(self.colour("accent"), look.px(9))
        self.show_study(self._study)

    def show_study(self, study: LossOverWTrace | None) -> None:
        """Draw the loss over w; None removes it."""
        self._study = study
        self.getAxis("left").setStyle(showValues=study is not None)  # an empty plot has no scale
        w, loss = (_NONE, _NONE) if study is None else (study.w, study.loss)
        self.curve.set_data(w, loss)
        best = [int(np.nanargmin(loss))] if np.isfinite(loss).any() else []
        self.least.set_data(w[best], loss[best])
        said = [translate("least {0} at w {1}").format(f"{loss[at]:.4g}", f"{w[at]:.4g}") for at in best]
        self.setAccessibleDescription("".join(said) or translate("not computed yet"))
        self._show_way()

    def show_trace(self, trace: RegressionTrace) -> None:
        """Mark where the training of a trace is and has been."""
        self._trace = trace
        self._show_way()

    def _show_way(self) -> None:
        trace, study = self._trace, self._study
        heads = 0 if trace is None else trace.w_path.shape[1]
        for place, line in enumerate(self.lines):
            line.put(trace.w_path[trace.step, place] if trace is not None and place < heads else None)
        # The loss that a step notes is that of the w before it; several heads have no single one.
        one = trace is not None and heads == 1 and study is not None
        steps = slice(max(0, trace.step - MOST_STOPS), trace.step) if one and trace is not None else slice(0, 0)
        w = trace.w_path[steps, 0] if trace is not None and one else _NONE
        loss = trace.loss[steps] if trace is not None and one else _NONE
        self.way.set_data(w, loss)
        self.stops.set_data(w, loss)
        now = trace.w_now if trace is not None and one else None
        known = now is not None and study is not None and study.w[0] <= now <= study.w[-1]
        x = np.array([now] if known and now is not None else [], dtype=np.float64)
        self.here.set_data(x, np.interp(x, study.w, study.loss) if study is not None else x)
        self.show_range(extent(self.curve.x, w), extent(self.curve.y, loss))
