from typing import Any

import numpy as np
import plain_numpy as plain
import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import KERNELS, regression_values
from running import bits, events, own_arrays, regression_trace, regression_traces, the_failure

from attnviz.attention import kernels
from attnviz.engine.regression.estimation import Points
from attnviz.engine.run import run, run_to_end
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Failure


def points(x: list[float], y: list[float]) -> dict[str, Any]:
    return {"kind": "points", "x": x, "y": y}


def last(values: dict[str, Any]) -> RegressionTrace:
    trace = events(values)[-1]
    assert isinstance(trace, RegressionTrace), trace
    return trace


@pytest.mark.parametrize("width", [0.05, 0.1, 0.2, 0.5, 1.0, 30.0])
@pytest.mark.parametrize("kernel", KERNELS)
def test_that_the_weights_are_the_kernel_over_its_sum_and_the_curve_is_the_weighted_mean(
    kernel: str, width: float
) -> None:
    trace = regression_trace(kernel=kernel, width=width, x_test={"start": -1, "stop": 6, "step": 0.1})
    expected = plain.nadaraya_watson(trace.x_test, trace.x_train, kernel, width)
    np.testing.assert_allclose(trace.weights, expected, rtol=0, atol=1e-13)
    reached = expected.any(axis=1)
    np.testing.assert_allclose(trace.y_hat[reached], expected[reached] @ trace.y_train, rtol=1e-12)
    assert np.isnan(trace.y_hat[~reached]).all()
    assert reached.all() == (kernel in ("gaussian", "constant") or width == 30.0)


@given(values=regression_values())
def test_that_every_row_sums_to_1_or_is_out_of_reach_and_shows_as_a_gap(values: dict[str, Any]) -> None:
    trace = last(values)
    fixed = plain.nadaraya_watson(trace.x_test, trace.x_train, values["kernel"], values["width"])
    empty = ~fixed.any(axis=1) if values["estimator"] == "nonparametric" else np.zeros(len(trace.x_test), bool)
    np.testing.assert_array_equal(trace.empty_rows, empty)
    np.testing.assert_array_equal(np.isnan(trace.curve), empty)
    np.testing.assert_allclose(trace.row_sums[~empty], 1, rtol=1e-12)
    assert (trace.weights[~empty] >= 0).all()
    filled = {"zero": 0, "book": 1 / len(trace.x_train), "inf": np.nan}[values["mask_policy"]]
    np.testing.assert_array_equal(trace.weights[empty], np.full_like(trace.weights[empty], filled))
    assert not empty.any() or values["kernel"] in ("boxcar", "epanechnikov", "triangular")


@given(values=regression_values())
def test_that_a_prediction_lies_between_the_smallest_and_the_largest_training_output(values: dict[str, Any]) -> None:
    trace = last(values)
    known = trace.y_hat[np.isfinite(trace.y_hat)]
    slack = 1e-9 * (1 + np.abs(trace.y_train).max())
    assert ((known >= trace.y_train.min() - slack) & (known <= trace.y_train.max() + slack)).all()


@given(values=regression_values())
def test_that_every_array_is_read_only_float64_of_its_shape(values: dict[str, Any]) -> None:
    trace = last(values)
    queries, keys = len(trace.x_test), len(trace.x_train)
    assert trace.weights.shape == (queries, keys)
    assert trace.y_hat.shape == trace.y_truth.shape == (queries,)
    assert trace.y_train.shape == (keys,)
    learned = values["estimator"] == "parametric"
    heads, steps = (values["num_heads"], values["epochs"]) if learned else (1, 0)
    assert trace.num_heads == heads
    assert trace.head_weights.shape == trace.head_kernel_values.shape == (heads, queries, keys)
    assert trace.shares.shape == (heads,)
    assert trace.w_path.shape == trace.mixture_path.shape == (steps + 1, heads if learned else 0)
    assert trace.loss.shape == (steps,)
    assert [curve.y_hat.shape for curve in trace.curves] == [(queries,)] * len(values["overlays"])
    assert not any(curve.y_hat.flags.writeable for curve in trace.curves)
    assert {str(array.dtype) for array in own_arrays(trace).values()} == {"float64"}
    assert not any(array.flags.writeable for array in own_arrays(trace).values())
    assert (trace.device, trace.dtype) == ("cpu", "float64")


