"""Every preset runs, and those of the textbook give the textbook's numbers."""

from typing import Any

import numpy as np
import plain_numpy as plain
import pytest
from running import events

from attnviz.engine.run import run
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.files.specs_in_files import preset, presets
from attnviz.experiment.labs import Trace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.train.spec import TrainSpec


def attention(name: str) -> AttentionTrace:
    (trace,) = run(preset(name).spec)
    assert isinstance(trace, AttentionTrace)
    return trace


def regression(name: str) -> list[RegressionTrace]:
    traces = [event for event in run(preset(name).spec) if isinstance(event, RegressionTrace)]
    assert traces
    return traces


def even(*lengths: int, keys: int) -> list[list[float]]:
    """Return the row of each length: 1 / length on as many keys, then 0."""
    return [[1 / length] * length + [0.0] * (keys - length) for length in lengths]


@pytest.mark.parametrize("name", [name for name, found in presets().items() if not isinstance(found.spec, TrainSpec)])
def test_that_every_preset_without_a_transformer_to_train_runs_to_finite_numbers(name: str) -> None:
    found = list(run(preset(name).spec))
    assert all(isinstance(each, Trace) for each in found), found
    for array in (found[-1].weights, found[-1].arrays().get("output", np.zeros(1))):
        assert np.isfinite(array).all()


@pytest.mark.parametrize("name", ["multi-head-book", "multi-head-small-book", "self-attention-book"])
def test_that_equal_keys_share_their_rows_evenly_up_to_the_valid_length(name: str) -> None:
    trace = attention(name)
    rows = np.array(even(3, 2, keys=trace.weights.shape[-1]))
    np.testing.assert_allclose(trace.weights, np.broadcast_to(rows[:, None, None], trace.weights.shape), rtol=1e-6)
    assert trace.weights.shape == (2, 5, 4, 4 if name.startswith("self") else 6)
    assert trace.output.shape == (2, 4, 10 if "small" in name else 100)


@pytest.mark.parametrize("name", ["dot-product-book", "additive-book"])
def test_that_the_scoring_functions_give_2_to_5_and_10_to_13(name: str) -> None:
    trace = attention(name)
    np.testing.assert_allclose(trace.output, [[[2, 3, 4, 5]], [[10, 11, 12, 13]]], rtol=1e-6)
    np.testing.assert_allclose(trace.weights[:, 0, 0], even(2, 6, keys=10), rtol=1e-6)


def test_that_the_gpt_walkthrough_sees_no_later_token_and_all_earlier_ones_evenly() -> None:
    trace = attention("causal-book")
    assert trace.queries.shape == trace.output.shape == (30, 50, 512)
    np.testing.assert_allclose(trace.weights[7, 3], even(*range(1, 51), keys=50), rtol=1e-5)


@pytest.mark.parametrize(
    ("name", "lengths"), [("masked-softmax-book", [[2, 2], [3, 3]]), ("masked-softmax-2d-book", [[1, 3], [2, 4]])]
)
def test_that_masked_softmax_zeroes_what_lies_beyond_each_length(name: str, lengths: Any) -> None:
    weights = attention(name).weights[:, 0]
    assert weights.shape == (2, 2, 4)
    assert ((weights > 0) == (np.arange(4) < np.array(lengths)[..., None])).all()
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-6)


@pytest.mark.parametrize("name", [name for name in presets() if name.endswith("-random") and "kernel" not in name])
def test_that_the_rows_of_a_random_twin_are_not_even(name: str) -> None:
    trace = attention(name)
    seen = np.where(trace.mask, trace.weights, np.nan)
    spread = np.nanmax(seen, -1) - np.nanmin(seen, -1)
    assert (spread[trace.mask.sum(-1) > 1] > 1e-4).all()


def test_that_average_pooling_predicts_the_mean_everywhere() -> None:
    (trace,) = regression("kernel-average")
    np.testing.assert_allclose(trace.y_hat, 2.2875, atol=5e-5)
    np.testing.assert_allclose(trace.weights, 1 / 50)
    assert trace.weights.shape == (10, 50)


def test_that_the_fixed_kernel_gives_the_notebooks_curve() -> None:
    (trace,) = regression("kernel-fixed")
    notebook = [2.0835, 2.2867, 2.5109, 2.7237, 2.844, 2.7861, 2.556, 2.2535, 1.9771, 1.7711]
    np.testing.assert_allclose(trace.y_hat, notebook, atol=6e-5)
    truth = [0.0, 1.5332, 2.6829, 3.3782, 3.5597, 3.2783, 2.6905, 2.0227, 1.5178, 1.3759]
    np.testing.assert_allclose(trace.y_truth, truth, atol=6e-5)


