"""Weights that another model computed, as a trace: read and checked; nothing is computed."""

import time

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.engine import memory
from attnviz.engine.arrays_file import read_given
from attnviz.experiment.arrays import read_only
from attnviz.experiment.attention.inputs import FileInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace


def given_trace(spec: AttentionSpec) -> AttentionTrace:
    """Return the trace of a spec whose weights were given.

    Only weights, mask and tokens are filled: every other array has size 0 along its last axis, so that it cannot be
    mistaken for a tensor of the other model.

    Raises:
        RunError: the file holds no weights that can be shown, or more than there is memory for.
    """
    assert isinstance(spec.inputs, FileInputs), "checked by the spec"
    start = time.perf_counter()
    given = read_given(spec.inputs.path)
    memory.require(memory.given_bytes(given), torch.device("cpu"), "a part of the weights needs less")
    milliseconds = (time.perf_counter() - start) * 1e3
    batch, heads, queries, keys = given.weights.shape
    return AttentionTrace(
        spec=spec,
        queries=_nothing(batch, queries),
        keys=_nothing(batch, keys),
        values=_nothing(batch, keys),
        parameters={},
        q=_nothing(batch, heads, queries),
        k=_nothing(batch, heads, keys),
        v=_nothing(batch, heads, keys),
        scores=_nothing(batch, heads, queries),
        mask=given.mask,
        masked_scores=_nothing(batch, heads, queries),
        weights=given.weights,
        dropped_weights=given.weights,
        heads=_nothing(batch, heads, queries),
        merged=_nothing(batch, queries),
        output=_nothing(batch, queries),
        query_tokens=given.query_tokens,
        key_tokens=given.key_tokens,
        device="cpu",
        milliseconds=milliseconds,
    )


def _nothing(*shape: int) -> NDArray[np.floating]:
    """Return an empty array: of this shape, with a last axis of size 0."""
    return read_only(np.zeros((*shape, 0), np.float32))
