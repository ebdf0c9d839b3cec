"""The scalars of the model lab: the numbers of every head, and what the model predicts."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text, percent_said
from attnviz.experiment.model.overview import OVERVIEW
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.scalars import Scalar


def _of_heads(name: str, trace: ModelTrace) -> NDArray[np.float64]:
    return trace.overview.of(name)


_HEADS = tuple(
    Scalar(
        name=each.name,
        title=Text(each.title),
        help=Text(each.help),
        of=partial(_of_heads, each.name),
        per_head=True,
        summary="largest" if each.kind == "role" else "mean",
        number=each.number,
    )
    for each in OVERVIEW.values()
)
_SCALARS = (
    *_HEADS,
    Scalar(
        name="top_probability",
        title=Text("Top probability"),
        help=Text("Of the most probable token at the place that is shown; there is none where nothing is predicted"),
        of=lambda trace: np.nan if trace.prediction is None else trace.prediction.probabilities[0],
        number=percent_said,
    ),
    Scalar(
        name="output_cosine",
        title=Text("Output, cosine"),
        help=Text("Of the last hidden states with and without the interventions, the mean over the tokens"),
        of=lambda trace: np.nan if trace.effect is None else trace.effect.cosine,
    ),
)


def scalars_of(_spec: Any) -> tuple[Scalar, ...]:
    """Return the scalars of a trace of a spec."""
    return _SCALARS
