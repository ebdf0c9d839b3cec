"""How a run was looked at: what a saved session remembers beside its spec. Nothing here changes a number."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from attnviz.experiment.attention.stages import StageName
from attnviz.experiment.colours.maps import MapName
from attnviz.experiment.knob import Whole

AttentionPage = Literal["stages", "policies", "compare"]
RegressionPage = Literal["fit", "kernels", "errors"]
RegressionStageName = Literal["differences", "kernel", "weights", "pooling"]
Statistic = Literal["", "entropy", "diagonal", "previous", "first", "distance", "sum_error"]

_Place = Annotated[Whole, Field(ge=0, le=2**31 - 1)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    colour_map: MapName = "viridis"
    head: _Place = 0
    query: _Place | None = None
    key: _Place | None = None


class AttentionViewSettings(_Settings):
    """What was chosen around the picture of the attention lab."""

    lab: Literal["attention"] = "attention"
    stage: StageName = "weights"
    page: AttentionPage = "stages"
    item: _Place = 0
    contrast: bool = False
    statistic: Statistic = "entropy"
    ranked: bool = False
    extremes: bool = False
    split: Literal["q", "k", "v"] = "q"


class RegressionViewSettings(_Settings):
    """What was chosen around the picture of the regression lab."""

    lab: Literal["regression"] = "regression"
    stage: RegressionStageName = "weights"
    page: RegressionPage = "fit"
    full_contrast: bool = True
    step: _Place | None = None
    """The step of a training that was looked at; None is the last."""
