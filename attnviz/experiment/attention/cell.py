"""One cell's arithmetic: from two vectors to one weight, step by step, each step that the trace holds taken from it.

Steps between (a product, an exponential) are computed in float64 from the trace's numbers; the last one must meet the
trace's own weight up to the rounding of its number format, and the window shows both.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.attention.trace import AttentionTrace

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The vectors that a score is summed from; their columns under these names, feature by feature."""

    kind: Literal["product", "tanh"]
    left: Vector
    """q, or W_q q."""
    right: Vector
    """k, or W_k k."""
    features: Vector | None
    """tanh(left + right), for additive attention."""
    factors: Vector | None
    """w_v, for additive attention."""
    terms: Vector
    """What is summed: q_i k_i, or w_v,i tanh_i."""

    @property
    def total(self) -> float:
        """The sum of the terms."""
        return math.fsum(self.terms)


@dataclass(frozen=True, slots=True, eq=False)
class AttentionCell:
    """The steps to the weight of one query and key."""

    terms: Terms
    root: float | None
    """sqrt(d), by which the sum is divided; None where it is not."""
    temperature: float
    score: float
    """The trace's."""
    allowed: bool
    masked_score: float
    """The trace's: the score, or what the mask put in its place."""
    row_max: float
    """The largest masked score of the row."""
    exponential: float
    """exp(masked score - row max)."""
    normaliser: float
    """The sum of the row's exponentials."""
    weight: float
    """The trace's."""
    dropped_weight: float
    """The trace's weight after dropout."""
    empty: bool
    """Whether the row has no valid key, so that the mask policy decides and not the softmax."""

    @property
    def divisor(self) -> float:
        """What the sum of the terms is divided by."""
        return (self.root or 1.0) * self.temperature

    @property
    def quotient(self) -> float:
        """The exponential over the normaliser; NaN where a row of -inf has none."""
        return self.exponential / self.normaliser if self.normaliser else float("nan")


def attention_cell(trace: AttentionTrace, item: int, head: int, query: int, key: int) -> AttentionCell:
    """Return the arithmetic of one cell of a trace."""
    spec = trace.spec
    place = item, head, query
    masked_row = trace.masked_scores[place].astype(np.float64)
    row_max = float(masked_row.max())
    with np.errstate(invalid="ignore"):  # -inf - -inf in a row with no valid key
        exponentials = np.exp(masked_row - row_max)
    return AttentionCell(
        terms=_terms(trace, item, head, query, key),
        root=math.sqrt(trace.q.shape[-1]) if spec.scaled and spec.mechanism != "additive" else None,
        temperature=spec.temperature,
        score=float(trace.scores[place][key]),
        allowed=bool(trace.mask[place][key]),
        masked_score=float(masked_row[key]),
        row_max=row_max,
        exponential=float(exponentials[key]),
        normaliser=float(exponentials.sum()),
        weight=float(trace.weights[place][key]),
        dropped_weight=float(trace.dropped_weights[place][key]),
        empty=bool(trace.empty_rows[place]),
    )


def _terms(trace: AttentionTrace, item: int, head: int, query: int, key: int) -> Terms:
    left = trace.q[item, head, query].astype(np.float64)
    right = trace.k[item, head, key].astype(np.float64)
    if trace.features is None:
        return Terms("product", left, right, None, None, left * right)
    features = trace.features[item, query, key].astype(np.float64)
    factors = trace.parameters["w_v"][0].astype(np.float64)
    return Terms("tanh", left, right, features, factors, factors * features)
