from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from legal_specs import HEADED, attention_values
from pydantic import ValidationError
from wrong_values import the_problem

from attnviz.experiment.attention.fields import SentenceInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.labs import make_spec, spec_to_json


def attention(**values: Any) -> AttentionSpec:
    spec = make_spec({"lab": "attention", **values})
    assert isinstance(spec, AttentionSpec)
    return spec


TWO = {"kind": "two_sentences", "text": "a cat", "keys_text": "the dog sat"}
SELF = {"self_attention": True}
CAUSAL = {"mechanism": "causal_multi_head"}
TWO_WORDS = {"kind": "sentence", "text": "two words"}


@pytest.mark.parametrize(
    ("values", "field", "sentence"),
    [
        (
            {"num_hiddens": 100, "num_heads": 6},
            "num_hiddens",
            "num_hiddens 100 is not divisible by num_heads 6; nearest: 96, 102",
        ),
        (
            {"num_hiddens": 3, "num_heads": 6},
            "num_hiddens",
            "num_hiddens 3 is not divisible by num_heads 6; nearest: 6",
        ),
        (
            {"mechanism": "dot_product", "query_size": 4, "key_size": 3},
            "key_size",
            "key_size 3 and query_size 4 have no dot product; nearest: 4, or the additive module",
        ),
        (
            {**SELF, "num_queries": 4, "num_kvpairs": 6},
            "num_kvpairs",
            "num_kvpairs 6 must equal num_queries 4 in self-attention; nearest: 4",
        ),
        (
            {"inputs": TWO, "value_size": 7},
            "value_size",
            "value_size 7 must equal key_size 100 where keys and values are one sentence; nearest: 100",
        ),
        (
            {"inputs": TWO, "self_attention": True},
            "inputs",
            "self_attention is on, and one sentence attends to another; nearest: one sentence",
        ),
        (
            {"inputs": TWO | {"keys_text": " "}},
            "inputs",
            "each sentence needs a word; type at least one",
        ),
        (
            {"inputs": TWO, "num_kvpairs": 4},
            "num_queries",
            "num_queries 2 and num_kvpairs 4 in a batch of 1 are not the sentences' 2 and 3 tokens in a batch of 1; "
            "nearest: 2 and 3",
        ),
        (
            {**SELF, "num_hiddens": 10, "value_size": 7},
            "key_size",
            "query_size 10, key_size 10 and value_size 7 must be equal in self-attention; nearest: 10",
        ),
        (
            {**CAUSAL, "num_queries": 9, "context_length": 8},
            "context_length",
            "9 tokens are more than the context length 8; nearest: 9",
        ),
        ({**CAUSAL, "causal": False}, "causal", "causal_multi_head always has causal on; turn it on"),
        (
            {**CAUSAL, "self_attention": False},
            "self_attention",
            "causal_multi_head always has self_attention on; turn it on",
        ),
        (
            {"inputs": TWO_WORDS, "num_queries": 3},
            "num_queries",
            "num_queries 3 in a batch of 1 is not the sentence's 2 tokens in a batch of 1; nearest: 2",
        ),
        ({"inputs": TWO_WORDS, "self_attention": False}, "self_attention", "turn self_attention on"),
        ({"inputs": {"kind": "sentence", "text": " \n"}}, "inputs", "the sentence has no word; type at least one"),
        ({"batch_size": 2, "valid_lens": [3]}, "valid_lens", "valid_lens has 1 entries for a batch of 2; needed 2"),
        (
            {"num_queries": 2, "valid_lens": [[1, 1], [1]]},
            "valid_lens",
            "valid_lens has a row of 1 lengths for 2 queries; needed 2",
        ),
        (
            {"num_kvpairs": 6, "valid_lens": [3, 7]},
            "valid_lens",
            "valid length 7 is not in 0..6, the number of keys; nearest: 6",
        ),
        (
            {"num_kvpairs": 6, "valid_lens": [-(10**30), 1]},
            "valid_lens",
            f"valid length {-(10**30)} is not in 0..6, the number of keys; nearest: 0",
        ),
        ({"num_queries": 4, "painted": "4: 0"}, "painted", "painted query 4 is not in 0..3; nearest: 3"),
        ({"num_kvpairs": 6, "painted": "1: 3-6"}, "painted", "painted key 6 is not in 0..5; nearest: 5"),
        ({**SELF, "num_queries": 4, "painted": "0: 4"}, "painted", "painted key 4 is not in 0..3; nearest: 3"),
        ({"inputs": TWO_WORDS, "painted": "2: 0"}, "painted", "painted query 2 is not in 0..1; nearest: 1"),
        ({"window": 0}, "window", "window 0 must be at least 1; nearest: 1"),
        ({"window": 2.5}, "window", "window 2.5 must be a whole number"),
        ({"document_lens": []}, "document_lens", "document_lens must be null or whole numbers above 0"),
    ],
)
def test_that_clashing_fields_are_told_with_the_value_the_rule_and_the_nearest(
    values: dict[str, Any], field: str, sentence: str
) -> None:
    problem = the_problem(**values)
    assert problem.field == field
    assert sentence in problem.message


