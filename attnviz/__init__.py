"""attnviz, a desktop workbench for attention: `run`, `sweep`, `figure`, `record` and `view` for scripts, notebooks."""

import os

# MKL, torch's matrix library on x86, sums in an order that depends on the processor and the memory, so that two runs
# would differ in the last bit. This setting fixes the order for one number of threads, which runs and scripts set
# themselves; MKL reads it at torch's first product, which in a notebook may come before the first run.
os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")

__version__ = "0.9.0"

TYPE_CHECKING = False  # instead of `typing`'s, which is not imported here so that importing attnviz is fast
if TYPE_CHECKING:
    from typing import Any

    from attnviz.api import Recorded, RecordingWarning, RunFailed, View, figure, record, run, sweep, view

__all__ = [
    "Recorded",
    "RecordingWarning",
    "RunFailed",
    "View",
    "__version__",
    "figure",
    "record",
    "run",
    "sweep",
    "view",
]

_IN_API = ("Recorded", "RecordingWarning", "RunFailed", "View", "figure", "record", "run", "sweep", "view")


def __getattr__(name: str) -> "Any":
    """Import the API for scripts and notebooks on first use (PEP 562)."""
    if name not in _IN_API:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module("attnviz.api"), name)
