"""One quantity over the training steps: its curve so far, where in it the picture is, and its value there."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.experiment.regression.spec import MOST_HEADS
from attnviz.gui.plots.curves.curve_plot import LEAST_AIR, CurvePlot, Range
from attnviz.gui.plots.curves.dots import Dots
from attnviz.gui.plots.curves.lines import Curve, Upright
from attnviz.gui.plots.curves.plot_layer import extent, in_round_numbers
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import SteadyLabel, caption

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
        self._length = 1
        self._reach: Range | None = None
        self._ticked: Range | None = None
        self.now = SteadyLabel("-")
        self.now.setObjectName("number")
        self._plot = _StepPlot(look, name, "", "")
        self._plot.setToolTip(self.tr("Press to look back at a step"))
        self._plot.looked.connect(self.looked)
        self.curves = [Curve(self._plot.layer) for _ in range(MOST_HEADS)]
        self.here, self._dots = Upright(self._plot.layer), Dots(self._plot.layer)
        self._plot.getViewBox().setMouseEnabled(x=False, y=False)
        line = QHBoxLayout()
        line.setContentsMargins(look.px(46), 0, 0, 0)
        line.addWidget(caption(name))
        line.addWidget(self.now)
        line.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(line)
        layout.addWidget(self._plot, 1)
        self.restyle(look)

    @property
    def curve(self) -> Curve:
        """The curve of the first quantity."""
        return self.curves[0]

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._plot.restyle(look)
        for curve in self.curves:
            curve.set_pen(self._plot.pen(self._role, 2))
        self.here.set_pen(self._plot.pen("muted", 1))
        self._dots.set_look(self._plot.colour(self._role), look.px(6))

    def show_history(
        self, steps: NDArray[np.float64], values: NDArray[np.float64], length: int, here: int, now: str
    ) -> None:
        """Draw values (n,), or (n, h) of several heads, at steps (n,); the axis is as long as the whole training.

        ``here`` is the step on screen, and ``now`` what the quantity is there.
        """
        self.now.setText(now)
        columns = values[:, None] if values.ndim == 1 else values
        for place, curve in enumerate(self.curves):
            if place < columns.shape[1]:
                curve.set_data(steps, columns[:, place])
            else:
                curve.clear()
        few = columns.size <= _DOTS_UP_TO
        shown = columns if few else columns[:0]
        self._dots.set_data(np.repeat(steps[: len(shown)], columns.shape[1]), shown.reshape(-1))
        self.here.put(here)
        self._length, reach = max(length, 1), extent(columns)
        if reach is not None:
            self._reach = in_round_numbers(*reach)
        self._show_range()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._show_range)  # when the plot has its new size too

    @Slot()
    def _show_range(self) -> None:
        """Show all steps and values. The two ends have the ticks, with room for them: more would not fit in between."""
        air = self._plot.look.px(8) / max(self._plot.getViewBox().height(), 1.0)
        self._plot.show_range((0, self._length), self._reach, max(air, LEAST_AIR))
        if self._reach != self._ticked and self._reach is not None:
            self._ticked = self._reach
            self._plot.getAxis("left").setTicks([[(end, f"{end:.6g}") for end in dict.fromkeys(self._reach)]])
