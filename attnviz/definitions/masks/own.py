"""The user's own mask: a ``mask_mod`` of PyTorch's FlexAttention, evaluated by the run.

Its state is an `attnviz.experiment.attention.own_mask.Clause`.
"""

from collections.abc import Mapping
from typing import Any

from attnviz.definitions.functions.formula import Array, Functions
from attnviz.definitions.masks.mask import Mask


def _allows(clause: Any, b: Array, h: Array, i: Array, j: Array, xp: Functions) -> Array:
    return clause.at(b, h, i, j)


def _numbers_at(clause: Any, b: int, h: int, i: int, j: int) -> Mapping[str, Any]:
    return {"clauses": ", ".join(part.name for part in clause.forbidding(b, h, i, j))}


OWN = Mask(
    name="mask_mod",
    title="Own mask",
    help="A mask_mod of FlexAttention from a Python file.",
    allows=_allows,
    reason="your mask ({clauses})",
    numbers=lambda clause: {},
    numbers_at=_numbers_at,
    formula=r"\text{{mask_mod}}(b, h, i, j)",
    spoken="your mask allows i and j",
    words="your mask",
    per_item=True,
    per_head=True,
)
