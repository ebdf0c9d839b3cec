"""Valid lengths: keys beyond them are padding."""

from typing import Any

from attnviz.definitions.functions.formula import Array, Functions
from attnviz.definitions.masks.mask import FIRST, Mask, MaskCode

Lens = tuple[Any, ...]
"""One length for each batch item, or a tuple of lengths, one for each query."""


def _is_per_query(lens: Lens) -> bool:
    return isinstance(lens[0], tuple)


def _allows(lens: Lens, b: Array, h: Array, i: Array, j: Array, xp: Functions) -> Array:
    return j < (xp["at"](lens, b, i) if _is_per_query(lens) else xp["at"](lens, b))


def _keeps(lens: Lens) -> frozenset[str]:
    lengths = [length for row in lens for length in (row if isinstance(row, tuple) else (row,))]
    return frozenset() if 0 in lengths else frozenset({FIRST})


VALID_LENS = Mask(
    name="valid_lens",
    title="Valid lengths",
    help="How many leading keys are real: one per item, or one per query.",
    field="valid_lens",
    example=(6, 4),
    allows=_allows,
    reason="beyond valid length {length}",
    reason_code="valid_length",
    numbers_at=lambda lens, b, h, i, j: {"length": lens[b][i] if _is_per_query(lens) else lens[b]},
    formula=r"j \leq \ell",
    spoken="j is at most the valid length",
    words="valid lengths",
    code=lambda lens: MaskCode(
        values={"valid_lens": lens}, rule=f"j < valid_lens[{'b, i' if _is_per_query(lens) else 'b'}]"
    ),
    keeps=_keeps,
    per_item=True,
)
