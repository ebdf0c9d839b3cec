"""The numbers of a trace as a long table: one row for each cell of the weights, as statistics programs want it.

Numbers are written with all their digits, so that they are read back bit for bit.
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.labs import Trace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.export.figures.settings import wrong_choice

ATTENTION_COLUMNS = ("batch", "head", "query", "key", "query_token", "key_token", "score", "masked", "weight")
REGRESSION_COLUMNS = ("head", "query", "key", "x_query", "x_key", "y_key", "kernel_value", "weight")


def write_long_table(
    trace: Trace, path: Path, *, heads: tuple[int, ...] | None = None, item: int | None = None
) -> None:
    """Write the cells of a trace as CSV in UTF-8, batch item after item, head after head, row after row.

    Places are counted as the window shows them: heads from 1, everything else from 0. ``masked`` is 1 where the mask
    forbids the cell, and a score is the one before the mask. ``heads`` and ``item`` choose some of them; None is all.

    Raises:
        ValueError: the trace has no such head or batch item, or no head is chosen; names the nearest.
        OSError: the place cannot be written; an older file there is whole.
    """
    is_attention = isinstance(trace, AttentionTrace)
    items = len(trace.weights) if isinstance(trace, AttentionTrace) else 1
    wrong = wrong_choice(heads, item, trace.num_heads, items)
    if wrong:
        raise ValueError(wrong)

    def write(file: BinaryIO) -> None:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        table = csv.writer(text, lineterminator="\n")
        table.writerow(ATTENTION_COLUMNS if is_attention else REGRESSION_COLUMNS)
        chosen = range(trace.num_heads) if heads is None else heads
        if isinstance(trace, RegressionTrace):
            for head in chosen:
                table.writerows(_regression_rows(trace, head))
        else:
            for each in range(items) if item is None else (item,):
                for head in chosen:
                    table.writerows(_attention_rows(trace, each, head))
        text.detach()  # flushed, and the file stays open for who opened it

    write_atomically(path, write)


def _attention_rows(trace: AttentionTrace, item: int, head: int) -> Iterator[tuple[Any, ...]]:
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


def _regression_rows(trace: RegressionTrace, head: int) -> Iterator[tuple[Any, ...]]:
    keys = list(zip(trace.x_train.tolist(), trace.y_train.tolist(), strict=True))
    for query, x in enumerate(trace.x_test.tolist()):
        heights, weights = trace.head_kernel_values[head, query].tolist(), trace.head_weights[head, query].tolist()
        for key, ((x_key, y_key), height, weight) in enumerate(zip(keys, heights, weights, strict=True)):
            yield head + 1, query, key, x, x_key, y_key, height, weight
