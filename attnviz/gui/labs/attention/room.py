"""The attention lab's room."""

from typing import cast

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment import painted
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.view_settings import ViewSettings
from attnviz.gui.labs.attention.editors import EDITORS
from attnviz.gui.labs.attention.editors.painted_edit import PaintedEdit
from attnviz.gui.labs.attention.stage import AttentionStage
from attnviz.gui.labs.layered.brush import MaskBrush
from attnviz.gui.labs.layered.room import LayerRoom
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.theme import Look


class AttentionRoom(LayerRoom[AttentionTrace, AttentionViewSettings]):
    """All heads, one head large, and the selected row and cell; a brush paints the mask into the form."""

    lab_name = "attention"
    editors = EDITORS
    stage: AttentionStage

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._brush = MaskBrush()
        self.stage.tools.brush_changed.connect(self._take_brush)
        self._painted.brush_chosen.connect(self._choose_brush)
        self.stage.pages.heads.stroke.connect(self._paint)

    @override
    def make_stage(self, look: Look) -> AttentionStage:
        return AttentionStage(self.lab, look, self.selection, self.current_view)

    @override
    def apply_view(self, settings: ViewSettings) -> None:
        self.stage.tools.brushes.press("")
        super().apply_view(settings)

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
    def _take_brush(self, brush: str) -> None:
        self._painted.show_brush(brush)
        self.stage.pages.heads.set_brush(bool(brush))

    def _begin_stroke(self, trace: AttentionTrace) -> None:
        """Begin with the mask in the form; if it cannot be parsed, with the mask of the trace."""
        shape = trace.weights.shape[2], trace.weights.shape[3]
        try:
            self._brush.begin(painted.parse(self.form.editor("painted").value()), shape)
        except ValueError:
            self._brush.begin(trace.spec.painted, shape)

    @Slot(object, bool)
    def _paint(self, cell: Cell, begins: bool) -> None:
        """Paint a cell into the form's field, as if it had been typed there; a stroke is one undo step."""
        trace = self.stage.trace
        if trace is None:
            return
        if begins or self._brush.shape != trace.weights.shape[2:]:
            self._begin_stroke(trace)
        mask = self._brush.paint(cell, forbid=self.stage.tools.brush == "forbid")
        self.form.enter("painted", mask, stroke=self._brush.strokes)
