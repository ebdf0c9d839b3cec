"""How the curves of overlays are told apart: by colour and by the pattern of their line."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from attnviz.gui.theme import Look

_PATTERNS = (
    (Qt.PenStyle.SolidLine, "━"),
    (Qt.PenStyle.DashLine, "╍"),
    (Qt.PenStyle.DotLine, "┅"),
    (Qt.PenStyle.DashDotLine, "┉"),
)


def overlay_pen(look: Look, place: int) -> QPen:
    """Return the pen of the overlay at a place of the list."""
    # After all colours have been used with one pattern they come again with the next.
    pattern, _ = _PATTERNS[place % len(_PATTERNS)]
    return QPen(QColor(overlay_colour(look, place)), 1.8 * look.scale, pattern)


def overlay_colour(look: Look, place: int) -> str:
    """Return the colour of the overlay at a place of the list."""
    return look.theme.curves[place % len(look.theme.curves)]


def overlay_sign(place: int) -> str:
    """Return a line of the overlay's pattern, for a legend."""
    return _PATTERNS[place % len(_PATTERNS)][1]
