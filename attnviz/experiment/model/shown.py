"""A layer with word pieces joined or special tokens left out, of which only the weights remain."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text, listed
from attnviz.experiment.layers.arrays import layer_of_arrays
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.text import Group, ReadText


def shown_layer(
    layer: Layer, read: ReadText, of_keys: ReadText | None = None, *, joined: bool = False, hide_special: bool = False
) -> Layer:
    """Return a layer whose queries and keys are words instead of their pieces, or without special tokens.

    A word's weight as a key is the sum of those of its pieces, as a query their mean, so that row sums are preserved.
    Without special tokens they decrease. ``of_keys`` is the text of the keys, if it is another one.
    A layer where nothing is joined or left out is returned unchanged.
    """
    of_keys = read if of_keys is None else of_keys
    groups, keys = (each.groups(joined=joined, hide_special=hide_special) for each in (read, of_keys))
    if (len(groups), len(keys)) == (len(read), len(of_keys)):
        return layer
    notes = [Text("Pieces of a word are joined: the sum over keys, the mean over queries.")] if joined else []
    if hide_special and any((*read.special, *of_keys.special)):
        notes.append(Text("Special tokens are left out: rows no longer sum to 1."))
    return layer_of_arrays(
        grouped(layer.weights, groups, keys),
        _over_groups(np.logical_or, layer.mask, groups, keys),
        tuple(group.name for group in groups),
        tuple(group.name for group in keys),
        has_words=True,
        self_attention=layer.self_attention,
        origin=layer.origin,
        note=listed(notes, "{first} {rest}"),
        heads_off=layer.heads_off,
    )


def grouped(
    weights: NDArray[np.floating], groups: tuple[Group, ...], keys: tuple[Group, ...] | None = None
) -> NDArray[np.floating]:
    """Return (..., Q, K) weights of groups: sums over the keys of each, means over its queries."""
    sizes = np.array([len(group.tokens) for group in groups], weights.dtype)
    return np.asarray(_over_groups(np.add, weights, groups, groups if keys is None else keys) / sizes[:, None])


def _over_groups(
    reduce: np.ufunc, cells: NDArray[Any], queries: tuple[Group, ...], keys: tuple[Group, ...]
) -> NDArray[Any]:
    """Return (..., Q, K) cells of groups, reduced over their keys and queries."""
    for axis, groups in ((-1, keys), (-2, queries)):
        order = [token for group in groups for token in group.tokens]
        begins = np.cumsum([0, *(len(group.tokens) for group in groups[:-1])])
        cells = reduce.reduceat(cells.take(order, axis), begins, axis=axis)
    return cells
