"""The one bridge from a spec to torch: `start` makes its run, `run` yields its traces, or one failure."""

from collections.abc import Container, Iterator
from typing import Any, overload

import torch

from attnviz.engine.errors import RunError
from attnviz.engine.failures import failure_of
from attnviz.engine.labs import ENGINE_LABS
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Asked, RunEvent, Spec, Trace
from attnviz.experiment.regression.studies import Study, StudyTrace
from attnviz.experiment.run import Cursor, Progress, Run, ShouldStop, never_stop

_EXPECTED = (RunError, MemoryError, torch.OutOfMemoryError, RuntimeError, ValueError, OSError, StopIteration)
"""The errors that become a failure. Others are defects and are raised, except those that a generator must not raise."""


def _quietly(done: int, count: int) -> None:
    del done, count


def start(asked: Asked, past: Run | None = None, progress: Progress = _quietly) -> Run:
    """Return the run of a spec or study, not yet started.

    It depends only on its spec: no global seed, no default device. With the ``past`` of a run whose spec has the same
    identity (see `attnviz.engine.labs`) it reuses the steps taken there; both runs stay usable.
    """
    return ENGINE_LABS[asked.lab].start(asked, past, progress)


@overload
def run(
    asked: Spec,
    *,
    should_stop: ShouldStop = ...,
    untrained_first: bool = ...,
    steps: Container[int] | None = ...,
    progress: Progress = ...,
) -> Iterator[RunEvent]: ...
@overload
def run(asked: Study, *, should_stop: ShouldStop = ...) -> Iterator[StudyTrace | Failure[Study]]: ...
def run(
    asked: Asked,
    *,
    should_stop: ShouldStop = never_stop,
    untrained_first: bool = False,
    steps: Container[int] | None = None,
    progress: Progress = _quietly,
) -> Iterator[Any]:
    """Yield a spec's traces: one, or one for every training step; or the one result of a study.

    A run that cannot be carried out ends with one `Failure` as the last event. Errors that a user can cause are never
    raised.

    Args:
        asked: what to run.
        should_stop: asked between steps; True ends the run without a further event.
        untrained_first: also yield the fit before the first training step.
        steps: the training steps to yield; None: all. For the others no trace is made.
        progress: called after each training step, overlays' included, with the steps taken and their total.
    """
    try:
        going = start(asked, progress=progress)
        while not going.final and going.advance(should_stop):
            step = going.known.step if going.known is not None else None
            wanted = untrained_first if step == 0 else steps is None or step in steps
            if wanted or not asked.trains:
                yield going.at(Cursor())
    except _EXPECTED as error:
        yield failure_of(asked, error)


def run_to_end(spec: Spec, *, progress: Progress = _quietly) -> RunEvent:
    """Return a spec's last trace, or its `Failure`; no earlier trace of a training is made."""
    try:
        going = start(spec, progress=progress)
        while not going.final:
            going.advance(never_stop)
        last: Trace = going.at(Cursor())
        return last
    except _EXPECTED as error:
        return failure_of(spec, error)
