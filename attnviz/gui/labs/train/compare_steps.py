"""The compare page of a training: below A, B and B − A the steps of B, and every head of every layer."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.compare_page import ComparePage
from attnviz.gui.labs.train.comparison import TrainComparison
from attnviz.gui.labs.train.heads_map import HeadsMap
from attnviz.gui.labs.train.pointed_heads import PointedHeads
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.step_row import StepRow

_MAP_SHARE = 0.16
"""The least share of the page's height that the heads have."""


class CompareSteps(ComparePage[Shown, TrainTrace]):
    """Pointing at a head previews it in A, B and B − A; a click holds it. A stays while B is at another step."""

    looked = Signal(int)
    """The user wants to see this step as B."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(look, selection, TrainComparison(), parent)
        self._data: Shown | None = None
        self.heads = PointedHeads(selection, self)
        self.steps = StepRow()
        self.map = HeadsMap(look)
        below = self.layout()
        assert below is not None
        for part in (self.steps, self.map):
            below.addWidget(part)
        self.steps.looked.connect(self.looked)
        self.map.hovered.connect(self.heads.point)
        self.map.clicked.connect(self.heads.choose)

    @override
    def show_data(self, data: Shown) -> None:
        before, self._data = self._data, data
        self.heads.num_heads = data.trace.num_heads
        if before is None or _looks(before) != _looks(data):
            self._show_heads(data)
        super().show_data(data)
        self._share()

    @override
    def draw_results(self) -> None:
        super().draw_results()
        self._share()

    @override
    def select(self) -> None:
        super().select()
        data = self._data
        if data is not None:
            self.map.select(data.in_model(self._selection.current))

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.map.restyle(look)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _show_heads(self, data: Shown) -> None:
        trace = data.trace
        self.steps.show_step(trace.step, trace.known_steps, trace.spec.steps)
        self.map.with_pictures = self._of.shown(data, self._look).stage == "weights"  # the colour bar is of that stage
        self.map.show_trace(trace, data.view.contrast_drawn, data.weights)

    def _share(self) -> None:
        """Give the three pictures the height that they use in this width, and the heads what is left."""
        if self._data is None:
            return
        layers, spacing = len(self._data.trace.layers), 2 * self._look.px(6)
        height = self.height() - self.steps.sizeHint().height() - spacing
        share = 0 if self._look.present else _MAP_SHARE  # an audience needs the large pictures
        least = max(self.map.cells.least_height(layers), share * height)
        spare = max(least, height - self.pair.height_in(self.width()))
        self.map.setFixedHeight(max(1, round(min(spare, self.map.height_in(self.width(), spare, layers)))))


def _looks(data: Shown) -> tuple[object, ...]:
    """Return what decides how the heads are drawn, but for which one is large."""
    view = data.view
    return id(data.trace), view.contrast, view.contrast_by, view.drawn, id(data.weights)
