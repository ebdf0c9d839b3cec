"""From the start of the process to the first painted window, to the first heatmap in it, and to the run's own picture.

Against a Python process that only imports torch, which is what the first line of any notebook waits for. The window is
the real one, started as `attnviz` starts it, with settings and state folders of its own.

The first heatmap is the stored one of the opening preset, which is painted with the window: both rows are one moment.

Learned from it (python -X importtime, cProfile, marks at each paint event), of 0.54 s where torch takes 0.9: Python,
numpy, pydantic and Qt alone 0.21, of which PySide's signatures 0.02; then 290 modules of ours, of whose time the making
of dataclasses takes 0.07 and that of pydantic models 0.04; PySide's own enums 0.03; the presets 0.01; the widgets of
the window and the room 0.1, a third of it style sheets; layout and paint 0.05, of which the picture 0.02; the stored
trace itself 0.01. Since the types of a lab, its presets' specs and pydantic's validators are made on first use, 255
modules are imported, and the window takes 0.86 to 0.88 of that time. No single part is left that would bring it to
0.45.

The garbage collector took 0.045 of the imports, so it is off from the first one. ziamath, which sets the formula in
another thread, took the interpreter from the first paint for 0.04, and now begins after it, as torch does. superqt and
pyqtgraph are not on the way to the first window. Where an environment forbids Python to write bytecode, our modules
alone are compiled at each start: the bench lifts that.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.table import Row

REPEATS = 9

WATCHED = """
import os, sys, time
import attnviz.cli as cli

def watched():
    from PySide6.QtCore import QCoreApplication, QEvent
    import attnviz.gui.app as app

    class Watched(app.MainWindow):
        due = ["window", "heatmap", "run"]

        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.controller.settled.connect(self._note_run)
            self._has_run = False

        def event(self, event):
            if event.type() == QEvent.Type.User:
                now = time.clock_gettime(time.CLOCK_MONOTONIC)
                there = {"window": True, "heatmap": self.controller.shown is not None, "run": self._has_run}
                while self.due and there[self.due[0]]:
                    print(self.due.pop(0), now, flush=True)
                if not self.due:
                    os._exit(0)
            done = super().event(event)
            if event.type() in (QEvent.Type.Paint, QEvent.Type.UpdateRequest):
                QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), 1_000)  # the next: all is on screen
            return done

        def _note_run(self):
            self._has_run = True
            self.update()

    app.MainWindow = Watched

def open_watched(*arguments, really=cli._open_window, **what):
    watched()  # only now: imported in the order in which attnviz does it
    return really(*arguments, **what)

cli._open_window = open_watched
from attnviz.__main__ import main
sys.exit(main([]))
"""


def measure() -> list[Row]:
    """Return a row for the window, one for the heatmap and one for the run."""
    ours: dict[str, list[float]] = {"window": [], "heatmap": [], "run": []}
    torch = []
    with tempfile.TemporaryDirectory() as home:
        folders = {name: str(Path(home) / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
        env = {**os.environ, **folders, "QT_QPA_PLATFORM": "offscreen"}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # it would have our modules, and no others, compiled at each start
        for turn in range(REPEATS + 1):
            at = _of_the_app(env)
            of_torch = _of_torch(env)
            if turn:  # the first fills the system's file cache
                torch.append(of_torch)
                for name, times in ours.items():
                    times.append(at[name])
    against, budgets = "a process that imports torch", {"window": 0.45, "heatmap": 0.6, "run": 1.8}
    names = {
        "window": "first window painted",
        "heatmap": "first heatmap of a fresh start",
        "run": "the run's own picture of a fresh start",
    }
    return [Row(names[key], tuple(ours[key]), tuple(torch), against, "s", budgets[key]) for key in ours]


def _of_the_app(env: dict[str, str]) -> dict[str, float]:
    start = time.clock_gettime(time.CLOCK_MONOTONIC)
    done = subprocess.run(
        [sys.executable, "-c", WATCHED], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    return {name: float(at) - start for name, at in map(str.split, done.stdout.splitlines())}


def _of_torch(env: dict[str, str]) -> float:
    start = time.clock_gettime(time.CLOCK_MONOTONIC)
    subprocess.run([sys.executable, "-c", "import torch"], env=env, check=True)
    return time.clock_gettime(time.CLOCK_MONOTONIC) - start
