import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from calling import forked
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import JUNK, attention_values, regression_values
from pydantic import Field, ValidationError
from wrong_values import the_problem

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.fields.knob import Part
from attnviz.experiment.fields.problems import problems_of
from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.labs import Spec, SpecError, make_spec
from attnviz.experiment.regression.spec import RegressionSpec


@pytest.mark.parametrize(
    ("values", "field", "sentence"),
    [
        ({"num_heads": 0}, "num_heads", "num_heads 0 must be at least 1; nearest: 1"),
        ({"num_heads": 1025}, "num_heads", "num_heads 1025 must be at most 1024; nearest: 1024"),
        ({"num_heads": 2.6}, "num_heads", "num_heads 2.6 must be a whole number; nearest: 3"),
        ({"num_heads": 0.4}, "num_heads", "num_heads 0.4 must be a whole number; nearest: 1"),
        ({"num_heads": -2.5}, "num_heads", "num_heads -2.5 must be a whole number; nearest: 1"),
        ({"num_heads": 5000.5}, "num_heads", "num_heads 5000.5 must be a whole number; nearest: 1024"),
        ({"num_heads": None}, "num_heads", "num_heads None must"),
        ({"num_heads": [1]}, "num_heads", "num_heads [1] must"),
        ({"num_heads": "two"}, "num_heads", "num_heads 'two' must be a whole number; nearest: 5"),
        ({"num_heads": math.inf}, "num_heads", "num_heads inf must be a finite number; nearest: 5"),
        ({"temperature": "hot"}, "temperature", "temperature 'hot' must be a number; nearest: 1"),
        ({"temperature": 0}, "temperature", "temperature 0 must be above 0; nearest: 0.01"),
        ({"temperature": -3}, "temperature", "temperature -3 must be above 0; nearest: 0.01"),
        ({"dropout": 1}, "dropout", "dropout 1 must be below 1; nearest: 0.99"),
        ({"dropout": math.nan}, "dropout", "dropout nan must be a finite number"),
        ({"dropout": -0.5}, "dropout", "dropout -0.5 must be at least 0"),
        ({"scaled": "maybe"}, "scaled", "scaled 'maybe' must be true or false; nearest: true"),
        ({"bias": []}, "bias", "bias [] must be true or false; nearest: false"),
        ({"window": "wide"}, "window", "window 'wide' must be a whole number"),
        ({"temperature": math.nan}, "temperature", "temperature nan must be a finite number; nearest: 1"),
        ({"device": 3}, "device", "device 3 must be text; nearest: 'auto'"),
        ({"lab": "regression", "x_test": {"step": "x"}}, "x_test.step", "step 'x' must be a number; nearest: 0.5"),
        ({"device": "tpu"}, "device", "device 'tpu' must be auto, cpu, mps or cuda:0"),
        ({"device": "cpu\n"}, "device", "device 'cpu\\n' must be auto, cpu, mps or cuda:0"),
        ({"mechanism": "flash"}, "mechanism", "mechanism 'flash' must be one of 'dot_product', 'additive'"),
        ({"inputs": 5}, "inputs", "inputs 5 must be an object with a 'kind'"),
        ({"inputs": {"kind": "noise"}}, "inputs", "kind 'noise' must be one of 'random', 'ones'"),
        ({"inputs": {}}, "inputs", "inputs needs a 'kind'"),
        ({"num_hidden": 8}, "num_hidden", "there is no field 'num_hidden'; nearest: num_hiddens"),
        ({"inputs": {"kind": "sentense"}}, "inputs", "; nearest: sentence"),
        ({"mechanism": "multihead"}, "mechanism", "; nearest: multi_head"),
        ({"lab": "attentio"}, "lab", "; nearest: attention"),
        ({"seed": 2**31}, "seed", "; nearest: 2147483647"),
        (
            {"lab": "regression", "data": {"kind": "synthetic", "n_train": 0.4}},
            "data.synthetic.n_train",
            "0.4 must be a whole number; nearest: 1",
        ),
        ({"lab": "poetry"}, "lab", "lab 'poetry' must be one of attention, regression"),
        ({"folder": "m", "text": "a"}, "lab", "its fields belong to 'model'; nearest: "),
    ],
)
def test_that_a_problem_stands_at_its_field_and_names_the_value_and_the_rule(
    values: dict[str, Any], field: str, sentence: str
) -> None:
    problem = the_problem(**values)
    assert problem.field == field
    assert sentence in problem.message


def test_that_a_list_with_too_few_entries_says_how_many_it_must_hold() -> None:
    class Few(Part):
        names: tuple[str, ...] = Field(min_length=2)

    with pytest.raises(ValidationError) as caught:
        Few.model_validate({"names": ["a"]})
    (problem,) = problems_of(caught.value, Few)
    assert (problem.field, problem.message) == ("names", "names must hold at least 2; nearest: 2")


def test_that_a_problem_keeps_its_value_and_its_bound_as_numbers_for_another_language() -> None:
    problem = the_problem(num_heads=4096)
    assert problem.code == "less_than_equal"
    assert (problem.numbers["value"], problem.numbers["le"]) == (4096, 1024)
    assert problem.nearest == (1024,)


@pytest.mark.parametrize(
    ("values", "template"),
    [
        ({"num_heads": 0}, "{field} {said} must be at least {ge}"),
        ({"num_hidden": 8}, "there is no field {name!r}"),
        ({"num_heads": 3, "num_hiddens": 100, "mechanism": "multi_head"}, "not divisible by num_heads {num_heads}"),
    ],
)
def test_that_a_problem_keeps_its_sentence_before_its_numbers_were_filled_in(
    values: dict[str, Any], template: str
) -> None:
    problem = the_problem(**values)
    text = problem.text.values.get("problem", problem.text)
    assert template in text.template
    assert problem.message.startswith(text.template.format(**text.values))


