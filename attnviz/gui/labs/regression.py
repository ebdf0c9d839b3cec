"""The kernel-regression lab's room."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from attnviz.experiment.labs import LABS
from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.labs.regression_inspector import RegressionInspector
from attnviz.gui.labs.regression_stage import RegressionStage
from attnviz.gui.selection import SelectionModel
from attnviz.gui.theme import Look


class Room(QObject):
    """Form, stage and inspector of the regression lab, joined by the chosen query."""

    trains = True

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = SpecForm(LABS["regression"])
        self.selection = SelectionModel(self)
        self.stage = RegressionStage(look, self.selection)
        self.inspector: RegressionInspector = RegressionInspector(look)
        self.selection.changed.connect(self._follow_selection)

    def show_trace(self, trace: RegressionTrace) -> None:
        """Draw a trace."""
        self.stage.show_trace(trace)
        self._follow_selection()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.stage.restyle(look)
        self.inspector.restyle(look)
        self._follow_selection()

    def release(self) -> None:
        """Let go of the locked key."""
        self.selection.release()

    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
        self.stage.set_map(name)
        self._follow_selection()

    @Slot()
    def _follow_selection(self) -> None:
        if self.stage.trace is not None:
            self.inspector.show_selection(self.stage.trace, self.selection.current, self.stage.table)
