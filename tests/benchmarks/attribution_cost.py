"""Attribution by head at GPT-2's sizes, against the model's own forward pass.

The model has random weights. Its run on the text is there already, as it is when the overview asks for the study. Both
have one process and its number of threads.

Learned from it: the outputs of MLPs and of heads are cut from what computed them, so that the gradient's way back takes
a fifth of a pass.
"""

import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from attnviz.engine.machine import choose
from attnviz.engine.model.opened import opened
from attnviz.engine.run import run_to_end
from attnviz.experiment.model.residual.attribution import Attribution
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.run import never_stop
from tests.benchmarks.model_cost import written
from tests.benchmarks.table import Row, by_turns

REPEATS = 7
TOKENS = 128
BUDGET = 2.0
GPT2: list[object] = ["gpt2", "AutoModelForCausalLM", {"n_layer": 12, "n_head": 12, "n_embd": 768, "vocab_size": 50257}]


def measure() -> list[Row]:
    """Return the row of an attribution."""
    with tempfile.TemporaryDirectory() as folder:
        text = " ".join(f"w{number % 90}" for number in range(TOKENS))
        spec = ModelSpec(folder=str(written(Path(folder) / "model", GPT2)), text=text, device="cpu")
        run_to_end(spec)
        loaded = opened(spec, choose("cpu"), never_stop).loaded.model

        def study() -> float:
            start = time.perf_counter()
            found: Any = run_to_end(Attribution(of=spec))
            assert abs(found.rest) < 1e-4
            return (time.perf_counter() - start) * 1e3

        def forward() -> float:
            start = time.perf_counter()
            with torch.inference_mode():
                loaded(torch.arange(TOKENS)[None], use_cache=False)
            return (time.perf_counter() - start) * 1e3

        costs = by_turns(study, forward, REPEATS)
    return [Row(f"attribution, 12 x 12 heads, {TOKENS} tokens", *costs, "the model's own forward", "ms", BUDGET)]


if __name__ == "__main__":
    for row in measure():
        print(row)
