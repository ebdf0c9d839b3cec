"""A small button that says how the bars of a row are ordered."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QToolButton, QWidget


class BarOrder(QToolButton):
    """By weight, or (pressed) as the keys stand in the sequence."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tiny")
        self.setCheckable(True)
        self.setToolTip(self.tr("Bars by weight, or as the keys stand in the sequence"))
        self.toggled.connect(self._change)
        self._name()

    @property
    def by_weight(self) -> bool:
        """Whether the largest weights come first."""
        return not self.isChecked()

    @Slot()
    def _change(self) -> None:
        self._name()
        self.changed.emit()

    def _name(self) -> None:
        text = self.tr("by weight") if self.by_weight else self.tr("by position")
        self.setText(text)
        self.setAccessibleName(self.tr("Order of the bars: {0}").format(text))
