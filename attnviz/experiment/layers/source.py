"""The source of the layers in a picture, and a trace that has one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from attnviz.definitions.text import Text
from attnviz.experiment.bases import TraceBase
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.run import Cursor


@dataclass(frozen=True, eq=False)
class Layers:
    """The layers that have arrived; counted from 0.

    It never waits: a layer that has not arrived is None, and the picture requests it from the run by a cursor. All
    other questions are answered by the layer: its geometry, stages, rows, cells, reasons and statistics.
    """

    num_layers: int
    """The total number of layers."""
    held: Mapping[int, Layer]
    others: Mapping[int, Text] = field(default_factory=dict)
    """Descriptions of the layers without attention, which never arrive."""

    @classmethod
    def of(cls, layers: Sequence[Layer]) -> Self:
        """Return a source that holds all its layers."""
        return cls(len(layers), dict(enumerate(layers)))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The layers that have attention."""
        return tuple(number for number in range(self.num_layers) if number not in self.others)

    def nearest(self, number: int) -> int:
        """Return the nearest layer that has attention."""
        return min(self.numbers, key=lambda each: abs(each - number))

    def layer(self, number: int) -> Layer | None:
        """Return a layer; None if it has not arrived."""
        return self.held.get(number)


def of_layer(name: str) -> Any:
    """Return the property of a trace that is an attribute of its layer."""
    return property(lambda trace: getattr(trace.layer, name), doc=f"`Layer.{name}` of its layer.")


class LayerTrace(TraceBase):
    """A trace without training that has one of the layers; a lab's trace has fields for the missing properties."""

    if TYPE_CHECKING:  # fields of the lab

        @property
        def layer(self) -> Layer:
            """The layer."""

        @property
        def number(self) -> int:
            """The index of its layer, counted from 0."""

    weights, row_sums, num_heads, items = map(of_layer, ("weights", "row_sums", "num_heads", "items"))

    @property
    def layers(self) -> Layers:
        """The source of its layer."""
        return Layers(self.num_layers, {self.number: self.layer})

    @property
    def cursor(self) -> Cursor:
        """The cursor of its run, with its layer if there are several."""
        return Cursor(layer=self.number) if self.num_layers > 1 else Cursor()

    @property
    def step(self) -> int:
        """The number of training steps taken: 0."""
        return 0

    def prepare(self, watched: str = "") -> None:
        """Compute in the worker what the screen will need."""
        del watched
        self.layer.prepare()
