import math

import numpy as np
import pytest
from made_traces import regression_trace

from attnviz.experiment.picture import HIGHEST, LOWEST, Scale

WEIGHTS = [[0.1, 0.2, 0.0], [0.0, 0.4, 0.1]]


def test_that_the_step_counts_the_losses_and_w_now_made_the_weights() -> None:
    trained = regression_trace(WEIGHTS, loss=[9.0, 4.0], w=[1.5, 2.5], w_start=0.5)
    assert (trained.step, trained.w_now) == (2, 2.5)


def test_that_before_the_first_step_w_now_is_where_training_starts() -> None:
    untrained = regression_trace(WEIGHTS, w_start=0.5)
    assert (untrained.step, untrained.w_now) == (0, 0.5)


@pytest.mark.parametrize(("steps", "final"), [(0, False), (4, False), (5, True)])
def test_that_training_is_done_with_the_trace_of_its_last_epoch(steps: int, final: bool) -> None:
    assert regression_trace(WEIGHTS, loss=[1.0] * steps, w=[1.0] * steps, w_start=0.5).final is final
    assert regression_trace(WEIGHTS).final


def test_that_there_is_no_w_where_nothing_is_learned() -> None:
    assert regression_trace(WEIGHTS).w_now is None


def test_that_row_sums_are_those_of_the_weights() -> None:
    np.testing.assert_allclose(regression_trace(WEIGHTS).row_sums, [0.3, 0.5])


def test_that_levels_run_from_0_to_1_and_contrast_levels_to_the_largest_weight() -> None:
    trace = regression_trace(WEIGHTS)
    assert trace.levels.tolist() == [[26, 52, LOWEST], [LOWEST, 102, 26]]
    assert trace.contrast_levels.tolist() == [[64, 128, LOWEST], [LOWEST, HIGHEST, 64]]
    assert trace.contrast_scale == Scale(0.0, 0.4, per_head=True)


def test_that_weights_of_zeros_alone_keep_a_scale_of_1() -> None:
    assert regression_trace([[0.0, 0.0]]).contrast_scale.high == 1.0


def test_that_the_error_to_the_truth_is_the_mean_square_over_queries_that_have_both() -> None:
    trace = regression_trace(np.zeros((3, 1)), y_hat=[1.0, math.nan, 4.0], y_truth=[0.0, 5.0, math.nan])
    assert trace.error_to_truth == 1.0
    assert math.isnan(regression_trace(np.zeros((1, 1)), y_hat=[1.0], y_truth=[math.nan]).error_to_truth)


@pytest.mark.parametrize(("w_start", "more"), [(None, []), (0.5, ["loss", "w"])])
def test_that_the_arrays_have_their_fixed_names_and_loss_and_w_only_where_w_is_learned(
    w_start: float | None, more: list[str]
) -> None:
    arrays = regression_trace(WEIGHTS, w_start=w_start).arrays()
    assert list(arrays) == ["x_train", "y_train", "x_test", "y_truth", "y_hat", "kernel_values", "weights", *more]


def test_that_preparing_leaves_nothing_for_the_screen_to_compute() -> None:
    trace = regression_trace(WEIGHTS)
    trace.prepare()
    assert {"contrast_levels", "row_sums", "error_to_truth"} <= vars(trace).keys()


def test_that_the_summary_tells_shapes_device_error_and_training() -> None:
    assert regression_trace(WEIGHTS, loss=[9.25, 4.0], w=[1.5, 2.5], w_start=0.5).summary() == (
        "parametric: weights (queries 2, training points 3)\n"
        "cpu, float64, seed 0, 0.25 ms a step\n"
        "mean squared error to the truth 0.0000\n"
        "2 steps: loss 9.25 -> 4, w -> 2.5"
    )


def test_that_the_summary_leaves_out_what_is_not_known() -> None:
    trace = regression_trace(WEIGHTS, y_truth=[math.nan, math.nan])
    assert trace.summary().count("\n") == 1


def test_that_differences_are_query_minus_key() -> None:
    trace = regression_trace(WEIGHTS)
    assert trace.differences.tolist() == [[0, -1, -2], [1, 0, -1]]
    assert trace.difference_scale == Scale(-2.0, 2.0, diverging=True)


def test_that_a_difference_of_0_has_the_middle_colour_and_the_farthest_an_end() -> None:
    levels = regression_trace(WEIGHTS).difference_levels
    assert levels[0, 2] == LOWEST
    assert levels[0, 0] == levels[1, 1] == (LOWEST + HIGHEST + 1) // 2


def test_that_contributions_are_weight_times_value() -> None:
    trace = regression_trace(WEIGHTS, y_train=[1.0, -10.0, 5.0])
    np.testing.assert_allclose(trace.contributions, [[0.1, -2.0, 0.0], [0.0, -4.0, 0.5]])
    assert trace.contribution_scale == Scale(-4.0, 4.0, diverging=True)
    assert trace.contribution_levels[1, 1] == LOWEST


def test_that_kernel_levels_run_from_0_to_1_whatever_the_heights_are() -> None:
    trace = regression_trace(WEIGHTS, kernel_values=[[0.0, 1.0, 0.4], [0.0, 0.1, 0.1]])
    assert trace.kernel_levels.tolist() == [[LOWEST, HIGHEST, 102], [LOWEST, 26, 26]]


def test_that_what_is_derived_for_a_stage_is_read_only_and_derived_once() -> None:
    trace = regression_trace(WEIGHTS)
    for name in ("differences", "contributions", "difference_levels", "kernel_levels", "contribution_levels"):
        derived = getattr(trace, name)
        assert not derived.flags.writeable, name
        assert getattr(trace, name) is derived, name


def test_that_preparing_colours_no_stage_that_nobody_looks_at() -> None:
    trace = regression_trace(WEIGHTS)
    trace.prepare()
    assert {name for name in vars(trace) if name.endswith("_levels")} == {"contrast_levels"}
