"""The steps of a score. Those of a mechanism are on its record; these act in every mechanism that computes scores.

To add one, write its record in a file here and add it below. Their order: first those that change queries and keys;
then the mechanism's divisors and biases; then the others, in registry order; then the mask and the softmax, or the
step in its place.
"""

import re
from collections.abc import Iterable
from typing import Any

from attnviz.definitions.registry import Registry
from attnviz.definitions.score_steps.of_layers import BIAS, COOLING, SCALE, SINKS
from attnviz.definitions.score_steps.own import SCORE_MOD
from attnviz.definitions.score_steps.query_key_norm import QUERY_KEY_NORM
from attnviz.definitions.score_steps.sigmoid import SIGMOID
from attnviz.definitions.score_steps.sink import SINK
from attnviz.definitions.score_steps.softcap import SOFTCAP
from attnviz.definitions.score_steps.sparsemax import SPARSEMAX
from attnviz.definitions.score_steps.step import Place, ScoreStep
from attnviz.definitions.text import Text, listed

SCORE_STEPS: Registry[ScoreStep] = Registry("score step", (QUERY_KEY_NORM, SOFTCAP, SINK, SIGMOID, SPARSEMAX))
"""The steps that ``score_steps`` of a spec sets, in the order in which they act."""
LAYER_STEPS: Registry[ScoreStep] = Registry("score step", (SCALE, BIAS, COOLING, SINKS, SCORE_MOD))
"""Further steps of layers: those of other models, and the user's own, which a run applies."""
_ORDER = {"vectors": 0, "divide": 1, "add": 2, "change": 3, "share": 4, "weigh": 4}


def acting(spec: Any) -> tuple[ScoreStep, ...]:
    """Return the active steps of an attention spec, in order."""
    return steps_of(spec.mechanism_record, spec)


def steps_of(mechanism: Any, knobs: Any) -> tuple[ScoreStep, ...]:
    """Return the active steps of a mechanism, including those common to all; ``knobs`` are those of a layer."""
    if mechanism.is_given:
        return ()
    steps = [step for step in (*mechanism.steps, *SCORE_STEPS.values(), *LAYER_STEPS.values()) if step.is_in(knobs)]
    return tuple(sorted(steps, key=lambda step: _ORDER[step.does]))


def weigher(steps: Iterable[ScoreStep]) -> ScoreStep | None:
    """Return the step that replaces the softmax; None for the softmax."""
    return next((step for step in steps if step.does == "weigh"), None)


def policy_acts(steps: Iterable[ScoreStep]) -> bool:
    """Return whether the policy decides about empty rows: with a sink, or a weight for each score alone, they are 0."""
    return not any(step.does == "share" or (step.weights and not step.weights.sums_to_one) for step in steps)


def primed(text: str, steps: Iterable[ScoreStep]) -> str:
    """Return a symbol or formula of queries and keys, each with a prime for every step that changes them."""
    primes = "′" * sum(step.does == "vectors" for step in steps)
    return re.sub(r"\\mathbf\{[QKqk]\}|\b[QKqk]\b", rf"\g<0>{primes}", text)


def scored_formula(layer: Any, last: str = "") -> tuple[str, Text]:
    """Return the expression that the scores of a layer equal, as one line of LaTeX and as spoken text.

    ``last`` is the name of the last step; "" is the last one that divides or adds.
    """
    record, place = layer.mechanism, Place(layer.q.shape[-1])
    steps = [step for step in layer.steps if step.does in ("vectors", "divide", "add")]
    if last:
        steps = list(layer.steps)[: [step.name for step in layer.steps].index(last) + 1]
    values = {step.name: step.values(layer.knobs, place) for step in steps}
    below = [step.latex.format(**values[step.name]) for step in reversed(steps) if step.does == "divide"]
    knobs = layer.mechanism_knobs
    latex = primed(record.latex.format(**knobs) if knobs else record.latex, steps)
    if below:
        divisor = r"\,".join(below)
        latex = rf"{latex} / {divisor}" if len(below) == 1 else rf"{latex} / ({divisor})"
    for step in steps:
        if step.does == "add":
            latex = f"{latex} {step.latex.format(**values[step.name])}"
        elif step.does not in ("vectors", "divide"):
            latex = step.latex.format(scores=latex, **values[step.name])
    parts = [Text(record.spoken, knobs), *(Text(step.spoken, values[step.name]) for step in steps)]
    return latex, listed(parts, "{first}{rest}")
