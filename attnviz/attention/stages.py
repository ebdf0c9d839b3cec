"""The record of one attention run: every tensor between the inputs and the output."""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, slots=True, eq=False)
class AttentionStages:
    """The output of each stage of an attention module; a stage that the module lacks passes its input on.

    Shape letters: B batch, Q queries, K keys, D hidden, h heads (1 where there are none), d = D / h, dv the features
    that a head's values have: d where they are projected, else those of the values.
    Stages that change nothing share one tensor: without a mask ``masked_scores is scores`` unless half
    precision is widened, without dropout ``dropped_weights is weights``.
    """

    projected_q: Tensor
    """(B, Q, D), the queries after their projection."""
    projected_k: Tensor
    """(B, K, D)."""
    projected_v: Tensor
    """(B, K, h dv)."""
    q: Tensor
    """(B, h, Q, d), a view of ``projected_q``, one slice per head."""
    k: Tensor
    """(B, h, K, d)."""
    v: Tensor
    """(B, h, K, dv)."""
    scores: Tensor
    """(B, h, Q, K), before the mask."""
    mask: Tensor | None
    """Boolean, broadcastable to the scores, True = may attend; None where every key is allowed."""
    masked_scores: Tensor
    """(B, h, Q, K); half precision is widened to float32 unless ``upcast`` is off."""
    weights: Tensor
    """(B, h, Q, K), after softmax and before dropout."""
    dropped_weights: Tensor
    """(B, h, Q, K), after dropout: the weights that pool the values."""
    heads: Tensor
    """(B, h, Q, dv), each head's pooled values."""
    merged: Tensor
    """(B, Q, h dv), the heads concatenated."""
    output: Tensor
    """(B, Q, h dv), after the output projection."""
    features: Tensor | None = None
    """(B, Q, K, H), the tanh features of additive attention; None elsewhere."""