@given(values=regression_values(), untrained_first=st.booleans())
def test_that_there_is_a_trace_for_every_epoch_and_one_more_when_asked(
    values: dict[str, Any], untrained_first: bool
) -> None:
    traces = events(values, untrained_first=untrained_first)
    first = 0 if untrained_first or values["estimator"] != "parametric" else 1
    steps = values["epochs"] if values["estimator"] == "parametric" else 0
    assert [trace.step for trace in traces if isinstance(trace, RegressionTrace)] == list(range(first, steps + 1))


@given(values=regression_values())
def test_that_loss_is_taken_before_the_step_and_w_after_it(values: dict[str, Any]) -> None:
    values |= {"estimator": "parametric", "kernel": "gaussian", "learning_rate": 0.01, "w_init": 0.7}
    values |= {"optimizer": "sgd", "num_heads": 1, "overlays": []}
    traces = events(values, untrained_first=True)
    final = traces[-1]
    assert isinstance(final, RegressionTrace)
    w = 0.7
    for step in range(values["epochs"]):
        loss, gradient = plain.loss_and_gradient(w, final.x_train, final.y_train, values["leave_one_out"])
        assert final.loss[step] == pytest.approx(loss, rel=1e-7, abs=1e-9)
        assert final.w[step] == pytest.approx(w - 0.01 * gradient, rel=1e-7, abs=1e-9)
        w = float(final.w[step])
        weights = plain.nadaraya_watson(final.x_test, final.x_train, "gaussian", 1 / w) if w else None
        if weights is not None:
            np.testing.assert_allclose(traces[step + 1].weights, weights, rtol=0, atol=1e-9)


def test_that_the_trace_before_the_first_step_shows_the_fit_of_the_first_w() -> None:
    untrained, *_ = regression_traces(estimator="parametric", w_init=0.5, untrained_first=True)
    assert (untrained.step, untrained.w_now, len(untrained.loss), len(untrained.w)) == (0, 0.5, 0, 0)
    expected = plain.nadaraya_watson(untrained.x_test, untrained.x_train, "gaussian", 2.0)
    np.testing.assert_allclose(untrained.weights, expected, atol=1e-12)


def test_that_the_trace_before_the_first_step_moves_no_later_number() -> None:
    with_it = regression_traces(estimator="parametric", untrained_first=True)[1:]
    without = regression_traces(estimator="parametric")
    assert [trace.weights.tobytes() for trace in with_it] == [trace.weights.tobytes() for trace in without]


def test_that_later_steps_never_change_an_earlier_trace() -> None:
    seen: list[tuple[RegressionTrace, dict[str, bytes]]] = []
    for trace in run(make_spec({"lab": "regression", "estimator": "parametric", "epochs": 30}), untrained_first=True):
        assert isinstance(trace, RegressionTrace)
        seen.append((trace, {name: array.tobytes() for name, array in own_arrays(trace).items()}))
    for trace, at_first in seen:
        assert {name: array.tobytes() for name, array in own_arrays(trace).items()} == at_first


def test_that_leaving_one_out_changes_the_training_and_not_the_prediction_of_a_given_w() -> None:
    chosen = {"estimator": "parametric", "w_init": 2.0, "epochs": 3, "learning_rate": 0.01, "untrained_first": True}
    others, all_points = (regression_traces(**chosen, leave_one_out=flag) for flag in (True, False))
    np.testing.assert_array_equal(others[0].weights, all_points[0].weights)
    assert others[1].loss[0] > all_points[1].loss[0]
    assert others[1].w[0] != all_points[1].w[0]


def test_that_the_first_w_is_drawn_from_0_to_1_by_the_seed_unless_it_is_given() -> None:
    starts = [regression_trace(estimator="parametric", seed=seed, epochs=1).w_path[0, 0] for seed in range(30)]
    assert all(0 <= start < 1 for start in starts)
    assert len(set(starts)) == 30
    assert regression_trace(estimator="parametric", seed=7, epochs=1, w_init=-3.0).w_path[0].tolist() == [-3.0]


