from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import attention_values, regression_values

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.fields.differences import as_typed, differences, share_parts, written
from attnviz.experiment.labs import make_spec

SMALL = attention_values(most=8)


MODEL = {"lab": "model", "text_b": "then one red fox ran under and one red fox ran"}


def words(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return [str(each) for each in differences(make_spec(old), make_spec(new))]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ({}, {"causal": True}, "causal: off → on"),
        ({"num_heads": 5}, {"num_heads": 10}, "num_heads: 5 → 10"),
        ({"window": 3}, {}, "window: 3 → none"),
        ({}, {"document_lens": "4, 2"}, "document_lens: none → (4, 2)"),
        ({}, {"painted": "1: 3,4,5"}, "painted: none → 2: 4-6"),
        (
            {"valid_lens": [3, 2]},
            {"valid_lens": [[1, 2, 3, 4]] * 2},
            "valid_lens: (3, 2) → ((1, 2, 3, 4), (1, 2, 3, 4))",
        ),
        ({"temperature": 1}, {"temperature": 0.25}, "temperature: 1 → 0.25"),
        ({"mask_policy": "zero"}, {"mask_policy": "inf"}, "mask_policy: zero → inf"),
        ({}, {"inputs": {"kind": "identity"}}, "inputs: random → identity"),
        ({"inputs": {"kind": "ones"}}, {}, "inputs: ones (values ones) → random"),
        ({"mechanism": "additive"}, {"mechanism": "dot_product"}, "mechanism: additive → dot_product"),
        (MODEL, MODEL | {"tokens_hidden": [5, 7]}, "tokens_hidden: none → 6, 8"),
        (MODEL, MODEL | {"patch": [{"head": "1.2", "token": 5, "from": "b"}]}, "patch: none → 1.2 · 6"),
    ],
)
def test_that_a_difference_reads_as_a_name_and_both_values(old: dict[str, Any], new: dict[str, Any], said: str) -> None:
    assert said in words(old, new)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ({"estimator": "average"}, {"estimator": "parametric"}, ["estimator: average → parametric"]),
        ({"estimator": "parametric", "w_init": 0.5}, {"estimator": "parametric"}, ["w_init: 0.5 → none"]),
        ({}, {"x_test": {"stop": 4}}, ["x_test: start 0, stop 5, step 0.5 → start 0, stop 4, step 0.5"]),
    ],
)
def test_that_kernel_regressions_differ_in_the_same_words(
    old: dict[str, Any], new: dict[str, Any], said: list[str]
) -> None:
    old, new = ({"lab": "regression", "x_test": {}} | values for values in (old, new))
    assert words(old, new) == said


def test_that_several_differences_stand_in_the_order_of_the_form() -> None:
    assert words({}, {"seed": 3, "causal": True, "num_heads": 10}) == [
        "num_heads: 5 → 10",
        "seed: 0 → 3",
        "causal: off → on",
    ]


def test_that_a_spec_of_the_other_lab_differs_in_the_lab_alone() -> None:
    attention, regression = make_spec({}), make_spec({"lab": "regression"})
    assert [str(each) for each in differences(attention, regression)] == ["lab: attention → regression"]
    assert [str(each) for each in differences(regression, attention)] == ["lab: regression → attention"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"mechanism": "dot_product", "num_heads": 5}, {"mechanism": "dot_product", "num_heads": 10}),
        ({"mechanism": "dot_product", "bias": True}, {"mechanism": "dot_product"}),
        ({"mechanism": "additive", "scaled": False}, {"mechanism": "additive"}),
        ({"context_length": 9}, {"context_length": 99}),
        ({"upcast": True}, {"upcast": False}),
        ({"self_attention": True, "num_queries": 4}, {"self_attention": True, "num_queries": 4, "key_size": None}),
        (
            {"lab": "regression", "estimator": "average", "width": 1},
            {"lab": "regression", "estimator": "average", "width": 2},
        ),
    ],
)
def test_that_a_field_which_is_idle_in_both_is_no_difference(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert words(old, new) == []


def test_that_a_field_which_is_idle_in_one_of_them_is_a_difference() -> None:
    one, other = {"mechanism": "dot_product", "num_heads": 5}, {"mechanism": "multi_head", "num_heads": 10}
    assert words(one, other) == ["mechanism: dot_product → multi_head", "num_heads: 5 → 10"]
    half = {"dtype": "float16", "upcast": False}
    assert words({}, half) == ["dtype: float32 → float16", "upcast: on → off"]


@given(values=SMALL | regression_values())
def test_that_a_spec_differs_from_itself_in_nothing(values: dict[str, Any]) -> None:
    assert differences(make_spec(values), make_spec(values)) == ()


@given(one=SMALL, other=SMALL)
def test_that_the_differences_are_the_active_fields_with_another_value(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    old, new = make_spec(one), make_spec(other)
    found = differences(old, new)
    assert [(each.field, each.new, each.old) for each in found] == [
        (each.field, each.old, each.new) for each in differences(new, old)
    ]
    active = AttentionSpec.active_fields(dict(old)) | AttentionSpec.active_fields(dict(new))
    differing = {name for name in AttentionSpec.model_fields if getattr(old, name) != getattr(new, name)}
    assert {each.field for each in found} == differing & active
    for each in found:
        shown = (as_typed(AttentionSpec, each.field, getattr(spec, each.field)) for spec in (old, new))
        few = tuple(map(written, shown))
        assert each.old != each.new
        assert few in ((each.old, each.new), (few[0], few[0])), "other words are for values that would read the same"


@given(values=SMALL | regression_values(), text=st.text(max_size=300))
def test_that_every_value_is_said_in_a_few_words(values: dict[str, Any], text: str) -> None:
    spec = make_spec(values)
    said = [str(written(getattr(spec, name))) for name in type(spec).model_fields] + [str(written(text))]
    assert all(0 < len(word) <= 40 for word in said)
    assert [word.endswith("…") for word in said[-1:]] == [len(text) > 40 or text.endswith("…")]


# Found wrong


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            {"painted": "0: 0 2 4; 1: 1 3 5; 2: 0 2 4; 3: 1 3; 5: 0"},
            {"painted": "0: 0 2 4; 1: 1 3 5; 2: 0 2 4; 3: 1 3; 5: 1"},
        ),
        ({"document_lens": [1] * 20}, {"document_lens": [1] * 19 + [2]}),
        ({"temperature": 1.0}, {"temperature": 1.0000001}),
    ],
    ids=["paint", "documents", "float"],
)
def test_that_the_two_values_of_a_difference_never_read_the_same(old: dict[str, Any], new: dict[str, Any]) -> None:
    sizes = {"num_queries": 8, "num_kvpairs": 8}
    (found,) = differences(make_spec(sizes | old), make_spec(sizes | new))
    assert found.old != found.new


def test_that_specs_share_their_equal_parts_and_keep_the_others() -> None:
    old = make_spec({"inputs": {"kind": "sentence", "text": "a b"}, "valid_lens": [2]})
    new = make_spec({"inputs": {"kind": "sentence", "text": "a b"}, "valid_lens": [1], "seed": 4})
    before = new.model_dump_json()
    assert new.inputs is not old.inputs
    share_parts(new, old)
    assert new.inputs is old.inputs
    assert new.model_dump_json() == before
    other = make_spec({"lab": "regression"})
    share_parts(other, old)
    assert other == make_spec({"lab": "regression"})
