"""A colour for every head, and the parts drawn in it: ribbons, brackets, frames, and the numbers beside them.

The meaning never depends on the colour alone.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from attnviz.definitions.counting import SCREEN
from attnviz.gui.plots.tensors.reshape_layout import MOST_TILES, ReshapeLayout
from attnviz.gui.theme import Look, Theme

_STRONG, _WEAK = 0.40, 0.12

# The hues of Okabe and Ito (without black and yellow) and two more, adjusted to a contrast of 3:1 with the window and
# so that any two of them differ for normal, red-blind, green-blind and blue-blind vision.
_ON_LIGHT = ("#284e93", "#e75f11", "#316f57", "#ce549f", "#8c4dca", "#aa815f", "#358eca", "#7d2250")
_ON_DARK = ("#40c4ed", "#c2532c", "#12c165", "#c26092", "#8b8cf9", "#f88903", "#1d7acb", "#e6a8a5")


@cache
def head_colour(head: int, count: int, theme: Theme) -> QColor:
    """Return the colour of a head among ``count``: up to eight have hues of their own, more share the circle evenly."""
    is_dark = QColor(theme.window).lightness() < 128
    listed = _ON_DARK if is_dark else _ON_LIGHT
    if count <= len(listed):
        return QColor(listed[head])
    # Light and dark alternate, so that neighbours of similar hues still differ.
    lightness = (0.80, 0.64)[head % 2] if is_dark else (0.44, 0.60)[head % 2]
    return _from_oklch(lightness, 0.13, math.tau * (head / count + 0.68))


def _from_oklch(lightness: float, chroma: float, hue: float) -> QColor:
    """Return a colour by Ottosson's OKLCH, in which equal lightness looks equally light in every hue."""
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return QColor.fromRgbF(*(_encoded(min(max(part, 0.0), 1.0)) for part in linear))


