"""The pages of the training lab."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from attnviz.gui.labs.train.compare_steps import CompareSteps
from attnviz.gui.labs.train.effect_page import EffectPage
from attnviz.gui.labs.train.layer_page import LayerPage, lined
from attnviz.gui.labs.train.learning_page import LearningPage
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.labs.train.train_page import TrainPage
from attnviz.gui.labs.train.write_page import WritePage
from attnviz.gui.layers.lines_page import LinesPage
from attnviz.gui.plots.page import Page, PageStack
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel

PAGES: dict[str, Callable[[Look, SelectionModel], Page[Shown]]] = {
    "train": TrainPage,
    "learning": LearningPage,
    "layer": LayerPage,
    "lines": lambda look, selection: LinesPage(look, selection, lined),
    "compare": CompareSteps,
    "effect": EffectPage,
    "write": WritePage,
}
"""The widget class of each page; the titles are in the registry of pages beside the view settings. A page of that
registry without a row here is not offered."""


class TrainPages(PageStack):
    """All pages of the lab."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__({name: make(look, selection) for name, make in PAGES.items()}, parent)
        self.train = self.page_of(TrainPage)
        self.learning = self.page_of(LearningPage)
        self.layer = self.page_of(LayerPage)
        self.compare = self.page_of(CompareSteps)
        self.effect = self.page_of(EffectPage)
        self.write = self.page_of(WritePage)
