"""A label whose words change with every frame."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override


class SteadyLabel(QLabel):
    """As large as the widest of its texts so far; it is to be aligned where it is laid out.

    Qt lays the whole window out anew when a label's text changes, unless the label has a fixed size.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._fit()

    @override
    def setText(self, text: str) -> None:
        super().setText(text)
        if self.fontMetrics().horizontalAdvance(text) > self.width():
            self._fit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        self.setMinimumSize(0, 0)  # which a label's hint would not fall below
        self.setFixedSize(super().sizeHint())
