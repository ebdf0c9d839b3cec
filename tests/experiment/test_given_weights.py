"""Weights that another model computed: what passes stays as it is, and what does not is refused with a sentence."""

import json
import math
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from legal_specs import given_arrays, given_values

from attnviz.definitions.stages import stages_of
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.files import given_weights as rules
from attnviz.experiment.files.given_weights import GivenError, given_weights
from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.labs import SpecError, make_spec, spec_to_json
from attnviz.experiment.layers.cell import reasons_at
from attnviz.experiment.warning import Outputs, not_the_models

W = np.array([[0.25, 0.75, 0.0], [0.5, 0.125, 0.375]], np.float32)
HEADS = np.stack([W, W[::-1]])
FILE = {"kind": "file", "path": "mine.npz"}


def refused(**arrays: Any) -> GivenError:
    with pytest.raises(GivenError) as caught:
        given_weights({"weights": W} | {name: np.asarray(array) for name, array in arrays.items()})
    assert len(str(caught.value)) < 300
    return caught.value


@given(arrays=given_arrays())
def test_that_legal_weights_come_out_as_they_went_in(arrays: dict[str, Any]) -> None:
    raw = arrays["weights"]
    found = given_weights(arrays)
    assert found.weights.ndim == found.mask.ndim == 4
    assert found.weights.dtype == (np.float64 if raw.dtype == np.float64 else np.float32)
    np.testing.assert_array_equal(found.weights.reshape(raw.shape), raw)
    np.testing.assert_array_equal(found.mask, np.broadcast_to(arrays.get("mask", True), found.weights.shape))
    assert not found.weights.flags.writeable
    assert not found.mask.flags.writeable
    assert (len(found.query_tokens), len(found.key_tokens)) == raw.shape[-2:]


@pytest.mark.parametrize(("kind", "kept"), [("f2", "f4"), ("f4", "f4"), (">f4", "f4"), ("f8", "f8"), (">f8", "f8")])
def test_that_half_is_widened_and_nothing_is_narrowed(kind: str, kept: str) -> None:
    third = np.full((2, 2), 1 / 3).astype(kind)
    found = given_weights({"weights": third}).weights
    assert found.dtype == np.dtype(kept)
    np.testing.assert_array_equal(found[0, 0], third)


@pytest.mark.parametrize(
    ("weights", "shape"), [(W, (1, 1, 2, 3)), (HEADS, (1, 2, 2, 3)), (HEADS[:, None], (2, 1, 2, 3))]
)
def test_that_heads_and_batch_may_be_left_out(weights: Any, shape: tuple[int, ...]) -> None:
    assert given_weights({"weights": weights}).weights.shape == shape


@pytest.mark.parametrize("value", [-0.0009, 1.0009, np.nan, 0.0, 1.0])
def test_that_the_rounding_of_half_precision_and_nan_are_let_pass_as_they_are(value: float) -> None:
    weights = np.where(W == 0, np.float32(value), W)
    np.testing.assert_array_equal(given_weights({"weights": weights}).weights[0, 0], weights)


def test_that_weights_of_nothing_but_nan_pass_without_a_warning() -> None:
    with np.errstate(all="raise"):
        assert np.isnan(given_weights({"weights": W * np.nan}).weights).all()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (3.2, "weights[0, 2] is 3.2, and a weight is in 0..1 (scores become weights by a softmax); nearest: 1"),
        (-0.5, "weights[0, 2] is -0.5, and a weight is in 0..1 (scores become weights by a softmax); nearest: 0"),
        (np.inf, "weights[0, 2] is inf"),
        (-np.inf, "weights[0, 2] is -inf"),
        (1.0012, "weights[0, 2] is 1.0012"),
        (-0.0012, "weights[0, 2] is -0.0012"),
    ],
)
@pytest.mark.parametrize("beside", [0.0, np.nan])
def test_that_a_value_which_is_no_weight_is_named_with_its_place(value: float, said: str, beside: float) -> None:
    weights = W.copy()
    weights[0, 2], weights[1, 0] = value, beside
    error = refused(weights=weights)
    assert error.code == "not_weights"
    assert str(error).startswith(said)


