"""Looking back on a training: each step once more, to the last bit."""

import math
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from legal_specs import OPTIMIZERS
from running import events, own_arrays, regression_trace, regression_traces

from attnviz.engine import memory
from attnviz.engine.run import look_back
from attnviz.experiment.failure import Failure
from attnviz.experiment.regression.trace import RegressionTrace

LEARNED: dict[str, Any] = {"estimator": "parametric", "learning_rate": 0.02, "w_init": 0.6, "epochs": 12}
HISTORY = ("loss", "w_path", "mixture_path")


def back(trace: RegressionTrace, step: int) -> RegressionTrace:
    found = look_back(trace, step)
    assert isinstance(found, RegressionTrace), found
    return found


@pytest.mark.parametrize("leave_one_out", [True, False])
@pytest.mark.parametrize("num_heads", [1, 3])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_that_every_step_looked_back_on_is_bit_for_bit_the_one_that_was_taken(
    optimizer: str, num_heads: int, leave_one_out: bool
) -> None:
    chosen = {"optimizer": optimizer, "num_heads": num_heads, "leave_one_out": leave_one_out}
    taken = regression_traces(**LEARNED, **chosen, overlays=[{}], untrained_first=True)
    final = taken[-1]
    assert [trace.step for trace in taken] == list(range(13))
    for then in taken:
        now = back(final, then.step)
        before, after = own_arrays(then), own_arrays(now)
        assert set(before) == set(after)
        for name in set(before) - set(HISTORY):
            assert after[name].tobytes() == before[name].tobytes(), name
            assert after[name].shape == before[name].shape, name
        assert (now.step, now.w_now, now.left_out_error) == (then.step, then.w_now, then.left_out_error)
        assert (now.spec, now.curves, now.device, now.dtype) == (final.spec, final.curves, "cpu", "float64")


def test_that_the_whole_history_is_kept_and_a_later_step_can_be_gone_back_to() -> None:
    final = regression_trace(**LEARNED, num_heads=2)
    middle = back(final, 5)
    assert (middle.step, middle.known_steps) == (5, 12)
    for name in HISTORY:
        np.testing.assert_array_equal(getattr(middle, name), getattr(final, name))
    assert middle.w.shape == (12, 2)
    again = back(middle, 12)
    assert {name: array.tobytes() for name, array in own_arrays(again).items()} == {
        name: array.tobytes() for name, array in own_arrays(final).items()
    }


def test_that_what_is_looked_back_on_is_not_the_end_of_the_training_but_its_last_step_is() -> None:
    final = regression_trace(**LEARNED)
    assert not back(final, 11).final
    assert back(final, 12).final


def test_that_a_training_under_way_can_be_looked_back_on() -> None:
    third = regression_traces(**LEARNED)[2]
    assert (third.step, third.known_steps) == (3, 3)
    assert [back(third, step).w_now for step in range(4)] == third.w_path[:, 0].tolist()


@pytest.mark.parametrize("step", [-1, 13, 10**9])
def test_that_a_step_beyond_the_history_is_a_value_error_that_names_both(step: int) -> None:
    with pytest.raises(ValueError, match=rf"^step {step} must lie in 0\.\.12$"):
        look_back(regression_trace(**LEARNED), step)


def test_that_looking_back_leaves_the_trace_as_it_was() -> None:
    final = regression_trace(**LEARNED, num_heads=2)
    before = {name: array.tobytes() for name, array in own_arrays(final).items()}
    for step in range(13):
        looked = back(final, step)
        assert not any(array.flags.writeable for array in own_arrays(looked).values())
    assert {name: array.tobytes() for name, array in own_arrays(final).items()} == before
    assert final.step == 12


def test_that_looking_back_without_the_memory_for_it_is_a_failure_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    final = regression_trace(**LEARNED)
    monkeypatch.setattr(memory, "available_bytes", lambda _: 0)
    failure = look_back(final, 3)
    assert isinstance(failure, Failure)
    assert (failure.code, failure.spec) == ("not_enough_memory", final.spec)
    assert "fewer training points or queries need less" in failure.message


def test_that_a_diverged_training_can_be_looked_back_on_from_its_last_trace() -> None:
    values = {"estimator": "parametric", "w_init": 0.5, "learning_rate": 1e6, "epochs": 9, "leave_one_out": False}
    data = {"kind": "points", "x": [1.0, 2.0, 4.0], "y": [1e80, 0.0, -1e80]}
    *taken, failure = events({"lab": "regression", **values, "data": data}, untrained_first=True)
    assert isinstance(failure, Failure)
    last = taken[-1]
    assert isinstance(last, RegressionTrace)
    assert back(last, 0).y_hat.tobytes() == taken[0].y_hat.tobytes()  # type: ignore[union-attr]


@pytest.mark.parametrize("values", [{}, {"estimator": "average"}, {"kernel": "boxcar", "width": 0.2}], ids=str)
def test_that_a_fit_which_learned_nothing_is_looked_back_on_as_it_is_or_refused(values: dict[str, Any]) -> None:
    trace = regression_trace(**values)
    try:
        found = look_back(trace, 0)
    except ValueError:
        return
    assert isinstance(found, RegressionTrace), found
    for field in fields(trace):
        here, there = getattr(found, field.name), getattr(trace, field.name)
        if isinstance(here, np.ndarray):
            np.testing.assert_array_equal(here, there)
    assert math.isclose(found.left_out_error, trace.left_out_error)
