"""The stages that each lab can show of a run, in order."""

from attnviz.experiment import attention_stages
from attnviz.experiment.attention import AttentionSpec
from attnviz.experiment.labs import Spec
from attnviz.experiment.problems import nearest_word, said

REGRESSION_STAGES = ("differences", "kernel", "weights", "pooling")


def stages_of(spec: Spec) -> tuple[str, ...]:
    """Return the stages of a spec's run."""
    return attention_stages.stages_of(spec) if isinstance(spec, AttentionSpec) else REGRESSION_STAGES


def wrong_stage(stage: str, spec: Spec) -> str:
    """Return what is wrong with a stage that was asked for, as a sentence; nothing where the spec has it."""
    stages = stages_of(spec)
    if stage in stages:
        return ""
    return f"stage {said(stage)} must be one of {', '.join(stages)}{nearest_word(stage, stages)}"
