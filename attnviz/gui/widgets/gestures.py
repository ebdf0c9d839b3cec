"""What a key or the mouse does in a widget, declared beside the code that does it.

A widget class lists its gestures as ``GESTURES``; the sheet of shortcuts and the manual read them there. Shortcuts of
the window's actions need no gesture: the sheet reads them from the actions.
"""

from typing import NamedTuple

from attnviz.definitions.text import English


class Gesture(NamedTuple):
    """One line of the sheet."""

    keys: English
    """Keys as Qt writes them, or what the mouse does; several separated by commas: "Left, Right", "Wheel"."""
    does: English
    """What happens, as an order: "Zoom"."""
    where: English
    """Where the focus or the mouse is: "Matrix"."""
