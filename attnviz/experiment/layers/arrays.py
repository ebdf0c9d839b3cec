"""A layer from arrays: weights computed by another model, with the known parts of its computation."""

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.score_steps import steps_of
from attnviz.definitions.score_steps.step import Place, scored
from attnviz.definitions.stages import STAGES, stages_of
from attnviz.definitions.text import Text, number_said
from attnviz.experiment.arrays import BLOCK_CELLS, NUMPY, read_only
from attnviz.experiment.layers.knobs import Knobs
from attnviz.experiment.layers.layer import Array, Layer, Masks

Product = Callable[[Array, Array], Array]
"""Multiplies (..., n, d) by (..., d, m) matrices."""
AGREES = 0.02
"""The tolerance between softmax(q . k scale) and the weights, relative to the row's largest: that of half precision."""
_OF_ARRAYS = ("project", "output")
"""The stages that arrays of queries, keys and values do not have."""


def layer_of_arrays(
    weights: Array,
    mask: NDArray[np.bool_],
    query_tokens: tuple[str, ...],
    key_tokens: tuple[str, ...],
    *,
    q: Array | None = None,
    k: Array | None = None,
    v: Array | None = None,
    scale: float | None = None,
    masks: Masks | None = None,
    score_steps: Mapping[str, Mapping[str, float]] | None = None,
    bias: Array | None = None,
    cooling: float = 1.0,
    sinks: Array | None = None,
    heads: Array | None = None,
    holds_masked: bool = True,
    product: Product = np.matmul,
    checked: slice = slice(None),
    **further: Any,
) -> Layer:
    """Return the layer of (B, h, Q, K) weights.

    With q (B, h, Q, d) and k (B, g, K, d) it has the stages before the weights too, unless these do not lead to the
    weights: then its note says by how much they differ. With v (B, g, K, e) it has the pooled values, (B, h, Q, e).

    ``scale`` is the factor of q . k, None is 1 / sqrt(d); ``masks`` are those that make up ``mask``, with their states,
    None if they are not known; ``score_steps`` has the options of each active one of `SCORE_STEPS`, by name; ``bias``
    (h or 1, Q, K) is added to the scores, ``cooling`` divides them after every other step, ``sinks`` (h,) are those of
    each head; ``heads`` (B, h, Q, e) are the pooled values, if they differ from weights times v; ``holds_masked`` says
    whether the layer stores its masked scores, or computes those of a query on demand; ``product`` multiplies matrices:
    beside an engine with threads of its own, numpy's wait for these; ``checked`` are the queries whose scores are
    compared with the weights; ``further`` are other fields of the layer.
    """
    batch, count, queries, keys = weights.shape
    none: dict[str, tuple[int, ...]] = {
        "q": (batch, count, queries),
        "k": (batch, count, keys),
        "v": (batch, count, keys),
    }
    none |= {"queries": (batch, queries), "keys": (batch, keys), "values": (batch, keys)}
    none |= {"scores": (batch, count, queries), "masked_scores": (batch, count, queries)}
    none |= {"heads": (batch, count, queries), "merged": (batch, queries), "output": (batch, queries)}
    held: dict[str, Any] = {name: read_only(np.zeros((*shape, 0), np.float32)) for name, shape in none.items()}
    held |= {"weights": weights, "dropped_weights": weights, "mask": mask, "parameters": {}, "masks": masks}
    held |= {"query_tokens": query_tokens, "key_tokens": key_tokens, "dtype": str(weights.dtype)}
    knobs = Knobs(mechanism="given", num_heads=count)
    names: tuple[str, ...] = ("weights",)
    if q is not None and k is not None:
        size = q.shape[-1]
        usual = scale is None or math.isclose(scale, 1 / math.sqrt(size), rel_tol=1e-6)
        unscaled = scale is None or math.isclose(scale, 1.0, rel_tol=1e-6)
        tried = Knobs(
            mechanism="dot_product",
            num_heads=count,
            scaled=usual,
            divisor=None if usual or unscaled or scale is None else 1 / scale,
            score_steps=score_steps or {},
            score_bias=bias,
            cooling=None if cooling == 1 else cooling,
            sinks=sinks,
        )
        before = _before_the_weights(q, k, mask, tried, product, holds_masked=holds_masked)
        apart = _apart(before.pop("softmax_of"), weights, mask, checked)
        if apart <= AGREES:
            if not holds_masked:
                del before["masked_scores"]
            knobs, held = tried, held | before | {"q": q, "k": k}
            names = tuple(name for name in stages_of(knobs) if name not in _OF_ARRAYS)
        else:
            further["note"] = Text(
                "softmax(q · k × scale) differs from the given weights by up to {apart} of a row's largest: the stages "
                "before the weights are left out.",
                {"apart": number_said(apart)},
            )
    if v is not None:
        values = np.repeat(v, count // v.shape[1], axis=1)
        pooled = np.matmul(np.nan_to_num(weights), values) if heads is None else heads
        held |= {"v": v, "heads": read_only(pooled)}
        held["merged"] = read_only(pooled.transpose(0, 2, 1, 3).reshape(batch, queries, -1))
        names = (*names, "heads", *(("merge",) if count > 1 else ()))
    held = {name: read_only(each) if isinstance(each, np.ndarray) else each for name, each in held.items()}
    stages = tuple(STAGES[name] for name in names)
    named = {"origin": "Given arrays", **further}
    return Layer(stages=stages, mechanism=MECHANISMS[knobs.mechanism], knobs=knobs, **held, **named)


def _before_the_weights(
    q: Array, k: Array, mask: NDArray[np.bool_], knobs: Knobs, product: Product, *, holds_masked: bool
) -> dict[str, Any]:
    """Return the scores, those after each step that changes them, the masked ones, and the softmax of rows of these.

    With many keys an array takes much memory: no more of them are alive at a time than are returned.
    """
    count, queries, keys = q.shape[1], q.shape[2], k.shape[2]
    cell = Place(q.shape[-1], np.arange(count)[:, None, None], np.arange(queries)[:, None], np.arange(keys))
    steps = steps_of(MECHANISMS[knobs.mechanism], knobs)
    products = product(q, np.repeat(k, q.shape[1] // k.shape[1], axis=1).swapaxes(-2, -1))
    amounts = [(step, step.amount(knobs, cell, NUMPY)) for step in steps]
    scores = scored(products, [each for each in amounts if each[0].does in ("divide", "add")], NUMPY)
    del products
    changed: dict[str, Array] = {}
    last = scores
    for step, amount in amounts:
        if step.does == "change":
            last = step.applied(last, amount, NUMPY)
            if step.stage is not None:
                changed[step.stage.name] = last
    masked = np.where(mask, last, -np.inf) if holds_masked else None
    shares = [each for each in amounts if each[0].does == "share"]

    def softmax_of(item: int, heads: slice, rows: slice) -> Array:
        at = item, heads, rows
        own = np.where(mask[at], last[at], -np.inf) if masked is None else masked[at]
        with np.errstate(invalid="ignore"):  # empty rows
            if not shares:
                return np.asarray(NUMPY["softmax"](own))
            step, amount = shares[0]
            return np.asarray(step.applied(own, amount[heads] if np.ndim(amount) else amount, NUMPY))

    return {"scores": scores, "changed_scores": changed, "masked_scores": masked, "softmax_of": softmax_of}


def _apart(
    softmax_of: Callable[[int, slice, slice], Array], weights: Array, mask: NDArray[np.bool_], rows: slice
) -> float:
    """Return the largest difference, relative to the row's largest weight, over these rows if they have a valid key."""
    batch, count, queries, keys = weights.shape
    at_once = max(1, BLOCK_CELLS // max(1, len(range(queries)[rows]) * keys))  # all in float64 would take much memory
    apart = 0.0
    for item, first in itertools.product(range(batch), range(0, count, at_once)):
        heads = slice(first, first + at_once)
        own = weights[item, heads, rows]
        valid = mask[item, heads, rows].any(axis=-1) & np.isfinite(own).all(axis=-1)
        if valid.any():
            ours, theirs = (each[valid].astype(np.float64) for each in (softmax_of(item, heads, rows), own))
            largest = np.maximum(theirs.max(axis=-1, keepdims=True), np.finfo(np.float32).tiny)
            apart = max(apart, float(np.nan_to_num(np.abs(ours - theirs) / largest, nan=np.inf).max()))
    return apart
