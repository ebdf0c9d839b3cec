"""All heads of a batch item above, and one of them large below: the view of scores, masks, weights and heads out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QRectF, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.counting import SCREEN
from attnviz.definitions.stages import cells_of
from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.colours import Scale, contrast_to_offer, quantise, stretched, without_left_out
from attnviz.experiment.layers.cell import attention_row
from attnviz.experiment.layers.content import Content
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.panels import panels_of
from attnviz.gui.layers.words import spoken_cell, statistic_text
from attnviz.gui.plots.layout import NO_BARS, HeadsLayout, Margins, Rect, heads_and_bars_layout, heads_layout
from attnviz.gui.plots.matrix.head_grid import HeadGrid, Thumbnail
from attnviz.gui.plots.matrix.heatmap import LEAST, Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.matrix_drawing import margins
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.plots.tensors.row_bars import Row, RowBars
from attnviz.gui.plots.tensors.tensor_page import TensorPage
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import reveal_in, scrolling_tiles
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate

_MOST_ITEMS, _FEW_CELLS = 4, 256
"""Batch items are side by side up to this many, and up to this many cells in all."""
_BARS_WIDTH = 200
"""The width of the bars of the chosen row in Present, at scale 1."""
_WANTED, _WANTED_TO_PRESENT = 0.15, 0.225
"""The wanted share of the window for the cells of nearly square pictures, possibly without all tiles visible."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """The data drawn by a page of the lab."""

    content: Content
    table: ColourTable
    """The colours of the content's stage."""
    weights: ColourTable
    trace: Any
    """The trace that has the layer."""


PictureT = TypeVar("PictureT", bound=Picture)


