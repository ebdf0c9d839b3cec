"""The view settings of the attention lab."""

from typing import Annotated, Literal, Self

from typing_extensions import override

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.registry import Registry
from attnviz.definitions.stages import STAGES, stages_of
from attnviz.definitions.stages.stage import Stage
from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.knob import OneOf
from attnviz.experiment.view_settings import PageName, Picture, Place, ViewSettings

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
    stage: Annotated[str, OneOf(STAGES)] = "weights"
    page: Annotated[str, OneOf(PAGES)] = "stages"
    item: Place = 0
    contrast: bool = False
    """Whether the colours of weights are stretched."""
    contrast_by: Annotated[str, OneOf(CONTRASTS)] = "head"
    """How they are, if so."""
    statistic: Annotated[str, OneOf(STATISTICS, or_empty=True)] = "entropy"
    """The statistic noted beside each head; empty: none."""
    ranked: bool = False
    """Whether heads are sorted by that statistic."""
    extremes: bool = False
    sums: bool = True
    """Whether the sum of each row of weights is beside it."""
    split: Literal["q", "k", "v"] = "q"
    """Which of q, k and v the stage of that name splits into heads."""

    @property
    @override
    def drawn(self) -> str:
        """The stage whose tensors are drawn: weights on the policies page, and where a page compares cells."""
        if self.page == "policies" or (self.page == "compare" and not self.shows_cells):
            return "weights"
        return self.stage

    @property
    def record(self) -> Stage:
        """The record of the stage."""
        return STAGES[self.stage]

    @property
    def shows_cells(self) -> bool:
        """Whether the stage has one number for each query and key."""
        return self.record.cells is not None

    @property
    def shows_weights(self) -> bool:
        """Whether the stage comes after the softmax."""
        cells = self.record.cells
        return cells is not None and cells.weights

    @property
    def shows_statistics(self) -> bool:
        """Whether the statistics of heads are about the numbers of the stage."""
        cells = self.record.cells
        return cells is not None and cells.statistics

    @property
    def contrast_drawn(self) -> str:
        """The contrast in which the stage is drawn, by its name in `CONTRASTS`; "" without."""
        return self.contrast_by if self.contrast and self.shows_weights else ""

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

    @property
    @override
    def stretched_by(self) -> str:
        return self.contrast_by

    @override
    def with_picture(self, picture: Picture) -> Self:
        shown = super().with_picture(picture)
        return shown.model_copy(
            update={
                "page": "stages",
                "item": picture.item,
                "contrast": picture.contrast,
                "contrast_by": picture.contrast_by,
            }
        )

    def within(self, trace: AttentionTrace) -> Self:
        """Return the settings adapted to a trace: an earlier stage, the last item, no policies for given weights.

        Head, query and key are unchanged; `SelectionModel.fit` adapts them.
        """
        stages = stages_of(trace.spec)
        stage = self.stage
        if stage not in stages:
            order = list(STAGES)
            before = [name for name in order[: order.index(stage)] if name in stages]
            stage = before[-1] if before else stages[0]
        page = "stages" if self.page == "policies" and trace.is_given else self.page
        changes = {"stage": stage, "page": page, "item": min(self.item, trace.items - 1)}
        same = all(getattr(self, name) == value for name, value in changes.items())
        return self if same else self.model_copy(update=changes)
