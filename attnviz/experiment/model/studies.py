"""The study of the model lab: what every head is needed for."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.study import StudyOf, StudyResult


class HeadsInTurn(StudyOf):
    """The prediction with each head off in turn, beside the interventions of the spec.

    "Off" is what `ModelSpec.ablation` says.
    """

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

    @property
    def effect(self) -> NDArray[np.float64]:
        """(L, h), the probability that is lost with that head; of a model that predicts nothing, 1 - cosine."""
        lost = 1 - self.cosine if np.isnan(self.shown) else self.shown - self.probability
        return np.asarray(lost)
