"""How a model learns where its tokens are: added to their vectors, turned into queries and keys, or as a bias.

Shape letters: B batch, h heads, L tokens, D hidden, d = D / h.
"""

import math
from typing import Literal

import torch
from torch import Tensor, nn

Positions = Literal["none", "sinusoidal", "learned", "rotary", "alibi"]
"""``none``: the causal mask alone tells places apart. ``sinusoidal`` and ``learned``: a vector for each place is added
to the token's. ``rotary``: queries and keys are rotated by angles that grow with the place. ``alibi``: each score is
lowered in proportion to the distance."""

_ROTARY_BASE = 10_000.0


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


class Rotary(nn.Module):
    """Rotary positions (Su et al. 2021) in the layout of LLaMA: feature j is paired with feature j + d / 2.

    At place i, pair j is rotated by the angle i * 10000^(-2j/d), so the product of a query and a key depends on
    their distance alone. The angles are computed in float64 and kept in float32.

    Raises:
        ValueError: the size of a head is odd.
    """

    cos: Tensor
    """(length, d)."""
    sin: Tensor
    """(length, d)."""

    def __init__(self, length: int, size: int) -> None:
        super().__init__()
        if size % 2:
            nearest = f"{size - 1}, {size + 1}" if size > 1 else "2"
            raise ValueError(f"rotary positions need an even size of a head, not {size}; nearest: {nearest}")
        places = torch.arange(length, dtype=torch.float64, device="cpu")
        pairs = torch.arange(0, size, 2, dtype=torch.float64, device="cpu")
        angles = (places[:, None] * _ROTARY_BASE ** (-pairs / size)).repeat(1, 2)
        self.register_buffer("cos", angles.cos().float(), persistent=False)
        self.register_buffer("sin", angles.sin().float(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return queries or keys (B, h, L, d), each rotated by the angles of its place."""
        length = x.shape[-2]
        first, second = x.chunk(2, dim=-1)
        return x * self.cos[:length] + torch.cat((-second, first), dim=-1) * self.sin[:length]


def alibi_slopes(num_heads: int) -> tuple[float, ...]:
    """Return by how much each head's scores fall per place of distance (Press et al. 2022).

    For h = 2^n heads they are 2^(-8/h), 2^(-16/h), ... 2^(-8). For another number the slopes of the power of two below
    it are followed by every other slope of twice that power, the first one first.
    """
    power = 2 ** int(math.log2(num_heads))
    slopes = [2 ** (-8 * (head + 1) / power) for head in range(power)]
    between = [2 ** (-4 * (head + 1) / power) for head in range(0, 2 * (num_heads - power), 2)]
    return (*slopes, *between)


class DistanceBias(nn.Module):
    """ALiBi: the score of query i and key j is lowered by the head's slope times their distance."""

    bias: Tensor
    """(h, length, length): -slope * |i - j|."""

    def __init__(self, length: int, num_heads: int) -> None:
        super().__init__()
        places = torch.arange(length, dtype=torch.float32, device="cpu")
        slopes = torch.tensor(alibi_slopes(num_heads), dtype=torch.float32, device="cpu")
        bias = -slopes[:, None, None] * (places[:, None] - places).abs()
        self.register_buffer("bias", bias, persistent=False)

    def forward(self, num_tokens: int) -> Tensor:
        """Return the bias of a sequence's scores, (h, L, L)."""
        return self.bias[:, :num_tokens, :num_tokens]
