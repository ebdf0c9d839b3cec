"""The base of all attention modules, from the scores to the pooled values.

Shape letters: B batch, h heads, Q queries, K keys, d head size.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

import torch
from torch import Tensor, nn

from attnviz.attention.array_functions import IN_PLACE, TORCH
from attnviz.attention.masking import (
    MaskPolicy,
    combine_masks,
    mask_scores,
    softmax_rows,
    spread_over_heads,
    valid_lens_mask,
)
from attnviz.attention.positions import added_to_scores, tables_of
from attnviz.definitions.functions.formula import Functions
from attnviz.definitions.legal import divisors, neighbours
from attnviz.definitions.mechanisms.mechanism import Rotation
from attnviz.definitions.score_steps import SCORE_STEPS, policy_acts
from attnviz.definitions.score_steps.divide import ROOT, TEMPERATURE
from attnviz.definitions.score_steps.own import SCORE_MOD
from attnviz.definitions.score_steps.step import Place, ScoreStep, scored


@dataclass(frozen=True, slots=True, eq=False)
class AttentionStages:
    """The output of each stage of an attention module; a stage that the module lacks passes its input on.

    Shape letters: B batch, Q queries, K keys, D hidden size, h heads (1 without heads), g heads of the keys and values
    (h unless they are shared), d = D / h, dv features of the values per head: d where they are projected, else those of
    the values. Stages without effect share one tensor:
    without a mask ``masked_scores is scores`` unless half precision is widened, without dropout ``dropped_weights is
    weights``.
    """

    projected_q: Tensor
    """(B, Q, D), the queries after their projection."""
    projected_k: Tensor
    """(B, K, g d)."""
    projected_v: Tensor
    """(B, K, g dv)."""
    q: Tensor
    """(B, h, Q, d), a view of one slice of ``projected_q`` per head, or the result of steps and rotation."""
    k: Tensor
    """(B, g, K, d)."""
    v: Tensor
    """(B, g, K, dv)."""
    scores: Tensor
    """(B, h, Q, K), scaled and with biases, before any further step and the mask."""
    mask: Tensor | None
    """Boolean, broadcastable to the scores, True = may attend; None where every key is allowed."""
    masked_scores: Tensor
    """(B, h, Q, K); half precision is widened to float32 unless ``upcast`` is off."""
    weights: Tensor
    """(B, h, Q, K), after softmax and before dropout."""
    dropped_weights: Tensor
    """(B, h, Q, K), after dropout: the weights that pool the values."""
    heads: Tensor
    """(B, h, Q, dv), each head's pooled values."""
    merged: Tensor
    """(B, Q, h dv), the heads concatenated."""
    output: Tensor
    """(B, Q, h dv), after the output projection."""
    features: Tensor | None = None
    """(B, Q, K, H), the tanh features of additive attention; None elsewhere."""
    before: Mapping[str, tuple[Tensor, Tensor]] = field(default_factory=dict)
    """Stage name to queries (B, h, Q, d) and keys (B, g, K, d) before the step that changed them."""
    changed_scores: Mapping[str, Tensor] = field(default_factory=dict)
    """Stage name to scores (B, h, Q, K), for each step that changes the scores before the mask."""


class WeightDropout(nn.Module):
    """Dropout that can draw from its own generator, so that a run leaves the global one alone."""

    def __init__(self, p: float) -> None:
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"dropout {p} must be at least 0 and below 1; nearest: {0.99 if p >= 1 else 0.0}")
        self.p = p
        self.generator: torch.Generator | None = None

    def forward(self, weights: Tensor) -> Tensor:
        """Return ``weights`` itself in eval mode; in training an entry is 0 with probability p, else over 1 - p."""
        if not self.training or self.p == 0:
            return weights
        kept = torch.empty_like(weights).bernoulli_(1 - self.p, generator=self.generator)
        return weights * kept.div_(1 - self.p)


class Pooling(NamedTuple):
    """The second half of attention: the tensors after the scores, each (B, h, Q, K), and the heads (B, h, Q, d)."""

    masked_scores: Tensor
    weights: Tensor
    dropped_weights: Tensor
    heads: Tensor


class ModuleOptions(TypedDict, total=False):
    """The options of every module; their defaults are in `AttentionModule`."""

    scaled: bool
    """Whether scores are divided by the square root of the head size."""
    temperature: float
    mask_policy: MaskPolicy
    upcast: bool
    """Whether half precision is widened to float32 for mask and softmax."""
    score_steps: Mapping[str, Mapping[str, float]]
    """The active steps of `SCORE_STEPS` with their options: ``{"softcap": {"cap": 50.0}}``."""
    mechanism_knobs: Mapping[str, float]
    """The options of the mechanism's record."""


