"""Kernels: how the weight of a training point falls with its distance from the query (book: "Attention Pooling").

Queries are the inputs to predict at, keys the training inputs. Shape letters: Q queries, K training points.
"""

from typing import Literal, NamedTuple

import torch
from torch import Tensor

from attnviz.attention.masking import MaskPolicy

Kernel = Literal["gaussian", "boxcar", "epanechnikov", "triangular", "constant"]


class KernelStages(NamedTuple):
    """What a kernel makes of every query and key: its heights, and each row of them divided by its sum."""

    kernel_values: Tensor
    """(Q, K), K(u), at most 1."""
    weights: Tensor
    """(Q, K)."""


def kernel_values(queries: Tensor, keys: Tensor, kernel: Kernel = "gaussian", width: float = 1.0) -> Tensor:
    """Return the (Q, K) heights K(u) of a kernel at u = (q - k) / width, up to a factor that its height at 0 is 1.

    gaussian exp(-u²/2), boxcar |u| < 1, epanechnikov max(0, 1 - u²), triangular max(0, 1 - |u|), constant 1.

    Raises:
        ValueError: ``width`` is not above 0.
    """
    u = _in_widths(queries, keys, width)
    match kernel:
        case "gaussian":
            return gaussian_scores(u).exp()
        case "boxcar":
            return (u.abs() < 1).to(u.dtype)
        case "epanechnikov":
            return (1 - u**2).clamp(min=0)
        case "triangular":
            return (1 - u.abs()).clamp(min=0)
        case "constant":
            return torch.ones_like(u)


def kernel_weights(
    queries: Tensor,
    keys: Tensor,
    kernel: Kernel = "gaussian",
    width: float = 1.0,
    *,
    policy: MaskPolicy = "zero",
    mask: Tensor | None = None,
) -> Tensor:
    """Return the (Q, K) Nadaraya-Watson weights K((q - k) / width), each row divided by its sum.

    The gaussian is a softmax over -u²/2, which never underflows to an empty row.

    Args:
        queries: (Q,).
        keys: (K,).
        kernel: see `kernel_values`.
        width: what a distance is divided by.
        policy: what a row that no training point reaches holds: 0 throughout, 1 / K throughout (``book``: what a fill
            of -1e6 comes to), or NaN.
        mask: (Q, K), True where a query may attend to a key; None allows everything. A gaussian's leaves each query
            at least one key.

    Raises:
        ValueError: ``width`` is not above 0.
    """
    if kernel == "gaussian":
        return gaussian_weights(gaussian_scores(_in_widths(queries, keys, width)), mask)
    return _over_sums(_allowed(kernel_values(queries, keys, kernel, width), mask), policy)


def kernel_stages(
    queries: Tensor,
    keys: Tensor,
    kernel: Kernel = "gaussian",
    width: float = 1.0,
    *,
    policy: MaskPolicy = "zero",
    mask: Tensor | None = None,
) -> KernelStages:
    """Return `kernel_values` and `kernel_weights`; what the two have in common is computed once.

    Raises:
        ValueError: ``width`` is not above 0.
    """
    if kernel == "gaussian":
        return gaussian_stages(gaussian_scores(_in_widths(queries, keys, width)), mask)
    heights = kernel_values(queries, keys, kernel, width)
    return KernelStages(heights, _over_sums(_allowed(heights, mask), policy))


def gaussian_scores(u: Tensor) -> Tensor:
    """Return -u²/2, the logarithm of a gaussian's heights, for distances in widths."""
    return -(u**2) / 2


def gaussian_stages(scores: Tensor, mask: Tensor | None = None) -> KernelStages:
    """Return the heights of a gaussian's scores and their softmax over the last axis, over what a mask allows."""
    return KernelStages(scores.exp(), gaussian_weights(scores, mask))


def gaussian_weights(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Return the softmax of a gaussian's scores over the last axis, over what a mask allows."""
    return (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(dim=-1)


def _in_widths(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    if not width > 0:
        raise ValueError(f"width {width} must be above 0")
    return (queries[:, None] - keys) / width


def _allowed(heights: Tensor, mask: Tensor | None) -> Tensor:
    return heights if mask is None else heights * mask


def _over_sums(heights: Tensor, policy: MaskPolicy) -> Tensor:
    """Return heights (Q, K), each row over its sum; a row of zeros becomes what the policy says."""
    total = heights.sum(dim=-1, keepdim=True)
    empty = {"zero": 0.0, "book": 1 / heights.shape[-1], "inf": torch.nan}[policy]
    return torch.where(total > 0, heights / total.clamp(min=torch.finfo(heights.dtype).tiny), empty)
