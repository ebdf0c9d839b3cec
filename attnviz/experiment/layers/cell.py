"""One cell's arithmetic, the reasons why it is masked, and one row of weights.

The steps of a cell go from two vectors to one weight. Steps stored in the layer are taken from it; steps between (a
product, an exponential) are computed in float64 from the layer's numbers. The last one must equal the layer's weight up
to the rounding of its dtype; the window shows both.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.empty_rows import EMPTY_ROW_POLICIES, EmptyRowPolicy
from attnviz.definitions.mechanisms.mechanism import CellInputs, Column
from attnviz.definitions.score_steps import policy_acts, primed, weigher
from attnviz.definitions.score_steps.step import Place, ScoreStep, scored
from attnviz.definitions.text import English, Text
from attnviz.experiment.arrays import NUMPY, Vector
from attnviz.experiment.layers.layer import Array, Layer, Masks
from attnviz.experiment.layers.statistics import entropies


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The table of terms that sum to a score, one row per feature."""

    columns: tuple[tuple[English, Vector], ...]
    """Each column's name and numbers; the last one is summed."""
    sum_title: str
    """The label of the sum: "Σ q · k"."""

    @property
    def total(self) -> float:
        """The sum of the last column."""
        return math.fsum(self.columns[-1][1])


@dataclass(frozen=True, slots=True)
class CellStep:
    """One step of a score."""

    does: English
    """As in `ScoreStep`."""
    line: Text
    """Its text: "÷ √8"."""
    number: float
    """Its divisor or bias, or the resulting score."""
    after: float
    """The score after it, computed in float64 from the sum on."""


@dataclass(frozen=True, slots=True, eq=False)
class AttentionCell:
    """The steps to the weight of one query and key."""

    terms: Terms
    steps: "tuple[CellStep, ...]"
    """The steps from the sum to the score, in order: "÷ √8" and its number."""
    score: float
    """The layer's."""
    changes: "tuple[CellStep, ...]"
    """The steps from the score to the one before the mask, in order; the number is the layer's, if stored."""
    sinks: "tuple[CellStep, ...]"
    """The other terms in the sum of exponentials, with their values."""
    allowed: bool
    masked_score: float
    """The layer's: the score, or the mask's fill value."""
    weighed: "tuple[CellStep, ...]"
    """The steps from the masked score to the weight, in order, if another function takes the place of the softmax."""
    row_max: float
    """The largest masked score of the row, or the logit of a sink that is larger."""
    exponential: float
    """exp(masked score - row max)."""
    normaliser: float
    """The sum of the row's exponentials, and of those of `sinks`."""
    weight: float
    """The layer's."""
    dropped_weight: float
    """The layer's weight after dropout."""
    empty: bool
    """Whether the row has no valid key, so that the mask policy decides the weight instead of the softmax."""
    policy: EmptyRowPolicy | None
    """That policy; None if the model's own arithmetic decides."""

    @property
    def quotient(self) -> float:
        """The weight computed here: the exponential over the normaliser, NaN for a row of -inf."""
        if self.weighed:
            return self.weighed[-1].number
        return self.exponential / self.normaliser if self.normaliser else float("nan")


def attention_cell(layer: Layer, item: int, head: int, query: int, key: int) -> AttentionCell:
    """Return the arithmetic of one cell of a layer."""
    row, at = (item, head, query), Place(layer.q.shape[-1], head, query, key)
    masked_row = layer.masked_row(row).astype(np.float64)
    terms = _terms(layer, item, head, query, key)
    steps = tuple(_steps(layer, terms.total, at, (*row, key)))
    sinks = [step for step in steps if step.does == "share"]
    row_max = max(float(masked_row.max()), *(step.number for step in sinks)) if sinks else float(masked_row.max())
    shares = [replace(step, number=math.exp(step.number - row_max)) for step in sinks]
    with np.errstate(invalid="ignore"):  # -inf - -inf in an empty row
        exponentials = np.exp(masked_row - row_max)
    return AttentionCell(
        terms=terms,
        steps=tuple(step for step in steps if step.does in ("divide", "add")),
        score=float(layer.scores[row][key]),
        changes=tuple(step for step in steps if step.does == "change"),
        sinks=tuple(shares),
        weighed=tuple(_weighed(layer, masked_row, key, at)),
        allowed=bool(layer.mask[row][key]),
        masked_score=float(masked_row[key]),
        row_max=row_max,
        exponential=float(exponentials[key]),
        normaliser=float(exponentials.sum()) + math.fsum(step.number for step in shares),
        weight=float(layer.weights[row][key]),
        dropped_weight=float(layer.dropped_weights[row][key]),
        empty=bool(layer.empty_rows[row]) and policy_acts(layer.steps),
        policy=EMPTY_ROW_POLICIES.get(layer.mask_policy),
    )


