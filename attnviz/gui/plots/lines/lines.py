"""Weights as lines: selection, width and colour."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from attnviz.gui.theme import Look

ALL_UP_TO, MOST = 16, 5
"""Draw a line to every key for up to `ALL_UP_TO` keys, else to the `MOST` keys with the largest weights."""
_OTHERS_ON_LIGHT, _OTHERS_ON_DARK = ("edge", 0.18), ("muted", 0.3)
"""The colour of the lines of other queries, and its strength relative to those of the chosen one."""
_THINNEST, _FAINTEST, _TIE = 0.25, 0.35, 1e-15
"""The least width of a line at scale 1, thinner than any in a legend; its least colour strength; the penalty of later
keys among equal weights."""
_READS_0, _PALER = 0.0005, 0.5
"""Weights below this are written 0.000, and their lines have this much less colour."""
_SMOOTH = 160
"""More lines than this are drawn without antialiasing, in a fifth of the time."""


class Lines(NamedTuple):
    """Lines by their queries and keys, the smallest weight first."""

    queries: NDArray[np.intp]
    keys: NDArray[np.intp]
    weights: NDArray[np.float64]

    def take(self, which: NDArray[np.bool_]) -> "Lines":
        """Return some of them."""
        return Lines(self.queries[which], self.keys[which], self.weights[which])


class Ends(NamedTuple):
    """The ends of lines in pixels: left and right, at the heights of queries (Q,) and keys (K,)."""

    left: float
    right: float
    queries: NDArray[np.floating]
    keys: NDArray[np.floating]
    thickest: float
    """The width of a line of weight 1."""


def most_of(keys: int) -> int:
    """Return the most lines per query for a number of keys."""
    return keys if keys <= ALL_UP_TO else MOST


def lines_of(weights: NDArray[np.floating], query: int | None = None, most: int | None = None) -> Lines:
    """Return the lines of (Q, K) weights, or of one of their queries; a weight of 0 or NaN has none.

    ``most`` is the number of lines per query, the largest weights first; None is `most_of` the keys.
    """
    rows = slice(None) if query is None else slice(query, query + 1)
    found = np.clip(np.nan_to_num(weights[rows].astype(np.float64)), 0.0, 1.0)
    count, keys = found.shape
    most = most_of(keys) if most is None else most
    ranked = found - np.arange(keys) * _TIE  # the first among equal ones, as in a list
    places = np.argpartition(ranked, keys - most, axis=1)[:, keys - most :].ravel()
    queries = np.repeat(np.arange(count), most)
    of_lines = found[queries, places]
    order = np.argsort(of_lines, kind="stable")
    order = order[of_lines[order] > 0]
    return Lines(queries[order] + (query or 0), places[order], of_lines[order])


def line_width(weight: float, thickest: float, look: Look) -> float:
    """Return the width of a weight's line in pixels: proportional to it, but always visible."""
    return max(_THINNEST * look.scale, thickest * weight)


def line_colour(weight: float, look: Look, role: str, strength: float = 1.0) -> QColor:
    """Return a colour between the window's and a role's: the larger the weight, the nearer to the role's."""
    strength *= _PALER if weight < _READS_0 else 1
    share = strength * (_FAINTEST + (1 - _FAINTEST) * weight**0.5)
    below, above = look.color("window").rgb(), look.color(role).rgb()
    mixed = [round((below >> at & 255) * (1 - share) + (above >> at & 255) * share) for at in (16, 8, 0)]
    return QColor(*mixed)


def line_pen(weight: float, thickest: float, look: Look, role: str, strength: float = 1.0) -> QPen:
    """Return the pen of a line."""
    colour, width = line_colour(weight, look, role, strength), line_width(weight, thickest, look)
    return QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)


def is_dark(look: Look) -> bool:
    """Return whether lines are drawn on a dark background."""
    return look.color("window").lightness() < 128


def others_in(look: Look) -> tuple[str, float]:
    """Return the colour and strength of the lines of other queries, stronger on a dark background."""
    return _OTHERS_ON_DARK if is_dark(look) else _OTHERS_ON_LIGHT


def draw_lines(painter: QPainter, lines: Lines, ends: Ends, look: Look, role: str, strength: float = 1.0) -> None:
    """Draw lines in the colour of a role, the thickest last; both ends are horizontal."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(lines.weights) <= _SMOOTH)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    middle = (ends.left + ends.right) / 2
    starts, stops = ends.queries[lines.queries].tolist(), ends.keys[lines.keys].tolist()
    for start, stop, weight in zip(starts, stops, lines.weights.tolist(), strict=True):
        path = QPainterPath()
        path.moveTo(ends.left, start)
        path.cubicTo(middle, start, middle, stop, ends.right, stop)
        painter.setPen(line_pen(weight, ends.thickest, look, role, strength))
        painter.drawPath(path)
    painter.restore()


_T = np.linspace(0.0, 1.0, 65)
_ACROSS = 1.5 * _T * (1 - _T) + _T**3
"""The horizontal progress of a line at each parameter of its curve."""


def heights_at(x: float, lines: Lines, ends: Ends) -> NDArray[np.float64]:
    """Return the height of each line at an x between left and right, in pixels."""
    t = float(np.interp((x - ends.left) / (ends.right - ends.left), _ACROSS, _T))
    start = ends.queries[lines.queries].astype(np.float64)
    return start + (ends.keys[lines.keys] - start) * (3 * t**2 - 2 * t**3)
