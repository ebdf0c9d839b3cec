"""The torch module of each scoring mechanism, found by its record's name, or made from the record alone."""

import math
from collections.abc import Mapping
from inspect import signature
from typing import Any

from torch import Tensor, nn
from typing_extensions import override

from attnviz.attention.array_functions import TORCH
from attnviz.attention.masking import MaskPolicy
from attnviz.attention.module import AttentionModule, QueryKeyValueAttention
from attnviz.attention.multihead import CausalMultiHeadAttention, MultiHeadAttention
from attnviz.attention.scoring import AdditiveAttention, DotProductAttention
from attnviz.definitions.mechanisms.mechanism import Mechanism, Parameter

MODULES: dict[str, type[AttentionModule]] = {
    "dot_product": DotProductAttention,
    "additive": AdditiveAttention,
    "multi_head": MultiHeadAttention,
    "causal_multi_head": CausalMultiHeadAttention,
}
"""The textbook's classes; a mechanism that is not here is a `RecordAttention`."""


def make_module(record: Mechanism, sizes: Mapping[str, int], **options: Any) -> AttentionModule:
    """Return the module of a mechanism, its parameters not yet drawn.

    Args:
        record: the mechanism.
        sizes: every size of a spec under its name: query_size, num_hiddens, ...
        options: bias, dropout, scaled, temperature, mask_policy and upcast; a class takes those that it has.

    Raises:
        ValueError: the mechanism has no module because its weights are given.
    """
    if record.is_given:
        raise ValueError("given weights have no module")
    if record.name not in MODULES:
        return RecordAttention(record, sizes, **options)
    known = {record.names.get(name, name): value for name, value in {**options, **sizes}.items()}
    module = MODULES[record.name]
    return module(**{name: known[name] for name in signature(module).parameters})


class RecordAttention(QueryKeyValueAttention):
    """Attention made from a record that has no class of its own: its parameters as linear layers, its scores.

    Every step after the scores (mask, softmax, dropout, pooling, heads) is that of the other modules.
    """

    def __init__(
        self,
        record: Mechanism,
        sizes: Mapping[str, int],
        *,
        bias: bool = False,
        dropout: float = 0.0,
        scaled: bool = True,
        temperature: float = 1.0,
        mask_policy: MaskPolicy = "zero",
        upcast: bool = True,
    ) -> None:
        super().__init__(dropout, scaled=scaled, temperature=temperature, mask_policy=mask_policy, upcast=upcast)
        self.record = record
        self.num_heads = sizes["num_heads"] if record.headed else 1
        for each in record.parameters:
            out_size, in_size = each.shape(sizes)
            self.add_module(each.attribute, nn.Linear(in_size, out_size, bias=each.has_bias(bias)))

    @override
    def projected(self, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        layers = (self.record.projection(name) for name in ("queries", "keys", "values"))
        q, k, v = (self._applied(layer, x) for layer, x in zip(layers, (queries, keys, values), strict=True))
        return q, k, v

    @override
    def score(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor | None]:
        record, size = self.record, q.shape[-1]
        assert record.scores is not None
        weights = {each.name: self._layer(each).weight for each in record.parameters}
        # The steps read fields of a spec; this module has them under the same names.
        scores = record.scores(q, k, weights, TORCH) / math.prod(s.amount(self, size) for s in record.acting(self))
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
