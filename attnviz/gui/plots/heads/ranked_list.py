"""A ranking beside tiles of heads: a line with a bar and two numbers for each head, and each pair of heads."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from attnviz.definitions.counting import head_name
from attnviz.experiment.layers.statistics import HeadValues
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import translate

WIDTH = 216
"""The width of the list at scale 1."""
LINE, BAR = 18, 8
"""The height of a line of text, and of a bar, at scale 1."""
_LEFT_GAP, _ROW, _HEAD, _PAIR, _NUMBERS, _FIRST_NUMBER = 20, 24, 38, 62, 110, 52
"""At scale 1: the gap before the list, the greatest height of a row, the width of the names of one head and of two, of
both numbers, and of the first."""
_ABOUT_PAIRS = 3
"""The lines above the pairs: their title, their order, and the meaning of the mark in their bars."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of a ranking."""

    name: str
    share: float
    """The length of its bar, from 0 to 1."""
    number: str
    second: str
    head: int | None = None
    """The head that a click chooses, counted through all layers."""
    mark: float | None = None
    """The position of the mark in its bar, from 0 to 1."""
    off: bool = False
    """It has no bar and no second number."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Lines under the titles of their two numbers."""

    title: str = ""
    second: str = ""
    rows: tuple[Ranked, ...] = ()
    order: str = ""
    """The sort key of pairs."""
    mark: str = ""
    """The meaning of the mark in their bars."""
    missing: str = ""
    """Why there are no rows."""


def ranking_of(values: HeadValues, second: HeadValues) -> Ranking:
    """Return the heads by their numbers, the largest first, then by the second ones; ablated heads come last."""
    places = [divmod(at, values.values.shape[1]) for at in range(values.values.size)]
    places.sort(key=lambda at: (at in values.off, -values.values[at], -second.values[at]))
    rows = (
        Ranked(
            head_name(*at),
            float(values.values[at]),
            number_in(values, at),
            second.number(float(second.values[at])),
            at[0] * values.values.shape[1] + at[1],
            off=at in values.off,
        )
        for at in places
    )
    return Ranking(values.title, second.title, tuple(rows))


def number_in(values: HeadValues, at: tuple[int, int]) -> str:
    """Return the number of a head as text, or that the head is ablated."""
    return translate("off") if at in values.off else values.number(float(values.values[at]))


