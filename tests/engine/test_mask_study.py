"""The study of a mask: its clauses make the mask of the run; SDPA and a softmax in float64 agree with the weights."""

from typing import Any

import numpy as np
import pytest
from running import attention_trace

from attnviz.definitions.masks import MASKS
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.score_steps import SCORE_STEPS
from attnviz.engine.attention.mask_study import agreement_of
from attnviz.engine.run import run
from attnviz.experiment.attention.mask_study import MaskStudy, MaskTrace, clauses_of
from attnviz.experiment.labs import make_spec

SMALL = {
    "device": "cpu",
    "mechanism": "multi_head",
    "num_heads": 4,
    "num_hiddens": 16,
    "batch_size": 2,
    "num_queries": 8,
    "num_kvpairs": 8,
    "context_length": 8,
    "self_attention": True,
}


def study_of(**values: Any) -> MaskTrace:
    (found,) = run(MaskStudy(of=make_spec({**SMALL, **values})))
    assert isinstance(found, MaskTrace), found
    return found


@pytest.mark.parametrize("mechanism", [name for name in MECHANISMS if name != "given"])
@pytest.mark.parametrize("values", [{}, {"causal": True, "valid_lens": [0, 5], "mask_policy": "book"}], ids=str)
def test_that_sdpa_and_a_dense_softmax_agree_with_every_mechanism(mechanism: str, values: dict[str, Any]) -> None:
    values = {"causal": True, **values} if MECHANISMS[mechanism].is_causal else values
    found = study_of(mechanism=mechanism, **values).agreement
    assert found.with_sdpa is not None
    assert found.with_sdpa <= 1e-5
    assert found.with_dense <= 1e-5


@pytest.mark.parametrize("step", sorted(SCORE_STEPS))
def test_that_they_agree_with_every_step_that_has_a_form_there(step: str) -> None:
    found = study_of(score_steps={step: {}}, causal=True).agreement
    assert (found.with_sdpa is None) == (SCORE_STEPS[step].does not in ("vectors", "divide", "add", "change"))
    assert found.with_dense <= 1e-5
    assert (found.with_sdpa or 0) <= 1e-5


def test_that_keys_shared_by_heads_and_wide_numbers_agree() -> None:
    assert (study_of(num_kv_heads=2, causal=True).agreement.with_sdpa or 1) <= 1e-5
    double = study_of(dtype="float64", window=3).agreement
    assert (double.with_sdpa or 1) <= double.tolerance == 1e-10


def test_that_weights_which_are_not_a_softmax_of_the_scores_differ() -> None:
    layer = attention_trace(**SMALL, causal=True).layer
    wrong = layer.weights.copy()
    wrong[0, 0, 3, :2] = wrong[0, 0, 3, 1::-1]
    object.__setattr__(layer, "weights", wrong)
    found = agreement_of(layer)
    assert min(found.with_dense, found.with_sdpa or 0) > found.tolerance


@pytest.mark.parametrize("name", sorted(MASKS))
def test_that_the_clauses_of_each_mask_and_causal_make_the_mask_of_the_run(name: str) -> None:
    mask = MASKS[name]
    values = {mask.field: mask.example} if mask.field else {"masks": {name: {}}}
    layer = attention_trace(**SMALL | {"causal": True} | values).layer
    whole, parts = clauses_of(layer)
    np.testing.assert_array_equal(np.broadcast_to(whole.allowed, layer.mask.shape), layer.mask)
    assert len(parts) == (0 if name == "causal" else 2)
    assert whole.allowed.shape[:2] == (2 if mask.per_item else 1, 4 if mask.per_head else 1)


def test_that_no_mask_allows_everything() -> None:
    found = study_of()
    assert found.whole.allowed.all()
    assert [finding.kind for finding in found.findings] == ["none_masked"]
    assert found.parts == ()
