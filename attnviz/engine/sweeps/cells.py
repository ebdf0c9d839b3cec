"""Runs of a sweep as remote jobs, with JSON as input and output.

Every run has one thread, so that its numbers are the same bit for bit on one kind of processor.
"""

import json
import platform
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import torch

from attnviz.definitions.text import Text
from attnviz.engine.machine import one_thread
from attnviz.engine.run import failure_of, start
from attnviz.experiment.labs import Spec, SpecError, Trace, make_spec, scalars_of, text_columns_of
from attnviz.experiment.run import Cursor
from attnviz.experiment.scalars import numbers_of, texts_of
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, SPEC, Crossing
from attnviz.experiment.sweeps.fields import with_changes
from attnviz.versions import own_version

Row = dict[str, Any]
"""The row of a run: its number, changes, scalars, failure message ("": none) and spec."""


@cache
def versions() -> dict[str, str]:
    """Return the package versions that affect the numbers of a run."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"attnviz": own_version(), "torch": str(torch.__version__), "numpy": np.__version__, "Python": python}


def order_of(crossing: Crossing, runs: Sequence[int], limit: float | None) -> str:
    """Return the order for some runs as JSON; ``limit``: the timeout of each in seconds."""
    base = json.loads(crossing.base.model_dump_json())
    cells = [[run, crossing.changes(run)] for run in runs]
    return json.dumps({"versions": versions(), "base": base, "cells": cells, "limit": limit})


def compute(order: str) -> str:
    """Compute the runs of an order and return their rows as JSON, with the seconds that they took.

    Refuse to compute if the worker's package versions differ from the client's, and return them instead.
    """
    wanted = json.loads(order)
    if wanted["versions"] != versions():
        return json.dumps({"versions": versions()})
    began = time.perf_counter()
    base = make_spec(wanted["base"])
    with one_thread():
        rows = [row_of(base, run, changes, wanted["limit"]) for run, changes in wanted["cells"]]
    return json.dumps({"rows": rows, "seconds": time.perf_counter() - began})


def row_of(base: Spec, run: int, changes: Mapping[str, Any], limit: float | None) -> Row:
    """Return the row of a run; an invalid, failed or timed-out run is a row with the reason.

    So is a run whose trace has a warning: its numbers are there, but not the model's.
    """
    row: Row = {RUN: run, **changes}
    spec = with_changes(base, changes)
    if isinstance(spec, SpecError):
        return {**row, FAILURE: str(spec.text), SPEC: None}
    written = json.loads(spec.model_dump_json())
    trace = _last_trace(spec, limit)
    if isinstance(trace, Text):
        return {**row, FAILURE: str(trace), SPEC: written}
    return {
        **row,
        **texts_of(trace, text_columns_of(spec)),
        **numbers_of(trace, scalars_of(spec)),
        FAILURE: str(trace.warning),
        SPEC: written,
    }


def _last_trace(spec: Spec, limit: float | None) -> Trace | Text:
    """Return the last trace of a spec, or the reason for its absence."""
    late = time.perf_counter() + (float("inf") if limit is None else limit)

    def is_late() -> bool:
        return time.perf_counter() > late

    try:
        going = start(spec)
        while not going.final:
            if is_late() or not going.advance(is_late):
                return Text("the run took longer than {limit} s", {"limit": f"{limit:g}"})
        trace: Trace = going.at(Cursor())
    except Exception as error:  # a bug gives a row as well, and the other runs continue
        return failure_of(spec, error).text
    return trace