def draw_bar(painter: QPainter, full: QRectF, share: float, colour: QColor, look: Look) -> None:
    """Draw a bar that fills this share of a rectangle."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(full, look.color("faint"))
    painter.fillRect(QRectF(full.left(), full.top(), full.width() * min(max(share, 0.0), 1.0), full.height()), colour)


def write(painter: QPainter, look: Look, place: QRectF, *choices: tuple[str, str]) -> None:
    """Write the first name and number that fit, or the last, truncated."""
    metrics = QFontMetricsF(painter.font())
    shown = [(name, number if look.numbers else "") for name, number in choices]
    fit = (each for each in shown if metrics.horizontalAdvance(" ".join(filter(None, each))) <= place.width())
    name, number = next(fit, shown[-1])
    painter.drawText(place, LEFT, metrics.elidedText(name, Qt.TextElideMode.ElideRight, place.width()))
    painter.drawText(place, RIGHT, number)


class RankedList:
    """The geometry and drawing of the lines, at the right of a picture of this size.

    Heads and pairs that do not fit are counted in a last line each.
    """

    def __init__(self, look: Look, width: float, height: float, heads: Ranking, pairs: Ranking) -> None:
        px = look.px
        self.look, self.heads, self.pairs = look, heads, pairs
        self._left, self._width, self._top = width - px(WIDTH) + px(_LEFT_GAP), px(WIDTH) - px(_LEFT_GAP), px(LINE)
        about = len(pairs.rows) + _ABOUT_PAIRS if pairs.rows else int(bool(pairs.missing))
        room, least = (height - self._top) / max(len(heads.rows) + about, 1), QFontMetricsF(look.font("small")).height()
        self._height = min(px(_ROW), max(room, least + 1))
        lines = max(1, int((height - self._top) // self._height))
        of_heads = lines - min(about, max(lines // 3, lines - len(heads.rows)))
        self.listed = heads.rows if len(heads.rows) <= of_heads else heads.rows[: of_heads - 1]
        """The heads that have a line."""
        self._title = len(self.listed) + (len(self.listed) < len(heads.rows))
        self._first = self._title + _ABOUT_PAIRS
        lines -= self._first
        self.listed_pairs = pairs.rows if len(pairs.rows) <= lines else pairs.rows[: max(0, lines - 1)]
        """The pairs that have a line."""

    def row(self, place: int) -> QRectF:
        """Return the rectangle of a line, which may be below the picture; pairs follow the heads."""
        return QRectF(self._left, self._top + place * self._height, self._width, self._height)

    def bar(self, place: int) -> QRectF:
        """Return the rectangle of a full bar."""
        row, px = self.row(place), self.look.px
        height = max(2.0, min(px(BAR), row.height() - 4))
        name = px(_HEAD if place < len(self.listed) else _PAIR)
        return QRectF(row.left() + name, row.center().y() - height / 2, row.width() - name - px(_NUMBERS), height)

    def head_at(self, place: QPointF) -> int | None:
        """Return the head of the line at a point, counted through all layers."""
        return next((each.head for at, each in enumerate(self.listed) if self.row(at).contains(place)), None)

    def tip(self, place: QPointF) -> str:
        """Return why there are no pairs, at the line about that."""
        return self.pairs.missing if self.row(self._title).contains(place) else ""

    @property
    def said(self) -> str:
        """All lines, for a screen reader."""
        said = ", ".join(f"{each.name} {each.number}" for each in self.heads.rows)
        if self.pairs.rows:
            pairs = "; ".join(f"{each.name} {each.number}" for each in self.pairs.rows)
            said = f"{said}. {self.pairs.title} ({self.pairs.order}): {pairs}"
        return f"{said} {self.pairs.missing}"

    def draw_titles(self, painter: QPainter) -> None:
        """Draw the titles over the heads."""
        self._draw_titles(painter, QRectF(self._left, 0, self._width, self._top), self.heads)

    def draw(self, painter: QPainter) -> None:
        """Draw all lines."""
        for at, each in enumerate(self.listed):
            self._draw_row(painter, at, each)
        self._draw_others(painter, len(self.listed), len(self.heads.rows) - len(self.listed))
        if self.pairs.missing:
            painter.setPen(self.look.text_color("muted"))
            write(painter, self.look, self.row(self._title), (self.pairs.missing, ""))
        if self.listed_pairs:
            title, order, mark = (self.row(self._title + line) for line in range(_ABOUT_PAIRS))
            self._draw_titles(painter, title, self.pairs)
            write(painter, self.look, order, (self.pairs.order, ""))
            self._draw_mark(painter, mark.left() + 1, mark.center().y())
            write(painter, self.look, mark.adjusted(self.look.px(6) + 2, 0, 0, 0), (self.pairs.mark, ""))
            for at, each in enumerate(self.listed_pairs, start=self._first):
                self._draw_row(painter, at, each)
            more = len(self.pairs.rows) - len(self.listed_pairs)
            self._draw_others(painter, self._first + len(self.listed_pairs), more)

    def _draw_titles(self, painter: QPainter, row: QRectF, ranking: Ranking) -> None:
        painter.setFont(self.look.font("small"))
        painter.setPen(self.look.text_color("muted"))
        painter.drawText(row, LEFT, ranking.title)
        painter.drawText(row, RIGHT, ranking.second)

    def _draw_others(self, painter: QPainter, place: int, count: int) -> None:
        """Write the number of omitted lines, if any."""
        if count:
            painter.setFont(self.look.font("small"))
            painter.setPen(self.look.text_color("muted"))
            painter.drawText(self.row(place), LEFT, translate("and {0} more").format(count))

    def _draw_row(self, painter: QPainter, place: int, each: Ranked) -> None:
        row, bar = self.row(place), self.bar(place)
        painter.setFont(self.look.font("small", bold=True))
        painter.setPen(self.look.text_color("text"))
        painter.drawText(row, LEFT, each.name)
        painter.setFont(self.look.font("small"))
        if self.look.numbers:
            number = QRectF(bar.right(), row.top(), self.look.px(_FIRST_NUMBER), row.height())
            painter.drawText(number, RIGHT, each.number)
            painter.setPen(self.look.text_color("muted"))
            painter.drawText(row, RIGHT, "" if each.off else each.second)
        if not each.off:
            draw_bar(painter, bar, each.share, self.look.color("accent"), self.look)
            if each.mark is not None:
                self._draw_mark(painter, bar.left() + bar.width() * min(max(each.mark, 0.0), 1.0), bar.center().y())

    def _draw_mark(self, painter: QPainter, x: float, y: float) -> None:
        height = self.look.px(BAR) + 4
        painter.fillRect(QRectF(x - 1, y - height / 2, 2, height), self.look.color("text"))
