"""A tile for each head: its picture, and two bars under their texts, its role and its number; beside them a ranking."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from attnviz.definitions.counting import SCREEN, head_name
from attnviz.experiment.layers.statistics import HeadValues, score_said
from attnviz.gui.plots.heads.ranked_list import BAR, LEFT, LINE, WIDTH, RankedList, draw_bar, number_in, write
from attnviz.gui.plots.heads.role_words import role_colour, role_heading, role_text_colour, role_title
from attnviz.gui.plots.matrix.head_grid import cross_out
from attnviz.gui.plots.matrix.tile import ColourTable, draw_tiles
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import translate

_GAP, _SMALL_GAP, _MANY, _INSET, _LAYER = 8, 3, 8, 6, 52
"""The gap between tiles, the gap and the number of heads from which on it is smaller, the padding of a tile, and the
width for the names of layers."""
_WORDS_HEIGHT, _LEAST_WORDS, _LEAST_TEXT, _LEAST_PICTURE = 112, 84, 40, 28
"""The greatest height of a tile's texts and bars, and the least beside a small picture; the least width of a tile with
text; and the least picture."""
_AMPLE = 66
"""From this width on a tile has room around its text."""
DIMMED = 0.35
"""The opacity of an old study."""


class BarTiles:
    """The geometry and drawing of the tiles in a picture of this size, left of a ranking."""

    def __init__(self, look: Look, width: float, height: float, values: HeadValues, ranked: RankedList) -> None:
        px, (layers, heads) = look.px, values.values.shape
        self.look, self.values, self.ranked = look, values, ranked
        self._over = QRectF(px(_LAYER), 0, width - px(_LAYER) - px(WIDTH), px(LINE))
        left, top, gap = px(_LAYER), px(LINE), px(_SMALL_GAP if heads > _MANY else _GAP)
        wide = (width - left - px(WIDTH) - gap * (heads - 1)) / heads
        high = min((height - top - gap * (layers - 1)) / layers, px(_WORDS_HEIGHT) + wide - px(_INSET))
        self.tiles = tuple(
            QRectF(left + head * (wide + gap), top + layer * (high + gap), wide, high)
            for layer, head in np.ndindex(layers, heads)
        )
        """The rectangle of each head's tile."""

    def picture_in(self, tile: QRectF) -> QRectF:
        """Return the rectangle of a head's weights in its tile; empty if there is no room."""
        px = self.look.px
        side = min(tile.width() - 2 * px(_INSET), tile.height() - px(_LEAST_WORDS))
        if side < px(_LEAST_PICTURE):
            return QRectF()
        return QRectF(tile.center().x() - side / 2, tile.top() + self._title_height(tile), side, side)

    def bar_in(self, tile: QRectF, line: int) -> QRectF:
        """Return the rectangle of a full bar of a tile: line 0 is its role, 1 its number."""
        px = self.look.px
        inset = px(_INSET) if tile.width() >= px(_AMPLE) else tile.width() / 20
        above = self._title_height(tile) + self.picture_in(tile).height()
        block = (tile.height() - above) / 2
        top = tile.top() + above + line * block
        words = px(LINE) if self._has_words(tile) else 0
        height = max(2.0, min(px(BAR), block - words - 2))
        return QRectF(tile.left() + inset, top + words, tile.width() - 2 * inset, height)

    def _has_words(self, tile: QRectF) -> bool:
        return tile.width() >= self.look.px(_LEAST_TEXT) and tile.height() >= self.look.px(LINE * 4)

    def _title_height(self, tile: QRectF) -> float:
        return min(self.look.px(LINE + 6), tile.height() / 3)

    def draw(self, painter: QPainter, pictures: tuple[NDArray[np.uint8], ColourTable] | None, old: str) -> None:
        """Draw the tiles and the ranking; ``old`` is a note over dimmed tiles about their origin."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        small = self.look.font("small")
        painter.setFont(small)
        painter.setPen(self.look.text_color("muted"))
        if old:
            painter.drawText(self._over, LEFT, old)
            painter.setOpacity(DIMMED)
        self.ranked.draw_titles(painter)
        for place, tile in enumerate(self.tiles):
            at = divmod(place, self.values.values.shape[1])
            if at[1] == 0:
                painter.setFont(small)
                painter.setPen(self.look.text_color("muted"))
                name = translate("layer {0}").format(SCREEN.number(at[0]))
                painter.drawText(QRectF(0, tile.top(), self._over.left(), tile.height()), LEFT, name)
            picture = None if pictures is None else (pictures[0][place : place + 1], pictures[1])
            self._draw_tile(painter, tile, at, picture)
        self.ranked.draw(painter)

    def _draw_tile(
        self,
        painter: QPainter,
        tile: QRectF,
        at: tuple[int, int],
        picture: tuple[NDArray[np.uint8], ColourTable] | None,
    ) -> None:
        look, name, off = self.look, head_name(*at), at in self.values.off
        painter.setPen(QPen(look.color("line"), 1))
        painter.setBrush(look.color("panel"))
        painter.drawRoundedRect(tile, 4, 4)
        for_role, for_number = (self.bar_in(tile, line) for line in (0, 1))
        title = QRectF(for_role.left(), tile.top(), for_role.width(), self._title_height(tile))
        area = self.picture_in(tile)
        if picture is not None and not area.isEmpty():
            draw_tiles(painter, [area], *picture)
        painter.setFont(look.font("small", bold=True))
        painter.setPen(look.text_color("text"))
        if painter.fontMetrics().horizontalAdvance(name) <= title.width():
            painter.drawText(title, LEFT, name)
        else:  # the row of tiles has the name of the layer
            title.setLeft(tile.left())
            title.setRight(tile.right())
            painter.drawText(title, Qt.AlignmentFlag.AlignCenter, str(SCREEN.number(at[1])))
        named = self.values.roles.get(at)
        role, score = (None, float("nan")) if named is None else (named.role, named.score)
        if self._has_words(tile) and not (off and area.isEmpty()):  # else the cross lies there
            painter.setFont(look.font("small"))
            height = look.px(LINE)
            short = translate("no role") if named is None else role_title(role, named.distance)
            names = [each for each in (short, role_heading(role)) if each]
            above = (QRectF(bar.left(), bar.top() - height, bar.width(), height) for bar in (for_role, for_number))
            painter.setPen(QColor(role_text_colour(role, look.theme)))
            write(painter, look, next(above), *((each, said) for said in (score_said(score), "") for each in names))
            painter.setPen(look.text_color("danger" if off else "text"))
            number = number_in(self.values, at)
            write(painter, look, next(above), *((each, number) for each in (self.values.heading, "")))
        draw_bar(painter, for_role, 0.0 if named is None else score, QColor(role_colour(role, look.theme)), look)
        if off:  # an empty bar would say that the number is 0
            cross_out(painter, tile if area.isEmpty() else area, look)
        else:
            draw_bar(painter, for_number, float(self.values.values[at]), look.color("accent"), look)

    def draw_frame(self, painter: QPainter, tile: QRectF) -> None:
        """Draw the border of the chosen head's tile."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.look.color("accent"), 2))
        painter.drawRoundedRect(tile, 4, 4)
