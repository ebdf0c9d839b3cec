"""The picture of a number per head: a row for each layer, a column for each head."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN, head_name
from attnviz.definitions.text import Text
from attnviz.experiment.colours import NOT_FINITE, quantise
from attnviz.experiment.layers.statistics import HeadValues
from attnviz.gui.plots.heads.bar_tiles import BarTiles
from attnviz.gui.plots.heads.ranked_list import RankedList, Ranking, ranking_of
from attnviz.gui.plots.heads.role_words import role_colour, role_heading
from attnviz.gui.plots.matrix.canvas import ARROWS, Pointed
from attnviz.gui.plots.matrix.tile import ColourTable, draw_tiles
from attnviz.gui.plots.tensors.head_colours import every_nth
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

LEAST_ROW, MOST_ROW = 15, 34
"""The limits of the height of a row of cells, at scale 1."""
_MOST_CELL, _NARROW_CELL = 96, 22
"""The greatest width of a cell, and the least width of one with a number, at scale 1."""
_NARROWEST = 0.75
"""The narrowest stretch of the numbers' font, so that every head has its number."""
_PICTURE, _LEAST_PICTURE = 56, 12
"""The greatest height of a row of small pictures, and the least side of one beside its number, at scale 1."""


_STRONGEST = 0.55
"""The opacity of the colour of a role at score 1."""


class _Cell(NamedTuple):
    """The content of one head's cell."""

    colour: str
    """As "#rrggbb"."""
    strength: float
    """The opacity of the colour, 0 to 1; NaN if there is no number to show."""
    number: str
    word: str
    """Beside the number, or below it."""
    note: str
    """Below the number, if there is room."""
    off: bool
    ink: str
    """The colour of the number on a strong colour, as "#rrggbb"; "" for that of text."""


