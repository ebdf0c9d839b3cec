"""The formula of weights: what it says of the mask is what the module computes."""

import re
from typing import Any

import numpy as np
import pytest

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.score_steps import SCORE_STEPS
from attnviz.definitions.stages import STAGES
from attnviz.engine.run import run
from attnviz.experiment.labs import make_spec

EMPTY_ROW = {"valid_lens": (2, 0)}
MASKS: tuple[dict[str, Any], ...] = ({}, {"causal": True}, EMPTY_ROW, {**EMPTY_ROW, "window": 2, "causal": True})
COMPUTED = [mechanism for mechanism in MECHANISMS.values() if not mechanism.is_given]


def trace_of(mechanism: Any, **values: Any) -> Any:
    sizes = {"num_queries": 4, "num_kvpairs": 4, "num_hiddens": 8, "num_heads": 2, "seed": 3}
    fixed = {"causal": True} if mechanism.is_causal else {}
    return list(run(make_spec({"mechanism": mechanism.name, **sizes, "batch_size": 2, **values, **fixed})))[-1]


def steps_of(mechanism: Any) -> list[dict[str, Any]]:
    """Return no score step, each alone, and all of them."""
    steps = [step for step in SCORE_STEPS.values() if step.does != "weigh"]
    names = [step.name for step in steps if step.does != "vectors" or mechanism.features is None]
    return [{}, *({name: {}} for name in names), {name: {} for name in names}]


def softmax(scores: Any) -> Any:
    with np.errstate(invalid="ignore"):
        exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def computed(latex: str, layer: Any, logit: float | None) -> Any:
    """Return the weights that a formula with a mask says, from the scores before it."""
    scores = layer.unmasked_scores.astype(np.float64)
    if rf"\mathrm{{where}}(\mathbf{{M}},\ {scores_of(layer)},\ -10^6)" in latex:
        scores = np.where(layer.mask, scores, -1e6)
    elif re.search(re.escape(scores_of(layer)) + r" \+ (\\mathbf\{M\}|M)", latex):
        scores = scores + np.where(layer.mask, 0.0, -np.inf)
    if logit is None:
        return softmax(scores)
    return softmax(np.concatenate([scores, np.full_like(scores[..., :1], logit)], axis=-1))[..., :-1]


def scores_of(layer: Any) -> str:
    """Return what the stage before the mask says that the scores are."""
    before = [name for name in layer.stage_names if name not in ("project", "split", "norm", "rotate", "features")]
    latex, _ = STAGES[before[before.index("masked_scores") - 1]].formula(layer, "")
    return re.split(r" = | \\leftarrow ", latex, maxsplit=1)[1]


@pytest.mark.parametrize("policy", ["zero", "inf", "book"])
@pytest.mark.parametrize("mechanism", COMPUTED, ids=lambda mechanism: mechanism.name)
def test_that_the_formula_has_the_mask_that_acts(mechanism: Any, policy: str) -> None:
    for steps in steps_of(mechanism):
        logit = SCORE_STEPS["sink"].knobs[0].default if "sink" in steps else None
        for masks in MASKS:
            trace = trace_of(mechanism, mask_policy=policy, score_steps=steps, **masks)
            layer = trace.layer
            latex, spoken = STAGES["weights"].formula(layer, "")
            assert scores_of(layer) in latex
            assert bool(re.search(r"\bM\b", latex)) == ("the mask" in str(spoken)) == bool(layer.masks)
            wanted = layer.weights
            if policy == "zero":  # it sets the weights of an empty row, after the softmax
                wanted = np.where(layer.empty_rows[..., None] & (logit is None), np.nan, wanted)
            np.testing.assert_allclose(computed(latex, layer, logit), wanted, atol=1e-6)
