"""A layer as the screen shows it where word pieces are joined or special tokens are left out: its weights alone."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text, listed
from attnviz.experiment.layers.arrays import layer_of_arrays
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.text import Group, ReadText


def shown_layer(layer: Layer, read: ReadText, *, joined: bool = False, hide_special: bool = False) -> Layer:
    """Return a layer whose queries and keys are words in place of their pieces, or without special tokens.

    A word's weight as a key is the sum of those of its pieces, as a query their mean, so that rows sum to what they
    did. Without special tokens they sum to less. A layer where nothing is joined or left out is returned as it is.
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
        _any_of(layer.mask, groups),
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
    order, begins, sizes = _places(groups)
    keys = np.add.reduceat(weights[..., order], begins, axis=-1)
    queries = np.add.reduceat(keys[..., order, :], begins, axis=-2)
    return np.asarray(queries / sizes[:, None].astype(weights.dtype))


def _any_of(mask: NDArray[np.bool_], groups: tuple[Group, ...]) -> NDArray[np.bool_]:
    order, begins, _ = _places(groups)
    keys = np.logical_or.reduceat(mask[..., order], begins, axis=-1)
    return np.asarray(np.logical_or.reduceat(keys[..., order, :], begins, axis=-2))


def _places(groups: tuple[Group, ...]) -> tuple[Any, Any, Any]:
    order = [token for group in groups for token in group.tokens]
    sizes = np.array([len(group.tokens) for group in groups])
    return order, np.cumsum(sizes) - sizes, sizes
