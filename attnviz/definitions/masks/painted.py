"""Cells masked by hand, as a text: ``"1: 3-5 7; 4-6: 2"`` masks keys 3, 4, 5, 7 for query 1, key 2 for queries 4 to 6.

The text is in the canonical form of `attnviz.experiment.fields.painted`.
"""

from functools import lru_cache
from typing import Any

from attnviz.definitions.functions.formula import Array, Functions
from attnviz.definitions.masks.mask import Mask, MaskCode

Run = tuple[int, int]
"""First and last, both included."""

_WRITTEN_ONE_BY_ONE = 12
"""The most strokes that the script writes as one line each; more become a list."""


@lru_cache(maxsize=8)  # called with the same text at every mouse move
def _rows(text: str) -> dict[int, tuple[Run, ...]]:
    """Return the runs of masked keys of every query that has any. Callers must not modify it."""
    rows: dict[int, tuple[Run, ...]] = {}
    for entry in text.split("; "):
        queries, keys = entry.split(": ")
        top, bottom = _run(queries)
        rows |= dict.fromkeys(range(top, bottom + 1), tuple(map(_run, keys.split(" "))))
    return rows


def _run(text: str) -> Run:
    first, _, last = text.partition("-")
    return int(first), int(last or first)


def _allows(text: str, b: Array, h: Array, i: Array, j: Array, xp: Functions) -> Array:
    queries, first, count = i[:, 0].tolist(), int(j[0]), len(j)
    rows = _rows(text)
    masked = {runs: _row(runs, first, count) for runs in {rows[query] for query in queries if query in rows}}
    free = b"\1" * count
    data = bytearray().join(masked[rows[query]] if query in rows else free for query in queries)
    return xp["booleans"](data, (len(queries), count), j)


def _row(runs: tuple[Run, ...], first: int, count: int) -> bytes:
    """Return ``count`` bytes, for the keys from ``first`` on: 0 if masked, else 1."""
    row = bytearray(b"\1" * count)
    for left, right in runs:
        start, stop = max(left - first, 0), min(right + 1 - first, count)
        if start < stop:
            row[start:stop] = bytes(stop - start)
    return bytes(row)


def _code(text: str) -> MaskCode:
    strokes = []
    for entry in text.split("; "):
        queries, keys = entry.split(": ")
        strokes += [(*_run(queries), *_run(run)) for run in keys.split(" ")]
    declaration = "painted = torch.zeros(len(i), len(j), dtype=torch.bool)"
    for_flex = "painted = torch.zeros(num_queries, num_kvpairs, dtype=torch.bool)"
    values: dict[str, Any] = {}
    if len(strokes) <= _WRITTEN_ONE_BY_ONE:
        filled = [f"painted[{_slice(*stroke[:2])}, {_slice(*stroke[2:])}] = True" for stroke in strokes]
    else:
        values["strokes"] = tuple(strokes)
        filled = [
            "for top, bottom, left, right in strokes.tolist():",
            "    painted[top : bottom + 1, left : right + 1] = True",
        ]
    return MaskCode(
        values=values,
        lines=(declaration, *filled),
        rule="~painted",
        flex_lines=(for_flex, *filled),
        flex="~painted[q_idx, kv_idx]",
    )


def _slice(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}:{last + 1}"


PAINTED = Mask(
    name="painted",
    title="Painted",
    help="Cells forbidden by hand, as 'query: keys', such as 1: 3-5 7; 4-6: 2. Drag on the picture to paint.",
    field="painted",
    example="1: 0; 3: 1-2",
    allows=_allows,
    reason="painted",
    formula=r"\text{{$(i, j)$ not painted}}",
    spoken="i and j are not painted",
    words="painted by hand",
    code=_code,
    scratch=1,
)
