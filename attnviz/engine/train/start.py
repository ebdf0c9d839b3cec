"""Creates the runs of the training lab: a training, or a study of one."""

from collections.abc import Hashable
from typing import Any

from attnviz.engine.single_run import SingleRun
from attnviz.engine.train.run import TrainRun
from attnviz.engine.train.studies import run_of, run_study
from attnviz.experiment.run import Progress, Run, never_stop, no_progress
from attnviz.experiment.train.spec import TrainSpec


def start(asked: Any, past: Any, progress: Progress) -> Run:
    """Return the run of a spec, or of a study, which has one step; both reuse the steps of ``past``."""
    if isinstance(asked, TrainSpec):
        return TrainRun(asked, past if isinstance(past, TrainRun) else None, progress)
    return SingleRun(asked, lambda study, should_stop: run_study(study, past, progress, should_stop))


def identity(asked: Any) -> Hashable:
    """Return a key of the steps of a training: equal for all specs and studies that share them."""
    past: Hashable = (asked if isinstance(asked, TrainSpec) else asked.of).past
    return past


def past_for(asked: Any) -> Run:
    """Return a prepared run whose steps a study shares with the next one of the same training."""
    run = TrainRun(asked, None, no_progress) if isinstance(asked, TrainSpec) else run_of(asked, None, no_progress)
    run.advance(never_stop)
    return run
