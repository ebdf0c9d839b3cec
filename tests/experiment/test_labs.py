import pytest

from attnviz.definitions.labs import LAB_NAMES
from attnviz.definitions.text import Text
from attnviz.engine.labs import ENGINE_LABS
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import LABS, Lab, SpecError, make_spec, spec_to_json
from attnviz.experiment.problems import Problem
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.session import session_or_spec_from_json
from attnviz.export.labs import EXPORTS

ROWS = pytest.mark.parametrize("lab", LABS.values(), ids=list(LABS))


@ROWS
def test_that_a_lab_has_one_name_in_the_registry_and_in_its_spec(lab: Lab) -> None:
    assert LABS[lab.name] is lab
    assert lab.spec_type().lab == lab.name


@ROWS
def test_that_the_lab_field_chooses_the_type_of_the_spec(lab: Lab) -> None:
    assert type(make_spec({"lab": lab.name})) is lab.spec_type


@ROWS
def test_that_the_trace_and_the_view_of_a_lab_are_of_its_name_too(lab: Lab) -> None:
    assert lab.view_type().lab == lab.name
    assert lab.view_type().stage in lab.stages
    assert set(lab.stages_of(lab.spec_type())) <= set(lab.stages)


def test_that_every_layer_has_a_row_for_every_lab() -> None:
    assert list(LAB_NAMES) == list(LABS) == list(EXPORTS) == list(ENGINE_LABS)


def test_that_a_spec_which_names_no_lab_is_an_attention_spec() -> None:
    assert make_spec({}) == AttentionSpec()


@pytest.mark.parametrize("name", ["poetry", "", 3, None, ["attention"], {"attention": 1}, "Attention"])
def test_that_a_lab_which_does_not_exist_is_answered_with_those_that_do(name: object) -> None:
    with pytest.raises(SpecError, match="must be one of attention, regression") as caught:
        make_spec({"lab": name})
    assert caught.value.problems[0].field == "lab"


def test_that_a_field_of_another_lab_is_refused() -> None:
    with pytest.raises(SpecError, match="there is no field 'num_hiddens'"):
        make_spec({"lab": "regression", "num_hiddens": 4})
    with pytest.raises(SpecError, match="there is no field 'epochs'"):
        make_spec({"lab": "attention", "epochs": 4})


def test_that_making_a_spec_leaves_the_values_as_they_are() -> None:
    values = {"mechanism": "causal_multi_head", "valid_lens": [3, 2]}
    make_spec(values)
    assert values == {"mechanism": "causal_multi_head", "valid_lens": [3, 2]}


def test_that_a_spec_is_written_as_json_with_every_field_on_a_line_of_its_own() -> None:
    text = spec_to_json(RegressionSpec(width=0.5))
    assert text.endswith("}\n")
    assert '\n  "width": 0.5,\n' in text
    assert session_or_spec_from_json(text).spec == RegressionSpec(width=0.5)


def test_that_text_in_any_script_comes_back_from_json() -> None:
    spec = make_spec({"inputs": {"kind": "sentence", "text": "注意 ist alles, was du brauchst 🐈 “ok”"}})
    assert session_or_spec_from_json(spec_to_json(spec)).spec == spec


def test_that_a_spec_error_reads_out_its_problems() -> None:
    error = SpecError(tuple(Problem("", "code", Text("problem {n}", {"n": number})) for number in range(5)))
    assert str(error) == "problem 0; problem 1; problem 2"
    assert len(error.problems) == 5


def test_that_specs_of_the_same_fields_share_their_names_and_a_copy_has_its_own() -> None:
    one, other = make_spec({"seed": 1}), make_spec({"seed": 2})
    assert one.model_fields_set is other.model_fields_set
    assert one.model_copy(update={"causal": True}).model_fields_set == {"seed", "causal"}
    assert other.model_fields_set == {"seed"}