def test_that_training_from_w_0_stays_there_for_the_loss_is_flat() -> None:
    trace = regression_trace(estimator="parametric", w_init=0.0)
    assert trace.w.tolist() == [0.0] * 5
    np.testing.assert_allclose(trace.y_hat, trace.y_train.mean())


@pytest.mark.parametrize("estimator", ["average", "nonparametric"])
def test_that_nothing_is_learned_by_a_fixed_estimator(estimator: str) -> None:
    (trace,) = regression_traces(estimator=estimator, untrained_first=True)
    assert (trace.step, trace.known_steps, trace.w_now) == (0, 0, None)
    assert trace.w_path.size == trace.mixture_path.size == 0
    assert "loss" not in trace.arrays()


def test_that_a_single_point_serves_every_query_without_leaving_it_out() -> None:
    one = {"data": points([1.0], [7.0])}
    for values in ({}, {"estimator": "average"}, {"estimator": "parametric", "leave_one_out": False}):
        np.testing.assert_array_equal(regression_trace(**one, **values).y_hat, 7.0)


def test_that_leaving_out_the_only_point_is_a_failure_with_a_sentence() -> None:
    failure = the_failure(lab="regression", estimator="parametric", data=points([1.0], [7.0]))
    assert failure.code == "too_few_points"
    assert "at least 2 training points, not 1" in failure.message


def test_that_points_at_one_place_share_their_weight() -> None:
    trace = regression_trace(data=points([2.0, 2.0, 2.0], [1.0, 2.0, 6.0]), width=0.1)
    np.testing.assert_allclose(trace.weights, 1 / 3, rtol=1e-12)
    np.testing.assert_allclose(trace.y_hat, 3.0, rtol=1e-12)


DIVERGING = [
    {"y": [1e100, 0.0, -1e100]},
    {"y": [1e100, 0.0, -1e100], "epochs": 1, "leave_one_out": False},
    {"y": [1e80, 0.0, -1e80], "epochs": 3, "learning_rate": 1e6},
]


@pytest.mark.parametrize("values", DIVERGING, ids=str)
def test_that_training_which_leaves_the_finite_numbers_ends_in_a_failure_that_names_the_step_and_the_rate(
    values: dict[str, Any],
) -> None:
    data = points([1.0, 2.0, 4.0], values["y"])
    rest = {name: value for name, value in values.items() if name != "y"}
    *_, failure = events({"lab": "regression", "estimator": "parametric", "w_init": 0.5, "data": data, **rest})
    assert isinstance(failure, Failure)
    assert failure.code == "diverged"
    assert f"at step {failure.numbers['step']} " in failure.message
    assert f"try a learning rate below {rest.get('learning_rate', 0.5):g}" in failure.message


@given(rate=st.floats(1, 1e6), w_init=st.floats(-1e6, 1e6), seed=st.integers(0, 99), scale=st.sampled_from([1.0, 1e6]))
def test_that_the_wildest_training_ends_in_finite_traces_or_in_one_failure(
    rate: float, w_init: float, seed: int, scale: float
) -> None:
    rng = np.random.default_rng(seed)
    data = points(rng.normal(size=6).tolist(), (scale * rng.normal(size=6)).tolist())
    values = {"lab": "regression", "estimator": "parametric", "data": data, "learning_rate": rate, "w_init": w_init}
    found = events({**values, "epochs": 8})
    traces = [event for event in found if isinstance(event, RegressionTrace)]
    assert found[: len(traces)] == traces
    assert len(found) - len(traces) == (0 if len(traces) == 8 else 1)
    for trace in traces:
        assert np.isfinite(trace.weights).all()
        assert np.isfinite(trace.loss).all()
        assert np.isfinite(trace.w).all()


