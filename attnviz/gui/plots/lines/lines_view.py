"""Weights as lines from queries at the left to keys at the right, with width and colour by weight."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.plots.lines.lines import (
    ALL_UP_TO,
    MOST,
    Ends,
    Lines,
    draw_lines,
    heights_at,
    line_pen,
    lines_of,
    most_of,
    others_in,
)
from attnviz.gui.plots.matrix.canvas import ARROWS, Pointed
from attnviz.gui.plots.matrix.matrix import Cell, Matrix, longest
from attnviz.gui.plots.matrix.matrix_drawing import width_of
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import cell_text, number_text

_THICKEST, _IN_A_ROW = (8, 24), 0.7
"""The width of a line of weight 1: a share of a token's row, within these pixels at scale 1."""
_ONE_EACH_FROM = 128
"""From this number of queries on, only the largest line of every other one is drawn."""
_PITCH, _LABEL, _GAP, _CURVE = 52, 140, 10, 1.3
"""The greatest pitch of tokens and width of labels; the gap beside a label; the width of the lines per height."""
_LEAST_HEIGHT = 300
"""The height that few tokens share before they get the greatest pitch, at scale 1."""
_LEGEND = (0.05, 0.2, 0.5)
_REACH = 6
"""The distance in pixels within which the mouse hits a line, at scale 1."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, eq=False)
class LinePicture:
    """The content: (Q, K) weights with their mask and labels; with ``strong`` every query's lines are strong."""

    weights: NDArray[np.floating]
    mask: NDArray[np.bool_]
    """(Q, K), True = may attend."""
    queries: Sequence[str]
    keys: Sequence[str]
    title: str = ""
    strong: bool = False
    sinks: NDArray[np.floating] | None = None
    """(Q,), the weight of the attention sink; None without one."""
    matrix: Matrix | None = None
    """The same weights, to be read as a table."""

    @cached_property
    def lines(self) -> Lines:
        """The lines of all queries."""
        return lines_of(self.weights, most=1 if self.one_each else None)

    @property
    def one_each(self) -> bool:
        """Whether `lines` has only the largest of each query."""
        return len(self.queries) > _ONE_EACH_FROM

    def of(self, query: int | None) -> Lines:
        """Return the lines of one query; None has none."""
        return (
            self.lines.take(np.zeros(len(self.lines.weights), bool)) if query is None else lines_of(self.weights, query)
        )


class _Places(NamedTuple):
    """The positions of the parts, in pixels of the widget."""

    ends: Ends
    begin: float
    stop: float
    """The left and right of all parts."""
    labels: tuple[float, float]
    """The widths of the labels of queries and keys."""
    pitch: float
    line: int
    """The height of a line of text."""
    legend: float
    """The top of the legend."""


