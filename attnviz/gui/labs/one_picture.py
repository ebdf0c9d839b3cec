"""The screen of a lab with one picture: the weights of its trace, and the numbers of the chosen cell beside it."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Slot
from typing_extensions import override

from attnviz.definitions.counting import numbers
from attnviz.experiment.colours import WEIGHT_SCALE, quantise
from attnviz.gui.labs.current_view import ViewT
from attnviz.gui.labs.lab_stage import LabStage, TraceT
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Matrix
from attnviz.gui.plots.page import ColourLine, Page, PageStack
from attnviz.gui.theme import Look
from attnviz.gui.widgets.inspector import Inspector, StepList
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import translate, weight_text


class OnePictureRoom(BaseRoom[TraceT, ViewT]):
    """A lab's room sets ``lab_name``, and reimplements what it shows differently."""

    stage: "OnePictureStage[TraceT, ViewT]"
    inspector: "CellInspector"

    @override
    def make_stage(self, look: Look) -> "OnePictureStage[TraceT, ViewT]":
        return OnePictureStage(self, look)

    @override
    def make_inspector(self, look: Look) -> "CellInspector":
        return CellInspector()

    @override
    def show_choice(self, trace: TraceT) -> None:
        chosen = self.selection.current
        there = chosen.query is not None and chosen.key is not None
        self.inspector.cell.show_steps(self.steps_of(trace, chosen.query or 0, chosen.key or 0) if there else ())

    def matrix_of(self, trace: TraceT) -> Matrix:
        """Return the picture of a trace: its weights (Q, K), with its tokens as labels where each key has one."""
        tokens, (rows, columns) = trace.tokens, trace.weights.shape
        levels = quantise(trace.weights, None, WEIGHT_SCALE.low, WEIGHT_SCALE.high)
        return Matrix(
            levels,
            trace.weights,
            None,
            tokens if len(tokens) == rows else numbers(rows),
            tokens if len(tokens) == columns else numbers(columns),
            trace.row_sums,
            translate(self.lab.title),
            translate("queries"),
            translate("keys"),
        )

    def formula_of(self, trace: TraceT) -> tuple[str, str]:
        """Return the formula above the picture in LaTeX, and as text for screen readers."""
        del trace
        return "A", "A"

    def steps_of(self, trace: TraceT, query: int, key: int) -> Sequence[tuple[str, str]]:
        """Return the names and numbers of a cell for the inspector, such as its computation step by step."""
        return ((translate("weight"), weight_text(float(trace.weights[query, key]), 4)),)


class OnePictureStage(LabStage[TraceT, ViewT]):
    """Its one page has the name of the default page in the view settings."""

    def __init__(self, room: OnePictureRoom[TraceT, ViewT], look: Look) -> None:
        super().__init__(room.lab, look, room.selection, room.current_view)
        self._room = room
        self.picture = _WeightsPage(self)
        self.heatmap = self.picture.heatmap
        self.pages = PageStack({room.view.page: self.picture})
        self.heatmap.hovered.connect(room.selection.hover_cell)
        self.heatmap.clicked.connect(room.selection.lock_cell)
        self.heatmap.painted.connect(self.painted)
        self.lay_out()

    @override
    def show_trace(self, trace: TraceT) -> None:
        self.trace = trace
        self._selection.fit(1, *trace.weights.shape)
        self.show_widgets()
        self.show_view()
        self.select()

    @override
    def show_view(self) -> None:
        if self.trace is not None:
            self.show_header(*self._room.formula_of(self.trace), f"(Q, K) = {self.trace.weights.shape}")
            self.picture.show_data(self._room.matrix_of(self.trace))
            self.show_colours(self.picture.colour_line())
            self.say()

    @override
    @Slot()
    def select(self) -> None:
        chosen = self._selection.current
        self.heatmap.select(chosen.cell)
        self.say()


class _WeightsPage(Page[Matrix]):
    def __init__(self, stage: OnePictureStage[Any, Any]) -> None:
        super().__init__(stage.look, stage._selection, stage.current_view)
        self._stage = stage
        self.heatmap = Heatmap(stage.look, translate("Weights"))
        column_of(self, self.heatmap, wide=(self.heatmap,))

    @override
    def show_data(self, data: Matrix) -> None:
        self.heatmap.show_matrix(data, self._stage.weight_table)

    @override
    def colour_line(self) -> ColourLine:
        return ColourLine(WEIGHT_SCALE, self._stage.weight_table, translate("weight"))


class CellInspector(Inspector):
    """The numbers of a cell."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = StepList()
        self.add_section(self.tr("Cell"), self.cell)