def _weighed(layer: Layer, row: Vector, key: int, at: Place) -> Iterator[CellStep]:
    """Yield the steps from masked scores (K,) to the weight of a key, if they are not those of the softmax."""
    step = weigher(layer.steps)
    if step is None or step.weights is None:
        return
    amount, after = step.amount(layer.knobs, at, NUMPY), float(row[key])
    for each in step.weights.lines:
        number = float(each.number(amount, row, key, NUMPY))
        yield CellStep(step.does, Text(each.line, {"count": each.count(row, NUMPY)}), number, after)


def _steps(layer: Layer, total: float, at: Place, index: tuple[int, ...]) -> Iterator[CellStep]:
    """Yield the steps of a cell; the sum of its terms is ``total``."""
    done: list[tuple[ScoreStep, Any]] = []
    after = total
    for step in layer.steps:
        if step.does in ("vectors", "weigh"):
            continue
        name = "" if step.stage is None else step.stage.name
        if step.needs_run:
            after = float(layer.changed_scores[name][index])
            yield CellStep(step.does, Text(step.line, step.values(layer.knobs, at)), after, after)
            continue
        number = step.amount(layer.knobs, at, NUMPY)
        if step.does != "share":
            done.append((step, number))
            after = float(scored(np.float64(total), done, NUMPY))
        if step.does == "change":
            number = layer.changed_scores[name][index] if name in layer.changed_scores else after
        yield CellStep(step.does, Text(step.line, step.values(layer.knobs, at)), float(number), after)


_SPLIT = Column("q", lambda cell: cell.unrotated_q), Column("k", lambda cell: cell.unrotated_k)
"""The columns of a query and key after the split."""


def _terms(layer: Layer, item: int, head: int, query: int, key: int) -> Terms:
    record = layer.mechanism
    parameters: dict[str, Any] = {
        p.name: layer.parameters[p.name].astype(np.float64) for p in record.parameters if not p.of
    }
    indices = (item, head, query), (item, layer.kv_head(head), key)

    def at_indices(*arrays: Array) -> tuple[Vector, ...]:
        return tuple(array[index].astype(np.float64) for array, index in zip(arrays, indices, strict=True))

    split = layer.split_into_heads("q"), layer.split_into_heads("k")
    (q, k), (unrotated_q, unrotated_k) = (
        at_indices(*both) for both in ((layer.q, layer.k), layer.before.get("rotate", split))
    )
    inputs = CellInputs(
        q=q,
        k=k,
        features=None if layer.features is None else layer.features[item, query, key].astype(np.float64),
        parameters=parameters | layer.mechanism_knobs,
        unrotated_q=unrotated_q,
        unrotated_k=unrotated_k,
        xp=NUMPY,
    )
    named = [replace(column, name=primed(column.name, layer.steps)) for column in record.columns]
    if layer.before and record.rotation is None:  # with a rotation there is no room for them
        named = [*_SPLIT, *named]
    columns: tuple[tuple[English, Vector], ...] = tuple((column.name, column.values(inputs)) for column in named)
    return Terms(columns, primed(record.sum_title, layer.steps))


@dataclass(frozen=True, slots=True)
class Reason:
    """One mask that forbids a cell, with a template in English."""

    code: str
    template: str
    numbers: Mapping[str, Any]

    @property
    def sentence(self) -> str:
        """The reason in English."""
        return self.template.format(**self.numbers)


GIVEN = Reason("given", "by the mask that was given", {})


