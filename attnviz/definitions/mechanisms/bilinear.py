"""Bilinear attention (Luong et al. 2015, "general"): a learned matrix stands between queries and keys."""

from attnviz.definitions.mechanisms.mechanism import PRODUCT, Column, Mechanism, Parameter

BILINEAR = Mechanism(
    name="bilinear",
    title="Bilinear",
    help="Scores are products of queries and keys with a learned matrix between them, so that the two may differ in "
    "size.",
    description="Bilinear attention",
    parameters=(Parameter("W_a", "query_size", "key_size"),),
    scores=lambda q, k, p, xp: q @ p["W_a"] @ k.swapaxes(-2, -1),
    columns=(
        Column("q W_a", lambda cell: cell.q @ cell.parameters["W_a"]),
        Column("k", lambda cell: cell.k),
        Column(PRODUCT, lambda cell: (cell.q @ cell.parameters["W_a"]) * cell.k),
    ),
    sum_title="Σ q W_a · k",
    # The queries times the matrix.
    scratch=lambda sizes, number: number * sizes["batch_size"] * sizes["num_queries"] * sizes["key_size"],
    latex=r"\mathbf{Q}\mathbf{W}_a\mathbf{K}^\top",
    spoken="Q W_a K transposed",
    score_words="their product through W_a",
    class_name="BilinearAttention",
    docstring="Scores are q W_a k.",
    torch_scores="queries @ self.W_a.weight @ keys.transpose(-2, -1)",
)
