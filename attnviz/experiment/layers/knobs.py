"""The options of a layer that no attention spec describes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.mechanisms.mechanism import Mechanism


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Knobs:
    """The attributes of a layer that records of mechanisms, stages and steps read.

    An attention spec has the same attributes, among others.
    """

    mechanism: str
    num_heads: int
    scaled: bool = True
    """Whether scores are divided by the square root of the number of a query's features."""
    temperature: float = 1.0
    dropout_acts: bool = False
    score_steps: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """The options of each further score step, by name."""
    divisor: float | None = None
    """The divisor of the scores, if not the square root of the number of a query's features."""
    score_bias: NDArray[np.floating] | None = None
    """(h or 1, Q, K), added to the scores of each head, or of all."""
    cooling: float | None = None
    """A temperature that divides the scores after every other step."""
    sinks: NDArray[np.floating] | None = None
    """(h,), the logit of one additional key of each head, which is dropped after the softmax."""

    @property
    def mechanism_record(self) -> Mechanism:
        """The record of the mechanism."""
        return MECHANISMS[self.mechanism]

    @property
    def is_given(self) -> bool:
        """Whether nothing but the weights is known."""
        return self.mechanism_record.is_given
