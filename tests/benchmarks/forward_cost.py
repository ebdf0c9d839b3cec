"""Forward with every stage kept, against nn.MultiheadAttention with per-head weights; prints ratios of medians.

Run: .venv/bin/python tests/benchmarks/forward_cost.py
Both do the same work on the same input in turn, so that the machine's mood falls on both alike.
"""

import statistics
import time

import torch
from torch import nn

from attnviz.attention import MultiHeadAttention


def median_ratio(batch: int, heads: int, tokens: int, hidden: int, rounds: int) -> tuple[float, float, float]:
    x = torch.randn(batch, tokens, hidden)
    ours = MultiHeadAttention(hidden, heads, 0.0, query_size=hidden, key_size=hidden, value_size=hidden).eval()
    theirs = nn.MultiheadAttention(hidden, heads, bias=False, batch_first=True).eval()
    timings: tuple[list[float], list[float]] = ([], [])

    def run_ours() -> None:
        ours.stages(x, x, x)

    def run_theirs() -> None:
        theirs(x, x, x, need_weights=True, average_attn_weights=False)

    with torch.inference_mode():
        for index in range(rounds + 5):
            for times, call in zip(timings, (run_ours, run_theirs), strict=True):
                start = time.perf_counter()
                call()
                if index >= 5:
                    times.append(time.perf_counter() - start)
    mine, reference = (statistics.median(times) for times in timings)
    return mine / reference, mine * 1e3, reference * 1e3


def main() -> None:
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads")
    for shape in ((1, 8, 256, 512), (2, 5, 6, 100), (1, 96, 64, 768), (1, 12, 512, 768)):
        ratio, mine, reference = median_ratio(*shape, rounds=200)
        print(f"(batch, heads, tokens, hidden) {shape}: {ratio:.2f}  ({mine:.3f} ms against {reference:.3f} ms)")


if __name__ == "__main__":
    main()
