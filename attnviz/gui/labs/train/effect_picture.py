"""A tile for each head with two bars, what it looks at and what is lost without it; beside them the heads by loss.

Below these are the pairs of heads of one role.
"""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.experiment.train.effects import HeadEffect, change_said, head_sentence, loss_said, most_needed_first
from attnviz.experiment.train.role_effects import PairEffect
from attnviz.gui.labs.train.role_words import role_colour, role_heading, role_text_colour, role_title, score_text
from attnviz.gui.plots.matrix.canvas import ARROWS, Canvas
from attnviz.gui.plots.matrix.head_grid import cross_out
from attnviz.gui.plots.matrix.tile import ColourTable, draw_tiles
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

_GAP, _SMALL_GAP, _MANY, _INSET, _LAYER = 8, 3, 8, 6, 52
"""Between tiles, and between those of layers with more than so many heads; within a tile; for the names of layers."""
_LINE, _BAR = 18, 8
_WORDS_HEIGHT, _LEAST_WORDS, _LEAST_TEXT, _LEAST_PICTURE = 112, 84, 40, 28
"""How high the words and bars of a tile are at most and beside a small picture, from which width on it has words, and
the least picture."""
_AMPLE = 66
"""A tile of this width has room around its words."""
DIMMED = 0.35
"""How opaque an old study is."""
_LIST, _PAIR = 216, 62
"""The width of the list at scale 1, and of the names of two heads there."""
_ABOUT_PAIRS = 3
"""The lines above the pairs: their title, their order, and what the mark in their bars is."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class EffectPicture(Canvas):
    """Layers are rows, heads are columns. A click, or an arrow, chooses a head."""

    GESTURES = (
        Gesture("Click", "Choose a head", "Effect of heads"),
        Gesture("Up, Down, Left, Right", "Choose the next head", "Effect of heads"),
    )

    chosen = Signal(int, int)
    """The layer and the head that the user chose."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("What each head attends to, and what is lost without it"))
        self._effects: tuple[HeadEffect, ...] = ()
        self._pairs: tuple[PairEffect, ...] = ()
        self._no_pairs = self._order = ""
        self._chosen: tuple[int, int] | None = None
        self._old = ""
        self._weights: NDArray[np.uint8] | None = None
        self._table: ColourTable | None = None

    def show_effects(
        self,
        effects: tuple[HeadEffect, ...],
        weights: NDArray[np.uint8],
        table: ColourTable,
        pairs: tuple[PairEffect, ...] = (),
        no_pairs: str = "",
        order: str = "",
    ) -> None:
        """Draw the heads, given layer by layer, with their weights (L, h, T, T) as colour levels; and pairs of them.

        ``no_pairs`` says why those that were asked for are not there, ``order`` in which order they are.
        """
        self._effects, self._weights, self._table, self._old = effects, weights, table, ""
        self._pairs, self._no_pairs, self._order = pairs, no_pairs, order
        self._describe()
        self.redraw()

    def dim(self, old: str) -> None:
        """Say over the heads whose they are, as they are not those that were asked for, and dim them."""
        if old != self._old:
            self._old = old
            self._describe()
            self.redraw()

    def _describe(self) -> None:
        found = ", ".join(f"{each.name} {_lost_text(each)}" for each in most_needed_first(self._effects))
        if self._pairs:
            pairs = "; ".join(f"{each.name} {change_said(each.lost)}" for each in self._pairs)
            found = f"{found}. {translate('without both: accuracy')} ({self._order}): {pairs}"
        self.setAccessibleDescription(f"{self._old} {found} {self._no_pairs}".strip())

    def select(self, chosen: tuple[int, int] | None) -> None:
        """Mark a head by its layer and its place there; None marks none."""
        self._chosen = chosen
        self.update()

    @property
    def effects(self) -> tuple[HeadEffect, ...]:
        """The heads on screen."""
        return self._effects

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, self.look.px(320))

    def tile(self, layer: int, head: int) -> QRectF:
        """Return the rectangle of a head's tile."""
        layers, heads = self._shape
        px = self.look.px
        left, top, gap = px(_LAYER), px(_LINE), px(_SMALL_GAP if heads > _MANY else _GAP)
        room = self.width() - left - self._list_width
        width = (room - gap * (heads - 1)) / heads
        height = (self.height() - top - gap * (layers - 1)) / layers
        height = min(height, px(_WORDS_HEIGHT) + width - px(_INSET))
        return QRectF(left + head * (width + gap), top + layer * (height + gap), width, height)

    def weights_area(self, layer: int, head: int) -> QRectF:
        """Return where the weights of a head are drawn in its tile; empty if there is no room."""
        tile, px = self.tile(layer, head), self.look.px
        side = min(tile.width() - 2 * px(_INSET), tile.height() - px(_LEAST_WORDS))
        if side < px(_LEAST_PICTURE):
            return QRectF()
        return QRectF(tile.center().x() - side / 2, tile.top() + self._title_height(tile), side, side)

    def bar(self, layer: int, head: int, line: int) -> QRectF:
        """Return the rectangle of a full bar of a tile: line 0 is what it looks at, 1 what is lost without it."""
        tile, px = self.tile(layer, head), self.look.px
        inset = px(_INSET) if tile.width() >= px(_AMPLE) else tile.width() / 20
        above = self._title_height(tile) + self.weights_area(layer, head).height()
        block = (tile.height() - above) / 2
        top = tile.top() + above + line * block
        words = px(_LINE) if self._has_words(tile) else 0
        height = max(2.0, min(px(_BAR), block - words - 2))
        return QRectF(tile.left() + inset, top + words, tile.width() - 2 * inset, height)

    def list_row(self, place: int) -> QRectF:
        """Return the rectangle of a line of the list, which may be below the picture; pairs follow the heads."""
        height, px = self._row_height, self.look.px
        return QRectF(
            self.width() - self._list_width + px(20), px(_LINE) + place * height, self._list_width - px(20), height
        )

    def list_bar(self, place: int) -> QRectF:
        """Return the rectangle of a full bar of the list."""
        row, px = self.list_row(place), self.look.px
        height = max(2.0, min(px(_BAR), row.height() - 4))
        name = px(38 if place < len(self.listed) else _PAIR)
        return QRectF(row.left() + name, row.center().y() - height / 2, row.width() - name - px(110), height)

    @property
    def _shape(self) -> tuple[int, int]:
        last = self._effects[-1]
        return last.layer + 1, last.head + 1

    @property
    def _list_width(self) -> float:
        return self.look.px(_LIST)

    @property
    def _row_height(self) -> float:
        room = (self.height() - self.look.px(_LINE)) / max(len(self._effects) + self._lines_of_pairs, 1)
        return min(self.look.px(24), max(room, QFontMetricsF(self.look.font("small")).height() + 1))

    @property
    def listed(self) -> tuple[HeadEffect, ...]:
        """The heads in the list, the most needed first; where not all have room, a last line counts the others."""
        found, lines = most_needed_first(self._effects), self._lines
        lines -= min(self._lines_of_pairs, max(lines // 3, lines - len(found)))
        return found if len(found) <= lines else found[: lines - 1]

    @property
    def listed_pairs(self) -> tuple[PairEffect, ...]:
        """The pairs below these and the lines about them; as `listed`."""
        lines = self._lines - self._first_pair
        return self._pairs if len(self._pairs) <= lines else self._pairs[: max(0, lines - 1)]

    @property
    def _lines(self) -> int:
        return max(1, int((self.height() - self.look.px(_LINE)) // self._row_height))

    @property
    def _lines_of_pairs(self) -> int:
        """How many lines all pairs would have, with those about them."""
        return len(self._pairs) + _ABOUT_PAIRS if self._pairs else int(bool(self._no_pairs))

    @property
    def _first_pair(self) -> int:
        """The line of the first pair."""
        return self._title_of_pairs + _ABOUT_PAIRS

    @property
    def _title_of_pairs(self) -> int:
        listed = len(self.listed)
        return listed + (listed < len(self._effects))

    def _has_words(self, tile: QRectF) -> bool:
        return tile.width() >= self.look.px(_LEAST_TEXT) and tile.height() >= self.look.px(_LINE * 4)

    def _title_height(self, tile: QRectF) -> float:
        return min(self.look.px(_LINE + 6), tile.height() / 3)

    @override
    def draw(self, painter: QPainter) -> None:
        if not self._effects:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        small, px = self.look.font("small"), self.look.px
        painter.setFont(small)
        painter.setPen(self.look.text_color("muted"))
        if self._old:
            painter.drawText(
                QRectF(px(_LAYER), 0, self.width() - px(_LAYER) - self._list_width, px(_LINE)), _LEFT, self._old
            )
            painter.setOpacity(DIMMED)
        titles = QRectF(self.list_row(0).left(), 0, self.list_row(0).width(), px(_LINE))
        self._draw_titles(painter, titles, translate("without it: accuracy"))
        for each in self._effects:
            if each.head == 0:
                tile = self.tile(each.layer, 0)
                painter.setFont(small)
                painter.setPen(self.look.text_color("muted"))
                place = QRectF(0, tile.top(), px(_LAYER), tile.height())
                painter.drawText(place, _LEFT, translate("layer {0}").format(SCREEN.number(each.layer)))
            self._draw_tile(painter, each)
        listed, pairs, first = self.listed, self.listed_pairs, self._first_pair
        for at, each in enumerate(listed):
            self._draw_row(painter, at, each.name, _lost_text(each), each)
        self._draw_others(painter, len(listed), len(self._effects) - len(listed))
        if self._no_pairs:
            painter.setPen(self.look.text_color("muted"))
            self._write(painter, self.list_row(self._title_of_pairs), (self._no_pairs, ""))
        if pairs:
            title, order, mark = (self.list_row(self._title_of_pairs + line) for line in range(_ABOUT_PAIRS))
            self._draw_titles(painter, title, translate("without both: accuracy"))
            self._write(painter, order, (self._order, ""))
            self._draw_mark(painter, mark.left() + 1, mark.center().y())
            self._write(painter, mark.adjusted(px(_INSET) + 2, 0, 0, 0), (translate("each alone, added"), ""))
            for at, pair in enumerate(pairs, start=first):
                self._draw_row(painter, at, pair.name, change_said(pair.lost), pair)
            self._draw_others(painter, first + len(pairs), len(self._pairs) - len(pairs))

    def _draw_titles(self, painter: QPainter, row: QRectF, accuracy: str) -> None:
        painter.setFont(self.look.font("small"))
        painter.setPen(self.look.text_color("muted"))
        painter.drawText(row, _LEFT, accuracy)
        painter.drawText(row, _RIGHT, translate("loss"))

    def _draw_others(self, painter: QPainter, place: int, count: int) -> None:
        """Say how many have no line, if any."""
        if count:
            painter.setFont(self.look.font("small"))
            painter.setPen(self.look.text_color("muted"))
            painter.drawText(self.list_row(place), _LEFT, translate("and {0} more").format(count))

    def _draw_tile(self, painter: QPainter, each: HeadEffect) -> None:
        tile, theme = self.tile(each.layer, each.head), self.look.theme
        painter.setPen(QPen(self.look.color("line"), 1))
        painter.setBrush(self.look.color("panel"))
        painter.drawRoundedRect(tile, 4, 4)
        looks, needs = (self.bar(each.layer, each.head, line) for line in (0, 1))
        title = QRectF(looks.left(), tile.top(), looks.width(), self._title_height(tile))
        area = self.weights_area(each.layer, each.head)
        if self._weights is not None and self._table is not None and not area.isEmpty():
            draw_tiles(painter, [area], self._weights[each.layer, each.head][None], self._table)
        painter.setFont(self.look.font("small", bold=True))
        painter.setPen(self.look.text_color("text"))
        if painter.fontMetrics().horizontalAdvance(each.name) <= title.width():
            painter.drawText(title, _LEFT, each.name)
        else:  # the row of tiles has the name of the layer
            title.setLeft(tile.left())
            title.setRight(tile.right())
            painter.drawText(title, Qt.AlignmentFlag.AlignCenter, str(SCREEN.number(each.head)))
        if self._has_words(tile) and not (each.off and area.isEmpty()):  # else the cross lies there
            painter.setFont(self.look.font("small"))
            height = self.look.px(_LINE)
            role = role_title(each.role, each.distance) or translate("no role")
            names, score = [name for name in (role, role_heading(each.role)) if name], score_text(each.score)
            above = (QRectF(bar.left(), bar.top() - height, bar.width(), height) for bar in (looks, needs))
            painter.setPen(QColor(role_text_colour(each.role, theme)))
            self._write(painter, next(above), *((name, said) for said in (score, "") for name in names))
            painter.setPen(self.look.text_color("danger" if each.off else "text"))
            self._write(painter, next(above), *((name, _lost_text(each)) for name in (translate("without"), "")))
        share = each.score if each.role is not None else 0.0
        self._draw_bar(painter, looks, share, QColor(role_colour(each.role, theme)))
        if each.off:  # an empty bar would say that nothing is lost
            cross_out(painter, tile if area.isEmpty() else area, self.look)
        else:
            self._draw_bar(painter, needs, each.lost, self.look.color("accent"))

    def _draw_row(self, painter: QPainter, place: int, name: str, accuracy: str, each: HeadEffect | PairEffect) -> None:
        row, bar, off = self.list_row(place), self.list_bar(place), isinstance(each, HeadEffect) and each.off
        painter.setFont(self.look.font("small", bold=True))
        painter.setPen(self.look.text_color("text"))
        painter.drawText(row, _LEFT, name)
        painter.setFont(self.look.font("small"))
        if self.look.numbers:
            painter.drawText(QRectF(bar.right(), row.top(), self.look.px(52), row.height()), _RIGHT, accuracy)
            painter.setPen(self.look.text_color("muted"))
            painter.drawText(row, _RIGHT, "" if off else loss_said(each.loss_gained))
        if off:
            return
        self._draw_bar(painter, bar, each.lost, self.look.color("accent"))
        if isinstance(each, PairEffect):
            self._draw_mark(painter, bar.left() + bar.width() * min(max(each.apart, 0.0), 1.0), bar.center().y())

    def _draw_mark(self, painter: QPainter, x: float, y: float) -> None:
        height = self.look.px(_BAR) + 4
        painter.fillRect(QRectF(x - 1, y - height / 2, 2, height), self.look.color("text"))

    def _draw_bar(self, painter: QPainter, full: QRectF, share: float, colour: QColor) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.fillRect(full, self.look.color("faint"))
        painter.fillRect(
            QRectF(full.left(), full.top(), full.width() * min(max(share, 0.0), 1.0), full.height()), colour
        )

    def _write(self, painter: QPainter, place: QRectF, *choices: tuple[str, str]) -> None:
        """Write the first name and number that fit, or the last, cut."""
        metrics = QFontMetricsF(painter.font())
        shown = [(name, number if self.look.numbers else "") for name, number in choices]
        fit = (each for each in shown if metrics.horizontalAdvance(" ".join(filter(None, each))) <= place.width())
        name, number = next(fit, shown[-1])
        painter.drawText(place, _LEFT, metrics.elidedText(name, Qt.TextElideMode.ElideRight, place.width()))
        painter.drawText(place, _RIGHT, number)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        if self._chosen is not None and any((each.layer, each.head) == self._chosen for each in self._effects):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.drawRoundedRect(self.tile(*self._chosen), 4, 4)

    def head_at(self, place: QPointF) -> tuple[int, int] | None:
        """Return the layer and the head under a point of the widget, in the tiles or in the list."""
        for each in self._effects:
            if self.tile(each.layer, each.head).contains(place):
                return each.layer, each.head
        for at, each in enumerate(self.listed):
            if self.list_row(at).contains(place):
                return each.layer, each.head
        return None

    @override
    def tip(self, place: QPointF) -> str:
        head = self.head_at(place)
        if head is None:
            return self._no_pairs if self.list_row(self._title_of_pairs).contains(place) else ""
        said = next(head_sentence(each) for each in self._effects if (each.layer, each.head) == head)
        return f"{self._old} {said.translated(translate)}".strip()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.head_at(event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(*found)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = ARROWS.get(event.key())
        if by is None or not self._effects:
            super().keyPressEvent(event)
            return
        layers, heads = self._shape
        chosen = self._chosen or (0, 0)
        layer, head = chosen[0] + by[0], chosen[1] + by[1]
        if 0 <= layer < layers and 0 <= head < heads:
            self.chosen.emit(layer, head)


def _lost_text(each: HeadEffect) -> str:
    """Return how the accuracy changes without a head, in points of a percentage."""
    return translate("off") if each.off else change_said(each.lost)