def _encoded(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


class HeadPainter:
    """Draws the parts of single heads: ribbon, bracket and number, frame and batch index."""

    def __init__(self, painter: QPainter, layout: ReshapeLayout, look: Look, serves: int = 1) -> None:
        """Draw with a painter; ``serves`` is how many heads of the queries share each head."""
        self.painter, self.layout, self.look, self.serves = painter, layout, look, serves
        self.heads = layout.shape[1]

    def draw_ribbons(self) -> None:
        """Draw the chosen item's ribbons, and lighter ones of the others if one row holds all tiles."""
        chosen = self.layout.room.item
        for item, head in sorted(self.layout.tiles, key=lambda key: key[0] == chosen):
            if item == chosen or not self.layout.wrapped:
                colour = QColor(self._colour(head))
                colour.setAlphaF(_STRONG if item == chosen else _WEAK)
                stations = self.layout.course(item, head)
                path = QPainterPath()
                follow(path, [(left, y) for left, _, y in stations])
                follow(path, [(right, y) for _, right, y in reversed(stations)])
                self.painter.fillPath(path, colour)

    def draw_thread(self, item: int, head: int, share: float) -> None:
        """Draw a line along a ribbon, at a share of its width; it leaves the head's number free."""
        points = [(left + share * (right - left), y) for left, right, y in self.layout.course(item, head)]
        part = self.layout.slice_rect(item, head)
        if not points or part is None:
            return
        (x, y), below = points[0], points[1][1]
        number = self.layout.room.line + self.look.px(2)
        if abs(x - part.center().x()) < min(self.look.px(26), part.width()) and abs(below - y) > 2 * number:
            points[0] = (x, y + math.copysign(number, below - y))
        path = QPainterPath()
        follow(path, points)
        self.painter.setPen(QPen(self.look.color("text"), self.look.px(1.5)))
        self.painter.drawPath(path)

    def draw_frames(self) -> None:
        """Draw a bracket at every slice and a frame around every tile."""
        px = self.look.px
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        for whole in self.layout.wholes.values():
            bar = self.layout.beside_whole(whole, px(3), px(4), facing=True)
            width = whole.width() / self.heads
            air = 1 if width >= 5 else 0
            for head in range(self.heads):
                part = QRectF(whole.x() + head * width + air, bar.y(), width - 2 * air, bar.height())
                self.painter.fillRect(part, self._colour(head))
        reach = px(2) / 2
        for (_, head), tile in self.layout.tiles.items():
            self.painter.setPen(QPen(self._colour(head), px(2), j=Qt.PenJoinStyle.MiterJoin))
            self.painter.drawRect(tile.adjusted(-reach, -reach, reach, reach))

    def write_heads(self, long: str, short: str) -> None:
        """Write the head at every slice with enough room: the long text, or its number after a short word."""
        metrics, px, line = self.painter.fontMetrics(), self.look.px, self.layout.room.line
        for place, (item, whole) in enumerate(self.layout.wholes.items()):
            width = whole.width() / self.heads
            longest = self._name(self.heads - 1)
            fits = metrics.horizontalAdvance(long.format(longest)) + px(6) <= width
            every = every_nth(metrics.horizontalAdvance(longest) + px(4), width)
            strip = self.layout.beside_whole(whole, self.layout.room.bracket + px(1), line, facing=True)
            for head in range(0, self.heads, every):
                part = QRectF(whole.x() + head * width, strip.y(), width, line)
                self._write(part, item, (long if fits else "{0}").format(self._name(head)))
            if not fits and place == 0:
                self._write_in_gutter(strip, short)

    def write_batch(self, long: str, short: str) -> None:
        """Write the batch index at every tile with enough room, and its head if it fits; a word before each row."""
        metrics, px, tiles = self.painter.fontMetrics(), self.look.px, self.layout.tiles
        first = next(iter(tiles.values()))
        last = max(item * self.heads + head for item, head in tiles)
        longest = long.format(SCREEN.number(last), self._name(self.heads - 1))
        fits = metrics.horizontalAdvance(longest) <= first.width()
        every = every_nth(metrics.horizontalAdvance(str(SCREEN.number(last))) + 2, first.width() + self.layout.gap)
        for (item, head), tile in tiles.items():
            strip = self.layout.beside_tile(tile, px(3), self.layout.room.line, facing=False)
            if head % every == 0:
                index = item * self.heads + head
                self._write(strip, item, (long if fits else "{0}").format(SCREEN.number(index), self._name(head)))
            if tile.x() == first.x():
                self._write_in_gutter(strip, short)

    def _name(self, head: int) -> str:
        """Return the number of a head, or "3–4": those that share it."""
        first, last = SCREEN.head(head * self.serves), SCREEN.head((head + 1) * self.serves - 1)
        return f"{first}" if first == last else f"{first}–{last}"

    def _write(self, place: QRectF, item: int, text: str) -> None:
        """Write in the middle of a rectangle, but within the widget."""
        reach = self.painter.fontMetrics().horizontalAdvance(text) / 2 + 2
        place.translate(min(0.0, self.layout.room.width - reach - place.center().x()), 0)
        self.painter.setPen(self.look.color("text" if item == self.layout.room.item else "muted"))
        self.painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, text)

    def _write_in_gutter(self, strip: QRectF, text: str) -> None:
        place = QRectF(0, strip.y(), strip.x() - self.layout.air, strip.height())
        self.painter.setPen(self.look.color("muted"))
        self.painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _colour(self, head: int) -> QColor:
        # A thousand hues would all look alike; after as many as can be drawn they repeat.
        return head_colour(head % MOST_TILES, min(self.heads, MOST_TILES), self.look.theme)


def every_nth(needed: float, available: float) -> int:
    """Return the interval of labels on positions of equal width so that each has room: 1, 2, 5, 10, 20, ..."""
    steps = (step * 10**power for power in range(9) for step in (1, 2, 5))
    return next((step for step in steps if step * available >= needed), 10**9)


def follow(path: QPainterPath, points: Sequence[tuple[float, float]]) -> None:
    """Add a curve through points that is vertical at each of them."""
    if path.isEmpty():
        path.moveTo(QPointF(*points[0]))
    else:
        path.lineTo(QPointF(*points[0]))
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = (y0 + y1) / 2
        path.cubicTo(QPointF(x0, middle), QPointF(x1, middle), QPointF(x1, y1))
