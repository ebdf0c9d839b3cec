"""Scaled dot-product attention (Zhang et al.; Vaswani et al. 2017), whose scores are also those of each head."""

from typing import Any

from attnviz.definitions.legal import Legal
from attnviz.definitions.mechanisms.mechanism import Column, Mechanism, Rule

DOT_PRODUCT_SCORES: dict[str, Any] = {
    "scores": lambda q, k, p, xp: q @ k.swapaxes(-2, -1),
    "columns": (
        Column("q", lambda cell: cell.q),
        Column("k", lambda cell: cell.k),
        Column("q · k", lambda cell: cell.q * cell.k),
    ),
    "sum_title": "Σ q · k",
    "latex": r"\mathbf{Q}\mathbf{K}^\top",
    "spoken": "Q K transposed",
    "score_words": "their dot product",
    "torch_scores": "queries @ keys.transpose(-2, -1)",
}
"""Shared by all mechanisms whose scores are products of queries and keys."""


def _only(size: int, spec: Any) -> Legal | None:
    """Return the one size that a query or key may have given the other's: also 0, as hidden, if that is the same."""
    if spec.self_attention:
        return None
    return (0, size) if size == spec.num_hiddens else (size,)


def _given_one(spec: Any) -> Legal | None:
    """Return the only hidden size if just one of the two sizes is given, and the other is the hidden size."""
    sizes = [size for size in (spec.query_size, spec.key_size) if size]
    return None if spec.self_attention or len(sizes) != 1 else tuple(sizes)


DOT_PRODUCT = Mechanism(
    name="dot_product",
    title="Dot product",
    help="Scores are products of queries and keys; nothing is learned.",
    description="Dot-product attention",
    rules=(
        Rule(
            field="key_size",
            code="sizes_differ",
            text="key_size {key_size} and query_size {query_size} have no dot product; nearest: {nearest}, "
            "or the additive module",
            legal={
                "key_size": lambda spec: _only(spec.size_of_queries, spec),
                "query_size": lambda spec: _only(spec.size_of_keys, spec),
                "num_hiddens": _given_one,
            },
        ),
    ),
    class_name="DotProductAttention",
    docstring="Scores are products of queries and keys; nothing is learned.",
    **DOT_PRODUCT_SCORES,
)
