"""The pages of a lab whose traces have layers."""

from collections.abc import Mapping
from typing import Any

from attnviz.gui.labs.compare_page import ComparePage
from attnviz.gui.layers.heads_view import HeadsView
from attnviz.gui.layers.stages_page import ReshapePage, StagesPage
from attnviz.gui.plots.page import Page, PageStack
from attnviz.gui.plots.tensors.tensor_page import TensorPage


class LayerPages(PageStack):
    """Among the pages of a lab: the stages of a layer, and two runs compared."""

    def __init__(self, pages: Mapping[str, Page[Any]]) -> None:
        super().__init__(pages)
        self.stages: StagesPage[Any] = self.page_of(StagesPage)
        self.compare: ComparePage[Any] = self.page_of(ComparePage)
        self.heads: HeadsView = self.stages.heads
        self.tensors: TensorPage = self.stages.tensors
        self.reshape: ReshapePage = self.stages.reshape
