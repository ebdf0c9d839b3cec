"""The types of the fixtures that open windows and wait for them."""

from collections.abc import Callable

from attnviz.experiment.labs import Spec
from attnviz.gui.window.main_window import MainWindow

At = Callable[[Spec], MainWindow]
"""Brings the window of a module to a spec."""
Opener = Callable[..., MainWindow]
"""Opens a window of its own."""
Settle = Callable[[MainWindow], None]
"""Waits until a window shows the picture of its spec."""
