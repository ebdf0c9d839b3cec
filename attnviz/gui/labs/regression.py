"""The kernel-regression lab's room."""

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.labs.regression_inspector import RegressionInspector
from attnviz.gui.labs.regression_stage import RegressionStage
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.theme import Look


class Room(BaseRoom):
    """The fit, its weights, the history of a training, and the chosen query."""

    trains = True

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__("regression", parent)
        self.stage = RegressionStage(look, self.selection)
        self.inspector = RegressionInspector(look)
        self.inspector.order.changed.connect(self.inspect)

    @override
    def show_choice(self) -> None:
        self.inspector.show_selection(self.stage.trace, self.selection.current, self.stage.table)
