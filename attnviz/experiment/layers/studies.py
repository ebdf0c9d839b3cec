"""A layer of another run, for comparison."""

from dataclasses import dataclass
from typing import Any

from pydantic import Field

from attnviz.experiment.study import StudyOf, StudyResult


class LayerAt(StudyOf):
    """The trace of a spec's run at a layer, in a lab with one trace per layer."""

    layer: int = Field(ge=0)
    step: int | None = Field(default=None, ge=0)
    """None: the last."""
    side: str = ""
    """Of an encoder-decoder; "" for its encoder, or a model with one stack."""


@dataclass(frozen=True, eq=False)
class LayerAtTrace(StudyResult):
    """The result of the study."""

    spec: LayerAt
    trace: Any

    def prepare(self, watched: str = "") -> None:
        """Compute what the screen will need."""
        self.trace.prepare(watched)
