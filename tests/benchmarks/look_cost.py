"""Light to dark, Present, and a panel that folds, from the key to the painted window, with every lab open.

Against matplotlib making the figure of eight heads, which takes some 150 ms on two idle cores: what still feels as if
it were at once. A panel that folds, whose widgets stay as they are, is to take a third of that.

Learned from it (cProfile, and the number of style changes that a label gets): a style sheet of the application was
worked out once for each widget, and once more for each of the widgets around it; that of a window only once, but for
two thousand widgets of which a fifth is on screen, so each part of the window has its own, and a lab's parts have it
anew when the lab is entered: 1.1 and 1.4 became 0.65 and 0.7. A rule
for every widget, for the font and the colour of text, set both on each of a thousand widgets, though the application's
own do as well. Together with the rooms that are not on screen, which follow when they are entered, that was three
quarters.
"""

import gc
from collections.abc import Callable

from attnviz.experiment.labs import LABS
from tests.benchmarks.frame_cost import Heatmaps
from tests.benchmarks.table import Row, by_turns
from tests.benchmarks.window import BenchWindow, timed

REPEATS = 10


def measure() -> list[Row]:
    """Return the rows of the theme, of Present and of a panel."""
    bench = BenchWindow(
        {"mechanism": "multi_head", "num_heads": 8, "num_hiddens": 64, "batch_size": 1, "device": "cpu"}
    )
    window, first = bench.window, bench.shown.spec.lab
    for lab in (*LABS, first):
        window.top_bar.lab_chosen.emit(lab)
        bench.wait_until(lambda: window.controller.up_to_date and not window.controller.computing)
        bench.let_pass(300)
    acts = (
        ("light to dark, or back, every lab open", window.actions_["theme"].trigger, 1.0),
        ("Present, or back, every lab open", window.actions_["present"].trigger, 1.0),
        ("a panel folds, or opens", window.actions_["fold_right"].trigger, 1 / 3),
    )
    rows = [_row(bench, *act) for act in acts]
    bench.close()
    return rows


def _row(bench: BenchWindow, name: str, act: Callable[[], None], budget: float) -> Row:
    heads = bench.shown.weights[0]
    # The first two turns go both ways once.
    taken = by_turns(lambda: _timed(bench, act), lambda: timed(lambda: Heatmaps(heads)), REPEATS, warm_up=2)
    return Row(name, *taken, "matplotlib makes its figure", "ms", budget)


def _timed(bench: BenchWindow, act: Callable[[], None]) -> float:
    bench.let_pass(200)  # the formula of the last look
    gc.collect(1)
    return timed(lambda: (act(), bench.app.processEvents()))
