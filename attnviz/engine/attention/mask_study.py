"""The study of a run's mask: other computations of the same attention, and by how much they differ."""

from collections.abc import Callable

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from attnviz.definitions.mechanisms.dot_product import DOT_PRODUCT_SCORES
from attnviz.definitions.score_steps.step import Place
from attnviz.experiment.arrays import NUMPY, Vector
from attnviz.experiment.attention.mask_study import Agreement, MaskStudy, MaskTrace, mask_trace
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.layers.layer import Array, Layer
from attnviz.experiment.run import ShouldStop

_ROUNDING = {"float16": 1e-2, "bfloat16": 5e-2, "float64": 1e-10}
"""By how much two orders of summation may differ; 1e-5 in float32."""


def run_study(
    study: MaskStudy, should_stop: ShouldStop, trace_of: Callable[[AttentionSpec, ShouldStop], AttentionTrace | None]
) -> MaskTrace | None:
    """Return the result of a study from the trace of its run; None if stopped.

    Raises:
        RunError: as the run.
    """
    trace = trace_of(study.of, should_stop)
    if trace is None or should_stop():
        return None
    return mask_trace(study, trace.layer, agreement_of(trace.layer))


def agreement_of(layer: Layer) -> Agreement:
    """Return by how much SDPA and a dense softmax in float64 differ from the weights of a layer."""
    known = ~layer.empty_rows[..., None]
    dense = _difference(np.where(known, layer.weights, 0), np.where(known, _dense_weights(layer), 0))
    values = _repeated(layer, layer.v)
    pooled = layer.weights.astype(np.float64) @ values.astype(np.float64)
    sdpa = _pooled_by_sdpa(layer, values)
    with_sdpa = None if sdpa is None else _difference(np.where(known, pooled, 0), np.where(known, sdpa, 0))
    return Agreement(with_sdpa, dense, _ROUNDING.get(layer.dtype, 1e-5))


def _difference(a: Array, b: Array) -> float:
    return float(np.abs(a.astype(np.float64) - b).max(initial=0.0))


def _repeated(layer: Layer, x: Array) -> Array:
    """Return keys or values (B, g, K, d) for every head, (B, h, K, d)."""
    return np.repeat(x, layer.num_heads // layer.num_kv_heads, axis=1)


def _masked_scores(layer: Layer) -> Vector:
    """Return the scores before the softmax in float64, -inf where the mask forbids a cell."""
    return np.where(layer.mask, layer.unmasked_scores.astype(np.float64), -np.inf)


def _dense_weights(layer: Layer) -> Vector:
    """Return the weights in float64; NaN in empty rows."""
    scores, at = _masked_scores(layer), Place(layer.q.shape[-1], np.arange(layer.num_heads)[:, None, None])
    for step in layer.steps:
        if step.does not in ("vectors", "divide", "add", "change"):
            weights: Vector = step.applied(scores, step.amount(layer.knobs, at, NUMPY), NUMPY)
            return weights
    softmax: Vector = NUMPY["softmax"](scores)
    return softmax


def _pooled_by_sdpa(layer: Layer, values: Array) -> Array | None:
    """Return the values pooled by SDPA in the dtype of the layer's arrays; None where it has no form.

    Where only divisors act on the products it gets queries, keys and mask; else the scores, as a bias of zeros.
    """
    steps = [step.does for step in layer.steps]
    if not set(steps) <= {"vectors", "divide", "add", "change"}:
        return None
    scale = 1.0
    for step in layer.steps:
        scale /= step.amount(layer.knobs, Place(layer.q.shape[-1]), NUMPY) if step.does == "divide" else 1.0
    v = torch.from_numpy(np.array(values))
    if set(steps) <= {"vectors", "divide"} and layer.mechanism.torch_scores == DOT_PRODUCT_SCORES["torch_scores"]:
        q, k = (torch.from_numpy(np.array(x)) for x in (layer.q, _repeated(layer, layer.k)))
        mask = torch.from_numpy(np.array(layer.mask))
        return scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale).numpy()
    bias = torch.from_numpy(_masked_scores(layer)).to(v.dtype)
    zeros = torch.zeros(*bias.shape[:2], bias.shape[2], 1, dtype=v.dtype)
    keys = torch.zeros(*bias.shape[:2], bias.shape[3], 1, dtype=v.dtype)
    return scaled_dot_product_attention(zeros, keys, v, attn_mask=bias).numpy()
