"""attnviz, a desktop bench for attention: `attnviz.run`, `attnviz.figure`, `attnviz.view` for scripts and notebooks."""

import os

# MKL, torch's matrix library on x86, sums in another order with another number of threads, and so differs in the last
# bit between the window and the command line. This asks it for one order; it is read at torch's first product, which in
# a notebook may come before the first run.
os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")

__version__ = "0.2.0"

TYPE_CHECKING = False  # as `typing` has it, which this must not load: importing attnviz costs nothing
if TYPE_CHECKING:
    from typing import Any

    from attnviz.api import RunFailed, View, figure, run, view

__all__ = ["RunFailed", "View", "__version__", "figure", "run", "view"]

_IN_API = ("RunFailed", "View", "figure", "run", "view")


def __getattr__(name: str) -> "Any":
    """Load what scripts and notebooks use when it is first asked for (PEP 562)."""
    if name not in _IN_API:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module("attnviz.api"), name)
