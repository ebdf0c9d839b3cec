"""All heads of a training at once, layers by heads: small pictures while they fit, else a colour and a number each."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN, head_name
from attnviz.definitions.text import Text
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.train.role_words import role_colour, role_heading, score_text
from attnviz.gui.labs.train.tiles import HeadTiles
from attnviz.gui.plots.matrix.canvas import ARROWS, Canvas
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.layouts import Placed
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import translate

_LARGEST_TILE = 260
_LEAST_ROW, _MOST_ROW = 15, 34
"""The height of a row of cells, at scale 1."""
_MOST_CELL = 96
_BAR = 28
"""More than the height of the colour bar below the page, at scale 1."""
_STRONGEST = 0.55
"""How opaque the colour of a role is where its score is 1."""


@dataclass(frozen=True, slots=True)
class HeadCell:
    """What stands for one head: the colour and the score of its role."""

    colour: str
    """As "#rrggbb"."""
    score: float
    """0 to 1; NaN where no place counts, and without a role."""
    number: str
    word: str
    off: bool = False


class RoleCells(Canvas):
    """A row for each layer, a column for each head."""

    GESTURES = (Gesture("Click, Up, Down, Left, Right", "Choose a head", "Map of heads"),)

    clicked = Signal(int)
    """The head that the user chose, counted through all layers; `hovered` has it too, or None."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._cells: tuple[HeadCell, ...] = ()
        self._heads = 1
        self._chosen = 0
        self.setAccessibleName(self.tr("Roles of all heads"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_cells(self, cells: tuple[HeadCell, ...], heads: int) -> None:
        """Draw a cell for each head, layer after layer; ``heads`` are in each layer."""
        if (cells, heads) != (self._cells, self._heads):
            self._cells, self._heads = cells, heads
            words = Text("{count} heads", {"count": len(cells)}, "1 head")
            self.setAccessibleDescription(translate(words))
            self.redraw()

    def select(self, head: int) -> None:
        """Move the border."""
        if head != self._chosen:
            self._chosen = head
            self.update()

    def least_height(self, layers: int) -> int:
        """Return the height in which every head of so many layers has its number."""
        return (layers + 1) * self.look.px(_LEAST_ROW)

    @property
    def cells(self) -> tuple[QRectF, ...]:
        """The rectangle of each head's cell."""
        px, layers = self.look.px, max(1, len(self._cells) // self._heads)
        left = QFontMetrics(self.look.font("small")).horizontalAdvance(self._layer_name(layers - 1)) + px(8)
        top = px(_LEAST_ROW)
        width = min(px(_MOST_CELL), (self.width() - left - 2) / self._heads)
        height = min(px(_MOST_ROW), (self.height() - top - 2) / layers)
        places = np.ndindex(layers, self._heads)
        gap = min(2.0, width / 8)
        return tuple(QRectF(left + n * width, top + m * height, width - gap, height - gap) for m, n in places)

    def _layer_name(self, layer: int) -> str:
        return translate(Text("layer {n}", {"n": SCREEN.number(layer)}))

    @override
    def draw(self, painter: QPainter) -> None:
        rects, small = self.cells, self.look.font("small")
        height = QFontMetrics(small).height()
        painter.setFont(small)
        painter.setPen(self.look.color("muted"))
        middle = Qt.AlignmentFlag.AlignCenter
        for place, rect in enumerate(rects):
            layer, head = divmod(place, self._heads)
            if not layer:
                painter.drawText(QRectF(rect.x(), 0, rect.width(), rect.top() - 1), middle, str(SCREEN.head(head)))
            if not head:
                line = QRectF(0, rect.y(), rect.left(), rect.height())
                painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, self._layer_name(layer))
        wide = QFontMetrics(small).horizontalAdvance
        two = bool(rects) and rects[0].height() >= 2 * height - 4
        for rect, cell in zip(rects, self._cells, strict=True):
            painter.fillRect(rect, self.look.color("panel"))
            colour = QColor(cell.colour)
            colour.setAlphaF(_STRONGEST * min(max(cell.score, 0.0), 1.0) if math.isfinite(cell.score) else 0.0)
            painter.fillRect(rect, colour)
            painter.setPen(self.look.color("text" if math.isfinite(cell.score) else "muted"))
            number = cell.number if self.look.numbers else ""
            if wide(f"{cell.word} 0.00") + 4 <= rect.width():
                painter.drawText(rect, middle, f"{cell.word} {number}".strip())
            elif two and wide(cell.word) <= rect.width():
                half = rect.adjusted(0, 0, 0, -rect.height() / 2)
                painter.drawText(half, middle, number)
                painter.drawText(half.translated(0, half.height() - 1), middle, cell.word)
            else:
                painter.drawText(rect, middle, number)
            if cell.off:
                painter.setPen(QPen(self.look.color("danger"), 1.5))
                painter.drawLine(rect.topLeft(), rect.bottomRight())
                painter.drawLine(rect.topRight(), rect.bottomLeft())

    @override
    def draw_marks(self, painter: QPainter) -> None:
        rects = self.cells
        if self._chosen < len(rects):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.drawRoundedRect(rects[self._chosen], 2, 2)

    def _at(self, event: QMouseEvent) -> int | None:
        place = event.position()
        return next((head for head, rect in enumerate(self.cells) if rect.contains(place)), None)

    @override
    def tip(self, place: QPointF) -> str:
        cells = zip(self.cells, self._cells, strict=False)
        off = next((n for n, (rect, cell) in enumerate(cells) if cell.off and rect.contains(place)), None)
        return "" if off is None else translate(Text("{head} is off", {"head": head_name(*divmod(off, self._heads))}))

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hovered.emit(self._at(event))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        head = self._at(event)
        if head is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(head)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = ARROWS.get(event.key())
        if step is None:
            super().keyPressEvent(event)
            return
        self.hovered.emit(None)
        head = self._chosen + step[0] * self._heads + step[1]
        if 0 <= head < len(self._cells):
            self.clicked.emit(head)


class HeadsMap(Placed):
    """Chooses between small pictures and cells by the room there is: every head is in sight."""

    hovered = Signal(object)
    """The head under the mouse, counted through all layers, or None."""
    clicked = Signal(int)
    """The head that the user chose."""
    painted = Signal(float)
    """Milliseconds that the last drawing took."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._shown: tuple[TrainTrace, str, ColourTable] | None = None
        self.with_pictures = True
        """Whether small pictures are drawn where they fit."""
        self._too_low: tuple[int, int] | None = None
        """The size in which the small pictures did not fit, since when there are none."""
        self._selection = Selection()
        self.tiles = HeadTiles(look, self, most=_LARGEST_TILE, layers_beside=True)
        self.cells = RoleCells(look, self)
        self.cells.hide()
        self.tiles.grid.hovered.connect(self._hover)
        self.tiles.grid.clicked.connect(self.clicked)
        self.cells.hovered.connect(self.hovered)
        self.cells.clicked.connect(self.clicked)
        for part in (self.tiles.grid, self.cells):
            part.painted.connect(self.painted)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self.tiles.restyle(look)
        self.cells.restyle(look)
        self._draw()

    def show_trace(self, trace: TrainTrace, contrast: str, table: ColourTable) -> None:
        """Draw every head of a trace."""
        if self._shown is None or self._shown[0].weights.shape != trace.weights.shape:
            self._too_low = None
        self._shown = trace, contrast, table
        self._draw()

    @property
    def uses_weights(self) -> bool:
        """Whether the weights are drawn, and not only the roles."""
        return self.cells.isHidden()

    def height_in(self, width: float, height: float, layers: int) -> float:
        """Return how much of this room's height is used for so many layers."""
        if self.with_pictures and self.tiles.fit_in(width, height):
            return self.tiles.height_in(width, height)
        return min(height, self._look.px(_LEAST_ROW) + layers * self._look.px(_MOST_ROW) + 2)

    @property
    def used_width(self) -> int:
        """How far the pictures or cells reach to the right."""
        return self.tiles.grid.width() if self.uses_weights else math.ceil(max(c.right() for c in self.cells.cells))

    def select(self, selection: Selection) -> None:
        """Mark a head, counted through all layers, and a cell in all small pictures."""
        self._selection = selection
        self.tiles.grid.select(selection)
        self.cells.select(selection.head)

    @override
    def _place(self) -> None:
        small = self.uses_weights
        self._choose()
        if small != self.uses_weights:
            self._draw()

    def _choose(self) -> None:
        fits = self.with_pictures and self.tiles.fit_in(self.width(), self.height())
        if fits and self._too_low is not None:
            # Without pictures the colour bar goes: its height must not bring them back.
            width, height = self._too_low
            fits = self.width() != width or self.height() > height + self._look.px(_BAR)
        self._too_low = None if fits else self._too_low or (self.width(), self.height())
        self.tiles.setVisible(fits)
        self.cells.setVisible(not fits)
        self.tiles.setGeometry(self.rect())
        self.cells.setGeometry(self.rect())

    def _draw(self) -> None:
        """Draw what is in sight; the layout of either needs to know how many heads there are."""
        if self._shown is None:
            return
        trace, contrast, table = self._shown
        theme, shape = self._look.theme, trace.weights.shape[:2]

        def cell_of(layer: int, head: int) -> HeadCell:
            role = trace.role(layer, head)
            score = math.nan if role is None else trace.score(role, layer, head)
            off = head_name(layer, head) in trace.spec.heads_off
            return HeadCell(role_colour(role, theme), score, score_text(score), role_heading(role), off)

        self.tiles.expect(*shape)
        self._choose()
        if self.uses_weights:
            self.tiles.show_trace(trace, contrast, table)
        else:
            self.cells.show_cells(tuple(cell_of(*place) for place in np.ndindex(*shape)), trace.num_heads)

    @Slot(object)
    def _hover(self, tile: Selection | None) -> None:
        self.hovered.emit(None if tile is None else tile.head)
