"""Types of the fixtures that open windows and wait for them."""

from collections.abc import Callable

from attnviz.experiment.labs import Spec
from attnviz.gui.window.main_window import MainWindow

At = Callable[[Spec], MainWindow]
"""Shows a spec in the module's window."""
Opener = Callable[..., MainWindow]
"""Opens a new window."""
Settle = Callable[[MainWindow], None]
"""Waits until a window shows the picture of its spec."""
