"""The arrays of specs and traces: a shorthand for their usual type, and how they are made read-only."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

ScalarT = TypeVar("ScalarT", bound=np.generic)

Vector = NDArray[np.float64]
"""Numbers in double precision; a docstring gives the shape."""


def read_only(array: NDArray[ScalarT]) -> NDArray[ScalarT]:
    """Return the array itself, made read-only: traces share it among threads."""
    array.setflags(write=False)
    return array
