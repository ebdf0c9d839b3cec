"""Functions for a worker's process: `compute_or_exit` is sent there, and Dask calls `dask_setup` at its start."""

import json
import os
import signal
import threading
from typing import Any

import torch

from attnviz.engine.sweeps.cells import compute

_GRACE = 30.0
"""The time in seconds after its limit within which a run must stop by itself."""


def compute_or_exit(order: str) -> str:
    """Return the result of `compute`; end the process if a run ignores its limit, such as in endless C code."""
    wanted = json.loads(order)
    if wanted["limit"] is None:
        return compute(order)
    runs = len(wanted["cells"]) * (1 + len(wanted["extras"]))
    timer = threading.Timer(wanted["limit"] * runs + _GRACE, os._exit, (1,))
    timer.daemon = True
    timer.start()
    try:
        return compute(order)
    finally:
        timer.cancel()


def dask_setup(worker: Any) -> None:
    """Prepare a worker's process that a sweep has started on its own machine."""
    del worker
    # Ctrl+C reaches every process of a terminal; the process that started the workers ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    torch.set_num_threads(1)
