"""The arrays of a training history: they grow at every step, while views returned earlier stay valid."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_ROOM = 64
"""The initial capacity in rows."""


class Growing:
    """An array that grows by rows, with spare capacity like a list."""

    def __init__(self, first: NDArray[Any]) -> None:
        self._values, self._count = first, len(first)

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """The allocated bytes, including the spare capacity."""
        return self._values.nbytes

    def append(self, row: Any) -> None:
        """Add a row."""
        self.put(self._count, row)

    def put(self, index: int, row: Any) -> None:
        """Write a row after the first ``index`` rows; a row there that was never returned is overwritten."""
        if index == len(self._values):
            more = max(_ROOM, index)
            empty = np.empty((more, *self._values.shape[1:]), self._values.dtype)
            self._values = np.concatenate([self._values, empty])
        self._values[index] = row
        self._count = index + 1

    def first(self, count: int) -> NDArray[Any]:
        """Return the first rows, read-only, without a copy."""
        rows = self._values[:count]
        rows.setflags(write=False)
        return rows

    def copy(self, count: int) -> "Growing":
        """Return a copy of the first rows."""
        return Growing(self._values[:count].copy())
