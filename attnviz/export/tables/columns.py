"""The columns of a sweep's table: which rows have which, and their order."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attnviz.experiment.scalars import MILLISECONDS
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, SPEC, SWEEP

Row = Mapping[str, Any]
_LAST = (MILLISECONDS.name, FAILURE, SPEC, SWEEP)
_OF_A_HEAD = re.compile(r"(.+)_(?:(\d+)\.)?(\d+)")


def ordered(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of a table, from those of its rows, in order and without duplicates.

    The run is first; measures of each head follow that of all heads; time, failure, spec and sweep are last.
    """
    known = list(dict.fromkeys(names))
    index_of = {name: index for index, name in enumerate(known)}

    def order(name: str) -> tuple[int, ...]:
        match = _OF_A_HEAD.fullmatch(name)
        if name in _LAST:
            return (len(known), _LAST.index(name))
        if match is None or match[1] not in index_of:
            return (index_of[name],)
        return index_of[match[1]], int(match[2] or 0), int(match[3])

    return tuple(sorted(known, key=lambda name: (name != RUN, order(name))))


def columns_of_rows(rows: Sequence[Row], first: Sequence[str]) -> dict[str, list[Any]]:
    """Return rows as columns, in the order of their runs; a missing number is NaN, anything else None.

    ``first`` are the columns that every table of the sweep has.
    """
    rows = sorted(rows, key=lambda row: int(row[RUN]))
    names = ordered((*first, *(name for row in rows for name in row)))
    columns = {name: [row.get(name) for row in rows] for name in names}
    nan = float("nan")
    return {
        name: [nan if value is None else value for value in values]
        if any(isinstance(value, float) for value in values)
        else values
        for name, values in columns.items()
    }
