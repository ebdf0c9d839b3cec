"""The tensors of a stage as matrices to be drawn beside each other: what goes in, what it meets, what comes out."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.attention.stages import StageName
from attnviz.experiment.attention.trace import Array, AttentionTrace
from attnviz.experiment.colours.levels import WEIGHT_SCALE, Scale, quantise, symmetric_scale

Role = Literal["q", "k", "v", "output", "weights", "parameter"]
Axis = Literal["queries", "keys", "features"]


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One matrix, its colour levels and what they stand for."""

    name: str
    """As in the formula: "Q", "W_q", "tanh"."""
    role: Role
    values: Array
    levels: NDArray[np.uint8]
    scale: Scale
    row_axis: Axis
    column_axis: Axis
    sign: str
    """What stands between the panel before and this one: "×", "=", "→", or nothing."""
    by_head: bool = False
    """Whether the columns are the slices of all heads, side by side."""
    mask: NDArray[np.bool_] | None = None
    """True = may attend, where the cells are weights."""


Rows = tuple[tuple[Panel, ...], ...]
"""Panels from left to right, and these rows from top to bottom."""


def panels_of(trace: AttentionTrace, stage: StageName, item: int, head: int, query: int) -> Rows:
    """Return the panels of a stage that is drawn as matrices; none for the others.

    ``head`` matters for the pooling of one head, ``query`` for the features of additive attention.
    """
    match stage:
        case "project":
            return _project(trace, item)
        case "features":
            return _features(trace, item, query)
        case "heads":
            return (_pooling(trace, item, head),)
        case "output" if "W_o" in trace.parameters:
            merged = signed("concat", "output", trace.merged[item], "queries", "features", by_head=True)
            output = signed("output", "output", trace.output[item], "queries", "features", "=")
            return ((merged, _matrix(trace, "W_o"), output),)
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
    sources = (
        ("queries", "q", trace.queries, trace.projected_q, "W_q", "Q"),
        ("keys", "k", trace.keys, trace.projected_k, "W_k", "K"),
        ("values", "v", trace.values, trace.projected_v, "W_v", "V"),
    )
    headed = "W_o" in trace.parameters
    rows: list[tuple[Panel, ...]] = []
    role: Role
    for source, role, given, projected, matrix, name in sources:  # type: ignore[assignment]
        axis: Axis = "queries" if role == "q" else "keys"
        if matrix not in trace.parameters:
            rows.append((signed(name, role, given[item], axis, "features"),))
            continue
        before = signed(source, role, given[item], axis, "features")
        after = signed(name, role, projected[item], axis, "features", "=", by_head=headed)
        rows.append((before, _matrix(trace, matrix), after))
    return tuple(rows)


def _matrix(trace: AttentionTrace, name: str) -> Panel:
    """Return a learned matrix as it multiplies from the right: ``nn.Linear`` stores it transposed."""
    bias = name.replace("W_", "b_")
    shown = f"{name}ᵀ + {bias}" if bias in trace.parameters else f"{name}ᵀ"
    return signed(shown, "parameter", trace.parameters[name].T, "features", "features", "×")


def _features(trace: AttentionTrace, item: int, query: int) -> Rows:
    assert trace.features is not None
    axes: tuple[Axis, Axis] = "keys", "features"
    return (
        (signed("W_q q", "q", trace.q[item, 0, query][None], "queries", "features"),),
        (signed("W_k k", "k", trace.k[item, 0], *axes, "+"),),
        (signed("tanh", "output", trace.features[item, query], *axes, "→", scale=Scale(-1.0, 1.0, diverging=True)),),
        (signed("w_v", "parameter", trace.parameters["w_v"], "features", "features", "·"),),
    )


def _pooling(trace: AttentionTrace, item: int, head: int) -> tuple[Panel, ...]:
    weights = trace.dropped_weights[item, head]
    stage = "dropped_weights" if trace.spec.dropout_acts else "weights"
    levels = trace.levels(stage)[item, head]  # type: ignore[arg-type]
    mask = trace.mask[item, head]
    return (
        Panel("A", "weights", weights, levels, WEIGHT_SCALE, "queries", "keys", "", mask=mask),
        signed("V", "v", trace.v[item, head], "keys", "features", "×"),
        signed("A V", "output", trace.heads[item, head], "queries", "features", "="),
    )
