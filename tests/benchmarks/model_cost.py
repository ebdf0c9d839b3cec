"""A text until the overview of a pretrained model is painted in the window; and the memory beyond the model.

The models have random weights: what they cost depends on their sizes alone. A text is against the model's own forward
pass with all weights, and, where bertviz is installed (``pip install bertviz``), against the page of its head view.
These two have a process of their own, as a notebook has: in one process two pools of threads would slow each other.

Learned from it: logits of all places were more than half of a small model's pass, and only those of one are shown; the
comparison with the model's own run took the cores from the window that was drawing, and waits for it now; memory that
was freed and taken from the system again was a tenth of a run.
"""

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, Self

from attnviz.experiment.labs import make_spec
from tests.benchmarks.table import Row, by_turns
from tests.benchmarks.window import BenchWindow

REPEATS = 15
REPEATS_OF_PAGES = 3
MOST_MEGABYTES = 450.0
LAYERS = 12
TURNS = count()
FORWARD = "the model's own eager forward with output_attentions"
PAGE = "that pass and the page of BertViz's head_view, before a browser draws it"

WRITE = """
import json, sys
from pathlib import Path
from attnviz.engine.model.loading import transformers
folder, family, by, sizes = Path(sys.argv[1]), *json.loads(sys.argv[2])
package = transformers()
config = package.AutoConfig.for_model(family, **sizes)
getattr(package, by).from_config(config).save_pretrained(folder)
words = {word: number for number, word in enumerate(["[UNK]", *(f"w{number}" for number in range(900))])}
model = {"type": "WordLevel", "vocab": words, "unk_token": "[UNK]"}
content = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
           "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None, "decoder": None, "model": model}
(folder / "tokenizer.json").write_text(json.dumps(content))
"""
SMALL: list[object] = [
    "bert",
    "AutoModelForMaskedLM",
    {"num_hidden_layers": 6, "hidden_size": 384, "intermediate_size": 1536},
]
LARGE: list[object] = ["gpt2", "AutoModelForCausalLM", {"n_layer": 12, "n_head": 12, "n_embd": 768, "vocab_size": 1000}]

NOTEBOOK = r"""
import json, sys, time
from pathlib import Path
import torch
from attnviz.engine.model.folder import check
from attnviz.engine.model.loading import load
model = load(check(Path(sys.argv[1])), "float32", torch.device("cpu"), lambda: False).model
for line in sys.stdin:
    ids, names, page = json.loads(line)
    start = time.perf_counter()
    with torch.inference_mode():
        weights = model(torch.tensor([ids]), output_attentions=True).attentions
    if page:
        from bertviz import head_view
        head_view(weights, names, html_action="return").data
    print((time.perf_counter() - start) * 1e3, flush=True)
"""

PEAK = r"""
import re, sys
from pathlib import Path
import psutil
from attnviz.engine.model.run import ModelRun
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.run import Cursor, never_stop, no_progress

def shown(tokens):
    text = " ".join(f"w{number % 700}" for number in range(tokens))
    run = ModelRun(ModelSpec(folder=sys.argv[1], text=text, device="cpu"), no_progress)
    run.advance(never_stop)
    trace = run.at(Cursor())
    trace.prepare()
    return run, trace

shown(8)  # the model is loaded
before = psutil.Process().memory_info().rss
Path("/proc/self/clear_refs").write_text("5")  # the peak so far was that of loading
held = shown(1024)
peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
print((int(peak[1]) * 1024 - before) / 1e6)
"""


def written(folder: Path, model: list[object]) -> Path:
    """Write a folder with a model of random weights, and return it."""
    folder.mkdir()
    subprocess.run([sys.executable, "-c", WRITE, str(folder), json.dumps(model)], check=True, capture_output=True)
    return folder


def measure() -> list[Row]:
    """Return the rows of a text until its overview is painted, of a layer until it is, and of a run's memory."""
    with tempfile.TemporaryDirectory() as folder:
        small, large = (written(Path(folder) / name, model) for name, model in (("small", SMALL), ("large", LARGE)))
        peaks = tuple(_peak(large) for _ in range(3))
        name = "6 x 12 heads, 256 tokens, from the text to the painted overview"
        memory = "memory beyond the model, 12 x 12 heads, 1,024 tokens"
        rows = []
        if find_spec("bertviz") is None:
            print("bertviz is not installed: its head view is not measured", file=sys.stderr)
        else:
            with _Reading(small, 256) as reading:
                pages = by_turns(reading.a_new_text, reading.page, REPEATS_OF_PAGES, warm_up=2)
            rows.append(Row(name, *pages, PAGE, "ms", 1 / 20))
        with _Reading(small, 256) as reading:
            texts = by_turns(reading.a_new_text, reading.forward, REPEATS, warm_up=2)
            rows.append(Row(name, *texts, FORWARD, "ms", 1.5))
        with _Reading(large, 512) as reading:
            layers = by_turns(reading.another_layer, reading.forward, REPEATS, warm_up=2)
            rows.append(Row("12 x 12 heads, 512 tokens, another layer painted", *layers, FORWARD, "ms"))
    return [*rows, Row(memory, peaks, (MOST_MEGABYTES,) * len(peaks), "the budget", "MB", 1.0)]


class _Reading:
    """A window on a model, which is given a text after the other; beside it a notebook with the bare model."""

    def __init__(self, folder: Path, tokens: int) -> None:
        self._folder, self._tokens = str(folder), tokens
        self._bench = BenchWindow(self._values())
        command = [sys.executable, "-c", NOTEBOOK, self._folder]
        self._notebook = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._layer = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._notebook.communicate()
        self._bench.close()

    def _values(self) -> dict[str, Any]:
        turn = next(TURNS)  # a text that was read before is not read again
        text = " ".join(f"w{(7 * number + turn) % 90}" for number in range(self._tokens))
        return {"lab": "model", "folder": self._folder, "text": text, "device": "cpu"}

    def a_new_text(self) -> float:
        """Return the milliseconds until a text's overview is painted."""
        self._bench.wait_until(lambda: not self._bench.window.runner.busy)
        spec = make_spec(self._values())
        controller = self._bench.window.controller
        return self._bench.until_painted(lambda: controller.propose(spec), lambda trace: trace.spec == spec)

    def another_layer(self) -> float:
        """Return the milliseconds until a layer is painted that was not shown before, as far as there are such."""
        self._layer = (self._layer + 1) % LAYERS
        stage = self._bench.window.room.stage
        self._bench.wait_until(lambda: not self._bench.window.runner.busy)
        layer = self._layer
        return self._bench.until_painted(
            lambda: stage.current_view.propose(page="stages", layer=layer), lambda trace: trace.number == layer
        )

    def forward(self, *, page: bool = False) -> float:
        """Return the milliseconds of the model's own forward pass with all weights, on the text that is shown."""
        self._bench.wait_until(lambda: not self._bench.window.runner.busy)
        read = self._bench.shown.read
        assert self._notebook.stdin is not None
        assert self._notebook.stdout is not None
        print(json.dumps([read.ids, read.names, page]), file=self._notebook.stdin, flush=True)
        return float(self._notebook.stdout.readline())

    def page(self) -> float:
        """Return the milliseconds of that and of the page that BertViz makes of its weights."""
        return self.forward(page=True)


def _peak(folder: Path) -> float:
    done = subprocess.run([sys.executable, "-c", PEAK, str(folder)], capture_output=True, text=True, check=True)
    return float(done.stdout)
