"""Sessions as JSON: what goes in comes out, field by field, and what is wrong is a sentence that names its place."""

import json
import re
from typing import Any, get_args

import pytest
from broken_sessions import FULL, OTHER
from pydantic import ValidationError

from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.files.session import (
    FORMAT,
    LONGEST_NOTES,
    Session,
    session_from_json,
    session_of,
    session_or_spec_from_json,
    session_to_json,
)
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import LABS, Spec, SpecError, make_spec
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.pin import Pin
from attnviz.experiment.regression.view_settings import RegressionViewSettings
from attnviz.experiment.run import Cursor
from attnviz.experiment.sweeps.roles import RolesOverRuns
from attnviz.experiment.view_settings import SweepChoice

SPEC = {"num_heads": 2, "num_hiddens": 8}
TRAINED = {"lab": "train", "steps": 12}
ATTENTION, TRAIN = make_spec(SPEC), make_spec(TRAINED)
STEP_5 = Pin(TRAIN, Cursor(step=5))


def refusal(values: Any) -> str:
    """Return the sentence about a session that is refused."""
    with pytest.raises(SpecError) as caught:
        session_from_json(values if isinstance(values, str) else json.dumps(values))
    return str(caught.value)


@pytest.mark.parametrize("session", [FULL, OTHER, *(Session(spec=each.spec) for each in presets().values())])
def test_that_what_is_written_is_read_back(session: Session) -> None:
    text = session_to_json(session)
    assert text.isascii()
    assert session_from_json(text) == session
    assert json.loads(text)["format"] == session.spec.session_format, "an older attnviz opens what it shows alike"


def test_that_a_session_of_a_version_that_may_have_shown_its_run_otherwise_is_known() -> None:
    written = json.loads(session_to_json(Session(spec=ModelSpec())))
    assert not session_of(written).predates
    before = session_of(written | {"format": 4})
    assert before.predates
    assert json.loads(session_to_json(before))["format"] == 5
    assert not session_of(json.loads(session_to_json(OTHER)) | {"format": 1}).predates


OTHERS: dict[str, list[Any]] = {
    "head": [3],
    "query": [None, 7],
    "key": [None, 0],
    "sweep": [SweepChoice(knobs=("num_heads=1,2",))],
}


def test_that_everything_that_an_older_version_cannot_read_has_a_newer_format() -> None:
    for values in ({}, {"generate": 3}, {"chat": True}, {"generate": 3, "choose": "sample"}):
        text = session_to_json(Session(spec=make_spec({"lab": "model", **values})))
        assert json.loads(text)["format"] == (6 if values else 5)
        assert session_from_json(text).spec == make_spec({"lab": "model", **values})


@pytest.mark.parametrize("view", [AttentionViewSettings, RegressionViewSettings])
def test_that_every_way_of_looking_is_read_back(view: Any) -> None:
    spec = make_spec({"lab": view().lab})
    changed = 0
    for name, field in view.model_fields.items():
        records = [name for each in field.metadata if isinstance(each, OneOf) for name in each.registry]
        choices = OTHERS.get(name) or [*get_args(field.annotation), *records, True, False, 5]
        for choice in choices:
            try:
                session = Session(spec=spec, view=view(**{name: choice}))
            except ValidationError:
                continue
            changed += getattr(session.view, name) != field.default
            assert session_from_json(session_to_json(session)) == session
    assert changed >= len(view.model_fields) - 1  # all but the lab have another value


@pytest.mark.parametrize(
    ("spec", "pins", "number", "in_file"),
    [
        (ATTENTION, (Pin(ATTENTION),), 1, {}),
        (ATTENTION, (Pin(TRAIN),), 1, {}),
        (TRAIN, (Pin(TRAIN),), 1, {}),
        (TRAIN, (STEP_5,), 3, {"train": {"step": 5}}),
        (ATTENTION, (STEP_5,), 3, {"train": {"step": 5}}),
        (TRAIN, (Pin(ATTENTION), Pin(TRAIN)), 3, {"attention": {"spec": ATTENTION.model_dump(mode="json")}}),
        (ATTENTION, (Pin(ATTENTION), STEP_5), 3, {"train": {"spec": TRAIN.model_dump(mode="json"), "step": 5}}),
    ],
)
def test_that_pins_are_read_back_and_those_that_older_versions_can_hold_are_in_their_format(
    spec: Spec, pins: tuple[Pin, ...], number: int, in_file: dict[str, Any]
) -> None:
    session = Session(spec=spec).with_pins(pins)
    values = json.loads(session_to_json(session))
    assert (values["format"], values.get("pins", {})) == (number, in_file)
    assert session.pinned in [pin.spec for pin in pins]
    assert len({pin.lab for pin in pins}) == 1 or session.pinned.lab == spec.lab  # type: ignore[union-attr]
    assert session_from_json(session_to_json(session)) == session
    assert session.all_pins == pins


