"""Folding of heads into the batch: whole matrices, single heads, and ribbons from each slice to its tile."""

import math
from dataclasses import astuple, dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPen
from typing_extensions import override

from attnviz.definitions.counting import SCREEN, numbers
from attnviz.definitions.text import Text
from attnviz.gui.plots.matrix.canvas import ARROWS, Pointed
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.tile import ColourTable, draw_tiles
from attnviz.gui.plots.tensors.head_colours import HeadPainter
from attnviz.gui.plots.tensors.reshape_layout import ReshapeLayout, ReshapeRules
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

_LONGEST = 84
_ELIDE = Qt.TextElideMode.ElideRight
_Flags = Qt.AlignmentFlag | Qt.TextFlag
_LEFT = Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, eq=False)
class Reshape:
    """A split of (B, L, D) into heads, or the merge of heads into it, as colour levels."""

    whole: NDArray[np.uint8]
    """(B, L, D)."""
    heads: NDArray[np.uint8]
    """(B, h, L, D / h)."""
    item: int
    """The highlighted batch item."""
    name: str
    role: str
    """The theme's colour of the name: q, k, v or output."""
    row_labels: tuple[str, ...]
    merging: bool = False
    values: NDArray[np.floating] | None = None
    """(L, D), the numbers of the highlighted item's whole."""
    serves: int = 1
    """How many heads of the queries share each head: more than one for shared keys and values."""

    @property
    def letters(self) -> tuple[str, str]:
        """The letters of its number of heads and of its features in shapes: g of shared keys and values, else h."""
        return ("g", "g·D/h") if self.serves > 1 else ("h", "D")

    @cached_property
    def matrix(self) -> Matrix:
        """The highlighted item's whole, readable as a table."""
        assert self.values is not None
        return Matrix(
            levels=self.whole[self.item],
            values=self.values,
            mask=None,
            row_labels=self.row_labels,
            column_labels=numbers(self.values.shape[1]),
            row_sums=None,
            title=self.name,
            row_title=translate("tokens"),
            column_title=translate("features"),
        )


@dataclass(frozen=True, slots=True)
class ReshapeCell:
    """One number, in the whole and in its head; the feature counts within the head."""

    item: int
    head: int
    row: int
    feature: int


