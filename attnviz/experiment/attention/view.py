"""What of an attention trace is looked at: the stage, the batch item, and how its heads are drawn."""

from dataclasses import dataclass
from typing import Literal

from attnviz.experiment.attention.stages import CELL_STAGES, StageName

Page = Literal["stages", "policies", "compare"]


@dataclass(frozen=True, slots=True)
class AttentionView:
    """What is chosen above the picture. ``statistic`` names a field of `HeadStatistics`, or is empty."""

    stage: StageName = "weights"
    page: Page = "stages"
    item: int = 0
    contrast: bool = False
    statistic: str = "entropy"
    ranked: bool = False
    extremes: bool = False
    split: str = "q"
    """Which of q, k and v is split into heads at the stage of that name."""

    @property
    def drawn(self) -> StageName:
        """The stage whose tensors are drawn: weights on the page of policies, and where a page compares cells."""
        if self.page == "policies" or (self.page == "compare" and not self.shows_cells):
            return "weights"
        return self.stage

    @property
    def shows_cells(self) -> bool:
        """Whether the stage has one number for each query and key."""
        return self.stage in CELL_STAGES

    @property
    def shows_weights(self) -> bool:
        """Whether the stage lies behind the softmax."""
        return self.stage in ("weights", "dropped_weights")

    @property
    def per_head(self) -> bool:
        """Whether each head's colours reach to its own largest weight."""
        return self.contrast and self.shows_weights
