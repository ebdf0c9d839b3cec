import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import regression_values
from pydantic import ValidationError
from regressions import regression, the_problem

from attnviz.definitions.functions.sample_functions import DOMAIN
from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.labs import spec_to_json
from attnviz.experiment.regression.data import MAX_POINTS, Grid
from attnviz.experiment.regression.spec import Overlay, RegressionSpec


def points(x: list[float], y: list[float]) -> dict[str, Any]:
    return {"kind": "points", "x": x, "y": y}


@pytest.mark.parametrize(
    ("values", "field", "sentence"),
    [
        (
            {"estimator": "parametric", "kernel": "boxcar"},
            "kernel",
            "kernel 'boxcar' cannot have a learned width here; nearest: gaussian",
        ),
        ({"x_test": {"start": 5, "stop": 0}}, "x_test", "x_test stop 0.0 must be above start 5.0; nearest: 5.5"),
        (
            {"x_test": {"step": 1e-5}},
            "x_test",
            "x_test step 1e-05 makes more than 20000 queries; nearest step: 0.00025",
        ),
        ({"x_test": {"stop": 1e7}}, "x_test.stop", "x_test.stop 10000000 must be at most 2000000"),
        ({"x_test": 5}, "x_test", "x_test 5 must be an object"),
        ({"data": points([1, 2], [1])}, "data", "as many y as x, and at least one; got 2 x and 1 y"),
        ({"data": {"kind": "points"}}, "data", "at least one; got 0 x and 0 y"),
        ({"data": points([1, math.nan], [1, 2])}, "data", "x nan of point 1 must be a finite number, at most 1e+100"),
        ({"data": points([1], [-1e101])}, "data", "y -1e+101 of point 0 must be a finite number, at most 1e+100"),
        ({"data": {"kind": "synthetic", "n_train": 0}}, "data.synthetic.n_train", "0 must be at least 1; nearest: 1"),
        ({"data": {"kind": "synthetic", "function": "cos"}}, "data.synthetic.function", "'cos' must be one of 'book'"),
        ({"data": {"kind": "lost"}}, "data", "kind 'lost' must be one of 'book', 'synthetic', 'file', 'points'"),
        ({"epochs": 0}, "epochs", "epochs 0 must be at least 1; nearest: 1"),
        ({"width": 0}, "width", "width 0 must be at least 1e-06; nearest: 1e-06"),
        ({"learning_rate": -1}, "learning_rate", "learning_rate -1 must be above 0"),
        ({"w_init": "x"}, "w_init", "w_init 'x' must be a number"),
        ({"num_hiddens": 2}, "num_hiddens", "there is no field 'num_hiddens'"),
        ({"num_heads": 0}, "num_heads", "num_heads 0 must be at least 1; nearest: 1"),
        ({"num_heads": 9}, "num_heads", "num_heads 9 must be at most 8; nearest: 8"),
        ({"momentum": 1}, "momentum", "momentum 1 must be below 1; nearest: 0.99"),
        ({"momentum": -0.1}, "momentum", "momentum -0.1 must be at least 0; nearest: 0"),
        ({"optimizer": "adamw"}, "optimizer", "optimizer 'adamw' must be one of 'sgd', 'momentum' or 'adam'"),
        ({"mask_policy": "one"}, "mask_policy", "mask_policy 'one' must be one of 'zero', 'book' or 'inf'"),
        ({"kernel": "triangle"}, "kernel", "; nearest: triangular"),
        (
            {"estimator": "parametric", "kernel": "triangular"},
            "kernel",
            "kernel 'triangular' cannot have a learned width here; nearest: gaussian",
        ),
    ],
)
def test_that_a_problem_stands_at_its_field_and_names_the_value_and_the_rule(
    values: dict[str, Any], field: str, sentence: str
) -> None:
    problem = the_problem(**values)
    assert problem.field == field
    assert sentence in problem.message


@given(start=st.floats(-1e3, 1e3), span=st.floats(0.01, 1e3), count=st.integers(1, 300))
def test_that_a_grid_runs_in_equal_steps_from_start_to_below_stop(start: float, span: float, count: int) -> None:
    grid = Grid(start=start, stop=start + span, step=span / count)
    x = grid.points()
    assert len(x) == grid.count
    assert x[0] == start
    assert x[-1] < grid.stop
    assert x[-1] + grid.step >= grid.stop - 1e-6 * grid.step
    np.testing.assert_allclose(np.diff(x), grid.step, rtol=1e-6)


def test_that_the_grid_of_the_book_has_its_ten_queries() -> None:
    assert Grid().points().tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]


@pytest.mark.parametrize(("step", "count"), [(0.1, 50), (0.05, 100), (1 / 3, 15), (5.0, 1), (7.0, 1)])
def test_that_rounding_adds_no_query_at_the_stop(step: float, count: int) -> None:
    assert Grid(step=step).count == count


