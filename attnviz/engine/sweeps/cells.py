"""Runs of a sweep as remote jobs, with JSON as input and output.

Every run has one thread, so that its numbers are the same bit for bit on one kind of processor.
"""

import json
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import torch

from attnviz.definitions.text import Text, listed
from attnviz.engine.machine import one_thread
from attnviz.engine.run import failure_of, start
from attnviz.experiment.extras import Extra, extras_of_sweep
from attnviz.experiment.files import consent
from attnviz.experiment.labs import Asked, Outcome, Spec, SpecError, make_spec, scalars_of, text_columns_of
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
    allowed = [digest for digest in map(consent.digest_of, crossing.base.code) if consent.is_allowed(digest)]
    order = {"versions": versions(), "base": base, "cells": cells, "limit": limit, "extras": crossing.extras}
    return json.dumps(order | {"allowed": allowed})


def compute(order: str) -> str:
    """Compute the runs of an order and return their rows as JSON, with the seconds that they took.

    Refuse to compute if the worker's package versions differ from the client's, and return them instead.
    """
    wanted = json.loads(order)
    if wanted["versions"] != versions():
        return json.dumps({"versions": versions()})
    began = time.perf_counter()
    base = make_spec(wanted["base"])
    for digest in wanted["allowed"]:  # the client's user has consented; a scheduler runs any code of its clients
        consent.allow(digest, remember=False)
    with one_thread():
        extras = extras_of_sweep(base.lab, wanted["extras"])
        rows = [row_of(base, run, changes, wanted["limit"], extras) for run, changes in wanted["cells"]]
    return json.dumps({"rows": rows, "seconds": time.perf_counter() - began})


def row_of(base: Spec, run: int, changes: Mapping[str, Any], limit: float | None, extras: Sequence[Extra] = ()) -> Row:
    """Return the row of a run; an invalid, failed or timed-out run is a row with the reason.

    So is a run whose trace has a warning: its numbers are there, but not the model's; and one of whose studies fails.
    """
    row: Row = {RUN: run, **changes}
    spec = with_changes(base, changes)
    if isinstance(spec, SpecError):
        return {**row, FAILURE: str(spec.text), SPEC: None}
    written = json.loads(spec.model_dump_json())
    trace = _last_trace(spec, limit)
    if isinstance(trace, Text):
        return {**row, FAILURE: str(trace), SPEC: written}
    numbers, failures = numbers_of(trace, scalars_of(spec)), [trace.warning] if trace.warning else []
    for extra in extras:
        found = _last_trace(extra.study(trace), limit)
        if isinstance(found, Text):
            failures.append(found)
        elif extra.scalars is not None:
            known = [replace(each, of=partial(_known, each.of(found))) for each in extra.scalars(spec)]
            numbers |= numbers_of(trace, known)
    return {
        **row,
        **texts_of(trace, text_columns_of(spec)),
        **numbers,
        FAILURE: str(listed(failures, "{first}; {rest}")) if failures else "",
        SPEC: written,
    }


def _known(value: Any, _: Any) -> Any:
    return value


def _last_trace(spec: Asked, limit: float | None) -> Any:
    """Return the last trace of a spec, or the result of a study; or the reason for its absence, a `Text`."""
    late = time.perf_counter() + (float("inf") if limit is None else limit)

    def is_late() -> bool:
        return time.perf_counter() > late

    try:
        going = start(spec)
        while not going.final:
            if is_late() or not going.advance(is_late):
                return Text("the run took longer than {limit} s", {"limit": f"{limit:g}"})
        trace: Outcome = going.at(Cursor())
    except Exception as error:  # a bug gives a row as well, and the other runs continue
        return failure_of(spec, error).text
    return trace
