"""A mask is turned at 12 heads of 512 tokens, hidden size 768: the run takes from the last one what it can.

The run is against the same run that takes nothing, with the colours that the window waits for left out on both sides;
the frame, from the switch or the spin box to the paint, against matplotlib drawing a kept figure again.
"""

from typing import Any

from PySide6.QtWidgets import QAbstractButton

from attnviz.engine.kept_results import KeptResults
from attnviz.engine.labs import cores_for
from attnviz.engine.run import start
from attnviz.experiment.labs import make_spec
from tests.benchmarks.frame_cost import Heatmaps
from tests.benchmarks.table import Row, by_turns
from tests.benchmarks.window import BenchWindow, timed

SIZES: dict[str, Any] = {"num_heads": 12, "num_hiddens": 768, "num_queries": 512, "num_kvpairs": 512}
VALUES: dict[str, Any] = {"mechanism": "multi_head", "batch_size": 1, "device": "cpu", **SIZES}
TURNS = {
    "causal": lambda turn: {"causal": bool(turn % 2)},
    "a valid length": lambda turn: {"valid_lens": [256 + turn]},
}


def measure() -> list[Row]:
    """Return the rows of the run and of the frame."""
    return [*(_run(name) for name in TURNS), _frame()]


def _run(name: str) -> Row:
    kept, turns = KeptResults(), iter(range(1000))

    def run(keeping: KeptResults | None, turn: int) -> float:
        spec = make_spec(VALUES | TURNS[name](turn))
        with cores_for(spec):
            return timed(lambda: start(spec, kept=keeping).advance(lambda: False))

    both = by_turns(lambda: run(kept, next(turns)), lambda: run(None, next(turns)), 20, 3)
    return Row(f"run, 12 heads x 512 tokens, hidden 768, {name} turned", *both, "a run of its own", "ms", 0.6)


def _frame() -> Row:
    window = BenchWindow(VALUES | {"valid_lens": [256]})
    figure = Heatmaps(window.shown.weights[0])
    both = by_turns(
        lambda: window.turn_knob("valid_lens"), lambda: timed(lambda: figure.redraw(window.shown.weights[0])), 15, 3
    )
    window.close()
    against = "matplotlib redraws a figure it has kept"
    return Row("knob to painted frame, 12 heads x 512 tokens, a mask turned", *both, against, "ms", 1 / 3)
