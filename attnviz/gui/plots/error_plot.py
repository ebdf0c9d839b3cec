"""Errors over the width, on a logarithmic axis, with the least of each marked."""

from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.forms.words import translate
from attnviz.gui.plots.curve_plot import CurvePlot
from attnviz.gui.theme import Look

ROLES = ("accent", "output")
"""The theme's colours of the curves."""
SIGNS = ("━", "╍")
"""Their line patterns, for a legend."""
_AIR = 0.08  # of the height, above the curves and below


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """One error over the widths (n,)."""

    errors: NDArray[np.float64]
    reached: NDArray[np.float64]
    """The share of points that count; below 1 the curve is thin."""
    best: int | None
    """Where the least lies that is marked."""


class ErrorPlot(CurvePlot):
    """Up to two curves; a click takes a width."""

    taken = Signal(float)
    """The width under the mouse."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, "", translate("width σ"), translate("mean squared error"), parent)
        self.setAccessibleName(self.tr("Errors over the width"))
        self.setToolTip(self.tr("Click to take a width"))
        self.setLogMode(x=True, y=False)
        self.getAxis("bottom").setTicks([_ticks()])
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self._widths = np.empty(0)
        self._curves: tuple[ErrorCurve, ...] = ()
        self.full = [self.plot(connect="finite") for _ in ROLES]
        self.thin = [self.plot(connect="finite") for _ in ROLES]
        self.best = [pg.ScatterPlotItem(pxMode=True) for _ in ROLES]
        self.width_line = pg.InfiniteLine(angle=90, movable=False)
        for item in (*self.best, self.width_line):
            self.addItem(item)
        self.width_line.hide()
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        for place, role in enumerate(ROLES):
            pattern = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine)[place]
            self.full[place].setPen(pg.mkPen(self.colour(role), width=2.2 * look.scale, style=pattern))
            self.thin[place].setPen(pg.mkPen(self.colour(role, 120), width=look.scale, style=pattern))
            brush = self.colour(role)
            self.best[place].setData([], [], size=look.px(10), symbol="star", pen=None, brush=brush)
        self.width_line.setPen(pg.mkPen(self.colour("q"), width=1.5 * look.scale))
        self.show_curves(self._widths, self._curves)

    def show_curves(self, widths: NDArray[np.float64], curves: tuple[ErrorCurve, ...]) -> None:
        """Draw errors over widths (n,)."""
        self._widths, self._curves = widths, curves
        for place, curve in enumerate(curves):
            full = np.where(curve.reached >= 1, curve.errors, np.nan)
            self.full[place].setData(widths, full)
            # The thin line reaches to the thick one, or a gap would stand between them.
            beside = np.convolve(curve.reached < 1, np.ones(3), "same") > 0
            self.thin[place].setData(widths, np.where(beside, curve.errors, np.nan))
            here = [] if curve.best is None else [curve.best]
            x, y = np.log10(widths[here]), curve.errors[here]
            self.best[place].setData(x, y)
        self._fit_view()

    @property
    def has_curves(self) -> bool:
        """Whether anything is drawn."""
        return bool(self._curves)

    def mark_width(self, width: float | None) -> None:
        """Put a line at the width of the fit."""
        self.width_line.setVisible(width is not None)
        if width is not None:
            self.width_line.setValue(float(np.log10(width)))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Nothing is dragged here."""

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        left = event.button() == Qt.MouseButton.LeftButton
        if left and self._widths.size and self.covers(place):
            width = 10 ** self.in_plot(place).x()
            self.taken.emit(float(f"{min(max(width, 1e-6), 1e6):.2g}"))

    def _fit_view(self) -> None:
        """Show every curve, with some air."""
        known = np.concatenate([curve.errors[np.isfinite(curve.errors)] for curve in self._curves] or [np.empty(0)])
        if not known.size:
            return
        low, high = float(known.min()), float(known.max())
        air = (high - low or abs(high) or 1.0) * _AIR
        x = np.log10(self._widths)
        self.getViewBox().setRange(xRange=(float(x[0]), float(x[-1])), yRange=(low - air, high + air), padding=0.02)


def _ticks() -> list[tuple[float, str]]:
    """Return 1, 2 and 5 of each decade, on the logarithmic axis."""
    widths = [each * 10.0**decade for decade in range(-6, 7) for each in (1, 2, 5)]
    return [(float(np.log10(width)), f"{width:g}") for width in widths]
