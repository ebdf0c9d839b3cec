"""The cells of each lab's traces as rows of the long table. Places are counted as `numbers.write_long_table` says."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.regression.trace import RegressionTrace

ATTENTION_COLUMNS = ("batch", "head", "query", "key", "query_token", "key_token", "score", "masked", "weight")
REGRESSION_COLUMNS = ("head", "query", "key", "x_query", "x_key", "y_key", "kernel_value", "weight")


def attention_rows(trace: AttentionTrace, item: int, head: int) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of a head, row after row."""
    weights, mask, scores = trace.weights[item, head], trace.mask[item, head], trace.scores[item, head]
    unknown = [""] * weights.shape[1]
    for query, query_token in enumerate(trace.query_tokens):
        row = zip(
            trace.key_tokens,
            _digits(scores[query]) if scores.shape == weights.shape else unknown,  # given weights have no scores
            np.logical_not(mask[query]).astype(int).tolist(),
            _digits(weights[query]),
            strict=True,
        )
        for key, (key_token, score, masked, weight) in enumerate(row):
            yield item, head + 1, query, key, query_token, key_token, score, masked, weight


def _digits(row: NDArray[np.floating]) -> list[str]:
    """Return numbers with as many digits as their own format needs to be told apart: fewer in float32."""
    digits: list[str] = row.astype(str).tolist()
    return digits


def regression_rows(trace: RegressionTrace, item: int, head: int) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of a head, query after query; there is one batch item."""
    del item
    keys = list(zip(trace.x_train.tolist(), trace.y_train.tolist(), strict=True))
    for query, x in enumerate(trace.x_test.tolist()):
        heights, weights = trace.head_kernel_values[head, query].tolist(), trace.head_weights[head, query].tolist()
        for key, ((x_key, y_key), height, weight) in enumerate(zip(keys, heights, weights, strict=True)):
            yield head + 1, query, key, x, x_key, y_key, height, weight
