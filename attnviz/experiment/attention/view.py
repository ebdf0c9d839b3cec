"""The view settings of the attention lab."""

from typing import Annotated, ClassVar, Literal

from attnviz.definitions.registry import Registry
from attnviz.experiment.attention.policies import policies_titled
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.layers.view import COMPARE_PAGE, LINES_PAGE, STAGES_PAGE, LayerViewSettings
from attnviz.experiment.view_settings import LAB_FIGURE, PageRecord

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
        COMPARE_PAGE,
    ),
)


class AttentionViewSettings(LayerViewSettings):
    """The view settings of the attention lab."""

    lab: Literal["attention"] = "attention"
    page: Annotated[str, OneOf(PAGES)] = "stages"
    pages: ClassVar[Registry[PageRecord]] = PAGES
