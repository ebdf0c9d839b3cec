"""The view of an attention trace: the page, the stage, the batch item, and how its heads are drawn."""

from typing import Annotated, Literal, Self

from typing_extensions import override

from attnviz.definitions.registry import Registry
from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.attention.stages import CELL_STAGES, TITLES, StageName, stages_of
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.knob import OneOf
from attnviz.experiment.pages import PageName
from attnviz.experiment.view_settings import Place, ViewSettings

PAGES: Registry[PageName] = Registry(
    "page",
    (
        PageName("stages", "Stages", "Every step of the mechanism"),
        PageName("policies", "Policies", "Rows with no valid key under each policy, side by side"),
        PageName("compare", "Compare", "Pin a run as A and compare later runs as B"),
    ),
)


class AttentionViewSettings(ViewSettings):
    """The view settings of the attention lab."""

    lab: Literal["attention"] = "attention"
    stage: StageName = "weights"
    page: Annotated[str, OneOf(PAGES)] = "stages"
    item: Place = 0
    contrast: bool = False
    statistic: Annotated[str, OneOf(STATISTICS, or_empty=True)] = "entropy"
    """The statistic noted beside each head; empty: none."""
    ranked: bool = False
    """Whether heads are sorted by that statistic."""
    extremes: bool = False
    split: Literal["q", "k", "v"] = "q"
    """Which of q, k and v the stage of that name splits into heads."""

    @property
    def drawn(self) -> StageName:
        """The stage whose tensors are drawn: weights on the policies page, and where a page compares cells."""
        if self.page == "policies" or (self.page == "compare" and not self.shows_cells):
            return "weights"
        return self.stage

    @property
    def shows_cells(self) -> bool:
        """Whether the stage has one number for each query and key."""
        return self.stage in CELL_STAGES

    @property
    def shows_weights(self) -> bool:
        """Whether the stage comes after the softmax."""
        return self.stage in ("weights", "dropped_weights")

    @property
    def per_head(self) -> bool:
        """Whether each head's colour scale ends at its own largest weight."""
        return self.contrast and self.shows_weights

    @property
    def content(self) -> "AttentionViewSettings":
        """The settings that decide which numbers are drawn: all but the selection and the colour map."""
        return self.model_copy(update={"colour_map": "viridis", "head": 0, "query": None, "key": None})

    @property
    @override
    def batch_item(self) -> int:
        return self.item

    @property
    @override
    def reaches_largest(self) -> bool:
        return self.contrast

    @override
    def with_picture(self, *, stage: str, colour_map: str, head: int | None, item: int, contrast: bool) -> Self:
        shown = super().with_picture(stage=stage, colour_map=colour_map, head=head, item=item, contrast=contrast)
        return shown.model_copy(update={"page": "stages", "item": item, "contrast": contrast})

    def within(self, trace: AttentionTrace) -> Self:
        """Return the settings adapted to a trace: an earlier stage, the last item, no policies for given weights.

        Head, query and key are unchanged; `SelectionModel.fit` adapts them.
        """
        stages = stages_of(trace.spec)
        stage = self.stage
        if stage not in stages:
            order = list(TITLES)
            before = [name for name in order[: order.index(stage)] if name in stages]
            stage = before[-1] if before else stages[0]
        page = "stages" if self.page == "policies" and trace.is_given else self.page
        changes = {"stage": stage, "page": page, "item": min(self.item, trace.items - 1)}
        same = all(getattr(self, name) == value for name, value in changes.items())
        return self if same else self.model_copy(update=changes)
