"""The scalars of the model lab: the measures of every head, and the prediction."""

from typing import Any

import numpy as np

from attnviz.definitions.text import Text, percent_said
from attnviz.experiment.model.overview import OVERVIEW
from attnviz.experiment.scalars import Scalar

_SCALARS = (
    *OVERVIEW.values(),
    Scalar(
        name="top_probability",
        title=Text("Top probability"),
        help=Text("Probability of the top prediction at the position shown; none where nothing is predicted"),
        of=lambda trace: np.nan if trace.prediction is None else trace.prediction.probabilities[0],
        number=percent_said,
    ),
    Scalar(
        name="output_cosine",
        title=Text("Output, cosine"),
        help=Text("Cosine of the last hidden states with and without the interventions, mean over the tokens"),
        of=lambda trace: np.nan if trace.effect is None else trace.effect.cosine,
    ),
)


def scalars_of(_spec: Any) -> tuple[Scalar, ...]:
    """Return the scalars of a trace of a spec."""
    return _SCALARS
