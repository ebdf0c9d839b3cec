"""A file with the user's own mask is saved at 8 heads of 64 tokens, with the window open on it.

From the file's change to the paint, against a built-in mask that is turned in the same window: the process of the
functions runs already, so what is added is the file, its import, and one evaluation under torch.vmap. And against
the picture that attention-gym makes of the same functions (its code with matplotlib is repeated here: it draws one
head, on a new figure).
"""

import tempfile
from pathlib import Path
from typing import Any

import matplotlib as mpl
import torch
from matplotlib.figure import Figure
from torch.nn.attention.flex_attention import create_mask

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
        gym = by_turns(lambda: _saved(bench, path, next(turns)), lambda: timed(lambda: _picture(next(turns))), 5, 1)
        bench.close()
    name = "a saved file to painted frame, 8 heads x 64 tokens, own mask"
    return [
        Row(name, *builtin, "a built-in mask turned", "ms", 1.5),
        Row(name, *gym, "attention-gym's way to draw one head", "ms", 0.1),
    ]


def _saved(bench: BenchWindow, path: Path, window: int) -> float:
    text = SOURCE.format(window=window)
    return bench.until_painted(lambda: path.write_text(text), lambda trace: trace.spec.mods.source == text)


def _picture(window: int) -> None:
    """Draw the scores under a mask as attention-gym does: tick labels for few tokens only, a title, a file."""
    names: dict[str, Any] = {}
    exec(SOURCE.format(window=window), names)
    query, key = torch.rand(1, 1, 64, 64), torch.rand(1, 1, 64, 64)
    mask = create_mask(names["own"], 1, 1, 64, 64, device="cpu")
    scores = (query @ key.transpose(-2, -1)).masked_fill(~mask, float("-inf"))[0, 0]
    figure = Figure(figsize=(12, 10))
    axes = figure.add_subplot()
    colours = mpl.colormaps["viridis"].copy()
    colours.set_bad("white")
    image = axes.imshow(scores, aspect="auto", cmap=colours)
    figure.colorbar(image)
    axes.set_title("Attention scores\nhead 0, batch 0", fontsize=20)
    axes.set_xlabel("key", fontsize=18)
    axes.set_ylabel("query", fontsize=18)
    axes.xaxis.tick_top()
    figure.tight_layout()
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        figure.savefig(file, dpi=300, bbox_inches="tight")
