"""Estimates the duration of a sweep's runs from the beginning of some of them."""

import time
from collections.abc import Sequence
from typing import Any

from attnviz.definitions.text import TextError
from attnviz.engine.machine import one_thread
from attnviz.engine.run import run_to_end, start
from attnviz.experiment.extras import Extra, extras_of_sweep
from attnviz.experiment.labs import Spec, SpecError, scalars_of
from attnviz.experiment.run import Cursor, never_stop
from attnviz.experiment.scalars import numbers_of
from attnviz.experiment.sweeps.crossing import Crossing

_SECONDS = 0.7
"""The time for trying each of the sampled runs, in seconds."""


def seconds_of_a_run(crossing: Crossing, runs: Sequence[int]) -> float:
    """Return the approximate duration of a run in seconds, the mean of the first, middle and last of ``runs``.

    Invalid runs take none. The estimate takes up to three seconds, besides a single step that is longer.
    """
    tried = [crossing.spec(runs[index]) for index in sorted({0, len(runs) // 2, len(runs) - 1})] if runs else []
    legal = [spec for spec in tried if not isinstance(spec, SpecError)]
    with one_thread():
        extras = extras_of_sweep(crossing.base.lab, crossing.extras)
        for spec in legal[:1]:
            _tried(spec, extras)  # the first run of a process also loads libraries, and perhaps a model
        seconds = [_tried(spec, extras) for spec in legal]
    return sum(seconds) / len(tried) if tried else 0.0


def _tried(spec: Spec, extras: Sequence[Extra]) -> float:
    """Return the duration of a run, extrapolated from its first steps if it is long."""
    began = time.perf_counter()
    try:
        going = start(spec)
        going.advance(never_stop)
        prepared, steps = time.perf_counter(), 0
        while not going.final and time.perf_counter() - prepared < _SECONDS:
            going.advance(never_stop)
            steps += 1
        stepped = time.perf_counter()
        if going.final:
            trace = going.at(Cursor())
            numbers_of(trace, scalars_of(spec))
            for extra in extras:
                study: Any = extra.study(trace)
                run_to_end(study)
            return time.perf_counter() - began
    except (TextError, RuntimeError, ValueError, OSError, MemoryError):
        return 0.0  # the run itself reports its failure
    return prepared - began + (stepped - prepared) / max(1, steps) * spec.steps
