"""A training that goes on from what a session has carried: no step is taken twice, and each is the same bit for bit."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from legal_specs import OPTIMIZERS
from numpy.typing import NDArray
from trainings import counted_steps, shown_at, state_of, train_run, train_spec

from attnviz.engine.machine import RunError
from attnviz.engine.run import run_to_end, start
from attnviz.engine.train import training
from attnviz.engine.train.run import TrainRun
from attnviz.experiment.files.session import Session, session_from_json, session_to_json
from attnviz.experiment.run import Cursor, Failure, never_stop
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.trained import TrainedState

STEP = 13


def carried(shown: int | None = None, to: int = STEP, **values: Any) -> TrainedState:
    """Return what a file has carried of a small training after some steps."""
    trained = train_run(to=to, **values).carried(Cursor(step=shown))
    read = session_from_json(session_to_json(Session(spec=train_spec(**values)).with_trained(trained))).fitting
    assert isinstance(read, TrainedState)
    return read


def begun(trained: TrainedState, past: TrainRun | None = None, **values: Any) -> TrainRun:
    """Return the run of a small training that goes on from there, before its next step."""
    run = start(train_spec(**values), past, trained=trained)
    assert isinstance(run, TrainRun)
    assert run.advance(never_stop)
    return run


def to_end(run: TrainRun) -> TrainRun:
    while not run.final:
        assert run.advance(never_stop)
    return run


def check_is(run: TrainRun, truth: TrainRun, step: int) -> None:
    """Check that a step of two runs is the same bit for bit, with its history."""
    here, there = shown_at(run, step), shown_at(truth, step)
    assert state_of(here) == state_of(there)
    for name in ("loss", "accuracy", "role_steps", "roles", "role_lowest", "role_distances"):
        np.testing.assert_array_equal(getattr(here.history, name), getattr(there.history, name))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_that_it_goes_on_bit_for_bit_as_if_it_had_never_been_left(optimizer: str, dtype: str) -> None:
    kind = {"optimizer": optimizer, "dtype": dtype, "learning_rate": 0.01}
    trained = carried(**kind)
    with counted_steps() as taken:
        run = begun(trained, **kind)
        check_is(run, train_run(to=STEP, **kind), STEP)
        del taken[:]
        to_end(run)
        assert taken == list(range(STEP, 24))
    check_is(run, train_run(**kind), 24)


def test_that_roles_of_an_older_version_stay_until_they_are_measured_on_the_sequences_of_the_task() -> None:
    older = replace(carried(), role_lowest=None, role_distances=None)
    run = begun(older, steps=24)
    assert run.at(Cursor()).history.on_probe
    assert run.advance(never_stop)
    here = run.at(Cursor()).history
    assert here.on_probe, "step 14 is not measured"
    np.testing.assert_array_equal(here.roles, older.history.roles)
    history, truth = to_end(run).at(Cursor()).history, train_run().at(Cursor()).history
    assert not history.on_probe
    assert history.role_steps.tolist() == [16, 20, 24]
    np.testing.assert_array_equal(history.roles, truth.roles[-3:])
    np.testing.assert_array_equal(history.loss, truth.loss)


def test_that_the_carried_steps_are_there_without_a_step_taken() -> None:
    trained = carried(shown=5)
    with counted_steps() as taken:
        run = begun(trained)
        assert run.known == Cursor(step=STEP)
        found = {step: shown_at(run, step) for step in (STEP, 5, 0)}
        assert taken == []
    assert all(state_of(trace) == state_of(shown_at(train_run(), step)) for step, trace in found.items())
    assert found[5].known_steps == STEP


def test_that_earlier_steps_are_taken_again_bit_for_bit_and_then_kept() -> None:
    run, truth = begun(carried(to=24)), train_run()
    for step in (17, 3, 23):
        check_is(run, truth, step)
    with counted_steps() as taken:
        for step in (22, 2, 14):
            check_is(run, truth, step)
    assert len(taken) <= 3 * training.SPACINGS[0] * 2


def test_that_the_way_to_a_step_far_from_every_state_leads_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "SPACINGS", (4, 8))
    monkeypatch.setattr(training, "_ON_THE_WAY", 3)
    run, truth = begun(carried(to=24)), train_run()
    wanted, seen = Cursor(step=21), []
    while not seen or seen[-1] != 21:
        near = run.near(wanted)
        assert near.step is not None
        with counted_steps() as taken:
            assert state_of(shown_at(run, near.step)) == state_of(shown_at(truth, near.step))
        assert len(taken) <= 2 * 8  # of either run
        seen.append(near.step)
    assert seen == sorted(set(seen))
    assert len(seen) > 2
    assert run.near(Cursor(step=20)) == Cursor(step=20)
    assert run.near(Cursor(step=24)) == Cursor(step=24)


def test_that_a_branch_before_a_carried_state_begins_at_the_state_before_it_and_can_be_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(training, "SPACINGS", (4, 8))
    other = {"changes": [{"step": 20, "learning_rate": 0.1}]}
    run = start(train_spec(**other), begun(carried(to=24)))
    assert isinstance(run, TrainRun)
    assert run.advance(never_stop)
    assert run.known == Cursor(step=0)
    check_is(to_end(run), train_run(**other), 24)


def test_that_a_carried_state_is_kept_however_little_memory_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "CHECKPOINT_BYTES", 0)
    monkeypatch.setattr(training, "SPACINGS", (4, 8))
    monkeypatch.setattr(training.Checkpoints, "move_oldest", lambda _: False)
    run = to_end(begun(carried()))
    with counted_steps() as taken:
        assert state_of(shown_at(run, STEP + 1)) == state_of(shown_at(train_run(to=STEP + 1)))
    assert next(step for step in taken if step >= STEP) == STEP
    assert len(taken) == 1 + STEP + 1, "one from the carried state, the others by the run that it is compared with"


def test_that_a_run_that_knows_as_much_goes_on_as_it_is() -> None:
    past = train_run(to=STEP + 2)
    run = begun(carried(), past)
    assert run.known == Cursor(step=STEP + 2)
    behind = train_run(to=3)
    run = begun(carried(), behind)
    assert run.known == Cursor(step=STEP)
    check_is(to_end(run), train_run(), 24)


def test_that_a_state_of_another_training_changes_nothing() -> None:
    run = begun(carried(seed=1))
    assert run.known == Cursor(step=0)


def test_that_a_shorter_training_ends_where_it_says_and_a_longer_one_goes_on() -> None:
    run = begun(carried(), steps=6)
    assert run.final
    assert state_of(shown_at(run)) == state_of(shown_at(train_run(to=6)))
    last = run_to_end(train_spec(steps=30), trained=carried(to=24))
    assert isinstance(last, TrainTrace)
    assert state_of(last) == state_of(shown_at(train_run(steps=30)))


def with_values(trained: TrainedState, change: Callable[[NDArray[Any]], None]) -> TrainedState:
    """Return carried states, (states, 1 + remembered, parameters) numbers of which were changed in the file."""
    numbers = np.frombuffer(trained.values, trained.spec.dtype).copy()
    change(numbers.reshape(len(trained.steps), 3, -1))
    return replace(trained, values=numbers.tobytes())


def fill(state: int, part: int, number: float) -> Callable[[NDArray[Any]], None]:
    def change(numbers: NDArray[Any]) -> None:
        numbers[state, part] = number

    return change


@pytest.mark.parametrize("state", [0, 1])
def test_that_carried_states_which_predict_no_finite_number_are_refused(state: int) -> None:
    broken = with_values(carried(shown=5), fill(state, 0, 1e38))
    last = run_to_end(train_spec(), trained=broken)
    assert isinstance(last, Failure)
    assert last.code == "carried_not_finite"
    assert f"after step {(5, STEP)[state]}: the file was modified; train it anew" in last.message
    run = start(train_spec(), trained=broken)
    for _ in range(2):
        with pytest.raises(RunError, match="predicts no finite number"):
            run.advance(never_stop)
    assert run.known is None


@pytest.mark.parametrize("shown", [None, 5])
def test_that_a_training_that_breaks_on_the_way_from_a_file_says_that_the_file_may_be_why(shown: int | None) -> None:
    trained = carried(shown=shown)
    run = begun(with_values(trained, fill(0, 1, 1e38)))  # the mean of its gradients
    act = partial(run.advance, never_stop) if shown is None else partial(shown_at, run, 9)
    with pytest.raises(RunError, match="after resuming from the session's model; train it anew"):
        act()
    if shown is not None:
        assert state_of(shown_at(run, STEP)) == state_of(shown_at(train_run(to=STEP))), "the newest state is whole"


def test_that_a_trace_says_up_to_which_step_its_curves_are_those_of_a_file() -> None:
    run = to_end(begun(carried()))
    for step in (STEP, 24):
        trace = shown_at(run, step)
        assert trace.history.carried == STEP
        assert f"curves to step {STEP} from the file" in [fact.text.lower() for fact in trace.facts()]
        assert f"the first {STEP} steps are from the file" in trace.summary()
    assert not shown_at(train_run()).history.carried
    assert "file" not in shown_at(train_run()).summary()


def test_that_nothing_is_carried_before_the_first_step_and_nothing_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    from attnviz.engine.train import run as train_run_module
    from attnviz.experiment.train import trained as trained_module

    assert train_run(to=0).carried(Cursor()) is None
    run = train_run(to=STEP)
    for module in (train_run_module, trained_module):
        monkeypatch.setattr(module, "MOST_BYTES", trained_module.state_bytes(run.spec))
    found = run.carried(Cursor(step=5))
    assert found is not None
    assert found.steps == (STEP,), "the shown step is left out where there is no room"
    monkeypatch.setattr(trained_module, "MOST_BYTES", 100)
    with pytest.raises(ValueError, match="the trained model takes 1 MiB, and a session carries at most 0 MiB"):
        run.carried(Cursor())