def test_that_the_place_is_counted_in_the_users_own_axes() -> None:
    weights = HEADS.copy()
    weights[1, 0, 1] = 7
    assert str(refused(weights=weights)).startswith("weights[1, 0, 1] is 7,")


@pytest.mark.parametrize(
    ("arrays", "code", "said"),
    [
        ({"weights": W > 0.3}, "file_type", "weights holds bool, not half, single or double floats; nearest: weights."),
        ({"weights": W.astype(int)}, "file_type", "weights holds int64"),
        ({"weights": W + 0j}, "file_type", "weights holds complex64"),
        ({"weights": W.astype(str)}, "file_type", "weights holds <U"),
        ({"weights": W.astype(np.longdouble)}, "file_type", "nearest: weights.astype('float64')"),
        ({"weights": W[0]}, "file_shapes", "weights has shape (3,); needed (queries, keys), (heads, queries, keys) or"),
        ({"weights": HEADS[None, None]}, "file_shapes", "weights has shape (1, 1, 2, 2, 3)"),
        ({"weights": HEADS[None, None]}, "file_shapes", "nearest: weights[0]"),
        ({"weights": W[:, :0]}, "file_shapes", "weights has shape (2, 0)"),
        ({"weights": np.zeros((1025, 1, 1), "f4")}, "too_large", "weights has 1025 heads; at most 1024"),
        ({"weights": np.zeros((257, 1, 1, 1), "f4")}, "too_large", "weights has 257 batch items; at most 256"),
        ({"weights": np.zeros((1, 16385), "f4")}, "too_large", "weights has 16385 keys; at most 16384"),
        (
            {"mask": [[1, 0, 1]]},
            "file_type",
            "mask holds int64, not booleans (True = may attend); nearest: mask.astype",
        ),
        (
            {"mask": [True, False]},
            "file_shapes",
            "mask has shape (2,), which does not spread over weights of shape (2, 3)",
        ),
        ({"mask": np.ones((2, 2, 2, 2, 3), bool)}, "file_shapes", "nearest: (2, 3)"),
        ({"query_tokens": ["a"]}, "file_shapes", "query_tokens has 1 entries for 2 queries; needed 2"),
        ({"key_tokens": ["a", "b"]}, "file_shapes", "key_tokens has 2 entries for 3 keys; needed 3"),
        ({"key_tokens": [["a", "b", "c"]]}, "file_shapes", "key_tokens has shape (1, 3); needed (3,)"),
        (
            {"query_tokens": [1, 2]},
            "file_type",
            "query_tokens holds int64, not text; nearest: query_tokens.astype(str)",
        ),
        ({"query_tokens": [b"a", b"b"]}, "file_type", "query_tokens holds |S1, not text"),
        (
            {"query_tokens": ["a", "b" * 201]},
            "too_large",
            "query_tokens[1] 'bbbbbbbbbbbbbbbbbbbb'... has 201 characters",
        ),
    ],
)
def test_that_what_cannot_be_shown_is_refused_by_name(arrays: dict[str, Any], code: str, said: str) -> None:
    error = refused(**arrays)
    assert error.code == code
    assert said in str(error)


def test_that_a_character_beyond_unicode_is_refused() -> None:
    broken = np.frombuffer(np.array([0x41, 0x7FFFFFFF], np.uint32).tobytes(), "<U1")
    assert str(refused(query_tokens=broken)) == "query_tokens holds a character that is not text"