class HeadMap(Pointed):
    """A map of a number per head; the chosen head has a border, ablated ones are crossed out.

    Any measure is shown by giving its numbers; colours, tooltips, keys, the mouse and the screen reader follow::

        picture = HeadMap(look, self.tr("Attribution of every head"))
        picture.clicked.connect(self._choose)  # and picture.select(head)
        numbers = HeadValues(values=scores, number="{:.2f}".format, title=..., scale=symmetric_scale(scores), off=off)
        picture.show_values(numbers, colour_table(DIVERGING, look.theme))

    Without a scale a head has the colour of its role. With pictures each cell has a small one. With a second number it
    is a tile with two bars, for its role and its number, beside a ranking of all heads. `HeadsView` draws tiles with
    large pictures where they fit, and `HeadsTable` has a column for each of several `HeadValues`.
    """

    GESTURES = (Gesture("Click, Up, Down, Left, Right", "Choose a head", "Map of heads"),)

    clicked = Signal(int)
    """The head that the user chose, counted through all layers; `hovered` has it too, or None."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.values: HeadValues | None = None
        """The numbers on screen."""
        self._cells: tuple[_Cell, ...] = ()
        self._numbers: tuple[str, ...] = ()
        self._heads, self._shared = 1, 1
        self._chosen: int | None = 0
        self._pictures: tuple[NDArray[np.uint8], ColourTable] | None = None
        self._others: dict[int, str] = {}
        self._rankings: tuple[Ranking, Ranking] | None = None
        self._old = ""
        self.setAccessibleName(name)

    def show_values(
        self,
        values: HeadValues,
        colours: ColourTable | None = None,
        pictures: tuple[NDArray[np.uint8], ColourTable] | None = None,
        second: HeadValues | None = None,
        pairs: Ranking = Ranking(),  # noqa: B008 - frozen
    ) -> None:
        """Draw a number for each head; the row of a layer without attention shows its description.

        Args:
            values: the numbers.
            colours: those of its scale, if it has one.
            pictures: (n, S, S) levels of the small pictures of all heads, layer after layer, instead of colours.
            second: another number of each head, for tiles with bars and a ranking.
            pairs: the ranking below the heads.
        """
        cells = self._cells_of(values, colours)
        shown = cells, values.values.shape[1], values.shared, dict(values.others)
        same = shown == (self._cells, self._heads, self._shared, self._others) and pictures is self._pictures
        self.values, self._old = values, ""
        if same and second is None:
            return
        self._cells, self._heads, self._shared, self._others = shown
        self._pictures = pictures
        self._numbers = tuple(cell.number for at, cell in enumerate(cells) if at // self._heads not in self._others)
        self._rankings = None if second is None else (ranking_of(values, second), pairs)
        self._describe()
        self.redraw()

    def _cells_of(self, values: HeadValues, colours: ColourTable | None) -> tuple[_Cell, ...]:
        """Return the cells of all heads: with a level of the scale, or the colour of the role."""
        scale, cells = values.scale, []
        levels = None if scale is None else quantise(values.values, None, scale.low, scale.high)
        for at in np.ndindex(*values.values.shape):
            value, named = float(values.values[at]), values.roles.get((at[0], at[1]))
            role = None if named is None else named.role
            number = "–" if math.isnan(value) else values.number(value)
            heading, off = role_heading(role), at in values.off
            if levels is None or colours is None:
                cells.append(
                    _Cell(role_colour(role, self.look.theme), _STRONGEST * value, number, heading, "", off, "")
                )
                continue
            level = int(levels[at])
            strength = math.nan if level == NOT_FINITE else 1.0
            cells.append(_Cell(colours.names[level], strength, number, "", heading, off, colours.ink(level)))
        return tuple(cells)

    def dim(self, old: str) -> None:
        """Dim tiles with bars of an older request, with a note about their origin."""
        if old != self._old:
            self._old = old
            self._describe()
            self.redraw()

    def _describe(self) -> None:
        bars, count = self.bars, len(self._numbers)
        said = translate(Text("{count} heads", {"count": count}, "1 head")) if bars is None else bars.ranked.said
        self.setAccessibleDescription(f"{self._old} {said}".strip() if count else self._old)

    @property
    def bars(self) -> BarTiles | None:
        """The tiles with bars, if heads have two numbers."""
        if self.values is None or self._rankings is None:
            return None
        ranked = RankedList(self.look, self.width(), self.height(), *self._rankings)
        return BarTiles(self.look, self.width(), self.height(), self.values, ranked)

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, self.look.px(320))

    def select(self, head: int | None) -> None:
        """Move the border to a head, counted through all layers; None removes it."""
        if head != self._chosen:
            self._chosen = head
            self.update()

    def least_height(self, layers: int) -> int:
        """Return the height in which every head of ``layers`` layers has its number."""
        return (layers + 1) * self.look.px(LEAST_ROW)

    def most_height(self, layers: int) -> int:
        """Return the greatest useful height for ``layers`` layers."""
        return self.look.px(LEAST_ROW) + layers * self.look.px(self._most_row) + 2

    @property
    def _most_row(self) -> int:
        return MOST_ROW if self._pictures is None else _PICTURE

    @property
    def cells(self) -> tuple[QRectF, ...]:
        """The rectangle of each head's cell."""
        if self.values is None:
            return ()
        if (bars := self.bars) is not None:
            return bars.tiles
        px, layers = self.look.px, max(1, len(self._cells) // self._heads)
        left = self.label_width(layers, short=self._is_narrow)
        top = px(LEAST_ROW)
        width = min(px(_MOST_CELL), (self.width() - left - 2) / self._heads)
        height = min(px(self._most_row), (self.height() - top - 2) / layers)
        places = np.ndindex(layers, self._heads)
        gap = min(2.0, width / 8)
        return tuple(QRectF(left + n * width, top + m * height, width - gap, height - gap) for m, n in places)

    def label_width(self, layers: int, *, short: bool = True) -> int:
        """Return the width of the layers' names, or of their numbers only."""
        name = self._layer_name(layers - 1, short=short)
        return QFontMetrics(self.look.font("small")).horizontalAdvance(name) + self.look.px(8)

    @property
    def _is_narrow(self) -> bool:
        """Whether cells are too narrow for a number; then layers have only their numbers, too."""
        return self.width() < self._heads * self.look.px(_NARROW_CELL)

    def _layer_name(self, layer: int, *, short: bool) -> str:
        number = SCREEN.number(layer)
        return str(number) if short else translate(Text("layer {n}", {"n": number}))

    @override
    def draw(self, painter: QPainter) -> None:
        if (bars := self.bars) is not None:
            bars.draw(painter, self._pictures, self._old)
            return
        rects = self.cells
        self._draw_labels(painter, rects)
        self._draw_shared(painter, rects[: self._heads])
        self._draw_others(painter, rects)
        if self._pictures is None:
            self._draw_cells(painter, rects)
        else:
            self._draw_pictures(painter, rects, *self._pictures)

    def _draw_labels(self, painter: QPainter, rects: tuple[QRectF, ...]) -> None:
        """Draw the numbers of heads above the columns, and the names of layers before the rows."""
        small = self.look.font("small")
        painter.setFont(small)
        painter.setPen(self.look.color("muted"))
        middle, wide = Qt.AlignmentFlag.AlignCenter, QFontMetrics(small).horizontalAdvance
        step = every_nth(wide(f" {self._heads} "), rects[0].width()) if rects else 1
        left = 0.0 if step == 1 else self.look.px(_NARROW_CELL)  # a number over narrow cells is wider than its own
        for place, rect in enumerate(rects):
            layer, head = divmod(place, self._heads)
            if not layer and not SCREEN.head(head) % step:
                over = QRectF(rect.x(), 0, rect.width(), rect.top() - 1).adjusted(-left, 0, left, 0)
                painter.drawText(over, middle, str(SCREEN.head(head)))
            if not head:
                line = QRectF(0, rect.y(), rect.left(), rect.height())
                name = self._layer_name(layer, short=self._is_narrow)
                painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, name)

    def _draw_cells(self, painter: QPainter, rects: tuple[QRectF, ...]) -> None:
        """Draw the colour of each head, and its number and texts if they fit."""
        small = self.look.font("small")
        height = QFontMetrics(small).height()
        middle, wide = Qt.AlignmentFlag.AlignCenter, QFontMetrics(small).horizontalAdvance
        two = bool(rects) and rects[0].height() >= 2 * height - 4
        room, needed = rects[0].width() if rects else 0.0, _size_of(self.look, self._numbers)[1]
        if _NARROWEST * needed <= room < needed:  # narrow figures are better than none
            small.setStretch(int(100 * room / needed))
            painter.setFont(small)
            wide = QFontMetrics(small).horizontalAdvance
        for place, (rect, cell) in enumerate(zip(rects, self._cells, strict=True)):
            if place // self._heads in self._others:
                continue
            painter.fillRect(rect, self.look.color("panel"))
            colour, known = QColor(cell.colour), math.isfinite(cell.strength)
            colour.setAlphaF(min(max(cell.strength, 0.0), 1.0) if known else 0.0)
            painter.fillRect(rect, colour)
            painter.setPen(QColor(cell.ink) if known and cell.ink else self.look.color("text" if known else "muted"))
            number = cell.number if self.look.numbers else ""
            if cell.off and cell.ink:  # neither would be legible on a strong colour
                self._cross_out(painter, rect)
                continue
            below = cell.word or cell.note
            if not cell.note and wide(f"{cell.word} 0.00") + 4 <= rect.width():
                painter.drawText(rect, middle, f"{cell.word} {number}".strip())
            elif below and two and wide(below) <= rect.width():
                half = rect.adjusted(0, 0, 0, -rect.height() / 2)
                painter.drawText(half, middle, number)
                painter.drawText(half.translated(0, half.height() - 1), middle, below)
            elif wide(number) <= rect.width() + 1:
                painter.drawText(rect, middle, number)
            if cell.off:
                self._cross_out(painter, rect)

    def _draw_shared(self, painter: QPainter, columns: tuple[QRectF, ...]) -> None:
        """Join the columns of the heads that share keys."""
        if self._shared > 1:
            painter.save()
            painter.setPen(QPen(self.look.color("k"), 2))
            for first in range(0, len(columns), self._shared):
                group = columns[first : first + self._shared]
                y = group[0].top() - 2
                painter.drawLine(QPointF(group[0].left() + 2, y), QPointF(group[-1].right() - 2, y))
            painter.restore()

    def _draw_others(self, painter: QPainter, rects: tuple[QRectF, ...]) -> None:
        """Draw the rows of layers without attention: grey, with their descriptions."""
        metrics, elided = QFontMetrics(painter.font()), Qt.TextElideMode.ElideRight
        painter.setPen(self.look.color("muted"))
        for layer, said in self._others.items():
            row = rects[layer * self._heads].united(rects[(layer + 1) * self._heads - 1])
            painter.fillRect(row, self.look.color("faint"))
            line = row.adjusted(self.look.px(6), 0, -self.look.px(6), 0)
            text = metrics.elidedText(said, elided, int(line.width()))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, text)

    def picture_in(self, rect: QRectF) -> QRectF:
        """Return the rectangle of a cell's small picture: at its left, with room for a border and for the number.

        The number is beside the picture, or below it if that makes it larger; it is dropped if the picture were too
        small.
        """
        side = max(1.0, min(rect.height(), rect.width()) - 4)
        if self.look.numbers:
            height, width = _size_of(self.look, self._numbers)
            beside, below = rect.width() - width - 6, rect.height() - height - 4
            less = min(side, max(beside, below))
            side = less if less >= self.look.px(_LEAST_PICTURE) else side
        return QRectF(round(rect.x()) + 2, round(rect.y()) + 2, round(side), round(side))

    def _draw_pictures(
        self, painter: QPainter, rects: tuple[QRectF, ...], levels: NDArray[np.uint8], table: ColourTable
    ) -> None:
        """Draw the small picture of each head, with its number beside or below it if there is room."""
        known = [place for place in range(len(rects)) if place // self._heads not in self._others]
        draw_tiles(painter, [self.picture_in(rects[place]) for place in known], levels[known], table)
        (height, width), middle = _size_of(self.look, self._numbers), Qt.AlignmentFlag.AlignCenter
        painter.setPen(self.look.color("text"))
        for rect, cell in ((rects[place], self._cells[place]) for place in known):
            place = self.picture_in(rect)
            if self.look.numbers and width <= rect.right() - place.right() - 2:
                beside = QRectF(place.right() + 2, place.y() - 2, rect.right() - place.right() - 2, place.height() + 4)
                painter.drawText(beside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, cell.number)
            elif self.look.numbers and place.bottom() + height <= rect.bottom() + 1:
                wide, high = max(place.width() + 4, width), rect.bottom() - place.bottom()
                painter.drawText(QRectF(rect.x(), place.bottom() + 1, wide, high), middle, cell.number)
            if cell.off:
                self._cross_out(painter, place)

    def _cross_out(self, painter: QPainter, rect: QRectF) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for role, width in (("window", 3.5), ("danger", 1.5)):  # visible on every colour
            painter.setPen(QPen(self.look.color(role), self.look.scale * width))
            painter.drawLine(rect.topLeft(), rect.bottomRight())
            painter.drawLine(rect.topRight(), rect.bottomLeft())
        painter.restore()

    @override
    def draw_marks(self, painter: QPainter) -> None:
        rects, bars = self.cells, self.bars
        if self._chosen is None or self._chosen >= len(rects):
            return
        if bars is not None:
            bars.draw_frame(painter, rects[self._chosen])
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for role, width in (("window", 4), ("accent", 2)):
                painter.setPen(QPen(self.look.color(role), self.look.px(width)))
                chosen = rects[self._chosen]
                around = self.picture_in(chosen).adjusted(-2, -2, 2, 2)
                painter.drawRoundedRect(chosen if self._pictures is None else around, 2, 2)

    @override
    def cell_at(self, place: QPointF) -> int | None:
        """Return the head at a point, counted through all layers; None in a layer without attention."""
        head, bars = next((head for head, rect in enumerate(self.cells) if rect.contains(place)), None), self.bars
        if head is None and bars is not None:
            return bars.ranked.head_at(place)
        return None if head is None or head // self._heads in self._others else head

    def beside(self, head: int, step: int) -> int | None:
        """Return the head ``step`` heads further, skipping layers without attention; None beyond the first and last."""
        head += step
        while 0 <= head < len(self._cells):
            if head // self._heads not in self._others:
                return head
            head += step
        return None

    def told(self, head: int) -> str:
        """Return the description of a head, counted through all layers; "" without one."""
        if self.values is None:
            return ""
        at = divmod(head, self._heads)
        if self.values.told is not None:
            return self.values.told(*at)
        title, off = self.values.title, at in self.values.off
        number = f"{title}: {self._cells[head].number}" if title else ""
        return " · ".join(filter(None, (head_said(*at) if title else "", number, off_said(*at) if off else "")))

    @override
    def tip(self, place: QPointF) -> str:
        head, bars = self.cell_at(place), self.bars
        if head is None:
            return "" if bars is None else bars.ranked.tip(place)
        return f"{self._old} {self.told(head)}".strip()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = ARROWS.get(event.key())
        if step is None:
            super().keyPressEvent(event)
            return
        self.hovered.emit(None)
        head = self.beside(self._chosen or 0, step[0] * self._heads + step[1])
        if head is not None:
            self.clicked.emit(head)


def head_said(layer: int, head: int) -> str:
    """Return a head with its name, "head 1.4"."""
    return translate("head {0}").format(head_name(layer, head))


def off_said(layer: int, head: int) -> str:
    """Return the text about an ablated head."""
    return translate(Text("{head} is off", {"head": head_name(layer, head)}))


@lru_cache(maxsize=8)  # called for each small picture
def _size_of(look: Look, numbers: tuple[str, ...]) -> tuple[int, int]:
    """Return the height of the numbers in small type, and the width of the widest."""
    metrics = QFontMetrics(look.font("small"))
    return metrics.height(), max(map(metrics.horizontalAdvance, numbers), default=0)
