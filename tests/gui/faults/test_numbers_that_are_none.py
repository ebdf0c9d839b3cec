"""NaN, infinities and overflow, wherever they come from: refused in a sentence, or shown as what they are."""

import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, grid_colours
from pytestqt.qtbot import QtBot
from running import bits, events
from small_specs import SMALL, attention, independent_trace, regression, training
from windows import At, Settle

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.colours import NOT_FINITE
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Failure
from attnviz.gui.widgets.words import failure_text

NONE = (math.nan, math.inf, -math.inf)


def file_of(folder: Path, **arrays: Any) -> str:
    np.savez(folder / "own.npz", **arrays)
    return str(folder / "own.npz")


def outcome(values: dict[str, Any]) -> Any:
    """Return the last event of the run of these values; whatever comes before it is a trace like it."""
    last = events(values)[-1]
    if isinstance(last, Failure):
        assert len(last.message.splitlines()) == 1
        return last
    last.prepare()
    return last


def is_honest(trace: Any) -> bool:
    """Return whether every weight that is no number is marked so, and every row that should sum to 1 does."""
    if isinstance(trace, RegressionTrace):
        sums = trace.row_sums[np.isfinite(trace.row_sums)]
        return bool(np.isclose(sums[sums != 0], 1, atol=1e-9).all())
    assert isinstance(trace, AttentionTrace)
    marked, wrong = trace.levels() == NOT_FINITE, ~np.isfinite(trace.weights)
    sums = trace.row_sums[~wrong.any(-1) & ~trace.empty_rows]
    no_lie = not (marked & ~wrong).any() and not (wrong & trace.mask & ~marked).any()
    return bool(no_lie and np.allclose(sums, 1, atol=2e-2))


@pytest.mark.parametrize("value", NONE)
@pytest.mark.parametrize("name", ["queries", "keys", "values", "W_q", "W_k", "W_v", "W_o"])
def test_that_arrays_of_ones_own_that_hold_no_number_are_refused_with_its_place(
    name: str, value: float, tmp_path: Path
) -> None:
    arrays = {each: np.ones((2, 3, 8)) for each in ("queries", "keys", "values")}
    arrays |= {each: np.ones((8, 8)) for each in ("W_q", "W_k", "W_v", "W_o")}
    arrays[name].flat[-1] = value
    found = outcome({"inputs": {"kind": "file", "path": file_of(tmp_path, **arrays)}, "num_hiddens": 8, "num_heads": 2})
    place = tuple(length - 1 for length in arrays[name].shape)
    assert found.code == "not_finite"
    assert f"{name} holds {value} at {place}; every number must be finite" in found.message


SCALES = [1e-30, 1e2, 1e4, 1e30, 1e300]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("mechanism", ["dot_product", "additive", "multi_head"])
def test_that_numbers_of_any_size_end_in_an_honest_trace_or_a_sentence(
    mechanism: str, dtype: str, tmp_path: Path
) -> None:
    found = set()
    for scale, policy, lens in product(SCALES, ("zero", "book", "inf"), (None, (0, 2))):
        numbers = np.linspace(-1, 1, 2 * 3 * 8).reshape(2, 3, 8) * scale
        path = file_of(tmp_path, queries=numbers, keys=numbers[:, ::-1], values=numbers)
        values = {"mechanism": mechanism, "dtype": dtype, "mask_policy": policy, "valid_lens": lens, "num_heads": 2}
        last = outcome(values | {"inputs": {"kind": "file", "path": path}, "num_hiddens": 8, "batch_size": 2})
        if isinstance(last, Failure):
            assert last.code == "not_finite", last
        else:
            assert is_honest(last), (scale, policy, lens)
        found.add(type(last))
    assert AttentionTrace in found


@pytest.mark.parametrize("formula", ["1/(x-x)", "log(-x-1)", "exp(exp(x*9))", "sqrt(x-2)", "1/x", "tan(x)^999", "0*x"])
@pytest.mark.parametrize("estimator", ["average", "nonparametric", "parametric"])
def test_that_a_formula_that_is_no_number_somewhere_is_a_gap_or_a_sentence(formula: str, estimator: str) -> None:
    data = {"kind": "synthetic", "function": "formula", "formula": formula, "n_train": 6}
    last = outcome({"lab": "regression", "estimator": estimator, "data": data, "epochs": 2})
    if isinstance(last, Failure):
        assert formula in last.message or last.code == "diverged", last
    else:
        assert is_honest(last)
        assert not np.isinf(last.y_truth).any()


