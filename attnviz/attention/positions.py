"""Positional information in attention: as a rotation of queries and keys, or as a bias of the scores.

Shape letters: B batch, h heads, L tokens, Q queries, K keys, d head size.
"""

from typing import Any

import torch
from torch import Tensor

from attnviz.attention.array_functions import TORCH
from attnviz.definitions.mechanisms.mechanism import Rotation
from attnviz.definitions.score_steps.step import Place, ScoreStep


def added_to_scores(step: ScoreStep, spec: Any, q: Tensor, k: Tensor) -> Tensor:
    """Return the (h, Q, K) bias that a step adds to the scores of q (B, h, Q, d) and k, in their dtype.

    It is computed in float32 at least: half precision does not count beyond 256. ``spec`` has ``num_heads``.
    """
    dtype = torch.promote_types(q.dtype, torch.float32)
    query, key = (torch.arange(x.shape[-2], device=x.device).to(dtype) for x in (q, k))
    cells = (Place(q.shape[-1], head, query[:, None], key) for head in range(spec.num_heads))
    heads = (step.amount(spec, cell, TORCH) for cell in cells)
    amounts = [torch.as_tensor(amount, dtype=dtype, device=q.device) for amount in heads]
    return torch.stack([amount.expand(len(query), len(key)) for amount in amounts]).to(q.dtype)


def tables_of(rotation: Rotation, length: int, size: int, **knobs: float) -> tuple[Tensor, Tensor]:
    """Return the cosines and sines (length, size) of the rotation angles, in float64 on the CPU.

    ``knobs`` are the options of the mechanism; those left out have their defaults.

    Raises:
        ValueError: the head size is odd.
    """
    if size % 2:
        nearest = f"{size - 1}, {size + 1}" if size > 1 else "2"
        raise ValueError(f"rotary positions need an even size of a head, not {size}; nearest: {nearest}")
    cos, sin = rotation.tables(torch, length, size, **knobs)
    return cos, sin
