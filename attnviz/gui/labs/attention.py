"""The attention lab's room."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.experiment.labs import LABS
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.labs.attention_inspector import AttentionInspector
from attnviz.gui.labs.attention_stage import AttentionStage
from attnviz.gui.selection import SelectionModel
from attnviz.gui.theme import Look


class Room(QObject):
    """Form, stage and inspector of the attention lab, joined by one selection."""

    trains = False

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = SpecForm(LABS["attention"])
        self.selection = SelectionModel(self)
        self.stage = AttentionStage(look, self.selection)
        self.inspector: AttentionInspector = AttentionInspector(look)
        self.selection.changed.connect(self._follow_selection)
        self.stage.view_changed.connect(self._follow_selection)

    def show_trace(self, trace: AttentionTrace) -> None:
        """Draw a trace."""
        self.stage.show_trace(trace)
        self._follow_selection()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.stage.restyle(look)
        self.inspector.restyle(look)
        self._follow_selection()

    def release(self) -> None:
        """Let go of the locked cell."""
        self.selection.release()

    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
        self.stage.set_map(name)
        self._follow_selection()

    @Slot()
    def _follow_selection(self) -> None:
        trace = self.stage.trace
        if trace is not None:
            chosen = self.selection.current
            self.inspector.show_selection(trace, self.stage.item, chosen, self.stage.weight_table)
