"""Scoring functions: how well a query and a key agree (book: "Attention Scoring Functions").

Shape letters: B batch, h heads, Q queries, K keys, d size of a query, H hidden features.
"""

from torch import Tensor, nn
from typing_extensions import override

from attnviz.attention.masking import MaskPolicy
from attnviz.attention.module import QueryKeyValueAttention, project, projection


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

    @override
    def projected(self, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return project("query", queries, self.W_q), project("key", keys, self.W_k), values

    @override
    def score(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        features = (q[:, 0, :, None] + k[:, 0, None]).tanh_()  # (B, Q, K, H); in place, since the sum is not needed
        scores = self.w_v(features).squeeze(-1).unsqueeze(1)
        return (scores if self.temperature == 1.0 else scores / self.temperature), features
