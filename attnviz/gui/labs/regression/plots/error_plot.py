"""Errors over the width, on a logarithmic axis, with the least of each marked."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from typing_extensions import override

from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.plots.curves.marks import CurveMark, Stars, Upright
from attnviz.gui.plots.curves.plot_layer import extent
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

ROLES = ("accent", "output")
"""The theme's colours of the curves."""
SIGNS = ("━", "╍")
"""Their line patterns, for a legend."""


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """One error over the widths (n,)."""

    errors: NDArray[np.float64]
    reached: NDArray[np.float64]
    """The share of points that count; below 1 the curve is thin."""
    best: int | None
    """The marked minimum."""


class ErrorPlot(CurvePlot):
    """Up to two curves; a click takes a width."""

    GESTURES = (Gesture("Click", "Take this width", "Errors"),)

    taken = Signal(float)
    """The width under the mouse."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "", translate("width σ"), translate("mean squared error"))
        self.setAccessibleName(self.tr("Errors over the width"))
        self.getAxis("bottom").setLogMode(True)
        self.getAxis("bottom").setTicks([_ticks()])
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self._widths = np.empty(0)
        self._curves: tuple[ErrorCurve, ...] = ()
        self.full = [CurveMark(self.layer) for _ in ROLES]
        self.thin = [CurveMark(self.layer) for _ in ROLES]
        self.best = [Stars(self.layer) for _ in ROLES]
        self.width_line = Upright(self.layer)
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        for place, role in enumerate(ROLES):
            pattern = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine)[place]
            self.full[place].set_pen(self.pen(role, 2.2, style=pattern))
            self.thin[place].set_pen(self.pen(role, 1, alpha=120, style=pattern))
            self.best[place].set_look(self.colour(role), look.px(10))
        self.width_line.set_pen(self.pen("q", 1.5))
        self.show_curves(self._widths, self._curves)

    def show_curves(self, widths: NDArray[np.float64], curves: tuple[ErrorCurve, ...]) -> None:
        """Draw errors over widths (n,)."""
        self._widths, self._curves = widths, curves
        x = np.log10(widths)
        for place, curve in enumerate(curves):
            full = np.where(curve.reached >= 1, curve.errors, np.nan)
            self.full[place].set_data(x, full)
            # The thin line overlaps the thick one; otherwise there would be a gap.
            beside = np.convolve(curve.reached < 1, np.ones(3), "same") > 0
            self.thin[place].set_data(x, np.where(beside, curve.errors, np.nan))
            here = [] if curve.best is None else [curve.best]
            self.best[place].set_data(x[here], curve.errors[here])
        least = [(curve.errors[curve.best], widths[curve.best]) for curve in curves if curve.best is not None]
        said = (translate("least {0} at width {1}").format(f"{error:.4g}", f"{width:.3g}") for error, width in least)
        self.setAccessibleDescription("; ".join(said))
        known = extent(*(curve.errors for curve in curves))
        if known is not None:
            self.show_range(extent(x), known)

    @property
    def has_curves(self) -> bool:
        """Whether anything is drawn."""
        return bool(self._curves)

    def mark_width(self, width: float | None) -> None:
        """Put a line at the width of the fit."""
        self.width_line.put(None if width is None else float(np.log10(width)))

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


def _ticks() -> list[tuple[float, str]]:
    """Return 1, 2 and 5 of each decade, on the logarithmic axis."""
    widths = [each * 10.0**decade for decade in range(-6, 7) for each in (1, 2, 5)]
    return [(float(np.log10(width)), f"{width:g}") for width in widths]
