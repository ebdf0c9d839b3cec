"""A thousand changes of a knob as fast as they come: how many of their runs are begun, and how many go on in vain.

A run goes on in vain while a newer spec than its own has been asked for. The worker is one thread, and only one request
waits for it, so there should never be more than one such run; and the last spec should be on screen at once.
"""

import time
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractSpinBox

from attnviz.engine import run as engine
from tests.benchmarks.table import Row
from tests.benchmarks.window import BenchWindow

CHANGES = 1_000
SIZES = {"num_heads": 8, "num_hiddens": 512, "num_queries": 64, "num_kvpairs": 64}


class Counted:
    """The engine's start, and how many of its runs are under way."""

    def __init__(self) -> None:
        self.start = engine.start
        self.under_way: list[Any] = []
        self.begun = 0

    def __call__(self, asked: Any, past: Any = None, **options: Any) -> Any:
        """Begin a run, and note when it takes a step and for how long."""
        self.begun += 1
        run: Any = self.start(asked, past, **options)
        advance = run.advance

        def counted(should_stop: Any) -> bool:
            self.under_way.append(asked)
            try:
                return bool(advance(should_stop))
            finally:
                self.under_way.remove(asked)

        run.advance = counted
        return run


def measure() -> list[Row]:
    """Return the rows of runs in vain, of runs begun, and of the time until the last spec is shown."""
    counted = Counted()
    engine.start = counted
    bench = BenchWindow({"mechanism": "multi_head", "batch_size": 1, "device": "cpu", **SIZES})
    frame = bench.turn_knob() and bench.turn_knob()
    controller = bench.window.controller
    knob = bench.window.room.form.editor("seed").findChild(QAbstractSpinBox)
    counted.begun, most = 0, 0
    for _ in range(CHANGES):
        knob.stepUp()
        QCoreApplication.processEvents()
        most = max(most, sum(asked != controller.spec for asked in tuple(counted.under_way)))
    start = time.perf_counter()
    bench.wait_until(lambda: controller.up_to_date)
    last = (time.perf_counter() - start) * 1e3
    begun = counted.begun
    assert bench.shown.spec == controller.spec
    bench.close()
    engine.start = counted.start
    return [
        Row(f"{CHANGES} changes: runs in vain at a time", (most,), (1.0,), "one", "", 1.0),
        Row(f"{CHANGES} changes: runs begun", (begun,), (CHANGES,), "changes", ""),
        Row(f"{CHANGES} changes: the last one is shown after", (last,), (frame,), "a single change", "ms"),
    ]
