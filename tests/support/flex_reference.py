"""Outputs of attention with functions, by the app's own mathematics and by torch's uncompiled ``flex_attention``."""

import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from attnviz.attention.masking import mask_scores, softmax_rows
from attnviz.engine.attention.mods.process import mask_of, scores_after
from attnviz.experiment.attention.mods import Mods

Tensors = tuple[Tensor, Tensor, Tensor]
"""Queries (B, h, Q, d), keys and values (B, h, K, d)."""


def tensors(batch: int, heads: int, queries: int, keys: int, dtype: torch.dtype = torch.float32) -> Tensors:
    """Return random queries, keys and values."""
    generator = torch.Generator().manual_seed(0)
    lengths = (queries, keys, keys)
    q, k, v = (torch.randn(batch, heads, length, 8, generator=generator, dtype=dtype) for length in lengths)
    return q, k, v


def ours(of: Tensors, mods: Mods) -> Tensor:
    """Return the output with the user's functions evaluated by the app."""
    q, k, v = of
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mods.score_mod:
        scores = scores_after(mods, scores)
    if not mods.mask_mod:
        return softmax_rows(scores, None) @ v
    batch, heads, queries, keys = scores.shape
    allowed = torch.as_tensor(mask_of(mods, (batch, heads, queries, keys)).allowed.copy())
    return softmax_rows(mask_scores(scores, allowed), allowed) @ v


def torchs(of: Tensors, mask_mod: Callable[..., Any] | None, score_mod: Callable[..., Any] | None) -> Tensor:
    """Return the output of ``flex_attention`` with functions."""
    torch._dynamo.reset()
    q, k, v = of
    sizes = *q.shape[:3], k.shape[2]
    block_mask = None if mask_mod is None else create_block_mask(mask_mod, *sizes, device="cpu")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is not compiled
        return flex_attention(q, k, v, score_mod, block_mask).detach()
