"""The scalars of the model lab: the measures of every head, and the prediction."""

from typing import Any

import numpy as np

from attnviz.definitions.text import Text, percent_said
from attnviz.experiment.model.overview import OVERVIEW
from attnviz.experiment.scalars import Scalar, TextColumn

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
_NEW_TOKENS = Scalar(
    name="new_tokens",
    title=Text("New tokens"),
    help=Text("The number of tokens that the model continued the text with"),
    of=lambda trace: 0 if trace.generated is None else len(trace.generated.ids),
)
_GENERATED_TEXT = TextColumn(
    name="generated_text",
    title=Text("Generated text"),
    help=Text("The text of the tokens that the model continued with"),
    of=lambda trace: "" if trace.generated is None else trace.generated.text,
)


def scalars_of(spec: Any) -> tuple[Scalar, ...]:
    """Return the scalars of a trace of a spec."""
    return (*_SCALARS, _NEW_TOKENS) if spec.generate else _SCALARS


def text_columns_of(spec: Any) -> tuple[TextColumn, ...]:
    """Return the texts about a trace of a spec."""
    return (_GENERATED_TEXT,) if spec.generate else ()
