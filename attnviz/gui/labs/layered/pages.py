"""The pages of a lab whose traces have layers."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtWidgets import QWidget

from attnviz.gui.labs.compare_page import ComparePage
from attnviz.gui.labs.layered.comparison import LayerComparison
from attnviz.gui.layers.heads_view import HeadsView, Picture
from attnviz.gui.layers.lines_page import LinesPage, lined
from attnviz.gui.layers.stages_page import ReshapePage, StagesPage
from attnviz.gui.plots.page import Page, PageStack
from attnviz.gui.plots.tensors.tensor_page import TensorPage
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel

MakePage = Callable[[Look, SelectionModel], Page[Any]]
MAKERS: Mapping[str, MakePage] = {
    "stages": StagesPage,
    "lines": lambda look, selection: LinesPage(look, selection, lined),
    "compare": lambda look, selection: ComparePage(look, selection, LayerComparison[Picture]()),
}
"""The makers of the pages; a lab adds its own, or replaces some."""


class LayerPages(PageStack):
    """Among the pages of a lab: the stages of a layer, and two runs compared."""

    def __init__(
        self, look: Look, selection: SelectionModel, makers: Mapping[str, MakePage], parent: QWidget | None = None
    ) -> None:
        super().__init__({name: make(look, selection) for name, make in makers.items()}, parent)
        self.stages: StagesPage[Any] = self.page_of(StagesPage)
        self.compare: ComparePage[Any, Any] = self.page_of(ComparePage)
        self.heads: HeadsView = self.stages.heads
        self.tensors: TensorPage = self.stages.tensors
        self.reshape: ReshapePage = self.stages.reshape
