"""The training lab's room."""

from typing import cast

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.labs import Spec
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import PAGES, TrainViewSettings
from attnviz.gui.labs.attention.heads_page import cell_matrix
from attnviz.gui.labs.attention.inspector import AttentionInspector
from attnviz.gui.labs.lab_stage import ColourLine, LabStage, Page, PageStack
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.labs.train.hand import TrainingHand
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import column_of


class TrainPage(Page[TrainTrace]):
    """The chosen head."""

    def __init__(self, stage: "TrainStage", look: Look) -> None:
        super().__init__()
        self._stage = stage
        self.heatmap = Heatmap(look, "Weights")
        self.heatmap.painted.connect(self.painted)
        column_of(self, self.heatmap, wide=(self.heatmap,))

    @override
    def show_data(self, data: TrainTrace) -> None:
        view = self._stage.view
        layer = data.layers[view.layer]
        self.heatmap.show_matrix(cell_matrix(layer, "weights", 0, view.head, "weights"), self._stage.weight_table)

    @override
    def colour_line(self) -> ColourLine | None:
        return None

    @override
    def restyle(self, look: Look) -> None:
        self.heatmap.restyle(look)


class TrainStage(LabStage[TrainTrace, TrainViewSettings]):
    """Shows one trace of a training."""

    def __init__(self, room: "Room", look: Look) -> None:
        super().__init__(room.lab, look, room.selection, room.current_view, PAGES)
        self.train = TrainPage(self, look)
        self.pages = PageStack({name: self.train if name == "train" else TrainPage(self, look) for name in PAGES})
        self.train.heatmap.hovered.connect(room.selection.hover_cell)
        self.train.heatmap.clicked.connect(room.selection.lock_cell)
        self.train.painted.connect(self.painted)
        self.lay_out()

    @override
    def show_trace(self, trace: TrainTrace) -> None:
        self.trace = trace
        self.current_view.put(self.view.within(trace))
        self._selection.fit(*trace.weights.shape[1:])
        self.show_widgets()
        self.show_view()

    @Slot()
    @override
    def show_view(self) -> None:
        if self.trace is not None:
            self.show_header("A", "A", "")
            self.train.show_data(self.trace)
            self.say()

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.pages.restyle(look)
        self.show_view()

    @Slot()
    @override
    def select(self) -> None:
        chosen = self._selection.current
        self.train.heatmap.select(None if chosen.query is None else Cell(chosen.query, chosen.key))


class Room(BaseRoom[TrainTrace, TrainViewSettings]):
    """A training, every head, and what the model predicts."""

    lab_name = "train"
    trains = True
    stage: TrainStage
    inspector: AttentionInspector

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.hand = TrainingHand(self.form, self)
        self.hand.beginning_asked.connect(self.beginning_asked)

    @override
    def adapted(self, spec: Spec, changed: str) -> Spec:
        return self.hand.adapted(cast("TrainSpec", spec), changed, self.stage.trace)

    @override
    def make_stage(self, look: Look) -> TrainStage:
        return TrainStage(self, look)

    @override
    def make_inspector(self, look: Look) -> AttentionInspector:
        return AttentionInspector(look)

    @override
    def show_choice(self, trace: TrainTrace) -> None:
        layer = trace.layers[self.view.layer]
        self.inspector.show_selection(layer, 0, self.selection.current, self.stage.weight_table)
