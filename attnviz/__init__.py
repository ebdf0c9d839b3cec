"""attnviz, a desktop bench for attention: `attnviz.run`, `attnviz.figure`, `attnviz.view` for scripts and notebooks."""

__version__ = "0.1.0"

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
