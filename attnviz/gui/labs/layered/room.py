"""The room of a lab whose traces have layers."""

from typing import Any, ClassVar

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.labs import Spec
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.statistics import HeadStatistics
from attnviz.experiment.run import Failure
from attnviz.experiment.view_settings import ViewSettings
from attnviz.gui.labs.lab_stage import TraceT
from attnviz.gui.labs.layered.brush import MaskBrush
from attnviz.gui.labs.layered.stage import LayerStage, LayerViewT
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.layers.inspector import LayerInspector
from attnviz.gui.layers.words import mask_said
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.run.background import AT_ONCE, Background
from attnviz.gui.theme import Look


class LayerRoom(BaseRoom[TraceT, LayerViewT]):
    """All heads of a layer, one head large, and the selected row and cell; a brush paints the mask into the form.

    A lab's room sets ``lab_name``.
    """

    manual: ClassVar[str] = "attention"
    """The page of the manual that explains the inspector."""
    stage: LayerStage[TraceT, LayerViewT]
    inspector: LayerInspector

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._later = Background(self)
        self._later.done.connect(self._take_statistics)
        self._brush = MaskBrush()
        self.stage.tools.brush_changed.connect(self.take_brush)
        self.stage.pages.heads.stroke.connect(self._paint)
        self.current_view.changed.connect(self.beside_changed)
        self.stage.cursor_asked.connect(self.cursor_asked)
        self.inspector.of_layer.row.order.changed.connect(self.inspect)
        self.inspector.of_layer.heads_unfolded.connect(self.inspect)
        self.inspector.of_layer.heads.head_chosen.connect(self._choose_head)

    @override
    def make_stage(self, look: Look) -> LayerStage[TraceT, LayerViewT]:
        return LayerStage(self.lab, look, self.selection, self.current_view)

    @override
    def make_inspector(self, look: Look) -> LayerInspector:
        return LayerInspector(look, self.manual)

    @override
    def take_failure(self, failure: Failure[Spec]) -> None:
        trace = self.stage.trace
        # The run on screen was dropped for the one that failed: it provides no further layer.
        self.stage.fail(failure.text, over=trace is not None and trace.spec != failure.spec)

    @override
    def show_choice(self, trace: TraceT) -> None:
        layer, item, chosen = self.stage.layer, self.stage.item, self.selection.current
        self.inspector.of_layer.show_part(layer is not None)
        if layer is None:
            return
        table, compared = self.stage.weight_table, self.stage.compared
        name = self.stage.head_name(min(chosen.head, layer.num_heads - 1))
        self.inspector.of_layer.show_selection(layer, item, chosen, table, self.view.contrast_drawn, compared, name)
        self._show_heads(layer, item)
        self.tell(self.inspector.of_layer.summary, self.stage.heatmap)

    @override
    def apply_view(self, settings: ViewSettings) -> None:
        self.stage.tools.brushes.press("")
        super().apply_view(settings)

    # The brush, in a lab whose spec has a painted mask.

    def painted_mask(self, trace: TraceT) -> str:  # noqa: ARG002
        """Return the mask that a stroke on the chosen head begins with."""
        return ""

    def painted_value(self, mask: str) -> Any:
        """Return the value of the field ``painted`` when the chosen head has a mask; a lab may keep more in it."""
        return mask

    @Slot(str)
    def take_brush(self, brush: str) -> None:
        """Let the mouse paint with a brush; "" is the pointer."""
        self.stage.pages.heads.set_brush(bool(brush))

    @Slot(object, bool)
    def _paint(self, cell: Cell, begins: bool) -> None:
        """Paint a cell into the form's field, as if it had been typed there; a stroke is one undo step."""
        trace = self.stage.trace
        if trace is None:
            return
        queries, keys = trace.weights.shape[2:]
        if begins or self._brush.shape != (queries, keys):
            self._brush.begin(self.painted_mask(trace), (queries, keys))
        if self.stage.tools.brush == "allow" and not self._brush.has_painted(cell):
            self.stage.read_out.setText(self.unpainted_said(cell))
        mask = self._brush.paint(cell, forbid=self.stage.tools.brush == "forbid")
        self.form.enter("painted", self.painted_value(mask), stroke=self._brush.strokes)

    def unpainted_said(self, cell: Cell) -> str:
        """Return why a cell that the brush has not painted cannot be allowed again."""
        layer = self.stage.layer
        if layer is None or cell.column is None:
            return ""
        place = self.stage.item, min(self.selection.locked.head, layer.num_heads - 1), cell.row, cell.column
        if layer.mask[place]:
            return self.tr("This cell is allowed already.")
        return self.tr("The brush allows only what it has painted; this cell is {0}.").format(mask_said(layer, place))

    # The statistics of heads.

    def _show_heads(self, layer: Layer, item: int) -> None:
        """Fill the table of heads, if it is open and there are several; in another thread if that is slow."""
        if layer.num_heads == 1 or not self.inspector.of_layer.heads_fold.isExpanded():
            return
        if layer.knows_statistics(item) or layer.weights[item].size <= AT_ONCE:
            self._take_statistics((layer, item, layer.statistics(item)))
        else:
            self._later.start(lambda: (layer, item, layer.statistics(item)), instead=True)

    @Slot(object)
    def _take_statistics(self, found: tuple[Layer, int, HeadStatistics]) -> None:
        layer, item, statistics = found
        if layer is self.stage.layer and item == self.stage.item:
            self.inspector.of_layer.show_heads(statistics, self.selection.current.head)

    @Slot(int, int)
    def _choose_head(self, _layer: int, head: int) -> None:
        self.stage.choose_head(self.view.layer, head)
