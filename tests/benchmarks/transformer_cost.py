"""A training of a transformer: without a window against the exported script, and with the window live against without.

The script runs in this process, once with few steps and once with more: what lies between is the cost of a step. Both
draw the same batches and compute the same numbers.

Learned from it: beside the step itself a training computes the accuracy, looks whether every parameter is finite, keeps
a checkpoint and measures roles, together some 5 %. Live, the traces cost the worker a tenth while it made one for every
frame, most of which no one took.
"""

import contextlib
import io
import time
from typing import Any

from attnviz.engine.train.run import TrainRun
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.run import never_stop
from attnviz.experiment.train.spec import MOST_STEPS, TrainSpec
from attnviz.export.code.script import pytorch_code
from tests.benchmarks.table import Row, by_turns
from tests.benchmarks.training_cost import Training

REPEATS = 5
FEW, MORE = 20, 120


def measure() -> list[Row]:
    """Return the rows of the lab's first preset: the script, the window, and late frames."""
    spec = preset("train-induction").spec
    assert isinstance(spec, TrainSpec)
    spec = spec.model_copy(update={"device": "cpu", "steps": MOST_STEPS})
    pairs = by_turns(lambda: step_of_run(spec), lambda: step_of_script(spec), REPEATS)
    rows = [Row("a step of a transformer's training", *pairs, "the exported script", "ms", 1.15)]
    training = Training(spec.model_dump(mode="json"), {"steps": 1})
    pairs = by_turns(training.live, training.headless, REPEATS)
    name = "training of a transformer, window live"
    rows.append(Row(name, *pairs, "the engine alone", "steps/s", 0.9, at_least=True))
    late = tuple(training.late() for _ in range(REPEATS))
    every = (1.0,) * len(late)
    rows.append(Row("late frames, training of a transformer", late, every, "all gaps of a timer", "", 0.01))
    training.close()
    return rows


def step_of_run(spec: TrainSpec) -> float:
    """Return the milliseconds of a step of a run."""
    run = TrainRun(spec, None, lambda done, count: None)
    for _ in range(FEW):
        run.advance(never_stop)
    start = time.perf_counter()
    for _ in range(MORE - FEW):
        run.advance(never_stop)
    return (time.perf_counter() - start) * 1e3 / (MORE - FEW)


def step_of_script(spec: TrainSpec) -> float:
    """Return the milliseconds of a step of the exported script."""
    few, more = (seconds_of_script(spec.model_copy(update={"steps": steps})) for steps in (FEW, MORE))
    return (more - few) * 1e3 / (MORE - FEW)


def seconds_of_script(spec: Any) -> float:
    """Return how long the exported script takes."""
    code = compile(pytorch_code(spec), "script", "exec")
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, {"__name__": "__main__"})
    return time.perf_counter() - start
