"""A soft cap on the scores (Gemma Team 2024, "Gemma 2"): they grow ever slower, and never beyond the cap."""

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.score_steps.step import ScoreStep, StepStage

SOFTCAP = ScoreStep(
    name="softcap",
    title="Soft cap",
    help="cap × tanh(score ÷ cap): small scores stay as they are, and none is beyond the cap.",
    knobs=(
        NumberKnob(
            name="cap",
            title="Cap",
            help="No score is larger than this, or smaller than its negative.",
            default=2.0,
            least=0.001,
            greatest=1e6,
            whole=False,
        ),
    ),
    does="change",
    line="{cap:g} × tanh(score ÷ {cap:g})",
    amount=lambda spec, place, xp: spec.score_steps["softcap"]["cap"],
    apply=lambda scores, cap, xp: cap * xp["tanh"](scores / cap),
    latex=r"{cap:g}\,\tanh(({scores}) / {cap:g})",
    spoken=", divided by {cap:g}, its tanh, times {cap:g}",
    stage=StepStage(
        name="capped_scores",
        title="cap",
        heading="capped scores",
        number="capped score",
        of_cell="the cap of {cap} turns the score that {query} gives {key}, {before}, into {after}.",
        of_row="the cap of {cap} turns the largest of the {count} scores of {query}, {before} of {key}, into {after}.",
    ),
    copies=1,
)