class HeadsView(QWidget):
    """Thumbnails of all heads, and beside them the chosen one, large: hovering a cell previews it, a click locks it."""

    painted = Signal(float)
    """The milliseconds of the last drawing."""
    items_changed = Signal()
    """`shows_all_items` has changed with the room."""
    item_chosen = Signal(int)
    """The user clicked into the picture of another batch item."""
    stroke = Signal(object, bool)
    """`Cell` under a brush in any of the pictures, and whether a new stroke begins with it."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._selection = selection
        self._picture: Picture | None = None
        self._drawn_head = -1
        self.grid = HeadGrid(look)
        self._tiles = scrolling_tiles(self.grid, self)
        self._brush = False
        self._items: tuple[int, ...] = (0,)  # on screen: the chosen one, or all of the batch
        self._heatmaps: list[Heatmap] = []  # of these items, each keeps its place, zoom and focus
        self._matrix: Matrix | None = None  # of the chosen item
        self._revealed: tuple[int, QRectF] | None = None  # the held head and its tile that were scrolled into sight
        self.panels = TensorPage(look, self)
        self.bars = RowBars(look, self)
        self.bars.background = "window"
        self._alone = self.tr("Weights of the chosen head")  # the name of a picture without others beside it
        self._times: dict[QWidget, float] = {}
        self.pointed_item: int | None = None
        """The batch item of the picture under the mouse, None if it is under none."""
        self.beside_text = False
        """Whether a text shares the page: before an audience only the large pictures are beside it."""
        self.grid.hovered.connect(self._hover_tile)
        self.grid.clicked.connect(self._choose_head)
        self.grid.painted.connect(self._measure)
        self._add_heatmap()

    def show_picture(self, picture: Picture) -> None:
        """Draw the heads of a layer."""
        before, self._picture = self._picture, picture
        content, view = picture.content, picture.content.view
        again = (
            before is not None
            and before.content.layer is content.layer
            and before.content.view == view
            and (before.table is picture.table and before.weights is picture.weights)
            and self._drawn_head == self._head_in(content)
        )
        masked = view.record.cells is not None and view.record.cells.masked
        self.grid.setVisible(len(content.tiles) > 1)
        if len(content.tiles) > 1:
            mask = without_left_out(_masks_of(content), view.contrast_drawn) if masked else None
            self.grid.expects_notes = bool(view.statistic) and view.shows_statistics
            self.grid.show_heads(content.tiles, mask, picture.table, thumbnails_of(content))
        self.panels.setVisible(not view.shows_cells)
        if not again:  # else only the notes beside the heads have arrived, and the large picture is drawn
            self._show_head(picture)
        self._place()

    @property
    def shows_all_items(self) -> bool:
        """Whether the batch items are side by side, so that none needs to be chosen."""
        return len(self._items) > 1

    @property
    def heatmap(self) -> Heatmap:
        """The large picture of the chosen batch item."""
        return self._heatmaps[self._items.index(self._view_item) if self.shows_all_items else 0]

    @property
    def pictures(self) -> tuple[Heatmap, ...]:
        """The large pictures on screen in the order of the batch items; none at a stage without cells."""
        return tuple(heatmap for heatmap in self._heatmaps if not heatmap.isHidden())

    def set_brush(self, on: bool) -> None:
        """Let the mouse paint cells of all pictures, or point at them."""
        self._brush = on
        for heatmap in self._heatmaps:
            heatmap.set_brush(on)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_items()
        self._place()

    def select(self) -> None:
        """Follow the selection; redraw if the head has changed."""
        if self._picture is None:
            return
        if self._head_in(self._picture.content) == self._drawn_head:
            self._mark(self._picture)
        else:
            self._show_head(self._picture)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self._show_items()
        self._place()

    @property
    def _view_item(self) -> int:
        return 0 if self._picture is None else self._picture.content.view.item

    def _items_that_fit(self, content: Content) -> tuple[int, ...]:
        """Return the batch items to draw: all, if together they are large, or as large as the chosen one alone."""
        chosen = (content.view.item,)
        count, cells = content.layer.items, content.layer.weights.shape[2] * content.layer.weights.shape[3]
        if not 1 < count <= _MOST_ITEMS or count * cells > _FEW_CELLS or not content.view.shows_cells:
            return chosen
        margins = self._margins
        alone, together = (
            sum(place.within(margins).area for place in self._layout(content, items).pictures) for items in (1, count)
        )
        return tuple(range(count)) if together >= min(alone, self._wanted) else chosen

    def _show_items(self) -> None:
        """Draw the chosen head of the batch items that fit, each in a picture of its own."""
        if self._picture is None:
            return
        content, head = self._picture.content, self._drawn_head
        before, self._items = self.shows_all_items, self._items_that_fit(content)
        if self.pointed_item not in self._items:
            self.pointed_item = None  # the picture under the mouse is gone, or of another item
        while len(self._heatmaps) < len(self._items):
            self._add_heatmap()
        for place, heatmap in enumerate(self._heatmaps):
            shown = content.view.shows_cells and place < len(self._items)
            if shown:
                heatmap.show_matrix(self._matrix_of(content, self._items[place]), self._picture.table)
                heatmap.heads = head, content.layer.num_heads
                name = self.tr("Weights of the chosen head, item {0}") if self.shows_all_items else self._alone
                heatmap.setAccessibleName(name.format(SCREEN.number(self._items[place])))
            heatmap.setVisible(shown)
        if before is not self.shows_all_items:
            self.items_changed.emit()

    def _matrix_of(self, content: Content, item: int) -> Matrix:
        """Return the matrix of a batch item: of the chosen one that which is measured already."""
        if item == content.view.item and self._matrix is not None:
            return self._matrix
        of_item = replace(content, view=replace(content.view, item=item))
        return matrix_of(of_item, self._drawn_head, self._title(of_item, self._drawn_head))

    def _add_heatmap(self) -> None:
        heatmap = Heatmap(self._look, self._alone, self)
        heatmap.set_brush(self._brush)
        heatmap.hovered.connect(self._hover_picture)
        heatmap.clicked.connect(self._click_picture)
        heatmap.head_stepped.connect(self._step_head)
        heatmap.stroke.connect(self.stroke)
        heatmap.painted.connect(self._measure)
        self._heatmaps.append(heatmap)

    @property
    def _margins(self) -> Margins:
        """The margins for the labels of a picture."""
        return Margins(0, 0, 0, 0) if self._matrix is None else margins(self._matrix, self._look)

    def _layout(self, content: Content, items: int) -> HeadsLayout:
        """Return the layout of tiles and pictures, with ``items`` batch items side by side; of bars too in Present."""
        look, view, mask = self._look, content.view, content.layer.mask
        room = Rect(0, 0, self.width(), self.height())
        tiles = self.grid.rules if self._has_tiles(content) else replace(self.grid.rules, count=0)
        margins, gap, least = self._margins, look.px(12), look.px(LEAST)
        shape = content.layer.weights.shape[2], content.layer.weights.shape[3]
        if not view.shows_cells:
            return heads_layout(room, None, margins, tiles, items=items, gap=gap, least=least)
        wanted = self._wanted if max(shape) <= 2 * min(shape) else 0.0
        if self.beside_text or not (look.present and view.shows_weights):
            return heads_layout(room, shape, margins, tiles, items=items, gap=gap, least=least, wanted=wanted)
        most_keys = int(mask.sum(axis=-1).max(initial=0)) if mask.shape[3] < 64 else mask.shape[3]
        bars = round(min(look.px(_BARS_WIDTH), 0.3 * self.width())), self.bars.height_for(most_keys)
        return heads_and_bars_layout(
            room, shape, margins, tiles, bars=bars, items=items, gap=gap, least=least, wanted=wanted
        )

    def _has_tiles(self, content: Content) -> bool:
        return len(content.tiles) > 1 and not (self.beside_text and self._look.present)

    @property
    def _wanted(self) -> float:
        """The wanted area for the cells of large pictures, see `_WANTED`."""
        share = _WANTED_TO_PRESENT if self._look.present else _WANTED
        return share * self.window().width() * self.window().height()

    def _place(self) -> None:
        """Place the tiles, the large pictures, and in Present the bars of the chosen row."""
        if self._picture is None:
            return
        content = self._picture.content
        layout = self._layout(content, len(self._items))
        were_hidden = self.bars.isHidden()
        self.bars.setVisible(layout.bars is not NO_BARS)
        if layout.bars is not NO_BARS:
            self.bars.setGeometry(*map(round, layout.bars))
            if were_hidden:
                self._show_bars(self._picture)
        self._tiles.setVisible(self._has_tiles(content))
        if self._has_tiles(content):
            self.grid.place(layout.grid)
            self._tiles.setGeometry(*map(round, layout.tiles))
            self._reveal_head()
        if not content.view.shows_cells:
            self.panels.setGeometry(*map(round, layout.pictures[0]))
            return
        for place, heatmap in zip(layout.pictures, self._heatmaps, strict=False):
            heatmap.setGeometry(*map(round, place))

    def _reveal_head(self) -> None:
        """Scroll the tile of the selected head into view, once for each of its positions."""
        head = self._selection.locked.head
        tile = self.grid.tile_of(head)
        if tile is not None and self._revealed != (head, tile):
            self._revealed = head, tile
            reveal_in(self._tiles, tile, self._look.px(8))

    def _head_in(self, content: Content) -> int:
        return min(self._selection.current.head, content.layer.num_heads - 1)

    def _show_head(self, picture: Picture) -> None:
        content, head = picture.content, self._head_in(picture.content)
        self._drawn_head = head
        if content.view.shows_cells:
            self._matrix = matrix_of(content, head, self._title(content, head))
        else:
            chosen = self._selection.current
            rows = content.panels
            if head != content.head:
                rows = panels_of(content.layer, content.view.stage, content.view.item, head, chosen.query or 0)
            self.panels.show_panels(content.layer, rows, picture.weights)
        self._show_items()
        self._mark(picture)

    def _item_of(self, heatmap: QObject) -> int | None:
        """Return the batch item of a picture; None if the picture has just been hidden."""
        place = self._heatmaps.index(cast("Heatmap", heatmap))
        return self._items[place] if place < len(self._items) else None

    @Slot(object)
    def _hover_picture(self, cell: Cell | None) -> None:
        item = None if cell is None else self._item_of(self.sender())
        self.pointed_item = None if item == self._view_item else item
        self._selection.hover_cell(cell)

    @Slot(object)
    def _click_picture(self, cell: Cell) -> None:
        item = self._item_of(self.sender())
        if item is None:
            return
        self.pointed_item = None
        if item == self._view_item:
            self._selection.lock_cell(cell)
        else:
            self.item_chosen.emit(item)
            self._selection.lock(replace(self._selection.locked, query=cell.row, key=cell.column))

    def _mark(self, picture: Picture) -> None:
        chosen, shows_cells = self._selection.current, picture.content.view.shows_cells
        self.grid.select(chosen if shows_cells else replace(chosen, key=None))  # the columns of tiles are features
        for heatmap in self.pictures:
            heatmap.select(chosen.cell)
        self._reveal_head()
        self._show_bars(picture)
        if not shows_cells:
            self.panels.select(chosen)

    def _show_bars(self, picture: Picture) -> None:
        """Show the chosen row as bars, in Present."""
        content, chosen = picture.content, self._selection.current
        if self.bars.isHidden() or chosen.query is None:
            return
        item = content.view.item if self.pointed_item is None else self.pointed_item
        head = self._head_in(content)
        row = attention_row(content.layer, item, head, min(chosen.query, content.layer.weights.shape[2] - 1))
        levels = content.layer.row_levels((item, head, row.query), content.view.contrast)
        shown = Row(row.key_tokens, row.weights, levels, row.shown, chosen.key, of=row.token)
        self.bars.show_row(shown, picture.weights)

    def _title(self, content: Content, head: int) -> str:
        """Return "head 1", with the batch item where several are shown, and the stage unless it is of weights."""
        parts = [self.tr("item {0}").format(SCREEN.number(content.view.item))] if content.layer.items > 1 else []
        if content.layer.num_heads > 1:
            parts.append(self.tr("head {0}").format(SCREEN.head(head)))
        if head in content.layer.heads_off:
            parts.append(self.tr("off"))
        cells = cells_of(content.view.stage)
        if not cells.statistics or not parts:
            parts.append(translate(cells.heading))
        return ", ".join(parts)

    @Slot(object)
    def _hover_tile(self, pointed: Selection | None) -> None:
        if pointed is not None and self._picture is not None and not self._picture.content.view.shows_cells:
            pointed = replace(pointed, key=self._selection.locked.key)  # the columns of tiles are features
        self._selection.hover(pointed)

    @Slot(int)
    def _choose_head(self, head: int) -> None:
        self._selection.lock(replace(self._selection.locked, head=head))

    @Slot(int)
    def _step_head(self, step: int) -> None:
        self._selection.hover(None)
        locked = self._selection.locked
        self._selection.lock(replace(locked, head=locked.head + step))

    @Slot(float)
    def _measure(self, milliseconds: float) -> None:
        self._times[cast("QWidget", self.sender())] = milliseconds
        self.painted.emit(sum(self._times.get(part, 0.0) for part in (self.grid, *self.pictures)))


def thumbnails_of(content: Content) -> tuple[Thumbnail, ...]:
    """Return the texts above the tiles of a content: names of heads, and the statistic beside each."""
    named = translate("head {0}")
    names = {head: (named.format(SCREEN.head(head)), str(SCREEN.head(head))) for head in content.order}
    notes = dict.fromkeys(content.order, "")
    if content.statistics is not None and content.view.shows_statistics:
        statistic, values = STATISTICS[content.view.statistic], content.statistics[content.view.statistic]
        notes = {head: statistic_text(statistic, values[head]) for head in content.order}
    off = content.layer.heads_off
    heads = [Thumbnail(head, *names[head], notes[head], off=head in off) for head in content.order]
    extremes = [Thumbnail(None, name, name) for name in (translate("mean"), translate("max"))]
    return tuple(heads + extremes[: len(content.tiles) - len(heads)])


def _masks_of(content: Content) -> NDArray[np.bool_]:
    """Return the (Q, K) mask of all tiles, or (n, Q, K) if the masks differ between heads."""
    mask: NDArray[np.bool_] = content.layer.mask[content.view.item]
    if not content.layer.masks_differ:
        shared: NDArray[np.bool_] = mask[0]
        return shared
    further = len(content.tiles) - len(content.order)  # mean and maximum: masked where all heads are
    of_all = np.broadcast_to(mask.any(axis=0), (further, *mask.shape[1:]))
    masks: NDArray[np.bool_] = np.concatenate((mask[list(content.order)], of_all))
    return masks


def weight_line(layer: Layer, contrast: str, table: ColourTable, item: int = 0, stage: str = "weights") -> ColourLine:
    """Return the colour bar of all heads of a batch item at a stage of weights, drawn by a contrast, "" for none."""
    several = layer.num_heads > 1
    return ColourLine(
        layer.scale(stage, contrast),
        table,
        translate("weight, all heads") if several else translate("weight"),
        contrast=contrast,
        offered="" if contrast else contrast_to_offer(layer.shown(stage)[item], layer.levels(stage)[item]),
        left_out=bool(contrast) and CONTRASTS[contrast].leaves_out_first,
    )


def colours_of_cells(picture: Picture) -> ColourLine | None:
    """Return the colour bar of all heads at a picture's stage; None if it has no cells."""
    content, view, cells = picture.content, picture.content.view, picture.content.view.record.cells
    if cells is None:
        return None
    masked = cells.masked and content.has_masked
    if not cells.weights:
        return ColourLine(content.scale, picture.table, translate("score, all heads"), masked)
    line = weight_line(content.layer, view.contrast_drawn, picture.table, view.item, view.stage)
    dropped = cells.dropped and bool(content.layer.dropout)
    return line._replace(masked=masked, not_finite=content.has_not_finite, dropped=dropped)


