"""The heads of a layer as thumbnails of one size, in one or two columns."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPen, QPolygonF
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.text import Text
from attnviz.experiment.colours import NOT_FINITE
from attnviz.gui.plots.layout import NO_TILES, TileGrid, TileRules
from attnviz.gui.plots.matrix.canvas import ARROWS, Canvas
from attnviz.gui.plots.matrix.matrix import longest
from attnviz.gui.plots.matrix.matrix_drawing import width_of
from attnviz.gui.plots.matrix.tile import (
    Border,
    ColourTable,
    cross_brush,
    draw_frames,
    draw_hatching,
    draw_tiles,
    hatch_brush,
    mask_path,
)
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import translate

_FRAMED = 14
"""From this height on, rows of a tile are marked with a frame."""
_EDGE = 4
"""The margin around all tiles, for the border of the chosen one, in pixels."""
_MIDDLE_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_MIDDLE_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """The content of a tile: a head, or (None) a picture of all heads, with its name and a note."""

    head: int | None
    title: str
    short: str
    note: str = ""
    below: str = ""
    """A second line of text."""
    colour: str = ""
    """The colour of the note and the second line, as "#rrggbb"; "" is that of text."""
    off: bool = False
    """Whether the head is ablated: its tile is crossed out."""


class HeadGrid(Canvas):
    """Thumbnails of every head; the chosen head has a border, the chosen cell is highlighted in all of them.

    All are painted here: pyqtgraph's ViewBox for each head took four times as long for 8 heads and seven for 96.
    """

    GESTURES = (
        Gesture("Click", "Choose a head", "Small heads"),
        Gesture("Up, Down, Left, Right", "Choose another head", "Small heads"),
    )

    clicked = Signal(int)
    """The head that the user chose; `hovered` has the `Selection` under the mouse."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._levels: NDArray[np.uint8] = np.zeros((0, 1, 1), np.uint8)
        self._thumbnails: tuple[Thumbnail, ...] = ()
        self._mask: NDArray[np.bool_] = np.ones((1, 1), bool)
        self._mask_path = QPainterPath()
        self._table: ColourTable | None = None
        self._selection = Selection()
        self._grid = NO_TILES
        self._notes_width = 0
        self._clicked: int | None = None  # its cells are not previewed until the mouse has left its tile
        self.expects_notes = False
        """Whether notes come later where there are none yet."""
        self.accented = False
        """Whether the names of heads are bold: they are read as such, not counted."""
        self.setAccessibleName(self.tr("All heads"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_heads(
        self,
        levels: NDArray[np.uint8],
        mask: NDArray[np.bool_] | None,
        table: ColourTable,
        thumbnails: tuple[Thumbnail, ...] = (),
    ) -> None:
        """Draw (n, Q, K) colour levels; the mask, (Q, K) or one for each tile, is hatched, None hatches nothing.

        ``thumbnails`` describes each of the n tiles; without it they are the heads in their order.
        """
        self._levels, self._table = levels, table
        self._thumbnails = thumbnails or tuple(
            Thumbnail(head, self.tr("head {0}").format(SCREEN.head(head)), str(SCREEN.head(head)))
            for head in range(len(levels))
        )
        self._mask = np.ones(levels.shape[1:], bool) if mask is None else mask
        self._mask_path = mask_path(self._mask) if self._mask.ndim == 2 else QPainterPath()
        heads = sum(thumbnail.head is not None for thumbnail in self._thumbnails)
        self.setAccessibleDescription(translate(Text("{count} heads", {"count": heads}, "1 head")))
        self.redraw()

    def select(self, selection: Selection) -> None:
        """Move the border and the highlighted cell."""
        self._selection = selection
        self.update()

    @property
    def rules(self) -> TileRules:
        """The sizes of the tiles for a layout."""
        metrics = QFontMetrics(self.look.font("small"))
        notes = width_of(metrics, longest([each.note for each in self._thumbnails]))
        if notes or not self.expects_notes:
            self._notes_width = notes
        notes = self._notes_width  # the previous width while they are being computed, so that tiles do not move
        names = width_of(metrics, longest([each.short for each in self._thumbnails]))
        rows, columns = self._levels.shape[1:]
        return TileRules(
            count=len(self._thumbnails),
            shape=(rows, columns),
            label=metrics.height() + 3,
            text=names + (notes + self.look.px(6) if notes else 0),
            gap=self.look.px(10),
            least=self.look.px(64),
            most=self.look.px(120),
            scroll_bar=self.look.px(10),
            edge=_EDGE,
        )

    def place(self, grid: TileGrid) -> None:
        """Apply a layout of the tiles and its size."""
        if grid != self._grid:
            self._grid = grid
            self.resize(math.ceil(grid.width), math.ceil(grid.height))
            self.redraw()

    @override
    def sizeHint(self) -> QSize:
        return QSize(math.ceil(self._grid.width), math.ceil(self._grid.height))

    @property
    def tiles(self) -> tuple[QRectF, ...]:
        """The rectangle of every tile's cells, in widget coordinates; cells are aligned to pixels if possible."""
        return _tiles(self._grid, len(self._thumbnails))

    def tile_of(self, head: int) -> QRectF | None:
        """Return the rectangle of a head's tile with its name; None if it is not shown."""
        for thumbnail, target in zip(self._thumbnails, self.tiles, strict=True):
            if thumbnail.head == head:
                return target.adjusted(0, -self._grid.label, 0, 0)
        return None

    @override
    def draw(self, painter: QPainter) -> None:
        tiles = self.tiles
        if self._table is None or not tiles:
            return
        # Many heads scroll, and a PDF page has no clip.
        clip = painter.clipBoundingRect() if painter.hasClipping() else QRectF(self.rect())
        places = [place for place, tile in enumerate(tiles) if self._with_name(tile).intersects(clip)]
        if not places:
            return
        some = slice(places[0], places[-1] + 1)
        self._label_tiles(painter, places)
        self.draw_heads(painter, some)
        for place in places:
            if self._thumbnails[place].off:
                cross_out(painter, tiles[place], self.look)

    def draw_heads(self, painter: QPainter, some: slice) -> None:
        """Draw the content of some tiles."""
        tiles, places = self.tiles, range(len(self.tiles))[some]
        if self._table is None:
            return
        draw_tiles(painter, tiles[some], self._levels[some], self._table)
        if tiles[0].width() < self.look.px(40):
            return  # hatching finer than its line spacing would be noise; the colour alone shows the mask
        shape = self._levels.shape[1], self._levels.shape[2]
        crossed = self._levels.max() == NOT_FINITE
        hatches = hatch_brush(self.look, painter.device().devicePixelRatio())
        for place in places:
            path = self._mask_path if self._mask.ndim == 2 else mask_path(self._mask[place])
            draw_hatching(painter, tiles[place], path, shape, self.look, hatches)
            if crossed:
                broken = mask_path(self._levels[place] != NOT_FINITE)
                draw_hatching(painter, tiles[place], broken, shape, self.look, cross_brush(self.look))

    def _with_name(self, tile: QRectF) -> QRectF:
        """Return the rectangle of a tile and the name above it."""
        return tile.adjusted(0, -self._grid.label - _EDGE, 0, 0)

    @override
    def tip(self, place: QPointF) -> str:
        for thumbnail, tile in zip(self._thumbnails, self.tiles, strict=False):
            if thumbnail.off and self._with_name(tile).contains(place):
                return translate(Text("{head} is off", {"head": thumbnail.title}))
        return ""

    def _label_tiles(self, painter: QPainter, places: Sequence[int]) -> None:
        tiles, height = self.tiles, self._grid.label
        painter.setFont(self.look.font("small"))
        metrics = painter.fontMetrics()
        room, gap = max(tiles[0].width(), self._grid.step[0] - self.look.px(10)), self.look.px(6)
        notes = width_of(metrics, longest([thumbnail.note for thumbnail in self._thumbnails]))
        titles = width_of(metrics, longest([thumbnail.title for thumbnail in self._thumbnails]))
        shorts = width_of(metrics, longest([thumbnail.short for thumbnail in self._thumbnails]))
        numbers = width_of(metrics, longest([each.short for each in self._thumbnails if each.note or not notes]))
        noted = notes > 0 and numbers + gap + notes <= room
        titled = titles + (gap + notes if noted else 0) <= room
        lines = 2 if any(thumbnail.below for thumbnail in self._thumbnails) else 1
        wide, high = max(room, shorts), height / lines
        labels = [(self._thumbnails[at], tiles[at].x(), tiles[at].y() - height - 3) for at in places]
        painter.setFont(self.look.font("small", bold=self.accented))
        painter.setPen(QColor(self.look.theme.text if self.accented else self.look.theme.muted))
        for thumbnail, x, y in labels:
            painter.drawText(QRectF(x, y, wide, high), _MIDDLE_LEFT, thumbnail.title if titled else thumbnail.short)
        painter.setFont(self.look.font("small"))
        for thumbnail, x, y in labels:
            painter.setPen(QColor(thumbnail.colour or self.look.theme.text))
            if noted and self.look.numbers:
                painter.drawText(QRectF(x, y, wide, high), _MIDDLE_RIGHT, thumbnail.note)
            if thumbnail.below:
                painter.drawText(QRectF(x, y + high, wide, high), _MIDDLE_LEFT, thumbnail.below)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        """Draw the border of the chosen head, and the chosen cell in every tile."""
        tiles = self.tiles
        chosen = self._selection
        rows, columns = self._levels.shape[1:]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        frames: list[Border] = []
        small: list[QRectF] = []
        for target in tiles if chosen.query is not None and chosen.query < rows else ():
            assert chosen.query is not None
            height = target.height() / rows
            band = QRectF(target.x(), target.y() + chosen.query * height, target.width(), height)
            if chosen.key is not None and chosen.key < columns:
                width = target.width() / columns
                band.setLeft(target.x() + chosen.key * width)
                band.setWidth(width)
                frames.append((band, "k", _thickness(band)))
            elif height >= _FRAMED:
                frames.append((band, "q", _thickness(band)))
            else:
                small.append(band)
        self._point_at(painter, small)
        draw_frames(painter, frames, self.look)
        self.frame_chosen(painter)

    def frame_chosen(self, painter: QPainter) -> None:
        """Draw the border of the chosen head."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        tiles = self.tiles
        for thumbnail, target in zip(self._thumbnails, tiles, strict=True) if len(tiles) > 1 else ():
            if thumbnail.head == self._selection.head:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(QColor(self.look.theme.accent), 2))
                painter.drawRoundedRect(target.adjusted(-3, -3, 3, 3), 3, 3)

    def _point_at(self, painter: QPainter, bands: Sequence[QRectF]) -> None:
        """Mark a row of small cells in each tile by a triangle on either side, which covers none of them."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.look.color("q"))
        size, triangles = float(_EDGE), QPainterPath()
        for band in bands:
            y = band.center().y()
            for x, way in ((band.left(), -1), (band.right(), 1)):
                corners = [QPointF(x, y), QPointF(x + way * size, y - size), QPointF(x + way * size, y + size)]
                triangles.addPolygon(QPolygonF(corners))
        painter.drawPath(triangles)
        painter.restore()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Preview the cell under the mouse, except in the head just clicked: its chosen row stays on screen."""
        pointed = self._selection_at(event)
        if pointed is None or pointed.head != self._clicked:
            self._clicked = None
            self.hovered.emit(pointed)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._clicked = None
        super().leaveEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the head under the mouse; the chosen row and cell stay."""
        pointed = self._selection_at(event)
        if pointed is not None and event.button() == Qt.MouseButton.LeftButton:
            self._clicked = pointed.head
            self._choose(pointed.head)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose another head with the arrows."""
        step = ARROWS.get(event.key())
        if step is None:
            super().keyPressEvent(event)
            return
        tiles = self.tiles
        at = next((n for n, thumbnail in enumerate(self._thumbnails) if thumbnail.head == self._selection.head), None)
        if at is None:
            return
        across = sum(target.y() == tiles[0].y() for target in tiles)
        to = at + step[0] * across + step[1]
        head = self._thumbnails[to].head if 0 <= to < len(tiles) else None
        if head is not None:
            self._choose(head)

    def _choose(self, head: int) -> None:
        self.clicked.emit(head)
        self.hovered.emit(None)  # show the selection, even if the mouse is over the widget

    def _selection_at(self, event: QMouseEvent) -> Selection | None:
        rows, columns = self._levels.shape[1:]
        place = event.position()
        for thumbnail, target in zip(self._thumbnails, self.tiles, strict=True):
            if target.contains(place):
                query = int((place.y() - target.y()) / target.height() * rows)
                key = int((place.x() - target.x()) / target.width() * columns)
                head = self._selection.head if thumbnail.head is None else thumbnail.head
                return Selection(head, min(query, rows - 1), min(key, columns - 1))
        return None


@lru_cache(maxsize=8)  # called several times per frame
def _tiles(grid: TileGrid, count: int) -> tuple[QRectF, ...]:
    return tuple(QRectF(*grid.tile(place)) for place in range(count))


def _thickness(band: QRectF) -> float:
    return 1.5 if min(band.width(), band.height()) >= 6 else 1.0


def cross_out(painter: QPainter, target: QRectF, look: Look) -> None:
    """Cross out the picture of an ablated head, and label it."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(look.font("small", bold=True))
    for role, width in (("window", 4.0), ("danger", 2.0)):
        painter.setPen(QPen(look.color(role), width))
        painter.drawLine(target.topLeft(), target.bottomRight())
        painter.drawLine(target.topRight(), target.bottomLeft())
    text = translate("off")
    paper = QRectF(0, 0, painter.fontMetrics().horizontalAdvance(text) + 8, painter.fontMetrics().height())
    paper.moveCenter(target.center())
    painter.fillRect(paper, look.color("danger_soft"))
    painter.setPen(look.color("danger"))
    painter.drawText(paper, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