@given(heads=st.integers(2, 64), hiddens=st.integers(1, 10_000))
def test_that_the_nearest_hidden_sizes_are_legal_and_none_lies_between(heads: int, hiddens: int) -> None:
    assume(hiddens % heads)
    nearest = the_problem(num_hiddens=hiddens, num_heads=heads).nearest
    assert all(attention(num_hiddens=size, num_heads=heads).num_hiddens == size for size in nearest)
    assert max(nearest) - hiddens < heads
    assert len(nearest) == (1 if hiddens < heads else 2)


def test_that_the_nearest_hidden_size_never_lies_beyond_the_largest() -> None:
    for size in the_problem(num_hiddens=16_384, num_heads=1023).nearest:
        attention(num_hiddens=size, num_heads=1023)


@pytest.mark.parametrize(
    "lens", [[], (), "3, 2", 5, {}, [1.0, 2], [True, 1], [[1, 2], 3], [[], []], [[[1]]], [None, 1]]
)
def test_that_valid_lens_of_no_known_form_are_a_problem_that_names_both_forms(lens: Any) -> None:
    problem = the_problem(valid_lens=lens)
    assert (problem.field, problem.code) == ("valid_lens", "valid_lens_form")
    assert "one per batch item" in problem.message
    assert "one per query" in problem.message
    assert repr(lens)[:20] in problem.message


def test_that_the_causal_module_brings_causality_and_self_attention_along() -> None:
    spec = attention(**CAUSAL, num_queries=9)
    assert (spec.causal, spec.self_attention, spec.num_kvpairs) == (True, True, 9)


def test_that_a_sentence_brings_its_length_a_batch_of_one_and_self_attention_along() -> None:
    spec = attention(inputs={"kind": "sentence", "text": "It didn't rain."})
    assert isinstance(spec.inputs, SentenceInputs)
    assert spec.inputs.tokens == ("It", "didn't", "rain", ".")
    assert (spec.num_queries, spec.num_kvpairs, spec.batch_size, spec.self_attention) == (4, 4, 1, True)


def test_that_a_sentence_given_as_an_object_fills_in_the_same_fields_as_one_given_as_json() -> None:
    from_json = attention(inputs=TWO_WORDS)
    assert AttentionSpec(inputs=SentenceInputs(text="two words")) == from_json


def test_that_self_attention_gives_keys_and_values_the_sizes_of_the_queries() -> None:
    spec = attention(self_attention=True, query_size=7)
    assert (spec.key_size, spec.value_size, spec.num_kvpairs) == (7, 7, spec.num_queries)


def test_that_an_empty_size_means_the_hidden_size() -> None:
    spec = attention(num_hiddens=20, key_size=3)
    assert (spec.size_of_queries, spec.size_of_keys, spec.size_of_values) == (20, 3, 20)


@pytest.mark.parametrize(("mechanism", "heads"), [("dot_product", 1), ("additive", 1), ("multi_head", 4)])
def test_that_only_the_headed_mechanisms_run_several_heads(mechanism: str, heads: int) -> None:
    assert attention(mechanism=mechanism, num_heads=4, num_hiddens=8).heads_run == heads


@pytest.mark.parametrize(("training", "dropout", "acts"), [(True, 0.5, True), (True, 0, False), (False, 0.5, False)])
def test_that_dropout_acts_in_training_alone_and_above_zero(training: bool, dropout: float, acts: bool) -> None:
    assert attention(training=training, dropout=dropout).dropout_acts is acts


@pytest.mark.parametrize(
    ("values", "fills"),
    [
        ({"mask_policy": "inf"}, True),
        ({"mask_policy": "zero", "dtype": "float16", "upcast": False}, False),
        ({"mask_policy": "book"}, False),
        ({"mask_policy": "book", "dtype": "float16"}, False),
        ({"mask_policy": "book", "dtype": "bfloat16", "upcast": False}, False),
        ({"mask_policy": "book", "dtype": "float16", "upcast": False}, True),
    ],
)
def test_that_the_fill_is_infinite_by_policy_or_where_minus_a_million_does_not_fit(
    values: dict[str, Any], fills: bool
) -> None:
    assert attention(**values).fills_with_inf is fills


