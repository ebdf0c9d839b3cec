"""Positional information in a decoder: vectors added to tokens, rotated queries and keys, or a bias of the scores.

A function that computes tensors takes the module ``torch`` first: the run calls it, and a script has its source.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.mechanisms.alibi import distance_bias
from attnviz.definitions.mechanisms.mechanism import Mechanism
from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """One kind of positional information in a decoder, beside its causal mask."""

    name: str
    title: English
    help: English
    mechanism: str = "multi_head"
    """The mechanism of each layer's attention."""
    vectors: Callable[[Any, int, int], Any] | None = None
    """From torch, the number of positions and the hidden size: fixed vectors (positions, hidden), added to the tokens'.
    NumPy in its place gives the same as arrays."""
    bias: Callable[[Any, int, int], Any] | None = None
    """From torch, the numbers of heads and of positions: the bias of the scores, (heads, positions, positions)."""
    is_learned: bool = False
    """Whether a vector for each position is learned, and added to the token's."""

    @property
    def attention(self) -> Mechanism:
        """The record of the mechanism of each layer's attention."""
        return MECHANISMS[self.mechanism]


def sinusoidal_positions(torch: Any, length: int, size: int) -> Any:
    """Return (length, size): sin(i / 10000^(2j / size)) in even features, cos in odd ones."""
    places = torch.arange(length, dtype=torch.float32, device="cpu")
    features = torch.arange(0, size, 2, dtype=torch.float32, device="cpu")
    angles = places[:, None] / 10000 ** (features / size)
    positions = torch.zeros((length, size), dtype=torch.float32, device="cpu")
    positions[:, 0::2] = torch.sin(angles)
    positions[:, 1::2] = torch.cos(angles)[:, : size // 2]
    return positions


POSITIONS: Registry[Positions] = Registry(
    "kind of positions",
    (
        Positions(name="none", title="None", help="Only the causal mask tells positions apart."),
        Positions(
            name="sinusoidal",
            title="Sinusoidal",
            help="A fixed vector of sines and cosines is added to each token's embedding (Vaswani et al. 2017).",
            vectors=sinusoidal_positions,
        ),
        Positions(
            name="learned",
            title="Learned",
            help="A learned vector for each position is added to each token's embedding.",
            is_learned=True,
        ),
        Positions(
            name="rotary",
            title="Rotary",
            help="Queries and keys are rotated by angles that grow with the position.",
            mechanism="rotary",
        ),
        Positions(
            name="alibi",
            title="ALiBi",
            help="Each score is lowered in proportion to the distance, in each head by a slope of its own.",
            mechanism="alibi",
            bias=distance_bias,
        ),
    ),
)


def turns_pairs(name: object) -> bool:
    """Return whether a (possibly invalid) name is of positions that rotate pairs of features of queries and keys."""
    record = POSITIONS.get(name) if isinstance(name, str) else None
    return record is not None and record.attention.rotation is not None
