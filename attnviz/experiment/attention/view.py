"""The view settings of the attention lab."""

from typing import Annotated, Literal, Self

from typing_extensions import override

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.registry import Registry
from attnviz.definitions.stages import STAGES
from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.knob import OneOf
from attnviz.experiment.layers.settings import LayerSettings, nearest_stage
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
    def shows_cells(self) -> bool:
        """Whether the stage has one number for each query and key."""
        return STAGES[self.stage].cells is not None

    @property
    def of_layer(self) -> LayerSettings:
        """The settings that decide which numbers of the layer are drawn."""
        return LayerSettings(
            stage=self.drawn,
            item=self.item,
            contrast=self.contrast_by if self.contrast else "",
            statistic=self.statistic,
            ranked=self.ranked,
            extremes=self.extremes,
            sums=self.sums,
            split=self.split,
        )

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
        stage = nearest_stage(self.stage, trace.layer.stage_names)
        page = "stages" if self.page == "policies" and trace.layer.is_given else self.page
        changes = {"stage": stage, "page": page, "item": min(self.item, trace.items - 1)}
        same = all(getattr(self, name) == value for name, value in changes.items())
        return self if same else self.model_copy(update=changes)
