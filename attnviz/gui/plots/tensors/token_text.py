"""A text as tokens, each shaded by the attention of the chosen one."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.colours import MASKED
from attnviz.gui.plots.matrix.canvas import Pointed
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.plots.matrix.tile import ColourTable, hatch_brush
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.selection import SelectionModel

_LINE, _SIDE, _BLANK, _BREAK = 1.75, 4, 5, 3
"""The line height relative to that of its type; the padding of a token, and the gaps between words and between two
texts, at scale 1."""


@dataclass(frozen=True, slots=True)
class ShownToken:
    """One token of the text."""

    name: str
    begins: bool = True
    """Whether a word begins with it; the pieces of a word touch each other."""
    hidden: bool = False
    """Whether it is hidden from all other tokens: it is struck through."""
    generated: bool = False
    """Whether the model has generated it: it is underlined."""
    breaks: bool = False
    """Whether another text begins with it, below the one before."""


class ShadedTokens(Pointed):
    """Tokens with the colours of the matrix: pointing at one previews a row of the selection, a click selects it."""

    menu_asked = Signal(int)
    """The user opened the context menu of the token at an index."""

    def __init__(self, look: Look, name: str, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._selection = selection
        self._tokens: tuple[ShownToken, ...] = ()
        self._levels: NDArray[np.uint8] = np.zeros(0, np.uint8)
        self._table: ColourTable | None = None
        self._marks: tuple[int | None, int | None] = (None, None)
        self.places: tuple[QRectF, ...] = ()
        """The rectangle of each token."""
        self.setAccessibleName(name)
        self.hovered.connect(self._point)
        self.clicked.connect(self._hold)

    def shade(self, levels: NDArray[np.uint8], table: ColourTable | None, query: int | None, key: int | None) -> None:
        """Colour the tokens by levels, or without a table not at all, and mark the chosen query and key."""
        if len(levels) == len(self._levels):  # else they are of tokens to come
            self._levels, self._table, self._marks = levels, table, (query, key)
            self.redraw()

    def fade(self) -> None:
        """Colour no token: what they would be coloured by has not arrived."""
        self.shade(np.zeros_like(self._levels), None, None, None)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._lay_out()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    @abstractmethod
    def _lay_out(self) -> None:
        """Place the tokens, and redraw them."""

    @abstractmethod
    @override
    def cell_at(self, place: QPointF) -> int | None:
        """Return the token at a point, if any."""

    def _cell(self, place: int) -> Cell:
        """Return the cell that a token chooses: its row."""
        return Cell(place, None)

    @Slot(object)
    def _point(self, place: int | None) -> None:
        self._selection.hover_cell(None if place is None else self._cell(place))

    @Slot(object)
    def _hold(self, place: int) -> None:
        self._selection.lock_cell(self._cell(place))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.cell_at(event.position())
        if place is not None and event.button() == Qt.MouseButton.RightButton:
            self.menu_asked.emit(place)
        else:
            super().mousePressEvent(event)


class TokenText(ShadedTokens):
    """Pointing at a token makes it the query, a click selects it; its keys have the colours of the matrix.

    Queries and keys may be two texts: the tokens of the first choose, those of the second are coloured.
    """

    GESTURES = (
        Gesture("Point", "Show what a token attends to", "Text"),
        Gesture("Click, Left, Right, Home, End", "Hold a token's row in every view", "Text"),
    )

    type_size = "body"

    def __init__(self, look: Look, name: str, selection: SelectionModel) -> None:
        super().__init__(look, name, selection)
        self._placed: dict[tuple[Look, float], tuple[QRectF, ...]] = {}  # Qt asks for a height several times
        self.choosing = 0
        """The number of tokens of the first of two texts; 0: there is one."""
        self.by_key = False
        """Whether the first of two texts has the keys, and the second the queries."""

    def show_tokens(self, tokens: Sequence[ShownToken], choosing: int = 0) -> None:
        """Show a text, or two, of which the first ``choosing`` tokens choose the query; 0: one text."""
        if (tuple(tokens), choosing) != (self._tokens, self.choosing):
            self._tokens, self.choosing = tuple(tokens), choosing
            self._levels = np.zeros(len(tokens) - choosing, np.uint8)
            self._placed.clear()
            self.setAccessibleDescription(" ".join(token.name for token in tokens))
            self._lay_out()
            self.updateGeometry()

    @override
    def shade(self, levels: NDArray[np.uint8], table: ColourTable | None, query: int | None, key: int | None) -> None:
        """Colour the tokens; of two texts, those of the second."""
        if self.choosing and not self.by_key:
            key = None if key is None else key + self.choosing
        elif self.choosing:
            query = None if query is None else query + self.choosing
        super().shade(levels, table, query, key)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self.height_in(self.look, width)

    def height_in(self, look: Look, width: int) -> int:
        """Return the height of the text for a look and a width."""
        places = self._places_in(look, width)
        return round(places[-1].bottom()) + 2 if places else look.px(20)

    @override
    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(self.width()))

    @override
    def cell_at(self, place: QPointF) -> int | None:
        return next((token for token, rect in enumerate(self.places) if rect.contains(place)), None)

    @property
    def line(self) -> float:
        """The height of a line."""
        return _line(self.look, self.type_size)

    def lines_in(self, height: int) -> int:
        """Return the height of the whole lines that fit into a height, at least of one."""
        return round(max(1, height // self.line) * self.line) + 1

    @override
    def _lay_out(self) -> None:
        self.places = self._places_in(self.look, self.width())
        self.redraw()

    def _places_in(self, look: Look, width: float) -> tuple[QRectF, ...]:
        if (look, width) not in self._placed:
            while len(self._placed) > _MOST_WIDTHS:
                del self._placed[next(iter(self._placed))]
            self._placed[look, width] = _placed(self._tokens, look, self.type_size, width)
        return self._placed[look, width]

    @override
    def draw(self, painter: QPainter) -> None:
        table, ratio = self._table, painter.device().devicePixelRatio()
        painter.setFont(self.look.token_font(self.type_size))
        clip = painter.clipBoundingRect() if painter.hasClipping() else QRectF(self.rect())
        levels = [*[None] * self.choosing, *self._levels.tolist()]
        for token, level, place in zip(self._tokens, levels, self.places, strict=True):
            if not place.intersects(clip):
                continue
            if level is None:
                painter.setPen(self.look.text_color("text"))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, token.name)
                self._draw_signs(painter, token, place)
                continue
            masked = level == MASKED or table is None
            if table is not None:
                painter.fillRect(place, QColor(*map(int, table.rgb[level])))
                if masked:
                    painter.fillRect(place, hatch_brush(self.look, ratio))
            painter.setPen(self.look.text_color("muted") if table is None or masked else QColor(table.ink(level)))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, token.name)
            self._draw_signs(painter, token, place)

    def _draw_signs(self, painter: QPainter, token: ShownToken, place: QRectF) -> None:
        """Underline a generated token, and strike a hidden one through."""
        if token.generated:
            painter.fillRect(QRectF(place.left(), place.bottom() + 1, place.width(), 2), self.look.color("accent"))
        if token.hidden:
            painter.setPen(QPen(self.look.color("danger"), 2))
            middle = place.center().y()
            painter.drawLine(QPointF(place.left() + 2, middle), QPointF(place.right() - 2, middle))

    @override
    def _cell(self, place: int) -> Cell:
        """Return what a token chooses: a query, or of two texts a query and a key."""
        if not self.choosing:
            return Cell(place, None)
        held, at = self._selection.locked, place - self.choosing
        if self.by_key:
            return Cell(held.query or 0, place) if at < 0 else Cell(at, held.key)
        return Cell(place, None) if at < 0 else Cell(held.query or 0, at)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for place, role, inset in zip(self._marks, ("q", "k"), (0.5, 2.5), strict=True):
            if place is not None and place < len(self.places):
                painter.setPen(QPen(self.look.color(role), 2))
                painter.drawRect(self.places[place].adjusted(inset, inset, -inset, -inset))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        last, now = (self.choosing or len(self._tokens)) - 1, self._marks[self.by_key] or 0
        key = Qt.Key
        steps = {key.Key_Left: max(now - 1, 0), key.Key_Right: min(now + 1, last), key.Key_Home: 0, key.Key_End: last}
        place = steps.get(Qt.Key(event.key()))
        if last < 0 or place is None:
            super().keyPressEvent(event)
            return
        self.hovered.emit(None)
        self.clicked.emit(place)


_MOST_WIDTHS = 8
"""The number of widths for which the places of the tokens are kept."""


def _placed(tokens: tuple[ShownToken, ...], look: Look, size: str, width: float) -> tuple[QRectF, ...]:
    """Return the rectangle of each token; a word wraps as a whole, if it fits into a line."""
    height = _line(look, size)
    side, blank = look.px(_SIDE), look.px(_BLANK)
    words: list[list[float]] = []
    breaks = set()
    for token in tokens:
        if token.begins or token.breaks or not words:
            words.append([])
        if token.breaks:
            breaks.add(len(words) - 1)
        words[-1].append(_width(look, size, token.name) + 2 * side)
    x, y, places = 0.0, 1.0, []
    for at, word in enumerate(words):
        if at in breaks:
            x, y = 0.0, y + height + look.px(_BREAK)
        elif x and x + sum(word) > width:
            x, y = 0.0, y + height
        for wide in word:
            if x and x + wide > width:
                x, y = 0.0, y + height
            places.append(QRectF(x, y + 2, wide, height - 4))
            x += wide
        x += blank
    return tuple(places)


def _line(look: Look, size: str) -> float:
    return QFontMetricsF(look.token_font(size)).height() * _LINE


@lru_cache(maxsize=4096)  # most tokens of a text occur more than once, and are measured in several sizes
def _width(look: Look, size: str, text: str) -> float:
    return QFontMetricsF(look.token_font(size)).horizontalAdvance(text)
