"""The attention modules of Zhang et al., Dive into Deep Learning, and the module made from a mechanism's record.

Shape letters: B batch, L tokens, Q queries, K keys, D hidden, h heads, d = D / h, H hidden features. All heads are one
batched product: there is no loop over heads, and the cost stays flat in h because each head has only D / h features.
With ``num_kv_heads`` g < h the keys and values have g heads, each shared by h / g heads of the queries: grouped-query
attention (Ainslie et al. 2023), and with g = 1 multi-query attention (Shazeer 2019).
"""

from collections.abc import Mapping
from inspect import signature
from typing import Any

from torch import Tensor, nn
from typing_extensions import Unpack, override

from attnviz.attention.array_functions import TORCH
from attnviz.attention.masking import causal_mask
from attnviz.attention.module import (
    AttentionModule,
    AttentionStages,
    ModuleOptions,
    QueryKeyValueAttention,
    project,
    projection,
    size_of_shared,
)
from attnviz.definitions.mechanisms.mechanism import Mechanism, Parameter
from attnviz.definitions.score_steps.divide import TEMPERATURE


class DotProductAttention(QueryKeyValueAttention):
    """Scaled dot-product attention without any learned matrix (book: "Scaled Dot-Product Attention").

    Queries and keys are of equal size; the output has the size of the values.
    """


