"""The choice of how fast a training is shown."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.gui.forms.editor import ComboBox

PACES: tuple[float | None, ...] = (2, 10, 60, None)
"""Steps per second; None is no limit."""


class PaceBox(ComboBox):
    """A list of paces."""

    chosen = Signal(object)
    """Steps per second, None for no limit."""

    def __init__(self, first: float | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Pace of the training"))
        for pace in PACES:
            self.addItem(self.tr("full speed") if pace is None else self.tr("{0} steps/s").format(pace), pace)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToContents)
        self.setCurrentIndex(PACES.index(first))
        self.currentIndexChanged.connect(self._choose)

    @property
    def pace(self) -> float | None:
        """The chosen pace."""
        return PACES[self.currentIndex()]

    @Slot()
    def _choose(self) -> None:
        self.chosen.emit(self.pace)
