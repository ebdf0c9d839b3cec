"""How a model learns where its tokens are: added to their vectors, turned into queries and keys, or as a bias.

Shape letters: B batch, h heads, L tokens, D hidden, d = D / h.
"""

from typing import Any, Literal

import torch
from torch import Tensor, nn

from attnviz.attention.array_functions import TORCH
from attnviz.definitions.mechanisms.alibi import ALIBI_BIAS
from attnviz.definitions.mechanisms.mechanism import Addend, Rotation
from attnviz.definitions.mechanisms.rotary import ROTATION

Positions = Literal["none", "sinusoidal", "learned", "rotary", "alibi"]
"""``none``: the causal mask alone tells places apart. ``sinusoidal`` and ``learned``: a vector for each place is added
to the token's. ``rotary``: queries and keys are rotated by angles that grow with the place. ``alibi``: each score is
lowered in proportion to the distance."""


def sinusoidal_positions(length: int, size: int) -> Tensor:
    """Return (length, size): sin(i / 10000^(2j/size)) in even features, cos in odd ones (Vaswani et al. 2017).

    In float32 on the CPU.
    """
    places = torch.arange(length, dtype=torch.float32, device="cpu")
    features = torch.arange(0, size, 2, dtype=torch.float32, device="cpu")
    angles = places[:, None] / 10000 ** (features / size)
    positions = torch.zeros(length, size, dtype=torch.float32, device="cpu")
    positions[:, 0::2] = angles.sin()
    positions[:, 1::2] = angles.cos()[:, : size // 2]
    return positions


def rotary_tables(rotation: Rotation, length: int, size: int) -> tuple[Tensor, Tensor]:
    """Return the cosines and sines (length, size) of the angles of each feature at each place, in float64 on the CPU.

    Raises:
        ValueError: the size is odd.
    """
    if size % 2:
        nearest = f"{size - 1}, {size + 1}" if size > 1 else "2"
        raise ValueError(f"rotary positions need an even size of a head, not {size}; nearest: {nearest}")
    places = torch.arange(length, dtype=torch.float64, device="cpu")
    pairs = torch.arange(size // 2, dtype=torch.float64, device="cpu")
    angles = rotation.angle(places[:, None], pairs, size).repeat(1, 2)
    return angles.cos(), angles.sin()


def rotated(rotation: Rotation, x: Tensor) -> Tensor:
    """Return queries or keys x (B, h, L, d), each rotated by the angles of its place."""
    cos, sin = (table.to(x) for table in rotary_tables(rotation, *x.shape[-2:]))
    turned: Tensor = rotation.rotated(x, cos, sin, TORCH)
    return turned


def added_to_scores(addend: Addend, spec: Any, num_queries: int, num_keys: int, like: Tensor) -> Tensor:
    """Return what a record adds to the scores of each head, (h, Q, K), in the number format of ``like``.

    It is computed in float32 at least: half precision does not count beyond 256. ``spec`` has ``num_heads``.
    """
    dtype = torch.promote_types(like.dtype, torch.float32)
    query, key = (torch.arange(size, device=like.device).to(dtype) for size in (num_queries, num_keys))
    heads = (addend.amount(spec, head, query[:, None], key) for head in range(spec.num_heads))
    amounts = [torch.as_tensor(amount, dtype=dtype, device=like.device) for amount in heads]
    return torch.stack([amount.expand(num_queries, num_keys) for amount in amounts]).to(like.dtype)


class Rotary(nn.Module):
    """Rotary positions up to a length, for training: the rotation of the mechanism ``rotary`` with its tables kept.

    The angles are computed in float64 and kept in float32.

    Raises:
        ValueError: the size of a head is odd.
    """

    cos: Tensor
    """(length, d)."""
    sin: Tensor
    """(length, d)."""

    def __init__(self, length: int, size: int) -> None:
        super().__init__()
        cos, sin = rotary_tables(ROTATION, length, size)
        self.register_buffer("cos", cos.float(), persistent=False)
        self.register_buffer("sin", sin.float(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return queries or keys (B, h, L, d), each rotated by the angles of its place."""
        length = x.shape[-2]
        turned: Tensor = ROTATION.rotated(x, self.cos[:length], self.sin[:length], TORCH)
        return turned


class DistanceBias(nn.Module):
    """ALiBi up to a length, for training: what the mechanism ``alibi`` adds to the scores, kept in float32."""

    bias: Tensor
    """(h, length, length): -slope * |i - j|."""

    def __init__(self, length: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        like = torch.empty(0, dtype=torch.float32, device="cpu")
        self.register_buffer("bias", added_to_scores(ALIBI_BIAS, self, length, length, like), persistent=False)

    def forward(self, num_tokens: int) -> Tensor:
        """Return the bias of a sequence's scores, (h, L, L)."""
        return self.bias[:, :num_tokens, :num_tokens]
