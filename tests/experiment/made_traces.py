"""Traces put together by hand, without a run, for what a trace says about itself."""

from typing import Any

import numpy as np

from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression_trace import RegressionTrace


def attention_trace(weights: Any, mask: Any = True, scores: Any = 0.0, **values: Any) -> AttentionTrace:
    """Return a trace with these (B, h, Q, K) weights, mask and scores; every other array is zeros of its shape."""
    weights = np.asarray(weights, np.float32)
    batch, heads, queries, keys = weights.shape
    spec = make_spec(
        {
            "num_heads": heads,
            "num_hiddens": 2 * heads,
            "batch_size": batch,
            "num_queries": queries,
            "num_kvpairs": keys,
            **values,
        }
    )
    mask = np.broadcast_to(mask, weights.shape)
    scores = np.broadcast_to(np.asarray(scores, np.float32), weights.shape)

    def zeros(*shape: int) -> np.ndarray[Any, Any]:
        return np.zeros(shape, np.float32)

    return AttentionTrace(
        spec=spec,  # type: ignore[arg-type]
        queries=zeros(batch, queries, 2 * heads),
        keys=zeros(batch, keys, 2 * heads),
        values=zeros(batch, keys, 2 * heads),
        parameters={name: zeros(2 * heads, 2 * heads) for name in ("W_q", "W_k", "W_v", "W_o")},
        q=zeros(batch, heads, queries, 2),
        k=zeros(batch, heads, keys, 2),
        v=zeros(batch, heads, keys, 2),
        scores=scores,
        mask=mask,
        masked_scores=np.where(mask, scores, -np.inf),
        weights=weights,
        dropped_weights=weights * 2,
        heads=zeros(batch, heads, queries, 2),
        merged=zeros(batch, queries, 2 * heads),
        output=zeros(batch, queries, 2 * heads),
        query_tokens=tuple(map(str, range(queries))),
        key_tokens=tuple(map(str, range(keys))),
        device="cpu",
        milliseconds=0.25,
    )


def regression_trace(
    weights: Any, loss: Any = (), w: Any = (), w_start: float | None = None, **given: Any
) -> RegressionTrace:
    """Return a trace with these (Q, K) weights, which are its kernel's heights too, and this training.

    Predictions, truth and training outputs are zeros unless given.
    """
    weights = np.asarray(weights, float)
    queries, points = weights.shape
    estimator = "nonparametric" if w_start is None else "parametric"
    arrays = {
        "y_hat": np.zeros(queries),
        "y_truth": np.zeros(queries),
        "y_train": np.zeros(points),
        "kernel_values": weights.copy(),
    } | {k: np.asarray(v, float) for k, v in given.items()}
    return RegressionTrace(
        spec=make_spec({"lab": "regression", "estimator": estimator}),  # type: ignore[arg-type]
        x_train=np.arange(points, dtype=float),
        x_test=np.arange(queries, dtype=float),
        **arrays,
        weights=weights,
        loss=np.asarray(loss, float),
        w=np.asarray(w, float),
        w_start=w_start,
        device="cpu",
        dtype="float64",
        milliseconds=0.25,
    )
