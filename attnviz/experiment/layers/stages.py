"""The stages of each attention mechanism, in order: the shapes and the matrices of each."""

from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.mechanisms.mechanism import Parameter
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import Array, AttentionTrace, Stage
from attnviz.experiment.colours import Scale, quantise, symmetric_scale

StageName = Literal[
    "project",
    "split",
    "rotate",
    "features",
    "scores",
    "masked_scores",
    "weights",
    "dropped_weights",
    "heads",
    "merge",
    "output",
]
TITLES: dict[StageName, str] = {
    "project": "Q K V",
    "split": "split",
    "rotate": "rotate",
    "features": "tanh",
    "scores": "scores",
    "masked_scores": "mask",
    "weights": "weights",
    "dropped_weights": "dropout",
    "heads": "heads out",
    "merge": "merge",
    "output": "output",
}
"""The titles of the stages, in order; `stages_of` returns those of a spec."""
CELL_STAGES: tuple[Stage, ...] = get_args(Stage)
"""The stages whose tensors have one number for each query and key."""
HEAD_STAGES: dict[StageName, str] = {"rotate": "q", "heads": "heads"}
"""Further stages drawn for one head at a time, and the tensor of a trace that stands for each head."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape in the book's letters and in numbers: B batch, L tokens, D hidden, h heads."""

    letters: str
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        return f"({self.letters}) = ({', '.join(map(str, self.sizes))})"


def stages_of(spec: AttentionSpec) -> tuple[StageName, ...]:
    """Return the stages of a spec's module, in order."""
    stages = spec.mechanism_record.stages
    if spec.dropout_acts:
        behind = stages.index("weights") + 1
        stages = (*stages[:behind], "dropped_weights", *stages[behind:])
    return cast("tuple[StageName, ...]", stages)


def shapes_of(trace: AttentionTrace, stage: StageName, split: str = "q") -> tuple[Shape, ...]:
    """Return the shapes in a stage, from its input to its output.

    ``split``: which of q, k and v the stage of that name shows.
    """
    B, h, Q, K = trace.weights.shape
    D = trace.q.shape[1] * trace.q.shape[3]
    d = D // h
    record = trace.spec.mechanism_record
    headed = record.headed
    cells = Shape("B, h, L_q, L_k", (B, h, Q, K)) if headed or trace.is_given else Shape("B, L_q, L_k", (B, Q, K))
    match stage:
        case "project" if record.projection("queries") is None:
            d_q, d_k = ("d", "d") if trace.queries.shape[-1] == trace.keys.shape[-1] else ("d_q", "d_k")
            return Shape(f"B, L_q, {d_q}", trace.queries.shape), Shape(f"B, L_k, {d_k}", trace.keys.shape)
        case "project":
            return Shape("B, L_q, d_q", trace.queries.shape), Shape("B, L_q, D", (B, Q, D))
        case "split":
            L = Q if split == "q" else K
            return (
                Shape("B, L, D", (B, L, D)),
                Shape("B, L, h, D/h", (B, L, h, d)),
                Shape("B, h, L, D/h", (B, h, L, d)),
                Shape("B·h, L, D/h", (B * h, L, d)),
            )
        case "rotate":
            return (Shape("B, h, L_q, D/h", trace.q.shape),)
        case "features":
            return Shape("B, L_q, 1, D", (B, Q, 1, D)), Shape("B, L_q, L_k, D", (B, Q, K, D))
        case "scores" if trace.features is not None:
            return Shape("B, L_q, L_k, D", (B, Q, K, D)), cells
        case "scores" if headed:
            return Shape("B·h, L_q, D/h", (B * h, Q, d)), Shape("B·h, L_q, L_k", (B * h, Q, K))
        case "scores":
            return Shape("B, L_q, d", trace.queries.shape), cells
        case "masked_scores" | "weights" | "dropped_weights":
            return (cells,)
        case "heads":
            return Shape("B·h, L_q, L_k", (B * h, Q, K)), Shape("B·h, L_q, D/h", (B * h, *trace.heads.shape[2:]))
        case "merge":
            return (
                Shape("B·h, L, D/h", (B * h, Q, d)),
                Shape("B, h, L, D/h", (B, h, Q, d)),
                Shape("B, L, h, D/h", (B, Q, h, d)),
                Shape("B, L, D", (B, Q, D)),
            )
        case "output":
            whole = Shape("B, L_q, D", trace.merged.shape), Shape("B, L_q, D", trace.output.shape)
            return whole if headed else (cells, Shape("B, L_q, d_v", trace.output.shape))


