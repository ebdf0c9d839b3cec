"""Kernels: how the weight of a training point falls with its distance from the query.

See Zhang et al., Dive into Deep Learning, "Attention Pooling".

Queries are the inputs to predict at, keys the training inputs. Shape letters: Q queries, K training points.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from attnviz.attention.array_functions import TORCH
from attnviz.attention.masking import MaskPolicy
from attnviz.definitions.functions.kernels import KERNELS

Kernel = str
"""The name of a kernel in `attnviz.definitions.functions.kernels.KERNELS`."""


class KernelStages(NamedTuple):
    """A kernel at every query and key: its heights, and the weights, each row divided by its sum."""

    kernel_values: Tensor
    """(Q, K), the heights K(u), at most 1."""
    weights: Tensor
    """(Q, K), the heights over their row's sum."""


def kernel_values(queries: Tensor, keys: Tensor, kernel: Kernel = "gaussian", width: float = 1.0) -> Tensor:
    """Return the heights K(u), (Q, K), at u = (q - k) / width for queries (Q,) and keys (K,), scaled so that K(0) = 1.

    gaussian exp(-u²/2), boxcar |u| < 1, epanechnikov max(0, 1 - u²), triangular max(0, 1 - |u|), constant 1.

    Raises:
        KeyError: there is no such kernel.
        ValueError: ``width`` is not above 0.
    """
    return _heights(kernel, _in_widths(queries, keys, width))


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

    A kernel with a log_height, such as the gaussian, is a softmax over it, which never underflows to an empty row.

    Args:
        queries: (Q,).
        keys: (K,).
        kernel: see `kernel_values`.
        width: the kernel's width; distances are divided by it.
        policy: the weights of a row with no training point in reach: all 0, all 1 / K (``book``: the result of a fill
            with -1e6), or NaN.
        mask: (Q, K), True where a query may attend to a key; None allows everything. For a softmax it must leave each
            query at least one key.

    Raises:
        KeyError: there is no such kernel.
        ValueError: ``width`` is not above 0.
    """
    u = _in_widths(queries, keys, width)
    scores = _scores(kernel, u)
    if scores is not None:
        return softmax_weights(scores, mask)
    return _over_sums(_allowed(_heights(kernel, u), mask), policy)


def kernel_stages(
    queries: Tensor,
    keys: Tensor,
    kernel: Kernel = "gaussian",
    width: float = 1.0,
    *,
    policy: MaskPolicy = "zero",
    mask: Tensor | None = None,
) -> KernelStages:
    """Return `kernel_values` and `kernel_weights`, each (Q, K); their common part is computed once.

    Raises:
        KeyError: there is no such kernel.
        ValueError: ``width`` is not above 0.
    """
    u = _in_widths(queries, keys, width)
    scores = _scores(kernel, u)
    if scores is not None:
        return softmax_stages(scores, mask)
    heights = _heights(kernel, u)
    return KernelStages(heights, _over_sums(_allowed(heights, mask), policy))


def gaussian_scores(u: Tensor) -> Tensor:
    """Return -u²/2, the log of a gaussian's heights, in the shape of u, the distances in widths."""
    return KERNELS["gaussian"].log_heights(u, TORCH)  # type: ignore[no-any-return]


def softmax_stages(scores: Tensor, mask: Tensor | None = None) -> KernelStages:
    """Return exp(scores) and the masked softmax of scores (..., Q, K) over K; ``mask`` broadcasts to them."""
    return KernelStages(scores.exp(), softmax_weights(scores, mask))


def softmax_weights(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Return the softmax of scores (..., Q, K) over the keys that ``mask``, which broadcasts to them, allows."""
    return (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(dim=-1)


def _heights(kernel: Kernel, u: Tensor) -> Tensor:
    heights = KERNELS[kernel].heights(u, TORCH)
    return heights if isinstance(heights, Tensor) else torch.full_like(u, heights)


def _scores(kernel: Kernel, u: Tensor) -> Tensor | None:
    """Return the logs of the heights, in the shape of u; None if the weights are not a softmax."""
    record = KERNELS[kernel]
    return None if record.log_height is None else record.log_heights(u, TORCH)


def _in_widths(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    if not width > 0:
        raise ValueError(f"width {width} must be above 0")
    return (queries[:, None] - keys) / width


def _allowed(heights: Tensor, mask: Tensor | None) -> Tensor:
    return heights if mask is None else heights * mask


def _over_sums(heights: Tensor, policy: MaskPolicy) -> Tensor:
    """Return heights (Q, K), each row over its sum; the policy decides the result of a row of zeros."""
    total = heights.sum(dim=-1, keepdim=True)
    empty = {"zero": 0.0, "book": 1 / heights.shape[-1], "inf": torch.nan}[policy]
    return torch.where(total > 0, heights / total.clamp(min=torch.finfo(heights.dtype).tiny), empty)
