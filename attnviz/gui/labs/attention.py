"""The attention lab's room."""

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.labs.attention_inspector import AttentionInspector
from attnviz.gui.labs.attention_stage import AttentionStage
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.theme import Look


class Room(BaseRoom):
    """All heads, one head large, and the chosen row and cell."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__("attention", parent)
        self.stage = AttentionStage(look, self.selection)
        self.inspector = AttentionInspector(look)
        self.stage.view_changed.connect(self.inspect)

    @override
    def show_choice(self) -> None:
        chosen = self.selection.current
        self.inspector.show_selection(self.stage.trace, self.stage.item, chosen, self.stage.weight_table)