@pytest.mark.parametrize("w_init", [0.6, 0.7, 0.8, 0.9])
def test_that_the_textbooks_first_step_takes_w_to_about_17(w_init: float) -> None:
    spec = preset("kernel-learned-book").spec.model_dump() | {"w_init": w_init, "epochs": 1}
    (trace,) = events(spec)
    assert isinstance(trace, RegressionTrace)
    assert trace.w[0] == pytest.approx(17, abs=1.5)


def test_that_the_textbooks_training_runs_away_in_one_step_and_then_nearly_interpolates() -> None:
    traces = regression("kernel-learned-book")
    assert len(traces) == 5
    assert traces[0].w[0] > 12 * max(traces[0].w_path[0, 0], 1)
    assert np.ptp(traces[-1].w) < 0.1
    nearest = np.abs(traces[-1].x_test[:, None] - traces[-1].x_train).argmin(axis=1)
    steps = np.abs(traces[-1].y_hat - traces[-1].y_train[nearest])
    assert np.median(steps) < 0.25


def test_that_the_textbooks_loss_falls_once_and_then_lies_flat_and_the_curve_turns_jagged() -> None:
    spec = preset("kernel-learned-book").spec.model_dump() | {"x_test": {"start": 0, "stop": 5, "step": 0.02}}
    traces = [trace for trace in events(spec, untrained_first=True) if isinstance(trace, RegressionTrace)]
    untrained, final = traces[0], traces[-1]
    np.testing.assert_allclose(final.loss, [27.9669, 10.5034, 10.5033, 10.5032, 10.5030], atol=5e-5)
    np.testing.assert_allclose(final.w_path[:, 0], [0.9701, 15.1131, 15.1213, 15.1294, 15.1376, 15.1457], atol=5e-5)

    def turns(curve: Any) -> int:
        """How often a curve changes from rising to falling or back."""
        slopes = np.sign(np.diff(curve))
        return int((slopes[1:] != slopes[:-1]).sum())

    assert turns(untrained.y_hat) <= 2
    assert turns(final.y_hat) > 15
    assert np.abs(np.diff(final.y_hat)).max() > 10 * np.abs(np.diff(untrained.y_hat)).max()


def test_that_training_with_each_point_among_its_own_keys_copies_the_points_in_the_end() -> None:
    spec = preset("kernel-learned-book").spec.model_dump() | {"w_init": 0.7, "learning_rate": 200, "epochs": 400}
    copying, honest = (events(spec | {"leave_one_out": flag})[-1] for flag in (False, True))
    assert isinstance(copying, RegressionTrace)
    assert isinstance(honest, RegressionTrace)
    assert (np.diff(copying.loss) <= 0).all()
    assert copying.loss[-1] < copying.loss[0] / 10_000
    assert copying.loss[-1] < 0.01  # a sum over 50 points
    assert honest.loss.min() > 8
    at_points = plain.nadaraya_watson(copying.x_train, copying.x_train, "gaussian", 1 / copying.w[-1])
    assert np.abs(at_points @ copying.y_train - copying.y_train).max() < 0.04
    # What it has learned by heart serves no point that it has not seen.
    assert copying.left_out_error > 100 * copying.loss[-1] / 50


def test_that_a_curve_learned_by_heart_passes_through_its_points() -> None:
    y = [0.3, 2.5, 2.1, 3.9, 3.2, 3.6, 2.2, 2.7, 1.2, 1.9]
    data = {"kind": "points", "x": np.arange(0, 5, 0.5).tolist(), "y": y}  # where the textbook's queries are
    chosen = {"learning_rate": 1, "epochs": 60, "w_init": 0.7, "leave_one_out": False}
    final = events({"lab": "regression", "estimator": "parametric", "data": data, **chosen})[-1]
    assert isinstance(final, RegressionTrace)
    np.testing.assert_allclose(final.y_hat, y, atol=0.02)
    assert final.loss[-1] < 1e-3


def test_that_the_gentle_training_lowers_its_loss_at_every_step() -> None:
    final = regression("kernel-learned")[-1]
    assert (final.step, len(final.w)) == (60, 60)
    assert (np.diff(final.loss) < 0).all()
    assert final.w[-1] > final.w[0] > 0.9


def test_that_a_random_twin_of_the_regression_has_another_sample_of_the_same_function() -> None:
    (book,), (twin,) = regression("kernel-fixed"), regression("kernel-fixed-random")
    assert len(twin.x_train) == len(book.x_train) == 50
    assert not np.array_equal(twin.x_train, book.x_train)
    np.testing.assert_allclose(twin.y_truth[::10], book.y_truth, rtol=1e-12, atol=1e-12)


def test_that_more_tokens_than_the_context_length_are_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="51 tokens are more than the context length 50; nearest: 51"):
        events(preset("causal-book").spec.model_dump() | {"num_queries": 51, "num_kvpairs": 51})
