"""One layer of attention from any source: its tensors, the known parts of its computation, and its colours."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.counting import are_positions, numbers, told_apart, with_positions
from attnviz.definitions.masks import mask_of
from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.mechanisms.mechanism import Mechanism
from attnviz.definitions.score_steps import steps_of, weigher
from attnviz.definitions.score_steps.step import ScoreStep
from attnviz.definitions.stages import STAGES, cells_of
from attnviz.definitions.stages.stage import Stage
from attnviz.definitions.text import English, Text
from attnviz.experiment.arrays import read_only
from attnviz.experiment.colours import MASKED, WEIGHT_SCALE, Scale, stretched, stretched_scale, symmetric_scale
from attnviz.experiment.layers.statistics import HeadStatistics, head_statistics

Array = NDArray[np.floating]
Masks = tuple[tuple[Mask, Any], ...]
"""Masks with their states."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Layer:
    """One layer of attention. All arrays are read-only; an unknown one has size 0 along its last axis.

    Shape letters: B batch, Q queries, K keys, h heads, g key-value heads (each serves h / g heads), d features of a
    query and a key, e features of a value, D hidden.
    """

    stages: tuple[Stage, ...]
    mechanism: Mechanism
    knobs: Any
    """The options read by the mechanism's record and the steps: including `num_heads` and `score_steps`."""
    masks: Masks | None
    """The masks that make up `mask`, with their states; None: not known."""
    queries: Array
    """(B, Q, query size), the inputs."""
    keys: Array
    """(B, K, key size)."""
    values: Array
    """(B, K, value size)."""
    parameters: Mapping[str, Array]
    """The learned matrices by the names of Zhang et al., as stored in ``nn.Linear``: W_q (out, in), b_q (out,), ..."""
    q: Array
    """(B, h, Q, d), per head."""
    k: Array
    """(B, g, K, d)."""
    v: Array
    """(B, g, K, e)."""
    scores: Array
    """(B, h, Q, K)."""
    mask: NDArray[np.bool_]
    """(B, h, Q, K), True = may attend."""
    masked_scores: Array
    """(B, h, Q, K); if they are not stored, `masked_row` computes those of a query."""
    weights: Array
    """(B, h, Q, K), after softmax, before dropout."""
    dropped_weights: Array
    """(B, h, Q, K), the weights that pooled the values; `weights` itself unless dropout acts."""
    heads: Array
    """(B, h, Q, e)."""
    merged: Array
    """(B, Q, h e)."""
    output: Array
    """(B, Q, D)."""
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    features: Array | None = None
    """(B, Q, K, D), the tanh features of additive attention; None elsewhere."""
    before: Mapping[str, tuple[Array, Array]] = field(default_factory=dict)
    """(B, h, Q, d) and (B, g, K, d), queries and keys per head before each stage that changed them, in order."""
    changed_scores: Mapping[str, Array] = field(default_factory=dict)
    """(B, h, Q, K), the scores after each step that changes them before the mask, by the name of its stage."""
    dtype: str = "float32"
    has_words: bool = False
    """Whether its tokens are words, possibly the words "0 1 2"; else they may be positions."""
    self_attention: bool = False
    """Whether queries and keys are the same tokens."""
    mask_policy: str = ""
    """The policy for empty rows, a name in `EMPTY_ROW_POLICIES`; "" if the model's own arithmetic decides."""
    fills_with_inf: bool = True
    """Whether such a row becomes NaN."""
    fill_overflows: bool = False
    """Whether the fill of -1e6 does not fit into the dtype of the scores, and becomes -inf."""
    dropout: float = 0.0
    """The probability with which dropout set a weight to 0; 0 if it is inactive."""
    origin: English = "Learned weights"
    """The beginning of a sentence whose numbers depend on no random weight."""
    random_parameters: frozenset[str] = frozenset()
    """The names of the parameters that were drawn at random."""
    untrained_note: Text = Text()  # noqa: RUF009 - frozen
    """A note that weights are random, with their seed; empty if none is."""
    note: Text = Text()  # noqa: RUF009 - frozen
    """A note for the reader, such as why stages are left out; empty for none."""
    heads_off: frozenset[int] = frozenset()
    """The heads whose pooled values were replaced by 0."""
    _levels: dict[tuple[str, str], NDArray[np.uint8]] = field(default_factory=dict, repr=False)
    _scales: dict[str, Scale] = field(default_factory=dict, repr=False)
    _statistics: dict[int, HeadStatistics] = field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return its state for pickle: records by name, since their functions cannot be pickled."""
        masks = None if self.masks is None else tuple((mask.name, state) for mask, state in self.masks)
        state = vars(self) | {"stages": self.stage_names, "mechanism": self.mechanism.name, "masks": masks}
        state.pop("steps", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a state returned by `__getstate__`."""
        masks = None if state["masks"] is None else tuple((mask_of(name), each) for name, each in state["masks"])
        stages = tuple(STAGES[name] for name in state["stages"])
        self.__dict__.update(state, stages=stages, mechanism=MECHANISMS[state["mechanism"]], masks=masks)

    @property
    def stage_names(self) -> tuple[str, ...]:
        """The names of its stages, in order."""
        return tuple(stage.name for stage in self.stages)

    @property
    def is_given(self) -> bool:
        """Whether nothing but the weights and their mask is known."""
        return self.mechanism.is_given

    @cached_property
    def steps(self) -> tuple[ScoreStep, ...]:
        """The steps of its scores, in order."""
        return steps_of(self.mechanism, self.knobs)

    @property
    def mechanism_knobs(self) -> dict[str, float]:
        """The options of its mechanism, by name; a layer that no attention spec describes has the defaults."""
        usual = {knob.name: knob.default for knob in self.mechanism.knobs}
        return usual | dict(getattr(self.knobs, "mechanism_knobs", {}))

    @property
    def has_sink(self) -> bool:
        """Whether a step adds a sink to the softmax, so that rows of weights sum to less than 1."""
        return any(step.does == "share" for step in self.steps)

    @property
    def sums_to_one(self) -> bool:
        """Whether a row of weights sums to 1 (to less with a sink): not if each score has its weight alone."""
        step = weigher(self.steps)
        return step is None or step.weights is None or step.weights.sums_to_one

    @property
    def unmasked_scores(self) -> Array:
        """(B, h, Q, K), the input of the mask: the scores after the last step that changes them."""
        return [self.scores, *self.changed_scores.values()][-1]

    def masked_row(self, index: tuple[int, int, int]) -> Array:
        """Return the masked scores (K,) of an item, head and query; -inf if a layer does not store the fill."""
        if self.masked_scores.shape[-1]:
            return np.asarray(self.masked_scores[index])
        return np.where(self.mask[index], self.unmasked_scores[index], -np.inf)

    @property
    def score_name(self) -> English:
        """The name of one of these: "score", "capped score"."""
        return cells_of(["scores", *self.changed_scores][-1]).name

    @property
    def has_heads(self) -> bool:
        """Whether its scores are written per head: its module has heads, or it has no module."""
        return self.mechanism.headed or not self.queries.shape[-1]

    @property
    def items(self) -> int:
        """The number of batch items."""
        return len(self.weights)

    @property
    def num_heads(self) -> int:
        """The number of heads of the weights."""
        return int(self.weights.shape[1])

    @property
    def num_kv_heads(self) -> int:
        """The number of heads of the keys and values (grouped-query attention); each serves as many query heads."""
        return int(self.k.shape[1])

    @property
    def shares_keys(self) -> bool:
        """Whether several heads share keys and values."""
        return 0 < self.num_kv_heads < self.num_heads

    def kv_head(self, head: int) -> int:
        """Return the head of the keys and values that serves a head."""
        return head * self.num_kv_heads // self.num_heads

    @property
    def masks_differ(self) -> bool:
        """Whether masks may differ between heads; modules have one mask for all heads, stored only once."""
        return self.num_heads > 1 and self.mask.strides[1] != 0

    @cached_property
    def query_names(self) -> tuple[str, ...]:
        """The names of the queries on screen and in figures: their tokens; without any, numbers from one."""
        return self._names(self.query_tokens)

    @cached_property
    def key_names(self) -> tuple[str, ...]:
        """The names of the keys on screen and in figures."""
        return self._names(self.key_tokens)

    @cached_property
    def query_labels(self) -> tuple[str, ...]:
        """The names of the queries beside the rows of a picture, with their positions if a word occurs twice."""
        return with_positions(self.query_names)

    @cached_property
    def key_labels(self) -> tuple[str, ...]:
        """The names of the keys in a list, where equal words are distinguished by their numbers."""
        return told_apart(self.key_names)

    def _names(self, tokens: tuple[str, ...]) -> tuple[str, ...]:
        return numbers(len(tokens)) if are_positions(tokens) and not self.has_words else tokens

    def projected(self, letter: str) -> Array:
        """Return q, k or v before the split into heads: (B, L, heads * size), the numbers of `split_into_heads`."""
        return _side_by_side(self.split_into_heads(letter))

    def split_into_heads(self, letter: str) -> Array:
        """Return q, k or v per head after the split, before a norm or rotation: (B, heads, L, size)."""
        return self.v if letter == "v" else [*self.before.values(), (self.q, self.k)][0]["qk".index(letter)]

    def after(self, stage: str) -> tuple[Array, Array]:
        """Return the queries and keys per head after a stage that changes them."""
        return [*self.before.values(), (self.q, self.k)][1 + [*self.before].index(stage)]

    @cached_property
    def row_sums(self) -> NDArray[np.float64]:
        """(B, h, Q), the sum of each row of weights."""
        return read_only(self.weights.sum(axis=-1, dtype=np.float64))

    @cached_property
    def dropped_row_sums(self) -> NDArray[np.float64]:
        """(B, h, Q), the sum of each row of weights after dropout; `row_sums` if dropout is off."""
        if not self.dropout:
            return self.row_sums
        return read_only(self.dropped_weights.sum(axis=-1, dtype=np.float64))

    @cached_property
    def empty_rows(self) -> NDArray[np.bool_]:
        """(B, h, Q), True where the mask allows a query no key."""
        return read_only(np.asarray(~self.mask.any(axis=-1)))

    @cached_property
    def dropped(self) -> NDArray[np.bool_] | None:
        """(B, h, Q, K), True where dropout set a weight to 0; None if dropout is off."""
        if not self.dropout:
            return None
        return read_only(np.asarray((self.weights != 0) & (self.dropped_weights == 0)))

    def prepare(self) -> None:
        """Compute in the worker what the screen will need; the colours of other stages come from the background."""
        self.levels("weights")
        _ = self.row_sums, self.dropped_row_sums, self.empty_rows

    def levels(self, stage: str = "weights", contrast: str = "") -> NDArray[np.uint8]:
        """Return the (B, h, Q, K) colour levels of a stage, cached (see `colours`).

        ``contrast`` is the name of a record of `CONTRASTS`, which acts on weights; "" is none.
        """
        contrast = contrast if cells_of(stage).weights else ""
        key = (stage, contrast)
        if key not in self._levels:
            shown, mask = self.shown(stage), self.coloured(stage)
            self._levels[key] = stretched(shown, mask, self.scale(stage), contrast)
        return self._levels[key]

    def row_levels(self, index: tuple[int, int, int], contrast: str) -> NDArray[np.uint8]:
        """Return the (K,) colour levels of one query's weights, computing no more of `levels` than needed."""
        if not contrast or ("weights", contrast) in self._levels:
            return np.asarray(self.levels("weights", contrast)[index])
        item, head, query = index
        row, mask = self.weights[item, head, [query]], self.levels()[item, head, [query]] != MASKED
        beside = self.weights[item, head] if -2 in CONTRASTS[contrast].axes else row
        return np.asarray(stretched(row, mask, self.scale(), contrast, (beside,))[0])

    def has(self, stage: str) -> bool:
        """Return whether it has the numbers of a stage of cells: an inactive step of the scores has none."""
        name = cells_of(stage).tensor
        return name in self.changed_scores or hasattr(self, name)

    def shown(self, stage: str) -> Array:
        """Return the (B, h, Q, K) numbers of a stage; masked scores are shown as before the mask."""
        name = cells_of(stage).tensor
        values: Array = self.changed_scores[name] if name in self.changed_scores else getattr(self, name)
        return values

    def coloured(self, stage: str) -> NDArray[np.bool_] | None:
        """Return (B, h, Q, K), True where a cell of a stage has its number's colour instead of the mask's pattern.

        None means all of them.
        """
        cells = cells_of(stage)
        if cells.weights and (self.mask_policy == "book" or self.is_given):
            # The fill of -1e6 gives an empty row uniform weights: masked, and yet not 0. They are shown, and so is a
            # weight that another model gives to a masked key.
            return np.asarray(self.mask | (self.shown(stage) != 0))
        return self.mask if cells.masked else None

    def scale(self, stage: str = "weights", contrast: str = "") -> Scale:
        """Return the colour scale of a stage: of scores its own, centred on 0; of weights 0..1, for all values.

        Dropout divides the weights that it keeps by the probability of keeping them. Its scale is divided too: a weight
        that is kept keeps its colour, and none exceeds the end of the scale.
        """
        cells = cells_of(stage)
        if not cells.weights:
            if cells.tensor not in self._scales:
                self._scales[cells.tensor] = symmetric_scale(self.shown(stage))
            return self._scales[cells.tensor]
        whole = Scale(0.0, 1 / (1 - self.dropout)) if cells.dropped and self.dropout else WEIGHT_SCALE
        return stretched_scale(self.shown(stage), whole, contrast) if contrast else whole

    def knows_statistics(self, item: int) -> bool:
        """Return whether `statistics` has been computed for a batch item."""
        return item in self._statistics

    def statistics(self, item: int) -> HeadStatistics:
        """Return the statistics of each head of a batch item, cached (see `head_statistics`)."""
        if item not in self._statistics:
            self._statistics[item] = head_statistics(self.weights[item])
        return self._statistics[item]


def _side_by_side(heads: Array) -> Array:
    """Return (B, h, L, d) as (B, L, h * d)."""
    batch, count, length, size = heads.shape
    return read_only(heads.transpose(0, 2, 1, 3).reshape(batch, length, count * size))