def test_that_every_wrong_field_is_reported_and_the_error_reads_out_at_most_three() -> None:
    with pytest.raises(SpecError) as caught:
        make_spec({"num_heads": 0, "num_hiddens": 0, "seed": -1, "batch_size": 0, "dropout": 2})
    assert {p.field for p in caught.value.problems} == {"num_heads", "num_hiddens", "seed", "batch_size", "dropout"}
    assert str(caught.value).count("; nearest") <= 3


@pytest.mark.parametrize("value", ["x" * 100_000, "{" * 300, 10**4000, [[1] * 50] * 5000, {"a" * 999: "b" * 999}])
def test_that_a_sentence_stays_short_however_long_the_value_is(value: Any) -> None:
    assert len(the_problem(num_queries=value).message) < 250


@pytest.mark.parametrize("value", ["{value}", "{0}", "%s", "{", "}}"])
def test_that_braces_in_a_value_are_read_out_as_they_are(value: str) -> None:
    assert f"'{value}'" in the_problem(device=value).message


NOT_OBJECTS = [
    "",
    "{",
    "[1]",
    "3",
    "null",
    '"a"',
    "[" * 100_000,
    "\ud800",
    "{'a': 1}",
    '{"num_heads": ' + "9" * 5000 + "}",
]


@pytest.mark.parametrize("text", NOT_OBJECTS)
def test_that_a_text_which_is_no_json_object_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(SpecError, match=r"not JSON|a spec is a JSON object"):
        session_or_spec_from_json(text)


def test_that_a_field_nested_nine_hundred_deep_is_a_problem_like_any_other() -> None:
    with pytest.raises(SpecError, match="whole number"):
        session_or_spec_from_json('{"num_heads": ' + "[" * 900 + "]" * 900 + "}")


FIELDS = sorted({*AttentionSpec.model_fields, *RegressionSpec.model_fields})


def comes_back_or_has_sentences(make: Callable[[], Spec]) -> bool:
    """Return whether the values make a spec that comes back from its own fields, or problems with a sentence each."""
    try:
        spec = make()
    except SpecError as error:
        return bool(error.problems) and all(problem.message for problem in error.problems)
    return make_spec(spec.model_dump()) == spec


@given(values=st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=5), JUNK, max_size=5))
def test_that_junk_makes_a_spec_or_a_spec_error_and_never_anything_else(values: dict[str, Any]) -> None:
    assert comes_back_or_has_sentences(lambda: make_spec(values))


@given(values=attention_values() | regression_values(), data=st.data())
def test_that_one_junk_field_in_a_legal_spec_is_a_spec_error_or_harmless(
    values: dict[str, Any], data: st.DataObject
) -> None:
    field = data.draw(st.sampled_from(sorted(values)), label="field")
    spoilt = {**values, field: data.draw(JUNK, label="junk")}
    assert comes_back_or_has_sentences(lambda: make_spec(spoilt))


@given(value=JUNK)
def test_that_any_json_document_is_read_or_refused_with_a_spec_error(value: Any) -> None:
    try:
        text = json.dumps(value)
    except ValueError:  # Python itself does not write whole numbers of more than 4300 digits
        return
    assert comes_back_or_has_sentences(lambda: session_or_spec_from_json(text).spec)


@pytest.mark.parametrize(
    "values",
    [
        {"num_heads": "9" * 5000},
        {"inputs": {"kind": "sentence", "text": "\ud800"}},
        {"lab": "regression", "data": {"kind": "points", "x": 5, "y": [1]}},
        {"lab": "regression", "data": {"kind": "points", "x": [1.0] * 20_001, "y": [1.0]}},
        {3: 4},
    ],
    ids=["huge digits", "lone surrogate", "no list", "too many points", "no text key"],
)
def test_that_every_sentence_begins_with_its_field(values: dict[Any, Any]) -> None:
    with pytest.raises(SpecError) as caught:
        make_spec(values)
    assert all(p.message.split()[0].startswith((p.field, "there")) for p in caught.value.problems)


def test_that_a_field_without_a_name_is_not_called_the_file() -> None:
    assert "the file" not in the_problem(**{"": 3}).message


def test_that_a_misspelt_inner_field_is_guessed_from_its_own_object() -> None:
    assert "value_size" not in the_problem(inputs={"kind": "ones", "value": "arange"}).message


@pytest.mark.parametrize(
    "values", [{"num_heads": 10**5000}, {"lab": 10**5000}, {"dropout": [10**5000]}], ids=["a", "b", "c"]
)
def test_that_a_number_too_long_to_write_out_is_a_problem_like_any_other(values: dict[str, Any]) -> None:
    assert comes_back_or_has_sentences(lambda: make_spec(values))


HOLDS_ITSELF = """
import resource
from attnviz.experiment.labs import SpecError, make_spec
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + (512 << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
for values, field in (({"lab": "train"}, "task"), ({}, "inputs")):
    values[field] = values
    try:
        make_spec(values)
    except SpecError as error:
        print(error)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits of Linux")
def test_that_values_that_hold_themselves_are_refused_at_once(tmp_path: Path) -> None:
    said = forked(cwd=tmp_path, code=HOLDS_ITSELF)
    assert said == (0, "task needs a 'kind'\ninputs needs a 'kind'\n", "")
