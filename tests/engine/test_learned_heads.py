"""A training of several w: what its traces hold, and that one head is the textbook's model."""

from typing import Any

import numpy as np
import plain_numpy as plain
import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import OPTIMIZERS, regression_values
from running import events, regression_trace, regression_traces

from attnviz.experiment.regression.trace import RegressionTrace

LEARNED: dict[str, Any] = {"estimator": "parametric", "learning_rate": 0.02}


def softmax(numbers: Any) -> Any:
    raised = np.exp(numbers - np.max(numbers))
    return raised / raised.sum()


@given(values=regression_values(), heads=st.integers(2, 4))
def test_that_every_step_averages_its_heads_by_their_shares(values: dict[str, Any], heads: int) -> None:
    values |= {"estimator": "parametric", "kernel": "gaussian", "num_heads": heads, "learning_rate": 0.01}
    for trace in events(values, untrained_first=True):
        assert isinstance(trace, RegressionTrace), trace
        assert trace.num_heads == len(trace.heads) == heads
        np.testing.assert_allclose(trace.shares, softmax(trace.mixture_path[trace.step]), rtol=1e-12)
        np.testing.assert_allclose(trace.shares.sum(), 1, rtol=1e-12)
        np.testing.assert_allclose(trace.head_weights.sum(axis=-1), 1, rtol=1e-12)
        np.testing.assert_allclose(trace.row_sums, 1, rtol=1e-12)
        mixed = np.einsum("h,hqk->qk", trace.shares, trace.head_weights)
        np.testing.assert_allclose(trace.weights, mixed, rtol=1e-12, atol=1e-15)
        size = 1 + np.abs(trace.y_train).max()
        predicted = sum(share * head.y_hat for share, head in zip(trace.shares, trace.heads, strict=True))
        np.testing.assert_allclose(trace.y_hat, predicted, rtol=0, atol=1e-12 * size)
        heights = np.einsum("h,hqk->qk", trace.shares, trace.head_kernel_values)
        np.testing.assert_allclose(trace.kernel_values, heights, rtol=1e-12, atol=1e-15)


def test_that_a_head_is_the_fit_of_its_w_alone() -> None:
    trace = regression_trace(**LEARNED, num_heads=3, w_init=0.6)
    for number, head in enumerate(trace.heads):
        w = trace.w_path[trace.step, number]
        assert (head.num_heads, head.w_now, head.step) == (1, w, trace.step)
        assert head.w.tolist() == trace.w[:, number].tolist()
        weights = plain.nadaraya_watson(trace.x_test, trace.x_train, "gaussian", 1 / w)
        np.testing.assert_allclose(head.weights, weights, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(head.weights, trace.head_weights[number])
        np.testing.assert_array_equal(head.kernel_values, trace.head_kernel_values[number])
        np.testing.assert_allclose(head.y_hat, weights @ trace.y_train, atol=1e-11)
        assert head.shares.tolist() == [1.0]
        assert np.isnan(head.left_out_error)
        assert head.heads == (head,)
    assert trace.heads is trace.heads


@pytest.mark.parametrize("values", [{}, {"estimator": "average"}, LEARNED], ids=["fixed", "average", "learned"])
def test_that_one_head_is_the_trace_itself(values: dict[str, Any]) -> None:
    trace = regression_trace(**values)
    assert trace.heads == (trace,)
    np.testing.assert_array_equal(trace.kernel_values, trace.head_kernel_values[0])
    np.testing.assert_array_equal(trace.weights, trace.head_weights[0])
    assert trace.shares.tolist() == [1.0]


def test_that_several_heads_matter_to_a_learned_w_alone() -> None:
    for values in ({}, {"estimator": "average"}, {"kernel": "triangular"}):
        one, many = (regression_trace(**values, num_heads=heads) for heads in (1, 3))
        assert many.num_heads == 1
        assert many.weights.tobytes() == one.weights.tobytes()


@pytest.mark.parametrize("leave_one_out", [True, False])
def test_that_one_head_learns_as_the_textbooks_model_does(leave_one_out: bool) -> None:
    final = regression_trace(**LEARNED, num_heads=1, w_init=0.7, leave_one_out=leave_one_out, epochs=20)
    w = 0.7
    for step in range(20):
        loss, gradient = plain.loss_and_gradient(w, final.x_train, final.y_train, leave_one_out)
        assert final.loss[step] == pytest.approx(loss, rel=1e-9)
        w -= 0.02 * gradient
        assert final.w[step] == pytest.approx(w, rel=1e-9)
    assert final.mixture_path.tolist() == [[0.0]] * 21


def test_that_the_hth_head_starts_at_h_times_the_given_w_with_even_shares() -> None:
    untrained, *_ = regression_traces(**LEARNED, num_heads=4, w_init=-0.3, untrained_first=True)
    np.testing.assert_allclose(untrained.w_path, [[-0.3, -0.6, -0.9, -1.2]], rtol=1e-15)
    assert untrained.mixture_path.tolist() == [[0.0] * 4]
    assert untrained.shares.tolist() == [0.25] * 4
    assert untrained.w.shape == (0, 4)


def test_that_first_ws_are_drawn_from_0_to_1_by_the_seed_and_the_first_head_begins_as_one_alone() -> None:
    starts = [regression_trace(**LEARNED, num_heads=3, seed=seed, epochs=1).w_path[0].tolist() for seed in range(10)]
    assert len({w for row in starts for w in row}) == 30
    assert all(0 <= w < 1 for row in starts for w in row)
    again = regression_trace(**LEARNED, num_heads=3, seed=4, epochs=1).w_path[0].tolist()
    assert again == starts[4]
    assert regression_trace(**LEARNED, seed=4, epochs=1).w_path[0].tolist() == starts[4][:1]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_that_w_and_the_shares_are_both_learned(optimizer: str) -> None:
    trace = regression_trace(**LEARNED, optimizer=optimizer, num_heads=3, w_init=0.6, epochs=20)
    assert (np.ptp(trace.w_path, axis=0) > 0).all()
    assert (np.ptp(trace.mixture_path, axis=0) > 0).all()
    assert trace.loss[-1] < trace.loss[0]
    assert trace.w.shape == (20, 3)
    np.testing.assert_array_equal(trace.w, trace.w_path[1:])
    assert trace.w_now == trace.w_path[20, 0]


def test_that_the_optimizers_take_other_paths_and_momentum_of_none_is_sgd() -> None:
    paths = {name: regression_trace(**LEARNED, w_init=0.9, optimizer=name).w.tobytes() for name in OPTIMIZERS}
    assert len(set(paths.values())) == 3
    without = regression_trace(**LEARNED, w_init=0.9, optimizer="momentum", momentum=0.0)
    assert without.w.tobytes() == paths["sgd"]


def test_that_the_arrays_of_several_heads_hold_each_of_them() -> None:
    trace = regression_trace(**LEARNED, num_heads=3)
    arrays = trace.arrays()
    assert arrays["kernel_values"].shape == arrays["head_weights"].shape == (3, 10, 50)
    assert (arrays["weights"].shape, arrays["shares"].shape, arrays["w"].shape) == ((10, 50), (3,), (5, 3))
    assert trace.summary().splitlines()[-1].count(", ") == 3  # loss and three w


def test_that_the_summary_names_every_w() -> None:
    trace = regression_trace(**LEARNED, num_heads=2, w_init=0.5)
    w = ", ".join(f"{each:.5g}" for each in trace.w_path[-1])
    assert trace.summary().endswith(f"w -> {w}")
