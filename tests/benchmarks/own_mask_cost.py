"""A file with the user's own mask is saved at 8 heads of 64 tokens, with the window open on it.

From the file's change to the paint, against a built-in mask that is turned in the same window: the process of the
functions runs already, so what is added is the file, its import, and one evaluation under torch.vmap. And against
the picture that attention-gym makes of the same function, which shows one head of the eight.
"""

import contextlib
import io
import tempfile
from pathlib import Path
from typing import Any

import torch
from attn_gym.utils import visualize_attention_scores

from attnviz.experiment.attention.opened import values_of_functions
from tests.benchmarks.table import Row, by_turns
from tests.benchmarks.window import BenchWindow, timed

SIZES: dict[str, Any] = {"num_heads": 8, "num_hiddens": 64, "num_queries": 64, "num_kvpairs": 64, "window": 8}
VALUES: dict[str, Any] = {"self_attention": True, "batch_size": 1, "device": "cpu", **SIZES}
SOURCE = """\
import torch

def own(b, h, q_idx, kv_idx):
    return (q_idx >= kv_idx) & (q_idx - kv_idx < {window})
"""


def measure() -> list[Row]:
    """Return the rows against a built-in mask and against attention-gym's picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.py"
        path.write_text(SOURCE.format(window=9))
        bench = BenchWindow(VALUES | values_of_functions(path))
        turns = iter(range(10, 1000))
        builtin = by_turns(lambda: _saved(bench, path, next(turns)), lambda: bench.turn_knob("window"), 15, 3)

        def draw() -> float:
            return timed(lambda: _picture(next(turns), Path(folder)))

        gym = by_turns(lambda: _saved(bench, path, next(turns)), draw, 5, 1)
        bench.close()
    name = "a saved file to painted frame, 8 heads x 64 tokens, own mask"
    return [
        Row(name, *builtin, "a built-in mask turned", "ms", 1.5),
        Row(name, *gym, "attention-gym draws one head", "ms", 0.1),
    ]


def _saved(bench: BenchWindow, path: Path, window: int) -> float:
    text = SOURCE.format(window=window)
    return bench.until_painted(lambda: path.write_text(text), lambda trace: trace.spec.mods.source == text)


def _picture(window: int, folder: Path) -> None:
    """Let attention-gym draw the scores of one head under a mask, as a file."""
    names: dict[str, Any] = {}
    exec(SOURCE.format(window=window), names)
    query, key = torch.rand(1, 8, 64, 8), torch.rand(1, 8, 64, 8)
    with contextlib.redirect_stdout(io.StringIO()):
        visualize_attention_scores(query, key, mask_mod=names["own"], device="cpu", path=folder / "mask.png")
