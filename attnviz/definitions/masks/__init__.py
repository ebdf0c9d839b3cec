"""The masks. A new one is a file beside these, and a line here."""

from collections.abc import Iterator
from typing import Any

from attnviz.definitions.masks.causal import CAUSAL
from attnviz.definitions.masks.documents import DOCUMENTS
from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.masks.painted import PAINTED
from attnviz.definitions.masks.valid_lens import VALID_LENS
from attnviz.definitions.masks.window import WINDOW
from attnviz.definitions.registry import Registry

MASKS: Registry[Mask] = Registry("mask", (CAUSAL, VALID_LENS, WINDOW, DOCUMENTS, PAINTED))
"""All masks, in the order in which a form offers them and a reason names them."""


def in_force(spec: Any) -> Iterator[tuple[Mask, Any]]:
    """Yield every mask that an attention spec sets, with its state, including masks built into the module."""
    for mask in MASKS.values():
        state = mask.state(spec)
        if state is not None:
            yield mask, state


def made_beside_module(spec: Any) -> list[tuple[Mask, Any]]:
    """Return the masks of a spec, with their states, except those built into its module."""
    return [(mask, state) for mask, state in in_force(spec) if not mask.is_in_module(spec)]