Role = Literal["q", "k", "v", "output", "weights", "parameter"]
Axis = Literal["queries", "keys", "features"]


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One matrix, its colour levels and their scale."""

    name: str
    """As in the formula: "Q", "W_q", "tanh"."""
    role: Role
    values: Array
    levels: NDArray[np.uint8]
    scale: Scale
    row_axis: Axis
    column_axis: Axis
    sign: str
    """The sign before this panel: "×", "=", "→", or ""."""
    by_head: bool = False
    """Whether the columns are the concatenated slices of all heads."""
    mask: NDArray[np.bool_] | None = None
    """True = may attend, where the cells are weights."""
    word: str = ""
    """What a tensor is whose name does not say it: "queries" of X_q."""


Rows = tuple[tuple[Panel, ...], ...]
"""Panels from left to right, and these rows from top to bottom."""


def panels_of(trace: AttentionTrace, stage: StageName, item: int, head: int, query: int) -> Rows:
    """Return the panels of a stage that is drawn as matrices; empty for the others.

    ``head`` matters for the rotation and the pooling of one head, ``query`` for the features of one query.
    """
    match stage:
        case "project":
            return _project(trace, item)
        case "rotate":
            return _rotation(trace, item, head)
        case "features":
            return _features(trace, item, query)
        case "heads":
            return (_pooling(trace, item, head),)
        case "output" if (layer := trace.spec.mechanism_record.output) is not None:
            merged = signed("concat", "output", trace.merged[item], "queries", "features", by_head=True)
            output = signed("output", "output", trace.output[item], "queries", "features", "=")
            return ((merged, _matrix(trace, layer), output),)
        case "output":
            return (_pooling(trace, item, head),)
        case _:
            return ()


def signed(
    name: str,
    role: Role,
    values: Array,
    row_axis: Axis,
    column_axis: Axis,
    sign: str = "",
    *,
    by_head: bool = False,
    scale: Scale | None = None,
) -> Panel:
    """Return the panel of a tensor that may be negative; 0 has the middle colour."""
    scale = scale or symmetric_scale(values)
    levels = quantise(values, None, scale.low, scale.high)
    return Panel(name, role, values, levels, scale, row_axis, column_axis, sign, by_head)


def _project(trace: AttentionTrace, item: int) -> Rows:
    record = trace.spec.mechanism_record
    sources = (
        ("queries", "q", trace.queries, trace.projected_q),
        ("keys", "k", trace.keys, trace.projected_k),
        ("values", "v", trace.values, trace.projected_v),
    )
    rows: list[tuple[Panel, ...]] = []
    role: Role
    for source, role, given, projected in sources:  # type: ignore[assignment]
        axis: Axis = "queries" if role == "q" else "keys"
        layer = record.projection(source)
        if layer is None:
            rows.append((signed(role.upper(), role, given[item], axis, "features"),))
            continue
        before = replace(signed(f"X_{role}", role, given[item], axis, "features"), word=source)
        after = signed(role.upper(), role, projected[item], axis, "features", "=", by_head=record.headed)
        rows.append((before, _matrix(trace, layer), after))
    if record.features is None and (used := [p for p in record.parameters if not p.of]):
        # As stored, which is how the scores use it.
        rows.append(tuple(signed(p.name, "parameter", trace.parameters[p.name], "features", "features") for p in used))
    return tuple(rows)


def _matrix(trace: AttentionTrace, layer: Parameter) -> Panel:
    """Return a learned matrix as it multiplies from the right: ``nn.Linear`` stores it transposed."""
    name = f"{layer.name}ᵀ"
    shown = f"{name} + {layer.bias_name}" if layer.bias_name in trace.parameters else name
    return signed(shown, "parameter", trace.parameters[layer.name].T, "features", "features", "×")


def _features(trace: AttentionTrace, item: int, query: int) -> Rows:
    record = trace.spec.mechanism_record
    features = record.features
    assert features is not None
    assert trace.features is not None
    of_query, of_keys, *_ = (column.name for column in record.columns)
    scale = Scale(-features.limit, features.limit, diverging=True)
    factors = trace.parameters[features.factors]
    return (
        (signed(of_query, "q", trace.q[item, 0, query][None], "queries", "features"),),
        (signed(of_keys, "k", trace.k[item, 0], "keys", "features", "+"),),
        (signed(features.name, "output", trace.features[item, query], "keys", "features", "→", scale=scale),),
        (signed(features.factors, "parameter", factors, "features", "features", "·"),),
    )


def _rotation(trace: AttentionTrace, item: int, head: int) -> Rows:
    rows: list[tuple[Panel, ...]] = []
    of_rows: tuple[tuple[Role, Axis], ...] = (("q", "queries"), ("k", "keys"))
    for role, axis in of_rows:
        before, after = trace.split_into_heads(role)[item, head], getattr(trace, role)[item, head]
        scale = symmetric_scale(np.stack((before, after)))
        name = role.upper()
        rows.append(
            (
                signed(name, role, before, axis, "features", scale=scale),
                signed(f"R {name}", role, after, axis, "features", "→", scale=scale),
            )
        )
    return tuple(rows)


def _pooling(trace: AttentionTrace, item: int, head: int) -> tuple[Panel, ...]:
    weights = trace.dropped_weights[item, head]
    stage: Stage = "dropped_weights" if trace.spec.dropout_acts else "weights"
    levels = trace.levels(stage)[item, head]
    mask = trace.mask[item, head]
    return (
        Panel("A", "weights", weights, levels, trace.scale(stage), "queries", "keys", "", mask=mask),
        signed("V", "v", trace.v[item, head], "keys", "features", "×"),
        signed("A V", "output", trace.heads[item, head], "queries", "features", "="),
    )
