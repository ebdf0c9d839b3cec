from typing import Any

import numpy as np
import plain_numpy as plain
import pytest
from running import attention_trace, own_arrays

LENS = [[3, 1, 0, 5], [2, 2, 5, 4]]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"valid_lens": [3, 5]},
    {"valid_lens": LENS},
    {"causal": True},
    {"causal": True, "valid_lens": LENS, "mask_policy": "book"},
    {"causal": True, "valid_lens": [0, 2], "mask_policy": "inf"},
    {"bias": True, "temperature": 0.5},
    {"scaled": False, "temperature": 2.0},
    {"query_size": 3, "key_size": 3, "value_size": 7},
    {"inputs": {"kind": "ones"}},
    {"inputs": {"kind": "identity"}, "bias": True},
    {"inputs": {"kind": "sentence", "text": "We see the sea, the sea sees us"}, "bias": True},
    {"self_attention": True, "query_size": 5},
    {"training": True, "dropout": 0.0},
]
MECHANISMS = ["dot_product", "additive", "multi_head", "causal_multi_head"]
EPS = {"float32": 2.0**-23, "float64": 2.0**-52, "bfloat16": 2.0**-7, "float16": 2.0**-10}
STAGES = ["q", "k", "v", "scores", "weights", "heads", "merged", "output"]


def values_for(mechanism: str, options: dict[str, Any]) -> dict[str, Any]:
    values = {"mechanism": mechanism, "num_heads": 3, "num_hiddens": 12, "num_queries": 4, "num_kvpairs": 5, **options}
    if options.get("inputs", {}).get("kind") == "sentence":
        del values["num_queries"]
    if mechanism == "causal_multi_head":
        values |= {"causal": True, "self_attention": True, "key_size": values.get("query_size")}
        values["value_size"] = values.get("query_size")
    if values.get("self_attention") or "num_queries" not in values:
        del values["num_kvpairs"]
        values["valid_lens"] = [[2, 1, 0, 4], [4, 3, 2, 1]] if options.get("valid_lens") else None
    return values


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_that_every_stage_follows_from_the_inputs_and_the_parameters(
    mechanism: str, options: dict[str, Any], dtype: str
) -> None:
    trace = attention_trace(**values_for(mechanism, options), dtype=dtype)
    expected = plain.recomputed(trace)
    np.testing.assert_array_equal(trace.mask, expected["mask"])
    for name in STAGES:
        got = getattr(trace, name)
        np.testing.assert_allclose(got, expected[name], rtol=0, atol=100 * EPS[dtype], err_msg=name)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_that_the_weights_hang_on_every_option_that_is_said_to_matter(mechanism: str) -> None:
    options = [{}, {"seed": 1}, {"temperature": 2.0}, {"num_hiddens": 24}, {"inputs": {"kind": "identity"}}]
    options += [{"valid_lens": [3, 2]}] + ([{"scaled": False}] if mechanism != "additive" else [])
    options += [{"bias": True}, {"num_heads": 2}] if "multi_head" in mechanism else []
    options += [{"causal": True}] if mechanism != "causal_multi_head" else []
    found = [attention_trace(**values_for(mechanism, option)).weights.tobytes() for option in options]
    assert len(set(found)) == len(options)


@pytest.mark.parametrize("policy", ["zero", "book", "inf"])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_that_an_empty_row_is_what_its_policy_says(mechanism: str, policy: str) -> None:
    trace = attention_trace(**values_for(mechanism, {"valid_lens": LENS, "mask_policy": policy}))
    assert trace.empty_rows.any()
    keys = trace.weights.shape[-1]
    expected = {"zero": 0.0, "book": 1 / keys, "inf": np.nan}[policy]
    np.testing.assert_allclose(trace.weights[trace.empty_rows], expected, rtol=1e-6)
    np.testing.assert_allclose(trace.row_sums[~trace.empty_rows], 1, rtol=1e-6)
    fill = -1e6 if policy == "book" else -np.inf
    assert (trace.masked_scores[~trace.mask] == fill).all()
    np.testing.assert_array_equal(trace.masked_scores[trace.mask], trace.scores[trace.mask])


DROPOUT = {"training": True, "dropout": 0.4, "num_heads": 2, "num_hiddens": 8, "num_queries": 60, "num_kvpairs": 50}


def test_that_in_training_a_weight_is_dropped_or_grown_by_one_over_the_chance_to_stay() -> None:
    trace = attention_trace(**DROPOUT)
    dropped = trace.dropped_weights == 0
    np.testing.assert_allclose(trace.dropped_weights[~dropped], (trace.weights / 0.6)[~dropped], rtol=1e-6)
    assert abs(dropped.mean() - 0.4) < 0.03  # 12,000 weights: four standard deviations are 0.018
    assert len({pattern.tobytes() for pattern in dropped.reshape(4, -1)}) == 4  # every item and head its own


