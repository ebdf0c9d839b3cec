"""The view settings of the attention lab."""

from typing import Annotated, ClassVar, Literal

from typing_extensions import override

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import Text
from attnviz.experiment.attention.mask_study import Convention, MaskStudy
from attnviz.experiment.attention.policies import policies_titled
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.layers.view import COMPARE_PAGE, LINES_PAGE, STAGES_PAGE, LayerViewSettings
from attnviz.experiment.view_settings import LAB_FIGURE, Later, NoFigure, PageRecord

FUNCTIONS = "functions"
"""The page of the user's own functions."""
PAGES: Registry[PageRecord] = Registry(
    "page",
    (
        STAGES_PAGE,
        LINES_PAGE,
        PageRecord(
            "policies",
            "Empty rows",
            "Rows with no valid key (empty rows) under each policy, side by side",
            widget="attnviz.gui.labs.attention.policies_page:PoliciesPage",
            figure=LAB_FIGURE,
            stage="weights",
            offered=lambda trace: not trace.is_given,
            runs=policies_titled,
        ),
        PageRecord(
            FUNCTIONS,
            "Functions",
            "Write a mask and a change of the scores yourself, as for FlexAttention, and see all heads follow",
            widget="attnviz.gui.labs.attention.functions_page:FunctionsPage",
            figure=LAB_FIGURE,
            offered=lambda trace: not trace.is_given,
        ),
        PageRecord(
            "mask",
            "Mask",
            "Each clause of the mask, what is unusual about it, and the blocks that a kernel can skip",
            widget="attnviz.gui.labs.attention.mask_page:MaskPage",
            figure=NoFigure("Its pictures are of masks; the weights are the figure of another page."),
            stage="weights",
            offered=lambda trace: not trace.is_given,
            runs=lambda spec: ((Text(), MaskStudy(of=spec)),),
        ),
        COMPARE_PAGE,
    ),
)


class AttentionViewSettings(LayerViewSettings):
    """The view settings of the attention lab."""

    lab: Literal["attention"] = "attention"
    page: Annotated[str, OneOf(PAGES)] = "stages"
    mask_convention: Annotated[Convention, Later()] = "allowed"
    """What the numbers of a mask mean on its page."""
    mask_blocks: Annotated[Literal["", "16", "32", "64", "128"], Later()] = ""
    """The side of the blocks that are drawn there; empty: none."""
    pages: ClassVar[Registry[PageRecord]] = PAGES

    @property
    @override
    def drawn(self) -> str:
        """The stage whose tensors are drawn: weights also beside the functions if the chosen one has no cells."""
        return "weights" if self.page == FUNCTIONS and not self.shows_cells else super().drawn