class LinesView(Pointed):
    """Pointing at a query shows its lines, a click selects it; pointing at a key, or a line, shows that cell."""

    GESTURES = (
        Gesture("Point", "Show the lines of a query, or a key's cell", "Lines"),
        Gesture("Click", "Hold a query, or a cell", "Lines"),
        Gesture("Up, Down", "Hold the next query", "Lines"),
        Gesture("Left, Right", "Hold the next key", "Lines"),
    )

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._picture: LinePicture | None = None
        self._shown: Cell | None = None
        self._held: Cell | None = None
        self._found: tuple[object, _Places] | None = None
        self.setAccessibleName(self.tr("Weights of the chosen head as lines"))

    def show_picture(self, picture: LinePicture) -> None:
        """Draw the weights of one head."""
        self._picture, self._found = picture, None
        self.redraw()

    def select(self, shown: Cell | None, held: Cell | None) -> None:
        """Draw the lines of a row strongly, and mark a key; ``held`` is the selection when the mouse leaves."""
        self._shown, self._held = shown, held
        self.update()

    @property
    @override
    def matrix(self) -> Matrix | None:
        return None if self._picture is None else self._picture.matrix

    @property
    @override
    def marked(self) -> Cell | None:
        return self._shown

    @override
    def hold(self, cell: Cell) -> None:
        self.hovered.emit(None)  # move the selection, even if the mouse is over the widget
        if cell != self._held:
            self.clicked.emit(cell)

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, self.look.px(400))

    @property
    def places(self) -> _Places:
        """The positions of all parts."""
        key = self.look, self.size()
        if self._found is None or self._found[0] != key:
            assert self._picture is not None
            words = self.tr("queries"), self.tr("keys"), self.tr("masked"), self.tr("weight")
            self._found = key, _placed(self._picture, self.look, self.size(), words)
        return self._found[1]

    @override
    def draw(self, painter: QPainter) -> None:
        """Draw the lines of all queries, pale unless all are strong."""
        picture = self._picture
        if picture is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        role, strength = ("q", 1.0) if picture.strong else others_in(self.look)
        draw_lines(painter, picture.lines, self.places.ends, self.look, role, strength)
        self._draw_headings(painter, picture)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        """Draw the lines of the chosen query, the names of tokens, and its weights."""
        picture, shown = self._picture, self._shown
        if picture is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        query = None if shown is None or shown.row >= len(picture.queries) else shown.row
        key = None if query is None or shown is None or (shown.column or 0) >= len(picture.keys) else shown.column
        own = picture.of(query)
        draw_lines(painter, own, self.places.ends, self.look, "q")
        draw_lines(painter, own.take(own.keys == key), self.places.ends, self.look, "k")
        self._draw_dots(painter, picture, query)
        painter.setFont(_token_font(self.look, self.places.pitch))
        self._draw_queries(painter, picture, query)
        self._draw_keys(painter, picture, query, key, own)
        painter.setFont(self.look.font("small"))
        if query is not None:
            self._draw_remarks(painter, picture, query)
        self._draw_legend(painter, picture, query)

    def _draw_headings(self, painter: QPainter, picture: LinePicture) -> None:
        """Draw the title, a note about omissions, and a heading above each column."""
        look, places = self.look, self.places
        title = QRectF(places.begin, 0, places.stop - places.begin, places.line)
        painter.setFont(look.font("body", bold=True))
        painter.setPen(look.color("text"))
        painter.drawText(title, _LEFT, picture.title)
        painter.setFont(look.font("small"))
        painter.setPen(look.color("muted"))
        if most_of(len(picture.keys)) < len(picture.keys):
            painter.drawText(title, _RIGHT, self.tr("the {0} largest of {1} keys").format(MOST, len(picture.keys)))
        line = title.translated(0, places.line)
        if look.numbers:
            painter.drawText(line, _RIGHT, self.tr("weight"))
        painter.setPen(look.text_color("q"))
        painter.drawText(QRectF(places.begin, line.y(), places.labels[0], line.height()), _RIGHT, self.tr("queries"))
        painter.setPen(look.text_color("k"))
        line.setLeft(places.ends.right + look.px(_GAP))
        painter.drawText(line, _LEFT, self.tr("keys"))

    def _draw_dots(self, painter: QPainter, picture: LinePicture, query: int | None) -> None:
        ends, size = self.places.ends, self.look.px(2.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.look.color("q"))
        small = self.places.pitch < 4 * size  # then they would look like a line
        for place, y in enumerate(ends.queries):
            if place == query or not small:
                around = (1.6 if place == query else 1) * size
                painter.drawEllipse(QPointF(ends.left, y), around, around)
        painter.setBrush(self.look.color("k"))
        for key, y in enumerate(() if small else ends.keys):
            if query is None or picture.mask[query, key]:
                painter.drawEllipse(QPointF(ends.right, y), size, size)

    def _draw_queries(self, painter: QPainter, picture: LinePicture, query: int | None) -> None:
        """Draw the names of queries that fit, the chosen one in a box: dashed until it is selected."""
        places, look, metrics = self.places, self.look, painter.fontMetrics()
        held = self._held is not None and self._held.row == query
        for place in _legible(places.ends.queries, () if query is None else (query,), places):
            band = QRectF(places.begin, places.ends.queries[place] - places.line / 2, places.labels[0], places.line)
            text = metrics.elidedText(picture.queries[place], Qt.TextElideMode.ElideRight, round(band.width()))
            if place == query:
                box = band.adjusted(band.width() - metrics.horizontalAdvance(text) - look.px(6), -1, look.px(6), 1)
                painter.setPen(QPen(look.color("q"), 1.5, Qt.PenStyle.SolidLine if held else Qt.PenStyle.DashLine))
                painter.setBrush(look.color("field"))
                painter.drawRoundedRect(box, 4, 4)
            painter.setPen(look.text_color("q" if place == query else "text"))
            painter.drawText(band, _RIGHT, text)

    def _draw_keys(
        self, painter: QPainter, picture: LinePicture, query: int | None, lit: int | None, own: Lines
    ) -> None:
        """Draw the names of keys, those with lines first, each with its weight in the chosen row."""
        places, look, metrics = self.places, self.look, painter.fontMetrics()
        first = ([] if lit is None else [lit]) + [int(key) for key in own.keys[::-1]]
        decimals = 2 if len(picture.keys) <= ALL_UP_TO else 3
        for key in _legible(places.ends.keys, first, places):
            left = places.ends.right + look.px(_GAP)
            band = QRectF(left, places.ends.keys[key] - places.line / 2, places.stop - left, places.line)
            allowed = query is None or bool(picture.mask[query, key])
            painter.setPen(look.text_color("k") if key == lit else look.color("text" if allowed else "muted"))
            name = metrics.elidedText(picture.keys[key], Qt.TextElideMode.ElideRight, round(places.labels[1]))
            painter.drawText(band, _LEFT, name)
            if query is None:
                continue
            weight = float(picture.weights[query, key])
            said = cell_text(weight, decimals) if look.numbers else ""
            painter.setPen(look.color("text" if key in first else "muted"))
            painter.drawText(band, _RIGHT, said if allowed or weight else self.tr("masked"))

    def _draw_remarks(self, painter: QPainter, picture: LinePicture, query: int) -> None:
        """Label a query without valid keys, and write the sink's weight below the keys."""
        places, look = self.places, self.look
        painter.setPen(look.color("muted"))
        if not picture.mask[query].any():
            at = QPointF(places.ends.left + look.px(_GAP), places.ends.queries[query] - look.px(6))
            painter.drawText(at, self.tr("no valid key"))
        if picture.sinks is not None and look.numbers:
            left = places.ends.right + look.px(_GAP)
            line = QRectF(left, places.legend - places.line, places.stop - left, places.line)
            painter.drawText(line, _LEFT, self.tr("the sink takes"))
            painter.drawText(line, _RIGHT, cell_text(float(picture.sinks[query]), 2))

    def _draw_legend(self, painter: QPainter, picture: LinePicture, query: int | None) -> None:
        """Draw the line widths of some weights, as far as there is room."""
        look, places, metrics = self.look, self.places, painter.fontMetrics()
        x, y, long, gap = places.begin, places.legend + look.px(14), look.px(28), look.px(8)
        of = self.tr("weight, of every query")
        if query is not None and not picture.strong:
            of = self.tr("weight of “{0}”").format(picture.queries[query])
        entries = [(weight, "q", 1.0, number_text(weight, ".3g")) for weight in _LEGEND]
        entries.append((0.0, "", 0.0, of))
        if not picture.strong:
            largest, every = self.tr("of others the largest"), self.tr("of every other query")
            entries.append((_LEGEND[1], *others_in(look), largest if picture.one_each else every))
        for weight, role, strength, text in entries:
            sample, width = long + gap if role else 0, metrics.horizontalAdvance(text)
            if x + sample + width > max(places.stop, self.width() - gap):
                break
            if role:
                painter.setPen(line_pen(weight, places.ends.thickest, look, role, strength))
                painter.drawLine(QPointF(x, y), QPointF(x + long, y))
            painter.setPen(look.color("muted"))
            painter.drawText(QRectF(x + sample, y - places.line / 2, width + 2, places.line), _LEFT, text)
            x += sample + width + 2 * gap

    # Mouse and keyboard.

    @override
    def cell_at(self, place: QPointF) -> Cell | None:
        """Return the query at the left, or the cell of the selected query and the key at the right or on a line."""
        picture = self._picture
        if picture is None:
            return None
        ends, pitch, edge = self.places.ends, self.places.pitch, self.look.px(24)
        if place.x() < ends.left + edge:
            query = _nearest(ends.queries, place.y(), pitch)
            return None if query is None else Cell(query, None)
        if self._held is None or self._held.row >= len(picture.queries):
            return None
        row = self._held.row
        key = _nearest(ends.keys, place.y(), pitch) if place.x() > ends.right - edge else None
        if key is None and place.x() <= ends.right - edge:
            key = self._line_at(place, row)
        return None if key is None else Cell(row, key)

    def _line_at(self, place: QPointF, query: int) -> int | None:
        """Return the key of the line of a query under a point, the thickest of several; None if there is none."""
        assert self._picture is not None
        own, ends = self._picture.of(query), self.places.ends
        reach = np.maximum(self.look.px(_REACH), own.weights * ends.thickest / 2)
        on = np.flatnonzero(np.abs(heights_at(place.x(), own, ends) - place.y()) <= reach)
        return int(own.keys[on[-1]]) if on.size else None

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the selected query, or its key, with the arrows."""
        step = ARROWS.get(event.key())
        if step is None or self._picture is None or self._held is None:
            super().keyPressEvent(event)
            return
        held, (rows, columns) = self._held, self._picture.weights.shape
        row = min(max(held.row + step[0], 0), rows - 1)
        column = held.column
        if step[1]:
            column = min(max((-1 if column is None else column) + step[1], 0), columns - 1)
        self.hold(Cell(row, column))


def _token_font(look: Look, pitch: float) -> QFont:
    body = look.token_font("body")
    return body if QFontMetrics(body).height() <= pitch else look.token_font("small")


def _placed(picture: LinePicture, look: Look, size: QSize, words: tuple[str, ...]) -> _Places:
    """Lay the parts out: rows fill the height up to a pitch, and lines are not much wider than high.

    ``words`` are the headings of the columns; the last two are in the column of the numbers.
    """
    width, height = size.width(), size.height()
    small, px = QFontMetrics(look.token_font("small")).height(), look.px
    top, legend = 2.4 * small + px(4), height - px(28)
    room = max(1.0, legend - px(4) - top - (small if picture.sinks is not None else 0))
    counts = len(picture.queries), len(picture.keys)
    pitch = min(max(px(_PITCH), px(_LEAST_HEIGHT) / max(counts)), room / max(counts))
    metrics = QFontMetrics(_token_font(look, pitch))
    rows, columns = (
        min(width_of(metrics, (*longest(names), word)) + px(4), px(_LABEL), 0.25 * width)
        for names, word in zip((picture.queries, picture.keys), words, strict=False)
    )
    numbers = width_of(metrics, ("0.000", *words[2:])) + px(2 * _GAP)
    beside = rows + columns + numbers + 2 * px(_GAP) + px(16)
    used = pitch * max(counts)
    long = max(px(40), min(width - beside, _CURVE * max(used, px(_LEAST_HEIGHT))))
    begin = (width - beside - long) / 2 + px(8)
    left = begin + rows + px(_GAP)
    heights = [top + (used - pitch * count) / 2 + (np.arange(count) + 0.5) * pitch for count in counts]
    thickest = min(max(_IN_A_ROW * pitch, px(_THICKEST[0])), px(_THICKEST[1]))
    ends = Ends(left, left + long, heights[0], heights[1], thickest)
    return _Places(
        ends, begin, ends.right + px(_GAP) + columns + numbers, (rows, columns), pitch, metrics.height(), legend
    )


def _legible(heights: NDArray[np.floating], first: Iterable[int], places: _Places) -> list[int]:
    """Return the tokens whose names are drawn: those in ``first`` that do not overlap, then every n-th between them."""
    step = max(1, -int(-places.line // places.pitch))
    if step == 1:
        return list(range(len(heights)))
    chosen: list[int] = []
    for place in (*first, *range(0, len(heights), step)):
        if all(abs(heights[place] - heights[other]) >= places.line for other in chosen):
            chosen.append(place)
    return chosen


def _nearest(heights: NDArray[np.floating], y: float, pitch: float) -> int | None:
    """Return the token at a height; None above and below all."""
    place = int(np.floor((y - heights[0]) / pitch + 0.5))
    return place if 0 <= place < len(heights) else None
