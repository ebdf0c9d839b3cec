"""Overlays: the curve of each is that of a run of its own."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from legal_specs import overlay_lists, regression_values
from running import events, regression_trace, regression_traces, stopping_after

from attnviz.engine.regression import run as regression
from attnviz.engine.run import run
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression.spec import MOST_OVERLAYS, RegressionSpec
from attnviz.experiment.regression.trace import OverlayCurve, RegressionTrace
from attnviz.experiment.run import Failure

LEARNED = {"estimator": "parametric"}
SEVERAL = [LEARNED, {"estimator": "average"}, {"estimator": "nonparametric", "kernel": "boxcar", "width": 0.2}]
DIVERGING = {"kind": "points", "x": [1.0, 2.0, 4.0], "y": [1e100, 0.0, -1e100]}


def alone(trace: RegressionTrace, curve: OverlayCurve) -> RegressionTrace:
    """Return the last trace of the run of an overlay by itself."""
    *_, found = run(trace.spec.drawn_as(curve.overlay))
    assert isinstance(found, RegressionTrace), found
    return found


@given(values=regression_values(), overlays=overlay_lists())
def test_that_each_curve_is_that_of_the_run_of_its_own_spec(
    values: dict[str, Any], overlays: list[dict[str, Any]]
) -> None:
    trace = events(values | {"learning_rate": 0.01, "overlays": overlays})[-1]
    assert isinstance(trace, RegressionTrace), trace
    assert [curve.overlay.model_dump() for curve in trace.curves] == overlays
    for curve in trace.curves:
        own = alone(trace, curve)
        np.testing.assert_allclose(curve.y_hat, own.curve, rtol=1e-12, atol=1e-12)
        assert curve.error_to_truth == pytest.approx(own.error_to_truth, rel=1e-9, nan_ok=True)
        if own.spec.mask_policy != "book":  # of which test_left_out_error tells
            assert curve.left_out_error == pytest.approx(own.left_out_error, rel=1e-9, nan_ok=True)
        assert curve.w == own.w_now
        assert (curve.w is None) == (curve.overlay.estimator != "parametric")


@pytest.mark.parametrize("own", [{}, {"estimator": "average"}, {"kernel": "triangular"}, LEARNED], ids=str)
def test_that_overlays_move_no_number_of_the_fit_itself(own: dict[str, Any]) -> None:
    plain, drawn_over = (regression_trace(**own, overlays=overlays) for overlays in ([], SEVERAL))
    assert len(drawn_over.curves) == 3
    for name, array in plain.arrays().items():
        assert drawn_over.arrays()[name].tobytes() == array.tobytes(), name
    stacked = drawn_over.arrays()["overlays_y_hat"]
    np.testing.assert_array_equal(stacked, [curve.y_hat for curve in drawn_over.curves])


def test_that_every_step_of_a_training_has_the_same_curves() -> None:
    traces = regression_traces(**LEARNED, overlays=SEVERAL, untrained_first=True)
    assert len(traces) == 6
    assert all(trace.curves is traces[0].curves for trace in traces)
    assert [trace.final for trace in traces] == [False] * 5 + [True]


def test_that_a_learned_overlay_of_several_heads_is_the_run_of_as_many() -> None:
    trace = regression_trace(num_heads=3, learning_rate=0.02, w_init=0.5, optimizer="adam", overlays=[LEARNED])
    (curve,) = trace.curves
    own = alone(trace, curve)
    assert own.num_heads == 3
    np.testing.assert_allclose(curve.y_hat, own.y_hat, rtol=1e-12)
    assert curve.w == own.w_path[-1, 0]


def test_that_a_learned_overlay_which_diverges_is_a_gap_and_the_run_goes_on() -> None:
    (trace,) = regression_traces(data=DIVERGING, w_init=0.5, overlays=[LEARNED, {"estimator": "average"}])
    gap, average = trace.curves
    assert np.isnan(gap.y_hat).all()
    assert gap.w is not None
    assert np.isnan([gap.error_to_truth, gap.left_out_error, gap.w]).all()
    np.testing.assert_allclose(average.y_hat, 0.0, atol=1e85)
    assert np.isfinite(trace.y_hat).all()
    assert trace.final


def test_that_an_overlay_whose_run_of_its_own_diverges_is_a_gap_throughout() -> None:
    values = {"data": DIVERGING, "w_init": 0.5, "epochs": 1, "leave_one_out": False}
    assert isinstance(events({"lab": "regression", **values, **LEARNED})[-1], Failure)
    (curve,) = regression_trace(**values, overlays=[LEARNED]).curves
    assert np.isnan(curve.y_hat).all()


def test_that_a_learned_overlay_of_a_single_point_is_a_gap() -> None:
    one = {"kind": "points", "x": [1.0], "y": [7.0]}
    trace = regression_trace(data=one, overlays=[LEARNED])
    assert np.isnan(trace.curves[0].y_hat).all()
    assert trace.y_hat.tolist() == [7.0] * 10


def test_that_overlays_which_take_long_come_after_a_first_trace_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = regression_trace(overlays=SEVERAL)
    monkeypatch.setattr(regression, "_AT_ONCE", 0)
    first, second = regression_traces(overlays=SEVERAL)
    assert (first.curves, first.final, second.final) == ((), False, True)
    assert first.weights is second.weights
    assert "overlays_y_hat" not in first.arrays()
    np.testing.assert_array_equal(second.arrays()["overlays_y_hat"], at_once.arrays()["overlays_y_hat"])


def test_that_a_fit_without_overlays_never_comes_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regression, "_AT_ONCE", 0)
    (trace,) = regression_traces(overlays=[])
    assert trace.final


def test_that_a_training_shows_its_first_w_before_overlays_which_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regression, "_AT_ONCE", 0)
    first, *others = regression_traces(**LEARNED, overlays=SEVERAL, untrained_first=True)
    assert (first.step, first.curves, first.final) == (0, (), False)
    assert [trace.step for trace in others] == [1, 2, 3, 4, 5]
    assert all(len(trace.curves) == 3 for trace in others)
    assert others[-1].final


@pytest.mark.parametrize("questions", [1, 2, 4, 6, 7])
@pytest.mark.parametrize("own", [{}, LEARNED], ids=["fixed", "learned"])
def test_that_overlays_which_take_long_are_stopped_and_no_trace_with_them_follows(
    own: dict[str, Any], questions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regression, "_AT_ONCE", 0)
    values = {"lab": "regression", **own, "overlays": SEVERAL}
    found = events(values, should_stop=stopping_after(questions), untrained_first=True)
    assert [len(event.curves) for event in found if isinstance(event, RegressionTrace)] == [0]


@pytest.mark.parametrize("own", [{}, LEARNED], ids=["fixed", "learned"])
def test_that_a_run_asked_to_stop_during_its_overlays_shows_no_curve_cut_short(own: dict[str, Any]) -> None:
    values = {"lab": "regression", **own, "overlays": SEVERAL}
    for questions in range(1, 9):
        for trace in events(values, should_stop=stopping_after(questions), untrained_first=True):
            assert isinstance(trace, RegressionTrace)
            assert [np.isnan(curve.y_hat).all() for curve in trace.curves] == [False] * 3


def test_that_as_many_overlays_as_are_allowed_are_drawn() -> None:
    widths = [{"estimator": "nonparametric", "width": 0.1 * (1 + n)} for n in range(MOST_OVERLAYS)]
    trace = regression_trace(overlays=widths)
    assert len({curve.y_hat.tobytes() for curve in trace.curves}) == MOST_OVERLAYS == 8


def test_that_an_overlay_may_be_the_fit_itself() -> None:
    trace = regression_trace(
        kernel="epanechnikov",
        width=0.5,
        overlays=[{"estimator": "nonparametric", "kernel": "epanechnikov", "width": 0.5}],
    )
    np.testing.assert_array_equal(trace.curves[0].y_hat, trace.curve)
    assert trace.curves[0].left_out_error == trace.left_out_error
    assert trace.curves[0].error_to_truth == trace.error_to_truth


def test_that_a_spec_drawn_as_an_overlay_has_no_overlays_and_keeps_the_rest() -> None:
    spec = make_spec({"lab": "regression", "overlays": SEVERAL, "epochs": 9, "mask_policy": "book"})
    assert isinstance(spec, RegressionSpec)
    drawn = spec.drawn_as(spec.overlays[2])
    assert (drawn.estimator, drawn.kernel, drawn.width, drawn.overlays) == ("nonparametric", "boxcar", 0.2, ())
    assert (drawn.data, drawn.x_test, drawn.epochs, drawn.mask_policy) == (spec.data, spec.x_test, 9, "book")
