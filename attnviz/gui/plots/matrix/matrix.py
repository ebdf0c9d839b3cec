"""What a heatmap shows: numbers, their colours, and the labels around them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from attnviz.gui.widgets.words import number_text

_SAMPLE = 64


class NumberLabels(Sequence[str]):
    """The numbers (n,) of an axis, each as text in one format."""

    def __init__(self, numbers: NDArray[np.float64], form: str, prefix: str = "") -> None:
        self._numbers, self._form, self._prefix = numbers, form, prefix

    @override
    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    @override
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self[each] for each in range(*place.indices(len(self))))
        return f"{self._prefix}{self._numbers[place]:{self._form}}"

    def some(self) -> tuple[str, ...]:
        """Return a choice of the labels, to measure how wide they are."""
        return self[:: max(1, len(self) // _SAMPLE)]


@dataclass(frozen=True, eq=False)
class Matrix:
    """What a heatmap shows: (Q, K) colour levels with the values behind them, and the labels around them."""

    levels: NDArray[np.uint8]
    values: NDArray[np.floating]
    mask: NDArray[np.bool_] | None
    row_labels: Sequence[str]
    column_labels: Sequence[str]
    row_sums: NDArray[np.float64] | None
    title: str
    row_title: str
    column_title: str
    decimals: int = 2
    square: bool = True
    """Whether cells are square and columns have words, as tokens do; else cells fill the room, columns have numbers."""
    row_role: str = "q"
    column_role: str = "k"
    """The theme's colours of the two axes, and of the marks on a row and a column."""
    title_role: str = "text"
    empty_rows: NDArray[np.bool_] | None = None
    """Rows without a valid key, which is written in place of their sum."""
    slices: int = 1
    """How many heads share the columns, each a slice of them."""
    dropped: NDArray[np.bool_] | None = None
    """Cells that dropout made 0, which have a cross in place of their value; None where it does not act."""
    signed: bool = False
    """Whether the values are differences, which are written with their sign."""

    @cached_property
    def longest_rows(self) -> tuple[str, ...]:
        """The row labels with the most letters, see `longest`."""
        return longest(self.row_labels)

    @cached_property
    def longest_columns(self) -> tuple[str, ...]:
        """The column labels with the most letters, see `longest`."""
        return longest(self.column_labels)

    def text_of(self, value: float) -> str:
        """Return a value as a cell has it.

        A sign takes the place of the zero before the point, or of the last decimal: it needs no wider cell.
        """
        text = number_text(value, f".{self.decimals}f")
        if not self.signed or not math.isfinite(value):
            return text
        figures = text.removeprefix("-")
        if not figures.strip("0."):
            return figures.removeprefix("0")
        sign = "-" if value < 0 else "+"
        return sign + (figures[1:] if figures.startswith("0.") else number_text(abs(value), f".{self.decimals - 1}f"))

    @property
    def upright(self) -> bool:
        """Whether columns are labelled upright: numbers and short words are, others are slanted."""
        return not self.square or all(len(label) <= 4 for label in self.longest_columns)


def longest(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the few labels with the most letters, one of which is the widest for our purpose.

    Measuring thousands of labels would cost a frame.
    """
    if isinstance(labels, NumberLabels):
        labels = labels.some()
    return tuple(sorted(set(labels), key=len)[-3:])
