"""The parts of a regression spec: overlays, formulas, and where their problems stand."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from legal_specs import FORMULAS, SHORT_KERNELS, overlay_lists
from regressions import regression, the_problem

from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.labs import spec_to_json
from attnviz.experiment.regression.data import FileData, PointsData, SyntheticData, truth_line
from attnviz.experiment.regression.spec import MOST_HEADS, MOST_OVERLAYS, TEACHING_WIDTHS, Overlay, RegressionSpec


def fixed(width: float, kernel: str = "gaussian") -> dict[str, Any]:
    return {"estimator": "nonparametric", "kernel": kernel, "width": width}


LEARNED, AVERAGE = {"estimator": "parametric"}, {"estimator": "average"}


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (AVERAGE, AVERAGE),
        (AVERAGE, AVERAGE | {"width": 0.1, "kernel": "boxcar"}),
        (AVERAGE, fixed(0.3, "constant")),
        (fixed(0.3, "constant"), fixed(0.4, "constant")),
        (LEARNED, LEARNED | {"width": 0.1, "kernel": "boxcar"}),
        (fixed(0.5, "triangular"), fixed(0.5, "triangular")),
    ],
    ids=str,
)
def test_that_two_overlays_of_one_curve_are_refused_with_their_places(
    first: dict[str, Any], again: dict[str, Any]
) -> None:
    problem = the_problem(overlays=[fixed(7), first, fixed(8), again])
    assert (problem.field, problem.code) == ("overlays", "overlay_twice")
    assert problem.message == "overlays 2 and 4 are the same curve; nearest: one of them"
    assert (problem.numbers["first"], problem.numbers["second"]) == (2, 4)


def test_that_overlays_which_differ_in_kernel_or_width_alone_are_other_curves() -> None:
    several = [fixed(0.1), fixed(0.2), fixed(0.1, "boxcar"), fixed(0.1, "triangular"), AVERAGE, LEARNED]
    spec = regression(overlays=several)
    assert [overlay.model_dump(exclude_unset=True) for overlay in spec.overlays] == several
    assert len({overlay.identity for overlay in spec.overlays}) == 6


def test_that_there_may_be_so_many_overlays_and_no_more() -> None:
    widths = [fixed(0.1 + place) for place in range(MOST_OVERLAYS + 1)]
    assert len(regression(overlays=widths[:-1]).overlays) == MOST_OVERLAYS
    problem = the_problem(overlays=widths)
    assert (problem.field, problem.code) == ("overlays", "too_long")
    assert problem.message == f"overlays holds more than {MOST_OVERLAYS} entries; nearest: {MOST_OVERLAYS}"


@given(overlays=overlay_lists())
def test_that_overlays_come_back_from_json_in_their_order(overlays: list[dict[str, Any]]) -> None:
    spec = regression(overlays=overlays)
    back = session_or_spec_from_json(spec_to_json(spec)).spec
    assert back == spec
    assert [overlay.model_dump() for overlay in spec.overlays] == overlays
    assert spec.learns == any(overlay["estimator"] == "parametric" for overlay in overlays)


@pytest.mark.parametrize(
    ("overlays", "field", "sentence"),
    [
        ([{"width": 0}], "overlays.0.width", "overlays.0.width 0 must be at least 1e-06; nearest: 1e-06"),
        ([AVERAGE, {"width": 1e7}], "overlays.1.width", "must be at most 1000000; nearest: 1000000"),
        ([{"kernel": "triangel"}], "overlays.0.kernel", "'triangel' must be one of"),
        ([{"estimator": "mean"}], "overlays.0.estimator", "'mean' must be one of 'average', 'nonparametric'"),
        ([{"colour": 3}], "overlays.0.colour", "there is no field 'colour'"),
        ([5], "overlays.0", "overlays.0 5 must be an object"),
        (5, "overlays", "overlays 5 must be a list; nearest: []"),
    ],
    ids=str,
)
def test_that_a_problem_of_an_overlay_stands_at_its_place(overlays: Any, field: str, sentence: str) -> None:
    problem = the_problem(overlays=overlays)
    assert problem.field == field
    assert sentence in problem.message


@pytest.mark.parametrize("kind", ["synthetic", "points"])
@pytest.mark.parametrize(
    ("formula", "code", "sentence"),
    [
        ("", "formula_empty", "formula is empty"),
        ("x +", None, ""),
        ("import os", None, ""),
        ("2 * {x}", None, ""),
        ("sine(x)", None, "sine"),
    ],
    ids=repr,
)
def test_that_a_formula_which_is_none_is_a_problem_of_its_own_field(
    kind: str, formula: str, code: str | None, sentence: str
) -> None:
    points = {"x": [1.0], "y": [2.0]} if kind == "points" else {}
    problem = the_problem(data={"kind": kind, "function": "formula", "formula": formula, **points})
    assert problem.field == "data.formula"
    assert code in (None, problem.code)
    assert problem.message.startswith("formula")
    assert sentence in problem.message
    # The same text is nobody's business while another function counts.
    spec = regression(data={"kind": kind, "function": "sinc", "formula": formula, **points})
    assert session_or_spec_from_json(spec_to_json(spec)).spec == spec


@pytest.mark.parametrize("formula", FORMULAS)
def test_that_a_spec_with_a_formula_comes_back_from_json(formula: str) -> None:
    for data in ({"kind": "synthetic"}, {"kind": "points", "x": [1.5, -2.0], "y": [0.1, 1e100]}):
        spec = regression(data={**data, "function": "formula", "formula": formula})
        assert session_or_spec_from_json(spec_to_json(spec)).spec == spec
        assert isinstance(spec.data, SyntheticData | PointsData)
        assert (spec.data.function, spec.data.formula) == ("formula", formula)


def test_that_a_formula_too_long_is_told_at_its_field() -> None:
    long = "1+" * 100 + "1"
    problem = the_problem(data={"kind": "synthetic", "function": "formula", "formula": long})
    assert problem.field == "data.formula"
    assert "holds 201 characters; nearest: 200" in problem.message
    assert regression(data={"kind": "synthetic", "formula": long}).data.formula == long  # which does not count


def test_that_points_belong_to_no_function_unless_they_say_so() -> None:
    spec = regression(data={"kind": "points", "x": [1], "y": [2]})
    assert isinstance(spec.data, PointsData)
    assert (spec.data.function, spec.data.formula) == (None, "")
    problem = the_problem(data={"kind": "points", "x": [1], "y": [2], "function": "cos"})
    assert problem.field == "data.points.function"


def test_that_a_spec_of_before_is_still_read_with_the_textbooks_ways_for_what_it_does_not_say() -> None:
    old = (
        '{"lab": "regression", "data": {"kind": "synthetic", "function": "chirp", "n_train": 9, "noise": 0.1, '
        '"seed": 2}, "estimator": "parametric", "kernel": "gaussian", "width": 1.0, "leave_one_out": true, '
        '"learning_rate": 0.5, "epochs": 5, "w_init": null, "seed": 0, "device": "auto"}'
    )
    spec = session_or_spec_from_json(old).spec
    assert isinstance(spec, RegressionSpec)
    assert (spec.optimizer, spec.num_heads, spec.overlays, spec.mask_policy) == ("sgd", 1, (), "zero")


def test_that_what_trains_and_what_learns_is_told_apart() -> None:
    assert [regression(**values).trains for values in ({}, AVERAGE, LEARNED)] == [False, False, True]
    assert [regression(overlays=overlays).learns for overlays in ([], [AVERAGE], [LEARNED])] == [False, False, True]
    assert not regression(overlays=[LEARNED]).trains


def test_that_the_widths_of_the_exercises_are_a_click_away_and_short_kernels_are_those_that_end() -> None:
    knob = RegressionSpec.model_fields["width"].json_schema_extra
    assert isinstance(knob, dict)
    assert knob["clicks"] == list(TEACHING_WIDTHS) == [0.1, 0.2, 0.5, 1.0]
    assert set(SHORT_KERNELS) == {"boxcar", "epanechnikov", "triangular"}
    assert regression(num_heads=MOST_HEADS).num_heads == 8
    assert math.isclose(Overlay().width, 1.0)


def test_that_the_line_of_the_truth_has_gaps_where_the_function_is_no_number() -> None:
    data = SyntheticData(function="formula", formula="sqrt(x - 1)")
    x, y = truth_line(data, np.array([0.0, 2.0]))
    np.testing.assert_array_equal(np.isnan(y), x < 1)
    assert np.isnan(truth_line(FileData(path="points.csv"), np.arange(3.0))[1]).all()
    np.testing.assert_array_equal(truth_line(SyntheticData(function="formula", formula="2"), np.arange(3.0))[1], 2)
