"""The run of a training: each step once more, to the last bit; and no step twice."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from legal_specs import OPTIMIZERS
from running import bits, count_steps, events, own_arrays, regression_trace, regression_traces

from attnviz.attention import Descent
from attnviz.engine import memory
from attnviz.engine.labs import identity
from attnviz.engine.machine import RunError
from attnviz.engine.run import start
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Cursor, Failure, Run

LEARNED: dict[str, Any] = {"estimator": "parametric", "learning_rate": 0.02, "w_init": 0.6, "epochs": 12}
HISTORY = ("loss", "w_path", "mixture_path")


def run_to(steps: int | None = None, **values: Any) -> Run:
    """Return a run that has taken some steps, or all."""
    run = start(make_spec({"lab": "regression", "device": "cpu", **values}))
    while not run.final and (steps is None or run.known is None or (run.known.step or 0) < steps):
        assert run.advance(lambda: False)
    return run


def at(run: Run, step: int) -> RegressionTrace:
    trace = run.at(Cursor(step=step))
    assert isinstance(trace, RegressionTrace)
    return trace


@pytest.mark.parametrize("leave_one_out", [True, False])
@pytest.mark.parametrize("num_heads", [1, 3])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_that_every_step_looked_back_on_is_bit_for_bit_the_one_that_was_taken(
    optimizer: str, num_heads: int, leave_one_out: bool
) -> None:
    chosen = {"optimizer": optimizer, "num_heads": num_heads, "leave_one_out": leave_one_out}
    taken = regression_traces(**LEARNED, **chosen, overlays=[{}], untrained_first=True)
    run = run_to(**LEARNED, **chosen, overlays=[{}])
    assert [trace.step for trace in taken] == list(range(13))
    for then in taken:
        now = at(run, then.step)
        before, after = own_arrays(then), own_arrays(now)
        assert set(before) == set(after)
        for name in set(before) - set(HISTORY):
            assert after[name].tobytes() == before[name].tobytes(), name
            assert after[name].shape == before[name].shape, name
        assert (now.step, now.w_now, now.left_out_error) == (then.step, then.w_now, then.left_out_error)
        assert (now.spec, now.device, now.dtype) == (then.spec, "cpu", "float64")
        assert [curve.y_hat.tobytes() for curve in now.curves] == [curve.y_hat.tobytes() for curve in then.curves]
        assert now.cursor == Cursor(step=then.step)


def test_that_a_step_looked_back_on_has_the_whole_history() -> None:
    final, run = regression_trace(**LEARNED, num_heads=2), run_to(**LEARNED, num_heads=2)
    middle = at(run, 5)
    assert (middle.step, middle.known_steps) == (5, 12)
    for name in HISTORY:
        np.testing.assert_array_equal(getattr(middle, name), getattr(final, name))
    assert middle.w.shape == (12, 2)
    assert not any(array.flags.writeable for array in own_arrays(middle).values())


def test_that_what_is_looked_back_on_is_not_the_end_of_the_training_but_its_last_step_is() -> None:
    run = run_to(**LEARNED)
    assert not at(run, 11).final
    assert at(run, 12).final


def test_that_looking_back_changes_no_step_that_is_taken_afterwards() -> None:
    run = run_to(3, **LEARNED, optimizer="adam")
    assert [at(run, step).step for step in (0, 2, 1, 3)] == [0, 2, 1, 3]
    while not run.final:
        run.advance(lambda: False)
    assert bits(at(run, 12)) == bits(regression_trace(**LEARNED, optimizer="adam"))


@pytest.mark.parametrize("step", [-1, 13, 10**9])
def test_that_a_step_beyond_the_history_is_a_value_error_that_names_both(step: int) -> None:
    with pytest.raises(ValueError, match=rf"^step {step} must be in 0\.\.12$"):
        at(run_to(**LEARNED), step)


def test_that_looking_back_without_the_memory_for_it_is_an_error_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = run_to(**LEARNED)
    monkeypatch.setattr(memory, "available_bytes", lambda _: 0)
    with pytest.raises(RunError, match="fewer training points or queries need less") as caught:
        at(run, 3)
    assert caught.value.code == "not_enough_memory"


def test_that_a_diverged_training_can_be_looked_back_on_and_diverges_again_in_the_same_step() -> None:
    values = {"estimator": "parametric", "w_init": 0.5, "learning_rate": 1e6, "epochs": 9, "leave_one_out": False}
    data = {"kind": "points", "x": [1.0, 2.0, 4.0], "y": [1e80, 0.0, -1e80]}
    *taken, failure = events({"lab": "regression", **values, "data": data}, untrained_first=True)
    assert isinstance(failure, Failure)
    run, said = start(make_spec({"lab": "regression", "device": "cpu", **values, "data": data})), []
    for _ in range(2):
        with pytest.raises(RunError) as caught:
            all(run.advance(lambda: False) for _ in range(9))
        said.append(str(caught.value))
    assert said == [failure.message] * 2
    assert run.known == Cursor(step=len(taken) - 1)
    assert bits(at(run, 0))["y_hat"] == bits(taken[0])["y_hat"]  # type: ignore[arg-type]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_that_a_step_that_fails_half_way_is_taken_again_as_if_nothing_had_happened(
    optimizer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, whole = run_to(4, **LEARNED, optimizer=optimizer), regression_trace(**LEARNED, optimizer=optimizer)
    true_step = Descent.step

    def gone(descent: Descent, gradients: Any) -> None:
        true_step(descent, gradients)
        raise RuntimeError("the device has gone")

    with monkeypatch.context() as patch:
        patch.setattr(Descent, "step", gone)
        with pytest.raises(RuntimeError, match="has gone"):
            run.advance(lambda: False)
    assert run.known == Cursor(step=4)
    while not run.final:
        run.advance(lambda: False)
    assert bits(at(run, 12)) == bits(whole)


def test_that_a_fit_which_learned_nothing_has_one_place() -> None:
    run = run_to(kernel="boxcar", width=0.2)
    assert (run.known, run.final) == (Cursor(step=0), True)
    assert bits(at(run, 0)) == bits(regression_trace(kernel="boxcar", width=0.2))
    with pytest.raises(ValueError, match="step 1 must be in"):
        at(run, 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"epochs": 5}, {"epochs": 12}),
        ({"epochs": 12}, {"epochs": 5}),
        ({"overlays": [{}]}, {"overlays": [{}, {"estimator": "parametric"}], "epochs": 7}),
        ({}, {"x_test": {"start": -1, "stop": 6, "step": 0.25}}),
    ],
    ids=str,
)
def test_that_a_run_goes_on_with_the_past_of_another_and_takes_none_of_its_steps_again(
    before: dict[str, Any], after: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run_to(**LEARNED | {"optimizer": "adam"} | before)
    second = start(make_spec({"lab": "regression", "device": "cpu"} | LEARNED | {"optimizer": "adam"} | after), first)
    assert identity(first.spec) == identity(second.spec)
    taken = count_steps(monkeypatch)
    assert second.advance(lambda: False)
    trained_for_overlays = sum(each.get("estimator") == "parametric" for each in after.get("overlays", ()))
    assert len(taken) == trained_for_overlays * second.spec.epochs
    taken.clear()
    while not second.final:
        assert second.advance(lambda: False)
    assert len(taken) == max(0, second.spec.epochs - first.spec.epochs)
    truth = regression_traces(**LEARNED | {"optimizer": "adam"} | after, untrained_first=True)
    for step in range(second.spec.epochs + 1):
        found, known = bits(at(second, step)), bits(truth[-1])
        assert found["y_hat"] == bits(truth[step])["y_hat"]
        assert found["loss"] == known["loss"]
    assert bits(at(second, second.spec.epochs)) == bits(truth[-1])


@pytest.mark.parametrize(
    "change",
    [{"learning_rate": 0.03}, {"w_init": 0.5}, {"leave_one_out": False}, {"data": {"kind": "synthetic"}},
     {"num_heads": 2}, {"optimizer": "adam"}, {"estimator": "average"}],
    ids=str,
)  # fmt: skip
def test_that_what_decides_the_steps_of_a_training_makes_it_another_one(change: dict[str, Any]) -> None:
    base = {"lab": "regression", **LEARNED}
    assert identity(make_spec(base)) != identity(make_spec(base | change))


def test_that_a_training_on_a_file_that_has_changed_is_another_one(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    spec = make_spec({"lab": "regression", **LEARNED, "data": {"kind": "file", "path": str(path)}})
    assert identity(spec) is None, "there is no such file"
    path.write_text("1,2\n3,4\n", encoding="utf-8")
    before = identity(spec)
    assert before == identity(spec)
    path.write_text("1,2\n3,4\n5,6\n", encoding="utf-8")
    assert identity(spec) != before
