"""From a turned knob to the painted frame, against matplotlib drawing the same heads.

Ours is all of it: the spin box, the spec, the run in its thread, the colours, the paint event of a window of 1280x800.
matplotlib is given the weights. It draws what the textbook's show_heatmaps draws, in a figure of that size: an axes
for each head and one colour bar. A notebook's cell makes that figure anew each time it is run; a figure that is kept
gets other data and is drawn again. Both have a budget.

Learned from it (cProfile over the thread's time, events counted by an event filter): a turned knob painted the window
five times and laid it out three times, since switches slid to where they were and labels grew by a digit; that halved
the cost. At 96 heads the labels of the tiles are what is left; the notes beside many heads are drawn in a second frame,
when they are there. At 512 tokens the run is two thirds of the frame: the module itself 47 ms on one core and 29 on
two, which large runs take since then, the drawing of its 2.4 million parameters 12, its inputs 7. Colours took 17 ms
with a mask that forbids, until cells were multiplied by the mask in place of being chosen: 3 ms. Between the end of a
run of more than 32 ms and its arrival in the window were up to 100 ms, as long as the window polled for it as for a
training.
"""

from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tests.benchmarks.table import Row, by_turns
from tests.benchmarks.window import BenchWindow, timed

CASES = ((8, 64, 64, 1 / 10, 1 / 4), (96, 64, 768, 1 / 100, 1 / 15), (12, 512, 768, 1 / 5, None))
"""Heads, tokens, hidden size, and the budgets against a new figure and a kept one: 8 features a head, and the shape of
GPT-2, where a seed that is turned is for the most part a run."""
INCHES = (12.8, 8.0)


class Heatmaps:
    """A matplotlib figure of all heads."""

    def __init__(self, heads: Any) -> None:
        across = 12 if len(heads) > 12 else 4
        figure = Figure(figsize=INCHES, dpi=100)
        self._canvas = FigureCanvasAgg(figure)
        axes = figure.subplots(-(-len(heads) // across), across, sharex=True, sharey=True, squeeze=False)
        self._images = [each.imshow(head, vmin=0, vmax=1) for each, head in zip(axes.flat, heads, strict=True)]
        figure.colorbar(self._images[0], ax=axes, shrink=0.6)
        self._canvas.draw()

    def redraw(self, heads: Any) -> None:
        """Draw other numbers."""
        for image, head in zip(self._images, heads, strict=True):
            image.set_data(head)
        self._canvas.draw()


def measure() -> list[Row]:
    """Return two rows for each case: against a new figure, and against one that is drawn again."""
    rows = []
    for heads, tokens, hidden, of_new, of_kept in CASES:
        sizes = {"num_heads": heads, "num_hiddens": hidden, "num_queries": tokens, "num_kvpairs": tokens}
        window = BenchWindow({"mechanism": "multi_head", "batch_size": 1, "device": "cpu", **sizes})
        kept = Heatmaps(window.shown.weights[0])
        name = f"knob to painted frame, {heads} heads x {tokens} tokens"
        new = by_turns(window.turn_knob, lambda w=window: timed(lambda: Heatmaps(w.shown.weights[0])), 5)
        rows.append(Row(name, *new, "matplotlib makes its figure", "ms", of_new))
        again = by_turns(window.turn_knob, lambda w=window, k=kept: timed(lambda: k.redraw(w.shown.weights[0])), 15)
        rows.append(Row(name, *again, "matplotlib redraws a figure it has kept", "ms", of_kept))
        window.close()
    return rows