@pytest.mark.parametrize(("step", "read"), [(5, STEP_5), (12, Pin(TRAIN)), (900, Pin(TRAIN)), (None, Pin(TRAIN))])
def test_that_the_step_of_a_pin_is_read_from_the_view_where_earlier_versions_have_it(
    step: int | None, read: Pin
) -> None:
    values = {"format": 1, "spec": TRAINED, "pinned": TRAINED, "view": {"lab": "train", "pinned_step": step}}
    session = session_of(values)
    assert session.all_pins == (read,)
    assert session_from_json(session_to_json(session)) == session
    assert session_of(values | {"pinned": SPEC}).all_pins == (Pin(ATTENTION),)


def test_that_what_is_left_out_has_its_default() -> None:
    session = session_from_json('{"format": 1, "spec": {"num_heads": 2, "num_hiddens": 8}}')
    assert session == Session(spec=make_spec(SPEC), view=None, pinned=None, notes="")


def test_that_a_bare_spec_is_a_session_of_nothing_else_only_where_it_may_be() -> None:
    text = json.dumps(SPEC)
    assert session_or_spec_from_json(text) == Session(spec=make_spec(SPEC))
    assert session_or_spec_from_json(session_to_json(FULL)) == FULL
    assert "format" in refusal(text)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": FORMAT + 1}, ("newer attnviz", str(FORMAT))),
        ({"format": 0}, ("format 0", "nearest: 1")),
        ({"format": True}, ("format True",)),
        ({"format": "1"}, ("format '1'",)),
        ({"format": 10**4000}, ("newer attnviz",)),
        ({"spec": {"num_heads": 3, "num_hiddens": 8}}, ("in spec", "not divisible", "6, 9")),
        ({"spec": "multi_head"}, ("spec 'multi_head'", "object")),
        ({"spec": {"lab": "juggling"}}, ("in spec", "juggling")),
        ({"pinned": {"num_head": 2}}, ("in pinned", "num_heads")),
        ({"pinned": {"lab": "regression"}}, ("pinned", "'regression'", "attention, train")),
        ({"pins": [1]}, ("pins [1]", "object")),
        ({"pins": {"train": 7}}, ("pins.train 7", "'spec' and 'step'")),
        ({"pins": {"train": {"step": 3}}}, ("pins.train.spec None", "object")),
        ({"pins": {"train": {"spec": SPEC}}}, ("pins.train 'attention'", "'train'")),
        ({"pins": {"regression": {"spec": {"lab": "regression"}}}}, ("pins.regression.spec", "attention, train")),
        ({"pins": {"train": {"spec": TRAINED, "step": 13}}}, ("pins.train.step 13", "from 0 to 12")),
        ({"pins": {"train": {"spec": TRAINED, "step": True}}}, ("pins.train.step True", "whole number")),
        ({"view": {"stage": "wheights"}}, ("in view", "weights")),
        ({"view": {"lab": "regression"}}, ("in view", "regression")),
        ({"view": {"head": -1}}, ("in view", "head -1", "nearest: 0")),
        ({"view": {"head": 10**400}}, ("in view", "head")),
        ({"view": 3}, ("view 3", "object")),
        ({"notes": 3}, ("notes 3", "text")),
        ({"notes": "\ud800"}, ("notes", "not text")),
        ({"notes": "x" * (LONGEST_NOTES + 1)}, ("notes", str(LONGEST_NOTES))),
        ({"note": "x"}, ("'note'", "notes")),
        ({"origin": ["x"]}, ("origin ['x']", "path")),
    ],
)
def test_that_what_is_wrong_is_a_short_sentence_that_names_the_place(change: Any, words: tuple[str, ...]) -> None:
    sentence = refusal({"format": 1, "spec": SPEC} | change)
    assert [word for word in words if word not in sentence] == []
    assert len(sentence) < 300


@pytest.mark.parametrize("text", ["", "{", "[1]", "nonsense", '{"format": 1, "spec": {', "[" * 100_000, "9" * 5000])
def test_that_what_is_no_json_object_is_refused(text: str) -> None:
    assert "JSON" in refusal(text)


def test_that_a_session_without_a_spec_is_refused() -> None:
    assert "'spec'" in refusal({"format": 1})


