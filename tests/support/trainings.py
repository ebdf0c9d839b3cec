"""Small trainings of a transformer, their traces, and counts of their steps."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from attnviz.engine.run import start
from attnviz.engine.train.run import TrainRun
from attnviz.engine.train.training import ModelState
from attnviz.experiment.labs import make_spec
from attnviz.experiment.run import Cursor, never_stop
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace

SMALL: dict[str, Any] = {
    "lab": "train",
    "device": "cpu",
    "task": {"kind": "repeat", "segment": 3},
    "num_tokens": 8,
    "vocab_size": 8,
    "num_layers": 2,
    "num_heads": 2,
    "num_hiddens": 8,
    "batch_size": 3,
    "warmup": 4,
    "steps": 24,
}
"""A training with steps of a few milliseconds."""


def train_spec(**values: Any) -> TrainSpec:
    """Return the spec of a small training."""
    spec = make_spec(SMALL | values)
    assert isinstance(spec, TrainSpec)
    return spec


def train_run(past: TrainRun | None = None, to: int | None = None, **values: Any) -> TrainRun:
    """Return the run of a small training after some steps, by default all."""
    run = start(train_spec(**values), past)
    assert isinstance(run, TrainRun)
    while not run.final and (to is None or run.known is None or (run.known.step or 0) < to):
        assert run.advance(never_stop)
    return run


def shown_at(run: TrainRun, step: int | None = None) -> TrainTrace:
    """Return the trace after a step, by default the newest."""
    return run.at(Cursor(step=step))


def state_of(trace: TrainTrace) -> dict[str, bytes]:
    """Return the bits of everything computed for a step of a training, without its history."""
    found = {name: values.tobytes() for name, values in trace.parameters.items()}
    return found | {"weights": trace.weights.tobytes(), "logits": trace.logits.tobytes()}


@contextmanager
def counted_steps() -> Iterator[list[int]]:
    """Collect the steps taken, each by the number of steps before it."""
    taken: list[int] = []
    take = ModelState.take_step

    def noted(state: ModelState) -> tuple[float, float]:
        taken.append(state.step)
        return take(state)

    with patch.object(ModelState, "take_step", noted):
        yield taken
