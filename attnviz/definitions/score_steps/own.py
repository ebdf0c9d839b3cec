"""The user's own change of the scores: a ``score_mod`` of PyTorch's FlexAttention, which only a run can apply."""

from attnviz.definitions.score_steps.step import ScoreStep, StepStage

SCORE_MOD = ScoreStep(
    name="score_mod",
    does="change",
    line="score_mod, {name}",
    amount=lambda spec, place, xp: spec.mods.score_mod,
    acts=lambda spec: bool(getattr(spec, "mods", None) and spec.mods.score_mod),
    numbers=lambda spec, place: {"name": spec.mods.score_mod},
    latex=r"\text{{score_mod}}({scores},\,b,\,h,\,i,\,j)",
    spoken=", changed by the score_mod {name}",
    torch="modified({scores})",
    needs_run=True,
    stage=StepStage(
        name="modified_scores",
        title="mod",
        heading="modified scores",
        number="modified score",
        of_cell="the score_mod {name} turns the score that {query} gives {key}, {before}, into {after}.",
        of_row="the score_mod {name} turns the largest of the {count} scores of {query}, {before} of {key}, into "
        "{after}.",
    ),
    copies=1,
)
"""It acts last, directly before the mask, as in ``flex_attention``."""