@given(values=regression_values(), steps=st.sets(st.integers(0, 7)))
def test_that_the_steps_asked_for_are_those_of_the_whole_run_and_no_others(
    values: dict[str, Any], steps: set[int]
) -> None:
    values |= {"estimator": "parametric", "kernel": "gaussian"}
    whole, some = events(values), events(values, steps=steps)
    expected = [trace for trace in whole if isinstance(trace, Failure) or trace.step in steps]  # type: ignore[union-attr]
    assert [getattr(event, "message", None) or bits(event) for event in some] == [  # type: ignore[arg-type]
        getattr(event, "message", None) or bits(event)  # type: ignore[arg-type]
        for event in expected
    ]


@pytest.mark.parametrize("values", DIVERGING, ids=str)
def test_that_a_run_to_the_end_fails_in_the_same_step_with_the_same_words(values: dict[str, Any]) -> None:
    values = values | {"data": points([1.0, 2.0, 4.0], values["y"])}
    del values["y"]
    spec = make_spec({"lab": "regression", "estimator": "parametric", "w_init": 0.5, "device": "cpu", **values})
    failure, end = list(run(spec))[-1], run_to_end(spec)
    assert isinstance(failure, Failure)
    assert isinstance(end, Failure)
    assert end.message == failure.message


def test_that_a_run_to_the_end_makes_one_trace_and_tells_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    weighed, weigh = [], Points.weigh
    monkeypatch.setattr(Points, "weigh", lambda points, estimate: weighed.append(1) or weigh(points, estimate))
    told: list[tuple[int, int]] = []
    values = {"lab": "regression", "estimator": "parametric", "epochs": 7, "overlays": [{"estimator": "parametric"}]}
    trace = run_to_end(make_spec(values), progress=lambda *progress: told.append(progress))
    assert isinstance(trace, RegressionTrace)
    assert (trace.step, len(trace.loss), len(weighed)) == (7, 7, 1)
    assert told == [(step, 14) for step in range(1, 15)]


@pytest.mark.parametrize("kernel", KERNELS)
def test_that_the_farthest_points_and_the_narrowest_and_widest_kernels_give_finite_weights(kernel: str) -> None:
    for width in (1e-6, 1e6):
        for x in ([1e100, -1e100], [0.0, 1e-100]):
            trace = regression_trace(data=points(x, [1e100, -1e100]), kernel=kernel, width=width)
            assert np.isfinite(trace.weights).all()
            assert np.isfinite(trace.y_hat[trace.weights.any(axis=1)]).all()


@pytest.mark.parametrize("width", [0.05, 0.5, 30.0])
@pytest.mark.parametrize("kernel", KERNELS)
def test_that_the_kernels_heights_of_a_run_are_those_of_its_distances(kernel: str, width: float) -> None:
    trace = regression_trace(kernel=kernel, width=width)
    u = (trace.x_test[:, None] - trace.x_train) / width
    heights = {
        "gaussian": np.exp(-(u**2) / 2),
        "boxcar": np.abs(u) < 1,
        "epanechnikov": np.maximum(0, 1 - u**2),
        "triangular": np.maximum(0, 1 - np.abs(u)),
        "constant": np.ones_like(u),
    }[kernel]
    np.testing.assert_allclose(trace.kernel_values, heights, rtol=1e-12, atol=1e-300)


def test_that_each_step_of_a_training_keeps_the_heights_of_its_w_and_the_average_has_ones() -> None:
    for trace in regression_traces(estimator="parametric", w_init=0.5, learning_rate=0.02, untrained_first=True):
        u = (trace.x_test[:, None] - trace.x_train) * trace.w_now
        np.testing.assert_allclose(trace.kernel_values, np.exp(-(u**2) / 2), rtol=1e-12, atol=1e-300)
    np.testing.assert_array_equal(regression_trace(estimator="average").kernel_values, np.ones((10, 50)))


def test_that_the_kernels_of_a_run_are_computed_once_for_the_queries_and_once_to_leave_each_point_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, int]] = []
    original = kernels._heights

    def noted(kernel: str, u: Any) -> Any:
        asked.append((kernel, len(u)))
        return original(kernel, u)

    monkeypatch.setattr(kernels, "_heights", noted)
    for kernel in KERNELS:
        regression_trace(kernel=kernel)
    # The gaussian's heights and weights come from the same scores.
    assert asked == [(kernel, count) for kernel in KERNELS[1:] for count in (10, 50)]
