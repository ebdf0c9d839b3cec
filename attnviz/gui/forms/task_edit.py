"""The editor of a training's task: which one, and its own knobs."""

from typing import Any

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.tasks import TASKS
from attnviz.gui.forms.editor import ChoiceEdit, Editor
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import translate


class TaskEdit(Editor):
    """A choice of the task."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = ChoiceEdit({task.name: translate(task.title) for task in TASKS.values()})
        self.kind.edited.connect(self.edited)
        column_of(self, self.kind, gap=4)

    @override
    def value(self) -> Any:
        return {"kind": self.kind.value()}

    @override
    def set_value(self, value: Any) -> None:
        self.kind.set_value(value.kind)
