"""Scoring functions: how well a query and a key agree (book: "Attention Scoring Functions").

Shape letters: B batch, h heads, Q queries, K keys, d size of a query, H hidden features.
"""

import math

from torch import Tensor, nn

from attnviz.attention.masking import MaskPolicy
from attnviz.attention.module import QueryKeyValueAttention, attention_mask, project, projection
from attnviz.attention.stages import AttentionStages


def scaled_dot_product_scores(
    queries: Tensor, keys: Tensor, *, scaled: bool = True, temperature: float = 1.0
) -> Tensor:
    """Return ``q kᵀ / (sqrt(d) * temperature)`` of shape (..., Q, K) for queries (..., Q, d) and keys (..., K, d).

    Dividing by sqrt(d) keeps the variance of a score at 1 for any d, so the softmax does not saturate as d
    grows; ``scaled=False`` leaves it out to show just that.

    Raises:
        ValueError: queries and keys differ in size.
    """
    size, size_of_keys = queries.shape[-1], keys.shape[-1]
    if size != size_of_keys:
        raise ValueError(
            f"queries of size {size} and keys of size {size_of_keys} have no dot product; "
            "use equal sizes, or additive attention"
        )
    scores = queries @ keys.transpose(-2, -1)
    divisor = temperature * (math.sqrt(size) if scaled else 1.0)
    # In place: the product is ours, autograd does not need it, and a copy would cost as much as a softmax.
    return scores if divisor == 1.0 else scores.div_(divisor)


class DotProductAttention(QueryKeyValueAttention):
    """Scaled dot-product attention without any learned matrix (book: "Scaled Dot-Product Attention").

    Queries and keys are of equal size; the output has the size of the values.
    """

    def __init__(
        self,
        dropout: float = 0.0,
        *,
        scaled: bool = True,
        temperature: float = 1.0,
        mask_policy: MaskPolicy = "zero",
        upcast: bool = True,
    ) -> None:
        super().__init__(dropout, scaled=scaled, temperature=temperature, mask_policy=mask_policy, upcast=upcast)

    def stages(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> AttentionStages:
        """Return every stage; there is one head."""
        q, k, v = queries.unsqueeze(1), keys.unsqueeze(1), values.unsqueeze(1)
        scores = scaled_dot_product_scores(q, k, scaled=self.scaled, temperature=self.temperature)
        mask = attention_mask(scores, valid_lens, mask)
        pooling = self.pool(scores, v, mask)
        pooled = pooling.heads.squeeze(1)
        return AttentionStages(queries, keys, values, q, k, v, scores, mask, *pooling, pooled, pooled)


class AdditiveAttention(QueryKeyValueAttention):
    """Additive attention ``w_vᵀ tanh(W_q q + W_k k)``, without biases (book: "Additive Attention"; Bahdanau 2015).

    Queries and keys may differ in size; sizes not given are inferred on the first call. The output has the size of
    the values. A call needs B * Q * K * num_hiddens values at once.
    """

    def __init__(
        self,
        num_hiddens: int,
        dropout: float = 0.0,
        *,
        query_size: int | None = None,
        key_size: int | None = None,
        temperature: float = 1.0,
        mask_policy: MaskPolicy = "zero",
        upcast: bool = True,
    ) -> None:
        super().__init__(dropout, scaled=False, temperature=temperature, mask_policy=mask_policy, upcast=upcast)
        self.W_q = projection(query_size, num_hiddens, bias=False)
        self.W_k = projection(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)

    def stages(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> AttentionStages:
        """Return every stage; there is one head."""
        projected_q, projected_k = project("query", queries, self.W_q), project("key", keys, self.W_k)
        features = (projected_q[:, :, None] + projected_k[:, None]).tanh_()  # (B, Q, K, H); the sum is ours to reuse
        scores = self.w_v(features).squeeze(-1).unsqueeze(1)
        if self.temperature != 1.0:
            scores = scores / self.temperature
        mask = attention_mask(scores, valid_lens, mask)
        q, k, v = projected_q.unsqueeze(1), projected_k.unsqueeze(1), values.unsqueeze(1)
        pooling = self.pool(scores, v, mask)
        pooled = pooling.heads.squeeze(1)
        return AttentionStages(
            projected_q, projected_k, values, q, k, v, scores, mask, *pooling, pooled, pooled, features
        )
