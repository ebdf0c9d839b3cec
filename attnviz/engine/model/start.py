"""How the runs of the model lab begin: a model on a text, or the study of its heads."""

from typing import Any

from attnviz.engine.model.run import ModelRun
from attnviz.engine.model.studies import heads_in_turn
from attnviz.engine.single_run import SingleRun
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.run import Progress, Run


def start(asked: Any, progress: Progress) -> Run:
    """Return the run of a spec, or of a study, which has one step."""
    if isinstance(asked, ModelSpec):
        return ModelRun(asked, progress)
    return SingleRun(asked, lambda study, should_stop: heads_in_turn(study, progress, should_stop))
