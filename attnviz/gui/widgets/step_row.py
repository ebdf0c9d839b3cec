"""A slider over the steps of a training, and the current step as a number."""

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.gui.widgets.explained import explain
from attnviz.gui.widgets.labels import SteadyLabel, caption
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.slider import Slider


class StepRow(QWidget):
    """Shows the progress of a training; the user seeks another step, among those taken so far."""

    looked = Signal(int)
    """The user wants to see this step."""

    def __init__(self, parent: QWidget | None = None, *, title: str = "", name: str = "", about: str = "") -> None:
        """``title``, ``name`` and ``about`` describe steps that are not those of a training."""
        super().__init__(parent)
        self.slider = Slider()
        self.slider.setAccessibleName(name or self.tr("Step of the training"))
        self.slider.setAccessibleDescription(about or self.tr("Show an earlier step; Run continues from there"))
        self.steps = SteadyLabel()
        self.steps.setObjectName("number")
        self._known = self._shown = 0
        row_of(self, explain(caption(title or self.tr("step"))), self.slider, self.steps, gap=8, wide=(self.slider,))
        self.slider.valueChanged.connect(self.look)
        self.slider.sliderReleased.connect(self._follow)

    def show_step(self, step: int, known: int, last: int, *, first: int = 0) -> None:
        """Mark the step on screen among the steps taken so far and those of the whole training.

        ``first`` is the number on screen of step 0.
        """
        self._known, self._shown = known, step
        self.steps.setText(f"{step + first} / {last + first}")
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, last)
        if not self.slider.isSliderDown():  # not while the user drags it
            self._follow()

    @Slot(int)
    def look(self, step: int) -> None:
        """Seek a step, or the last one that was taken."""
        self.looked.emit(min(step, self._known))

    @Slot()
    def _follow(self) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._shown)
