"""Positions as a text: "1–3, 7"."""

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import Position
from attnviz.definitions.text import Text, listed

_MOST_RUNS = 8
"""The most runs of positions that a text lists."""


def positions_said(rows: Sequence[int] | NDArray[np.intp]) -> Text:
    """Return positions as a text: "1–3, 7"; at most `_MOST_RUNS` runs."""
    runs = runs_of(rows)
    parts = [
        Text("{first}", {"first": Position(first)})
        if first == last
        else Text("{first}–{last}", {"first": Position(first), "last": Position(last)})
        for first, last in islice(runs, _MOST_RUNS)
    ]
    said = listed(parts)
    rest = sum(last - first + 1 for first, last in runs[_MOST_RUNS:])
    return Text("{rows} and {further} more", {"rows": said, "further": rest}) if rest else said


def runs_of(rows: Sequence[int] | NDArray[np.intp]) -> tuple[tuple[int, int], ...]:
    """Return ascending positions as runs, first and last, both included."""
    numbers = np.asarray(rows, np.intp)
    if not len(numbers):
        return ()
    ends = np.flatnonzero(np.diff(numbers) > 1)
    starts = [0, *(ends + 1).tolist()]
    return tuple(
        (int(numbers[start]), int(numbers[end]))
        for start, end in zip(starts, [*ends.tolist(), len(numbers) - 1], strict=True)
    )
