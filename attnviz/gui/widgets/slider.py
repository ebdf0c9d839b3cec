"""A slider whose handle jumps to a press on its groove."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider
from typing_extensions import override


class Slider(QSlider):
    """A horizontal slider: a press moves the handle to the pointer, and a drag continues from there.

    Qt's own moves by pages instead.
    """

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._take_handle_to(event.position().x())
        super().mousePressEvent(event)

    def _take_handle_to(self, x: float) -> None:
        """Move the handle to a position, unless it is there."""
        option, control = QStyleOptionSlider(), QStyle.ComplexControl.CC_Slider
        self.initStyleOption(option)
        parts = QStyle.SubControl.SC_SliderGroove, QStyle.SubControl.SC_SliderHandle
        groove, handle = (self.style().subControlRect(control, option, part, self) for part in parts)
        if not handle.left() <= x <= handle.right():
            at = round(x - groove.left() - handle.width() / 2)
            self.setSliderDown(True)  # listeners see that the mouse holds the handle
            self.setValue(
                QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), at, groove.width() - handle.width())
            )
