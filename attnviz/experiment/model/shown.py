"""A layer with word pieces joined or special tokens left out, of which only the weights remain."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text, listed
from attnviz.experiment.layers.arrays import layer_of_arrays
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.text import Group, ReadText


def shown_layer(layer: Layer, read: ReadText, *, joined: bool = False, hide_special: bool = False) -> Layer:
    """Return a layer whose queries and keys are words instead of their pieces, or without special tokens.

    A word's weight as a key is the sum of those of its pieces, as a query their mean, so that row sums are preserved.
    Without special tokens they decrease. A layer where nothing is joined or left out is returned unchanged.
    """
    groups = read.groups(joined=joined, hide_special=hide_special)
    if len(groups) == len(read):
        return layer
    names = tuple(group.name for group in groups)
    notes = [Text("Pieces of a word are joined: the sum over keys, the mean over queries.")] if joined else []
    if hide_special and any(read.special):
        notes.append(Text("Special tokens are left out: rows no longer sum to 1."))
    return layer_of_arrays(
        grouped(layer.weights, groups),
        _over_groups(np.logical_or, layer.mask, groups),
        names,
        names,
        has_words=True,
        self_attention=True,
        origin=layer.origin,
        note=listed(notes, "{first} {rest}"),
        heads_off=layer.heads_off,
    )


def grouped(weights: NDArray[np.floating], groups: tuple[Group, ...]) -> NDArray[np.floating]:
    """Return (..., T, T) weights of groups: sums over the keys of each, means over its queries."""
    sizes = np.array([len(group.tokens) for group in groups], weights.dtype)
    return np.asarray(_over_groups(np.add, weights, groups) / sizes[:, None])


def _over_groups(reduce: np.ufunc, cells: NDArray[Any], groups: tuple[Group, ...]) -> NDArray[Any]:
    """Return (..., T, T) cells of groups, reduced over their keys and queries."""
    order = [token for group in groups for token in group.tokens]
    begins = np.cumsum([0, *(len(group.tokens) for group in groups[:-1])])
    for axis in (-1, -2):
        cells = reduce.reduceat(cells.take(order, axis), begins, axis=axis)
    return cells
