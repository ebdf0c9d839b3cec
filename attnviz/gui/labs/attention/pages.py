"""The pages of the attention lab."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from attnviz.gui.labs.attention.comparison import AttentionComparison
from attnviz.gui.labs.attention.policies_page import PoliciesPage
from attnviz.gui.labs.compare_page import ComparePage
from attnviz.gui.labs.lab_stage import Page, PageStack
from attnviz.gui.layers.heads_view import HeadsView, Picture
from attnviz.gui.layers.stages_page import ReshapePage, StagesPage
from attnviz.gui.plots.tensors.tensor_page import TensorPage
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel

PAGES: dict[str, Callable[[Look, SelectionModel], Page[Picture]]] = {
    "stages": StagesPage,
    "policies": PoliciesPage,
    "compare": lambda look, selection: ComparePage(look, selection, AttentionComparison()),
}
"""The widget class of each page; the titles are in the registry of pages beside the view settings."""


class AttentionPages(PageStack):
    """All pages of the lab."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__({name: make(look, selection) for name, make in PAGES.items()}, parent)
        self.stages = self.page_of(StagesPage)
        self.policies = self.page_of(PoliciesPage)
        self.compare = self.page_of(ComparePage)
        self.heads: HeadsView = self.stages.heads
        self.tensors: TensorPage = self.stages.tensors
        self.reshape: ReshapePage = self.stages.reshape
