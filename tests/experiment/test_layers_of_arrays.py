"""Layers made of arrays, with steps and masks that a spec cannot set, against a softmax of one row at a time."""

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from attnviz.definitions.masks.of_layers import BY_HAND, HIDDEN, OF_MODEL
from attnviz.experiment.layers.arrays import layer_of_arrays
from attnviz.experiment.layers.cell import attention_cell, reasons_at
from attnviz.experiment.layers.layer import Layer

HEADS, TOKENS, SIZE = 2, 4, 6
RNG = np.random.default_rng(5)
Q, K = RNG.normal(size=(2, HEADS, TOKENS, SIZE)).astype(np.float32)
V = RNG.normal(size=(HEADS, TOKENS, 3)).astype(np.float32)
BIAS = RNG.normal(size=(HEADS, TOKENS, TOKENS)).astype(np.float32)
SINKS = np.array([0.5, -1.0], np.float32)
NAMES = tuple("abcd")

STEPS: dict[str, dict[str, Any]] = {
    "scale": {"scale": 0.125},
    "no scale": {"scale": 1.0},
    "bias of each head": {"bias": BIAS},
    "bias of all heads": {"bias": BIAS[:1]},
    "temperature after a cap": {"cooling": 2.5, "score_steps": {"softcap": {"cap": 0.7}}},
    "sinks": {"sinks": SINKS},
    "all": {"scale": 0.3, "bias": BIAS, "cooling": 0.5, "sinks": SINKS},
}


def weights_of(
    scale: float | None = None,
    bias: Any = None,
    cooling: float = 1.0,
    sinks: Any = None,
    score_steps: Any = None,
    mask: Any = None,
) -> NDArray[np.float64]:
    weights = np.zeros((HEADS, TOKENS, TOKENS))
    for head, query in np.ndindex(HEADS, TOKENS):
        row = K[head].astype(float) @ Q[head, query] * (SIZE**-0.5 if scale is None else scale)
        row = row if bias is None else row + bias[head % len(bias), query]
        cap = (score_steps or {}).get("softcap", {}).get("cap")
        row = (row if cap is None else cap * np.tanh(row / cap)) / cooling
        shares = np.exp(row) * (1 if mask is None else mask[query])
        weights[head, query] = shares / (shares.sum() + (0 if sinks is None else np.exp(sinks[head])))
    return weights


def layer_with(mask: Any = None, **steps: Any) -> Layer:
    weights = weights_of(**steps, mask=mask).astype(np.float32)
    allowed = np.broadcast_to(np.ones((TOKENS, TOKENS), bool) if mask is None else mask, (1, HEADS, TOKENS, TOKENS))
    return layer_of_arrays(weights[None], allowed, NAMES, NAMES, q=Q[None], k=K[None], v=V[None], **steps)


@pytest.mark.parametrize("steps", STEPS.values(), ids=list(STEPS))
def test_that_the_cell_of_a_layer_with_further_steps_leads_to_its_weight(steps: dict[str, Any]) -> None:
    layer = layer_with(**steps)
    assert not layer.note
    for head, query, key in np.ndindex(HEADS, TOKENS, TOKENS):
        cell = attention_cell(layer, 0, head, query, key)
        after = [*cell.steps, *cell.changes][-1].after if (*cell.steps, *cell.changes) else cell.terms.total
        assert after == pytest.approx(cell.masked_score, abs=1e-5)
        assert cell.quotient == pytest.approx(weights_of(**steps)[head, query, key], abs=1e-6)


def test_that_a_temperature_is_a_stage_of_its_own_whose_numbers_the_mask_takes() -> None:
    layer = layer_with(cooling=2.5)
    assert layer.stage_names == ("scores", "cooled_scores", "masked_scores", "weights", "heads", "merge")
    np.testing.assert_allclose(layer.changed_scores["cooled_scores"], layer.scores / 2.5, rtol=1e-6)
    assert layer.unmasked_scores is layer.changed_scores["cooled_scores"]


def test_that_arrays_which_lead_elsewhere_leave_the_stages_before_the_weights_out() -> None:
    layer = layer_of_arrays(
        weights_of().astype(np.float32)[None],
        np.ones((1, HEADS, TOKENS, TOKENS), bool),
        NAMES,
        NAMES,
        q=Q[None],
        k=K[None],
        bias=BIAS,
    )
    assert layer.stage_names == ("weights",)
    assert "differs from the given weights" in str(layer.note)


def test_that_pooled_values_which_an_intervention_made_are_those_of_the_layer() -> None:
    pooled = np.zeros((1, HEADS, TOKENS, 3), np.float32)
    ones = np.ones((1, HEADS, TOKENS, TOKENS), bool)
    weights = weights_of().astype(np.float32)[None]
    assert not layer_of_arrays(weights, ones, NAMES, NAMES, v=V[None], heads=pooled).heads.any()


def test_that_every_cell_which_a_hidden_key_or_a_painted_head_forbids_has_that_reason() -> None:
    painted = np.ones((HEADS, TOKENS, TOKENS), bool)
    painted[1, 2, 0] = False
    masks = ((HIDDEN, (3,)), (BY_HAND, painted), (OF_MODEL, np.tri(TOKENS, dtype=bool)[None]))
    said = {
        place: [reason.code for reason in reasons_at(masks, 0, *place)] for place in np.ndindex(HEADS, TOKENS, TOKENS)
    }
    assert said[0, 3, 3] == ["hidden"]
    assert said[1, 2, 0] == ["by_hand"]
    assert said[0, 2, 0] == []
    assert said[0, 0, 3] == ["hidden", "of_model"]


def test_that_a_layer_with_such_steps_and_masks_survives_a_pickle() -> None:
    layer = layer_with(mask=np.array([True, True, True, False])[None].repeat(TOKENS, 0), bias=BIAS)
    masked = layer_of_arrays(
        layer.weights, layer.mask, NAMES, NAMES, q=Q[None], k=K[None], bias=BIAS, masks=((HIDDEN, (3,)),)
    )
    again = pickle.loads(pickle.dumps(masked))
    assert again.masks == masked.masks
    assert attention_cell(again, 0, 1, 2, 1).quotient == attention_cell(masked, 0, 1, 2, 1).quotient