def matrix_of(content: Content, head: int, title: str) -> Matrix:
    """Return the matrix of one head at a content's stage."""
    layer, view = content.layer, content.view
    matrix = cell_matrix(layer, view.stage, view.item, head, title, contrast=view.contrast_drawn)
    return matrix if view.sums else replace(matrix, row_sums=None)


def cell_matrix(
    layer: Layer,
    stage: str,
    item: int,
    head: int,
    title: str,
    *,
    contrast: str = "",
    scale: Scale | None = None,
    beside: Sequence[Layer] = (),
) -> Matrix:
    """Return the matrix of one head at a stage that has one number for each query and key.

    ``scale`` is its colour scale; None is the layer's own scale of the stage. With a contrast the same head of layers
    ``beside`` it shares the ends of the scale.
    """
    cells, values = cells_of(stage), layer.shown(stage)[item, head]
    if contrast and beside:
        coloured = layer.coloured(stage)
        others = [each.shown(stage)[item, head] for each in beside]
        mask = None if coloured is None else coloured[item, head]
        levels = stretched(values, mask, scale or layer.scale(stage), contrast, others)
    elif scale is None or scale == layer.scale(stage):
        levels = layer.levels(stage, contrast)[item, head]
    else:
        coloured = layer.coloured(stage)
        levels = quantise(values, None if coloured is None else coloured[item, head], scale.low, scale.high)
    return Matrix(
        levels=levels,
        values=values,
        mask=without_left_out(layer.mask[item, head], contrast) if cells.masked else None,
        row_labels=layer.query_labels,
        column_labels=layer.key_names,
        row_sums=getattr(layer, cells.row_sums)[item, head] if cells.row_sums else None,
        title=title,
        row_title=translate("queries"),
        column_title=translate("keys"),
        empty_rows=layer.empty_rows[item, head] if cells.weights else None,
        dropped=layer.dropped[item, head] if cells.dropped and layer.dropped is not None else None,
        told=lambda query, key: spoken_cell(layer, stage, (item, head, query, key)),
    )
