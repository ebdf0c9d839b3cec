"""A training at full pace with the window live, against the same engine without a window; and how smooth the window is.

Both take steps of the same spec in the same process, one after the other: while one runs the other rests. The gaps are
those of a timer that is to ring every 5 ms in the window's thread; one above 16.7 ms is a frame too late.

Learned from it: a step is some sixty small operations of torch, each of which lets go of the interpreter; while the
window draws, the worker gets it back once in a switch interval, so it all but stands still. What counts is the share of
the time that is drawn. Half of that was drawn twice (plots that found their ranges while painting, a progress bar that
paints itself and all that waits, labels that had the window laid out anew). Then four plots of pyqtgraph, some ten
items each, took 20 to 50 ms a frame, most of it spent on asking the items where they are: now one item draws them all,
and a frame is 20 to 30 ms. At full pace the window takes a twelfth of the time, and no less than three frames a second.

The engine alone makes no trace, for none is asked for. To tell torch its cores before each step was 34 us of 438
(eight heads; 375 without a worker). What is left: 20 to 30 us a step for the worker's loop, and the frames: each takes
16 ms of the window's thread (three plots 5, the other pictures 3, Python before them 5) and some 20 with what it waits
for the interpreter, so that each of the three to four in a second is late by itself.

Half of what was missing was the measure's own: a timer of 5 ms takes the interpreter 200 times a second (late frames
have turns of their own now), and the steps since the last picture were not counted.
"""

import time
from typing import Any

from PySide6.QtCore import Qt, QTimer

from attnviz.engine.labs import cores_for
from attnviz.engine.run import start
from attnviz.experiment.labs import make_spec
from attnviz.experiment.run import never_stop
from tests.benchmarks.table import Row, by_turns
from tests.benchmarks.window import BenchWindow

SECONDS = 2.0
LATE_SECONDS = 6.0
"""In 2 s are six or seven frames, each of them a late gap: one more or less would be 0.3 % of all gaps."""
REPEATS = 5
SPEC: dict[str, Any] = {
    "lab": "regression",
    "estimator": "parametric",
    "epochs": 100_000,
    "learning_rate": 1e-5,
    "device": "cpu",
}
FRAME_S = 1 / 60


class Training:
    """One training in a window, and the same one without."""

    def __init__(self, values: dict[str, Any], of_one_step: dict[str, Any]) -> None:
        self._spec = make_spec(values)
        self._bench = BenchWindow(values | of_one_step)
        self._controller = self._bench.window.controller
        self._controller.set_pace(None)
        self._controller.begin(self._spec, "")  # a training that is only proposed waits
        self._bench.wait_until(lambda: self._controller.up_to_date and self._bench.shown.step > 20)
        self._controller.run_or_pause()
        self._rings: list[float] = []
        self._timer = QTimer(self._bench)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(5)
        self._timer.timeout.connect(self._ring)
        self._alone = start(self._spec)
        with cores_for(self._spec):
            for _ in range(20):
                self._alone.advance(never_stop)

    def live(self) -> float:
        """Return the steps per second with the window live."""
        first, began = self._bench.shown.step, time.perf_counter()
        self._controller.run_or_pause()
        self._bench.let_pass(round(SECONDS * 1e3))
        seconds = time.perf_counter() - began
        self._controller.run_or_pause()
        self._bench.let_pass(400)  # the newest step is shown with the next picture, a quarter of a second later
        return (self._bench.shown.step - first) / seconds

    def late(self) -> float:
        """Return the share of the gaps that are too long; in a turn of its own, for the timer costs the worker time."""
        self._rings.clear()
        self._timer.start()
        self._controller.run_or_pause()
        self._bench.let_pass(round(LATE_SECONDS * 1e3))
        self._controller.run_or_pause()
        self._timer.stop()
        self._bench.let_pass(400)
        gaps = [after - before for before, after in zip(self._rings, self._rings[1:], strict=False)]
        return sum(gap > FRAME_S for gap in gaps) / len(gaps)

    def headless(self) -> float:
        """Return the steps per second of the engine alone, in this thread; the window's worker waits.

        It makes no trace: none is asked for.
        """
        steps, began = 0, time.perf_counter()
        with cores_for(self._spec):
            while time.perf_counter() - began < SECONDS:
                self._alone.advance(never_stop)
                steps += 1
        return steps / (time.perf_counter() - began)

    def close(self) -> None:
        """Close the window."""
        self._bench.close()

    def _ring(self) -> None:
        self._rings.append(time.perf_counter())


def measure() -> list[Row]:
    """Return the rows of one learned width and of eight heads, and the late frames of the latter."""
    rows = []
    for name, values in (("one width", {}), ("eight heads", {"num_heads": 8})):
        training = Training(SPEC | values, {"epochs": 1})
        pairs = by_turns(training.live, training.headless, REPEATS)
        rows.append(Row(f"training of {name}, window live", *pairs, "the engine alone", "steps/s", 0.9, at_least=True))
        late = tuple(training.late() for _ in range(REPEATS))
        every = (1.0,) * len(late)
        rows.append(Row(f"late frames, training of {name}", late, every, "all gaps of a timer", "", 0.01))
        training.close()
    return rows
