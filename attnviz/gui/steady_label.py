"""A label whose words change with every frame."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel
from typing_extensions import override


class SteadyLabel(QLabel):
    """As wide as the widest of its texts so far.

    Qt lays the whole window out anew when a label's text changes, unless the label's size is fixed.
    """

    @override
    def setText(self, text: str) -> None:
        if text == self.text():
            return
        needed = self.fontMetrics().horizontalAdvance(text)
        if needed > self.maximumWidth() or self.minimumWidth() == 0:
            super().setText(text)
            self._fit()
        else:
            super().setText(text)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        self.setFixedSize(super().sizeHint())
