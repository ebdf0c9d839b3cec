"""The values of a decoder's parameters before its first step, in the order of its parameters."""

from typing import Any

WIDER = 4
"""The inner size of a feed-forward network as a multiple of the hidden size (Vaswani et al. 2017)."""


def initial_values(torch: Any, name: str, shape: tuple[int, ...], tied: bool, generator: Any) -> Any:
    """Return the first values of a parameter, drawn in float32 on the CPU.

    The entries of a linear layer's matrix are uniform within 1 / sqrt(its inputs), those of an
    embedding normal with variance 1, or 1 / hidden if it is tied, so that the first logits are
    small; biases are 0, the scales of norms 1.
    """
    values = torch.zeros(shape, dtype=torch.float32, device="cpu")
    if "norm.weight" in name:
        return values.fill_(1.0)
    if name in ("embedding.weight", "position_embedding.weight"):
        small = tied and name == "embedding.weight"
        return values.normal_(std=shape[1] ** -0.5 if small else 1.0, generator=generator)
    if len(shape) == 2:
        return values.uniform_(-(shape[1] ** -0.5), shape[1] ** -0.5, generator=generator)
    return values
