"""The study of the model lab: the effect of ablating each head."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text, number_said
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.study import StudyOf, StudyResult


class HeadsInTurn(StudyOf):
    """The prediction with each head ablated in turn, by `ModelSpec.ablation`, beside the spec's interventions."""

    of: ModelSpec
    continued: tuple[int, ...] = ()
    """The new tokens that the model reads after the text."""
    side: str = ""
    """The side of an encoder-decoder whose heads are ablated; "" for the encoder, or a model with one stack."""


@dataclass(frozen=True, eq=False)
class HeadsInTurnTrace(StudyResult):
    """The loss by ablating each head. Arrays are read-only; L layers, h heads.

    Many heads run as one batch, so the numbers may differ from those of a single run by some 1e-6.
    """

    spec: HeadsInTurn
    token: str
    """The most probable token with every head on; "" without a prediction."""
    shown: float
    """Its probability; NaN without a prediction."""
    probability: NDArray[np.float64]
    """(L, h), its probability without the head; NaN without a prediction."""
    cosine: NDArray[np.float64]
    """(L, h), of the last hidden states with and without the head, averaged over the tokens."""

    @cached_property
    def effect(self) -> NDArray[np.float64]:
        """(L, h), the probability lost without the head; for a model without a prediction, 1 - cosine."""
        lost = 1 - self.cosine if np.isnan(self.shown) else self.shown - self.probability
        return np.asarray(lost)

    @property
    def title(self) -> Text:
        """The title of `effect`."""
        return Text("1 − cosine of the output") if np.isnan(self.shown) else Text("probability lost")

    def number(self, lost: float) -> str:
        """Return a number of `effect` as text: a probability in percent, with two digits for the largest."""
        if not math.isfinite(lost):
            return number_said(lost)
        return f"{lost:z.{self._digits + 2}f}" if np.isnan(self.shown) else f"{100 * lost:z.{self._digits}f} %"

    @cached_property
    def _digits(self) -> int:
        """The number of decimals of a percentage."""
        largest = 100 * float(np.nanmax(np.abs(self.effect)))
        least = 1 if 99 <= largest < 100 else 0  # must not be rounded to 100 %
        return min(max(1 - math.floor(math.log10(largest)), least), 4) if largest else 0
