"""Sigmoid attention (Ramapuram et al. 2024): each score has a weight of its own, and keys do not compete."""

import math
from typing import Any

from attnviz.definitions.functions.formula import Functions
from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.score_steps.step import RowLine, RowWeights, ScoreStep


def _weights(scores: Any, bias: float, xp: Functions) -> Any:
    return xp["sigmoid"](scores + (bias - math.log(scores.shape[-1])))


SIGMOID = ScoreStep(
    name="sigmoid",
    title="Sigmoid",
    help="Each weight is the sigmoid of its score minus log n, for n keys, in place of the softmax: no key takes "
    "weight from another, and rows need not sum to 1.",
    knobs=(
        NumberKnob(
            name="bias",
            title="Bias",
            help="Added to each score beside −log n, which makes rows of equal scores near 0 sum to about 1.",
            default=0.0,
            least=-50.0,
            greatest=50.0,
            whole=False,
        ),
    ),
    does="weigh",
    line="sigmoid",
    amount=lambda spec, place, xp: spec.score_steps["sigmoid"]["bias"],
    apply=_weights,
    numbers=lambda spec, place: {
        "bias": (bias := spec.score_steps["sigmoid"]["bias"]),
        "added": f" {bias:+g}" if bias else "",
    },
    latex=r"\mathrm{{sigmoid}}({scores} - \log L_k{added})",
    spoken="sigmoid of each score, {scores}, minus the logarithm of the number of keys, plus {bias:g}",
    torch="sigmoid({scores})",
    torch_function='''\
def sigmoid(scores):
    """Return the sigmoid of each score minus log n, for n keys (Ramapuram et al. 2024)."""
    return torch.sigmoid(scores + ({bias!r} - math.log(scores.shape[-1])))''',
    weights=RowWeights(
        lines=(
            RowLine("− log {count}", number=lambda bias, row, key, xp: math.log(len(row))),
            RowLine("+ bias", number=lambda bias, row, key, xp: bias),
            RowLine("sigmoid", number=lambda bias, row, key, xp: _weights(row, bias, xp)[key]),
        ),
        sums_to_one=False,
    ),
    copies=2,
)
