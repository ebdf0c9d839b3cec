"""How a model learns where its tokens are: added to their vectors, turned into queries and keys, or as a bias.

Shape letters: B batch, h heads, L tokens, D hidden, d = D / h.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.attention.array_functions import TORCH
from attnviz.definitions.mechanisms.mechanism import Rotation
from attnviz.definitions.score_steps.step import Place, ScoreStep


def rotated(rotation: Rotation, x: Tensor) -> Tensor:
    """Return queries or keys x (B, h, L, d), each rotated by the angles of its place."""
    cos, sin = (table.to(x) for table in _tables(rotation, *x.shape[-2:]))
    turned: Tensor = rotation.rotated(x, cos, sin, TORCH)
    return turned


def added_to_scores(step: ScoreStep, spec: Any, size: int, num_queries: int, num_keys: int, like: Tensor) -> Tensor:
    """Return what a step adds to the scores of each head, (h, Q, K), in the number format of ``like``.

    It is computed in float32 at least: half precision does not count beyond 256. ``spec`` has ``num_heads``; ``size``
    is that of a head.
    """
    dtype = torch.promote_types(like.dtype, torch.float32)
    query, key = (torch.arange(length, device=like.device).to(dtype) for length in (num_queries, num_keys))
    heads = (step.amount(spec, Place(size, head, query[:, None], key)) for head in range(spec.num_heads))
    amounts = [torch.as_tensor(amount, dtype=dtype, device=like.device) for amount in heads]
    return torch.stack([amount.expand(num_queries, num_keys) for amount in amounts]).to(like.dtype)


class Rotary(nn.Module):
    """Rotary positions up to a length, for training: their tables are computed in float64 and kept in float32.

    Raises:
        ValueError: the size of a head is odd.
    """

    cos: Tensor
    """(length, d)."""
    sin: Tensor
    """(length, d)."""

    def __init__(self, rotation: Rotation, length: int, size: int) -> None:
        super().__init__()
        self._rotation = rotation
        cos, sin = _tables(rotation, length, size)
        self.register_buffer("cos", cos.float(), persistent=False)
        self.register_buffer("sin", sin.float(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return queries or keys (B, h, L, d), each rotated by the angles of its place."""
        length = x.shape[-2]
        turned: Tensor = self._rotation.rotated(x, self.cos[:length], self.sin[:length], TORCH)
        return turned


def _tables(rotation: Rotation, length: int, size: int) -> tuple[Tensor, Tensor]:
    if size % 2:
        nearest = f"{size - 1}, {size + 1}" if size > 1 else "2"
        raise ValueError(f"rotary positions need an even size of a head, not {size}; nearest: {nearest}")
    cos, sin = rotation.tables(torch, length, size)
    return cos, sin


class DistanceBias(nn.Module):
    """What positions add to the scores of up to a number of tokens, for training: computed once, in float32."""

    bias: Tensor
    """(h, length, length)."""

    def __init__(self, bias: Callable[[Any, int, int], Tensor], length: int, num_heads: int) -> None:
        super().__init__()
        self.register_buffer("bias", bias(torch, num_heads, length), persistent=False)

    def forward(self, num_tokens: int) -> Tensor:
        """Return the bias of a sequence's scores, (h, L, L)."""
        return self.bias[:, :num_tokens, :num_tokens]
