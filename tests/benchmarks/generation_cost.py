"""A text that is on screen until its last new token is painted, with the live picture, against `generate` itself.

`generate` has a process of its own, as a notebook has, and torch's own number of threads; the passes here leave the
last core to the window. The model has random weights.

Learned from it: a watcher of every torch function took a fifth of a pass, and is needed in the first one only; weights
that were put together anew for every picture took as long as a fifth of a pass; and the prompt was run twice.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from attnviz.experiment.labs import make_spec
from tests.benchmarks.model_cost import LARGE, TURNS, written
from tests.benchmarks.table import Row, by_turns
from tests.benchmarks.window import BenchWindow

REPEATS = 7
PROMPT, NEW = 128, 64

NOTEBOOK = r"""
import json, sys, time
from pathlib import Path
import torch
from attnviz.engine.model.folder import check
from attnviz.engine.model.loading import load
model = load(check(Path(sys.argv[1])), "float32", torch.device("cpu"), lambda: False).model
model.set_attn_implementation("eager")
model.generation_config.eos_token_id, model.generation_config.pad_token_id = None, 0
arguments = dict(do_sample=False, num_beams=1, output_attentions=True, return_dict_in_generate=True)
for line in sys.stdin:
    ids, new = json.loads(line)
    prompt = torch.tensor([ids])
    start = time.perf_counter()
    model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=new, **arguments)
    print((time.perf_counter() - start) * 1e3, flush=True)
"""


def measure() -> list[Row]:
    """Return the row of a generation."""
    with tempfile.TemporaryDirectory() as folder:
        model = written(Path(folder) / "model", LARGE)
        config = json.loads((model / "config.json").read_text())
        (model / "config.json").write_text(json.dumps(config | {"eos_token_id": None}))
        (model / "generation_config.json").unlink(missing_ok=True)
        generating = _Generating(model)
        costs = by_turns(generating.in_the_window, generating.by_generate, REPEATS)
        generating.close()
    name = f"12 x 12 heads, {PROMPT} tokens, {NEW} new ones until the last is painted"
    return [Row(name, *costs, "the model's own generate with output_attentions", "ms", 1.3)]


class _Generating:
    """A window on a model that continues a text after the other; beside it a notebook with the bare model."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._bench = BenchWindow(self._values(next(TURNS)))
        self._bench.window.controller.set_pace(None)
        command = [sys.executable, "-c", NOTEBOOK, self._folder]
        self._notebook = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _values(self, turn: int, new: int = 0) -> dict[str, object]:
        text = " ".join(f"w{(7 * number + turn) % 90}" for number in range(PROMPT))
        return {"lab": "model", "folder": self._folder, "text": text, "device": "cpu", "generate": new}

    def in_the_window(self) -> float:
        """Return the milliseconds until the last new token of a text on screen is painted."""
        turn, bench = next(TURNS), self._bench
        text, spec = (make_spec(self._values(turn, new)) for new in (0, NEW))
        bench.window.controller.propose(text)
        bench.wait_until(lambda: bench.shown.spec == text and not bench.window.runner.busy)
        bench.let_pass(300)
        took = bench.until_painted(
            lambda: bench.window.controller.propose(spec),
            lambda trace: trace.spec == spec and trace.generated.ended and trace.step == NEW - 1,
        )
        bench.wait_until(lambda: not bench.window.runner.busy)
        return took

    def by_generate(self) -> float:
        """Return the milliseconds of the model's own generation after the text on screen."""
        assert self._notebook.stdin is not None
        assert self._notebook.stdout is not None
        print(json.dumps([self._bench.shown.read.ids[:PROMPT], NEW]), file=self._notebook.stdin, flush=True)
        return float(self._notebook.stdout.readline())

    def close(self) -> None:
        """End the notebook, and close the window."""
        self._notebook.communicate()
        self._bench.close()
