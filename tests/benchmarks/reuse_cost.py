"""A mask is turned at 12 heads of 512 tokens, hidden size 768: the run takes from the last one what it can.

The run is against the same run that takes nothing, both without the colours. Each mask is new to it: causal is turned
on after two runs without, a valid length grows. Turned back to the mask before, a run finds everything: 1/20.
The frame, from the spin box of the window mask to the paint, is against matplotlib drawing a figure again that is kept.

Learned from it (clocks around the run, cProfile): what is left of the run is softmax, the fill, pooling and the output
projection. In a frame it is then two fifths of the time, no more three; the outline of the mask was looked for row by
row, twice, and took 4 ms each time on an idle core, now 1.
"""

from collections.abc import Callable
from typing import Any

from attnviz.engine.kept_results import KeptResults
from attnviz.engine.labs import cores_for
from attnviz.engine.run import start
from attnviz.experiment.labs import make_spec
from attnviz.experiment.run import never_stop
from tests.benchmarks.frame_cost import Heatmaps
from tests.benchmarks.table import Row, by_turns
from tests.benchmarks.window import BenchWindow, timed

SIZES: dict[str, Any] = {"num_heads": 12, "num_hiddens": 768, "num_queries": 512, "num_kvpairs": 512}
VALUES: dict[str, Any] = {"mechanism": "multi_head", "batch_size": 1, "device": "cpu", **SIZES}
TURNS: dict[str, Callable[[int], dict[str, Any]]] = {
    "causal": lambda _turn: {"causal": True},
    "a valid length": lambda turn: {"valid_lens": [256 + turn]},
}


def measure() -> list[Row]:
    """Return the rows of the run and of the frame."""
    return [*(_run(name) for name in TURNS), _frame()]


def _run(name: str) -> Row:
    turns = iter(range(256))

    def after_others() -> float:
        kept = KeptResults()
        for _ in range(2):
            _milliseconds({}, kept)
        return _milliseconds(TURNS[name](next(turns)), kept)

    both = by_turns(after_others, lambda: _milliseconds(TURNS[name](next(turns)), None), 15, 2)
    return Row(f"run, 12 heads x 512 tokens, hidden 768, {name} turned", *both, "a run of its own", "ms", 0.6)


def _milliseconds(turned: dict[str, Any], kept: KeptResults | None) -> float:
    spec = make_spec(VALUES | turned)
    with cores_for(spec):
        run = start(spec, kept=kept)
        return timed(lambda: run.advance(never_stop))


def _frame() -> Row:
    bench = BenchWindow(VALUES | {"window": 100})
    figure = Heatmaps(bench.shown.weights[0])
    both = by_turns(
        lambda: bench.turn_knob("window"), lambda: timed(lambda: figure.redraw(bench.shown.weights[0])), 15, 3
    )
    bench.close()
    name = "knob to painted frame, 12 heads x 512 tokens, a mask turned"
    return Row(name, *both, "matplotlib redraws a figure it has kept", "ms", 1 / 3)
