"""Comparison of two layers: B − A head by head, or of one cell."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.stages import cells_of
from attnviz.definitions.text import Text
from attnviz.experiment.colours import Scale, quantise, symmetric_scale
from attnviz.experiment.layers.layer import Layer


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
    a: Layer, b: Layer, stage: str, item: int, head: int, aligned: int | None = None
) -> HeadDifference | Text:
    """Return B − A of a head (counted from 0) at a stage, or the reason why it does not exist.

    Only the first ``aligned`` queries and keys are the same in both, None is all: the others have no difference, and
    their cells are not in the mask.
    """
    mismatch = _mismatch(a, b, stage, item, head, shapes=aligned is None)
    if mismatch:
        return mismatch
    ours, theirs = (layer.shown(stage)[item, head] for layer in (b, a))
    same = slice(aligned)
    values = np.zeros(ours.shape)
    values[same, same] = ours[same, same].astype(np.float64) - theirs[same, same]
    mask = np.zeros(ours.shape, bool)
    masks = (layer.mask[item, head][same, same] for layer in (a, b))
    mask[same, same] = np.logical_or(*masks) | (values[same, same] != 0) if cells_of(stage).masked else True
    scale = symmetric_scale(values[mask])
    return HeadDifference(values, mask, quantise(values, mask, scale.low, scale.high), scale)


def cell_difference(
    a: Layer, b: Layer, stage: str, index: tuple[int, int, int, int], aligned: int | None = None
) -> CellDifference | None:
    """Return the numbers of both traces at an (item, head, query, key); None if they cannot be compared.

    ``aligned`` is as in `head_difference`.
    """
    if _mismatch(a, b, stage, *index[:2], shapes=aligned is None):
        return None
    if aligned is not None and max(index[2:]) >= aligned:
        return None
    return CellDifference(float(a.shown(stage)[index]), float(b.shown(stage)[index]))


def _mismatch(a: Layer, b: Layer, stage: str, item: int, head: int, *, shapes: bool = True) -> Text:
    """Return why there is no difference; empty if there is one. ``shapes`` must be equal, too, unless it is False."""
    if a.is_given and not cells_of(stage).weights:
        return Text("A has given weights only, without scores, so there is no B − A.")
    if not a.has(stage):
        return Text("A has no {numbers}, so there is no B − A.", {"numbers": Text(cells_of(stage).heading)})
    (items, heads, rows, columns), (b_items, b_heads, b_rows, b_columns) = a.weights.shape, b.weights.shape
    if shapes and rows != b_rows:
        values = {"a": rows, "b": b_rows}
        return Text("A has {a} queries and B has {b}: rows do not match, so there is no B − A.", values)
    if shapes and columns != b_columns:
        values = {"a": columns, "b": b_columns}
        return Text("A has {a} keys and B has {b}: columns do not match, so there is no B − A.", values)
    if item >= min(items, b_items):
        values = {"a": items, "b": b_items, "wanted": SCREEN.number(item)}
        return Text("A has {a} batch items and B has {b}: item {wanted} is not in both.", values)
    if head >= min(heads, b_heads):
        values = {"a": heads, "b": b_heads, "wanted": SCREEN.head(head)}
        return Text("A has {a} heads and B has {b}: head {wanted} is not in both.", values)
    return Text()
