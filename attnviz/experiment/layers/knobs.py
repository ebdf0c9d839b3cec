"""The knobs of a layer that no attention spec describes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.mechanisms.mechanism import Mechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """What the records of mechanisms, stages and steps read of the layer that they act in.

    An attention spec has the same attributes, among others.
    """

    mechanism: str
    num_heads: int
    scaled: bool = True
    """Whether scores are divided by the root of the features of a query."""
    temperature: float = 1.0
    dropout_acts: bool = False
    score_steps: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """The knobs of each further step of the scores, by its name."""

    @property
    def mechanism_record(self) -> Mechanism:
        """The record of the mechanism."""
        return MECHANISMS[self.mechanism]

    @property
    def is_given(self) -> bool:
        """Whether nothing is known but the weights."""
        return self.mechanism_record.is_given
