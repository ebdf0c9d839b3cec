import math

import numpy as np
import pytest
from made_traces import regression_trace

from attnviz.experiment.colours import HIGHEST, LOWEST, Scale
from attnviz.experiment.regression.spec import Overlay
from attnviz.experiment.regression.trace import OverlayCurve


def curve(overlay: Overlay, y_hat: list[float]) -> OverlayCurve:
    return OverlayCurve(overlay, np.array(y_hat), math.nan, math.nan, None)


WEIGHTS = [[0.1, 0.2, 0.0], [0.0, 0.4, 0.1]]


@pytest.mark.parametrize(("loss", "w", "w_now"), [([9.0, 4.0], [1.5, 2.5], 2.5), ([], [], 0.5)])
def test_that_the_step_counts_the_losses_and_w_now_made_the_weights(
    loss: list[float], w: list[float], w_now: float
) -> None:
    trace = regression_trace(WEIGHTS, loss=loss, w=w, w_start=0.5)
    assert (trace.step, trace.w_now) == (len(loss), w_now)


def test_that_a_step_looked_back_on_has_its_own_w_and_the_whole_history() -> None:
    back = regression_trace(WEIGHTS, loss=[9.0, 4.0, 2.0], w=[1.5, 2.5, 3.5], w_start=0.5, step=1)
    assert (back.step, back.known_steps, back.w_now, back.w.tolist()) == (1, 3, 1.5, [1.5, 2.5, 3.5])
    assert back.summary().endswith("1 steps: loss 9 -> 9, w -> 1.5")
    assert regression_trace(WEIGHTS, loss=[9.0], w=[1.5], w_start=0.5, step=0).w_now == 0.5


@pytest.mark.parametrize(("steps", "final"), [(0, False), (4, False), (5, True)])
def test_that_training_is_done_with_the_trace_of_its_last_epoch(steps: int, final: bool) -> None:
    assert regression_trace(WEIGHTS, loss=[1.0] * steps, w=[1.0] * steps, w_start=0.5).final is final
    assert regression_trace(WEIGHTS).final


def test_that_a_trace_is_not_final_until_its_curves_and_its_last_step_are_there() -> None:
    overlays = [{"estimator": "average"}, {"estimator": "parametric"}]
    done = {"loss": [1.0] * 5, "w": [1.0] * 5, "w_start": 0.5}
    two = tuple(curve(Overlay(**overlay), [0.0, 0.0]) for overlay in overlays)
    assert regression_trace(WEIGHTS, curves=two).final
    assert not regression_trace(WEIGHTS, values={"overlays": overlays}).final
    assert regression_trace(WEIGHTS, curves=two, **done).final
    assert not regression_trace(WEIGHTS, curves=two, step=4, **done).final
    assert not regression_trace(WEIGHTS, values={"overlays": overlays}, **done).final


def test_that_there_is_no_w_where_nothing_is_learned() -> None:
    assert regression_trace(WEIGHTS).w_now is None
    assert regression_trace(WEIGHTS).width_now is None


def test_that_row_sums_are_those_of_the_weights() -> None:
    np.testing.assert_allclose(regression_trace(WEIGHTS).row_sums, [0.3, 0.5])


def test_that_levels_run_from_0_to_1_and_contrast_levels_to_the_largest_weight() -> None:
    trace = regression_trace(WEIGHTS)
    assert trace.levels.tolist() == [[26, 52, LOWEST], [LOWEST, 102, 26]]
    assert trace.contrast_levels.tolist() == [[64, 128, LOWEST], [LOWEST, HIGHEST, 64]]
    assert trace.contrast_scale == Scale(0.0, 0.4)


def test_that_weights_of_zeros_alone_keep_a_scale_of_1() -> None:
    assert regression_trace([[0.0, 0.0]]).contrast_scale.high == 1.0


def test_that_the_error_to_the_truth_is_the_mean_square_over_queries_that_have_both() -> None:
    trace = regression_trace(np.zeros((3, 1)), y_hat=[1.0, math.nan, 4.0], y_truth=[0.0, 5.0, math.nan])
    assert trace.error_to_truth == 1.0
    assert math.isnan(regression_trace(np.zeros((1, 1)), y_hat=[1.0], y_truth=[math.nan]).error_to_truth)


def test_that_a_filled_in_prediction_is_a_gap_of_the_curve_and_of_the_error() -> None:
    trace = regression_trace(
        [[0.5, 0.5], [0.5, 0.5], [1.0, 0.0]],
        kernel_values=[[1.0, 1.0], [0.0, 0.0], [0.5, 0.0]],
        y_hat=[2.0, 7.0, 3.0],
        values={"kernel": "triangular", "mask_policy": "book"},
    )
    assert trace.empty_rows.tolist() == [False, True, False]
    np.testing.assert_array_equal(trace.curve, [2.0, np.nan, 3.0])
    assert trace.error_to_truth == (4 + 9) / 2
    assert trace.y_hat.tolist() == [2.0, 7.0, 3.0]


