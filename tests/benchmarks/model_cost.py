"""A pretrained model on a text, against its own forward pass with all weights; and the memory beyond the model.

The models have random weights: what they cost depends on their sizes alone. Where bertviz is installed (``pip install
bertviz``), the page of its head view for the same weights is measured too.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.benchmarks.table import Row, by_turns

REPEATS = 7
REPEATS_OF_PAGES = 3
MOST_MEGABYTES = 450.0

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


def _written(folder: Path, model: list[object]) -> Path:
    import json

    folder.mkdir()
    subprocess.run([sys.executable, "-c", WRITE, str(folder), json.dumps(model)], check=True, capture_output=True)
    return folder


def measure() -> list[Row]:
    """Return the rows of a run with its overview, and of its memory."""
    with tempfile.TemporaryDirectory() as folder:
        small, large = (_written(Path(folder) / name, model) for name, model in (("small", SMALL), ("large", LARGE)))
        ours, theirs = _times(small, _forward, REPEATS)
        pages = None if find_spec("bertviz") is None else _times(small, _page, REPEATS_OF_PAGES)
        peaks = tuple(_peak(large) for _ in range(3))
    name = "a text read by 6 x 12 heads, 256 tokens, with every head's numbers"
    memory = "memory beyond the model, 12 x 12 heads, 1,024 tokens"
    rows = [
        Row(name, ours, theirs, "the model's own eager forward with output_attentions", "s", 1.5),
        Row(memory, peaks, (MOST_MEGABYTES,) * len(peaks), "the budget", "MB", 1.0),
    ]
    if pages is None:
        print("bertviz is not installed: its head view is not measured", file=sys.stderr)
    else:
        rows.append(Row(name, *pages, "the page of BertViz's head_view, its forward pass left out", "s", 1 / 20))
    return rows


def _forward(model: Any, ids: Any) -> float:
    """Return the seconds of a model's own forward pass with all weights."""
    start = time.perf_counter()
    model(ids, output_attentions=True)
    return time.perf_counter() - start


def _page(model: Any, ids: Any) -> float:
    """Return the seconds in which BertViz makes the page of its head view of all weights, before a browser draws it."""
    view = import_module("bertviz").head_view
    weights, tokens = model(ids, output_attentions=True).attentions, [f"w{each}" for each in ids[0].tolist()]
    start = time.perf_counter()
    page = view(weights, tokens, html_action="return").data
    seconds = time.perf_counter() - start
    assert len(page) > sum(each.numel() for each in weights)  # it holds every weight
    return seconds


def _times(
    folder: Path, other: Callable[[Any, Any], float], repeats: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    import torch

    from attnviz.engine.labs import cores_for
    from attnviz.engine.machine import choose
    from attnviz.engine.model.opened import opened
    from attnviz.engine.model.run import ModelRun
    from attnviz.experiment.model.spec import ModelSpec
    from attnviz.experiment.run import Cursor, never_stop, no_progress

    turn = 0

    def spec() -> ModelSpec:
        nonlocal turn
        turn += 1  # another text each time: one that was read before is not read again
        text = " ".join(f"w{(7 * number + turn) % 90}" for number in range(256))
        return ModelSpec(folder=str(folder), text=text, device="cpu")

    def ours() -> float:
        asked = spec()
        start = time.perf_counter()
        run = ModelRun(asked, no_progress)
        run.advance(never_stop)
        run.at(Cursor()).prepare()
        return time.perf_counter() - start

    def theirs() -> float:
        held = opened(spec(), choose("cpu"), never_stop)
        assert held is not None
        ids = torch.tensor([held.read(spec().text, True).ids])
        with torch.inference_mode():
            return other(held.loaded.model, ids)

    with cores_for(spec()):
        return by_turns(ours, theirs, repeats, warm_up=2)


def _peak(folder: Path) -> float:
    done = subprocess.run([sys.executable, "-c", PEAK, str(folder)], capture_output=True, text=True, check=True)
    return float(done.stdout)
