"""The graphical interface: PySide6 and pyqtgraph; never torch."""

from importlib.util import find_spec

import PySide6

from attnviz.versions import wrong_version

if _problem := wrong_version("PySide6-Essentials", PySide6.__version__):
    raise ImportError(_problem)
if find_spec("pyqtgraph") is None:  # checked here: the first plot imports it, too late for a clear message
    raise ModuleNotFoundError("No module named 'pyqtgraph'", name="pyqtgraph")

from attnviz.gui.virtuals import guard_overrides

guard_overrides()  # before any class of the window is defined
