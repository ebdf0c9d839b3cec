"""The page of lines: all heads of a layer as small line pictures, and the chosen one large."""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, Slot
from PySide6.QtGui import QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import short_name
from attnviz.experiment.layers.cell import attention_row
from attnviz.experiment.layers.layer import Array, Layer
from attnviz.gui.layers.heads_view import PictureT, cell_matrix, thumbnails_of
from attnviz.gui.layers.words import spoken_row
from attnviz.gui.plots.layout import Margins, Rect, TileRules, heads_layout
from attnviz.gui.plots.lines.lines import Ends, draw_lines, lines_of, others_in
from attnviz.gui.plots.lines.lines_view import LinePicture, LinesView
from attnviz.gui.plots.matrix.head_grid import HeadGrid, Thumbnail
from attnviz.gui.plots.matrix.matrix import Matrix
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.plots.page import Page
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import scrolling_tiles
from attnviz.gui.widgets.selection import Selection, SelectionModel

_SHAPE = (4, 3)
"""The aspect ratio of a tile, height to width."""
_TILE = 64, 108
"""The least and the greatest height of a tile, at scale 1: in two columns, all are visible if possible."""
_FEW_LINES = 160
"""Tiles show the lines of every query up to this number of lines, else those of the chosen one."""
_THICKEST = 6
"""The width of a tile's line of weight 1, at scale 1."""


class Lined(NamedTuple):
    """The drawing data of the page."""

    layer: Layer
    item: int
    heads: tuple[Thumbnail, ...]
    """The texts above the tiles, in order."""
    strong: bool
    """Whether the lines of every query are strong, or only those of the chosen one."""


def line_picture(
    layer: Layer, item: int, head: int, matrix: Matrix, title: str = "", *, strong: bool = False
) -> LinePicture:
    """Return the weights of a head as lines; ``matrix`` is the same head, which describes its cells."""
    return LinePicture(
        layer.weights[item, head],
        layer.mask[item, head],
        tuple(map(short_name, layer.query_names)),
        tuple(map(short_name, layer.key_labels)),
        title,
        strong,
        np.maximum(0.0, 1 - layer.row_sums[item, head]) if layer.has_sink else None,
        matrix,
    )


class LineTiles(HeadGrid):
    """The lines of every head, small; a click chooses the head and leaves the query as it is."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._weights: Array = np.zeros((0, 1, 1))

    def show_lines(self, weights: Array, heads: tuple[Thumbnail, ...]) -> None:
        """Draw (h, Q, K) weights."""
        self._weights = weights
        blank = np.zeros((len(heads), 1, 1), np.uint8)
        self.show_heads(blank, None, colour_table("viridis", self.look.theme), heads)

    @property
    @override
    def rules(self) -> TileRules:
        return replace(super().rules, shape=_SHAPE)

    @override
    def draw_heads(self, painter: QPainter, some: slice) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for tile, thumbnail in zip(self.tiles[some], self._thumbnails[some], strict=True):
            painter.setPen(QPen(self.look.color("line"), 1))
            painter.setBrush(self.look.color("window"))
            painter.drawRoundedRect(tile, 3, 3)
            weights = self._weights[thumbnail.head or 0]
            if weights.size <= _FEW_LINES:
                draw_lines(painter, lines_of(weights), self._ends(tile), self.look, *others_in(self.look))

    @override
    def draw_marks(self, painter: QPainter) -> None:
        """Draw the lines of the chosen query in every tile, and the border of the chosen head."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        query = self._selection.query
        for tile, thumbnail in zip(self.tiles, self._thumbnails, strict=True):
            if query is None or query >= self._weights.shape[1] or thumbnail.off:
                continue
            own = lines_of(self._weights[thumbnail.head or 0], query)
            draw_lines(painter, own, self._ends(tile), self.look, "q")
        self.frame_chosen(painter)

    def _ends(self, tile: QRectF) -> Ends:
        inset, (queries, keys) = self.look.px(6), self._weights.shape[1:]
        most = max(queries, keys)
        pitch = (tile.height() - 2 * inset) / most
        starts, ends = (
            tile.y() + inset + pitch * ((most - count) / 2 + np.arange(count) + 0.5) for count in (queries, keys)
        )
        return Ends(tile.left() + inset, tile.right() - inset, starts, ends, self.look.px(_THICKEST))

    @override
    def _selection_at(self, event: QMouseEvent) -> Selection | None:
        found = super()._selection_at(event)
        return None if found is None else replace(self._selection, head=found.head)


