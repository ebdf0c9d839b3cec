"""One quantity over the training steps: its curve so far, and its value now."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.plots.curve_plot import CurvePlot
from attnviz.gui.theme import Look

_DOTS_UP_TO = 30


class HistoryPlot(CurvePlot):
    """Draws a growing history over a fixed number of steps."""

    def __init__(self, look: Look, name: str, role: str, parent: QWidget | None = None) -> None:
        super().__init__(look, name, "", "", parent)
        self._name, self._role = name, role
        self._steps: NDArray[np.float64] = np.zeros(0)
        self._values: NDArray[np.float64] = np.zeros(0)
        self._curve = self.plot()
        self._dots = pg.ScatterPlotItem(pxMode=True)
        self.addItem(self._dots)
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._curve.setPen(pg.mkPen(self.colour(self._role), width=2 * look.scale))
        self._draw()

    def show_history(self, steps: NDArray[np.float64], values: NDArray[np.float64], length: int) -> None:
        """Draw values at steps; the axis is as long as the whole training."""
        self._steps, self._values = steps, values
        self.getViewBox().setXRange(0, max(length, 1), padding=0.02)
        self._draw()

    def _draw(self) -> None:
        now = f"{self._values[-1]:.4g}" if len(self._values) else "-"
        theme = self.look.theme
        self.getPlotItem().setTitle(
            f'<span style="color:{theme.muted}">{self._name}</span> '
            f'<span style="color:{theme.text}; font-weight:600">{now}</span>',
            size=f"{self.look.px(12)}px",
            justify="left",
        )
        self.setAccessibleDescription(now)
        self._curve.setData(self._steps, self._values)
        few = 0 < len(self._values) <= _DOTS_UP_TO
        self._dots.setData(
            self._steps if few else [],
            self._values if few else [],
            size=self.look.px(6),
            pen=None,
            brush=self.colour(self._role),
        )
