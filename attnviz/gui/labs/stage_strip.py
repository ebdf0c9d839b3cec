"""The strip above the attention stage: which step of the mechanism is shown, and of which batch item."""

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QToolButton, QWidget

from attnviz.experiment.attention_trace import Stage
from attnviz.gui.forms.choice_editors import ComboBox


class StageStrip(QWidget):
    """One button per step, one of them pressed; a list of batch items where there are several."""

    changed = Signal()
    """Another step or item was chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step: Stage = "weights"
        self._buttons: dict[Stage, QToolButton] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        group = QButtonGroup(self)
        steps: tuple[tuple[Stage, str], ...] = (
            ("scores", self.tr("scores")),
            ("masked_scores", self.tr("mask")),
            ("weights", self.tr("weights")),
            ("dropped_weights", self.tr("dropout")),
        )
        for step, title in steps:
            button = QToolButton()
            button.setObjectName("stageStep")
            button.setText(title)
            button.setCheckable(True)
            button.setProperty("step", step)
            button.clicked.connect(self._choose_step)
            group.addButton(button)
            self._buttons[step] = button
            layout.addWidget(button)
        self._buttons["weights"].setChecked(True)
        layout.addStretch(1)
        self._label = QLabel(self.tr("Item"))
        self._label.setObjectName("caption")
        self._items = ComboBox()
        self._items.setAccessibleName(self.tr("Batch item"))
        self._items.setMinimumContentsLength(3)
        self._items.currentIndexChanged.connect(self.changed)
        layout.addWidget(self._label)
        layout.addWidget(self._items)
        self.offer(items=1, dropout=False)

    @property
    def item(self) -> int:
        """The chosen batch item."""
        return max(0, self._items.currentIndex())

    @property
    def shows_scores(self) -> bool:
        """Whether the step is before the softmax."""
        return self.step in ("scores", "masked_scores")

    def offer(self, *, items: int, dropout: bool) -> None:
        """Offer what a trace has; a choice that it has not falls back to the nearest."""
        if self._items.count() != items:
            chosen = min(self.item, items - 1)
            with QSignalBlocker(self._items):
                self._items.clear()
                self._items.addItems([str(item) for item in range(items)])
                self._items.setCurrentIndex(chosen)
        self._items.setVisible(items > 1)
        self._label.setVisible(items > 1)
        self._buttons["dropped_weights"].setVisible(dropout)
        if self.step == "dropped_weights" and not dropout:
            self.press("weights")

    def press(self, step: Stage) -> None:
        """Choose a step without saying so."""
        self.step = step
        self._buttons[step].setChecked(True)

    @Slot()
    def _choose_step(self) -> None:
        self.press(self.sender().property("step"))
        self.changed.emit()
