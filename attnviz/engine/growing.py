"""The arrays of a history: they grow with every step of a training, and what was returned of them stays as it was."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_ROOM = 64
"""How many rows an array first has room for."""


class Growing:
    """An array that grows by rows."""

    def __init__(self, first: NDArray[Any]) -> None:
        self._values, self._count = first, len(first)

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """The bytes that it holds, with those that it has room for."""
        return self._values.nbytes

    def append(self, row: Any) -> None:
        """Add a row."""
        self.put(self._count, row)

    def put(self, place: int, row: Any) -> None:
        """Add a row after the first ``place`` rows; a row that was there and never returned is replaced."""
        if place == len(self._values):
            more = max(_ROOM, place)
            empty = np.empty((more, *self._values.shape[1:]), self._values.dtype)
            self._values = np.concatenate([self._values, empty])
        self._values[place] = row
        self._count = place + 1

    def first(self, count: int) -> NDArray[Any]:
        """Return the first rows, read-only, without a copy."""
        rows = self._values[:count]
        rows.setflags(write=False)
        return rows

    def copy(self, count: int) -> "Growing":
        """Return a new one with the first rows."""
        return Growing(self._values[:count].copy())