class AdditiveAttention(QueryKeyValueAttention):
    """Additive attention ``w_vᵀ tanh(W_q q + W_k k)``, without biases (book: "Additive Attention"; Bahdanau 2015).

    Queries and keys may differ in size; sizes not given are inferred on the first call. The output has the size of
    the values. A call needs B * Q * K * num_hiddens values at once.
    """

    steps = (TEMPERATURE,)

    def __init__(
        self,
        num_hiddens: int,
        dropout: float = 0.0,
        *,
        query_size: int | None = None,
        key_size: int | None = None,
        **options: Unpack[ModuleOptions],
    ) -> None:
        super().__init__(dropout, **options)
        self.W_q = projection(query_size, num_hiddens, bias=False)
        self.W_k = projection(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)

    @override
    def projected(self, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return project("query", queries, self.W_q), project("key", keys, self.W_k), values

    @override
    def compare(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        features = self.functions["tanh"](q[:, 0, :, None] + k[:, 0, None])  # (B, Q, K, H)
        return self.w_v(features).squeeze(-1).unsqueeze(1), features


class MultiHeadAttention(QueryKeyValueAttention):
    """Multi-head attention (book: "Multi-Head Attention"; Vaswani et al. 2017).

    Projects queries, keys and values to ``num_hiddens``, lets each of ``num_heads`` heads attend within its own slice,
    and projects the concatenated heads through ``W_o``. Sizes not given are inferred on the first call.

    Raises:
        ValueError: num_hiddens is not divisible by num_heads, or num_heads not by num_kv_heads.
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
        num_kv_heads: int | None = None,
        **options: Unpack[ModuleOptions],
    ) -> None:
        super().__init__(dropout, **options)
        shared = size_of_shared(num_hiddens, num_heads, num_kv_heads)
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads or num_heads
        self.W_q = projection(query_size, num_hiddens, bias=bias)
        self.W_k = projection(key_size, shared, bias=bias)
        self.W_v = projection(value_size, shared, bias=bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)

    @override
    def projected(self, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return (project("query", queries, self.W_q), project("key", keys, self.W_k), project("value", values, self.W_v))

    @override
    def project_heads(self, merged: Tensor) -> Tensor:
        output: Tensor = self.W_o(merged)
        return output


class CausalMultiHeadAttention(AttentionModule):
    """Causal self-attention as in Raschka, Build a Large Language Model: token i attends to tokens 0..i.

    ``context_length`` (GPT code also says block size) is the number of tokens the mask buffer is made for; shorter
    inputs use its corner. The output projection has a bias, the others only with ``qkv_bias``.

    Raises:
        ValueError: d_out is not divisible by num_heads, or num_heads not by num_kv_heads.
    """

    mask: Tensor
    """(context_length, context_length), True above the diagonal: the masked cells."""

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
        num_kv_heads: int | None = None,
        **options: Unpack[ModuleOptions],
    ) -> None:
        options.setdefault("mask_policy", "inf")
        super().__init__(dropout, **options)
        shared = size_of_shared(d_out, num_heads, num_kv_heads)
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads or num_heads
        self.context_length = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, shared, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, shared, bias=qkv_bias)
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


MODULES: dict[str, type[AttentionModule]] = {
    "dot_product": DotProductAttention,
    "additive": AdditiveAttention,
    "multi_head": MultiHeadAttention,
    "causal_multi_head": CausalMultiHeadAttention,
}
"""The modules with a class of their own; every other mechanism is a `RecordAttention`."""


def make_module(record: Mechanism, sizes: Mapping[str, int], **options: Any) -> AttentionModule:
    """Return the module of a mechanism, with uninitialised parameters.

    Args:
        record: the mechanism.
        sizes: every size of a spec by name: query_size, num_hiddens, ...
        options: bias, dropout and those of `ModuleOptions`; each class ignores options it does not have.

    Raises:
        ValueError: the mechanism has no module because its weights are given.
    """
    if record.is_given:
        raise ValueError("given weights have no module")
    if record.name not in MODULES:
        return RecordAttention(record, sizes, **options)
    known = {record.names.get(name, name): value for name, value in {**options, **sizes}.items()}
    module = MODULES[record.name]
    takes = {*signature(module).parameters, *ModuleOptions.__annotations__}
    return module(**{name: value for name, value in known.items() if name in takes})


class RecordAttention(QueryKeyValueAttention):
    """Attention built from a mechanism's record: its parameters as linear layers, and its scores.

    Every step after the scores (mask, softmax, dropout, pooling, heads) is that of the other modules.
    """

    functions = TORCH  # a record may return scores that are referenced elsewhere

    def __init__(
        self,
        record: Mechanism,
        sizes: Mapping[str, int],
        *,
        bias: bool = False,
        dropout: float = 0.0,
        **options: Unpack[ModuleOptions],
    ) -> None:
        super().__init__(dropout, **options)
        self.record = record
        self.steps, self.rotation = record.steps, record.rotation
        self.num_heads = sizes["num_heads"] if record.headed else 1
        self.num_kv_heads = sizes.get("num_kv_heads", 0) if record.shares_keys else 0
        for parameter in record.parameters:
            out_size, in_size = parameter.shape(sizes)
            self.add_module(parameter.attribute, nn.Linear(in_size, out_size, bias=parameter.has_bias(bias)))

    @override
    def projected(self, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        layers = (self.record.projection(name) for name in ("queries", "keys", "values"))
        q, k, v = (self._applied(layer, x) for layer, x in zip(layers, (queries, keys, values), strict=True))
        return q, k, v

    @override
    def compare(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor | None]:
        record = self.record
        assert record.scores is not None
        weights: dict[str, Any] = {each.name: self._layer(each).weight for each in record.parameters}
        weights |= self.mechanism_knobs
        scores = record.scores(q, k, weights, TORCH)
        return scores, record.features.values(q, k, weights, TORCH).squeeze(1) if record.features else None

    @override
    def project_heads(self, merged: Tensor) -> Tensor:
        return self._applied(self.record.output, merged)

    def _layer(self, parameter: Parameter) -> nn.Linear:
        layer = getattr(self, parameter.attribute)
        assert isinstance(layer, nn.Linear)
        return layer

    def _applied(self, parameter: Parameter | None, x: Tensor) -> Tensor:
        """Return the layer's output for ``x``, or ``x`` itself if there is no layer."""
        if parameter is None:
            return x
        applied: Tensor = self._layer(parameter)(x)
        return applied
