"""A rollout of 12 x 12 heads over 512 tokens with another residual share, against the products of its layers alone.

The model has random weights. Its run on the text is there already. The first map of a text makes the means of its heads
from the recording, which has its queries and keys; what that takes is a row of its own, as is a map of gradients. All
have one process and its number of threads.

Learned from it: to keep the means during every run costs less than 1 % of its time, but memory that grows with the
square of the text, so that they are made where a map is shown; to find the masks anew took as long as half of the
products; float32 leaves its normal range in products of gradients, where arithmetic is ten times slower.
"""

import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

import torch

from attnviz.engine.machine import choose
from attnviz.engine.model.opened import opened
from attnviz.engine.run import run_to_end
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.token_maps.study import TokenMapOf
from attnviz.experiment.run import never_stop
from tests.benchmarks.model_cost import LARGE, TURNS, written
from tests.benchmarks.table import Row, by_turns

REPEATS = 15
TOKENS = 512
BUDGET = 1.5


def measure() -> list[Row]:
    """Return the rows of another residual share, and of the first map of a text."""
    with tempfile.TemporaryDirectory() as folder:
        model, shares = written(Path(folder) / "model", LARGE), count(1)

        def of(turn: int) -> ModelSpec:
            text = " ".join(f"w{(7 * number + turn) % 90}" for number in range(TOKENS))
            return ModelSpec(folder=str(model), text=text, device="cpu")

        spec = of(next(TURNS))
        run_to_end(spec)
        loaded = opened(spec, choose("cpu"), never_stop).loaded.model
        layers = list(torch.rand(12, TOKENS, TOKENS).softmax(-1))

        def study(asked: TokenMapOf) -> float:
            start = time.perf_counter()
            found: Any = run_to_end(asked)
            assert found.matrix.shape == (TOKENS, TOKENS)
            return (time.perf_counter() - start) * 1e3

        def another_share() -> float:
            return study(TokenMapOf(of=spec, residual=next(shares) % 97 / 97))

        def anew(**settings: Any) -> float:
            another = of(next(TURNS))
            run_to_end(another)
            return study(TokenMapOf(of=another, **settings))

        def products() -> float:
            start = time.perf_counter()
            with torch.inference_mode():
                product = layers[0]
                for layer in layers[1:]:
                    product = layer @ product
            return (time.perf_counter() - start) * 1e3

        def forward() -> float:
            start = time.perf_counter()
            with torch.inference_mode():
                loaded(torch.arange(TOKENS)[None], use_cache=False)
            return (time.perf_counter() - start) * 1e3

        moved = by_turns(another_share, products, REPEATS, warm_up=2)
        first = by_turns(anew, forward, 3, warm_up=1)
        gradients = by_turns(lambda: anew(map="gradient_weighted"), forward, 3, warm_up=1)
    own = "the model's own forward"
    return [
        Row(f"rollout, another share, 12 x 12 heads, {TOKENS} tokens", *moved, "its 11 products alone", "ms", BUDGET),
        Row("the first rollout of a text", *first, own, "ms"),
        Row("the first gradient x weights of a text", *gradients, own, "ms"),
    ]


if __name__ == "__main__":
    for row in measure():
        print(row)
