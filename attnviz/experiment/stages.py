"""The stages of a spec's run, for every lab."""

from attnviz.definitions.sentences import nearest_word, said
from attnviz.experiment.labs import LABS, Spec


def stages_of(spec: Spec) -> tuple[str, ...]:
    """Return the stages of a spec's run, in order."""
    return LABS[spec.lab].stages_of(spec)


def wrong_stage(stage: str, spec: Spec) -> str:
    """Return a sentence about a stage that the spec lacks; empty if it has it."""
    stages = stages_of(spec)
    if stage in stages:
        return ""
    near = nearest_word(stage, stages) or "; nearest: weights"
    return f"stage {said(stage)} must be one of {', '.join(stages)}{near}"
