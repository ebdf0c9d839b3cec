"""Comparison of two layers: B − A head by head, or of one cell."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import SCREEN, Position
from attnviz.definitions.stages import cells_of
from attnviz.definitions.text import Text, listed
from attnviz.experiment.colours import Scale, quantise, symmetric_scale
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.positions_text import positions_said


class Aligned(NamedTuple):
    """How many queries and keys of A and B, from the first, are compared; None: all. The others have no difference."""

    queries: int | None = None
    keys: int | None = None

    def has(self, query: int, key: int) -> bool:
        """Return whether a cell is compared."""
        return all(most is None or at < most for at, most in zip((query, key), self, strict=True))


ALL_ALIGNED = Aligned()
"""Every query and key is compared."""


@dataclass(frozen=True, slots=True, eq=False)
class HeadDifference:
    """B − A of one head of one batch item."""

    values: NDArray[np.float64]
    """(Q, K)."""
    mask: NDArray[np.bool_]
    """(Q, K), False where both traces mask the cell."""
    levels: NDArray[np.uint8]
    scale: Scale
    """Centred on 0; it ends at the largest difference of the head."""


@dataclass(frozen=True, slots=True)
class CellDifference:
    """The numbers of A and B in one cell."""

    a: float
    b: float

    @property
    def value(self) -> float:
        """B − A."""
        return self.b - self.a


def head_difference(
    a: Layer, b: Layer, stage: str, item: int, head: int, aligned: Aligned = ALL_ALIGNED
) -> HeadDifference | Text:
    """Return B − A of a head (counted from 0) at a stage, or the reason why it does not exist.

    Cells of queries and keys that are not aligned are not in the mask.
    """
    mismatch = _mismatch(a, b, stage, item, head, aligned)
    if mismatch:
        return mismatch
    ours, theirs = (layer.shown(stage)[item, head] for layer in (b, a))
    same = slice(aligned.queries), slice(aligned.keys)
    values = np.zeros(ours.shape)
    values[same] = ours[same].astype(np.float64) - theirs[same]
    mask = np.zeros(ours.shape, bool)
    masks = (layer.mask[item, head][same] for layer in (a, b))
    mask[same] = np.logical_or(*masks) | (values[same] != 0) if cells_of(stage).masked else True
    scale = symmetric_scale(values[mask])
    return HeadDifference(values, mask, quantise(values, mask, scale.low, scale.high), scale)


def cell_difference(
    a: Layer, b: Layer, stage: str, index: tuple[int, int, int, int], aligned: Aligned = ALL_ALIGNED
) -> CellDifference | None:
    """Return the numbers of both traces at an (item, head, query, key); None if they cannot be compared."""
    if _mismatch(a, b, stage, *index[:2], aligned) or not aligned.has(*index[2:]):
        return None
    return CellDifference(float(a.shown(stage)[index]), float(b.shown(stage)[index]))


_MOST_ROWS = 6
"""The most queries whose keys a sentence about two masks lists."""


def masks_apart(a: Layer, b: Layer, item: int, head: int) -> Text:
    """Return in which cells the masks of a head differ; empty if they are equal or have different shapes."""
    if a.mask.shape != b.mask.shape or item >= b.items or head >= b.num_heads:
        return Text()
    apart = a.mask[item, head] != b.mask[item, head]
    count = int(np.count_nonzero(apart))
    if not count:
        return Text()
    rows = np.flatnonzero(apart.any(axis=1))
    lines = [
        Text("{query}: {keys}", {"query": Position(row), "keys": positions_said(np.flatnonzero(apart[row]))})
        for row in rows[:_MOST_ROWS].tolist()
    ]
    said = listed(lines, "{first}; {rest}")
    if len(rows) > _MOST_ROWS:
        said = Text("{rows} and {further} more", {"rows": said, "further": len(rows) - _MOST_ROWS})
    values = {"count": count, "all": apart.size, "cells": said}
    return Text(
        "The masks differ in {count} of {all} cells (query: keys): {cells}.",
        values,
        "The masks differ in one of {all} cells (query: keys): {cells}.",
    )


def _mismatch(a: Layer, b: Layer, stage: str, item: int, head: int, aligned: Aligned) -> Text:
    """Return why there is no difference; empty if there is one. If all queries, or keys, are compared, they match."""
    if a.is_given and not cells_of(stage).weights:
        return Text("A has given weights only, without scores, so there is no B − A.")
    if not a.has(stage):
        return Text("A has no {numbers}, so there is no B − A.", {"numbers": Text(cells_of(stage).heading)})
    (items, heads, rows, columns), (b_items, b_heads, b_rows, b_columns) = a.weights.shape, b.weights.shape
    if aligned.queries is None and rows != b_rows:
        values = {"a": rows, "b": b_rows}
        return Text("A has {a} queries and B has {b}: rows do not match, so there is no B − A.", values)
    if aligned.keys is None and columns != b_columns:
        values = {"a": columns, "b": b_columns}
        return Text("A has {a} keys and B has {b}: columns do not match, so there is no B − A.", values)
    if item >= min(items, b_items):
        values = {"a": items, "b": b_items, "wanted": SCREEN.number(item)}
        return Text("A has {a} batch items and B has {b}: item {wanted} is not in both.", values)
    if head >= min(heads, b_heads):
        values = {"a": heads, "b": b_heads, "wanted": SCREEN.head(head)}
        return Text("A has {a} heads and B has {b}: head {wanted} is not in both.", values)
    return Text()
