"""Numbers as labels, written out only where one is looked at: an axis of thousands shows a few of them."""

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

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
