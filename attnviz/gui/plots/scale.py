"""The range of an axis in round numbers, and its ticks."""

import math

import numpy as np
from numpy.typing import NDArray

from attnviz.gui.plots.curves.plot_layer import extent, in_round_numbers

_TICKS = 5
"""The greatest number of ticks."""


def round_range(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return a rounded range around values; it starts at 0 if they are near it."""
    low, high = extent(values) or (0.0, 1.0)
    if 0 <= low < 0.7 * high:
        low = 0.0
    low, high = in_round_numbers(low, high)
    around = max(0.5, abs(low) * 1e-9)  # one half is negligible beside a large number
    return (low, high) if high > low else (low - around, low + around)


def ticks_between(low: float, high: float) -> list[float]:
    """Return round tick values from low to high."""
    step = 10.0 ** math.floor(math.log10((high - low) / _TICKS))
    step *= next(each for each in (1, 2, 5, 10) if each * step >= (high - low) / _TICKS)
    return [float(f"{each * step:.12g}") for each in range(math.ceil(low / step), math.floor(high / step) + 1)]
