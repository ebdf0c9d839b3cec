"""A slider whose handle goes where its groove is pressed."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget
from typing_extensions import override


class Slider(QSlider):
    """A horizontal slider: a press takes the handle to the pointer, and a drag from there moves it on.

    Qt's own steps by pages, away from the hand.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._take_handle_to(event.position().x())
        super().mousePressEvent(event)

    def _take_handle_to(self, x: float) -> None:
        """Bring the handle under a place, unless it is there."""
        option, control = QStyleOptionSlider(), QStyle.ComplexControl.CC_Slider
        self.initStyleOption(option)
        parts = QStyle.SubControl.SC_SliderGroove, QStyle.SubControl.SC_SliderHandle
        groove, handle = (self.style().subControlRect(control, option, part, self) for part in parts)
        if not handle.left() <= x <= handle.right():
            at = round(x - groove.left() - handle.width() / 2)
            self.setSliderDown(True)  # what follows the value sees that the mouse holds it
            self.setValue(
                QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), at, groove.width() - handle.width())
            )
