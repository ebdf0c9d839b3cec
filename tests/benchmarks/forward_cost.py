"""A forward that keeps every stage, against nn.MultiheadAttention with the weights of each head.

Learned from it: at a few tokens a forward is a dozen small operations, and what lies between them counts: an attribute
of a module is looked up in Python (0.9 us each), a call of a module that does nothing is 2 us, a conversion to the
format that a tensor has is 1 us. Sizes are looked up once, idle dropout is not called. At many tokens the scores are
scaled in place: a copy of them would cost as much as the softmax.

At (2, 5, 6, 100), with one thread, theirs takes 49 us and ours 61. The same operations without any module are 40, and
49 once each matrix is a module that is called, as hooks need it: theirs calls none, and has one matrix for all three
projections (10 us, ours 13). The other 12 are sizes that are checked, steps that act, and the record of the stages.
"""

import time
from collections.abc import Callable

import torch
from torch import nn

from attnviz.attention import MultiHeadAttention
from tests.benchmarks.table import Row, by_turns

SHAPES = ((1, 8, 256, 512, 1.1), (2, 5, 6, 100, 1.1), (1, 96, 64, 768, None), (1, 12, 512, 768, None))
"""Batch, heads, tokens, hidden size, budget."""


def measure() -> list[Row]:
    """Return a row for each shape."""
    torch.manual_seed(0)
    return [_row(*shape) for shape in SHAPES]


def _row(batch: int, heads: int, tokens: int, hidden: int, budget: float | None) -> Row:
    x = torch.randn(batch, tokens, hidden)
    sizes = {"query_size": hidden, "key_size": hidden, "value_size": hidden}
    ours = MultiHeadAttention(hidden, heads, 0.0, **sizes).eval()  # type: ignore[arg-type]
    theirs = nn.MultiheadAttention(hidden, heads, bias=False, batch_first=True).eval()
    calls = 200 if tokens < 64 else 5

    def reference() -> None:
        theirs(x, x, x, need_weights=True, average_attn_weights=False)

    with torch.inference_mode():
        pairs = by_turns(_timed(lambda: ours.stages(x, x, x), calls), _timed(reference, calls), 40, 5)
    name = f"forward keeping every stage, (batch, heads, tokens, hidden) = {batch, heads, tokens, hidden}"
    return Row(name, *pairs, "nn.MultiheadAttention", "ms", budget)


def _timed(call: Callable[[], object], calls: int) -> Callable[[], float]:
    def measured() -> float:
        start = time.perf_counter()
        for _ in range(calls):
            call()
        return (time.perf_counter() - start) / calls * 1e3

    return measured
