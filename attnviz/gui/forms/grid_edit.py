"""The editor of the grid of queries."""

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from attnviz.experiment.regression.data import Grid
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.number_editors import FloatEdit
from attnviz.gui.widgets.words import translate


class GridEdit(Editor):
    """Start, stop and step of the queries, side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self._boxes: dict[str, FloatEdit] = {}
        for name, low in (("start", -1e6), ("stop", -1e6), ("step", 1e-6)):
            box = FloatEdit(low, 1e6, None)
            title = translate(Grid.model_fields[name].title or name)
            box.setToolTip(title)
            box.set_name(title)
            box.setMinimumWidth(30)
            box.edited.connect(self.edited)
            self._boxes[name] = box
            layout.addWidget(box, 1)

    @override
    def value(self) -> Any:
        return {name: box.value() for name, box in self._boxes.items()}

    @override
    def set_value(self, value: Any) -> None:
        for name, box in self._boxes.items():
            box.set_value(getattr(value, name))

    @override
    def repair(self, place: tuple[str, ...], value: float) -> None:
        self._boxes[place[-1]].set_value(value)
