"""How much of the plane a fit shows."""

import numpy as np
import pyqtgraph as pg

from attnviz.experiment.regression.trace import RegressionTrace

_AIR, _SIDE = 0.08, 0.02  # of the height and of the width
_FOOT = 4  # times the air: the stems stand below the points


class FitView:
    """Brings all points and the truth into view; only when they have moved, so that a zoom survives a training."""

    def __init__(self, box: pg.ViewBox) -> None:
        self._box = box
        self._extent: tuple[float, float, float, float] | None = None

    def forget(self) -> None:
        """Bring everything into view with the next fit, whatever the zoom is now."""
        self._extent = None

    def fit(self, trace: RegressionTrace) -> None:
        """Follow the points of a trace."""
        ys = np.concatenate((trace.y_train, trace.y_truth[np.isfinite(trace.y_truth)]))
        xs = np.concatenate((trace.x_train, trace.x_test))
        extent = float(xs.min()), float(xs.max()), float(ys.min()), float(ys.max())
        if extent == self._extent:
            return
        self._extent = left, right, low, high = extent
        air, side = (high - low or 1.0) * _AIR, (right - left or 1.0) * _SIDE
        self._box.setRange(xRange=(left - side, right + side), yRange=(low - _FOOT * air, high + air), padding=0)
        self._box.prepareForPaint()  # left to the painting, it would have that begin again
