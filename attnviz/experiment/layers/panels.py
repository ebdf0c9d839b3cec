"""The panels of each stage that is drawn as matrices."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.mechanisms.mechanism import Parameter
from attnviz.definitions.stages import STAGES
from attnviz.definitions.text import English
from attnviz.experiment.colours import Scale, quantise, symmetric_scale
from attnviz.experiment.layers.cell import replaced
from attnviz.experiment.layers.layer import Array, Layer

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
    word: English = ""
    """The meaning of a tensor whose name does not tell: "queries" for X_q."""
    short: str = ""
    bias: Array | None = None
    """The vector that a product with this matrix adds to each of its columns."""


Rows = tuple[tuple[Panel, ...], ...]
"""Panels from left to right, and these rows from top to bottom."""
Product = tuple[Panel, Panel, Panel]
"""A matrix, its factor, and their product."""


def product_of(rows: Rows) -> Product | None:
    """Return the product in these panels; None if they are anything else."""
    if len(rows) == 1 and [panel.sign for panel in rows[0]] in (["", "×", "="], ["", "×", "→"]):
        left, matrix, product = rows[0]
        return left, matrix, product
    return None


def panels_of(layer: Layer, stage: str, item: int, head: int, query: int) -> Rows:
    """Return the panels of a stage that is drawn as matrices; empty for the others.

    ``head`` is used for the vectors and the pooling of one head, ``query`` for the features of one query.
    """
    if stage in layer.before:
        return _vectors(layer, stage, item, head)
    return _PANELS[stage](layer, item, head, query) if stage in _PANELS else ()


def shown_of(layer: Layer, stage: str, split: str, rows: Rows) -> Rows:
    """Return the rows on screen: if one of q, k and v is shown at a time, that of the chosen one."""
    return (rows["qkv".index(split)],) if rows and STAGES[stage].chooses(layer) else rows


@dataclass(frozen=True, slots=True, eq=False)
class Dot:
    """A number of a product: a row of numbers times a column of numbers, with the colour level of each.

    A key that the row masks, whose weight is 0, is left out of both.
    """

    row: Array
    column: Array
    levels: tuple[NDArray[np.uint8], NDArray[np.uint8]]
    """Of the row and of the column."""
    bias: float | None
    result: float
    level: int
    """The result as in the product, and its colour level."""

    @property
    def replaced(self) -> float | None:
        """The dot product of row and column, if another number replaces it; None if it is used."""
        row, column = np.append(self.row, 1.0), np.append(self.column, self.bias or 0.0)
        return float(row @ column) if replaced(row, column[:, None], np.array([self.result]))[0] else None


def dot_at(product: Product, row: int, column: int) -> Dot:
    """Return the computation of one number of a product; every number is in one of its panels."""
    left, matrix, result = product
    kept = slice(None) if left.mask is None else left.mask[row] | (left.values[row] != 0)
    return Dot(
        row=left.values[row][kept],
        column=matrix.values[:, column][kept],
        levels=(left.levels[row][kept], matrix.levels[:, column][kept]),
        bias=None if matrix.bias is None else float(matrix.bias[column]),
        result=float(result.values[row, column]),
        level=int(result.levels[row, column]),
    )


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


def _project(layer: Layer, item: int, head: int, query: int) -> Rows:
    del head, query
    record = layer.mechanism
    sources = (
        ("queries", "q", layer.queries, layer.projected("q")),
        ("keys", "k", layer.keys, layer.projected("k")),
        ("values", "v", layer.values, layer.projected("v")),
    )
    rows: list[tuple[Panel, ...]] = []
    role: Role
    for source, role, inputs, projected in sources:  # type: ignore[assignment]
        axis: Axis = "queries" if role == "q" else "keys"
        projection = record.projection(source)
        if projection is None:
            rows.append((signed(role.upper(), role, inputs[item], axis, "features"),))
            continue
        before = replace(signed(f"X_{role}", role, inputs[item], axis, "features"), word=source)
        after = signed(role.upper(), role, projected[item], axis, "features", "=", by_head=record.headed)
        rows.append((before, _matrix(layer, projection), after))
    if record.features is None and (used := [p for p in record.parameters if not p.of]):
        # As stored, which is how the scores use it.
        rows.append(tuple(signed(p.name, "parameter", layer.parameters[p.name], "features", "features") for p in used))
    return tuple(rows)


def _matrix(layer: Layer, projection: Parameter) -> Panel:
    """Return a learned matrix as it multiplies from the right: ``nn.Linear`` stores it transposed."""
    name, bias = f"{projection.name}ᵀ", layer.parameters.get(projection.bias_name)
    shown = name if bias is None else f"{name} + {projection.bias_name}"
    panel = signed(shown, "parameter", layer.parameters[projection.name].T, "features", "features", "×")
    return replace(panel, bias=bias)


def _features(layer: Layer, item: int, head: int, query: int) -> Rows:
    del head
    record = layer.mechanism
    features = record.features
    assert features is not None
    assert layer.features is not None
    of_query, of_keys, *_ = (column.name for column in record.columns)
    scale = Scale(-features.limit, features.limit, diverging=True)
    factors = layer.parameters[features.factors]
    return (
        (signed(of_query, "q", layer.q[item, 0, query][None], "queries", "features"),),
        (signed(of_keys, "k", layer.k[item, 0], "keys", "features", "+"),),
        (signed(features.name, "output", layer.features[item, query], "keys", "features", "→", scale=scale),),
        (signed(features.factors, "parameter", factors, "features", "features", "·"),),
    )


def _vectors(layer: Layer, stage: str, item: int, head: int) -> Rows:
    """Return the queries and keys of a head before and after a stage that changes them."""
    rows: list[tuple[Panel, ...]] = []
    of_rows: tuple[tuple[Role, Axis, int], ...] = (("q", "queries", head), ("k", "keys", layer.kv_head(head)))
    earlier = [*layer.before][: [*layer.before].index(stage)]
    for (role, axis, index), before, after in zip(of_rows, layer.before[stage], layer.after(stage), strict=True):
        both = before[item, index], after[item, index]
        scale = symmetric_scale(np.stack(both))
        name = reduce(lambda x, each: STAGES[each].symbol.format(x=x), earlier, role.upper())
        of_both = (name, ""), (STAGES[stage].symbol.format(x=name), "→")
        rows.append(
            tuple(
                signed(each, role, values, axis, "features", sign, scale=scale)
                for (each, sign), values in zip(of_both, both, strict=True)
            )
        )
    return tuple(rows)


def _pooling(layer: Layer, item: int, head: int, query: int) -> Rows:
    del query
    weights = layer.dropped_weights[item, head]
    stage = "dropped_weights" if layer.dropout else "weights"
    levels = layer.levels(stage)[item, head]
    mask, output, off = layer.mask[item, head], layer.heads[item, head], head in layer.heads_off
    return (
        (
            Panel("A", "weights", weights, levels, layer.scale(stage), "queries", "keys", "", mask=mask),
            signed("V", "v", layer.v[item, layer.kv_head(head)], "keys", "features", "×"),
            signed("output" if off else "A V", "output", output, "queries", "features", "→" if off else "="),
        ),
    )


def _output(layer: Layer, item: int, head: int, query: int) -> Rows:
    projection = layer.mechanism.output
    if projection is None:
        return _pooling(layer, item, head, query)
    merged = signed("concat", "output", layer.merged[item], "queries", "features", by_head=True)
    output = signed("output", "output", layer.output[item], "queries", "features", "=")
    return ((merged, _matrix(layer, projection), output),)


_PANELS: dict[str, Callable[[Layer, int, int, int], Rows]] = {
    "project": _project,
    "features": _features,
    "heads": _pooling,
    "output": _output,
}
