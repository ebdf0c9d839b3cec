"""The centre of the attention lab: that of a layer, with the policies' page and a brush."""

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import PAGES, AttentionViewSettings
from attnviz.experiment.labs import Lab
from attnviz.gui.labs.attention.policies_page import PoliciesPage
from attnviz.gui.labs.lab_stage import CurrentView
from attnviz.gui.labs.layered.pages import MAKERS, LayerPages
from attnviz.gui.labs.layered.stage import LayerStage
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel


class AttentionStage(LayerStage[AttentionTrace, AttentionViewSettings]):
    """Given weights have no policies to compare and no mask to paint."""

    def __init__(
        self,
        lab: Lab,
        look: Look,
        selection: SelectionModel,
        current: CurrentView[AttentionViewSettings],
        parent: QWidget | None = None,
    ) -> None:
        pages = LayerPages(look, selection, {**MAKERS, "policies": PoliciesPage})
        super().__init__(lab, look, selection, current, pages, PAGES, parent)

    @override
    def show_trace(self, trace: AttentionTrace) -> None:
        self.paints = not trace.spec.is_given
        self.offer_page("policies", self.paints)
        super().show_trace(trace)
