"""Where the layers come from that a picture shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from attnviz.experiment.layers.layer import Layer


@dataclass(frozen=True, eq=False)
class Layers:
    """The layers that have come, of so many; counted from 0.

    It never waits: a layer that has not come is None, and the picture asks the run for it by a cursor. A layer answers
    all else: its geometry, its own stages, regions, rows, cells, reasons and statistics.
    """

    num_layers: int
    """How many layers there are, whether they have come or not."""
    held: Mapping[int, Layer]

    @classmethod
    def of(cls, layers: Sequence[Layer]) -> Self:
        """Return a source that holds all its layers."""
        return cls(len(layers), dict(enumerate(layers)))

    def layer(self, number: int) -> Layer | None:
        """Return a layer; None if it has not come."""
        return self.held.get(number)
