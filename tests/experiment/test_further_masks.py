"""Masks without a field of their own: read, refused with a sentence, written, compared and swept."""

import json
from typing import Any

import pytest
from registered import registered

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.masks import MASKS
from attnviz.definitions.masks.mask import Mask, MaskCode
from attnviz.experiment.fields.differences import differences
from attnviz.experiment.files.session import Session, session_from_json, session_to_json
from attnviz.experiment.labs import SpecError, make_spec, spec_to_json
from attnviz.experiment.sweeps.frames import parse_sweep

STRIPES = Mask(
    name="stripes",
    title="Stripes",
    help="Some diagonals alone.",
    knobs=(
        NumberKnob(name="every", title="Every", help="Their distance.", default=2, least=1, greatest=9),
        NumberKnob(name="tilt", title="Tilt", help="Their slope.", default=1, least=0.5, greatest=2, whole=False),
    ),
    allows=lambda knobs, b, h, i, j, xp: (i - j) % knobs["every"] == 0,
    reason="between the stripes",
    formula="i - j",
    spoken="i minus j",
    words="stripes",
    code=lambda knobs: MaskCode(rule=f"(i - j) % {knobs['every']} == 0"),
)

_registered = registered(MASKS, STRIPES)


def spec(masks: Any, **values: Any) -> Any:
    return make_spec({"masks": masks, **values})


def test_that_knobs_that_are_not_given_have_their_defaults() -> None:
    found = spec({"stripes": {"every": 3.0}})
    assert found == spec({"stripes": {"tilt": 1, "every": 3}})
    assert found.masks == {"stripes": {"every": 3, "tilt": 1.0}}
    assert [type(value) for value in found.masks["stripes"].values()] == [int, float]


def test_that_equal_masks_are_equal_specs_with_one_hash() -> None:
    one, other, none = spec({"stripes": {}}), spec({"stripes": {"every": 2}}), spec({})
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, none, make_spec({})}) == 2
    assert none == make_spec({})


def test_that_masks_are_written_where_there_are_any_and_read_back() -> None:
    found = spec({"stripes": {"every": 4}})
    assert json.loads(spec_to_json(found))["masks"] == {"stripes": {"every": 4, "tilt": 1.0}}
    assert session_from_json(session_to_json(Session(spec=found, pinned=found))) == Session(spec=found, pinned=found)
    assert "masks" not in json.loads(spec_to_json(make_spec({})))
    assert "masks" not in json.loads(session_to_json(Session(spec=make_spec({}))))["spec"]


@pytest.mark.parametrize(
    ("masks", "field", "sentence"),
    [
        ({"strips": {}}, "masks", "there is no mask 'strips' in masks; nearest: stripes"),
        ({"causal": {}}, "masks", "there is no mask 'causal' in masks"),
        (["stripes"], "masks", "masks ['stripes'] must be an object with a mask's name for each"),
        ({"stripes": 3}, "masks.stripes", "masks.stripes 3 must be an object with a number for each setting"),
        ({"stripes": {"ever": 3}}, "masks.stripes", "there is no setting 'ever' in masks.stripes; nearest: every"),
        ({"stripes": {"every": 0}}, "masks.stripes.every", "masks.stripes.every 0 must be at least 1; nearest: 1"),
        ({"stripes": {"every": 99}}, "masks.stripes.every", "masks.stripes.every 99 must be at most 9; nearest: 9"),
        (
            {"stripes": {"every": 2.6}},
            "masks.stripes.every",
            "masks.stripes.every 2.6 must be a whole number; nearest: 3",
        ),
        (
            {"stripes": {"every": True}},
            "masks.stripes.every",
            "masks.stripes.every True must be a whole number; nearest: 2",
        ),
        ({"stripes": {"tilt": "{x}"}}, "masks.stripes.tilt", "masks.stripes.tilt '{x}' must be a number; nearest: 1"),
        (
            {"stripes": {"tilt": float("nan")}},
            "masks.stripes.tilt",
            "masks.stripes.tilt nan must be a number; nearest: 1",
        ),
        ({"stripes": {"tilt": 10**400}}, "masks.stripes.tilt", None),
    ],
)
def test_that_what_is_wrong_is_said_with_the_nearest(masks: Any, field: str, sentence: str | None) -> None:
    with pytest.raises(SpecError) as caught:
        spec(masks)
    (problem,) = caught.value.problems
    assert problem.field == field
    if sentence is not None:
        assert problem.message == sentence
    if "; nearest: " in problem.message and problem.nearest:
        mask, knob = field.split(".")[1:]
        assert spec({mask: {knob: problem.nearest[0]}})


def test_that_two_specs_differ_by_their_masks_in_words() -> None:
    found = differences(make_spec({}), spec({"stripes": {"every": 3}}))
    assert [str(each) for each in found] == ["masks: none → stripes (every 3, tilt 1)"]


def test_that_a_knob_of_a_mask_is_swept_and_turns_its_mask_on() -> None:
    sweep = parse_sweep("masks.stripes.every=1:4", make_spec({}))
    assert [each.spec for each in sweep.specs] == [spec({"stripes": {"every": every}}) for every in (1, 2, 3, 4)]
    assert not sweep.changes_points
    steps = parse_sweep("masks.stripes.tilt=0.5,9", spec({"stripes": {"every": 3}}))
    assert [each.spec.masks["stripes"] for each in steps.specs] == [{"every": 3, "tilt": 0.5}]  # type: ignore[union-attr]
    assert [str(each.why) for each in steps.left_out] == ["masks.stripes.tilt 9 must be at most 2; nearest: 2"]


def test_that_a_knob_that_no_mask_has_is_not_swept() -> None:
    with pytest.raises(
        SpecError, match=r"there is no field 'masks\.stripes\.evry' in this spec; nearest: masks\.stripes\.every"
    ):
        parse_sweep("masks.stripes.evry=1:4", make_spec({}))
