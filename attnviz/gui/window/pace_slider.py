"""The slider beside Run for the pace of a training."""

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import SteadyLabel
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.slider import Slider

PACES: tuple[float | None, ...] = (2, 5, 10, 15, 30, 60, None)
"""Steps per second, from the slowest on; None is no limit."""
_WIDTH = 60
"""The width of the slider in pixels, at scale 1."""


class PaceSlider(QWidget):
    """A slider over `PACES`. Each lab keeps its own pace."""

    chosen = Signal(object)
    """The new pace, in steps per second; None for no limit."""

    def __init__(self) -> None:
        super().__init__()
        self._lab = ""
        self._paces: dict[str, float | None] = {}
        self.slider = Slider()
        self.slider.setAccessibleName(self.tr("Pace of the training"))
        self.slider.setRange(0, len(PACES) - 1)
        self.slider.setPageStep(1)
        self.label = SteadyLabel()
        self.label.setObjectName("caption")
        for pace in PACES:  # it takes the width of the widest
            self.label.setText(self._text_of(pace))
        self._row = row_of(self, self.slider, self.label, gap=6)
        self.slider.valueChanged.connect(self._choose)

    @property
    def pace(self) -> float | None:
        """The pace of the lab on screen."""
        return PACES[self.slider.value()]

    def show_lab(self, lab: str, first: float | None) -> None:
        """Show the pace chosen in a lab, or its default ``first``."""
        if lab == self._lab:
            return
        self._lab = lab
        with QSignalBlocker(self.slider):
            self.slider.setValue(PACES.index(self._paces.get(lab, first)))
        self._take()

    def take_over(self, other: "PaceSlider") -> None:
        """Take over the paces of another window."""
        self._paces = dict(other._paces)

    def restyle(self, look: Look) -> None:
        """Apply a type scale."""
        self.slider.setFixedWidth(look.px(_WIDTH))

    def write_out(self, on: bool) -> None:
        """Show the pace in words beside the slider."""
        self.label.setVisible(on)
        self._row.invalidate()  # now: Qt would tell the layouts around it later
        self.updateGeometry()

    @override
    def setToolTip(self, text: str) -> None:
        self.slider.setToolTip(text)
        self.label.setToolTip(text)

    @Slot()
    def _choose(self) -> None:
        self._paces[self._lab] = self.pace
        self._take()

    def _take(self) -> None:
        text = self._text_of(self.pace)
        self.label.setText(text)
        self.slider.setAccessibleDescription(text)
        self.setToolTip(self.tr("Run plays the training at this pace: {0}").format(text))
        self.chosen.emit(self.pace)

    def _text_of(self, pace: float | None) -> str:
        return self.tr("full speed") if pace is None else self.tr("{0} steps/s").format(f"{pace:g}")
