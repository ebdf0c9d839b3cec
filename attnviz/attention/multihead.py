"""Multi-head attention, the textbook's and the causal one of GPT-style code.

Shape letters: B batch, L tokens, Q queries, K keys, D hidden, h heads, d = D / h. All heads are one batched product:
there is no loop over heads, and the cost stays flat in h because each head has only D / h features.
"""

from torch import Tensor, nn
from typing_extensions import override

from attnviz.attention.masking import MaskPolicy, causal_mask
from attnviz.attention.module import (
    AttentionModule,
    QueryKeyValueAttention,
    check_divisible,
    project,
    projection,
)
from attnviz.attention.stages import AttentionStages


class MultiHeadAttention(QueryKeyValueAttention):
    """Multi-head attention (book: "Multi-Head Attention"; Vaswani et al. 2017).

    Projects queries, keys and values to ``num_hiddens``, lets each of ``num_heads`` heads attend within its own slice,
    and projects the concatenated heads through ``W_o``. Sizes not given are inferred on the first call.

    Raises:
        ValueError: num_hiddens is not divisible by num_heads.
    """

    def __init__(
        self,
        num_hiddens: int,
        num_heads: int,
        dropout: float,
        bias: bool = False,
        *,
        query_size: int | None = None,
        key_size: int | None = None,
        value_size: int | None = None,
        scaled: bool = True,
        temperature: float = 1.0,
        mask_policy: MaskPolicy = "zero",
        upcast: bool = True,
    ) -> None:
        super().__init__(dropout, scaled=scaled, temperature=temperature, mask_policy=mask_policy, upcast=upcast)
        check_divisible(num_hiddens, num_heads)
        self.num_heads = num_heads
        self.W_q = projection(query_size, num_hiddens, bias=bias)
        self.W_k = projection(key_size, num_hiddens, bias=bias)
        self.W_v = projection(value_size, num_hiddens, bias=bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)

    @override
    def projected(self, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return (
            project("query", queries, self.W_q),
            project("key", keys, self.W_k),
            project("value", values, self.W_v),
        )

    @override
    def project_heads(self, merged: Tensor) -> Tensor:
        output: Tensor = self.W_o(merged)
        return output


class CausalMultiHeadAttention(AttentionModule):
    """Causal self-attention as GPT-style code writes it: token i attends to tokens 0..i.

    ``context_length`` (GPT code also says block size) is the number of tokens the mask buffer is made for; shorter
    inputs use its corner. The output projection has a bias, the others only with ``qkv_bias``.

    Raises:
        ValueError: d_out is not divisible by num_heads.
    """

    mask: Tensor
    """(context_length, context_length), True above the diagonal: the forbidden cells."""

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
        *,
        scaled: bool = True,
        temperature: float = 1.0,
        mask_policy: MaskPolicy = "inf",
        upcast: bool = True,
    ) -> None:
        super().__init__(dropout, scaled=scaled, temperature=temperature, mask_policy=mask_policy, upcast=upcast)
        check_divisible(d_out, num_heads)
        self.num_heads = num_heads
        self.context_length = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        # On the CPU even under ``torch.device("meta")``, where tril would import tracing modules for about a second.
        self.register_buffer("mask", ~causal_mask(context_length, context_length, device="cpu"))

    def forward(self, x: Tensor, valid_lens: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
        """Return (B, L, d_out) for tokens x (B, L, d_in); a (L, L) or (B, L, L) mask narrows the causal one."""
        return self.stages(x, valid_lens, mask).output

    def stages(self, x: Tensor, valid_lens: Tensor | None = None, mask: Tensor | None = None) -> AttentionStages:
        """Return every stage, for all heads at once.

        Raises:
            ValueError: more tokens than the context length, or tokens of another size than d_in.
        """
        num_tokens = x.shape[1]
        if num_tokens > self.context_length:
            raise ValueError(
                f"{num_tokens} tokens are more than the context length {self.context_length}; "
                f"nearest: {self.context_length} tokens"
            )
        if x.shape[-1] != self.W_query.in_features:
            raise ValueError(f"d_in is {self.W_query.in_features}, but the tokens have size {x.shape[-1]}")
        projected = self.W_query(x), self.W_key(x), self.W_value(x)
        return self.attend(projected, valid_lens, mask, ~self.mask[:num_tokens, :num_tokens])

    @override
    def project_heads(self, merged: Tensor) -> Tensor:
        output: Tensor = self.out_proj(merged)
        return output
