"""The first lines of a script: the experiment in a sentence or two, without any text typed by the user."""

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
    "points": "on the user's own points",
}


def attention_words(spec: AttentionSpec) -> list[str]:
    """Return a description of an attention spec, in one or two lines."""
    heads = f" with {spec.num_heads} heads" if spec.heads_run > 1 else ""
    masks = [] if spec.is_given else [mask.words for mask, _ in made_beside_module(spec)]
    masked = [f"Its mask: {', '.join(masks)}."] if masks else []
    return [f"{spec.mechanism_record.description}{heads} {_INPUTS[spec.inputs.kind]}.", *masked]


def regression_words(spec: RegressionSpec) -> list[str]:
    """Return a description of a regression spec, in one line."""
    return [f"Kernel regression {_DATA[spec.data.kind]}: {_estimator(spec.own_overlay)}."]


def _estimator(curve: Overlay) -> str:
    if curve.estimator == "parametric":
        return "a gaussian whose width is learned"
    return "the average" if curve.is_average else f"a {curve.kernel} kernel of fixed width"
