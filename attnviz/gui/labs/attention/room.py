"""The attention lab's room, and the brush that paints the mask of its form."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.attention import painted
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.layers.statistics import HeadStatistics
from attnviz.experiment.view_settings import ViewSettings
from attnviz.gui.labs.attention.editors import EDITORS
from attnviz.gui.labs.attention.stage import AttentionStage
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.layers.inspector import LayerInspector
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.run.background import AT_ONCE, Background
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection


class MaskBrush:
    """Collects the cells of a stroke. Fast mouse moves skip cells, so the line between two positions is painted."""

    def __init__(self) -> None:
        self.strokes = 0
        """The number of strokes begun, which is the newest one's number."""
        self._cells: NDArray[np.bool_] = np.zeros((1, 1), bool)
        self._last: Cell | None = None

    def begin(self, mask: str, shape: tuple[int, int]) -> None:
        """Begin a stroke on a painted mask, for weights of ``shape`` (queries, keys)."""
        self.strokes += 1
        self._cells = painted.forbidden(mask, *shape)
        self._last = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape (queries, keys) of the weights that are painted."""
        return self._cells.shape

    def paint(self, cell: Cell, *, forbid: bool) -> str:
        """Move the brush to a cell and return the painted mask."""
        assert cell.column is not None
        last = self._last or cell
        assert last.column is not None
        steps = max(abs(cell.row - last.row), abs(cell.column - last.column)) + 1
        rows = np.rint(np.linspace(last.row, cell.row, steps)).astype(int)
        columns = np.rint(np.linspace(last.column, cell.column, steps)).astype(int)
        self._cells[rows, columns] = forbid
        self._last = cell
        return painted.write(self._cells)


class AttentionRoom(BaseRoom[AttentionTrace, AttentionViewSettings]):
    """All heads, one head large, and the selected row and cell; a brush paints the mask into the form."""

    lab_name = "attention"
    editors = EDITORS
    stage: AttentionStage
    inspector: LayerInspector

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._brush = MaskBrush()
        self._later = Background(self)
        self._later.done.connect(self._take_statistics)
        self.current_view.changed.connect(self.beside_changed)
        self.stage.tools.brush_changed.connect(self._take_brush)
        self.stage.pages.heads.stroke.connect(self._paint)
        self.inspector.of_layer.row.order.changed.connect(self.inspect)
        self.inspector.of_layer.heads_unfolded.connect(self.inspect)
        self.inspector.of_layer.heads.head_chosen.connect(self._choose_head)

    @override
    def make_stage(self, look: Look) -> AttentionStage:
        return AttentionStage(self.lab, look, self.selection, self.current_view)

    @override
    def make_inspector(self, look: Look) -> LayerInspector:
        return LayerInspector(look, "attention")

    @override
    def apply_view(self, settings: ViewSettings) -> None:
        self.stage.tools.brushes.press("")
        super().apply_view(settings)

    @override
    def show_choice(self, trace: AttentionTrace) -> None:
        item, chosen = self.stage.item, self.selection.current
        self.inspector.of_layer.show_selection(trace.layer, item, chosen, self.stage.weight_table, self.stage.compared)
        self._show_heads(trace, item)
        self.tell(self.inspector.of_layer.summary, self.stage.heatmap)

    def _show_heads(self, trace: AttentionTrace, item: int) -> None:
        """Fill the table of heads, if it is open and there are several; in another thread if that is slow."""
        if trace.num_heads == 1 or not self.inspector.of_layer.wants_statistics:
            return
        if trace.layer.knows_statistics(item) or trace.weights[item].size <= AT_ONCE:
            self._take_statistics((trace, item, trace.layer.statistics(item)))
        else:
            self._later.start(lambda: (trace, item, trace.layer.statistics(item)), instead=True)

    @Slot(object)
    def _take_statistics(self, found: tuple[AttentionTrace, int, HeadStatistics]) -> None:
        trace, item, statistics = found
        if trace is self.stage.trace and item == self.stage.item:
            self.inspector.of_layer.show_heads(statistics, self.selection.current.head)

    @Slot(int)
    def _choose_head(self, head: int) -> None:
        locked = self.selection.locked
        self.selection.lock(Selection(head, locked.query, locked.key))

    @Slot(str)
    def _take_brush(self, brush: str) -> None:
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
