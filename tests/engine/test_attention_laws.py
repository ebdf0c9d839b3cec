"""What holds for every attention spec: hypothesis draws the spec, and each stage is checked against the one before."""

from typing import Any

import numpy as np
import plain_numpy as plain
import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import HEADED, attention_values
from running import attention_trace, own_arrays

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace

EPS = {"float32": 2.0**-23, "float64": 2.0**-52, "bfloat16": 2.0**-7, "float16": 2.0**-10}
SMALL = attention_values(most=5)

Array = np.ndarray[Any, Any]


def assert_near(trace: AttentionTrace, name: str, expected: Array, size: Any) -> None:
    """Check one stage against float64 within the rounding of the run's format; ``size`` bounds what was added up."""
    # A product too small for float16's digits is rounded to a step of 6e-8 before the temperature divides it.
    step = 1e-7 / (min(trace.spec.temperature, 1.0) if name == "scores" else 1.0)
    allowed = 16 * EPS[trace.dtype] * np.asarray(size) + step * (trace.dtype == "float16")
    error = np.abs(getattr(trace, name).astype(np.float64) - expected)
    assert (error <= allowed)[np.isfinite(expected)].all(), (name, error.max())


@given(values=SMALL)
def test_that_every_row_sums_to_1_unless_it_is_empty(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    keys = trace.weights.shape[-1]
    np.testing.assert_allclose(trace.row_sums[~trace.empty_rows], 1, atol=2 * keys * EPS[trace.dtype])
    expected = np.nan if trace.spec.fills_with_inf else {"zero": 0.0, "book": 1.0}[trace.spec.mask_policy]
    np.testing.assert_allclose(trace.row_sums[trace.empty_rows], expected, atol=2 * keys * EPS[trace.dtype])


@given(values=SMALL)
def test_that_a_masked_weight_is_exactly_0_and_no_weight_lies_outside_0_to_1(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    in_rows = ~trace.empty_rows[..., None]
    assert (trace.weights[~trace.mask & in_rows] == 0).all()
    weights = trace.weights[trace.mask & in_rows]
    assert ((weights >= 0) & (weights <= 1)).all()


@given(values=SMALL)
def test_that_the_mask_is_what_every_rule_of_the_spec_allows(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    batch, _, queries, keys = trace.weights.shape
    np.testing.assert_array_equal(trace.mask, plain.allowed(trace.spec, queries, keys, batch))
    np.testing.assert_array_equal(trace.masked_scores[trace.mask], trace.scores[trace.mask])
    # Without upcast the fill is the nearest number that the half type has.
    book = -1e6 if trace.spec.upcast else {"bfloat16": -999424.0, "float16": -np.inf}.get(trace.dtype, -1e6)
    assert (trace.masked_scores[~trace.mask] == (book if trace.spec.mask_policy == "book" else -np.inf)).all()


@given(values=SMALL)
def test_that_scores_weights_and_heads_follow_each_from_the_stage_before(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    parameters = {name: array.astype(np.float64) for name, array in trace.parameters.items()}
    q, k, v = (x.astype(np.float64) for x in (trace.q, trace.k, trace.v))
    if trace.spec.mechanism == "additive":
        reach = np.abs(parameters["w_v"]).sum() * (1 + np.abs(q).max() + np.abs(k).max()) / trace.spec.temperature
    else:
        reach = plain.scores(trace.spec, np.abs(q), np.abs(k), parameters)
        reach += 2 * plain.fall(trace.spec, *reach.shape[2:])
    assert_near(trace, "scores", plain.scores(trace.spec, q, k, parameters), reach)
    policy = "inf" if trace.spec.fills_with_inf else trace.spec.mask_policy
    assert_near(trace, "weights", plain.softmax(trace.masked_scores, trace.mask, policy), 1.0)
    dropped = np.nan_to_num(trace.dropped_weights)
    rows = ~np.isnan(trace.weights).any(axis=-1, keepdims=True)
    heads = np.where(rows, plain.pooled(dropped, v), np.nan)
    assert_near(trace, "heads", heads, plain.pooled(dropped, np.abs(v)))


@given(values=SMALL)
def test_that_the_output_follows_from_the_merged_heads(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    side_by_side = np.concatenate([trace.heads[:, head] for head in range(trace.num_heads)], axis=-1)
    np.testing.assert_array_equal(trace.merged, side_by_side)
    parameters = {name: array.astype(np.float64) for name, array in trace.parameters.items()}
    merged = trace.merged.astype(np.float64)
    size = plain.linear(np.abs(merged), {name: np.abs(array) for name, array in parameters.items()}, "o")
    assert_near(trace, "output", plain.linear(merged, parameters, "o"), size)


@given(values=SMALL)
def test_that_every_array_has_the_shape_its_name_stands_for(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    spec = trace.spec
    B, Q, K, h = spec.batch_size, spec.num_queries, spec.num_kvpairs, spec.heads_run
    D = spec.num_hiddens if spec.mechanism in HEADED else spec.size_of_values
    assert trace.queries.shape == (B, Q, spec.size_of_queries)
    assert trace.keys.shape == (B, K, spec.size_of_keys)
    assert trace.values.shape == (B, K, spec.size_of_values)
    for name in ("scores", "mask", "masked_scores", "weights", "dropped_weights"):
        assert getattr(trace, name).shape == (B, h, Q, K), name
    assert trace.q.shape[:3] == trace.heads.shape[:3] == (B, h, Q)
    assert trace.k.shape[:3] == trace.v.shape[:3] == (B, spec.kv_heads_run, K)
    assert trace.q.shape[3] == trace.k.shape[3]
    assert trace.heads.shape[3] == trace.v.shape[3] == D // h
    assert trace.merged.shape == trace.output.shape == (B, Q, D)
    assert (len(trace.query_tokens), len(trace.key_tokens)) == (Q, K)


@given(values=SMALL)
def test_that_no_array_can_be_written_to(values: dict[str, Any]) -> None:
    assert not [name for name, array in own_arrays(attention_trace(**values)).items() if array.flags.writeable]


@given(values=SMALL)
def test_that_the_levels_can_be_made_of_every_stage_of_every_run(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    trace.prepare()
    for stage in ("scores", "masked_scores", "weights", "dropped_weights"):
        for contrast in ("", *CONTRASTS):
            levels = trace.levels(stage, contrast)
            values = trace.scores if stage == "masked_scores" else getattr(trace, stage)
            masked = np.zeros_like(trace.mask) if stage == "scores" else ~trace.mask
            if stage.endswith("weights"):
                masked &= values == 0  # the book's fill leaves weight on masked cells of a row without a valid key
                masked[..., 0] |= contrast == "without_first"
            finite = np.isfinite(values)
            np.testing.assert_array_equal(levels == 0, masked & finite)
            np.testing.assert_array_equal(levels == 255, ~finite)
    assert trace.summary().count("\n") == 2


STAGES = ["q", "k", "v", "scores", "masked_scores", "weights", "dropped_weights", "heads", "merged", "output"]
INPUTS = ["queries", "keys", "values"]


def is_half(array: Array, dtype: str) -> bool:
    """Return whether float32 numbers are numbers of a half type, widened without loss."""
    assert array.dtype == np.float32
    if dtype == "float16":
        return bool((array.astype(np.float16).astype(np.float32) == array)[np.isfinite(array)].all())
    return bool((np.ascontiguousarray(array).view(np.uint32) & 0xFFFF == 0)[np.isfinite(array)].all())


@given(values=SMALL, dtype=st.sampled_from(["float16", "bfloat16"]))
def test_that_half_types_are_widened_to_float32_without_a_digit_more(values: dict[str, Any], dtype: str) -> None:
    trace = attention_trace(**values | {"dtype": dtype, "mask_policy": "zero"})
    assert [name for name in STAGES if not is_half(getattr(trace, name), dtype)] == []
    assert [name for name, array in trace.parameters.items() if not is_half(array, dtype)] == []


@given(values=SMALL, dtype=st.sampled_from(["float32", "float64"]))
def test_that_full_types_stay_what_they_are(values: dict[str, Any], dtype: str) -> None:
    trace = attention_trace(**values | {"dtype": dtype})
    assert {str(getattr(trace, name).dtype) for name in STAGES} == {dtype}
    assert {str(array.dtype) for array in trace.parameters.values()} <= {dtype}


@given(values=SMALL)
def test_that_an_idle_field_never_moves_a_weight(values: dict[str, Any]) -> None:
    active = AttentionSpec.active_fields(values)
    idled = attention_trace(**{name: value for name, value in values.items() if name in active})
    np.testing.assert_array_equal(idled.weights, attention_trace(**values).weights)
    np.testing.assert_array_equal(idled.output, attention_trace(**values).output)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_that_the_inputs_of_a_half_run_are_those_the_module_was_given(dtype: str) -> None:
    trace = attention_trace(mechanism="dot_product", num_hiddens=8, dtype=dtype)
    assert [name for name in INPUTS if not is_half(getattr(trace, name), dtype)] == []


def test_that_the_inputs_of_a_float64_run_are_float64_like_all_its_arrays() -> None:
    trace = attention_trace(dtype="float64")
    assert {str(array.dtype) for array in own_arrays(trace).values()} == {"float64", "bool"}
