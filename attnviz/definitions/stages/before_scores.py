"""The stages before the scores: the projections, the split into heads, the rotation, the features."""

from typing import Any

from attnviz.definitions.mechanisms.mechanism import Parameter
from attnviz.definitions.stages.stage import Formula, Shape, Stage
from attnviz.definitions.text import Text

_INPUTS = {"q": "queries", "k": "keys", "v": "values"}


def bold(name: str) -> str:
    """Return a name such as "W_q" as LaTeX: a bold letter with an index."""
    letter, _, index = name.partition("_")
    return rf"\mathbf{{{letter}}}_{index if len(index) == 1 else f'{{{index}}}'}"


def linear(trace: Any, layer: Parameter) -> str:
    """Return a layer's matrix and bias as LaTeX."""
    bias = f" + {bold(layer.bias_name)}" if layer.bias_name in trace.parameters else ""
    return rf"{bold(layer.name)}^\top{bias}"


def _project_formula(trace: Any, split: str) -> Formula:
    del split
    layers = {letter: trace.spec.mechanism_record.projection(of) for letter, of in _INPUTS.items()}
    parts = [
        rf"\mathbf{{{letter.upper()}}} = \mathbf{{X}}_{letter} {linear(trace, layer)}"
        for letter, layer in layers.items()
        if layer is not None
    ]
    if not parts:
        return r"\mathbf{Q},\ \mathbf{K},\ \mathbf{V}", Text("the given queries, keys and values")
    return r",\quad ".join(parts), Text("each input times its matrix transposed")


def _project_shapes(trace: Any, split: str) -> tuple[Shape, ...]:
    del split
    if trace.spec.mechanism_record.projection("queries") is None:
        d_q, d_k = ("d", "d") if trace.queries.shape[-1] == trace.keys.shape[-1] else ("d_q", "d_k")
        return Shape(f"B, L_q, {d_q}", trace.queries.shape), Shape(f"B, L_k, {d_k}", trace.keys.shape)
    return Shape("B, L_q, d_q", trace.queries.shape), Shape("B, L_q, D", (*trace.queries.shape[:2], _hiddens(trace)))


def _hiddens(trace: Any) -> int:
    return int(trace.q.shape[1] * trace.q.shape[3])


def _split_formula(trace: Any, split: str) -> Formula:
    d, name = trace.q.shape[-1], rf"\mathbf{{{split.upper()}}}"
    slices = rf"{name}_i = {name}_{{\,:,\;{d}(i-1)\,:\,{d}i}}\quad i = 1 \ldots {trace.num_heads}"
    return slices, Text("head i takes features {size} (i - 1) up to {size} i", {"size": d})


def _split_shapes(trace: Any, split: str) -> tuple[Shape, ...]:
    B, h, Q, K = trace.weights.shape
    L, D = Q if split == "q" else K, _hiddens(trace)
    return (
        Shape("B, L, D", (B, L, D)),
        Shape("B, L, h, D/h", (B, L, h, D // h)),
        Shape("B, h, L, D/h", (B, h, L, D // h)),
        Shape("B·h, L, D/h", (B * h, L, D // h)),
    )


def _rotate_formula(trace: Any, split: str) -> Formula:
    del split
    rotation, d = trace.spec.mechanism_record.rotation, trace.q.shape[-1]
    numbers = {"d": d, "half": d // 2}
    return rotation.latex.format(**numbers), Text(rotation.spoken, numbers)


def _features_formula(trace: Any, split: str) -> Formula:
    del split
    features = trace.spec.mechanism_record.features
    return features.latex, Text(features.spoken, {"d": trace.q.shape[-1]})


def _features_shapes(trace: Any, split: str) -> tuple[Shape, ...]:
    del split
    B, _, Q, K = trace.weights.shape
    D = _hiddens(trace)
    return Shape("B, L_q, 1, D", (B, Q, 1, D)), Shape("B, L_q, L_k, D", (B, Q, K, D))


PROJECT = Stage(
    name="project",
    title="Q K V",
    exists=lambda spec: not spec.is_given,
    formula=_project_formula,
    shapes=_project_shapes,
    projects=("queries", "keys", "", "values"),
)
SPLIT = Stage(
    name="split",
    title="split",
    exists=lambda spec: spec.mechanism_record.headed,
    formula=_split_formula,
    shapes=_split_shapes,
    folds=True,
)
ROTATE = Stage(
    name="rotate",
    title="rotate",
    exists=lambda spec: spec.mechanism_record.rotation is not None,
    formula=_rotate_formula,
    shapes=lambda trace, split: (Shape("B, h, L_q, D/h", trace.q.shape),),
    tensor_of_heads="q",
)
FEATURES = Stage(
    name="features",
    title="tanh",
    exists=lambda spec: spec.mechanism_record.features is not None,
    formula=_features_formula,
    shapes=_features_shapes,
)