@pytest.mark.parametrize("rate", [10.0, 1e3])
@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam"])
@pytest.mark.parametrize("heads", [1, 3])
def test_that_a_training_that_leaps_away_ends_in_a_sentence_or_in_numbers(
    heads: int, optimizer: str, rate: float
) -> None:
    values = {"lab": "regression", "estimator": "parametric", "learning_rate": rate, "num_heads": heads}
    found = events(values | {"optimizer": optimizer, "epochs": 8}, untrained_first=True)
    last = found[-1]
    if isinstance(last, Failure):
        assert last.code == "diverged"
        assert f"try a learning rate below {rate:g}" in last.message
        found = found[:-1]
    for trace in found:
        assert isinstance(trace, RegressionTrace)
        assert np.isfinite(trace.y_hat).all()
        assert is_honest(trace)


@pytest.mark.parametrize("value", [*NONE, 1e200])
@pytest.mark.parametrize("axis", ["x", "y"])
def test_that_points_that_are_no_numbers_are_refused_where_they_stand(axis: str, value: float, tmp_path: Path) -> None:
    points = {"x": [0.0, 1.0, 2.0], "y": [1.0, 0.0, 1.0]}
    points[axis][1] = value
    with pytest.raises(SpecError, match=axis):
        make_spec({"lab": "regression", "data": {"kind": "points", **points}})
    (tmp_path / "points.csv").write_text("".join(f"{x},{y}\n" for x, y in zip(*points.values(), strict=True)))
    last = outcome({"lab": "regression", "data": {"kind": "file", "path": str(tmp_path / "points.csv")}})
    assert isinstance(last, Failure)
    assert "points.csv" in last.message
    assert "line 2" in last.message


def test_that_a_window_goes_on_through_all_of_them(at: At, settle: Settle, qtbot: QtBot, tmp_path: Path) -> None:
    window = at(SMALL)
    numbers = np.full((2, 3, 8), 1e4)
    own = {"kind": "file", "path": file_of(tmp_path, queries=numbers, keys=numbers, values=numbers)}
    refused = (
        attention(dtype="float16", inputs=own),
        attention(inputs={"kind": "file", "path": "gone.npz"}),
        regression(data={"kind": "synthetic", "function": "formula", "formula": "1/(x-x)", "n_train": 5}),
        training(data={"kind": "points", "x": [0, 1, 2, 3], "y": [1e90, -1e90, 1e90, -1e90]}),
    )
    for number, spec in enumerate(refused):
        with qtbot.waitSignal(window.controller.failed) as failed:
            window.controller.propose(spec)
        # The other lab has no picture yet, perhaps.
        assert window.room.stage.last_good.isVisible() == (window.room.stage.trace is not None)
        assert window.notice.text() == failure_text(failed.args[0])
        assert window.controller.shown is not None
        good = attention(seed=20 + number)
        window.controller.propose(good)
        settle(window)
        assert bits(window.controller.shown) == bits(independent_trace(good))
        assert window.notice.isHidden()


def test_that_weights_that_are_no_numbers_or_no_shares_are_shown_and_said(
    at: At, settle: Settle, tmp_path: Path
) -> None:
    weights = np.full((2, 3, 4), 0.25, np.float32)
    weights[0, 1, 2], weights[1, 2] = np.nan, 0.5
    spec = make_spec({"mechanism": "given", "inputs": {"kind": "file", "path": file_of(tmp_path, weights=weights)}})
    window = at(SMALL)
    window.controller.propose(spec)
    settle(window)
    trace = window.controller.shown
    assert isinstance(trace, AttentionTrace)
    assert (trace.levels()[0] == NOT_FINITE).tolist() == np.isnan(weights).tolist()
    stage = window.rooms["attention"].stage
    assert (grid_colours(stage.grid, (3, 4)) == colours_of(stage.table, trace.levels()[0])).all()
    assert "rows sum to 1.000 .. 2.000, 1 not a number" in window.status.facts.text()