class AttentionModule(nn.Module):
    """All after the projections: heads -> scores -> mask -> softmax -> dropout -> pooling -> concatenated heads."""

    num_heads = 1
    num_kv_heads = 0
    """The heads of the keys and values, each of which serves a group of heads; 0: as many as heads."""
    steps: tuple[ScoreStep, ...] = (ROOT, TEMPERATURE)
    """The steps that divide the scores or add to them; the other steps are the same for all mechanisms."""
    rotation: Rotation | None = None
    """How positions rotate queries and keys; None if they do not."""
    score_mod: Callable[[Tensor], Tensor] | None = None
    """The user's own change of the scores (B, h, Q, K) before the mask, as in ``flex_attention``; None without one."""
    functions: Functions = IN_PLACE
    """The functions for scores without another reference; `TORCH` where a result must not be overwritten."""

    def __init__(
        self,
        dropout: float = 0.0,
        *,
        scaled: bool = True,
        temperature: float = 1.0,
        mask_policy: MaskPolicy = "zero",
        upcast: bool = True,
        score_steps: Mapping[str, Mapping[str, float]] | None = None,
        mechanism_knobs: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__()
        if not temperature > 0:
            raise ValueError(f"temperature {temperature} must be above 0")
        self.dropout = WeightDropout(dropout)
        self.scaled = scaled
        self.temperature = temperature
        self.mask_policy: MaskPolicy = mask_policy
        self.upcast = upcast
        self.score_steps = score_steps or {}
        self.mechanism_knobs = mechanism_knobs or {}

    def attend(
        self,
        projected: tuple[Tensor, Tensor, Tensor],
        valid_lens: Tensor | None,
        mask: Tensor | None,
        own_mask: Tensor | None = None,
    ) -> AttentionStages:
        """Return every stage from queries, keys and values (B, L, ·), for all heads at once."""
        q, k, v = self.split(projected)
        before: dict[str, tuple[Tensor, Tensor]] = {}
        for step, amount in self._acting(("vectors",), q, k):
            assert step.stage is not None
            before[step.stage.name] = q, k
            q, k = (step.applied(_widened(x), amount, TORCH).to(x.dtype) for x in (q, k))
        unrotated = q, k
        q, k = self.rotate(q, k)
        if q is not unrotated[0]:
            before["rotate"] = unrotated
        scores, features = self.score(q, self.served(k))
        mask = combine_masks(own_mask, attention_mask(scores, valid_lens, mask))
        changed: dict[str, Tensor] = {}
        last = scores
        for step, amount in self._acting(("change",), q, k):
            last = step.applied(last, amount, TORCH)
            if step.stage is not None:
                changed[step.stage.name] = last
        if self.score_mod is not None and SCORE_MOD.stage is not None:
            last = changed[SCORE_MOD.stage.name] = self.score_mod(last)
        pooling = self.pool(last, self.served(v), mask)
        merged = merge_heads(pooling.heads)
        output = self.project_heads(merged)
        return AttentionStages(*projected, q, k, v, scores, mask, *pooling, merged, output, features, before, changed)

    def split(self, projected: tuple[Tensor, Tensor, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values (B, L, ·) per head: (B, h, L, ·), of keys and values (B, g, L, ·)."""
        q, k, v = projected
        shared = self.num_kv_heads or self.num_heads
        return split_heads(q, self.num_heads), split_heads(k, shared), split_heads(v, shared)

    def served(self, x: Tensor) -> Tensor:
        """Return keys or values (B, g, K, ·) for every head, (B, h, K, ·): each serves h / g heads in a row."""
        each = self.num_heads // x.shape[1]
        return x.repeat_interleave(each, dim=1) if each > 1 else x

    def rotate(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        """Return q (B, h, Q, d) and k (B, g, K, d) rotated by their positions, or unchanged without a rotation."""
        if self.rotation is None:
            return q, k
        q, k = (self.rotation.rotated(x, *self.tables(self.rotation, x), TORCH) for x in (q, k))
        return q, k

    def tables(self, rotation: Rotation, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the cosines and sines (L, d) of the rotation angles for queries or keys x (B, h, L, d)."""
        length, size = x.shape[-2:]
        cos, sin = tables_of(rotation, length, size, **self.mechanism_knobs)
        return cos.to(x), sin.to(x)

    def score(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the scores (B, h, Q, K) of q (B, h, Q, d) and k, and the summed features (B, Q, K, H) or None."""
        scores, features = self.compare(q, k)
        return scored(scores, self._acting(("divide", "add"), q, k), self.functions), features

    def compare(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the scores before any step, which callers may overwrite, and the features."""
        return _dot_products(q, k), None

    def _acting(self, does: tuple[str, ...], q: Tensor, k: Tensor) -> Iterator[tuple[ScoreStep, Any]]:
        """Yield the active steps of these kinds with their amounts; the module has the fields of a spec."""
        for step in (*self.steps, *SCORE_STEPS.values()):
            if step.does not in does or not step.is_in(self):
                continue
            if step.does == "add":
                yield step, self.added(step, q, k)
            else:
                yield step, step.amount(self, Place(q.shape[-1]), TORCH)

    def added(self, step: ScoreStep, q: Tensor, k: Tensor) -> Tensor:
        """Return the (h, Q, K) bias that a step adds to the scores of q (B, h, Q, d) and k."""
        return added_to_scores(step, self, q, k)

    def project_heads(self, merged: Tensor) -> Tensor:
        """Return the output (B, Q, D) for the concatenated heads (B, Q, h * d)."""
        return merged

    def pool(self, scores: Tensor, values: Tensor, mask: Tensor | None) -> Pooling:
        """Return every step from scores (B, h, Q, K) and values (B, h, K, d) to the pooled values (B, h, Q, d)."""
        masked_scores = mask_scores(scores, mask, self.mask_policy, upcast=self.upcast)
        steps = [step for step in SCORE_STEPS.values() if step.does in ("share", "weigh") and step.is_in(self)]
        if not steps:
            weights = softmax_rows(masked_scores, mask, self.mask_policy)
        else:
            step, amount = steps[0], steps[0].amount(self, Place(0), TORCH)
            if policy_acts(steps):
                weights = softmax_rows(
                    masked_scores, mask, self.mask_policy, lambda scores: step.applied(scores, amount, TORCH)
                )
            else:  # an empty row is 0: a sink takes all of it, or the sigmoid of -inf is 0
                weights = step.applied(masked_scores, amount, TORCH)
        if weights.dtype != scores.dtype:
            weights = weights.to(scores.dtype)
        dropout = self.dropout
        # Calling an identity module would cost as much as a matrix product of a few tokens.
        dropped_weights = dropout(weights) if dropout.training else weights
        return Pooling(masked_scores, weights, dropped_weights, dropped_weights @ values)


class QueryKeyValueAttention(AttentionModule):
    """An attention module called with separate queries, keys and values.

    ``forward`` takes queries (B, Q, query size), keys (B, K, key size), values (B, K, value size), valid lengths
    (B,) or (B, Q), and a boolean mask (Q, K) or (B, Q, K) that is combined with the lengths.
    """

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return the output (B, Q, D)."""
        return self.stages(queries, keys, values, valid_lens, mask).output

    def stages(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> AttentionStages:
        """Return every stage of the same computation; shapes as in `AttentionStages`."""
        return self.attend(self.projected(queries, keys, values), valid_lens, mask)

    def projected(self, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return projected queries (B, Q, ·), keys (B, K, ·) and values (B, K, ·); here the inputs themselves."""
        return queries, keys, values


def scaled_dot_product_scores(
    queries: Tensor, keys: Tensor, *, scaled: bool = True, temperature: float = 1.0
) -> Tensor:
    """Return ``q kᵀ / (sqrt(d) * temperature)`` of shape (..., Q, K) for queries (..., Q, d) and keys (..., K, d).

    Dividing by sqrt(d) keeps the variance of a score at 1 for any d, so the softmax does not saturate as d
    grows; ``scaled=False`` leaves it out, to show the effect.

    Raises:
        ValueError: queries and keys differ in size.
    """
    scores = _dot_products(queries, keys)
    divisor = temperature * (math.sqrt(queries.shape[-1]) if scaled else 1.0)
    return scores if divisor == 1.0 else scores.div_(divisor)


def _widened(x: Tensor) -> Tensor:
    return x.float() if x.itemsize == 2 else x


def _dot_products(queries: Tensor, keys: Tensor) -> Tensor:
    size, size_of_keys = queries.shape[-1], keys.shape[-1]
    if size != size_of_keys:
        raise ValueError(
            f"queries of size {size} and keys of size {size_of_keys} have no dot product; "
            "use equal sizes, or additive attention"
        )
    return queries @ keys.transpose(-2, -1)


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Return (B, L, D) as (B, h, L, D / h), a view: head i reads the i-th slice of the hidden features.

    ``.flatten(0, 1)`` of the result is Zhang et al.'s batch of B * h heads, in which the valid lengths of an item
    are repeated h times. Here the mask broadcasts over the head axis instead, so nothing is repeated.

    Raises:
        ValueError: D is not divisible by ``num_heads``; names the nearest sizes that are.
    """
    batch, length, size = x.shape
    check_divisible(size, num_heads)
    return x.view(batch, length, num_heads, size // num_heads).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """Return (B, h, L, d) as (B, L, h * d), the inverse of `split_heads`."""
    return x.transpose(1, 2).flatten(2)


def check_divisible(num_hiddens: int, num_heads: int) -> None:
    """Raise a ValueError that names the nearest valid sizes unless num_hiddens is divisible by num_heads."""
    if num_heads < 1:
        raise ValueError(f"num_heads {num_heads} must be at least 1; nearest: 1")
    if num_hiddens % num_heads:
        below = num_hiddens // num_heads * num_heads
        nearest = f"{below}, {below + num_heads}" if below else f"{num_heads}"
        raise ValueError(f"num_hiddens {num_hiddens} is not divisible by num_heads {num_heads}; nearest: {nearest}")


def size_of_shared(num_hiddens: int, num_heads: int, num_kv_heads: int | None) -> int:
    """Return the features of keys and values of ``num_kv_heads`` heads; None is as many as heads.

    Raises:
        ValueError: the heads cannot be divided so; names the nearest numbers of heads that can.
    """
    check_divisible(num_hiddens, num_heads)
    shared = num_heads if num_kv_heads is None else num_kv_heads
    if shared < 1 or num_heads % shared:
        nearest = ", ".join(map(str, neighbours(divisors(num_heads), shared)))
        raise ValueError(f"num_heads {num_heads} cannot be divided among num_kv_heads {shared}; nearest: {nearest}")
    return num_hiddens // num_heads * shared


def attention_mask(scores: Tensor, valid_lens: Tensor | None, mask: Tensor | None) -> Tensor | None:
    """Return valid lengths and a mask as one mask that broadcasts to scores (B, h, Q, K).

    The mask is (Q, K), (B, Q, K) or (B, h, Q, K), where B and h may be 1.

    Raises:
        ValueError: either does not fit the scores; names both shapes.
    """
    if mask is None and valid_lens is None:
        return None
    batch, (num_queries, num_keys) = len(scores), scores.shape[-2:]
    ends = [(num_queries, num_keys), (batch, num_queries, num_keys)]
    ends += [(items, heads, num_queries, num_keys) for items in (1, batch) for heads in (1, scores.shape[1])]
    if mask is not None and tuple(mask.shape) not in ends:
        raise ValueError(
            f"mask has shape {tuple(mask.shape)}; needed ({num_queries}, {num_keys}) "
            f"or ({batch}, {num_queries}, {num_keys})"
        )
    if mask is not None and mask.dim() == 3:
        mask = spread_over_heads(mask, scores.dim())
    if valid_lens is None:
        return mask
    if valid_lens.dim() == 0 or len(valid_lens) != batch:
        raise ValueError(f"valid_lens has shape {tuple(valid_lens.shape)}, but the batch has {batch} sequences")
    from_lens = valid_lens_mask(valid_lens.to(scores.device), num_queries, num_keys)
    return combine_masks(mask, spread_over_heads(from_lens, scores.dim()))


def projection(in_size: int | None, out_size: int, *, bias: bool) -> nn.Linear:
    """Return a linear layer; a lazy one if the input size is None."""
    return nn.LazyLinear(out_size, bias=bias) if in_size is None else nn.Linear(in_size, out_size, bias=bias)


def project(name: str, x: Tensor, layer: nn.Linear) -> Tensor:
    """Return ``layer(x)`` for x (..., in), (..., out); a lazy layer takes any size.

    Raises:
        ValueError: ``x`` does not fit; names both sizes.
    """
    size = x.shape[-1]
    if size != layer.in_features and not isinstance(layer, nn.LazyLinear):
        raise ValueError(f"{name}_size is {layer.in_features}, but the input's size is {size}")
    projected: Tensor = layer(x)
    return projected
