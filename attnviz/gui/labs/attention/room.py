"""The attention lab's room."""

from typing import cast

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.fields import painted
from attnviz.gui.labs.attention.editors import EDITORS
from attnviz.gui.labs.attention.editors.painted_edit import PaintedEdit
from attnviz.gui.labs.layered.room import LayerRoom
from attnviz.gui.theme import Look


class AttentionRoom(LayerRoom[AttentionTrace, AttentionViewSettings]):
    """All heads, one head large, and the selected row and cell; a brush paints the mask into the form."""

    lab_name = "attention"
    editors = EDITORS

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._painted.brush_chosen.connect(self._choose_brush)

    @property
    def _painted(self) -> PaintedEdit:
        return cast("PaintedEdit", self.form.editor("painted"))

    @Slot(str)
    def _choose_brush(self, brush: str) -> None:
        """Take the brush of the form; show a picture that can be painted."""
        if brush and not (self.view.page == "stages" and self.view.shows_cells):
            self.current_view.propose(page="stages", stage="weights")
        self.stage.tools.brushes.press(brush)

    @Slot(str)
    @override
    def take_brush(self, brush: str) -> None:
        self._painted.show_brush(brush)
        super().take_brush(brush)

    @override
    def painted_mask(self, trace: AttentionTrace) -> str:
        """Return the mask in the form; if it cannot be parsed, that of the trace."""
        try:
            return painted.parse(self._painted.value())
        except ValueError:
            return trace.spec.painted
