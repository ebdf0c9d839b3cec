"""The gestures of a widget, its keys and mouse actions, declared beside the code that handles them.

A widget class lists its gestures as ``GESTURES``; the list of shortcuts and the manual read them there. Shortcuts of
the window's actions need no gesture: the list reads them from the actions.
"""

from typing import NamedTuple

from attnviz.definitions.text import English


class Gesture(NamedTuple):
    """One line of the list of shortcuts."""

    keys: English
    """Keys in Qt's notation, or a mouse action; several separated by commas: "Left, Right", "Wheel"."""
    does: English
    """The effect, in the imperative: "Zoom"."""
    where: English
    """The position of the focus or the mouse: "Matrix"."""
