"""What a heatmap shows: numbers, their colours, and what stands around them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Matrix:
    """What a heatmap shows: (Q, K) colour levels with the values behind them, and what stands around them."""

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
    """Rows to be named as having no valid key, where their sum would stand."""
    slices: int = 1
    """How many heads share the columns, each a slice of them."""
