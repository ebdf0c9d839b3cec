"""The stages before the scores: the projections, the split into heads, norm and rotation, the features."""

from typing import Any

from attnviz.definitions.mechanisms.mechanism import Parameter
from attnviz.definitions.score_steps import SCORE_STEPS, primed
from attnviz.definitions.score_steps.step import Place, ScoreStep
from attnviz.definitions.stages.stage import Formula, Shape, Stage
from attnviz.definitions.text import Text

_INPUTS = {"q": "queries", "k": "keys", "v": "values"}


def bold(name: str) -> str:
    """Return a name such as "W_q" as LaTeX: a bold letter with a subscript."""
    letter, _, index = name.partition("_")
    return rf"\mathbf{{{letter}}}_{index if len(index) == 1 else f'{{{index}}}'}"


def linear(layer: Any, projection: Parameter) -> str:
    """Return the matrix and the bias of a projection as LaTeX."""
    bias = f" + {bold(projection.bias_name)}" if projection.bias_name in layer.parameters else ""
    return rf"{bold(projection.name)}^\top{bias}"


def _projects(layer: Any) -> bool:
    """Return whether any of the inputs is projected."""
    return any(layer.mechanism.projection(of) is not None for of in _INPUTS.values())


def _project_formula(layer: Any, split: str) -> Formula:
    if not _projects(layer):
        return r"\mathbf{Q},\ \mathbf{K},\ \mathbf{V}", Text("the given queries, keys and values")
    projection, name = layer.mechanism.projection(_INPUTS[split]), rf"\mathbf{{{split.upper()}}}"
    if projection is None:
        return rf"{name} = \mathbf{{X}}_{split}", Text("the {inputs} as they are given", {"inputs": _inputs(split)})
    spoken = Text("the {inputs} times their matrix transposed", {"inputs": _inputs(split)})
    return rf"{name} = \mathbf{{X}}_{split} {linear(layer, projection)}", spoken


def _inputs(split: str) -> Text:
    return {"q": Text("queries"), "k": Text("keys"), "v": Text("values")}[split]


def _project_shapes(layer: Any, split: str) -> tuple[Shape, ...]:
    if not _projects(layer):
        d_q, d_k = ("d", "d") if layer.queries.shape[-1] == layer.keys.shape[-1] else ("d_q", "d_k")
        return Shape(f"B, L_q, {d_q}", layer.queries.shape), Shape(f"B, L_k, {d_k}", layer.keys.shape)
    length, inputs = "L_q" if split == "q" else "L_k", getattr(layer, _INPUTS[split])
    before = Shape(f"B, {length}, d_{split}", inputs.shape)
    if layer.mechanism.projection(_INPUTS[split]) is None:
        return (before,)
    D = "D" if split == "q" else _features_of(layer)
    return before, Shape(f"B, {length}, {D}", layer.projected(split).shape)


def _features_of(layer: Any) -> str:
    """Return the letters of the features of keys and values: with g heads of their own, each shared, fewer than D."""
    return "g·D/h" if layer.shares_keys else "D"


def _split_formula(layer: Any, split: str) -> Formula:
    (_, heads, _, d), name = layer.split_into_heads(split).shape, rf"\mathbf{{{split.upper()}}}"
    slices = rf"{name}_i = {name}_{{\,:,\;{d}(i-1)\,:\,{d}i}}\quad i = 1 \ldots {heads}"
    return slices, Text("head i takes features {size} (i - 1) up to {size} i", {"size": d})


def split_shapes(heads: Any, letter: str = "h", whole: str = "D") -> tuple[Shape, ...]:
    """Return the shapes from a tensor (B, L, D) to its heads, (B, h, L, D/h); g and g·D/h of shared ones."""
    B, h, L, d = heads.shape
    return (
        Shape(f"B, L, {whole}", (B, L, h * d)),
        Shape(f"B, L, {letter}, D/h", (B, L, h, d)),
        Shape(f"B, {letter}, L, D/h", (B, h, L, d)),
        Shape(f"B·{letter}, L, D/h", (B * h, L, d)),
    )


def _shapes_of_split(layer: Any, split: str) -> tuple[Shape, ...]:
    shared = ("g", _features_of(layer)) if split != "q" and layer.shares_keys else ()
    return split_shapes(layer.split_into_heads(split), *shared)


def _rotate_formula(layer: Any, split: str) -> Formula:
    rotation, d = layer.mechanism.rotation, layer.q.shape[-1]
    numbers = {"d": d, "half": d // 2, **{name: f"{value:.10g}" for name, value in layer.mechanism_knobs.items()}}
    return primed(rotation.latex.format(**numbers), layer.steps), Text(rotation.spoken, numbers)


def _vectors_shapes(layer: Any, split: str) -> tuple[Shape, ...]:
    if layer.has_heads:
        return (Shape("B, h, L_q, D/h", layer.q.shape),)
    return (Shape("B, L_q, d", layer.queries.shape),)


def _of_step(step: ScoreStep) -> Stage:
    """Return the stage that shows queries and keys before and after a step."""
    assert step.stage is not None
    return Stage(
        name=step.stage.name,
        title=step.stage.title,
        exists=step.is_in,
        formula=lambda layer, split: _step_formula(layer, step),
        shapes=_vectors_shapes,
        by_head=True,
        before=step.stage.before,
        symbol="{x}′",
        moves="carry",
    )


def _step_formula(layer: Any, step: ScoreStep) -> Formula:
    steps = layer.steps[: layer.steps.index(step)]
    values = step.values(layer.knobs, Place(layer.q.shape[-1]))
    both = (primed(rf"\mathbf{{{letter}}}", steps) for letter in "qk")
    parts = (rf"{primed(x, [step])} = {step.latex.format(x=x, **values)}" for x in both)
    return r",\quad ".join(parts), Text("queries and keys{step}", {"step": Text(step.spoken, values)})


def _features_formula(layer: Any, split: str) -> Formula:
    features = layer.mechanism.features
    return features.latex, Text(features.spoken, {"d": layer.q.shape[-1]})


def _features_shapes(layer: Any, split: str) -> tuple[Shape, ...]:
    B, _, Q, K = layer.weights.shape
    D = layer.q.shape[1] * layer.q.shape[3]
    return Shape("B, L_q, 1, D", (B, Q, 1, D)), Shape("B, L_q, L_k, D", (B, Q, K, D))


PROJECT = Stage(
    name="project",
    title="Q K V",
    exists=lambda spec: not spec.is_given,
    formula=_project_formula,
    shapes=_project_shapes,
    chooses=_projects,
    projects=("queries", "keys", "", "values"),
    stays="It is the first stage: no picture is before it.",
)
SPLIT = Stage(
    name="split",
    title="split",
    exists=lambda spec: spec.mechanism_record.headed,
    formula=_split_formula,
    shapes=_shapes_of_split,
    folds=True,
    chooses=lambda layer: True,
    moves="fold",
)
ROTATE = Stage(
    name="rotate",
    title="rotate",
    exists=lambda spec: spec.mechanism_record.rotation is not None,
    formula=_rotate_formula,
    shapes=_vectors_shapes,
    by_head=True,
    before="unrotated",
    symbol="R {x}",
    moves="carry",
)
FEATURES = Stage(
    name="features",
    title="tanh",
    exists=lambda spec: spec.mechanism_record.features is not None,
    formula=_features_formula,
    shapes=_features_shapes,
    moves="carry",
)
OF_VECTORS = tuple(_of_step(step) for step in SCORE_STEPS.values() if step.does == "vectors")
"""The stages of the steps that change queries and keys, in order."""
