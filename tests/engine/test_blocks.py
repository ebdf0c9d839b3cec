"""A fit is worked out in blocks that stay small in memory; their size is nobody's business."""

from typing import Any

import numpy as np
import plain_numpy as plain
import pytest
import torch
from legal_specs import KERNELS, OPTIMIZERS
from running import own_arrays, regression_trace

from attnviz.attention import NadarayaWatson
from attnviz.engine.regression import estimation as weighing
from attnviz.engine.regression.estimation import Points, blocks
from attnviz.engine.regression.samples import Samples
from attnviz.engine.regression.training import loss_and_gradients

MANY = {
    "data": {"kind": "synthetic", "function": "chirp", "n_train": 910, "seed": 3},
    "x_test": {"start": -0.5, "stop": 5.5, "step": 6 / 720},
}


def points(count: int = 23) -> Points:
    rng = np.random.default_rng(5)
    x = np.sort(rng.uniform(0, 5, count))
    y = np.sin(x) + rng.normal(size=count) / 4
    return Points(Samples(x, y, np.linspace(0, 5, 7), np.zeros(7)), torch.device("cpu"))


def loss_of(numbers: list[float], leave_out: bool) -> float:
    found = loss_and_gradients(net(numbers), points(), leave_out=leave_out)
    assert found is not None
    return found[0]


def net(numbers: list[float]) -> NadarayaWatson:
    """Return one head of one number, or as many heads as there are pairs of w and mixture."""
    tensor = torch.tensor(numbers, dtype=torch.float64)
    return NadarayaWatson(tensor[0]) if len(tensor) == 1 else NadarayaWatson(*tensor.chunk(2))


@pytest.mark.parametrize(("count", "each"), [(1, 1), (7, 3), (6, 3), (5, 100), (3, 0), (0, 5)])
def test_that_blocks_go_through_every_query_once_and_in_order(
    count: int, each: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weighing, "BLOCK_CELLS", 9)
    slices = list(blocks(count, each))
    assert [row for rows in slices for row in range(rows.start, rows.stop)] == list(range(count))
    assert all((rows.stop - rows.start) * each <= 9 or rows.stop - rows.start == 1 for rows in slices)


@pytest.mark.parametrize("kernel", KERNELS)
def test_that_many_points_and_queries_are_weighed_as_in_a_double_reference(kernel: str) -> None:
    trace = regression_trace(**MANY, kernel=kernel, width=0.05)
    assert trace.weights.shape == (720, 910)
    assert trace.weights.size > weighing.BLOCK_CELLS
    expected = plain.nadaraya_watson(trace.x_test, trace.x_train, kernel, 0.05)
    np.testing.assert_allclose(trace.weights, expected, rtol=0, atol=1e-13)
    reached = expected.any(axis=1)
    assert reached.all() == (kernel in ("gaussian", "constant"))
    np.testing.assert_allclose(trace.y_hat[reached], (expected @ trace.y_train)[reached], rtol=0, atol=1e-12)
    assert np.isnan(trace.y_hat[~reached]).all()


@pytest.mark.parametrize("num_heads", [1, 3])
def test_that_a_learned_fit_of_many_points_is_that_of_a_double_reference(num_heads: int) -> None:
    trace = regression_trace(**MANY, estimator="parametric", epochs=1, w_init=2.0, num_heads=num_heads)
    assert num_heads * trace.weights.size > weighing.BLOCK_CELLS
    for head, w in zip(trace.heads, trace.w_path[-1], strict=True):
        expected = plain.nadaraya_watson(trace.x_test, trace.x_train, "gaussian", 1 / w)
        np.testing.assert_allclose(head.weights, expected, rtol=0, atol=1e-12)
    mixed = sum(share * head.weights for share, head in zip(trace.shares, trace.heads, strict=True))
    np.testing.assert_allclose(trace.weights, mixed, rtol=0, atol=1e-15)
    np.testing.assert_allclose(trace.y_hat, mixed @ trace.y_train, rtol=0, atol=1e-12)


FITS: dict[str, dict[str, Any]] = {kernel: {"kernel": kernel, "width": 0.3} for kernel in KERNELS}
FITS |= {"average": {"estimator": "average"}}
FITS |= {f"learned, {name}": {"estimator": "parametric", "optimizer": name} for name in OPTIMIZERS}
FITS |= {"three heads": {"estimator": "parametric", "num_heads": 3}}
FITS |= {"copying": {"estimator": "parametric", "leave_one_out": False}}


@pytest.mark.parametrize("values", FITS.values(), ids=FITS)
def test_that_the_size_of_the_blocks_changes_no_number(values: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"data": {"kind": "synthetic", "n_train": 17}, "x_test": {"step": 0.25}, "epochs": 2}
    values = {**few, "learning_rate": 0.02, "w_init": 0.8, **values, "overlays": [{"estimator": "parametric"}, {}]}
    at_once = regression_trace(**values)
    for size in (1, 77):  # a row at a time, and a number of rows that does not divide theirs
        monkeypatch.setattr(weighing, "BLOCK_CELLS", size)
        in_blocks = regression_trace(**values)
        there = own_arrays(in_blocks)
        for name, array in own_arrays(at_once).items():
            np.testing.assert_allclose(there[name], array, rtol=1e-12, atol=1e-14, err_msg=name)
        assert in_blocks.left_out_error == pytest.approx(at_once.left_out_error, rel=1e-12)
        for here, whole in zip(in_blocks.curves, at_once.curves, strict=True):
            np.testing.assert_allclose(here.y_hat, whole.y_hat, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("leave_out", [True, False])
@pytest.mark.parametrize("numbers", [[1.3], [0.4, 1.3, 3.0, 0.5, -0.2, 0.1]], ids=["one head", "three heads"])
@pytest.mark.parametrize("block", [1 << 19, 100])
def test_that_gradients_summed_over_blocks_are_those_of_finite_differences(
    numbers: list[float], leave_out: bool, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weighing, "BLOCK_CELLS", block)
    found = loss_and_gradients(net(numbers), points(), leave_out=leave_out)
    assert found is not None
    gradient = torch.cat([each.reshape(-1) for each in found[1]])
    assert len(gradient) == len(numbers)
    step = 1e-5
    for place in range(len(numbers)):
        above, below = list(numbers), list(numbers)
        above[place] += step
        below[place] -= step
        slope = (loss_of(above, leave_out) - loss_of(below, leave_out)) / (2 * step)
        assert gradient[place].item() == pytest.approx(slope, rel=1e-6, abs=1e-8)


def test_that_training_asked_to_stop_between_blocks_takes_no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "BLOCK_CELLS", 100)
    asked = iter([False, False, True])
    assert loss_and_gradients(net([1.0]), points(), leave_out=True, should_stop=lambda: next(asked)) is None
