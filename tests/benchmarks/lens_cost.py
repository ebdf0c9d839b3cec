"""The logit lens of a text at GPT-2's sizes, against the products of its head alone, one for each layer.

The model has random weights. Its run on the text is there already, and so are its states, since the page first asks for
one position; what that takes is a row of its own. Both have one process and its number of threads.

Learned from it: to count booleans and to sum in float64 took a third of the products, a softmax in float64 and a sort
of the vocabulary as long as these.
"""

import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from attnviz.engine.machine import choose
from attnviz.engine.model.opened import opened
from attnviz.engine.run import run_to_end
from attnviz.experiment.model.lens import Lens, LensAt
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.run import never_stop
from tests.benchmarks.model_cost import TURNS, written
from tests.benchmarks.table import Row, by_turns

REPEATS = 5
TOKENS = 128
BUDGET = 1.2
GPT2: list[object] = ["gpt2", "AutoModelForCausalLM", {"n_layer": 12, "n_head": 12, "n_embd": 768, "vocab_size": 50257}]


def measure() -> list[Row]:
    """Return the rows of the lens, and of its first position."""
    with tempfile.TemporaryDirectory() as folder:
        model = written(Path(folder) / "model", GPT2)

        def of(turn: int) -> ModelSpec:
            text = " ".join(f"w{(7 * number + turn) % 90}" for number in range(TOKENS))
            return ModelSpec(folder=str(model), text=text, device="cpu")

        spec = of(next(TURNS))
        run_to_end(spec)
        loaded = opened(spec, choose("cpu"), never_stop).loaded.model
        states = torch.randn(TOKENS, 768)

        def study(asked: Any) -> float:
            start = time.perf_counter()
            found: Any = run_to_end(asked)
            assert found.ids.shape[0] == 12
            return (time.perf_counter() - start) * 1e3

        def anew() -> float:
            another = of(next(TURNS))
            run_to_end(another)
            return study(LensAt(of=another, position=TOKENS - 1))

        def products() -> float:
            start = time.perf_counter()
            with torch.inference_mode():
                for _ in range(12):
                    loaded.lm_head(states)
            return (time.perf_counter() - start) * 1e3

        def forward() -> float:
            start = time.perf_counter()
            with torch.inference_mode():
                loaded(torch.arange(TOKENS)[None], use_cache=False)
            return (time.perf_counter() - start) * 1e3

        whole = by_turns(lambda: study(Lens(of=spec)), products, REPEATS)
        passes = by_turns(lambda: study(Lens(of=spec)), forward, 2)
        first = by_turns(anew, forward, REPEATS)
    name = f"logit lens, 12 layers x {TOKENS} tokens x 50,257"
    return [
        Row(name, *whole, "the head's products alone", "ms", BUDGET),
        Row(name, *passes, "the model's own forward", "ms"),
        Row("logit lens of one position, the first on screen", *first, "the model's own forward", "ms"),
    ]


if __name__ == "__main__":
    for row in measure():
        print(row)
