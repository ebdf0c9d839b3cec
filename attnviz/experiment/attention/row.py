"""One row of weights: the keys that a query attends to, the values it pools, and its output."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.attention.head_statistics import entropies
from attnviz.experiment.attention.trace import Array, AttentionTrace


@dataclass(frozen=True, slots=True, eq=False)
class AttentionRow:
    """The chosen query of one head, every array a view into the trace. K keys, d size of a head's values."""

    query: int
    token: str
    key_tokens: tuple[str, ...]
    scores: Array
    """(K,)."""
    mask: NDArray[np.bool_]
    """(K,), True = may attend."""
    weights: Array
    """(K,), after softmax."""
    dropped_weights: Array
    """(K,), the weights that pooled the values."""
    values: Array
    """(K, d), the head's values."""
    output: Array
    """(d,), the head's output for this query."""
    row_sum: float
    dropped: NDArray[np.bool_] | None = None
    """(K,), True where dropout made a weight 0; None if dropout is off."""

    @property
    def entropy(self) -> float:
        """Of the weights divided by their sum, in bits; NaN if a weight is."""
        return float("nan") if np.isnan(self.weights).any() else float(entropies(self.weights))

    @property
    def allowed(self) -> int:
        """How many keys the query may attend to."""
        return int(np.count_nonzero(self.mask))

    @property
    def is_empty(self) -> bool:
        """Whether no key may be attended to."""
        return not self.mask.any()

    @property
    def shown(self) -> NDArray[np.bool_]:
        """(K,), the keys worth a bar: allowed ones, and masked ones to which the mask policy gave weight."""
        return self.mask | (self.weights > 0)

    def order(self, *, by_weight: bool) -> NDArray[np.intp]:
        """Return the keys that are shown, the largest weight first or in the order of the sequence."""
        keys = np.flatnonzero(self.shown)
        return keys[np.argsort(-np.nan_to_num(self.weights[keys]), kind="stable")] if by_weight else keys

    @property
    def pooled(self) -> NDArray[np.intp]:
        """The indices of the shown keys, the largest contribution to the output first."""
        keys = np.flatnonzero(self.shown)
        return keys[np.argsort(-np.nan_to_num(self.dropped_weights[keys]), kind="stable")]


def attention_row(trace: AttentionTrace, item: int, head: int, query: int) -> AttentionRow:
    """Return a row of a trace."""
    place = item, head, query
    return AttentionRow(
        query=query,
        token=trace.query_tokens[query],
        key_tokens=trace.key_tokens,
        scores=trace.scores[place],
        mask=trace.mask[place],
        weights=trace.weights[place],
        dropped_weights=trace.dropped_weights[place],
        values=trace.v[item, head],
        output=trace.heads[place],
        row_sum=float(trace.row_sums[place]),
        dropped=None if trace.dropped is None else trace.dropped[place],
    )
