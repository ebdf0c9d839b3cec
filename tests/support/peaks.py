"""The peak memory of a run, measured in a separate process forked with torch loaded."""

import multiprocessing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from attnviz.engine.regression.run import regression_bytes
from attnviz.engine.run import run
from attnviz.experiment.attention.memory import attention_bytes
from attnviz.experiment.labs import Spec, make_spec

PATIENCE_S = 100


def peak_over_estimate(small: dict[str, Any], **large: Any) -> float:
    """Return the peak memory of a run as a multiple of its estimate."""
    context = multiprocessing.get_context("forkserver")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_measure, args=(there, {**large, **small}, large))
    process.start()
    there.close()
    assert here.poll(PATIENCE_S), "no answer"
    found: float = here.recv()
    process.join(PATIENCE_S)
    return found


def _measure(answer: Connection, small: dict[str, Any], large: dict[str, Any]) -> None:
    _run(make_spec({"device": "cpu", **small}))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets the peak
    before = _status("VmRSS")
    needed = _run(make_spec({"device": "cpu", **large}))
    answer.send((_status("VmHWM") - before) / needed)


def _run(spec: Spec) -> int:
    """Run a spec with everything shown of it; return the estimate in bytes."""
    trace: Any = None
    for trace in run(spec):
        trace.prepare()
    if spec.lab == "attention":
        return attention_bytes(spec)
    _ = trace.difference_levels, trace.kernel_levels, trace.contribution_levels
    return regression_bytes(spec, len(trace.x_test), len(trace.x_train))


def _status(line: str) -> int:
    rows = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(row.split()[1]) << 10 for row in rows if row.startswith(line))
