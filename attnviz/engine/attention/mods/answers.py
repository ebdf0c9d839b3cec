"""What the process of the user's functions answers, as values: nothing of it is trusted."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from attnviz.definitions.text import Text
from attnviz.engine.child import LimitError
from attnviz.experiment.attention.own_mask import Clause, Kind, Listed
from attnviz.experiment.files.plain_files import Stamp

Sizes = tuple[int, int, int, int]
"""B, h, Q and K."""
_KINDS: tuple[Kind, ...] = ("mask_mod", "score_mod", "factory")
_DOES: tuple[Literal["and", "or"], ...] = ("and", "or")
_MOST_PRINTED = 21_000
"""The most characters of what a function printed; the process itself keeps fewer."""


def printed_in(answer: Mapping[str, Any]) -> str:
    """Return what was printed while an answer was computed."""
    return str(answer.get("printed", ""))[:_MOST_PRINTED]


def files_in(answer: Mapping[str, Any]) -> dict[str, Stamp]:
    """Return the paths of the user's files that a source has imported, with their versions."""
    files = _list(answer.get("files"))
    found = [each for each in files if isinstance(each, list) and len(each) == 4 and isinstance(each[0], str)]
    return {path: Stamp(*version) for path, *version in found}


def listed_in(answer: Mapping[str, Any]) -> tuple[Listed, ...]:
    """Return the callables of a source."""
    return tuple(
        Listed(
            str(each.get("name"))[:200],
            next((kind for kind in _KINDS if kind == each.get("kind")), ""),
            str(each.get("signature", ""))[:300],
            str(each.get("doc", ""))[:300],
            each["line"] if isinstance(each.get("line"), int) else 0,
        )
        for each in _list(answer.get("listed"))
        if isinstance(each, dict)
    )


def clause_in(answer: Mapping[str, Any], raw: bytes, sizes: Sizes) -> Clause:
    """Return the mask of an answer; the masks follow each other in the order of `Clause.walk`.

    Raises:
        LimitError: the answer is not one.
    """
    bits, at = np.frombuffer(raw, np.uint8), [0]
    if bits.size and bits.max() > 1:
        raise nonsense()

    def read_one(each: Any) -> Clause:
        if not isinstance(each, dict) or not isinstance(each.get("shape"), list) or len(each["shape"]) != 4:
            raise nonsense()
        shape = tuple(each["shape"])
        if shape[2:] != sizes[2:] or any(n not in (1, size) for n, size in zip(shape[:2], sizes, strict=False)):
            raise nonsense()
        start, at[0] = at[0], at[0] + math.prod(shape)
        if at[0] > bits.size:
            raise nonsense()
        allowed = bits[start : at[0]].view(np.bool_).reshape(shape)
        does: Literal["and", "or", ""] = next((known for known in _DOES if known == each.get("does")), "")
        operands = tuple(read_one(operand) for operand in _list(each.get("clauses")))
        line = each.get("line")
        return Clause(str(each.get("name"))[:200], allowed, does, operands, line if isinstance(line, int) else 0)

    try:
        clause = read_one(answer.get("clause"))
    except RecursionError:
        raise nonsense() from None
    if at[0] != bits.size:
        raise nonsense()
    return clause


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def nonsense() -> LimitError:
    """Return the error of an answer that is none."""
    return LimitError("ended", Text("it ended its process: it needs too much memory, or is broken"))
