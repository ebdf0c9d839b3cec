"""Attention pooling: kernel regression in the attention reading (book: "Attention Pooling").

Queries are the inputs to predict at, keys the training inputs, values the training outputs.
Shape letters: Q queries, K training points.
"""

from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

Kernel = Literal["gaussian", "boxcar", "epanechnikov", "constant"]


class KernelStages(NamedTuple):
    """What a kernel makes of every query and key: its heights, and each row of them divided by its sum."""

    kernel_values: Tensor
    """(Q, K), K(u), at most 1."""
    weights: Tensor
    """(Q, K)."""


def average_weights(queries: Tensor, keys: Tensor) -> Tensor:
    """Return the (Q, K) weights of average pooling: 1 / K each, so every prediction is the mean of the values."""
    return queries.new_full((len(queries), len(keys)), 1 / len(keys))


def kernel_weights(queries: Tensor, keys: Tensor, kernel: Kernel = "gaussian", width: float = 1.0) -> Tensor:
    """Return the (Q, K) Nadaraya-Watson weights K((q - k) / width), each row divided by its sum.

    The gaussian is a softmax over -u²/2, which never underflows to an empty row. A row that no training point reaches
    holds 0 throughout.

    Raises:
        ValueError: ``width`` is not above 0.
    """
    if kernel == "gaussian":
        return _gaussian_scores(queries, keys, width).softmax(dim=-1)
    return _over_sums(kernel_values(queries, keys, kernel, width))


def kernel_values(queries: Tensor, keys: Tensor, kernel: Kernel = "gaussian", width: float = 1.0) -> Tensor:
    """Return the (Q, K) heights K(u) of a kernel at u = (q - k) / width, up to a factor that its height at 0 is 1.

    gaussian exp(-u²/2), boxcar |u| < 1, epanechnikov max(0, 1 - u²), constant 1.

    Raises:
        ValueError: ``width`` is not above 0.
    """
    if kernel == "gaussian":
        return _gaussian_scores(queries, keys, width).exp()
    u = _in_widths(queries, keys, width)
    if kernel == "boxcar":
        return (u.abs() < 1).to(u.dtype)
    return (1 - u**2).clamp(min=0) if kernel == "epanechnikov" else torch.ones_like(u)


def kernel_stages(queries: Tensor, keys: Tensor, kernel: Kernel = "gaussian", width: float = 1.0) -> KernelStages:
    """Return `kernel_values` and `kernel_weights`; what the two have in common is computed once.

    Raises:
        ValueError: ``width`` is not above 0.
    """
    if kernel == "gaussian":
        return _softmax_stages(_gaussian_scores(queries, keys, width))
    heights = kernel_values(queries, keys, kernel, width)
    return KernelStages(heights, _over_sums(heights))


def predict(weights: Tensor, values: Tensor) -> Tensor:
    """Return the (Q,) predictions ``weights @ values``; NaN, a gap, where a row holds no weight at all."""
    return torch.where((weights != 0).any(dim=-1), weights @ values, torch.nan)


def leave_one_out(values: Tensor) -> Tensor:
    """Return (K, K - 1): row i holds every value but the i-th, in order.

    With it each training input can be the query while the others are its keys, so that it cannot copy itself.

    Raises:
        ValueError: fewer than two values.
    """
    count = len(values)
    if count < 2:
        raise ValueError(f"leave-one-out needs at least 2 training points, not {count}")
    others = ~torch.eye(count, dtype=torch.bool, device=values.device)
    return values.expand(count, count)[others].reshape(count, count - 1)


class NadarayaWatson(nn.Module):
    """Kernel regression with one learned scalar w: scores -((q - k) w)² / 2 (book: parametric attention pooling).

    w is 1 / width. ``forward`` takes queries (Q,), keys and values (K,) or (Q, K), and returns the predictions (Q,).
    """

    def __init__(self, w: float | Tensor) -> None:
        super().__init__()
        self.w = nn.Parameter(w.detach().clone() if isinstance(w, Tensor) else torch.tensor(float(w)))

    def weights(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Return the (Q, K) attention weights."""
        return self._scores(queries, keys).softmax(dim=-1)

    def stages(self, queries: Tensor, keys: Tensor) -> KernelStages:
        """Return exp of the scores, the gaussian's height, and the attention weights; the scores are computed once."""
        return _softmax_stages(self._scores(queries, keys))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Return the predictions (Q,)."""
        return (self.weights(queries, keys) * values).sum(dim=-1)

    def _scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        return -(((queries[:, None] - keys) * self.w) ** 2) / 2


def _in_widths(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    if not width > 0:
        raise ValueError(f"width {width} must be above 0")
    return (queries[:, None] - keys) / width


def _gaussian_scores(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return -(_in_widths(queries, keys, width) ** 2) / 2


def _softmax_stages(scores: Tensor) -> KernelStages:
    return KernelStages(scores.exp(), scores.softmax(dim=-1))


def _over_sums(heights: Tensor) -> Tensor:
    """Return heights (Q, K), each row over its sum; a row of zeros stays one."""
    total = heights.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, heights / total.clamp(min=torch.finfo(heights.dtype).tiny), 0.0)
