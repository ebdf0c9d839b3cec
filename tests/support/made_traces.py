"""Traces built by hand, without a run, for tests of their own methods."""

from dataclasses import replace
from typing import Any

import numpy as np

from attnviz.experiment.attention.trace import AttentionTrace, layer_of
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression.trace import OverlayCurve, RegressionTrace


def attention_trace(weights: Any, mask: Any = True, scores: Any = 0.0, **values: Any) -> AttentionTrace:
    """Return a trace with these (B, h, Q, K) weights, mask and scores; all other arrays are zeros."""
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

    layer = layer_of(
        spec,  # type: ignore[arg-type]
        queries=zeros(batch, queries, 2 * heads),
        keys=zeros(batch, keys, 2 * heads),
        values=zeros(batch, keys, 2 * heads),
        parameters={each.name: zeros(2 * heads, 2 * heads) for each in spec.mechanism_record.parameters},  # type: ignore[attr-defined]
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
    )
    return AttentionTrace(spec, layer, "cpu", 0.25)  # type: ignore[arg-type]


def with_layer(trace: AttentionTrace, **changes: Any) -> AttentionTrace:
    """Return a trace with changed fields of its layer."""
    return replace(trace, layer=replace(trace.layer, **changes))


def regression_trace(
    weights: Any,
    loss: Any = (),
    w: Any = (),
    w_start: Any = None,
    *,
    step: int | None = None,
    curves: tuple[OverlayCurve, ...] = (),
    left_out_error: float = float("nan"),
    values: dict[str, Any] | None = None,
    **given: Any,
) -> RegressionTrace:
    """Return a trace with these (Q, K) weights, also used as heights of the kernel, and this training.

    Predictions, truth and training outputs are zeros unless given. Several heads come as ``head_weights`` (h, Q, K)
    and ``shares`` (h,), with ``w`` (n, h) and ``w_start`` (h,). ``step`` is the last by default,
    ``curves`` are those of all overlays unless ``values`` of the spec name more, and ``mixture_path`` is zeros.
    """
    weights = np.asarray(weights, float)
    queries, points = weights.shape
    given = {name: np.asarray(array, float) for name, array in given.items()}
    heights = given.pop("kernel_values", weights.copy())
    head_weights = given.pop("head_weights", weights[None])
    heads = len(head_weights)
    learned = w_start is not None
    start = np.reshape(np.asarray(w_start, float), (1, heads)) if learned else np.empty((1, 0))
    w_path = np.concatenate([start, np.reshape(np.asarray(w, float), (-1, start.shape[1]))]) if learned else start
    arrays = {
        "y_hat": np.zeros(queries),
        "y_truth": np.zeros(queries),
        "y_train": np.zeros(points),
        "head_kernel_values": heights[None] if heads == 1 else head_weights.copy(),
        "shares": np.full(heads, 1 / heads),
        "mixture_path": np.zeros(w_path.shape),
    } | given
    of_heads = head_weights @ arrays["y_train"] if heads > 1 else arrays["y_hat"][None]
    asked = {
        "lab": "regression",
        "estimator": "parametric" if learned else "nonparametric",
        "num_heads": heads,
        "overlays": [curve.overlay.model_dump() for curve in curves],
    }
    return RegressionTrace(
        spec=make_spec(asked | (values or {})),  # type: ignore[arg-type]
        x_train=np.arange(points, dtype=float),
        x_test=np.arange(queries, dtype=float),
        **arrays,
        weights=weights,
        head_weights=head_weights,
        head_y_hat=of_heads,
        step=len(loss) if step is None else step,
        loss=np.asarray(loss, float),
        w_path=w_path,
        left_out_error=left_out_error,
        curves=curves,
        device="cpu",
        dtype="float64",
        milliseconds=0.25,
    )
