"""The status bar's facts about a trace: sentences with separate numbers, so that the window can translate them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Fact(NamedTuple):
    """An English text with places {0}, {1}, ... for its values."""

    text: str
    values: tuple[Any, ...] = ()


def row_sum_facts(row_sums: NDArray[np.floating], *, given: bool = False) -> tuple[Fact, ...]:
    """Return facts about the row sums of weights, to be joined without spaces.

    Rows of 0 are empty. For ``given`` weights, rows that are not a number are counted separately.
    """
    sums = row_sums[row_sums != 0]
    empty = row_sums.size - sums.size
    not_numbers = int(np.isnan(sums).sum())
    if not_numbers and not (given and not_numbers < sums.size):
        return (Fact("{0} rows are not a number", (not_numbers,)),)
    sums = sums[~np.isnan(sums)]
    if not sums.size:
        return (Fact("no row has a valid key"),)
    low, high = f"{sums.min():.3f}", f"{sums.max():.3f}"
    found = [Fact("rows sum to {0}", (low if low == high else f"{low} .. {high}",))]
    found += [Fact(", {0} not a number", (not_numbers,))] if not_numbers else []
    found += [Fact(", {0} empty", (empty,))] if empty else []
    return tuple(found)
