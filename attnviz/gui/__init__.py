"""The screen. PySide6 and pyqtgraph; never torch."""

from importlib.util import find_spec

import PySide6

from attnviz.versions import wrong_version

if _problem := wrong_version("PySide6-Essentials", PySide6.__version__):
    raise ImportError(_problem)
if find_spec("pyqtgraph") is None:  # imported with the first plot, long after a sentence about it could be said
    raise ModuleNotFoundError("No module named 'pyqtgraph'", name="pyqtgraph")