def test_that_a_grid_may_have_exactly_as_many_queries_as_are_allowed() -> None:
    assert Grid(step=5 / MAX_POINTS).count == MAX_POINTS


@given(values=regression_values())
def test_that_a_legal_spec_comes_back_from_json_as_it_was(values: dict[str, Any]) -> None:
    spec = regression(**values)
    assert session_or_spec_from_json(spec_to_json(spec)).spec == spec
    assert hash(session_or_spec_from_json(spec_to_json(spec)).spec) == hash(spec)


@given(values=regression_values())
def test_that_every_given_value_stands_in_the_spec(values: dict[str, Any]) -> None:
    dumped = regression(**values).model_dump(mode="json")
    assert {name: dumped[name] for name in values} == values


@pytest.mark.parametrize("name", ["width", "data", "x_test", "lab"])
def test_that_a_spec_cannot_be_changed(name: str) -> None:
    spec = regression()
    with pytest.raises(ValidationError):
        setattr(spec, name, getattr(spec, name))
    with pytest.raises(ValidationError):
        spec.x_test.step = 1.0


TRAINING = {"leave_one_out", "optimizer", "learning_rate", "momentum", "epochs", "w_init", "seed", "num_heads"}
LEARNED, AVERAGE = Overlay(estimator="parametric"), Overlay()


@pytest.mark.parametrize(
    ("values", "idle"),
    [
        ({"estimator": "average"}, TRAINING | {"kernel", "width", "mask_policy"}),
        ({"estimator": "nonparametric", "kernel": "gaussian"}, TRAINING | {"mask_policy"}),
        ({"estimator": "nonparametric", "kernel": "constant"}, TRAINING | {"width", "mask_policy"}),
        ({"estimator": "nonparametric", "kernel": "boxcar"}, TRAINING),
        ({"estimator": "nonparametric", "kernel": "epanechnikov"}, TRAINING),
        ({"estimator": "nonparametric", "kernel": "triangular"}, TRAINING),
        ({"estimator": "parametric"}, {"kernel", "width", "mask_policy", "momentum"}),
        ({"estimator": "parametric", "optimizer": "adam"}, {"kernel", "width", "mask_policy", "momentum"}),
        ({"estimator": "parametric", "optimizer": "momentum"}, {"kernel", "width", "mask_policy"}),
        ({"estimator": "average", "overlays": (AVERAGE,)}, TRAINING | {"kernel", "width", "mask_policy"}),
        ({"estimator": "average", "overlays": (AVERAGE, LEARNED)}, {"kernel", "width", "mask_policy", "momentum"}),
        ({"kernel": "boxcar", "overlays": (LEARNED,), "optimizer": "momentum"}, set()),
    ],
)
def test_that_only_the_fields_that_matter_to_the_estimator_are_active(values: dict[str, Any], idle: set[str]) -> None:
    assert set(RegressionSpec.model_fields) - RegressionSpec.active_fields(values) == idle


@pytest.mark.parametrize("values", [{}, {"estimator": 5}, {"estimator": ["average"]}, {"overlays": 5 * ["?"]}])
def test_that_active_fields_can_be_asked_about_values_that_are_not_yet_valid(values: dict[str, Any]) -> None:
    assert "estimator" in RegressionSpec.active_fields(values)


def test_that_training_inputs_lie_between_0_and_5_as_in_the_book() -> None:
    assert DOMAIN == (0.0, 5.0)


def test_that_a_step_too_small_to_count_is_a_problem_and_no_exception() -> None:
    assert the_problem(x_test={"start": -1e6, "stop": 1e6, "step": 5e-324}).field == "x_test"


@pytest.mark.parametrize("grid", [{"stop": 1e-300, "step": 1}, {"start": 0, "stop": 1e-5, "step": 1e6}])
def test_that_a_grid_has_at_least_its_start(grid: dict[str, float]) -> None:
    assert regression(x_test=grid).x_test.points().tolist() == [0.0]


def test_that_the_nearest_step_is_a_legal_one() -> None:
    stop = 3.00001
    nearest = the_problem(x_test={"stop": stop, "step": 1e-6}).numbers["nearest"]
    assert regression(x_test={"stop": stop, "step": nearest}).x_test.count <= MAX_POINTS


def test_that_a_sentence_stays_short_however_small_the_step_is() -> None:
    assert len(the_problem(x_test={"step": 1e-300}).message) < 250


@pytest.mark.parametrize("grid", [{"start": 1e6, "stop": 0}, {"start": 5, "stop": 5, "step": 1e6}])
def test_that_the_nearest_stop_is_a_legal_one(grid: dict[str, float]) -> None:
    nearest = the_problem(x_test=grid).numbers["nearest"]
    assert regression(x_test={**grid, "stop": nearest}).x_test.count >= 1
