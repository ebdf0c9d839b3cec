"""The history of a training: loss and w over its steps, and a slider to show an earlier step."""

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.plots.curves.history_plot import HistoryPlot
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import SteadyLabel

_MOST_NAMED = 4


class TrainingHistory(QWidget):
    """Shows the history and the trace's step; emits the step that the user wants to see."""

    looked = Signal(int)
    """The step to show."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.loss = HistoryPlot(look, self.tr("loss (sum of squares)"), "accent")
        self.w = HistoryPlot(look, self.tr("w = 1/width"), "output")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("Step of the training"))
        self.slider.setToolTip(self.tr("Show an earlier step; Run continues from there"))
        self.steps = SteadyLabel()
        self.steps.setObjectName("number")
        self._known = self._shown = 0
        line = QHBoxLayout()
        caption = QLabel(self.tr("step"))
        caption.setObjectName("caption")
        line.addWidget(caption)
        line.addWidget(self.slider, 1)
        line.addWidget(self.steps)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.loss, 1)
        layout.addWidget(self.w, 1)
        layout.addLayout(line)
        self.slider.valueChanged.connect(self._look)
        self.slider.sliderReleased.connect(self._follow)
        self.loss.looked.connect(self._look)
        self.w.looked.connect(self._look)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.loss.restyle(look)
        self.w.restyle(look)

    def show_trace(self, trace: RegressionTrace) -> None:
        """Draw the whole history, and mark the trace's step."""
        epochs, self._known, self._shown = trace.spec.epochs, trace.known_steps, trace.step
        # The loss is that before a step, w that after it; w begins with its initial value.
        before = np.arange(self._known, dtype=np.float64)
        loss = f"{trace.loss[trace.step - 1]:.4g}" if trace.step else "-"
        self.loss.show_history(before, trace.loss, epochs, trace.step, loss)
        steps = np.arange(self._known + 1, dtype=np.float64)
        self.w.show_history(steps, trace.w_path, epochs, trace.step, self._in_words(trace.w_path[trace.step]))
        self.steps.setText(f"{trace.step} / {epochs}")
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, epochs)
        if not self.slider.isSliderDown():  # not while the user drags it
            self._follow()

    def _in_words(self, w: np.ndarray) -> str:
        """Return w (h,) of each head as text; of many heads, to keep it short, the least and greatest."""
        if len(w) > _MOST_NAMED:
            return self.tr("{0} to {1}").format(f"{w.min():.4g}", f"{w.max():.4g}")
        return ", ".join(f"{each:.4g}" for each in w)

    @Slot()
    def _follow(self) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._shown)

    @Slot(int)
    def _look(self, step: int) -> None:
        self.looked.emit(min(step, self._known))
