"""Additive attention (Zhang et al., "Additive Attention"; Bahdanau 2015)."""

from attnviz.definitions.mechanisms.mechanism import PRODUCT, Column, Features, Mechanism, Parameter
from attnviz.definitions.score_steps.divide import TEMPERATURE

_FEATURES = Features(
    name="tanh",
    values=lambda q, k, p, xp: xp["tanh"](q[..., :, None, :] + k[..., None, :, :]),
    factors="w_v",
    limit=1.0,
    latex=r"\tanh(\mathbf{W}_q \mathbf{q} + \mathbf{W}_k \mathbf{k})",
    spoken="tanh of W_q q + W_k k, {d} features",
)
ADDITIVE = Mechanism(
    name="additive",
    title="Additive",
    help="Scores are a learned sum of tanh features, so queries and keys may differ in size.",
    description="Additive attention",
    parameters=(
        Parameter("W_q", "num_hiddens", "query_size", of="queries"),
        Parameter("W_k", "num_hiddens", "key_size", of="keys"),
        Parameter("w_v", 1, "num_hiddens"),
    ),
    features=_FEATURES,
    scores=lambda q, k, p, xp: (_FEATURES.values(q, k, p, xp) @ p["w_v"].swapaxes(-2, -1))[..., 0],
    columns=(
        Column("W_q q", lambda cell: cell.q),
        Column("W_k k", lambda cell: cell.k),
        Column("tanh", lambda cell: cell.features),
        Column("w_v", lambda cell: cell.parameters["w_v"][0]),
        Column(PRODUCT, lambda cell: cell.parameters["w_v"][0] * cell.features),
    ),
    sum_title="Σ w_v · tanh",
    steps=(TEMPERATURE,),
    # The features: summed and passed through tanh in place.
    scratch=lambda sizes, number: (
        number * sizes["batch_size"] * sizes["num_queries"] * sizes["num_kvpairs"] * sizes["num_hiddens"]
    ),
    latex=rf"\mathbf{{w}}_v^\top {_FEATURES.latex}",
    symbol="S",
    spoken="w_v times tanh",
    score_words="w_v times their {d} tanh features",
    class_name="AdditiveAttention",
    docstring="Scores are w_v tanh(W_q q + W_k k).",
    torch_lines=("features = torch.tanh(queries[:, :, None] + keys[:, None])",),
    torch_scores="self.w_v(features).squeeze(-1)",
)
