"""What each head does, in numbers: how spread its rows are, and where they look. One value a head, from its weights."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.statistics import STATISTICS, Rows, row_entropies

HeadStatistics = Mapping[str, NDArray[np.float64]]
"""(h,) numbers under the name of each statistic; NaN where no row of a head is counted."""

_ROUNDING = 0.02
"""By how much a softmax in bfloat16 may miss 1."""


def head_statistics(weights: NDArray[np.floating]) -> HeadStatistics:
    """Return the statistics of (h, Q, K) weights.

    Rows of nothing but 0, or that are not a number, count for nothing. A row that does not sum to 1, as one that was
    given need not, counts by the shares of its sum.
    """
    held = np.where(np.isfinite(weights), weights, 0).astype(np.float64, copy=False)
    counted = (held != 0).any(axis=-1) & np.isfinite(weights).all(axis=-1)
    rows = Rows(_shares(held), held.sum(axis=-1), counted)
    return {name: statistic.compute(rows, np) for name, statistic in STATISTICS.items()}


def entropies(weights: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return (..., Q), the entropy in bits of the shares of each row of (..., Q, K) weights; 0 adds nothing."""
    return np.asarray(row_entropies(_shares(weights.astype(np.float64, copy=False)), np))


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows divided by their sums, so that they sum to 1; one that does so but for rounding stays as it is."""
    sums = weights.sum(axis=-1, keepdims=True)
    unequal = (np.abs(sums - 1) > _ROUNDING) & (sums > 0) & np.isfinite(sums)
    return weights / np.where(unequal, sums, 1.0) if unequal.any() else weights
