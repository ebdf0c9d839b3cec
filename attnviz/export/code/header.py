"""What the script says of itself in its first lines: the experiment in a sentence or two, nothing that was typed."""

from attnviz.definitions.masks import made_beside_module
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.regression.estimators import Overlay
from attnviz.experiment.regression.spec import RegressionSpec

_INPUTS = {
    "random": "on random inputs",
    "ones": "on all-ones inputs",
    "identity": "on one-hot inputs",
    "sentence": "on the words of a sentence",
    "file": "on arrays from a file",
}
_DATA = {
    "book": "on the textbook's points",
    "synthetic": "on points drawn from a function",
    "file": "on points from a file",
    "points": "on points of one's own",
}


def attention_words(spec: AttentionSpec) -> list[str]:
    """Return what an attention spec is, in one or two lines."""
    heads = f" with {spec.num_heads} heads" if spec.heads_run > 1 else ""
    masks = [] if spec.is_given else [mask.words for mask, _ in made_beside_module(spec)]
    masked = [f"Its mask: {', '.join(masks)}."] if masks else []
    return [f"{spec.mechanism_record.description}{heads} {_INPUTS[spec.inputs.kind]}.", *masked]


def regression_words(spec: RegressionSpec) -> list[str]:
    """Return what a regression spec is, in one line."""
    return [f"Kernel regression {_DATA[spec.data.kind]}: {_estimator(spec.own_overlay)}."]


def _estimator(curve: Overlay) -> str:
    if curve.estimator == "parametric":
        return "a gaussian whose width is learned"
    return "the average" if curve.is_average else f"a {curve.kernel} kernel of fixed width"
