"""The stages that are drawn as matrices: the panels of each."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.mechanisms.mechanism import Parameter
from attnviz.experiment.attention.trace import Array, AttentionTrace
from attnviz.experiment.colours import Scale, quantise, symmetric_scale

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


def panels_of(trace: AttentionTrace, stage: str, item: int, head: int, query: int) -> Rows:
    """Return the panels of a stage that is drawn as matrices; empty for the others.

    ``head`` matters for the rotation and the pooling of one head, ``query`` for the features of one query.
    """
    return _PANELS[stage](trace, item, head, query) if stage in _PANELS else ()


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


def _project(trace: AttentionTrace, item: int, head: int, query: int) -> Rows:
    del head, query
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


def _features(trace: AttentionTrace, item: int, head: int, query: int) -> Rows:
    del head
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


def _rotation(trace: AttentionTrace, item: int, head: int, query: int) -> Rows:
    del query
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


def _pooling(trace: AttentionTrace, item: int, head: int, query: int) -> Rows:
    del query
    weights = trace.dropped_weights[item, head]
    stage = "dropped_weights" if trace.spec.dropout_acts else "weights"
    levels = trace.levels(stage)[item, head]
    mask = trace.mask[item, head]
    return (
        (
            Panel("A", "weights", weights, levels, trace.scale(stage), "queries", "keys", "", mask=mask),
            signed("V", "v", trace.v[item, head], "keys", "features", "×"),
            signed("A V", "output", trace.heads[item, head], "queries", "features", "="),
        ),
    )


def _output(trace: AttentionTrace, item: int, head: int, query: int) -> Rows:
    layer = trace.spec.mechanism_record.output
    if layer is None:
        return _pooling(trace, item, head, query)
    merged = signed("concat", "output", trace.merged[item], "queries", "features", by_head=True)
    output = signed("output", "output", trace.output[item], "queries", "features", "=")
    return ((merged, _matrix(trace, layer), output),)


_PANELS: dict[str, Callable[[AttentionTrace, int, int, int], Rows]] = {
    "project": _project,
    "rotate": _rotation,
    "features": _features,
    "heads": _pooling,
    "output": _output,
}
