"""Further masks of layers from other models: those of interventions, or of unknown origin."""

from typing import Any

from attnviz.definitions.functions.formula import Array, Functions
from attnviz.definitions.masks.mask import Mask


def _keys_allowed(keys: tuple[int, ...], b: Array, h: Array, i: Array, j: Array, xp: Functions) -> Array:
    allowed = j >= 0
    for key in keys:
        allowed = allowed & (j != key)
    return allowed


def _cells_allowed(allowed: Any, b: Array, h: Array, i: Array, j: Array, xp: Functions) -> Array:
    return allowed[h if allowed.shape[0] > 1 else h * 0, i, j]


HIDDEN = Mask(
    name="hidden",
    title="Hidden tokens",
    help="Keys that no query may attend to.",
    allows=_keys_allowed,
    reason="a token that is hidden",
    formula=r"\text{{$j$ not hidden}}",
    spoken="j is not hidden",
    words="hidden tokens",
)
"""Its state is the hidden keys."""
BY_HAND = Mask(
    name="by_hand",
    title="Painted",
    help="Cells forbidden by hand, of a head or of all of them.",
    allows=_cells_allowed,
    reason="painted",
    formula=r"\text{{$(i, j)$ not painted}}",
    spoken="i and j are not painted",
    words="painted by hand",
    per_head=True,
)
"""Its state is an array of booleans (h or 1, Q, K), True where a query may attend; as that of the next one."""
OF_MODEL = Mask(
    name="of_model",
    title="The model's own",
    help="Cells forbidden by the model's own mask.",
    allows=_cells_allowed,
    reason="by the model's own mask",
    formula=r"\text{{$(i, j)$ allowed by the model}}",
    spoken="the model allows i and j",
    words="the model's own mask",
    per_head=True,
)
