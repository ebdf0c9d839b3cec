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

MakePage = Callable[[Look, SelectionModel], Page[Picture]]


class LayerPages(PageStack):
    """The stages of a layer, its weights as lines, two runs compared, and perhaps further pages of a lab."""

    def __init__(
        self,
        look: Look,
        selection: SelectionModel,
        further: Mapping[str, MakePage] | None = None,
        comparison: LayerComparison | None = None,
        parent: QWidget | None = None,
    ) -> None:
        self.stages = StagesPage(look, selection)
        self.compare: ComparePage[Any, Any] = ComparePage(look, selection, comparison or LayerComparison())
        others = {name: make(look, selection) for name, make in (further or {}).items()}
        lines = LinesPage(look, selection, lined)
        super().__init__({"stages": self.stages, "lines": lines, **others, "compare": self.compare}, parent)
        self.heads: HeadsView = self.stages.heads
        self.tensors: TensorPage = self.stages.tensors
        self.reshape: ReshapePage = self.stages.reshape
