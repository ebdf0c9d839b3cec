"""The stages that each lab can show of a run, in order."""

from typing import get_args

from attnviz.definitions.sentences import nearest_word, said
from attnviz.experiment.attention import stages as attention_stages
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import Spec
from attnviz.experiment.view_settings import RegressionStageName

REGRESSION_STAGES: tuple[str, ...] = get_args(RegressionStageName)


def stages_of(spec: Spec) -> tuple[str, ...]:
    """Return the stages of a spec's run."""
    return attention_stages.stages_of(spec) if isinstance(spec, AttentionSpec) else REGRESSION_STAGES


def wrong_stage(stage: str, spec: Spec) -> str:
    """Return what is wrong with a stage that was asked for, as a sentence; nothing where the spec has it."""
    stages = stages_of(spec)
    if stage in stages:
        return ""
    near = nearest_word(stage, stages) or "; nearest: weights"
    return f"stage {said(stage)} must be one of {', '.join(stages)}{near}"
