"""One cell's arithmetic: from two vectors to one weight, step by step. Steps that the trace holds are taken from it.

Steps between (a product, an exponential) are computed in float64 from the trace's numbers. The last one must equal the
trace's weight up to the rounding of its number format; the window shows both.
"""

import math
from dataclasses import dataclass

import numpy as np

from attnviz.definitions.mechanisms.mechanism import CellInputs
from attnviz.experiment.array_functions import NUMPY
from attnviz.experiment.arrays import Vector
from attnviz.experiment.attention.trace import AttentionTrace


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The table of terms that sum to a score, one row per feature."""

    columns: tuple[tuple[str, Vector], ...]
    """Each column's name and numbers; the last one is summed."""
    sum_title: str
    """The label of the sum: "Σ q · k"."""

    @property
    def total(self) -> float:
        """The sum of the last column."""
        return math.fsum(self.columns[-1][1])


@dataclass(frozen=True, slots=True, eq=False)
class AttentionCell:
    """The steps to the weight of one query and key."""

    terms: Terms
    divisors: tuple[tuple[str, float], ...]
    """The divisors of the sum, in order: "÷ √8" and its number."""
    score: float
    """The trace's."""
    allowed: bool
    masked_score: float
    """The trace's: the score, or the mask's fill value."""
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
    """Whether the row has no valid key, so that the mask policy decides the weight, not the softmax."""

    @property
    def quotient(self) -> float:
        """The exponential over the normaliser; NaN for a row of -inf."""
        return self.exponential / self.normaliser if self.normaliser else float("nan")


def attention_cell(trace: AttentionTrace, item: int, head: int, query: int, key: int) -> AttentionCell:
    """Return the arithmetic of one cell of a trace."""
    spec, d = trace.spec, trace.q.shape[-1]
    place = item, head, query
    masked_row = trace.masked_scores[place].astype(np.float64)
    row_max = float(masked_row.max())
    with np.errstate(invalid="ignore"):  # -inf - -inf in a row with no valid key
        exponentials = np.exp(masked_row - row_max)
    return AttentionCell(
        terms=_terms(trace, item, head, query, key),
        divisors=tuple((step.title.format(d=d), step.amount(spec, d)) for step in spec.mechanism_record.acting(spec)),
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
    record = trace.spec.mechanism_record
    inputs = CellInputs(
        q=trace.q[item, head, query].astype(np.float64),
        k=trace.k[item, head, key].astype(np.float64),
        features=None if trace.features is None else trace.features[item, query, key].astype(np.float64),
        parameters={p.name: trace.parameters[p.name].astype(np.float64) for p in record.parameters if not p.of},
        xp=NUMPY,
    )
    return Terms(tuple((column.name, column.values(inputs)) for column in record.columns), record.sum_title)