def reasons_at(masks: Masks | None, item: int, head: int, query: int, key: int) -> tuple[Reason, ...]:
    """Return every mask that forbids a cell of a head; empty if the query may attend to the key.

    ``masks`` are those of a layer. If they are None, no reason is known: call this for masked cells only.
    """
    if masks is None:
        return (GIVEN,)
    b, h, i, j = (np.array(index, np.int32) for index in ([[[[item]]]], [[[head]]], [[query]], [key]))
    return tuple(
        Reason(mask.reason_code or mask.name, mask.reason, mask.reason_numbers(state, item, head, query, key))
        for mask, state in masks
        if not mask.allows(state, b, h, i, j, NUMPY).item()
    )


@dataclass(frozen=True, slots=True, eq=False)
class AttentionRow:
    """The chosen query of one head, every array a view into the layer. K keys, d values per key."""

    query: int
    token: str
    """The query's name on screen."""
    key_tokens: tuple[str, ...]
    """The keys' names on screen."""
    scores: Array
    """(K,), the inputs of mask and softmax, after every step that changes them."""
    score_name: English
    """The name of one of them: "score", "capped score"."""
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
    sink: float | None = None
    """The dropped weight of the sink; None without one."""
    dropped: NDArray[np.bool_] | None = None
    """(K,), True where dropout set a weight to 0; None if dropout is off."""

    @property
    def entropy(self) -> float:
        """The entropy of the normalised weights in bits; NaN if a weight is NaN."""
        return float("nan") if np.isnan(self.weights).any() else float(entropies(self.weights))

    @property
    def allowed(self) -> int:
        """The number of keys that the query may attend to."""
        return int(np.count_nonzero(self.mask))

    @property
    def is_empty(self) -> bool:
        """Whether no key may be attended to."""
        return not self.mask.any()

    @property
    def is_replaced(self) -> bool:
        """Whether the output differs from what the weights pool from the values."""
        return bool(replaced(self.dropped_weights, self.values[:, :_SOME], self.output[:_SOME]).any())

    @property
    def shown(self) -> NDArray[np.bool_]:
        """(K,), the keys with a bar: allowed ones, and masked ones to which the mask policy gave weight."""
        return self.mask | (self.weights > 0)

    def order(self, *, by_weight: bool) -> NDArray[np.intp]:
        """Return the shown keys, the largest weight first or in the order of the sequence."""
        keys = np.flatnonzero(self.shown)
        return keys[np.argsort(-np.nan_to_num(self.weights[keys]), kind="stable")] if by_weight else keys

    @property
    def pooled(self) -> NDArray[np.intp]:
        """The indices of the shown keys, the largest contribution to the output first."""
        keys = np.flatnonzero(self.shown)
        return keys[np.argsort(-np.nan_to_num(self.dropped_weights[keys]), kind="stable")]


_SOME = 8
"""The number of features that suffice to detect a different output."""
_FAR = 0.01
"""The relative difference beyond which a sum was not computed from its terms, whatever the dtype."""


def replaced(row: Array, matrix: Array, product: Array) -> NDArray[np.bool_]:
    """Return which numbers are not (K,) times (K, d): outputs of an ablated head, or patched from another run."""
    row, matrix = row.astype(np.float64), matrix.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        differs: NDArray[np.bool_] = np.abs(row @ matrix - product) > _FAR * (np.abs(row) @ np.abs(matrix))
    return differs


def attention_row(layer: Layer, item: int, head: int, query: int) -> AttentionRow:
    """Return a row of a layer."""
    index = item, head, query
    return AttentionRow(
        query=query,
        token=layer.query_names[query],
        key_tokens=layer.key_labels,
        scores=layer.unmasked_scores[index],
        score_name=layer.score_name,
        mask=layer.mask[index],
        weights=layer.weights[index],
        dropped_weights=layer.dropped_weights[index],
        values=layer.v[item, layer.kv_head(head)],
        output=layer.heads[index],
        row_sum=float(layer.row_sums[index]),
        sink=max(0.0, 1 - float(layer.row_sums[index])) if layer.has_sink else None,
        dropped=None if layer.dropped is None else layer.dropped[index],
    )
