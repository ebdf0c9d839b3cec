"""Masks, which say what keys a query may attend to, and the masked softmax.

A mask is boolean and True means "may attend". Shape letters: B batch, Q queries, K keys, h heads.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import torch
from torch import Tensor

from attnviz.attention.array_functions import TORCH
from attnviz.definitions.masks.documents import DOCUMENTS

MaskPolicy = Literal["zero", "book", "inf"]
"""The weights of an empty row (no valid key): ``zero`` gives 0, ``book`` fills the scores with -1e6 as Zhang et al.,
Dive into Deep Learning (so such a row is uniform), ``inf`` fills with -inf as GPT-style code (so it is NaN)."""

BOOK_FILL = -1e6


def sequence_mask(x: Tensor, valid_lens: Tensor, value: float = 0.0) -> Tensor:
    """Return a copy of ``x`` in which every position at or beyond its valid length holds ``value``.

    Args:
        x: (n, length, ...), one sequence per row.
        valid_lens: (n,), how many leading positions of each sequence are real.
        value: the value of the other positions.

    Raises:
        ValueError: ``valid_lens`` has another shape, or a length outside 0..length.
    """
    if valid_lens.shape != x.shape[:1]:
        raise ValueError(
            f"valid_lens has shape {tuple(valid_lens.shape)}, but x has {x.shape[0]} sequences; needed ({x.shape[0]},)"
        )
    _check_range(valid_lens, x.shape[1])
    kept = torch.arange(x.shape[1], device=x.device) < valid_lens.to(x.device)[:, None]
    return x.masked_fill(~kept.reshape(kept.shape + (1,) * (x.dim() - 2)), value)


def valid_lens_mask(valid_lens: Tensor, num_queries: int, num_keys: int) -> Tensor:
    """Return the (B, Q, K) mask that lets each query attend to the first ``valid_lens`` keys.

    Args:
        valid_lens: (B,), one length per sequence, repeated for every query; or (B, Q), one per query.
        num_queries: Q.
        num_keys: K.

    Raises:
        ValueError: the shape fits neither form, or a length is outside 0..num_keys.
    """
    if valid_lens.dim() == 1:
        per_query = valid_lens[:, None].expand(-1, num_queries)
    elif valid_lens.dim() == 2 and valid_lens.shape[1] == num_queries:
        per_query = valid_lens
    else:
        raise ValueError(f"valid_lens has shape {tuple(valid_lens.shape)}; needed (batch,) or (batch, {num_queries})")
    _check_range(valid_lens, num_keys)
    return torch.arange(num_keys, device=valid_lens.device) < per_query[..., None]


def causal_mask(num_queries: int, num_keys: int, device: torch.device | str | None = None) -> Tensor:
    """Return the (Q, K) mask that lets query i attend to keys 0..i.

    When Q and K differ the diagonal starts at the top left corner, as in
    ``F.scaled_dot_product_attention(is_causal=True)``: query 0 attends to key 0 only.
    """
    return torch.ones(num_queries, num_keys, dtype=torch.bool, device=device).tril()


def sliding_window_mask(
    num_queries: int, num_keys: int, window: int, device: torch.device | str | None = None
) -> Tensor:
    """Return the (Q, K) mask that lets query i attend to the keys j with ``|i - j| < window``.

    Together with a causal mask these are the keys i - window + 1 .. i (Beltagy et al. 2020, "Longformer").

    Raises:
        ValueError: ``window`` is below 1.
    """
    if window < 1:
        raise ValueError(f"window {window} must be at least 1; nearest: 1")
    # Two triangles instead of a table of distances, which would take eight times the memory.
    everything = torch.ones(num_queries, num_keys, dtype=torch.bool, device=device)
    return everything.tril_(window - 1).triu_(1 - window)


def document_mask(
    document_lens: Sequence[int], num_queries: int, num_keys: int, device: torch.device | str | None = None
) -> Tensor:
    """Return the (Q, K) block mask of documents packed into one sequence: each attends only to itself.

    Args:
        document_lens: the lengths of the documents, in order; the positions after them are one more document.
        num_queries: Q.
        num_keys: K.
        device: the device of the mask.

    Raises:
        ValueError: a length is below 1.
    """
    if any(length < 1 for length in document_lens):
        raise ValueError(f"document length {min(document_lens)} must be at least 1; nearest: 1")
    i = torch.arange(num_queries, device=device)[:, None]
    j = torch.arange(num_keys, device=device)
    mask: Tensor = DOCUMENTS.allows(DOCUMENTS.prepare(document_lens), None, None, i, j, TORCH)
    return mask


def combine_masks(*masks: Tensor | None) -> Tensor | None:
    """Return the logical and of boolean masks, in their broadcast shape; None means "everything allowed"."""
    combined: Tensor | None = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined & mask
    return combined


def mask_scores(scores: Tensor, mask: Tensor | None, policy: MaskPolicy = "zero", *, upcast: bool = True) -> Tensor:
    """Return scores (..., Q, K) with every forbidden cell filled; the scores themselves if the mask is None.

    ``mask`` broadcasts to the scores. Half precision is widened to float32 first, since in float16 the fill of -1e6
    is already -inf; ``upcast=False`` skips this, to show the effect.
    """
    if upcast and scores.itemsize == 2:
        scores = scores.float()
    if mask is None:
        return scores
    # Not masked_fill, which rejects a value beyond the dtype's range; assignment, as Zhang et al. do, makes it -inf.
    fill = torch.tensor(BOOK_FILL if policy == "book" else -torch.inf, device=scores.device).to(scores.dtype)
    return torch.where(mask, scores, fill)


def softmax_rows(
    masked_scores: Tensor,
    mask: Tensor | None,
    policy: MaskPolicy = "zero",
    softmax: Callable[[Tensor], Tensor] = TORCH["softmax"],
) -> Tensor:
    """Return the weights of masked scores (..., Q, K); under ``zero`` empty rows and their gradients are 0.

    ``softmax`` makes weights of rows of scores; another function takes the place of the softmax.
    """
    if mask is None or policy != "zero":
        return softmax(masked_scores)
    empty = ~mask.any(dim=-1, keepdim=True)
    if not bool(empty.any()):
        return softmax(masked_scores)
    return softmax(masked_scores.masked_fill(empty, 0.0)).masked_fill(empty, 0.0)


def masked_softmax(
    scores: Tensor, valid_lens: Tensor | None = None, *, mask: Tensor | None = None, policy: MaskPolicy = "zero"
) -> Tensor:
    """Return the softmax over the last axis; forbidden keys get a weight of exactly 0.

    Args:
        scores: (B, ..., Q, K); left unchanged.
        valid_lens: (B,) or (B, Q), see `valid_lens_mask`.
        mask: boolean, broadcastable to ``scores``, combined with ``valid_lens``.
        policy: the weights of a row with no valid key, see `MaskPolicy`.

    Returns:
        The weights, in the shape and dtype of ``scores``. (Book: "Masked Softmax Operation".)

    Raises:
        ValueError: ``valid_lens`` does not fit the scores.
    """
    if valid_lens is not None:
        if scores.dim() < 3 or valid_lens.dim() == 0 or len(valid_lens) != len(scores):
            raise ValueError(
                f"valid_lens of shape {tuple(valid_lens.shape)} does not fit scores of shape {tuple(scores.shape)}; "
                "needed (batch, ..., queries, keys) with one length per batch item or query"
            )
        from_lens = valid_lens_mask(valid_lens.to(scores.device), *scores.shape[-2:])
        mask = combine_masks(mask, spread_over_heads(from_lens, scores.dim()))
    return softmax_rows(mask_scores(scores, mask, policy), mask, policy).to(scores.dtype)


def spread_over_heads(mask: Tensor, dim: int) -> Tensor:
    """Return a (B, Q, K) mask as (B, 1, ..., Q, K) with ``dim`` axes in all."""
    return mask.reshape(mask.shape[0], *(1,) * (dim - 3), *mask.shape[1:])


def _check_range(valid_lens: Tensor, num_keys: int) -> None:
    if valid_lens.numel() == 0:
        return
    low, high = (int(v) for v in torch.aminmax(valid_lens))
    if low < 0:
        raise ValueError(f"valid length {low} is negative; nearest: 0")
    if high > num_keys:
        raise ValueError(f"valid length {high} is more than the {num_keys} keys; nearest: {num_keys}")
