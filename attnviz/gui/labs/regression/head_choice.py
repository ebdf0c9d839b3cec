"""The choice of the learned head that the matrix shows: one, or all averaged."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.forms.choice_editors import ComboBox


class HeadChoice(ComboBox):
    """A list of heads with their shares, visible only if several w are learned."""

    chosen = Signal(int)
    """The user wants to see another head, counted from 1; 0 is all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Head"))
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToContents)
        self.addItem(self.tr("all heads, averaged"))
        self.activated.connect(self._choose)
        self.hide()

    @property
    def needed(self) -> bool:
        """Whether there are several heads."""
        return self.count() > 2

    @override
    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible and self.needed)

    def show_trace(self, trace: RegressionTrace) -> None:
        """List the heads of a trace with their shares."""
        wanted = 1 + (trace.num_heads if trace.num_heads > 1 else 1)
        while self.count() > wanted:
            self.removeItem(self.count() - 1)
        while self.count() < wanted:
            self.addItem("")
        for head, share in enumerate(trace.shares):
            self.setItemText(head + 1, self.tr("head {0}: share {1}").format(head + 1, f"{share:.3f}"))

    @Slot(int)
    def _choose(self, head: int) -> None:
        self.chosen.emit(head)
