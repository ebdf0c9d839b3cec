"""The masks. To add one, write its record in a file here and add it below."""

from collections.abc import Iterator
from typing import Any

from attnviz.definitions.masks.causal import CAUSAL
from attnviz.definitions.masks.dilated_window import DILATED_WINDOW
from attnviz.definitions.masks.documents import DOCUMENTS
from attnviz.definitions.masks.global_tokens import GLOBAL_TOKENS
from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.masks.of_layers import BY_HAND, HIDDEN, OF_MODEL
from attnviz.definitions.masks.own import OWN
from attnviz.definitions.masks.painted import PAINTED
from attnviz.definitions.masks.prefix_lm import PREFIX_LM
from attnviz.definitions.masks.valid_lens import VALID_LENS
from attnviz.definitions.masks.window import WINDOW
from attnviz.definitions.registry import Registry

MASKS: Registry[Mask] = Registry(
    "mask", (CAUSAL, VALID_LENS, WINDOW, DOCUMENTS, PAINTED, DILATED_WINDOW, GLOBAL_TOKENS, PREFIX_LM)
)
"""All masks that a spec can set, in the order of the form and of reasons."""
LAYER_MASKS: Registry[Mask] = Registry("mask", (OWN, HIDDEN, BY_HAND, OF_MODEL))
"""Further masks of layers: the user's own, which a run evaluates, and those of other models."""


def mask_of(name: str) -> Mask:
    """Return the mask with a name, among those of specs and layers."""
    return MASKS[name] if name in MASKS else LAYER_MASKS[name]


def in_force(spec: Any) -> Iterator[tuple[Mask, Any]]:
    """Yield every mask of an attention spec, with its state, including masks built into the module."""
    for mask in MASKS.values():
        state = mask.state(spec)
        if state is not None:
            yield mask, state


def made_beside_module(spec: Any) -> list[tuple[Mask, Any]]:
    """Return the masks of a spec, with their states, except those built into its module."""
    return [(mask, state) for mask, state in in_force(spec) if not mask.is_in_module(spec)]
