"""The editors of a training's learning rate, first and later, and of the probe."""

from typing import Any

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QToolButton
from typing_extensions import override

from attnviz.experiment.train.branching import last_rate
from attnviz.experiment.train.spec import RateChange, TrainSpec
from attnviz.experiment.train.task import as_typed, words_of
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.number_editors import FloatEdit
from attnviz.gui.forms.text_editors import TextEdit
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.layouts import FlowLayout

_REST_MS = 600


class RateEdit(FloatEdit):
    """The learning rate at the end of the training. Until it is edited, its value is the first rate."""

    _first = _shown = _last = 0.0

    @override
    def value(self) -> float:
        typed = super().value()
        return self._first if typed == self._shown else typed

    @override
    def set_value(self, value: Any) -> None:
        self._first, self._shown = float(value), self._last
        super().set_value(self._last)

    @override
    def follow(self, spec: TrainSpec) -> None:
        self._last = last_rate(spec)


class ChangesEdit(Editor):
    """A button for each later learning rate, which removes it."""

    def __init__(self) -> None:
        super().__init__()
        self._changes: tuple[RateChange, ...] = ()
        self._chips: list[QToolButton] = []
        self._flow = FlowLayout(self, gap=6, line_gap=6)

    @override
    def value(self) -> tuple[RateChange, ...]:
        return self._changes

    @override
    def set_value(self, value: Any) -> None:
        self._changes = tuple(value)
        self._show()

    @Slot()
    def _remove(self) -> None:
        place = self._chips.index(self.sender())  # type: ignore[arg-type]
        self._changes = (*self._changes[:place], *self._changes[place + 1 :])
        self._show()
        self.edited.emit()

    def _show(self) -> None:
        while len(self._chips) < len(self._changes):
            chip = tiny_button("", self._remove, self.tr("Train without this change"))
            self._flow.addWidget(chip)
            self._chips.append(chip)
        for chip, change in zip(self._chips, self._changes, strict=False):
            said = self.tr("from step {0}: {1}").format(change.step, f"{change.learning_rate:g}")
            chip.setText(f"{said}  ×")
            chip.setAccessibleName(self.tr("Remove {0}").format(said))
        for place, chip in enumerate(self._chips):
            chip.setVisible(place < len(self._changes))


class ProbeEdit(TextEdit):
    """The probe, typed as words; one that no longer fits is replaced by the task's own.

    The model is kept, and reads the probe while it is typed. Errors are reported after a pause in typing.
    """

    fits_any = (None,)

    def __init__(self) -> None:
        self._spec = TrainSpec()
        super().__init__(self.tr("the task's own"))
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._tell)
        self._line.textEdited.connect(self._type)

    @override
    def value(self) -> Any:
        return self._words or None

    @override
    def text_of(self, value: Any) -> str:
        return as_typed(value or (), self._spec.task)

    @override
    def set_value(self, value: Any) -> None:
        if (value or ()) != self._words or not value:  # else it stays as it was typed
            super().set_value(value)
        else:
            self._counted = self._line.text()

    @override
    def follow(self, spec: TrainSpec) -> None:
        fitted = self._fits
        self._spec = spec
        if fitted and not self._fits:
            self.set_value(None)

    @Slot()
    def _type(self) -> None:
        """Use the typed probe as soon as the model can read it."""
        self._rest.start()
        if self._words and self._fits:
            self._finish()

    @Slot()
    def _tell(self) -> None:
        if not self._fits:
            self._finish()

    @property
    def _words(self) -> tuple[str, ...]:
        return words_of(self._line.text(), self._spec.alphabet)

    @property
    def _fits(self) -> bool:
        return len(self._words) <= self._spec.num_tokens and set(self._words) <= set(self._spec.alphabet)
