"""The run of a transformer's training: each step once more to the last bit, no step twice, and branches that share."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from calling import forked
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_specs import OPTIMIZERS
from trainings import counted_steps, shown_at, state_of, train_run, train_spec

from attnviz.engine import memory
from attnviz.engine.labs import identity
from attnviz.engine.machine import RunError
from attnviz.engine.run import run, run_to_end, start
from attnviz.engine.train import checkpoints, training
from attnviz.engine.train.checkpoints import CHECKPOINT_BYTES
from attnviz.engine.train.run import TrainRun
from attnviz.engine.train.training import is_measured
from attnviz.experiment.run import Failure, never_stop
from attnviz.experiment.train.trace import TrainTrace

WILD: dict[str, Any] = {"optimizer": "sgd", "norm": False, "clip": None, "learning_rate": 1e6, "warmup": 20}
"""A training that leaves the finite numbers after a few steps."""


@cache
def states(**values: Any) -> dict[int, dict[str, bytes]]:
    """Return what a small training computes at each of its steps, seen on the way."""
    return {trace.step: state_of(trace) for trace in run(train_spec(**values), untrained_first=True)}


@pytest.mark.parametrize("optimizer", [*OPTIMIZERS, "adamw"])
@settings(max_examples=4)
@given(
    steps=st.lists(st.integers(0, 24), min_size=6, max_size=12),
    states_in_memory=st.sampled_from([0.5, 2.5, 9.5, 100]),
    rests=st.sets(st.integers(0, 11), max_size=3),
)
def test_that_any_step_is_looked_at_again_bit_for_bit_in_any_order(
    optimizer: str, steps: list[int], states_in_memory: float, rests: set[int]
) -> None:
    then = states(optimizer=optimizer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "SPACINGS", (1, 2, 8))
        one = train_run(optimizer=optimizer, to=1)
        assert one.training is not None
        size = max(each.nbytes for each in one.training.branches[0].checkpoints.values())
        patch.setattr(training, "CHECKPOINT_BYTES", int(states_in_memory * size))
        taken = train_run(optimizer=optimizer)
        assert taken.training is not None
        assert taken.training.checkpoint_bytes <= max(states_in_memory, 1) * size
        assert (taken.training.file_bytes > 0) == (states_in_memory < 3)
        for turn, step in enumerate(steps):
            if turn in rests:
                taken.rest()
            with counted_steps() as again:
                assert state_of(shown_at(taken, step)) == then[step]
            assert len(again) < 8


def test_that_a_step_looked_back_on_has_the_whole_history_and_later_steps_leave_it_as_it_is() -> None:
    going = train_run(to=10)
    early = shown_at(going, 4)
    assert (early.step, early.known_steps) == (4, 10)
    before = early.history.loss.copy(), early.history.roles.copy()
    while not going.final:
        going.advance(never_stop)
    last = shown_at(going)
    np.testing.assert_array_equal(early.history.loss, before[0])
    np.testing.assert_array_equal(early.history.roles, before[1])
    np.testing.assert_array_equal(last.history.loss[:10], before[0])
    assert last.history.role_steps.tolist() == [step for step in range(25) if is_measured(step)]
    assert len(last.history.roles) == len(last.history.role_steps)
    with pytest.raises(ValueError, match="read-only"):
        last.history.loss[0] = 1.0


def test_that_loss_and_accuracy_are_those_of_the_batch_before_each_step() -> None:
    from attnviz.attention.transformer import next_token_accuracy, next_token_loss
    from attnviz.engine.train.batches import draw_batch

    going, spec = train_run(), train_spec()
    assert going.training is not None
    for step in (0, 1, 17):
        model, _ = going.model_at(step)
        batch = draw_batch(spec.task.record, spec.knobs, spec.batch_size, spec.seed, step)
        with torch.no_grad():
            logits = model(batch.tokens)
        history = shown_at(going).history
        assert history.loss[step] == next_token_loss(logits, *batch).item()
        assert history.accuracy[step] == next_token_accuracy(logits, *batch).item()


def test_that_the_first_step_has_the_first_checkpoint_and_no_more_than_a_hundred_lie_between_two() -> None:
    for narrow, wide in zip(training.SPACINGS, training.SPACINGS[1:], strict=False):
        assert wide % narrow == 0, "a wider spacing keeps none that is not there"
    assert training.SPACINGS[-1] <= 100
    assert CHECKPOINT_BYTES <= 256 << 20


def test_that_a_full_disk_makes_looking_back_longer_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints.shutil, "disk_usage", lambda _: SimpleNamespace(free=checkpoints.ROOM_BYTES))
    monkeypatch.setattr(training, "CHECKPOINT_BYTES", 20_000)
    monkeypatch.setattr(training, "SPACINGS", (1, 2))
    taken = train_run()
    assert taken.training is not None
    assert taken.training.file_bytes == 0
    assert taken.training.checkpoint_bytes <= 20_000
    for step in (23, 1, 0, 24, 9):
        assert state_of(shown_at(taken, step)) == states()[step]


def test_that_a_checkpoint_that_is_cut_off_is_an_error_and_the_other_steps_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(training, "CHECKPOINT_BYTES", 0)
    monkeypatch.setattr(training, "SPACINGS", (8,))
    taken = train_run()
    assert taken.training is not None
    file = taken.training._store._file
    assert file is not None
    file.truncate(0)
    with pytest.raises(OSError, match="was cut"):
        shown_at(taken, 9)
    assert state_of(shown_at(taken, 24)) == states()[24]


@pytest.fixture
def wild() -> Iterator[TrainRun]:
    """A run whose next step leaves the finite numbers."""
    going = start(train_spec(**WILD))
    assert isinstance(going, TrainRun)
    with np.errstate(all="ignore"):
        for _ in range(20):
            try:
                going.advance(never_stop)
            except RunError:
                yield going
                return
    pytest.fail("it stays finite")


def test_that_a_step_that_is_not_finite_leaves_the_run_as_it_was_and_fails_again_with_the_same_sentence(
    wild: TrainRun,
) -> None:
    assert wild.known is not None
    step = wild.known.step
    assert step
    before = state_of(shown_at(wild))
    said = set()
    for _ in range(2):
        with pytest.raises(RunError) as caught:
            wild.advance(never_stop)
        said.add(str(caught.value))
        assert wild.known.step == step
        assert state_of(shown_at(wild)) == before
        assert np.isfinite(shown_at(wild).history.loss).all()
    (sentence,) = said
    rate = wild.spec.rate_at(step)
    assert f"at step {step + 1} (loss" in sentence
    assert sentence.endswith(f"try a learning rate below {rate:g}")
    gentler = train_run(wild, changes=[{"step": 0, "learning_rate": 1e-3}], to=step + 2, **WILD)
    assert shown_at(gentler).step == step + 2


def test_that_a_run_that_diverges_ends_with_one_failure() -> None:
    *traces, last = run(train_spec(**WILD))
    assert all(isinstance(trace, TrainTrace) for trace in traces)
    assert isinstance(last, Failure)
    assert last.code == "diverged"
    assert last.numbers["step"] == len(traces) + 1


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam", "adamw"])
@pytest.mark.parametrize(("rate", "norm"), [(100.0, True), (100.0, False), (1e6, False)])
def test_that_every_step_that_is_shown_before_a_training_diverges_has_numbers(
    optimizer: str, rate: float, norm: bool
) -> None:
    wild = train_spec(optimizer=optimizer, learning_rate=rate, clip=None, norm=norm, warmup=0)
    shown = [event for event in run(wild, untrained_first=True) if isinstance(event, TrainTrace)]
    assert shown
    for trace in shown:
        assert np.isfinite(trace.weights).all(), "finite parameters, of which the products are none"
        assert np.isfinite(trace.logits).all()


def test_that_a_parameter_that_is_not_a_number_is_found_in_any_tensor() -> None:
    spec = train_spec(feed_forward=True, positions="learned")
    state, probe = training.ModelState(spec, torch.device("cpu")), spec.probe_tokens
    assert state.is_finite(probe)
    for parameter in state.parameters:
        for wrong in (torch.nan, torch.inf, -torch.inf):
            with torch.no_grad():
                kept, parameter.view(-1)[-1] = parameter.view(-1)[-1].item(), wrong
                assert not state.is_finite(probe)
                parameter.view(-1)[-1] = kept


def test_that_a_step_that_breaks_off_in_the_middle_is_taken_again_from_its_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    going = train_run(to=7)
    step = training.Descent.step

    def broken(descent: Any, gradients: Any) -> None:
        step(descent, gradients)
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(training.Descent, "step", broken)
        with pytest.raises(MemoryError):
            going.advance(never_stop)
    assert state_of(shown_at(going)) == states()[7]
    going.advance(never_stop)
    assert state_of(shown_at(going)) == states()[8]


def test_that_a_run_that_is_stopped_takes_no_step() -> None:
    going = train_run(to=3)
    with counted_steps() as taken:
        assert not going.advance(lambda: True)
    assert (taken, shown_at(going).step) == ([], 3)


def test_that_memory_is_asked_for_before_the_model_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda _: 1 << 30)
    monkeypatch.setattr(training, "first_model", lambda *_: pytest.fail("a model was made"))
    large = {"num_tokens": 256, "vocab_size": 128, "batch_size": 256, "num_layers": 6, "task": {"kind": "repeat"}}
    sizes = {"num_hiddens": 256, "num_heads": 16, "task": {"kind": "repeat", "segment": 128}}
    failure = run_to_end(train_spec(**large | sizes))
    assert isinstance(failure, Failure)
    assert failure.code == "not_enough_memory"
    assert failure.message.endswith("fewer layers, a smaller hidden size, fewer tokens or a smaller batch need less")


# Branches


def test_that_more_steps_heads_off_and_another_probe_take_no_step_again() -> None:
    first = train_run(steps=10)
    with counted_steps() as taken:
        longer = train_run(first, steps=14)
        assert taken == [10, 11, 12, 13]
        taken.clear()
        for values in ({"steps": 14, "heads_off": ["1.2"]}, {"steps": 6}, {"steps": 14, "probe": ["a", "b", "a"]}):
            other = train_run(longer, **values)
            assert state_of(shown_at(other, 6))["logits"]
        assert set(taken) <= set(range(6)), "at most a look back"
    assert state_of(shown_at(longer, 10)) == state_of(shown_at(first)) == states()[10]


@given(
    off=st.sets(st.sampled_from(["1.1", "1.2", "2.1", "2.2"])),
    probe=st.none() | st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8),
)
@settings(max_examples=8)
def test_that_parameters_and_history_do_not_depend_on_heads_off_or_the_probe(
    off: set[str], probe: list[str] | None
) -> None:
    plain, shown = (shown_at(train_run(steps=6, **more)) for more in ({}, {"heads_off": sorted(off), "probe": probe}))
    for name, values in plain.parameters.items():
        assert shown.parameters[name].tobytes() == values.tobytes()
    for name in ("loss", "accuracy", "roles", "role_steps"):
        assert getattr(shown.history, name).tobytes() == getattr(plain.history, name).tobytes()


def test_that_a_changed_rate_shares_the_steps_before_it_and_the_old_list_loses_nothing() -> None:
    change = {"changes": [{"step": 12, "learning_rate": 0.05}]}
    first = train_run()
    with counted_steps() as taken:
        branch = train_run(first, steps=23, **change)
        assert taken == list(range(12, 23)), "from the checkpoint"
        branch = train_run(branch, **change)
        taken.clear()
        back = train_run(branch)
        assert shown_at(back).known_steps == 24
        again = train_run(back, **change)
        assert state_of(shown_at(again)) == state_of(shown_at(branch))
        assert taken == []
    alone = train_run(**change)
    assert identity(branch.spec) == identity(first.spec)
    for step in (0, 9, 12, 13, 24):
        assert state_of(shown_at(branch, step)) == state_of(shown_at(alone, step))
        assert (state_of(shown_at(branch, step)) == state_of(shown_at(first, step))) == (step <= 12)
    assert shown_at(branch).history.loss.tobytes() == shown_at(alone).history.loss.tobytes()
    assert shown_at(branch).history.roles.tobytes() == shown_at(alone).history.roles.tobytes()


def test_that_a_branch_of_a_branch_forks_from_the_nearest() -> None:
    first = train_run()
    branch = train_run(first, changes=[{"step": 8, "learning_rate": 0.05}])
    with counted_steps() as taken:
        twig = train_run(branch, changes=[{"step": 8, "learning_rate": 0.05}, {"step": 20, "learning_rate": 0.001}])
    assert taken == [20, 21, 22, 23]
    assert state_of(shown_at(twig, 19)) == state_of(shown_at(branch, 19))


def test_that_a_change_of_the_rate_to_what_it_is_makes_no_branch() -> None:
    first = train_run()
    with counted_steps() as taken:
        train_run(first, changes=[{"step": 8, "learning_rate": first.spec.learning_rate}])
    assert taken == []


def test_that_a_training_at_rest_holds_next_to_nothing_and_goes_on_where_it_was() -> None:
    then, going = states(), train_run(to=13)
    assert going.training is not None
    going.rest()
    assert going.training.checkpoint_bytes == 0
    assert going.training.nbytes < 10_000
    with counted_steps() as taken:
        assert state_of(shown_at(going)) == then[13]
        going.advance(never_stop)
    assert taken == [13]
    assert state_of(shown_at(going)) == then[14]


@pytest.mark.parametrize("other", [{"seed": 1}, {"num_heads": 1}, {"learning_rate": 0.01}, {"dtype": "float64"}])
def test_that_another_seed_size_or_first_rate_is_another_training(other: dict[str, Any]) -> None:
    assert identity(train_spec(**other)) != identity(train_spec())


def test_that_a_first_training_waits_for_no_tracing_modules_which_take_a_second(tmp_path: Path) -> None:
    code = """
import sys
from attnviz.engine.run import run
from attnviz.experiment.files.specs_in_files import preset
for positions in ("rotary", "learned", "alibi", "sinusoidal"):
    list(run(preset("train-copy").spec.model_copy(update={"steps": 1, "positions": positions})))
print("torch._dynamo" in sys.modules)
"""
    said = forked(cwd=tmp_path, code=code)
    assert (said.code, said.out) == (0, "False\n"), said
