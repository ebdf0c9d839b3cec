"""The one bridge from a spec to torch: `run` yields traces, or one failure with a sentence."""

from collections.abc import Callable, Container, Iterator
from typing import Any, overload

import torch

from attnviz.engine.errors import RunError
from attnviz.engine.failures import failure_of, lab_of
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Asked, RunEvent, Spec
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.studies import Study, StudyTrace
from attnviz.experiment.regression.trace import RegressionTrace

_EXPECTED = (RunError, MemoryError, torch.OutOfMemoryError, RuntimeError, ValueError, OSError)
"""What ends in a failure with a sentence; a defect of ours goes to the caller."""


def _never() -> bool:
    return False


def _quietly(done: int, count: int) -> None:
    del done, count


@overload
def run(
    asked: Spec,
    *,
    should_stop: Callable[[], bool] = ...,
    untrained_first: bool = ...,
    steps: Container[int] | None = ...,
    progress: Callable[[int, int], None] = ...,
) -> Iterator[RunEvent]: ...
@overload
def run(asked: Study, *, should_stop: Callable[[], bool] = ...) -> Iterator[StudyTrace | Failure[Study]]: ...
def run(
    asked: Asked,
    *,
    should_stop: Callable[[], bool] = _never,
    untrained_first: bool = False,
    steps: Container[int] | None = None,
    progress: Callable[[int, int], None] = _quietly,
) -> Iterator[Any]:
    """Yield what a spec's experiment produces: one trace, or one for every training step; or a study's one outcome.

    It reads nothing but its spec: no global seed, no default device. What cannot be carried out ends in one `Failure`
    as the last event; this generator raises nothing that a user could cause.

    Args:
        asked: what to run.
        should_stop: asked between steps; True ends the run without a further event.
        untrained_first: also yield a trained lab's fit before its first step.
        steps: the training steps to yield, all where it is None. The others take no more than the training itself.
        progress: told after each training step how many have been taken, and of how many; overlays' count too.
    """
    trained: dict[str, Any] = {}
    if isinstance(asked, RegressionSpec):
        trained = {"untrained_first": untrained_first, "steps": steps, "progress": progress}
    try:
        yield from lab_of(asked).run_lab(asked, should_stop, **trained)
    except _EXPECTED as error:
        yield failure_of(asked, error)


def run_to_end(spec: Spec, *, progress: Callable[[int, int], None] = _quietly) -> RunEvent:
    """Return a spec's last trace, or its `Failure`; of a training no earlier trace is made."""
    steps = (spec.epochs,) if isinstance(spec, RegressionSpec) else ()
    *_, last = run(spec, steps=steps, progress=progress)
    return last


def look_back(trace: RegressionTrace, step: int) -> RunEvent:
    """Return a training as it was after another step of its history, or a `Failure` with a sentence.

    Raises:
        ValueError: the history does not reach the step.
    """
    from attnviz.engine.regression import run as regression

    if not 0 <= step <= trace.known_steps:
        raise ValueError(f"step {step} must lie in 0..{trace.known_steps}")
    try:
        return regression.look_back(trace, step)
    except _EXPECTED as error:
        return failure_of(trace.spec, error)
