"""A sink (Xiao et al. 2023; OpenAI 2025, "gpt-oss"): one more key in each row, whose weight is dropped."""

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.score_steps.step import ScoreStep

SINK = ScoreStep(
    name="sink",
    title="Sink",
    help="One more key of this logit in every row and head, dropped after the softmax: rows sum to less than 1.",
    knobs=(
        NumberKnob(
            name="logit",
            title="Logit",
            help="The score of the sink; the larger it is, the less is left for the keys.",
            default=0.0,
            least=-10.0,
            greatest=50.0,
            whole=False,
        ),
    ),
    does="share",
    line="exp of the sink, {logit:g}",
    amount=lambda spec, place, xp: spec.score_steps["sink"]["logit"],
    apply=lambda scores, logit, xp: xp["softmax"](xp["pad"](scores, logit))[..., :-1],
    latex=r"\mathrm{{softmax}}([\,{scores},\ {logit:g}\,])_{{\,:,\,1 \ldots L_k}}",
    spoken=", with a sink of logit {logit:g} in each row, which is dropped",
    torch="softmax_with_sink({scores})",
    torch_function='''\
def softmax_with_sink(scores):
    """Return the softmax over the keys and a sink of logit {logit:g}, without the sink."""
    return {code}''',
    copies=2,
)
