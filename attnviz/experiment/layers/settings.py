"""The part of a lab's view settings that determines which numbers of a layer are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from attnviz.definitions.stages import STAGES
from attnviz.definitions.stages.stage import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSettings:
    """The drawn stage and its options; derived from a lab's view settings."""

    stage: str = "weights"
    item: int = 0
    contrast: str = ""
    """The contrast of the colours of weights, a name in `CONTRASTS`; "" for none."""
    statistic: str = ""
    """The statistic noted beside each head; empty: none."""
    ranked: bool = False
    """Whether heads are sorted by that statistic."""
    extremes: bool = False
    """Whether the mean and the maximum of all heads are drawn too."""
    sums: bool = True
    """Whether the sum of each row of weights is beside it."""
    split: str = "q"
    """The one of q, k and v that is shown at stages that show one of them at a time, see `Stage.chooses`."""
    every_query: bool = False
    """Whether the lines of every query are strong, or only those of the chosen one."""

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
        """The contrast of the drawn stage; "" without."""
        return self.contrast if self.shows_weights else ""


def nearest_stage(stage: str, stages: Sequence[str]) -> str:
    """Return a stage if it is one of these; else the last of them before it, or the first."""
    if stage in stages:
        return stage
    order = list(STAGES)
    before = [name for name in order[: order.index(stage)] if name in stages]
    return before[-1] if before else stages[0]