@pytest.mark.parametrize(
    ("arrays", "queries", "keys"),
    [
        ({}, ("0", "1"), ("0", "1", "2")),
        ({"query_tokens": ["a", "b"]}, ("a", "b"), ("0", "1", "2")),
        ({"key_tokens": ["x", "y", "z"]}, ("0", "1"), ("x", "y", "z")),
        ({"weights": W[:, :2], "query_tokens": ["a", "b"]}, ("a", "b"), ("a", "b")),
        ({"weights": W[:, :2], "query_tokens": ["a", "b"], "key_tokens": ["x", "y"]}, ("a", "b"), ("x", "y")),
    ],
)
def test_that_tokens_of_queries_stand_for_keys_where_there_are_as_many(
    arrays: dict[str, Any], queries: tuple[str, ...], keys: tuple[str, ...]
) -> None:
    found = given_weights({"weights": W} | {name: np.asarray(array) for name, array in arrays.items()})
    assert (found.query_tokens, found.key_tokens) == (queries, keys)


def test_that_a_token_which_cannot_be_seen_is_written_out() -> None:
    tokens = np.array(["\n", "a\tb\u200b", " the", "\ud800", "注"])
    found = given_weights({"weights": np.zeros((5, 5), "f4"), "query_tokens": tokens})
    assert found.query_tokens == (r"\n", r"a\tb\u200b", " the", r"\ud800", "注")


def test_that_the_limits_are_those_of_the_fields_that_set_the_sizes() -> None:
    fields = {"batch items": "batch_size", "heads": "num_heads", "queries": "num_queries", "keys": "num_kvpairs"}
    limits = {name: AttentionSpec.model_fields[field].metadata[1].le for name, field in fields.items()}
    assert limits == rules.MOST


# The spec


@pytest.mark.parametrize("source", [{"kind": "random"}, {"kind": "ones"}, {"kind": "sentence", "text": "a b"}])
def test_that_another_source_than_a_file_is_a_problem_at_the_source(source: dict[str, str]) -> None:
    with pytest.raises(SpecError) as caught:
        make_spec({"mechanism": "given", "inputs": source})
    (problem,) = caught.value.problems
    assert problem.field == "inputs"
    assert f"the source is '{source['kind']}'; choose Source: File; nearest: file" in problem.message


@given(values=given_values())
def test_that_no_other_knob_than_module_and_source_means_anything(values: dict[str, Any]) -> None:
    spec = make_spec(values)
    assert isinstance(spec, AttentionSpec)
    assert AttentionSpec.active_fields(dict(spec)) == {"lab", "mechanism", "inputs"}
    assert stages_of(spec) == ("weights",)
    assert not spec.dropout_acts
    assert [reason.sentence for reason in reasons_at(None, 0, 0, 0, 0)] == ["by the mask that was given"]
    assert session_or_spec_from_json(spec_to_json(spec)).spec == spec


def test_that_sizes_which_contradict_each_other_do_not_stand_in_the_way() -> None:
    values = {"mechanism": "given", "inputs": FILE, "num_heads": 3, "num_hiddens": 100, "valid_lens": [99]}
    assert json.loads(spec_to_json(make_spec(values)))["mechanism"] == "given"


@pytest.mark.parametrize("warning", [1.0, ["two", "texts"], "x" * 201, b"bytes"])
def test_that_a_warning_is_one_short_text(warning: Any) -> None:
    assert str(refused(warning=warning)).startswith("warning must be one text of at most 200 characters, not ")


@pytest.mark.parametrize("weights_apart", [0.5, math.nan])
@pytest.mark.parametrize("outputs", get_args(Outputs))
def test_that_a_warning_of_a_file_is_that_which_was_written(outputs: Outputs, weights_apart: float) -> None:
    written = not_the_models(outputs, 1e-5, weights_apart)
    assert given_weights({"weights": W, "warning": np.array(str(written))}).warning == written
    spoilt = f"{written}".replace("differ", "{x.y} differ")
    assert str(given_weights({"weights": W, "warning": np.array(spoilt)}).warning) == spoilt
    assert not given_weights({"weights": W, "warning": np.array("")}).warning
