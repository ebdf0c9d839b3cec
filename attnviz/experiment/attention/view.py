"""The view settings of the attention lab."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field
from typing_extensions import override

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import Text
from attnviz.experiment.attention.mask_study import Convention, MaskStudy
from attnviz.experiment.attention.policies import policies_titled
from attnviz.experiment.attention.positions import knows_positions
from attnviz.experiment.fields.knob import OneOf, Whole
from attnviz.experiment.layers.view import COMPARE_PAGE, LINES_PAGE, STAGES_PAGE, LayerViewSettings
from attnviz.experiment.view_settings import LAB_FIGURE, Later, NoFigure, PageRecord, PageTable, Place

FUNCTIONS = "functions"
"""The page of the user's own functions."""
POSITIONS = "positions"
"""The page of positions."""
MOST_SHIFTED = 512
"""The most positions by which that page shifts a sentence."""
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
            POSITIONS,
            "Positions",
            "What positions do to a score: over distance, in pairs of features, and after a shift of the sentence",
            widget="attnviz.gui.labs.attention.positions_page:PositionsPage",
            figure="attnviz.export.figures.attention.positions:draw_positions",
            table=PageTable(
                "Table with a row for each distance", "attnviz.export.figures.attention.positions:position_rows"
            ),
            stage="weights",
            offered=knows_positions,
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
    pair: Annotated[Place, Later()] = 0
    """The pair of features drawn by the page of positions, counted from 0."""
    shift: Annotated[Whole, Field(ge=0, le=MOST_SHIFTED), Later()] = 0
    """By how many positions that page moves every token."""
    pages: ClassVar[Registry[PageRecord]] = PAGES

    @property
    @override
    def figure_settings(self) -> dict[str, Any]:
        if self.page != POSITIONS:
            return {}
        return {"cell": (self.head, self.query, self.key), "pair": self.pair, "shift": self.shift}

    @property
    @override
    def drawn(self) -> str:
        """The stage whose tensors are drawn: weights also beside the functions if the chosen one has no cells."""
        return "weights" if self.page == FUNCTIONS and not self.shows_cells else super().drawn
