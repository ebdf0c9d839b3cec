"""Relations of rectangles."""

from attnviz.gui.plots.layout import Rect


def overlap(a: Rect, b: Rect) -> bool:
    """Return whether two rectangles share more than an edge."""
    apart = a.right <= b.x + 0.01 or b.right <= a.x + 0.01 or a.bottom <= b.y + 0.01 or b.bottom <= a.y + 0.01
    return not apart


def inside(a: Rect, room: Rect) -> bool:
    """Return whether a rectangle is inside another, within a pixel of rounding."""
    return a.x >= room.x - 1 and a.y >= room.y - 1 and a.right <= room.right + 1 and a.bottom <= room.bottom + 1
