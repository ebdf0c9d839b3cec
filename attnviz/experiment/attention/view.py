"""The view settings of the attention lab."""

from typing import Annotated, Any, ClassVar, Literal, Self

from typing_extensions import override

from attnviz.definitions.registry import Registry
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.layers.view import COMPARE_PAGE, LINES_PAGE, STAGES_PAGE, LayerViewSettings
from attnviz.experiment.view_settings import PageName

PAGES: Registry[PageName] = Registry(
    "page",
    (
        STAGES_PAGE,
        LINES_PAGE,
        PageName("policies", "Empty rows", "Rows with no valid key (empty rows) under each policy, side by side"),
        COMPARE_PAGE,
    ),
)


class AttentionViewSettings(LayerViewSettings):
    """The view settings of the attention lab."""

    lab: Literal["attention"] = "attention"
    page: Annotated[str, OneOf(PAGES)] = "stages"
    of_weights: ClassVar[tuple[str, ...]] = ("lines", "policies")

    @override
    def within(self, trace: Any) -> Self:
        """Return the settings adapted to a trace, without policies for given weights."""
        adapted = super().within(trace)
        return adapted.changed(page="stages") if adapted.page == "policies" and trace.is_given else adapted
