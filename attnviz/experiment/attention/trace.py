"""The trace of the attention lab: the result of a run, and the statistics of its heads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.counting import are_positions, numbers, told_apart
from attnviz.definitions.stages import cells_of
from attnviz.definitions.statistics import STATISTICS, Rows, row_entropies
from attnviz.definitions.text import Text
from attnviz.experiment.arrays import read_only
from attnviz.experiment.attention.fields import SentenceInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.bases import TraceBase
from attnviz.experiment.colours import WEIGHT_SCALE, Scale, stretched, symmetric_scale
from attnviz.experiment.run import Cursor, row_sum_facts

HeadStatistics = Mapping[str, NDArray[np.float64]]
"""(h,) numbers by the name of each statistic; NaN where a head has no counted row."""

_ROUNDING = 0.02
"""The largest error of the row sums of a softmax in bfloat16."""


def head_statistics(weights: NDArray[np.floating]) -> HeadStatistics:
    """Return the statistics of (h, Q, K) weights.

    Rows that are all 0 or not finite are not counted. A row that does not sum to 1 (given weights need not) is divided
    by its sum.
    """
    held = np.where(np.isfinite(weights), weights, 0).astype(np.float64, copy=False)
    counted = (held != 0).any(axis=-1) & np.isfinite(weights).all(axis=-1)
    rows = Rows(_shares(held), held.sum(axis=-1), counted)
    return {name: statistic.compute(rows, np) for name, statistic in STATISTICS.items()}


def entropies(weights: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return (..., Q), the entropy in bits of each row of (..., Q, K) weights, divided by its sum; 0 adds nothing."""
    return np.asarray(row_entropies(_shares(weights.astype(np.float64, copy=False)), np))


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows divided by their sums; a row that sums to 1 up to rounding is left unchanged."""
    sums = weights.sum(axis=-1, keepdims=True)
    unequal = (np.abs(sums - 1) > _ROUNDING) & (sums > 0) & np.isfinite(sums)
    return weights / np.where(unequal, sums, 1.0) if unequal.any() else weights


Array = NDArray[np.floating]

_INPUTS = {
    "random": "Random inputs",
    "sentence": "Random embeddings",
    "ones": "All-ones inputs",
    "identity": "One-hot inputs",
    "file": "Inputs of the file",
}
_IN_A_FILE = ("q", "k", "v", "scores", "mask", "masked_scores", "weights", "heads", "merged", "output")
"""The tensors that the module computed, in the order of a file."""


@dataclass(frozen=True, eq=False)
class AttentionTrace(TraceBase):
    """Everything one run produced, with the spec that made it. All arrays are read-only.

    Half precision is widened to float32 without loss; float64 stays. Shape letters: B batch, Q queries, K keys,
    h heads, D hidden, d = D / h. For given weights D and d are 0 and scores have 0 keys, since nothing else is known.
    """

    spec: AttentionSpec
    queries: Array
    """(B, Q, query size), the inputs."""
    keys: Array
    """(B, K, key size)."""
    values: Array
    """(B, K, value size)."""
    parameters: Mapping[str, Array]
    """The learned matrices under the book's names, as ``nn.Linear`` stores them: W_q (out, in), b_q (out,), ..."""
    q: Array
    """(B, h, Q, d), per head."""
    k: Array
    """(B, h, K, d)."""
    v: Array
    """(B, h, K, d)."""
    scores: Array
    """(B, h, Q, K)."""
    mask: NDArray[np.bool_]
    """(B, h, Q, K), True = may attend."""
    masked_scores: Array
    """(B, h, Q, K)."""
    weights: Array
    """(B, h, Q, K), after softmax, before dropout."""
    dropped_weights: Array
    """(B, h, Q, K), the weights that pooled the values; `weights` itself unless dropout acts."""
    heads: Array
    """(B, h, Q, d)."""
    merged: Array
    """(B, Q, D)."""
    output: Array
    """(B, Q, D)."""
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    device: str
    """The device that really ran."""
    milliseconds: float
    """The time that the module took."""
    features: Array | None = None
    """(B, Q, K, D), the tanh features of additive attention; None elsewhere."""
    unrotated_q: Array | None = None
    """(B, h, Q, d), the queries per head before they were rotated by their places; None where they are not."""
    unrotated_k: Array | None = None
    """(B, h, K, d)."""
    file_parameters: frozenset[str] = frozenset()
    """The names of the parameters that a file held; all others were drawn at random."""
    _levels: dict[tuple[str, str], NDArray[np.uint8]] = field(default_factory=dict, repr=False)
    _statistics: dict[int, HeadStatistics] = field(default_factory=dict, repr=False)

    @property
    def dtype(self) -> str:
        """The number format of the module's computation; that of the weights if they are given."""
        return str(self.weights.dtype) if self.is_given else self.spec.dtype

    @property
    def is_given(self) -> bool:
        """Whether the weights were given, so that scores and inputs are unknown."""
        return self.spec.is_given

    @property
    def masks_differ(self) -> bool:
        """Whether masks may differ between heads; modules have one mask for all heads, stored only once."""
        return self.num_heads > 1 and self.mask.strides[1] != 0

    @property
    def cursor(self) -> Cursor:
        """The cursor of its run: there is only one."""
        return Cursor()

    @property
    def num_heads(self) -> int:
        """How many heads the weights have."""
        return int(self.weights.shape[1])

    @property
    def items(self) -> int:
        """How many batch items there are."""
        return len(self.weights)

    @property
    def step(self) -> int:
        """The number of training steps taken: 0."""
        return 0

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every text by the user that a figure shows."""
        return (*self.query_tokens, *self.key_tokens)

    @cached_property
    def query_names(self) -> tuple[str, ...]:
        """What the screen and figures call the queries: their tokens; without any, numbers from one."""
        return self._names(self.query_tokens)

    @cached_property
    def key_names(self) -> tuple[str, ...]:
        """What the screen and figures call the keys."""
        return self._names(self.key_tokens)

    @cached_property
    def key_labels(self) -> tuple[str, ...]:
        """The names of the keys in a list, where equal words are told apart by their numbers."""
        return told_apart(self.key_names)

    def _names(self, tokens: tuple[str, ...]) -> tuple[str, ...]:
        return numbers(len(tokens)) if are_positions(tokens) and not self.has_words else tokens

    @property
    def has_words(self) -> bool:
        """Whether its tokens are words, perhaps the words "0 1 2"; else they may be positions."""
        return isinstance(self.spec.inputs, SentenceInputs)

    @property
    def inputs_said(self) -> str:
        """What begins a sentence whose numbers depend on no random weight."""
        return _INPUTS[self.spec.inputs.kind]

    @property
    def random_parameters(self) -> frozenset[str]:
        """The names of the parameters that were drawn at random."""
        return frozenset(self.parameters) - self.file_parameters

    @property
    def untrained_note(self) -> Text:
        """That weights are random, with their seed; empty if none is."""
        if not self.random_parameters:
            return Text()
        return Text("Untrained: random weights, seed {seed}", {"seed": self.spec.seed})

    @property
    def badge(self) -> Text:
        """A warning in the status bar: that dropout acts."""
        return Text("train: dropout on" if self.spec.dropout_acts else "")

    def facts(self) -> tuple[Text, ...]:
        """Return the status bar's facts about the run."""
        words = {"device": self.device, "dtype": self.dtype, "seed": self.spec.seed, "ms": f"{self.milliseconds:.1f}"}
        if self.is_given:
            return Text("given, {dtype}", words), Text("read {ms} ms", words)
        idle = Text("eval: dropout does nothing" if self.spec.dropout else "eval")
        mode = () if self.spec.dropout_acts else (Text("train") if self.spec.training else idle,)
        return Text("{device}, {dtype}", words), *mode, Text("seed {seed}", words), Text("run {ms} ms", words)

    def weight_facts(self) -> tuple[Text, ...]:
        """Return the status bar's facts about the weights, to be joined without spaces."""
        found = row_sum_facts(self.row_sums, given=self.is_given)
        after = self.dropped_row_sums[np.isfinite(self.dropped_row_sums)]
        if not self.spec.dropout_acts or not after.size:
            return found
        words = {"low": f"{after.min():.3f}", "high": f"{after.max():.3f}"}
        return *found, Text("; {low} .. {high} after dropout", words)

    @property
    def projected_q(self) -> Array:
        """(B, Q, D), the queries before they were split into heads: the same numbers as `q`, unless it is rotated."""
        return _beside_each_other(self.split_into_heads("q"))

    @property
    def projected_k(self) -> Array:
        """(B, K, D), the keys before they were split into heads."""
        return _beside_each_other(self.split_into_heads("k"))

    @property
    def projected_v(self) -> Array:
        """(B, K, D), the values before they were split into heads."""
        return _beside_each_other(self.v)

    def split_into_heads(self, letter: str) -> Array:
        """Return q, k or v per head as the split leaves it, before a rotation: (B, h, L, d)."""
        before: Array | None = getattr(self, f"unrotated_{letter}", None)
        split: Array = getattr(self, letter) if before is None else before
        return split

    @cached_property
    def row_sums(self) -> NDArray[np.float64]:
        """(B, h, Q), the sum of each row of weights."""
        return read_only(self.weights.sum(axis=-1, dtype=np.float64))

    @cached_property
    def dropped_row_sums(self) -> NDArray[np.float64]:
        """(B, h, Q), the sum of each row of weights after dropout; `row_sums` if dropout is off."""
        if not self.spec.dropout_acts:
            return self.row_sums
        return read_only(self.dropped_weights.sum(axis=-1, dtype=np.float64))

    @cached_property
    def empty_rows(self) -> NDArray[np.bool_]:
        """(B, h, Q), True where the mask allows a query no key."""
        return read_only(np.asarray(~self.mask.any(axis=-1)))

    def prepare(self, watched: str = "") -> None:
        """Compute in the worker what the screen will need."""
        del watched  # the colours of other stages than the weights come from the window's background
        self.levels("weights")
        _ = self.row_sums, self.dropped_row_sums, self.empty_rows

    def levels(self, stage: str = "weights", contrast: str = "") -> NDArray[np.uint8]:
        """Return the (B, h, Q, K) colour levels of a stage, computed once (see `picture`).

        ``contrast`` is the name of a record of `CONTRASTS`, which acts on weights; "" is none.
        """
        contrast = contrast if cells_of(stage).weights else ""
        key = (stage, contrast)
        if key not in self._levels:
            shown, mask = self.shown(stage), self.coloured(stage)
            self._levels[key] = stretched(shown, mask, self.scale(stage), contrast)
        return self._levels[key]

    def shown(self, stage: str) -> Array:
        """Return the (B, h, Q, K) numbers of a stage; masked scores are shown as before the mask."""
        values: Array = getattr(self, cells_of(stage).tensor)
        return values

    def coloured(self, stage: str) -> NDArray[np.bool_] | None:
        """Return (B, h, Q, K), True where a cell of a stage has its number's colour, not the mask's pattern.

        None means all of them.
        """
        cells = cells_of(stage)
        if cells.weights and (self.spec.mask_policy == "book" or self.is_given):
            # The book's fill gives a row without a valid key even weights: masked, and yet not 0. They are shown,
            # and so is what another model gives to a key that its mask forbids.
            return np.asarray(self.mask | (self.shown(stage) != 0))
        return self.mask if cells.masked else None

    def scale(self, stage: str = "weights", contrast: str = "") -> Scale:
        """Return the colour scale of a stage; 0..1 for weights, for all values.

        Dropout divides what it keeps by the chance to be kept. Its scale does so too: a weight that is kept keeps its
        colour, and none is beyond the end of the scale.
        """
        cells = cells_of(stage)
        if not cells.weights:
            return self._score_scale
        whole = Scale(0.0, 1 / (1 - self.spec.dropout)) if cells.dropped and self.spec.dropout_acts else WEIGHT_SCALE
        if not contrast:
            return whole
        record = CONTRASTS[contrast]
        if record.decades:
            return Scale(10.0**-record.decades, whole.high, logarithmic=True)
        return Scale(0.0, float(np.nan_to_num(self.shown(stage)).max(initial=0.0)), per_head=True)

    @cached_property
    def dropped(self) -> NDArray[np.bool_] | None:
        """(B, h, Q, K), True where dropout made a weight 0; None if dropout is off."""
        if not self.spec.dropout_acts:
            return None
        return read_only(np.asarray((self.weights != 0) & (self.dropped_weights == 0)))

    @cached_property
    def _score_scale(self) -> Scale:
        return symmetric_scale(self.scores)

    def knows_statistics(self, item: int) -> bool:
        """Return whether `statistics` has been computed for a batch item."""
        return item in self._statistics

    def statistics(self, item: int) -> HeadStatistics:
        """Return the statistics of each head of a batch item, computed once (see `head_statistics`)."""
        if item not in self._statistics:
            self._statistics[item] = head_statistics(self.weights[item])
        return self._statistics[item]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return every existing array by its fixed name in a file."""
        named: dict[str, NDArray[Any]]
        if self.is_given:
            named = {"mask": self.mask, "weights": self.weights}
            return named | {"query_tokens": np.array(self.query_tokens), "key_tokens": np.array(self.key_tokens)}
        named = {"queries": self.queries, "keys": self.keys, "values": self.values}
        named |= self.parameters
        named |= {name: getattr(self, name) for name in _IN_A_FILE}
        if self.features is not None:
            named["features"] = self.features
        if self.unrotated_q is not None and self.unrotated_k is not None:
            named |= {"unrotated_q": self.unrotated_q, "unrotated_k": self.unrotated_k}
        if self.spec.dropout_acts:
            named["dropped_weights"] = self.dropped_weights
        return named

    def summary(self) -> str:
        """Return a few lines for a terminal."""
        batch, heads, queries, keys = self.weights.shape
        shape = f"{self.spec.mechanism}: weights (batch {batch}, heads {heads}, queries {queries}, keys {keys})"
        if self.is_given:
            made = f"{self.dtype}, read in {self.milliseconds:.2f} ms"
            return f"{shape}\n{made}\n{self._rows_said(self.mask, self.empty_rows)}"
        made = (
            f"{self.device}, {self.dtype}, {'train' if self.spec.training else 'eval'}, seed {self.spec.seed}, "
            f"{self.milliseconds:.2f} ms"
        )
        rows = self._rows_said(self.mask[:, 0], self.empty_rows[:, 0])
        return f"{shape}, output {self.output.shape}\n{made}\n{rows}"

    def _rows_said(self, mask: NDArray[np.bool_], empty: NDArray[np.bool_]) -> str:
        sums = self.row_sums[~self.empty_rows]
        known = sums[~np.isnan(sums)]
        said = f"{known.min():.6f} .. {known.max():.6f}" if known.size else "NaN" if sums.size else ""
        if 0 < known.size < sums.size:
            said += f" and {sums.size - known.size} NaN"
        return (
            f"row sums {said or 'no row has a valid key'}; {np.count_nonzero(~mask)} of {mask.size} cells masked, "
            f"{np.count_nonzero(empty)} rows without a valid key"
        )


def _beside_each_other(heads: Array) -> Array:
    """Return (B, h, L, d) as (B, L, h * d)."""
    batch, count, length, size = heads.shape
    return read_only(heads.transpose(0, 2, 1, 3).reshape(batch, length, count * size))
