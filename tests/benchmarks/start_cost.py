"""From the start of the process to the first painted window, and to the first heatmap.

Against a Python process that only imports torch, which is what the first line of any notebook waits for. The window is
the real one, started as `attnviz` starts it, with settings and state folders of its own.

Learned from it (python -X importtime, cProfile around the first paint): superqt took a fifth, most of it in star
imports that make every class of Qt's; pyqtgraph and the room that needs it a quarter. Both are gone from the way to the
first window. Then the first paint alone took 0.3 s, for the worker was loading torch beside it and had the interpreter:
it now begins once the window is painted, which costs the first heatmap nothing that could be measured. What is left is
numpy, pydantic and Qt themselves (half), our own 170 modules and the making of the widgets. Where an environment
forbids Python to write bytecode, our modules alone are compiled at each start: the bench lifts that.
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
    """Return a row for the window and one for the heatmap."""
    window, heatmap, torch = [], [], []
    with tempfile.TemporaryDirectory() as home:
        folders = {name: str(Path(home) / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
        env = {**os.environ, **folders, "QT_QPA_PLATFORM": "offscreen"}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # it would have our modules, and no others, compiled at each start
        for turn in range(REPEATS + 1):
            at_window, at_heatmap = _of_the_app(env)
            of_torch = _of_torch(env)
            if turn:  # the first fills the system's file cache
                window.append(at_window)
                heatmap.append(at_heatmap)
                torch.append(of_torch)
    against = "a process that imports torch"
    return [
        Row("first window painted", tuple(window), tuple(torch), against, "s", 0.5),
        Row("first heatmap of a fresh start", tuple(heatmap), tuple(torch), against, "s", 1.8),
    ]


def _of_the_app(env: dict[str, str]) -> tuple[float, float]:
    start = time.clock_gettime(time.CLOCK_MONOTONIC)
    done = subprocess.run(
        [sys.executable, "-c", WATCHED], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    times = dict(line.split() for line in done.stdout.splitlines())
    return float(times["window"]) - start, float(times["heatmap"]) - start


def _of_torch(env: dict[str, str]) -> float:
    start = time.clock_gettime(time.CLOCK_MONOTONIC)
    subprocess.run([sys.executable, "-c", "import torch"], env=env, check=True)
    return time.clock_gettime(time.CLOCK_MONOTONIC) - start