def test_that_in_training_the_dropped_weights_pool_the_values_and_the_weights_still_sum_to_1() -> None:
    trace = attention_trace(**DROPOUT)
    np.testing.assert_allclose(trace.heads, plain.pooled(trace.dropped_weights, trace.v), atol=1e-5)
    np.testing.assert_allclose(trace.row_sums, 1, rtol=1e-5)
    assert "dropped_weights" in trace.arrays()


def test_that_dropout_hangs_on_the_seed_and_moves_no_weight() -> None:
    trained = attention_trace(**DROPOUT)
    evaluated = attention_trace(**DROPOUT | {"training": False})
    np.testing.assert_array_equal(trained.weights, evaluated.weights)
    np.testing.assert_array_equal(evaluated.dropped_weights, evaluated.weights)
    other = attention_trace(**DROPOUT | {"seed": 1})
    assert ((trained.dropped_weights == 0) != (other.dropped_weights == 0)).any()


@pytest.mark.parametrize(
    ("mechanism", "bias", "names"),
    [
        ("dot_product", False, []),
        ("dot_product", True, []),
        ("additive", False, ["W_q", "W_k", "w_v", "features"]),
        ("multi_head", False, ["W_q", "W_k", "W_v", "W_o"]),
        ("multi_head", True, ["W_q", "b_q", "W_k", "b_k", "W_v", "b_v", "W_o", "b_o"]),
        ("causal_multi_head", False, ["W_q", "W_k", "W_v", "W_o", "b_o"]),
        ("causal_multi_head", True, ["W_q", "b_q", "W_k", "b_k", "W_v", "b_v", "W_o", "b_o"]),
    ],
)
def test_that_the_arrays_have_their_fixed_names(mechanism: str, bias: bool, names: list[str]) -> None:
    trace = attention_trace(**values_for(mechanism, {"bias": bias}))
    stages = ["q", "k", "v", "scores", "mask", "masked_scores", "weights", "heads", "merged", "output"]
    assert sorted(trace.arrays()) == sorted(["queries", "keys", "values", *names, *stages])


def test_that_a_matrix_is_out_by_in_as_linear_layers_store_it() -> None:
    sizes = {"query_size": 3, "key_size": 5, "value_size": 7}
    p = attention_trace(num_heads=2, num_hiddens=12, **sizes, bias=True).parameters
    assert {name: array.shape for name, array in p.items() if name[0] == "W"} == {
        "W_q": (12, 3),
        "W_k": (12, 5),
        "W_v": (12, 7),
        "W_o": (12, 12),
    }
    assert {array.shape for name, array in p.items() if name[0] == "b"} == {(12,)}
    p = attention_trace(mechanism="additive", num_hiddens=12, **sizes).parameters
    assert {name: array.shape for name, array in p.items()} == {"W_q": (12, 3), "W_k": (12, 5), "w_v": (1, 12)}


def test_that_scores_stay_near_variance_1_whatever_the_size_only_when_scaled() -> None:
    shape = {"mechanism": "dot_product", "num_hiddens": 400, "num_queries": 40, "num_kvpairs": 40}
    assert 0.8 < attention_trace(**shape).scores.std() < 1.2
    assert 16 < attention_trace(**shape, scaled=False).scores.std() < 24


def test_that_the_tokens_of_a_sentence_label_both_axes_and_other_tokens_are_numbered() -> None:
    trace = attention_trace(inputs={"kind": "sentence", "text": "To be, or not"}, num_heads=2, num_hiddens=8)
    assert trace.query_tokens == trace.key_tokens == ("To", "be", ",", "or", "not")
    assert attention_trace(num_queries=2, num_kvpairs=3).key_tokens == ("0", "1", "2")


@pytest.mark.parametrize("values", [{"self_attention": True}, {"mechanism": "causal_multi_head"}])
def test_that_in_self_attention_queries_keys_and_values_are_one_array(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    assert trace.queries is trace.keys is trace.values


def test_that_the_trace_names_its_spec_its_device_and_how_long_the_module_took() -> None:
    trace = attention_trace(dtype="float64", seed=3)
    assert (trace.device, trace.dtype, trace.spec.seed) == ("cpu", "float64", 3)
    assert 0 < trace.milliseconds < 10_000


def test_that_the_trace_keeps_no_tensor_and_no_array_that_can_be_written_to() -> None:
    trace = attention_trace(valid_lens=[3, 2], bias=True, training=True, dropout=0.5)
    for name, array in own_arrays(trace).items():
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        assert isinstance(array, np.ndarray), name
    assert not any("torch" in type(value).__module__ for value in vars(trace).values())


@pytest.mark.parametrize("mechanism", ["multi_head", "causal_multi_head"])
def test_that_counted_values_never_stand_beside_self_attention(mechanism: str) -> None:
    trace = attention_trace(mechanism=mechanism, self_attention=True, inputs={"kind": "ones", "values": "arange"})
    np.testing.assert_array_equal(trace.values, trace.queries)
    np.testing.assert_allclose(trace.v, plain.recomputed(trace)["v"], atol=1e-5)