def test_that_no_session_is_made_whose_file_would_not_open() -> None:
    with pytest.raises(ValidationError, match="regression"):
        Session(spec=make_spec(SPEC), view=RegressionViewSettings())


def test_that_a_problem_knows_its_field_in_the_whole() -> None:
    with pytest.raises(SpecError) as caught:
        session_of({"format": 1, "spec": {"num_heads": 0}})
    assert caught.value.problems[0].field == "spec.num_heads"
    assert caught.value.problems[0].nearest == (1,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"num_heads": 4, "seed": 1, "num_heads": 5}', "'num_heads' is given twice; only one value can count"),
        ('{"format": 1, "spec": {"inputs": {"kind": "ones", "kind": "ones"}}}', "'kind' is given twice"),
        ('{"num_heads": true}', "num_heads True must be a whole number; nearest: 5"),
        ('{"temperature": false}', "temperature False must be a number; nearest: 1"),
        ('{"window": true}', "window True must be a whole number"),
        ('{"lab": "regression", "x_test": {"step": true}}', "x_test.step True must be a number; nearest: 0.5"),
        ('{"lab": "regression", "overlays": [{"width": true}]}', "overlays.0.width True must be a number"),
        (
            '{"lab": "regression", "data": {"kind": "points", "x": [1, true], "y": [1, 2]}}',
            "true and false are not numbers",
        ),
        ('{"format": 1, "spec": {}, "view": {"head": true}}', "in view: head True must be a whole number; nearest: 0"),
        ('{"device": "cuda:\u0663"}', "device 'cuda:\u0663' must be auto, cpu, mps or cuda:0"),
    ],
)
def test_that_a_value_given_twice_a_boolean_for_a_number_and_a_foreign_digit_are_refused(text: str, said: str) -> None:
    with pytest.raises(SpecError, match=re.escape(said)):
        session_or_spec_from_json(text)


def test_that_numbers_written_as_text_and_whole_floats_are_still_read() -> None:
    session = session_or_spec_from_json('{"num_heads": "4", "num_hiddens": 64.0, "causal": 1, "temperature": "2"}')
    assert session == session_or_spec_from_json('{"num_heads": 4, "num_hiddens": 64, "causal": true, "temperature": 2}')


def test_that_two_pins_of_one_lab_are_refused_and_none_is_none() -> None:
    spec = {"lab": "attention"}
    both = {"format": 3, "spec": spec, "pinned": spec | {"seed": 1}, "pins": {"attention": {"spec": spec}}}
    with pytest.raises(SpecError, match="only one can count"):
        session_of(both)
    assert session_of({"format": 3, "spec": spec, "pins": None}).all_pins == ()


@pytest.mark.parametrize("lab", LABS)
def test_that_a_sweep_is_only_in_the_sessions_where_one_was_chosen(lab: str) -> None:
    view, choice = LABS[lab].view_type(), SweepChoice(knobs=("num_heads=1,2",), seeds="0:3", measure="entropy")
    assert "sweep" not in json.loads(view.model_dump_json())
    written = view.model_copy(update={"sweep": choice}).model_dump_json()
    assert LABS[lab].view_type.model_validate_json(written).sweep == choice


@pytest.mark.parametrize("lab", LABS)
def test_that_only_fields_which_earlier_versions_do_not_know_are_left_out_at_their_defaults(lab: str) -> None:
    view = LABS[lab].view_type()
    written = json.loads(view.model_dump_json())
    read = {name for name, field in type(view).model_fields.items() if not field.exclude}
    later = {
        "attention": {"layer", "every_query", "mask_convention", "mask_blocks"},
        "train": {"every_query", "pairs_of_head"},
        "regression": {"contrast_by"},
    }
    assert read - written.keys() >= {"sweep", *later.get(lab, ())}
    for name in read - written.keys():
        others = {"sweep": SweepChoice(), "layer": 1, "contrast_by": "row", "seen_image": "a.png", "side": "cross"}
        others |= {"token_map": "raw", "map_heads": "max", "map_residual": 0.25, "attributed": "cat", "minus": 7}
        others |= {"corpus": RolesOverRuns(runs=3), "mask_convention": "masked", "mask_blocks": "16"}
        other = (others | {"image_fingerprint": "ab", "side": "cross"}).get(name, True)
        changed = view.model_copy(update={name: other})
        assert json.loads(changed.model_dump_json()).keys() - written.keys() == {name}
        assert LABS[lab].view_type.model_validate_json(changed.model_dump_json()) == changed
