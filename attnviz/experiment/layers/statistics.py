"""The statistics of the heads of a layer."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.statistics import STATISTICS, Rows, row_entropies

HeadStatistics = Mapping[str, NDArray[np.float64]]
"""(h,) numbers by the name of each statistic; NaN where a head has no counted row."""

ROUNDING = 1e-5
"""The largest error of the row sums of a softmax in float32; a row whose sum is further from 1 is normalised."""


def head_statistics(weights: NDArray[np.floating]) -> HeadStatistics:
    """Return the statistics of (h, Q, K) weights.

    Rows that are all 0 or not finite are not counted. A row that does not sum to 1 (given weights need not) is
    normalised.
    """
    finite = np.isfinite(weights)
    held = (weights if finite.all() else np.where(finite, weights, 0)).astype(np.float64, copy=False)
    counted = held.any(axis=-1) & finite.all(axis=-1)
    rows = Rows(_shares(held), held.sum(axis=-1), counted)
    return {name: statistic.compute(rows, np) for name, statistic in STATISTICS.items()}


def entropies(weights: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return (..., Q), the entropy in bits of each normalised row of (..., Q, K) weights; 0 adds nothing."""
    return np.asarray(row_entropies(_shares(weights.astype(np.float64, copy=False)), np))


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows divided by their sums; a row that sums to 1 up to rounding is left unchanged."""
    sums = weights.sum(axis=-1, keepdims=True)
    unequal = (np.abs(sums - 1) > ROUNDING) & (sums > 0) & np.isfinite(sums)
    return weights / np.where(unequal, sums, 1.0) if unequal.any() else weights
