"""The leave-one-out error: each training point predicted from all the others."""

from itertools import pairwise
from typing import Any

import numpy as np
import plain_numpy as plain
import pytest
import torch
from legal_specs import KERNELS, OPTIMIZERS, SHORT_KERNELS
from running import regression_trace, regression_traces

from attnviz.attention import NadarayaWatson
from attnviz.engine.regression import estimation as weighing
from attnviz.engine.regression.samples import Samples

FEW = {"data": {"kind": "synthetic", "n_train": 30, "seed": 6}}
APART = {"data": {"kind": "points", "x": [0.0, 0.3, 0.5, 4.0], "y": [1.0, 2.0, 4.0, 70.0]}}


def by_loop(x: Any, y: Any, kernel: str, width: float) -> float:
    """Return the mean of the squared errors of the points that any other one reaches."""
    errors = []
    for i in range(len(x)):
        others = np.arange(len(x)) != i
        weights = plain.nadaraya_watson(x[i : i + 1], x[others], kernel, width)[0]
        if weights.any():
            errors.append(weights @ y[others] - y[i])
    return float(np.mean(np.square(errors)))


@pytest.mark.parametrize("width", [0.05, 0.5])
@pytest.mark.parametrize("kernel", KERNELS)
def test_that_the_left_out_error_of_a_kernel_is_that_of_a_plain_loop(kernel: str, width: float) -> None:
    trace = regression_trace(**FEW, kernel=kernel, width=width)
    expected = by_loop(trace.x_train, trace.y_train, kernel, width)
    assert trace.left_out_error == pytest.approx(expected, rel=1e-12)


def test_that_the_left_out_error_of_the_average_is_that_of_a_plain_loop() -> None:
    trace = regression_trace(**FEW, estimator="average", kernel="boxcar", width=0.1, mask_policy="inf")
    expected = by_loop(trace.x_train, trace.y_train, "constant", 1.0)
    assert trace.left_out_error == pytest.approx(expected, rel=1e-12)


def test_that_the_left_out_error_of_a_learned_w_is_that_of_a_plain_loop_at_every_step() -> None:
    for leave_one_out in (True, False):
        for trace in regression_traces(
            **FEW, estimator="parametric", w_init=0.7, learning_rate=0.05, leave_one_out=leave_one_out
        ):
            expected = by_loop(trace.x_train, trace.y_train, "gaussian", 1 / (trace.w_now or 0))
            assert trace.left_out_error == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("num_heads", [1, 3])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_that_the_loss_before_the_next_step_is_the_left_out_error_of_the_fit_times_the_points(
    optimizer: str, num_heads: int
) -> None:
    chosen = {"estimator": "parametric", "optimizer": optimizer, "learning_rate": 0.05, "num_heads": num_heads}
    traces = regression_traces(**FEW, **chosen, untrained_first=True)
    assert len(traces) == 6
    for trace, after in pairwise(traces):
        assert after.loss[trace.step] == pytest.approx(30 * trace.left_out_error, rel=1e-12)


def test_that_a_point_which_no_other_reaches_does_not_count_worked_by_hand() -> None:
    # 0.3 and 0.5 alone reach each other at width 0.25: errors 2 and -2.
    trace = regression_trace(**APART, kernel="boxcar", width=0.25)
    assert trace.left_out_error == pytest.approx(4.0)


@pytest.mark.parametrize("policy", ["zero", "book", "inf"])
@pytest.mark.parametrize("kernel", SHORT_KERNELS)
def test_that_the_left_out_error_does_not_hang_on_the_mask_policy(kernel: str, policy: str) -> None:
    trace = regression_trace(**APART, kernel=kernel, width=0.25, mask_policy=policy)
    expected = by_loop(trace.x_train, trace.y_train, kernel, 0.25)
    assert trace.left_out_error == pytest.approx(expected, rel=1e-12)


def test_that_there_is_no_left_out_error_of_a_single_point_or_of_points_all_out_of_reach() -> None:
    alone = {"kind": "points", "x": [1.0], "y": [2.0]}
    apart = {"kind": "points", "x": [1.0, 3.0], "y": [2.0, 5.0]}
    assert np.isnan(regression_trace(data=alone).left_out_error)
    assert np.isnan(regression_trace(data=apart, kernel="triangular", width=0.5).left_out_error)


def test_that_too_many_points_for_every_fit_come_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "LEFT_OUT_UP_TO", 30)
    assert np.isfinite(regression_trace(**FEW).left_out_error)
    monkeypatch.setattr(weighing, "LEFT_OUT_UP_TO", 29)
    trace = regression_trace(**FEW, overlays=[{"estimator": "average"}])
    assert np.isnan(trace.left_out_error)
    assert np.isnan(trace.curves[0].left_out_error)


@pytest.mark.parametrize(
    "estimate",
    [
        weighing.FixedKernel("gaussian", 0.4),
        weighing.FixedKernel("boxcar", 0.4),
        weighing.Learned(NadarayaWatson(torch.tensor(2.0).double())),
        weighing.Learned(NadarayaWatson(torch.tensor([2.0, 3.0]).double())),
    ],
    ids=["gaussian", "boxcar", "learned", "learned heads"],
)
def test_that_predictions_alone_are_those_of_all_stages_and_no_stage_is_worked_out_for_them(
    estimate: weighing.Estimate, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = regression_trace(**FEW)
    x, y, x_test = (np.asarray(each) for each in (samples.x_train, samples.y_train, samples.x_test))
    points = weighing.Points(Samples(x, y, x_test, np.full_like(x_test, np.nan)), torch.device("cpu"))
    whole = points.weigh(estimate)
    for kind in (weighing.FixedKernel, weighing.Learned):
        monkeypatch.delattr(kind, "stages")
    assert np.array_equal(points.predict(estimate), whole.y_hat, equal_nan=True)
    reduced, weights = points.weigh_reduced(estimate, len(x_test), len(x), lambda: False)
    assert np.array_equal(reduced, whole.y_hat, equal_nan=True)
    assert np.array_equal(weights, whole.weights)
    assert points.left_out_error_of_few(estimate) > 0
