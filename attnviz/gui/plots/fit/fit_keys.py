"""The keys of the fit: arrows choose a query, with Shift a point, with Ctrl they move it; Insert, Delete, 0."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.plots.matrix.canvas import ARROWS

if TYPE_CHECKING:
    from attnviz.gui.plots.fit.fit_plot import FitPlot

_NUDGE = 0.01  # of the plot's width or height


def act(plot: "FitPlot", trace: RegressionTrace, event: QKeyEvent) -> bool:
    """Do what a key stands for; return whether it stands for anything here."""
    key, (query, point) = event.key(), plot.chosen
    if key in ARROWS:
        return _move(plot, trace, event)
    if key == Qt.Key.Key_Insert:
        known = np.isfinite(trace.curve[query])
        y = float(trace.curve[query] if known else trace.y_train.mean())
        plot.hand.add(*plot.training_points, float(trace.x_test[query]), y)
    elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and point is not None:
        plot.hand.remove(*plot.training_points, point)
    elif key == Qt.Key.Key_0:
        plot.show_all()
    else:
        return False
    return True


def _move(plot: "FitPlot", trace: RegressionTrace, event: QKeyEvent) -> bool:
    """Move a point, or choose another point or query."""
    (up, right), (query, point), held = ARROWS[event.key()], plot.chosen, event.modifiers()
    if held & Qt.KeyboardModifier.ControlModifier:
        if point is not None:
            (left, end), (low, high) = plot.getViewBox().viewRange()
            plot.hand.nudge(*plot.training_points, point, right * _NUDGE * (end - left), -up * _NUDGE * (high - low))
    elif held & Qt.KeyboardModifier.ShiftModifier:
        x, _ = plot.training_points
        nearest = int(np.abs(x - trace.x_test[query]).argmin())
        plot.point_chosen.emit(nearest if point is None else min(max(point + right, 0), len(x) - 1))
    elif right:
        plot.clicked.emit(min(max(query + right, 0), len(trace.x_test) - 1))
    else:
        return False
    return True
