"""One quantity over the training steps: its curve so far, and its value now."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviz.gui.plots.curve_plot import CurvePlot
from attnviz.gui.theme import Look

_DOTS_UP_TO = 30


class HistoryPlot(QWidget):
    """Draws a growing history over a fixed number of steps, under its name and newest value."""

    def __init__(self, look: Look, name: str, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self.now = QLabel("-")
        self.now.setObjectName("number")
        caption = QLabel(name)
        caption.setObjectName("caption")
        self._plot = CurvePlot(look, name, "", "")
        self.curve = self._plot.plot()
        self._dots = pg.ScatterPlotItem(pxMode=True)
        self._plot.addItem(self._dots)
        self._plot.getViewBox().setMouseEnabled(x=False, y=False)
        line = QHBoxLayout()
        line.setContentsMargins(look.px(46), 0, 0, 0)
        line.addWidget(caption)
        line.addWidget(self.now)
        line.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(line)
        layout.addWidget(self._plot, 1)
        self.restyle(look)

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._plot.restyle(look)
        colour = self._plot.colour(self._role)
        self.curve.setPen(pg.mkPen(colour, width=2 * look.scale))
        self._dots.setSize(look.px(6))
        self._dots.setPen(None)
        self._dots.setBrush(colour)

    def show_history(self, steps: NDArray[np.float64], values: NDArray[np.float64], length: int) -> None:
        """Draw values at steps; the axis is as long as the whole training."""
        self._plot.getViewBox().setXRange(0, max(length, 1), padding=0.02)
        self.now.setText(f"{values[-1]:.4g}" if len(values) else "-")
        self.curve.setData(steps, values)
        few = len(values) <= _DOTS_UP_TO
        self._dots.setData(steps if few else [], values if few else [])
