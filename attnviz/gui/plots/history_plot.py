"""One quantity over the training steps: its curve so far, where in it the picture is, and its value there."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.experiment.regression import MOST_HEADS
from attnviz.gui.plots.curve_plot import CurvePlot
from attnviz.gui.steady_label import SteadyLabel
from attnviz.gui.theme import Look

_DOTS_UP_TO = 30


class _StepPlot(CurvePlot):
    """A plot over steps; pressing and dragging in it looks for a step."""

    looked = Signal(int)
    """The step under the mouse."""

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._look(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look(event)

    def _look(self, event: QMouseEvent) -> None:
        self.looked.emit(max(0, round(self.in_plot(event.position()).x())))


class HistoryPlot(QWidget):
    """Draws a growing history over a fixed number of steps, under its name and the value of the step on screen."""

    looked = Signal(int)
    """The user wants to see this step."""

    def __init__(self, look: Look, name: str, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self.now = SteadyLabel("-")
        self.now.setObjectName("number")
        caption = QLabel(name)
        caption.setObjectName("caption")
        self._plot = _StepPlot(look, name, "", "")
        self._plot.setToolTip(self.tr("Press to look back at a step"))
        self._plot.looked.connect(self.looked)
        self.curves = [self._plot.plot() for _ in range(MOST_HEADS)]
        self._dots = pg.ScatterPlotItem(pxMode=True)
        self._here = pg.InfiniteLine(angle=90, movable=False)
        self._plot.addItem(self._here)
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

    @property
    def curve(self) -> pg.PlotDataItem:
        """The curve of the first quantity."""
        return self.curves[0]

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._plot.restyle(look)
        self._plot.getAxis("left").setStyle(maxTickLevel=0)  # low plots: finer ticks would stand on each other
        colour = self._plot.colour(self._role)
        for curve in self.curves:
            curve.setPen(pg.mkPen(colour, width=2 * look.scale))
        self._here.setPen(pg.mkPen(self._plot.colour("muted"), width=look.scale))
        self._dots.setSize(look.px(6))
        self._dots.setPen(None)
        self._dots.setBrush(colour)

    def show_history(
        self, steps: NDArray[np.float64], values: NDArray[np.float64], length: int, here: int, now: str
    ) -> None:
        """Draw values (n,), or (n, h) of several heads, at steps (n,); the axis is as long as the whole training.

        ``here`` is the step on screen, and ``now`` what the quantity is there.
        """
        self._plot.getViewBox().setXRange(0, max(length, 1), padding=0.02)
        self.now.setText(now)
        columns = values[:, None] if values.ndim == 1 else values
        for place, curve in enumerate(self.curves):
            there = place < columns.shape[1]
            if there or curve.xData is not None:
                curve.setData(steps if there else [], columns[:, place] if there else [])
        few = columns.size <= _DOTS_UP_TO
        shown = columns if few else columns[:0]
        self._dots.setData(np.repeat(steps[: len(shown)], columns.shape[1]), shown.reshape(-1))
        self._here.setValue(here)
        self._plot.arrange()
