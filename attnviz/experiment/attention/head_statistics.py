"""What each head does, in numbers: how spread its rows are, and where they look. One value a head, from its weights."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Heads = NDArray[np.float64]
"""(h,), one number a head; NaN where no row has a weight to speak of."""


@dataclass(frozen=True, slots=True, eq=False)
class HeadStatistics:
    """Means over the rows that hold weight; rows of nothing but 0, or that are not a number, count for nothing.

    A row that does not sum to 1, as one that was given need not, counts by the shares of its sum.
    """

    entropy: Heads
    """Bits: 0 where each row looks at one key, log2 of the keys where all weights are equal."""
    diagonal: Heads
    """Share of the weight on the key with the query's own position."""
    previous: Heads
    """Share on the key before it; the first query has none, and is left out. Where queries outnumber keys, those
    whose own or previous key does not exist count as 0."""
    first: Heads
    """Share on the first key."""
    distance: Heads
    """Mean of \\|query - key\\|, weighted."""
    sum_error: Heads
    """The largest \\|row sum - 1\\|."""


_ROUNDING = 0.02
"""By how much a softmax in bfloat16 may miss 1."""

Statistic = Literal["entropy", "diagonal", "previous", "first", "distance", "sum_error"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
"""The fields of `HeadStatistics`, in the order of a menu."""


def head_statistics(weights: NDArray[np.floating]) -> HeadStatistics:
    """Return the statistics of (h, Q, K) weights."""
    heads, queries, keys = weights.shape
    held = np.where(np.isfinite(weights), weights, 0).astype(np.float64, copy=False)
    counts = (held != 0).any(axis=-1) & np.isfinite(weights).all(axis=-1)  # (h, Q)
    errors = np.where(counts, np.abs(held.sum(axis=-1) - 1), np.nan)
    held = _shares(held)
    rows, columns = np.arange(queries), np.arange(keys)
    on_diagonal = np.zeros((heads, queries))
    on_previous = np.zeros((heads, queries))
    own, before = rows[: min(queries, keys)], rows[1 : min(queries, keys + 1)]
    on_diagonal[:, own] = held[:, own, own]
    on_previous[:, before] = held[:, before, before - 1]
    # Σ_j w_ij |i - j| as a sum of products, without a (Q, K) table of distances for every head.
    distance = np.einsum("hqk,qk->hq", held, np.abs(rows[:, None] - columns).astype(np.float64))
    has_previous = counts.copy()
    has_previous[:, 0] = False
    return HeadStatistics(
        entropy=_mean(entropies(held), counts),
        diagonal=_mean(on_diagonal, counts),
        previous=_mean(on_previous, has_previous),
        first=_mean(held[:, :, 0], counts),
        distance=_mean(distance, counts),
        sum_error=np.where(counts.any(axis=1), np.nan_to_num(errors).max(axis=1, initial=0.0), np.nan),
    )


def entropies(weights: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return (..., Q), the entropy in bits of the shares of each row of (..., Q, K) weights; 0 adds nothing."""
    wide = _shares(weights.astype(np.float64, copy=False))
    logs = np.zeros_like(wide)
    np.log2(wide, out=logs, where=wide > 0)
    logs *= wide
    return np.asarray(-logs.sum(axis=-1) + 0.0)


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows divided by their sums, so that they sum to 1; one that does so but for rounding stays as it is."""
    sums = weights.sum(axis=-1, keepdims=True)
    unequal = (np.abs(sums - 1) > _ROUNDING) & (sums > 0) & np.isfinite(sums)
    return weights / np.where(unequal, sums, 1.0) if unequal.any() else weights


def _mean(values: NDArray[np.float64], counts: NDArray[np.bool_]) -> Heads:
    """Return the mean of (h, Q) values over the rows that count; NaN where none does."""
    rows = counts.sum(axis=1)
    total = np.where(counts, values, 0.0).sum(axis=1)
    return np.where(rows > 0, total / np.maximum(rows, 1), np.nan)
