"""Numbers of heads: the statistics of those of a layer, and any number per head with what pictures say beside it."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.roles import ROLES, Role
from attnviz.definitions.statistics import STATISTICS, Rows, row_entropies
from attnviz.experiment.colours import Scale

HeadStatistics = Mapping[str, NDArray[np.float64]]
"""(h,) numbers by the name of each statistic; NaN where a head has no counted row."""

ROUNDING = 1e-5
"""The largest error of the row sums of a softmax in float32; a row whose sum is further from 1 is normalised."""

HeadPlace = tuple[int, int]
"""A layer and the number of a head there, from 0."""


@dataclass(frozen=True, slots=True)
class HeadRole:
    """The role that a head is named after."""

    role: Role
    score: float
    distance: int = 0
    """How far back the head attends, in a role of a fixed distance."""


@dataclass(frozen=True, eq=False, kw_only=True)
class HeadValues:
    """A number for each head: the data of every map, tile and table of heads. Texts are in the reader's language."""

    values: NDArray[np.floating]
    """(L, h), layers and heads; NaN where a head has no number."""
    number: Callable[[float], str]
    """Writes a number."""
    title: str = ""
    heading: str = ""
    """The title over a narrow column, or before the number in a tile."""
    help: str = ""
    """The tooltip of the heading."""
    spoken: str = ""
    """What a screen reader says of the heading."""
    scale: Scale | None = None
    """The ends of the colours; None: a head has the colour of its role, as strong as its number."""
    roles: Mapping[HeadPlace, HeadRole] = field(default_factory=dict)
    """Of the heads that have one."""
    offered: tuple[Role, ...] = tuple(ROLES.values())
    """The roles that heads may have."""
    bold: Collection[HeadPlace] = ()
    """The heads whose numbers are bold in a table."""
    off: Collection[HeadPlace] = ()
    """The heads that are off (ablated)."""
    others: Mapping[int, str] = field(default_factory=dict)
    """What the layers without attention are."""
    shared: int = 1
    """How many neighbouring heads share one head of the keys."""
    told: Callable[[int, int], str] | None = None
    """Returns the tooltip of a layer's head; None: its title and number, if it has a title, and that it is off."""


def score_said(score: float) -> str:
    """Return the score of a role; a dash where too few rows count."""
    return f"{score:.2f}" if math.isfinite(score) else "–"


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