@pytest.mark.parametrize("kernel", ["gaussian", "constant"])
def test_that_heights_which_underflow_make_no_gap(kernel: str) -> None:
    trace = regression_trace([[1.0, 0.0]], kernel_values=[[0.0, 0.0]], y_hat=[2.0], values={"kernel": kernel})
    assert not trace.empty_rows.any()
    assert trace.curve.tolist() == [2.0]


HEADS = {"head_weights": [[[1.0, 0.0]], [[0.25, 0.75]]], "shares": [0.2, 0.8], "y_train": [4.0, 8.0]}
TRAINED_HEADS = {"loss": [9.0, 4.0], "w": [[1.0, 2.0], [3.0, 4.0]], "w_start": [0.5, 1.0]}


def test_that_heads_worked_by_hand_come_apart() -> None:
    trace = regression_trace([[0.4, 0.6]], **HEADS, **TRAINED_HEADS, y_hat=[6.4])
    assert trace.num_heads == 2
    assert [head.y_hat.tolist() for head in trace.heads] == [[4.0], [7.0]]
    assert [head.w_now for head in trace.heads] == [3.0, 4.0]
    assert [head.w.tolist() for head in trace.heads] == [[1.0, 3.0], [2.0, 4.0]]
    assert [head.weights.tolist() for head in trace.heads] == [[[1.0, 0.0]], [[0.25, 0.75]]]
    assert (trace.w_now, trace.w.tolist()) == (3.0, [[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_allclose(trace.kernel_values, [[0.4, 0.6]])  # here each head's heights are its weights


def test_that_the_arrays_of_several_heads_hold_them_and_their_shares() -> None:
    arrays = regression_trace([[0.4, 0.6]], **HEADS, **TRAINED_HEADS).arrays()
    assert list(arrays)[5:] == ["kernel_values", "head_weights", "weights", "shares", "step", "loss", "w"]
    assert arrays["kernel_values"].shape == (2, 1, 2)


def test_that_the_curves_of_overlays_are_rows_of_one_array_in_their_order() -> None:
    curves = (curve(Overlay(), [1.0, 2.0]), curve(Overlay(estimator="parametric"), [3.0, math.nan]))
    arrays = regression_trace(WEIGHTS, curves=curves).arrays()
    assert list(arrays)[-1] == "overlays_y_hat"
    np.testing.assert_array_equal(arrays["overlays_y_hat"], [[1, 2], [3, math.nan]])


@pytest.mark.parametrize(("w_start", "more"), [(None, []), (0.5, ["step", "loss", "w"])])
def test_that_the_arrays_have_their_fixed_names_and_loss_and_w_only_where_w_is_learned(
    w_start: float | None, more: list[str]
) -> None:
    arrays = regression_trace(WEIGHTS, w_start=w_start).arrays()
    assert list(arrays) == ["x_train", "y_train", "x_test", "y_truth", "y_hat", "kernel_values", "weights", *more]


def test_that_the_arrays_of_an_earlier_step_name_it() -> None:
    run = {"loss": [9.0, 4.0], "w": [1.0, 2.0], "w_start": 0.5}
    assert [int(regression_trace(WEIGHTS, **run, step=step).arrays()["step"]) for step in (0, 1, 2)] == [0, 1, 2]


def test_that_a_stage_of_another_lab_is_prepared_as_the_usual_one() -> None:
    trace = regression_trace(WEIGHTS)
    trace.prepare("masked_scores")
    assert trace.is_prepared("contrast")


def test_that_the_summary_tells_shapes_device_error_and_training() -> None:
    assert regression_trace(WEIGHTS, loss=[9.25, 4.0], w=[1.5, 2.5], w_start=0.5).summary() == (
        "parametric: weights (queries 2, training points 3)\n"
        "cpu, float64, seed 0, 0.25 ms a step\n"
        "mean squared error to the truth 0.0000\n"
        "2 steps: loss 9.25 -> 4, w -> 2.5"
    )


def test_that_the_summary_tells_the_left_out_error_and_every_w() -> None:
    trace = regression_trace([[0.4, 0.6]], **HEADS, **TRAINED_HEADS, left_out_error=0.25)
    assert trace.summary().splitlines()[-2:] == ["leave-one-out error 0.2500", "2 steps: loss 9 -> 4, w -> 3, 4"]


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
    for name in ("differences", "contributions", "difference_levels", "kernel_levels", "contribution_levels", "curve"):
        derived = getattr(trace, name)
        assert not derived.flags.writeable, name
        assert getattr(trace, name) is derived, name


def test_that_preparing_computes_what_the_screen_needs_and_colours_no_other_stage() -> None:
    trace = regression_trace(WEIGHTS)
    trace.prepare()
    assert {name for name in vars(trace) if name.endswith("_levels")} == {"contrast_levels"}
    assert {"row_sums", "error_to_truth", "curve", "empty_rows"} <= vars(trace).keys()


def test_that_the_width_of_a_learned_w_is_its_inverse_whatever_its_sign() -> None:
    widths = [regression_trace(WEIGHTS, loss=[1.0], w=[w], w_start=0.5).width_now for w in (2.5, -4.0, 0.0)]
    assert widths == [0.4, 0.25, float("inf")]
