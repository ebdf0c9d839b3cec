"""The study of the model lab: what every head is needed for."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text, number_said
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.study import StudyOf, StudyResult


class HeadsInTurn(StudyOf):
    """The prediction with each head off in turn, as `ModelSpec.ablation` says, beside the spec's interventions."""

    of: ModelSpec


@dataclass(frozen=True, eq=False)
class HeadsInTurnTrace(StudyResult):
    """What is lost with each head. Arrays are read-only; L layers, h heads.

    Many heads are run at once, so that the numbers may differ from those of a single run by some 1e-6.
    """

    spec: HeadsInTurn
    token: str
    """The most probable token with every head on; "" in a model that predicts nothing."""
    shown: float
    """Its probability; NaN where nothing is predicted."""
    probability: NDArray[np.float64]
    """(L, h), its probability without the head; NaN where nothing is predicted."""
    cosine: NDArray[np.float64]
    """(L, h), of the last hidden states with and without the head, the mean over the tokens."""

    @cached_property
    def effect(self) -> NDArray[np.float64]:
        """(L, h), the probability that is lost with that head; of a model that predicts nothing, 1 - cosine."""
        lost = 1 - self.cosine if np.isnan(self.shown) else self.shown - self.probability
        return np.asarray(lost)

    @property
    def title(self) -> Text:
        """What `effect` is."""
        return Text("1 − cosine of the output") if np.isnan(self.shown) else Text("probability lost")

    def number(self, lost: float) -> str:
        """Return a number of `effect` as it is shown: a probability in percent, with two figures of the largest."""
        if not math.isfinite(lost):
            return number_said(lost)
        return f"{lost:z.{self._digits + 2}f}" if np.isnan(self.shown) else f"{100 * lost:z.{self._digits}f} %"

    @cached_property
    def _digits(self) -> int:
        """The decimals of a hundredth."""
        largest = 100 * float(np.nanmax(np.abs(self.effect)))
        least = 1 if 99 <= largest < 100 else 0  # all of it is not lost
        return min(max(1 - math.floor(math.log10(largest)), least), 4) if largest else 0
