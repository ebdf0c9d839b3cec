"""The editor of the number of new tokens, with the memory that they take."""

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.text import Text, bytes_said
from attnviz.experiment.model.trace import ModelTrace
from attnviz.gui.forms.number_editors import IntEdit
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import translate


class NewTokensEdit(IntEdit):
    """Edits the number of new tokens; shows the most memory that these and the text on screen take."""

    def __init__(self, low: float, high: float, slider: tuple[int, int] | None, visited: tuple[int, ...] = ()) -> None:
        super().__init__(low, high, slider, visited)
        self._most = int(slider[1] if slider else high)
        self._trace: ModelTrace | None = None
        self._written = 0
        self.memory = caption(wraps=True, plain=True)
        self.below = QWidget()
        column_of(self.below, self.memory)
        self.edited.connect(self._say)
        self._say()

    def show_memory(self, trace: ModelTrace, written: int) -> None:
        """Tell the memory for the model of a trace after ``written`` tokens."""
        self._trace, self._written = trace, written
        self._say()

    @override
    def set_value(self, value: Any) -> None:
        super().set_value(value)
        self._say()

    @Slot()
    def _say(self) -> None:
        trace, count = self._trace, self.value() or self._most
        said = ""
        if trace is not None and trace.model.head == "next" and count > 0:
            size = bytes_said(trace.model.memory.of(self._written, count))
            words = {"count": count, "size": size}
            said = translate(
                Text(
                    "{count} new tokens take up to {size} beside the model.",
                    words,
                    "1 new token takes up to {size} beside the model.",
                )
            )
        self.memory.setText(said)
        assert self.below is not None
        self.below.setVisible(bool(said))
