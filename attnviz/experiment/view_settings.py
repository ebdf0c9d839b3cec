"""How a trace is looked at: one frozen value, which the room of a lab holds and a session remembers.

Nothing in it changes a number of a run.
"""

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field

from attnviz.experiment.colours.maps import MapName
from attnviz.experiment.knob import Whole

Place = Annotated[Whole, Field(ge=0, le=2**31 - 1)]
"""A head, a batch item, a row, a column or a step, counted from 0."""


class ViewSettings(BaseModel):
    """What every lab's view settings have. A lab's own narrow ``lab``, ``stage`` and ``page``, and add fields.

    The JSON names are fixed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    colour_map: MapName = "viridis"
    head: Place = 0
    query: Place | None = None
    key: Place | None = None
    lab: str = ""
    stage: str = "weights"
    page: str = ""

    @property
    def batch_item(self) -> int:
        """The batch item that is looked at; 0 in a lab that has none."""
        return 0

    @property
    def reaches_largest(self) -> bool:
        """Whether the colours of weights reach to the largest weight instead of 1."""
        return False

    def with_picture(self, *, stage: str, colour_map: str, head: int | None, item: int, contrast: bool) -> Self:
        """Return the settings that show what a figure shows: its stage on the page of stages, its head and colours."""
        del item, contrast
        changes: dict[str, Any] = {"stage": stage, "colour_map": colour_map}
        return self.model_copy(update=changes if head is None else changes | {"head": head})