class LinesPage(Page[PictureT]):
    """The weights of one head as lines, and of all heads in tiles; it follows the same selection as the matrix."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self._shown: Lined | None = None
        self._drawn = -1
        self.hint = self.tr("Point at a word to see its lines, click to hold it; a click on a head shows it large.")
        self.picture = LinesView(look, self)
        self.tiles = LineTiles(look)
        self._scroll = scrolling_tiles(self.tiles, self)
        self.picture.hovered.connect(selection.hover_cell)
        self.picture.clicked.connect(selection.lock_cell)
        self.picture.painted.connect(self.painted)
        self.tiles.hovered.connect(self._hover_head)
        self.tiles.clicked.connect(self._choose_head)

    @property
    @override
    def close_up(self) -> QWidget:
        return self.picture

    def lined(self, data: PictureT) -> Lined:
        """Return what is drawn of the data of the stage."""
        content = data.content
        heads = tuple(each for each in thumbnails_of(content) if each.head is not None)
        return Lined(content.layer, content.view.item, heads, content.view.every_query)

    @override
    def show_data(self, data: PictureT) -> None:
        self._shown, self._drawn = self.lined(data), -1
        layer, item, heads, _ = self._shown
        self._scroll.setVisible(len(heads) > 1)
        self.tiles.show_lines(layer.weights[item], heads)
        self._place()

    @override
    def select(self) -> None:
        if self._shown is None:
            return
        layer, item, *_ = self._shown
        chosen, held = self._selection.current, self._selection.locked
        head = min(chosen.head, layer.num_heads - 1)
        if head != self._drawn:
            self._drawn = head
            self.picture.show_picture(self._picture_of(self._shown, head))
        self.tiles.select(chosen)
        self.picture.select(chosen.cell, held.cell)
        if chosen.query is not None and chosen.query < layer.weights.shape[2]:
            said = spoken_row(attention_row(layer, item, head, chosen.query), head, chosen.key)
            self.picture.setAccessibleDescription(said)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._place()

    def _picture_of(self, shown: Lined, head: int) -> LinePicture:
        layer, item, heads, strong = shown
        title = next((each.title for each in heads if each.head == head), "")
        return line_picture(layer, item, head, cell_matrix(layer, "weights", item, head, title), title, strong=strong)

    @override
    def _place(self) -> None:
        if self._shown is None:
            return
        px, room = self._look.px, Rect(0, 0, self.width(), self.height())
        rules, heads = self.tiles.rules, len(self._shown.heads)
        tall = room.height / math.ceil(heads / 2) - rules.label - rules.gap - 1
        rules = replace(rules, count=heads if heads > 1 else 0, least=min(max(px(_TILE[0]), tall), px(_TILE[1])))
        layout = heads_layout(room, None, Margins(0, 0, 0, 0), rules, gap=px(12), least=px(16))
        self.tiles.place(layout.grid)
        self._scroll.setGeometry(*map(round, layout.tiles))
        self.picture.setGeometry(*map(round, layout.pictures[0]))

    @Slot(object)
    def _hover_head(self, pointed: Selection | None) -> None:
        locked = self._selection.locked
        self._selection.hover(None if pointed is None else replace(locked, head=pointed.head))

    @Slot(int)
    def _choose_head(self, head: int) -> None:
        self._selection.lock(replace(self._selection.locked, head=head))
