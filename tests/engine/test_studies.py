"""Studies: each number of many fits at once is that of a run of its own, or of plain numpy."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plain_numpy import loss_and_gradient, nadaraya_watson
from pydantic import ValidationError
from running import regression_trace, stopping_after

from attnviz.definitions.functions.kernels import KERNELS
from attnviz.engine.regression import estimation as weighing
from attnviz.engine.regression import studies as regression_studies
from attnviz.engine.regression.samples import make_samples
from attnviz.engine.run import run
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression.spec import TEACHING_WIDTHS, RegressionSpec
from attnviz.experiment.regression.studies import (
    MOST_COLUMNS,
    MOST_ROWS,
    KernelGrid,
    KernelGridTrace,
    LossOverW,
    LossOverWTrace,
    Study,
    WidthErrors,
    WidthErrorsTrace,
)
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Failure

ALL_KERNELS = tuple(KERNELS)

FEW = {"kind": "synthetic", "n_train": 14, "noise": 0.3, "seed": 3}
SPARSE = {"kind": "points", "x": [0.1, 0.3, 4.0, 2.0, 2.05], "y": [1.0, -2.0, 0.5, 3.0, 2.5]}
SHORT = ("boxcar", "epanechnikov", "triangular")


def points(data: dict[str, Any] | None = None, **values: Any) -> RegressionSpec:
    """Return a spec whose points a study is about."""
    spec = make_spec({"lab": "regression", "device": "cpu", "data": data or FEW, **values})
    assert isinstance(spec, RegressionSpec)
    return spec


def outcome(study: Study, **options: Any) -> Any:
    (event,) = run(study, **options)
    return event


def own_run(of: RegressionSpec, kernel: str, width: float) -> RegressionTrace:
    chosen = {"data": of.data.model_dump(), "x_test": of.x_test.model_dump(), "kernel": kernel, "width": width}
    return regression_trace(**chosen)


@pytest.mark.parametrize("data", [FEW, SPARSE, {"kind": "book"}], ids=lambda data: data["kind"])
def test_that_every_cell_of_the_grid_is_the_run_of_its_kernel_and_width(data: dict[str, Any]) -> None:
    of = points(data)
    trace = outcome(KernelGrid(of=of))
    assert isinstance(trace, KernelGridTrace)
    assert trace.spec.kernels == ALL_KERNELS
    assert trace.spec.widths == TEACHING_WIDTHS
    for place in np.ndindex(5, 4):
        own = own_run(of, ALL_KERNELS[place[0]], TEACHING_WIDTHS[place[1]])
        np.testing.assert_array_equal(trace.weights[place], own.weights)
        np.testing.assert_array_equal(trace.y_hat[place], own.y_hat)
        assert trace.error_to_truth[place] == pytest.approx(own.error_to_truth, rel=1e-12, nan_ok=True)
        assert trace.left_out_error[place] == pytest.approx(own.left_out_error, rel=1e-12, nan_ok=True)
        plain = nadaraya_watson(own.x_test, own.x_train, ALL_KERNELS[place[0]], TEACHING_WIDTHS[place[1]])
        np.testing.assert_allclose(trace.weights[place], plain, atol=1e-12)
    for name in ("x_train", "y_train", "x_test", "y_truth"):
        np.testing.assert_array_equal(getattr(trace, name), getattr(own, name))


@pytest.mark.parametrize("block", [1000, 1 << 19])
@pytest.mark.parametrize(("queries", "keys"), [(97, 10), (40, 161), (250, 330), (MOST_ROWS, MOST_COLUMNS)])
def test_that_large_weights_are_kept_as_the_maxima_of_equal_blocks_and_their_fit_whole(
    queries: int, keys: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = points(FEW | {"n_train": keys}, x_test={"start": 0, "stop": 5, "step": 5 / queries})
    owns = [own_run(of, kernel, 0.05) for kernel in ("gaussian", "boxcar")]
    monkeypatch.setattr(weighing, "BLOCK_CELLS", block)
    trace = outcome(KernelGrid(of=of, kernels=("gaussian", "boxcar"), widths=(0.05,)))
    down, across = -(-queries // MOST_ROWS), -(-keys // MOST_COLUMNS)
    for own, y_hat, small in zip(owns, trace.y_hat[:, 0], trace.weights[:, 0], strict=True):
        assert own.weights.shape == (queries, keys)
        np.testing.assert_allclose(y_hat, own.y_hat, rtol=1e-12)
        assert small.shape[0] <= MOST_ROWS
        assert small.shape[1] <= MOST_COLUMNS
        of_rows = np.maximum.reduceat(own.weights, range(0, queries, down), axis=0)
        np.testing.assert_allclose(small, np.maximum.reduceat(of_rows, range(0, keys, across), axis=1), rtol=1e-12)
        assert small.max() == pytest.approx(own.weights.max(), rel=1e-12)


@pytest.mark.parametrize("data", [FEW, SPARSE], ids=lambda data: data["kind"])
@pytest.mark.parametrize("kernel", ["gaussian", *SHORT])
def test_that_errors_over_the_width_are_those_of_the_runs_at_each_width(kernel: Any, data: dict[str, Any]) -> None:
    of = points(data)
    trace = outcome(WidthErrors(of=of, kernel=kernel, count=9))
    assert isinstance(trace, WidthErrorsTrace)
    assert len(trace.widths) == 9
    steps = np.diff(np.log(trace.widths))
    np.testing.assert_allclose(steps, steps[0], rtol=1e-9)
    reach = np.ptp(make_samples(of).x_train)
    assert trace.widths[[0, -1]] == pytest.approx([reach / 500, reach])
    for place, width in enumerate(trace.widths):
        own = own_run(of, kernel, float(width))
        assert trace.error_to_truth[place] == pytest.approx(own.error_to_truth, rel=1e-12, nan_ok=True)
        assert trace.left_out_error[place] == pytest.approx(own.left_out_error, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("kernel", SHORT)
def test_that_the_shares_reached_count_queries_and_points_within_one_width(kernel: Any) -> None:
    of = points(SPARSE)
    trace = outcome(WidthErrors(of=of, kernel=kernel, count=30))
    samples = make_samples(of)
    x, queries = samples.x_train, samples.x_test
    for place, width in enumerate(trace.widths):
        near_queries = [any(abs(query - key) < width for key in x) for query in queries]
        near_points = [any(abs(x[i] - x[j]) < width for j in range(len(x)) if j != i) for i in range(len(x))]
        assert trace.queries_reached[place] == pytest.approx(sum(near_queries) / len(queries))
        assert trace.points_reached[place] == pytest.approx(sum(near_points) / len(x))
    assert trace.points_reached[0] < trace.points_reached[-1]
    everywhere = outcome(WidthErrors(of=of, kernel="gaussian", count=5))
    assert (everywhere.queries_reached == 1).all()
    assert (everywhere.points_reached == 1).all()


@pytest.mark.parametrize(
    ("errors", "reached", "best"),
    [
        ([3.0, 1.0, 2.0], [1.0, 1.0, 1.0], 1),
        ([0.1, 1.0, 2.0], [0.5, 1.0, 1.0], 1),
        ([0.1, np.nan, 2.0], [0.5, 1.0, 1.0], 2),
        ([0.1, 0.3, 0.2], [0.5, 0.9, 0.9], 2),
        ([np.inf, 5.0, 6.0], [1.0, 0.5, 0.5], 1),
        ([np.nan, np.nan, np.nan], [0.0, 0.0, 0.0], None),
        ([2.0, 2.0, 3.0], [1.0, 1.0, 1.0], 0),
    ],
)
def test_that_the_best_width_is_the_least_error_among_those_that_reach_most(
    errors: list[float], reached: list[float], best: int | None
) -> None:
    study = WidthErrors(of=points(), kernel="boxcar", count=3)
    nothing = np.full(3, np.nan)
    trace = WidthErrorsTrace(study, np.array([0.1, 0.2, 0.5]), nothing, nothing, nothing, nothing)
    assert trace.best(np.array(errors), np.array(reached)) == best


def test_that_without_a_known_truth_and_with_one_point_no_error_is_made_up(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("1.5,2\n")
    trace = outcome(WidthErrors(of=points({"kind": "file", "path": str(tmp_path / "one.csv")}), kernel="gaussian"))
    for errors in (trace.error_to_truth, trace.left_out_error):
        assert np.isnan(errors).all()
    assert trace.best(trace.left_out_error, trace.points_reached) is None
    assert trace.points_reached[0] == 0
    assert np.isfinite(trace.widths).all()


@pytest.mark.parametrize("leave_one_out", [True, False])
def test_that_the_loss_over_w_is_the_one_of_plain_numpy_on_both_sides_of_zero(leave_one_out: bool) -> None:
    of = points(leave_one_out=leave_one_out)
    trace = outcome(LossOverW(of=of, low=-2.0, high=6.0, count=17))
    assert isinstance(trace, LossOverWTrace)
    np.testing.assert_array_equal(trace.w, np.linspace(-2, 6, 17))
    samples = make_samples(of)
    plain = [loss_and_gradient(float(w), samples.x_train, samples.y_train, leave_one_out)[0] for w in trace.w]
    np.testing.assert_allclose(trace.loss, plain, rtol=1e-9)
    assert np.ptp(trace.loss) > 0.1


@pytest.mark.parametrize("leave_one_out", [True, False])
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_that_what_a_training_notes_at_each_step_lies_on_the_curve(optimizer: str, leave_one_out: bool) -> None:
    chosen: dict[str, Any] = {"optimizer": optimizer, "leave_one_out": leave_one_out, "learning_rate": 0.05}
    trained = regression_trace(data=FEW, estimator="parametric", w_init=0.5, epochs=8, **chosen)
    of = points(leave_one_out=leave_one_out)
    for step in range(8):
        w = float(trained.w_path[step, 0])
        at = outcome(LossOverW(of=of, low=w, high=w + 1, count=2))
        assert at.loss[0] == pytest.approx(trained.loss[step], rel=1e-9)


STUDIES = {
    "kernels": KernelGrid(of=points()),
    "widths": WidthErrors(of=points(), kernel="triangular"),
    "loss": LossOverW(of=points(), low=0, high=5),
    "loss with itself": LossOverW(of=points(leave_one_out=False), low=0, high=5),
}


@pytest.mark.parametrize("name", STUDIES)
def test_that_a_study_asked_to_stop_at_once_has_no_event(name: str) -> None:
    assert list(run(STUDIES[name], should_stop=lambda: True)) == []


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize("block", [14, 1 << 19])
@pytest.mark.parametrize("questions", [1, 2, 3, 7])
def test_that_a_study_asked_to_stop_between_fits_or_blocks_ends_soon_and_without_an_event(
    questions: int, block: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weighing, "BLOCK_CELLS", block)
    answers: list[bool] = []
    stop = stopping_after(questions)

    def should_stop() -> bool:
        answers.append(stop())
        return answers[-1]

    assert list(run(STUDIES[name], should_stop=should_stop)) == []
    assert sum(answers) <= 25  # and no longer than a question a fit


@pytest.mark.parametrize("name", STUDIES)
def test_that_a_study_is_one_finished_event_that_nobody_can_write_to(name: str) -> None:
    event = outcome(STUDIES[name])
    assert event.final
    event.prepare()
    assert event.spec is STUDIES[name]
    arrays = [getattr(event, field.name) for field in fields(event) if field.name != "spec"]
    assert arrays
    for array in arrays:
        assert array.dtype == np.float64
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize("name", STUDIES)
def test_that_a_study_goes_through_json_and_cannot_be_changed(name: str) -> None:
    study = STUDIES[name]
    read = type(study).model_validate(json.loads(study.model_dump_json()))
    assert read == study
    assert hash(read) == hash(study)
    assert (study.lab, study.trains) == ("regression", False)
    with pytest.raises(ValidationError):
        study.of = points()
    with pytest.raises(ValidationError):
        type(study).model_validate(study.model_dump() | {"colour": "red"})


def test_that_leaving_one_out_of_one_point_is_a_failure_that_says_so() -> None:
    one = {"kind": "points", "x": [1.0], "y": [2.0]}
    study = LossOverW(of=points(one), low=0, high=5)
    failure = outcome(study)
    assert isinstance(failure, Failure)
    assert failure.code == "too_few_points"
    assert "at least 2 training points" in failure.message
    assert failure.spec is study
    own = outcome(LossOverW(of=points(one, leave_one_out=False), low=0, high=5, count=3))
    np.testing.assert_array_equal(own.loss, 0.0)


def test_that_of_two_points_each_is_estimated_as_the_other_whatever_w_is() -> None:
    two = {"kind": "points", "x": [1.0, 3.0], "y": [2.0, 5.0]}
    trace = outcome(LossOverW(of=points(two), low=-1, high=5, count=4))
    np.testing.assert_array_equal(trace.loss, (2 - 5) ** 2 + (5 - 2) ** 2)


@pytest.mark.parametrize("study", [KernelGrid, WidthErrors, LossOverW], ids=lambda kind: kind.__name__)
def test_that_a_missing_file_is_a_failure_that_names_it(study: Any, tmp_path: Path) -> None:
    more = {WidthErrors: {"kernel": "gaussian"}, LossOverW: {"low": 0.0, "high": 1.0}}.get(study, {})
    path = str(tmp_path / "gone.csv")
    failure = outcome(study(of=points({"kind": "file", "path": path}), **more))
    assert isinstance(failure, Failure)
    assert path in failure.message


@pytest.mark.parametrize(
    ("wanted", "cells", "count"), [(64, 4_000, 24), (64, 14 * 24 * 30, 30), (7, 1, 7), (64, 10**9, 64)]
)
def test_that_the_more_points_there_are_the_fewer_fits_are_made_but_never_next_to_none(
    wanted: int, cells: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regression_studies, "_MANY_CELLS", cells)
    trace = outcome(WidthErrors(of=points(), kernel="gaussian", count=wanted))  # 14 points, 10 queries
    assert len(trace.widths) == count
    assert np.isfinite(trace.error_to_truth).all()
    losses = outcome(LossOverW(of=points(), low=0, high=5, count=wanted))
    assert len(losses.w) == min(wanted, max(24, cells // 14**2))
    assert losses.w[[0, -1]].tolist() == [0, 5]


def test_that_a_grid_of_many_points_has_no_left_out_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "LEFT_OUT_UP_TO", 13)
    trace = outcome(KernelGrid(of=points(), kernels=("gaussian",), widths=(0.5,)))
    assert np.isnan(trace.left_out_error).all()
    assert np.isfinite(trace.error_to_truth).all()
