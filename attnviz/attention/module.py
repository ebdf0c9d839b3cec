"""What every attention module shares, from the scores to the pooled values.

Shape letters: B batch, h heads, Q queries, K keys, d size of a head.
"""

from abc import abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor, nn

from attnviz.attention.masking import (
    MaskPolicy,
    combine_masks,
    mask_scores,
    softmax_rows,
    spread_over_heads,
    valid_lens_mask,
)
from attnviz.attention.stages import AttentionStages


class WeightDropout(nn.Module):
    """Dropout whose randomness may come from a generator of its own, so that a run does not touch the global one."""

    def __init__(self, p: float) -> None:
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"dropout {p} must be at least 0 and below 1; nearest: {0.99 if p >= 1 else 0.0}")
        self.p = p
        self.generator: torch.Generator | None = None

    def forward(self, weights: Tensor) -> Tensor:
        """Return ``weights`` itself in eval mode; in training each entry is 0 with chance p, else over 1 - p."""
        if not self.training or self.p == 0:
            return weights
        kept = torch.empty_like(weights).bernoulli_(1 - self.p, generator=self.generator)
        return weights * kept.div_(1 - self.p)


class Pooling(NamedTuple):
    """The second half of attention: what became of the scores, each (B, h, Q, K), and the heads (B, h, Q, d)."""

    masked_scores: Tensor
    weights: Tensor
    dropped_weights: Tensor
    heads: Tensor


class AttentionModule(nn.Module):
    """The second half of attention: scores -> mask -> softmax -> dropout -> pooling of the values."""

    def __init__(
        self, dropout: float, *, scaled: bool, temperature: float, mask_policy: MaskPolicy, upcast: bool
    ) -> None:
        super().__init__()
        if not temperature > 0:
            raise ValueError(f"temperature {temperature} must be above 0")
        self.dropout = WeightDropout(dropout)
        self.scaled = scaled
        self.temperature = temperature
        self.mask_policy: MaskPolicy = mask_policy
        self.upcast = upcast

    def pool(self, scores: Tensor, values: Tensor, mask: Tensor | None) -> Pooling:
        """Return every step from scores (B, h, Q, K) and values (B, h, K, d) to the pooled values."""
        masked_scores = mask_scores(scores, mask, self.mask_policy, upcast=self.upcast)
        weights = softmax_rows(masked_scores, mask, self.mask_policy)
        if weights.dtype != scores.dtype:
            weights = weights.to(scores.dtype)
        dropout = self.dropout
        # At a few tokens, calling a module that does nothing would cost as much as a matrix product.
        dropped_weights = dropout(weights) if dropout.training else weights
        return Pooling(masked_scores, weights, dropped_weights, dropped_weights @ values)


class QueryKeyValueAttention(AttentionModule):
    """An attention module that is called with queries, keys and values of its own.

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

    @abstractmethod
    def stages(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> AttentionStages:
        """Return every stage of the same computation."""


def attention_mask(scores: Tensor, valid_lens: Tensor | None, mask: Tensor | None) -> Tensor | None:
    """Return valid lengths and a (Q, K) or (B, Q, K) mask as one mask that broadcasts to scores (B, h, Q, K).

    Raises:
        ValueError: either does not fit the scores; names both shapes.
    """
    if mask is None and valid_lens is None:
        return None
    batch, (num_queries, num_keys) = len(scores), scores.shape[-2:]
    if mask is not None and mask.shape not in ((num_queries, num_keys), (batch, num_queries, num_keys)):
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
    """Return a linear layer, lazy where the input size is not known yet."""
    return nn.LazyLinear(out_size, bias=bias) if in_size is None else nn.Linear(in_size, out_size, bias=bias)


def project(name: str, x: Tensor, layer: nn.Linear) -> Tensor:
    """Return ``layer(x)``; a lazy layer fits everything.

    Raises:
        ValueError: ``x`` does not fit; names both sizes.
    """
    size = x.shape[-1]
    if size != layer.in_features and not isinstance(layer, nn.LazyLinear):
        raise ValueError(f"{name}_size is {layer.in_features}, but the input's size is {size}")
    projected: Tensor = layer(x)
    return projected
