"""The statistics of a head: one number that summarises its weights.

To add one, add a record. The notes beside the heads, the heads table, the sessions and the tests read it from there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of (h, Q, K) weights as used by statistics; arrays of numpy or a library with its functions."""

    shares: Any
    """(h, Q, K) finite numbers; each row is divided by its sum (given weights need not sum to 1)."""
    sums: Any
    """(h, Q) sums of the original rows."""
    counted: Any
    """(h, Q) whether a row is counted: False if it is all 0 or not finite."""
    entropies: Any = None
    """(h, Q), the result of `row_entropies`, if it is known already."""


Summary = Literal["mean", "largest"]
Compute = Callable[[Rows, Any], Any]
"""Returns one number per head, NaN if no row is counted. The second argument is numpy or a module like it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """One number per head."""

    name: str
    title: English
    help: English
    heading: English
    """The heading of a narrow column."""
    latex: str
    """Its formula, of the weights a_ij of one head with n queries."""
    spoken: English
    """The formula for screen readers."""
    torch: str
    """The same in PyTorch, for ``weights`` (h, Q, K) whose rows all sum to 1."""
    compute: Compute
    number: Callable[[float], str]
    """Formats a value."""
    unit_name: English = ""
    """The unit of its values; empty: plain numbers."""
    unit: English = "{0}"
    """A template for the formatted value where no heading names the unit."""
    largest_first: bool = True
    """Whether sorting heads by it puts the largest value first."""
    summary: Summary = "mean"
    """How several heads or batch items are summarised."""


def mean_of_counted(values: Any, counted: Any, xp: Any) -> Any:
    """Return the mean of (h, Q) values over the counted rows, (h,); NaN if none is counted."""
    count = counted.sum(axis=1)
    total = xp.where(counted, values, 0.0).sum(axis=1)
    return xp.where(count > 0, total / xp.maximum(count, 1), xp.nan)


def row_entropies(shares: Any, xp: Any) -> Any:
    """Return the entropy in bits of each row of (..., Q, K) shares, (..., Q); a share of 0 adds nothing."""
    logs = xp.zeros_like(shares)
    xp.log2(shares, out=logs, where=shares > 0)
    logs *= shares
    return -logs.sum(axis=-1) + 0.0


def _entropy(rows: Rows, xp: Any) -> Any:
    entropies = row_entropies(rows.shares, xp) if rows.entropies is None else rows.entropies
    return mean_of_counted(entropies, rows.counted, xp)


def _diagonal(rows: Rows, xp: Any) -> Any:
    _, queries, keys = rows.shares.shape
    own = xp.arange(min(queries, keys))
    values = xp.zeros(rows.counted.shape)
    values[:, own] = rows.shares[:, own, own]
    return mean_of_counted(values, rows.counted, xp)


def _previous(rows: Rows, xp: Any) -> Any:
    _, queries, keys = rows.shares.shape
    later = xp.arange(1, max(1, min(queries, keys + 1)))
    values = xp.zeros(rows.counted.shape)
    values[:, later] = rows.shares[:, later, later - 1]
    counted = rows.counted.copy()
    counted[:, 0] = False
    return mean_of_counted(values, counted, xp)


def _first(rows: Rows, xp: Any) -> Any:
    return mean_of_counted(rows.shares[:, :, 0], rows.counted, xp)


@lru_cache(maxsize=2)  # heads of one shape are measured one after the other
def _far(queries: int, keys: int, dtype: Any, xp: Any) -> Any:
    return xp.abs(xp.arange(queries)[:, None] - xp.arange(keys)).astype(dtype)


def _distance(rows: Rows, xp: Any) -> Any:
    _, queries, keys = rows.shares.shape
    far = _far(queries, keys, rows.shares.dtype, xp)
    # As a sum of products, to avoid a (Q, K) temporary for every head.
    return mean_of_counted(xp.einsum("hqk,qk->hq", rows.shares, far), rows.counted, xp)


def _sum_error(rows: Rows, xp: Any) -> Any:
    errors = xp.nan_to_num(xp.where(rows.counted, xp.abs(rows.sums - 1), 0.0))
    return xp.where(rows.counted.any(axis=1), errors.max(axis=1, initial=0.0), xp.nan)


def _decimals(value: float) -> str:
    return f"{value:.2f}"


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _magnitude(value: float) -> str:
    return f"{value:.0e}" if value else "0"


STATISTICS = Registry(
    "statistic",
    (
        Statistic(
            name="entropy",
            title="Entropy",
            help="How spread out the rows are, in bits: 0 if each attends to a single key",
            heading="bits",
            latex=r"-\frac{1}{n} \sum_{i,j} a_{ij} \log_2 a_{ij}",
            spoken="the mean over the rows of minus the sum of a times the base-2 logarithm of a",
            torch="torch.special.entr(weights).sum(-1).mean(-1) / math.log(2)",
            compute=_entropy,
            number=_decimals,
            unit_name="bit",
            unit="{0} bit",
        ),
        Statistic(
            name="diagonal",
            title="On itself",
            help="Share of the weight on the key with the query's own position",
            heading="self",
            latex=r"\frac{1}{n} \sum_i a_{ii}",
            spoken="the mean of the weight in row i and column i",
            torch="weights.diagonal(dim1=-2, dim2=-1).sum(-1) / weights.shape[-2]",
            compute=_diagonal,
            number=_percent,
        ),
        Statistic(
            # The first query has no previous key, and is left out. If queries outnumber keys, those whose previous key
            # does not exist count as 0.
            name="previous",
            title="On previous",
            help="Share of the weight on the key before the query",
            heading="prev",
            latex=r"\frac{1}{n-1} \sum_{i>1} a_{i,i-1}",
            spoken="the mean of the weight in row i and column i minus 1, without the first row",
            torch="weights.diagonal(-1, -2, -1).sum(-1) / (weights.shape[-2] - 1)",
            compute=_previous,
            number=_percent,
        ),
        Statistic(
            name="first",
            title="On first",
            help="Share of the weight on the first key",
            heading="first",
            latex=r"\frac{1}{n} \sum_i a_{i1}",
            spoken="the mean of the weight in the first column",
            torch="weights[..., 0].mean(-1)",
            compute=_first,
            number=_percent,
        ),
        Statistic(
            name="distance",
            title="Distance",
            help="How far away the attended keys are",
            heading="dist",
            latex=r"\frac{1}{n} \sum_{i,j} a_{ij} |i - j|",
            spoken="the mean over the rows of the sum of a times the distance between i and j",
            torch=(
                "(weights * (torch.arange(weights.shape[-2])[:, None] - torch.arange(weights.shape[-1])).abs())"
                ".sum(-1).mean(-1)"
            ),
            compute=_distance,
            number=_decimals,
        ),
        Statistic(
            name="sum_error",
            title="Row sums",
            help="The largest distance of a row's sum from 1",
            heading="|Σ−1|",
            latex=r"\max_i \left| \sum_j a_{ij} - 1 \right|",
            spoken="the largest distance between the sum of a row and 1",
            torch="(weights.sum(-1) - 1).abs().amax(-1)",
            compute=_sum_error,
            number=_magnitude,
            summary="largest",
        ),
    ),
)
