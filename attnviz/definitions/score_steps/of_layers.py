"""Further score steps of layers from other models; they read the knobs of a layer.

Their amounts are numbers or arrays of such a layer, see `attnviz.experiment.layers.knobs`: a spec has none of them.
"""

from typing import Any

from attnviz.definitions.functions.formula import Functions
from attnviz.definitions.score_steps.step import Place, ScoreStep, StepStage


def _is_set(name: str) -> Any:
    return lambda knobs: getattr(knobs, name, None) is not None


def _bias(knobs: Any, place: Place, xp: Functions) -> Any:
    del xp
    bias = knobs.score_bias
    return bias[place.head if bias.shape[0] > 1 else 0, place.query, place.key]


SCALE = ScoreStep(
    name="scale",
    does="divide",
    acts=_is_set("divisor"),
    line="÷ {divisor:.4g}",
    amount=lambda knobs, place, xp: float(knobs.divisor),
    numbers=lambda knobs, place: {"divisor": knobs.divisor},
    latex="{divisor:.4g}",
    spoken=" over {divisor:.4g}",
)
"""A scale other than the square root of the number of a query's features."""
BIAS = ScoreStep(
    name="bias",
    does="add",
    acts=_is_set("score_bias"),
    line="+ bias",
    amount=_bias,
    numbers=lambda knobs, place: {},
    latex=r"+ \mathbf{{B}}_h",
    spoken=", plus the bias of the head",
)
"""A learned or fixed bias for each query and key, possibly per head: T5, ALiBi."""
COOLING = ScoreStep(
    name="cooling",
    does="change",
    acts=_is_set("cooling"),
    line="÷ temperature {temperature:g}",
    amount=lambda knobs, place, xp: float(knobs.cooling),
    apply=lambda scores, temperature, xp: scores / temperature,
    numbers=lambda knobs, place: {"temperature": knobs.cooling},
    latex=r"({scores}) / {temperature:g}",
    spoken=", all divided by the temperature {temperature:g}",
    stage=StepStage(
        name="cooled_scores",
        title="temperature",
        heading="scores over the temperature",
        number="divided score",
        of_cell="the temperature of {temperature} turns the score that {query} gives {key}, {before}, into {after}.",
        of_row="the temperature of {temperature} turns the largest of the {count} scores of {query}, {before} of "
        "{key}, into {after}.",
    ),
    copies=1,
)
"""A temperature that divides the scores after every other step, including bias and soft cap."""
SINKS = ScoreStep(
    name="sinks",
    does="share",
    acts=_is_set("sinks"),
    line="exp of the sink of the head, {logit:.4g}",
    amount=lambda knobs, place, xp: knobs.sinks[place.head],
    apply=lambda scores, logit, xp: xp["softmax"](xp["pad"](scores, logit))[..., :-1],
    numbers=lambda knobs, place: {"logit": float(knobs.sinks[place.head])},
    latex=r"\mathrm{{softmax}}([\,{scores},\ s_h\,])_{{\,:,\,1 \ldots L_k}}",
    spoken=", with a sink in each row, a learned one for each head, which is dropped",
    copies=2,
)
"""A learned sink for each head (OpenAI 2025, "gpt-oss")."""
