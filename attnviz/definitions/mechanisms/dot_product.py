"""Scaled dot-product attention (book: "Scaled Dot-Product Attention"); its scores are those of each head as well."""

from typing import Any

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

DOT_PRODUCT = Mechanism(
    name="dot_product",
    title="Dot product",
    help="Scores are products of queries and keys; nothing is learned.",
    description="Dot-product attention",
    rules=(
        Rule(
            field="key_size",
            code="sizes_differ",
            text="key_size {key_size} and query_size {query_size} have no dot product; nearest: {query_size}, "
            "or the additive module",
            holds=lambda spec: spec.size_of_queries == spec.size_of_keys,
            nearest="query_size",
        ),
    ),
    class_name="DotProductAttention",
    docstring="Scores are products of queries and keys; nothing is learned.",
    **DOT_PRODUCT_SCORES,
)
