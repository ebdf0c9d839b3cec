"""Attention pooling: kernel regression in the attention reading (book: "Attention Pooling").

Queries are the inputs to predict at, keys the training inputs, values the training outputs.
Shape letters: Q queries, K training points.
"""

from typing import Literal

import torch
from torch import Tensor, nn

Kernel = Literal["gaussian", "boxcar", "epanechnikov", "constant"]


def average_weights(queries: Tensor, keys: Tensor) -> Tensor:
    """Return the (Q, K) weights of average pooling: 1 / K each, so every prediction is the mean of the values."""
    return queries.new_full((len(queries), len(keys)), 1 / len(keys))


def kernel_weights(queries: Tensor, keys: Tensor, kernel: Kernel = "gaussian", width: float = 1.0) -> Tensor:
    """Return the (Q, K) Nadaraya-Watson weights K((q - k) / width), each row divided by its sum.

    The kernels, up to a factor that the division cancels: gaussian exp(-u²/2), boxcar |u| < 1, epanechnikov
    max(0, 1 - u²), constant 1. The gaussian is a softmax over -u²/2, which never underflows to an empty row.
    A row that no training point reaches holds 0 throughout.

    Raises:
        ValueError: ``width`` is not above 0.
    """
    if not width > 0:
        raise ValueError(f"width {width} must be above 0")
    u = (queries[:, None] - keys) / width
    if kernel == "gaussian":
        return (-(u**2) / 2).softmax(dim=-1)
    heights = {
        "boxcar": lambda: (u.abs() < 1).to(u.dtype),
        "epanechnikov": lambda: (1 - u**2).clamp(min=0),
        "constant": lambda: torch.ones_like(u),
    }[kernel]()
    total = heights.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, heights / total.clamp(min=torch.finfo(u.dtype).tiny), 0.0)


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
        return (-(((queries[:, None] - keys) * self.w) ** 2) / 2).softmax(dim=-1)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Return the predictions (Q,)."""
        return (self.weights(queries, keys) * values).sum(dim=-1)
