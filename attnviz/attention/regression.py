"""Attention pooling: kernel regression read as attention (Zhang et al., "Attention Pooling").

Queries are the inputs to predict at, keys the training inputs, values the training outputs. Shape letters: Q queries, K
training points, h heads.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from attnviz.attention.kernels import gaussian_scores, softmax_stages, softmax_weights


class LearnedStages(NamedTuple):
    """A `NadarayaWatson` at every query and key, per head and averaged."""

    head_kernel_values: Tensor
    """(h, Q, K), the heights exp(-u²/2)."""
    head_weights: Tensor
    """(h, Q, K), the softmax weights of each head."""
    weights: Tensor
    """(Q, K), the heads' weights averaged by their shares."""


def average_weights(queries: Tensor, keys: Tensor) -> Tensor:
    """Return the weights of average pooling, (Q, K): 1 / K each, so every prediction is the mean of the values."""
    return queries.new_full((len(queries), len(keys)), 1 / len(keys))


def predict(weights: Tensor, values: Tensor) -> Tensor:
    """Return the predictions (Q,), weights (Q, K) @ values (K,); NaN (a gap in the curve) for an empty row."""
    return torch.where((weights != 0).any(dim=-1), weights @ values, torch.nan)


def leave_one_out(queries: Tensor, count: int) -> Tensor:
    """Return the (Q, K) mask that lets training point i attend to every training point but itself.

    Each training input is then predicted from the others and cannot copy its own value.

    Args:
        queries: (Q,), the indices of the training points used as queries.
        count: K.

    Raises:
        ValueError: fewer than two training points.
    """
    if count < 2:
        raise ValueError(f"leave-one-out needs at least 2 training points, not {count}")
    return torch.arange(count, device=queries.device) != queries[:, None]


class NadarayaWatson(nn.Module):
    """Kernel regression with one learned w: scores -((q - k) w)² / 2 (Zhang et al.: parametric pooling).

    w is 1 / width. ``forward`` takes queries (Q,), keys and values (K,) or (Q, K), and returns the predictions (Q,).

    With several w it has one head per w (an extension): each predicts with its own w, and a learned mixture, the
    softmax of ``mixture`` (h,), averages the predictions, as the output projection of multi-head attention would.
    """

    def __init__(self, w: float | Tensor, mixture: Tensor | None = None) -> None:
        super().__init__()
        first = w.detach().clone() if isinstance(w, Tensor) else torch.tensor(float(w))
        self.w = nn.Parameter(first)
        self.mixture = nn.Parameter(torch.zeros_like(first) if mixture is None else mixture.detach().clone())

    @property
    def learned(self) -> list[nn.Parameter]:
        """The learned parameters: w (h,), and with several heads ``mixture`` (h,)."""
        return [self.w] if self.w.dim() == 0 else [self.w, self.mixture]

    def shares(self) -> Tensor:
        """Return each head's share of the average, (h,); they sum to 1."""
        return self.mixture.reshape(-1).softmax(dim=-1)

    def weights(self, queries: Tensor, keys: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the (Q, K) attention weights, averaged over the heads; 0 where the (Q, K) mask is False."""
        return self._averaged(softmax_weights(self._scores(queries, keys), mask))

    def stages(self, queries: Tensor, keys: Tensor, mask: Tensor | None = None) -> LearnedStages:
        """Return the heights and weights of every head, (h, Q, K), and the averaged weights, (Q, K)."""
        heads = softmax_stages(self._scores(queries, keys), mask)
        return LearnedStages(*heads, self._averaged(heads.weights))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the predictions (Q,)."""
        of_heads = (softmax_weights(self._scores(queries, keys), mask) * values).sum(dim=-1)
        return of_heads[0] if self.w.dim() == 0 else self.shares() @ of_heads

    def _averaged(self, head_weights: Tensor) -> Tensor:
        """Return the weights (h, Q, K) averaged over the heads by their shares, (Q, K)."""
        return head_weights[0] if self.w.dim() == 0 else torch.einsum("h,hqk->qk", self.shares(), head_weights)

    def _scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Return -u²/2 of each distance in each head's widths, (h, Q, K)."""
        return gaussian_scores((queries[:, None] - keys) * self.w.reshape(-1, 1, 1))