class ReshapeView(Pointed):
    """The chosen number is framed in its whole matrix and in its head, and a thread joins the two."""

    GESTURES = (
        Gesture("Click", "Choose a number, before and after", "Split and merge"),
        Gesture("Up, Down, Left, Right", "Choose the next number", "Split and merge"),
    )

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.picture: Reshape | None = None
        self._table: ColourTable | None = None
        self._selected: ReshapeCell | None = None
        self._layout: ReshapeLayout | None = None
        self._placed_for: object = None
        self.setAccessibleName(self.tr("Heads folded into the batch"))

    def show_split(self, picture: Reshape, table: ColourTable) -> None:
        """Draw a split, or a merge."""
        self.picture, self._table, self._placed_for = picture, table, None
        items, heads = picture.heads.shape[:2]
        said = self.tr("merge of {0}: {1}, {2}") if picture.merging else self.tr("split of {0}: {1}, {2}")
        item_text = translate(Text("{count} items", {"count": items}, "1 item"))
        head_text = translate(Text("{count} heads", {"count": heads}, "1 head"))
        self.setAccessibleDescription(said.format(picture.name, item_text, head_text))
        self.redraw()

    def select(self, cell: ReshapeCell | None) -> None:
        """Mark a number in its whole and in its head, or (None) nothing."""
        self._selected = cell
        self.update()

    @property
    @override
    def matrix(self) -> Matrix | None:
        picture = self.picture
        return None if picture is None or picture.values is None else picture.matrix

    @property
    @override
    def marked(self) -> Cell | None:
        at, picture = self._selected, self.picture
        return None if at is None or picture is None else Cell(at.row, at.head * picture.heads.shape[3] + at.feature)

    @override
    def hold(self, cell: Cell) -> None:
        if self.picture is not None and cell.column is not None:
            head, feature = divmod(cell.column, self.picture.heads.shape[3])
            self.clicked.emit(ReshapeCell(self.picture.item, head, cell.row, feature))

    def whole_rect(self, item: int) -> QRectF | None:
        """Return the rectangle of an item's matrix."""
        layout = self.places
        return None if layout is None else layout.wholes.get(item)

    def slice_rect(self, item: int, head: int) -> QRectF | None:
        """Return the rectangle of a head's slice of an item's matrix."""
        layout = self.places
        return None if layout is None else layout.slice_rect(item, head)

    def tile_rect(self, item: int, head: int) -> QRectF | None:
        """Return the rectangle of a single head's cells."""
        layout = self.places
        return None if layout is None else layout.tiles.get((item, head))

    @property
    def places(self) -> ReshapeLayout | None:
        """The layout, cached for a size and a shape; None without a picture."""
        picture = self.picture
        if picture is None or not picture.heads.size:
            return None
        asked_for = (self.size(), self.look.scale)
        if self._layout is None or asked_for != self._placed_for:
            metrics = QFontMetrics(self.look.font("small"))
            words = (*picture.row_labels, self.tr("batch"), self.tr("head"), self.tr("item {0}").format(10))
            widest = max(metrics.horizontalAdvance(word) for word in words)
            gutter = round(min(widest, self.look.px(_LONGEST), 0.16 * self.width())) + self.look.px(14)
            size = (self.width(), self.height(), self.look.scale, metrics.height(), gutter)
            room = ReshapeRules(*size, picture.item, picture.merging)
            items, heads, rows, features = picture.heads.shape
            self._layout, self._placed_for = ReshapeLayout((items, heads, rows, features), room), asked_for
        return self._layout

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, self.look.px(360))

    @override
    def draw(self, painter: QPainter) -> None:
        picture, layout = self.picture, self.places
        if picture is None or self._table is None or layout is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.look.font("small"))
        heads_painter = HeadPainter(painter, layout, self.look, picture.serves)
        heads_painter.draw_ribbons()
        draw_tiles(painter, list(layout.wholes.values()), picture.whole[list(layout.wholes)], self._table)
        items, heads = zip(*layout.tiles, strict=True)
        draw_tiles(painter, list(layout.tiles.values()), picture.heads[list(items), list(heads)], self._table)
        heads_painter.draw_frames()
        if picture.serves == 1:
            heads_painter.write_heads(self.tr("head {0}"), self.tr("head"))
            heads_painter.write_batch(self.tr("{0} · head {1}"), self.tr("batch"))
        else:
            heads_painter.write_heads(self.tr("heads {0}"), self.tr("heads"))
            heads_painter.write_batch(self.tr("{0} · heads {1}"), self.tr("batch"))
        _Lettering(painter, self, picture, layout).draw()

    @override
    def draw_marks(self, painter: QPainter) -> None:
        """Frame the chosen number twice and its slice and tile, join them by a thread, and name the tokens."""
        chosen, layout, picture = self._selected, self.places, self.picture
        if layout is None or picture is None:
            return
        rows, features = layout.shape[2:]
        if chosen and not all(at < end for at, end in zip(astuple(chosen), layout.shape, strict=True)):
            chosen = None
        painter.setFont(self.look.font("small"))
        # In Present the chosen row is always named; elsewhere the read-out names it.
        _Lettering(painter, self, picture, layout).write_tokens(chosen.row if chosen and self.look.present else None)
        if chosen is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        places = (self.slice_rect(chosen.item, chosen.head), self.tile_rect(chosen.item, chosen.head))
        painter.setPen(QPen(self.look.color("accent"), self.look.px(2)))
        reach = self.look.px(3)
        for place in places:
            if place is not None:
                painter.drawRoundedRect(place.adjusted(-reach, -reach, reach, reach), 2, 2)
        share = (chosen.feature + 0.5) / features
        HeadPainter(painter, layout, self.look).draw_thread(chosen.item, chosen.head, share)
        for place in places:
            if place is not None:
                _frame(painter, place, chosen, (rows, features), self.look)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose another number with the arrows; features continue in the next head."""
        step, picture = ARROWS.get(event.key()), self.picture
        if step is None or picture is None or not picture.heads.size:
            super().keyPressEvent(event)
            return
        items, heads, rows, features = picture.heads.shape
        old = self._selected
        if old is None:
            old, step = ReshapeCell(picture.item, 0, 0, -1), (0, 1)
        row = min(max(old.row + step[0], 0), rows - 1)
        column = min(max(old.head * features + old.feature + step[1], 0), heads * features - 1)
        new = ReshapeCell(min(old.item, items - 1), column // features, row, column % features)
        if new != old:
            self.clicked.emit(new)

    @override
    def cell_at(self, place: QPointF) -> ReshapeCell | None:
        """Return the number under a point, in a whole or in a head."""
        found = self.places.cell_at(place) if self.places else None
        return ReshapeCell(*found) if found else None


def _frame(painter: QPainter, place: QRectF, cell: ReshapeCell, shape: tuple[int, int], look: Look) -> None:
    """Frame a number in a slice or tile: light and dark, so that it is visible on every colour; never over the cell."""
    height, width = place.height() / shape[0], place.width() / shape[1]
    rect = QRectF(place.x() + cell.feature * width, place.y() + cell.row * height, width, height)
    for role, reach, thick in (("window", 2.0, 4.0), ("text", 1.0, 2.0)):
        painter.setPen(QPen(look.color(role), look.px(thick), j=Qt.PenJoinStyle.MiterJoin))
        out = look.px(reach)
        painter.drawRect(rect.adjusted(-out, -out, out, out))


class _Lettering:
    """The texts around the bands: shapes, items, tokens, and the number of omitted parts."""

    def __init__(self, painter: QPainter, view: ReshapeView, picture: Reshape, layout: ReshapeLayout) -> None:
        self.painter, self.view, self.picture, self.layout = painter, view, picture, layout
        self.look, self.px, self.metrics = view.look, view.look.px, painter.fontMetrics()
        self.line = layout.room.line

    def draw(self) -> None:
        self._write_captions()
        tiles = self.layout.tiles
        named = self.layout.wrapped and self.layout.shape[0] > 1
        if self.layout.shape[0] > 1:
            for item, whole in self.layout.wholes.items():
                self._write_item(item, self.layout.beside_whole(whole, self.px(2), self.line, facing=False), _CENTRE)
            for item in dict.fromkeys(item for item, _ in tiles):
                if named:
                    place = tiles[item, 0]
                    self._write_item(item, QRectF(0, place.y(), place.x() - self.layout.air, place.height()), _RIGHT)
                else:
                    self._group(item, tiles[item, 0].united(tiles[item, self.layout.shape[1] - 1]))

    def write_tokens(self, chosen: int | None) -> None:
        """Write the tokens left of the first matrix before and after, a chosen one before its neighbours."""
        tiles, named = self.layout.tiles, self.layout.wrapped and self.layout.shape[0] > 1
        starts = {} if named else {tile.y(): tile for tile in reversed(tiles.values())}
        for place in (next(iter(self.layout.wholes.values())), *starts.values()):
            self._write_tokens(place, chosen)

    def _write_captions(self) -> None:
        items, heads, rows, features = self.layout.shape
        hidden, more, (h, D) = self.layout.hidden_items, self.layout.hidden_heads, self.picture.letters
        items_text = self.view.tr("+ 1 more item") if hidden == 1 else self.view.tr("+ {0} more items").format(hidden)
        whole = (f"(B, L, {D})", f"({items}, {rows}, {heads * features})", items_text if hidden else "")
        more_text = self.view.tr("+ {0} more").format(more) if more else ""
        batch = (f"(B·{h}, L, D/h)", f"({items * heads}, {rows}, {features})", more_text)
        steps = [f"(B, L, {h}, D/h) = ({items}, {rows}, {heads}, {features})"]
        steps.append(f"(B, {h}, L, D/h) = ({items}, {heads}, {rows}, {features})")
        before, after = (batch, whole) if self.picture.merging else (whole, batch)
        if self.picture.merging:
            steps.reverse()
        full = f"{after[0]} = {after[1]}"
        self._write_caption(self.layout.captions[0], (f"{before[0]} = {before[1]}", before[1]), before[2])
        texts = ("→\u2002" + "\u2002→\u2002".join((*steps, full)), f"→\u2002{full}", f"→\u2002{after[1]}")
        self._write_caption(self.layout.captions[1], texts, after[2])

    def _write_caption(self, place: QRectF, texts: tuple[str, ...], more: str) -> None:
        """Write the name, the longest of some texts that fits, and a note on omissions."""
        self._write(place, _RIGHT, more, "text")
        room = place.adjusted(0, 0, -self.metrics.horizontalAdvance(more) - self.px(12), 0)
        self.painter.setFont(self.look.font("small", bold=True))
        self._write(room, _LEFT, self.picture.name, self.picture.role)
        room.setLeft(room.left() + self.painter.fontMetrics().horizontalAdvance(self.picture.name) + self.px(8))
        self.painter.setFont(self.look.font("small"))
        fitting = (text for text in texts if self.metrics.horizontalAdvance(text) <= room.width())
        self._write(room, _LEFT, next(fitting, ""), "muted")

    def _group(self, item: int, tiles: QRectF) -> None:
        """Draw a line along the tiles of an item, with its name in the middle."""
        strip = self.layout.beside_tile(tiles, self.px(5) + self.line, self.line, facing=False)
        air = self.metrics.horizontalAdvance(self.view.tr("item {0}").format(SCREEN.number(item))) / 2 + self.px(8)
        self.painter.setPen(QPen(self.look.color("muted" if item == self.picture.item else "line"), 1))
        centre = QPointF(strip.center().x(), round(strip.center().y()) + 0.5)
        if strip.width() > 2 * air:
            self.painter.drawLine(QPointF(strip.left(), centre.y()), centre - QPointF(air, 0))
            self.painter.drawLine(centre + QPointF(air, 0), QPointF(strip.right(), centre.y()))
        self._write_item(item, strip, _CENTRE)

    def _write_tokens(self, place: QRectF, chosen: int | None) -> None:
        """Write the tokens left of a matrix, every n-th if they would collide, none beyond its ends."""
        labels = self.picture.row_labels
        count, height = len(labels), place.height() / len(labels)
        first = math.ceil(max(0.0, (self.line - height) / 2 - 2) / height)
        fitting = range(first, count - first, math.ceil(self.line / height))
        tops = {row: place.y() + (row + 0.5) * height - self.line / 2 for row in fitting or (count // 2,)}
        if chosen is not None:
            top = place.y() + (chosen + 0.5) * height - self.line / 2
            top = max(place.y() - 2, min(top, place.bottom() - self.line + 2))
            tops = {chosen: top} | {row: other for row, other in tops.items() if abs(other - top) >= self.line}
        for row, top in tops.items():
            line = QRectF(0, top, place.x() - self.layout.air, self.line)
            text = self.metrics.elidedText(labels[row], _ELIDE, self.layout.room.gutter - self.px(13))
            self._write(line, _RIGHT, text, "text")

    def _write_item(self, item: int, place: QRectF, flags: _Flags) -> None:
        chosen = item == self.picture.item
        self.painter.setFont(self.look.font("small", bold=chosen))
        self._write(place, flags, self.view.tr("item {0}").format(SCREEN.number(item)), "text" if chosen else "muted")
        self.painter.setFont(self.look.font("small"))

    def _write(self, place: QRectF, flags: _Flags, text: str, role: str) -> None:
        self.painter.setPen(self.look.text_color(role))
        self.painter.drawText(place, flags, text)
