"""The curves of a training of a width: beside the fit, and large on a page of their own."""

from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from typing_extensions import override

from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.labs.regression.pictures import Header, header_of
from attnviz.gui.labs.regression.plots.fit_layout import history_layout, history_sizes
from attnviz.gui.labs.regression.plots.training_plots import HistoryPlot
from attnviz.gui.labs.regression.study_pages import Fit, RegressionPage
from attnviz.gui.plots.layout import Rect
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import Placed, column_of
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.step_row import StepRow

_MOST_NAMED = 4
_PLOT, _SLIDER = (180, 112), 24
"""The least width and height of a curve of a training with its name, and the height of the slider, at scale 1."""


class TrainingHistory(Placed):
    """Shows the history and the trace's step; emits the step that the user wants to see."""

    looked = Signal(int)
    """The step to show."""

    def __init__(self, look: Look, *, playhead: bool = False) -> None:
        """``playhead``: see `HistoryPlot`."""
        super().__init__()
        self.loss = HistoryPlot(look, self.tr("loss (sum of squares)"), "accent", playhead=playhead)
        self.w = HistoryPlot(look, self.tr("w = 1/width"), "output", playhead=playhead)
        self.row = StepRow()
        self._look_now = look
        self._steps_first = False
        for part in (self.loss, self.w, self.row):
            part.setParent(self)
        self.row.looked.connect(self.looked)
        self.loss.looked.connect(self.row.look)
        self.w.looked.connect(self.row.look)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look_now = look
        self._place()

    def put_steps_first(self, first: bool) -> None:
        """Put the slider above the curves, if these may extend below the edge of a panel, or below them."""
        self._steps_first = first
        self._place()

    def take_ground(self, role: str) -> None:
        """Use the theme's colour of a surface as the background."""
        self.loss.take_ground(role)
        self.w.take_ground(role)

    @property
    def least_sizes(self) -> tuple[tuple[float, float], ...]:
        """The least width and height with the plots one above the other, and side by side."""
        return history_sizes(*self._lengths)

    @property
    def _lengths(self) -> tuple[tuple[float, float], float, float]:
        look = self._look_now
        return (look.px(_PLOT[0]), look.px(_PLOT[1])), look.px(_SLIDER), look.px(6)

    @override
    def _place(self) -> None:
        places = history_layout(Rect(0, 0, self.width(), self.height()), *self._lengths)
        if self._steps_first:
            *plots, row = places
            low = row.height + self._lengths[2]
            places = plots[0].moved(0, low), plots[1].moved(0, low), row.moved(0, -row.y)
        for part, place in zip((self.loss, self.w, self.row), places, strict=True):
            part.setGeometry(*map(round, place))

    def show_trace(self, trace: RegressionTrace) -> None:
        """Draw the whole history, and mark the trace's step."""
        epochs, known = trace.spec.epochs, trace.known_steps
        # The loss is that before a step, w that after it; w begins with its initial value.
        before = np.arange(known, dtype=np.float64)
        loss = f"{trace.loss[trace.step - 1]:.4g}" if trace.step else "-"
        self.loss.show_history(before, trace.loss, epochs, trace.step, loss)
        steps = np.arange(known + 1, dtype=np.float64)
        self.w.show_history(steps, trace.w_path, epochs, trace.step, self._in_words(trace.w_path[trace.step]))
        self.row.show_step(trace.step, known, epochs)

    def _in_words(self, w: np.ndarray) -> str:
        """Return w (h,) of each head as text; for many heads only the least and greatest."""
        if len(w) > _MOST_NAMED:
            return self.tr("{0} to {1}").format(f"{w.min():.4g}", f"{w.max():.4g}")
        return ", ".join(f"{each:.4g}" for each in w)


class LearningPage(RegressionPage):
    """Loss and width over the steps of the training, with the step on screen as a line to drag."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self.history = TrainingHistory(look, playhead=True)
        column_of(self, self.history, wide=(self.history,))

    @override
    def header(self, trace: RegressionTrace, stage: str) -> Header:
        return header_of(trace, "kernel")  # which has the w that is learned

    @override
    def follow(self, trace: RegressionTrace) -> None:
        """Do nothing: only the page on screen is drawn."""

    @override
    def show_data(self, data: Fit) -> None:
        if data.trace.spec.trains:
            self.history.show_trace(data.trace)