def test_that_a_file_spec_leaves_the_sizes_to_the_file() -> None:
    inputs = {"kind": "file", "path": "mine.npz"}
    beyond = {"num_queries": 500, "valid_lens": [1] * 9, "painted": "9999: 9999"}
    assert attention(inputs=inputs, **CAUSAL, **beyond).inputs.path == "mine.npz"


@given(values=attention_values())
def test_that_a_legal_spec_comes_back_from_json_as_it_was(values: dict[str, Any]) -> None:
    spec = attention(**values)
    assert session_or_spec_from_json(spec_to_json(spec)).spec == spec
    assert AttentionSpec.model_validate(spec.model_dump()) == spec


@given(values=attention_values())
def test_that_every_given_value_stands_in_the_spec(values: dict[str, Any]) -> None:
    dumped = attention(**values).model_dump(mode="json")
    given_kind = values.pop("inputs")["kind"]
    later = {"num_kv_heads": None, "positions": "sentences"}  # left out of files at their defaults
    assert {name: dumped.get(name, later.get(name)) for name in values} == values
    assert dumped["inputs"]["kind"] == given_kind


@given(values=attention_values())
def test_that_fields_which_follow_from_the_others_need_not_be_given(values: dict[str, Any]) -> None:
    follow = {"causal", "self_attention", "num_queries", "num_kvpairs", "batch_size", "key_size", "value_size"}
    idle = set(values) - AttentionSpec.active_fields(values)
    assert attention(**{k: v for k, v in values.items() if k not in idle & follow}) == attention(**values)


@given(values=attention_values())
def test_that_the_headed_fields_are_idle_without_heads_and_the_mask_never_is(values: dict[str, Any]) -> None:
    active = AttentionSpec.active_fields(values)
    assert active <= set(AttentionSpec.model_fields)
    assert {"mechanism", "inputs", "valid_lens", "mask_policy", "temperature", "dtype", "seed"} <= active
    assert {"window", "document_lens", "painted"} <= active
    assert ("upcast" in active) == (values["dtype"] in ("bfloat16", "float16"))
    assert ({"num_heads", "bias"} <= active) == (values["mechanism"] in HEADED)
    assert ("context_length" in active) == (values["mechanism"] == "causal_multi_head")


@pytest.mark.parametrize("values", [{}, {"mechanism": "nonsense", "inputs": 5}, {"inputs": {"kind": ["?"]}}])
def test_that_active_fields_can_be_asked_about_values_that_are_not_yet_valid(values: dict[str, Any]) -> None:
    assert "mechanism" in AttentionSpec.active_fields(values)


def test_that_a_file_makes_every_size_idle_but_the_hidden_one() -> None:
    active = AttentionSpec.active_fields({"mechanism": "multi_head", "inputs": {"kind": "file"}})
    sizes = {name for name in active if "size" in name or name.startswith("num_")}
    assert sizes == {"num_heads", "num_kv_heads", "num_hiddens"}


@pytest.mark.parametrize("name", ["num_heads", "inputs", "valid_lens", "lab"])
def test_that_a_spec_cannot_be_changed(name: str) -> None:
    spec = attention()
    with pytest.raises(ValidationError):
        setattr(spec, name, getattr(spec, name))
    with pytest.raises(ValidationError):
        spec.inputs.kind = "ones"  # type: ignore[assignment]


def test_that_equal_specs_hash_alike_and_any_field_tells_two_apart() -> None:
    spec = attention(valid_lens=[3, 2])
    assert hash(spec) == hash(attention(valid_lens=(3, 2)))
    assert len({spec, attention(valid_lens=[3, 2]), attention(valid_lens=[2, 3])}) == 2


def test_that_every_field_has_a_title_a_help_text_and_a_group_for_the_form() -> None:
    for name, field in AttentionSpec.model_fields.items():
        assert field.title, name
        assert field.description, name
        assert isinstance(field.json_schema_extra, dict), name
        assert "group" in field.json_schema_extra, name


@pytest.mark.parametrize("on", [1, "true", "yes"])
def test_that_self_attention_brings_its_sizes_along_however_it_is_turned_on(on: Any) -> None:
    assert attention(self_attention=on) == attention(self_attention=True)
