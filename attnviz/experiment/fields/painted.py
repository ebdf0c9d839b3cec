"""A mask painted by hand: the masked cells as a short readable text.

``"1: 3-5 7; 4-6: 2"`` masks keys 3, 4, 5 and 7 for query 1, and key 2 for queries 4, 5 and 6, for every batch item and
head. The empty text masks nothing. Specs and files count queries and keys from zero; text typed in the window counts
from one: `typed` writes it, and `parse` reads it as `Typed`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from attnviz.definitions.counting import FILES, SCREEN, Position
from attnviz.definitions.text import quoted
from attnviz.experiment.fields.knob import TypedText
from attnviz.experiment.fields.problems import Repair, problem

MAX_LENGTH = 200_000
"""The limit in characters; every second cell of 200 x 200 takes half of that."""

_MOST_RUNS = 1_000_000
_RUN = re.compile(r"\s*(\d{1,6})(?!\d)\s*(?:-\s*(\d{1,6})(?!\d)\s*)?")


class CellsText(TypedText):
    """Marks a text field that lists cells of the weights: ``Annotated[str, CellsText()]``."""

    @override
    def typed(self, value: str) -> "Typed":
        return typed(value)


class Typed(str):
    """A painted mask as typed in the window: its queries and keys count from one."""

    __slots__ = ()


Run = tuple[int, int]
"""First and last, both included."""
Runs = tuple[Run, ...]


def parse(raw: Any) -> str:
    """Return a painted mask in canonical form; raises a custom pydantic error if it cannot be read."""
    if not isinstance(raw, str):
        raise problem(
            "painted", "painted_form", "painted must be text such as '1: 3-5 7; 4-6: 2', not {said}", said=quoted(raw)
        )
    # Checked twice: the canonical form of a short text may be long.
    _check_length(raw)
    written = _written(_rows_of(str(raw), SCREEN.first if isinstance(raw, Typed) else FILES.first))
    _check_length(written)
    return written


def typed(painted: str) -> Typed:
    """Return a painted mask as typed in the window."""
    return Typed(_written(_rows_of(painted), SCREEN.first))


def check(painted: str, num_queries: int, num_kvpairs: int) -> None:
    """Raise a custom pydantic error if a painted cell is outside the weights."""
    rows, columns = extent(painted)
    for axis, reach, count in (("query", rows, num_queries), ("key", columns, num_kvpairs)):
        if reach > count:
            raise problem(
                "painted",
                "painted_outside",
                "painted {axis} {position} is not in {first}..{last}; nearest: {last}",
                "Painted {axis} {position} is not in {first}..{last}; nearest: {last}",
                (Repair("painted", conform(painted, num_queries, num_kvpairs), "leave it out"),),
                axis=axis,
                position=Position(reach - 1),
                first=Position(0),
                last=Position(count - 1),
            )


def conform(painted: str, num_queries: int, num_kvpairs: int) -> str:
    """Return the painted cells that are within other sizes."""
    rows, columns = extent(painted)
    if rows <= num_queries and columns <= num_kvpairs:
        return painted
    return write(forbidden(painted, num_queries, num_kvpairs))


def extent(painted: str) -> tuple[int, int]:
    """Return the shape of the smallest matrix that holds every painted cell."""
    rows = _rows_of(painted)
    last_key = max((run[1] for runs in rows.values() for run in runs), default=-1)
    return max(rows, default=-1) + 1, last_key + 1


def forbidden(painted: str, num_queries: int, num_kvpairs: int) -> NDArray[np.bool_]:
    """Return (Q, K), True where a cell is masked; painted cells outside these sizes are ignored."""
    cells = np.zeros((num_queries, num_kvpairs), bool)
    for query, runs in _rows_of(painted).items():
        for first, last in runs if query < num_queries else ():
            cells[query, first : last + 1] = True
    return cells


def runs_of(painted: str) -> Iterator[tuple[Run, Run]]:
    """Yield the queries and the keys, first and last, of every block of cells in a painted mask."""
    rows = _rows_of(painted)
    for query, runs in rows.items():
        for run in runs:
            yield (query, query), run


def write(cells: NDArray[np.bool_]) -> str:
    """Return the text that masks the True cells of (Q, K)."""
    rows: dict[int, Runs] = {}
    for query in np.flatnonzero(cells.any(axis=1)):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], cells[query], [False])).astype(np.int8)))
        rows[int(query)] = tuple((int(first), int(end) - 1) for first, end in edges.reshape(-1, 2))
    return _written(rows)


def _check_length(text: str) -> None:
    if len(text) > MAX_LENGTH:
        raise problem(
            "painted",
            "painted_too_long",
            "painted holds {length} characters; nearest: {most}",
            length=len(text),
            most=MAX_LENGTH,
        )


@lru_cache(maxsize=8)  # checking, conforming and drawing use the same mask
def _rows_of(text: str, first: int = FILES.first) -> dict[int, Runs]:
    """Return the runs of masked keys of every query that has any, merged and sorted. Callers must not modify it.

    The text counts from ``first``, the result from zero.
    """
    rows: dict[int, Runs] = {}
    runs_so_far = 0
    for entry in text.split(";"):
        if not entry.strip():
            continue
        head, colon, tail = entry.partition(":")
        queries = _runs_in(head, first)
        keys = _runs_in(tail, first)
        if not colon or len(queries) != 1 or not keys:
            raise problem(
                "painted",
                "painted_entry",
                "painted entry {said} must read 'query: keys', such as '1: 3-5 7'",
                said=quoted(entry.strip()),
            )
        if min(queries[0][0], min(keys)[0]) < 0:
            raise problem(
                "painted",
                "painted_below_first",
                "painted entry {said} must count queries and keys from {first}",
                said=quoted(entry.strip()),
                first=first,
            )
        merged = _merged(keys)
        for query in range(queries[0][0], queries[0][1] + 1):
            rows[query] = _merged(rows[query] + merged) if query in rows else merged
            runs_so_far += len(rows[query])
            if runs_so_far > _MOST_RUNS:
                raise problem("painted", "painted_too_fine", "painted has more pieces than {most}", most=_MOST_RUNS)
    return rows


def _runs_in(text: str, counted_from: int) -> list[Run]:
    """Return the numbers and ranges of "3-5 7" or "3-5, 7" from zero; empty if the text is anything else."""
    runs: list[Run] = []
    position = 0
    text = text.replace(",", " ").strip()
    while position < len(text):
        match = _RUN.match(text, position)
        if match is None:
            return []
        first = int(match[1]) - counted_from
        last = int(match[2]) - counted_from if match[2] else first
        runs.append((min(first, last), max(first, last)))
        position = match.end()
    return runs


def _merged(runs: tuple[Run, ...] | list[Run]) -> Runs:
    merged: list[Run] = []
    for first, last in sorted(runs):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return tuple(merged)


def _written(rows: dict[int, Runs], first: int = FILES.first) -> str:
    """Return the text of these rows, counted from ``first``; adjacent equal rows share an entry."""
    entries: list[tuple[int, int, Runs]] = []
    for query in sorted(rows):
        if entries and entries[-1][1] == query - 1 and entries[-1][2] == rows[query]:
            entries[-1] = (entries[-1][0], query, rows[query])
        else:
            entries.append((query, query, rows[query]))

    def span(top: int, bottom: int) -> str:
        return str(top + first) if top == bottom else f"{top + first}-{bottom + first}"

    return "; ".join(f"{span(top, bottom)}: {' '.join(span(*run) for run in runs)}" for top, bottom, runs in entries)
