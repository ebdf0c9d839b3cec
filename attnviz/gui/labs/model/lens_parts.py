"""Beside the map of the logit lens: the most probable tokens of a cell, and the rank of one token over the layers."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.text import Text, percent_said
from attnviz.gui.plots.heads.ranked_list import LEFT, RIGHT, draw_bar
from attnviz.gui.plots.matrix.canvas import ARROWS, Pointed
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

_MOST_LINE, _BAR, _NUMBER, _NAME = 22, 8, 58, 0.42
"""The greatest height of a line, the height of a bar and the width of a number at scale 1; the name's share of the
width."""
_TICKS, _DOT, _PAD = 52, 3, 8
"""The width of the numbers beside the axis, the radius of a dot and the padding, at scale 1."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line of the list."""

    token: int
    """Its id."""
    name: str
    probability: float


class TopTokens(Pointed):
    """The most probable tokens; a click follows one of them over the layers."""

    GESTURES = (Gesture("Click, Up, Down", "Follow a token over the layers", "Lens"),)

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._lines: tuple[Candidate, ...] = ()
        self._followed: int | None = None
        self.setAccessibleName(name)

    def show_tokens(self, lines: tuple[Candidate, ...], followed: int | None) -> None:
        """Show tokens, and mark the followed one."""
        if (lines, followed) != (self._lines, self._followed):
            self._lines, self._followed = lines, followed
            said = ", ".join(f"{each.name} {percent_said(each.probability)}" for each in lines)
            self.setAccessibleDescription(said)
            self.redraw()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.look.px(260), 10 * self.look.px(_MOST_LINE))

    def row(self, place: int) -> QRectF:
        """Return the rectangle of a line."""
        height = min(self.look.px(_MOST_LINE), (self.height() - 2) / max(1, len(self._lines)))
        return QRectF(0, place * height, self.width(), height)

    @override
    def draw(self, painter: QPainter) -> None:
        px = self.look.px
        for place, each in enumerate(self._lines):
            row, chosen = self.row(place), each.token == self._followed
            font = self.look.token_font("small")
            font.setBold(chosen)
            painter.setFont(font)
            painter.setPen(self.look.text_color("accent" if chosen else "text"))
            name = QRectF(px(4), row.y(), _NAME * row.width() - px(8), row.height())
            elided = QFontMetrics(font).elidedText(each.name, Qt.TextElideMode.ElideRight, int(name.width()))
            painter.drawText(name, LEFT | Qt.TextFlag.TextDontClip, elided)
            bar = QRectF(_NAME * row.width(), row.center().y() - px(_BAR) / 2, 0, px(_BAR))
            bar.setWidth(max(2.0, row.width() - bar.x() - px(_NUMBER)))
            draw_bar(painter, bar, each.probability, self.look.color("accent"), self.look)
            if self.look.numbers:
                painter.setFont(self.look.font("small", bold=chosen))
                painter.setPen(self.look.text_color("text"))
                painter.drawText(row, RIGHT | Qt.TextFlag.TextDontClip, percent_said(each.probability))

    @override
    def cell_at(self, place: QPointF) -> int | None:
        return next((each.token for at, each in enumerate(self._lines) if self.row(at).contains(place)), None)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, tokens = ARROWS.get(event.key(), (0, 0))[0], [each.token for each in self._lines]
        if not step or not tokens:
            super().keyPressEvent(event)
            return
        here = tokens.index(self._followed) if self._followed in tokens else -1
        self.clicked.emit(tokens[min(max(here + step, 0), len(tokens) - 1)])


class RankCurve(Pointed):
    """The rank of a token after each layer, 1 at the top, on a logarithmic axis to the size of the vocabulary."""

    clicked = Signal(int)
    """The layer that the user chose; `hovered` has it too, or None."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._ranks: tuple[int, ...] = ()
        self._shares: tuple[float, ...] = ()
        self._vocabulary = 1
        self._row: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)

    def show_ranks(self, ranks: tuple[int, ...], shares: tuple[float, ...], vocabulary: int, row: int | None) -> None:
        """Draw the ranks after all layers; ``row`` is the layer with a mark."""
        shown = ranks, shares, vocabulary, row
        if shown != (self._ranks, self._shares, self._vocabulary, self._row):
            self._ranks, self._shares, self._vocabulary, self._row = shown
            self.setAccessibleDescription(", ".join(map(str, ranks)))
            self.redraw()

    @property
    def area(self) -> QRectF:
        """The rectangle of the axes."""
        px, line = self.look.px, QFontMetrics(self.look.font("small")).height()
        pad = px(_PAD)
        return QRectF(
            px(_TICKS), pad, max(1, self.width() - px(_TICKS) - 2 * pad), max(1, self.height() - 2 * line - 2 * pad)
        )

    def point(self, layer: int) -> QPointF:
        """Return the place of a layer's rank."""
        area = self.area
        across = layer / max(1, len(self._ranks) - 1)
        return QPointF(area.x() + across * area.width(), self._y(self._ranks[layer]))

    def _y(self, rank: int) -> float:
        area, most = self.area, math.log(max(2, self._vocabulary))
        return area.y() + math.log(rank) / most * area.height()

    @override
    def draw(self, painter: QPainter) -> None:
        if not self._ranks:
            return
        area, px = self.area, self.look.px
        painter.setFont(self.look.font("small"))
        line = QFontMetrics(painter.font()).height()
        ticks = [10**power for power in range(int(math.log10(self._vocabulary)) + 1)]
        ticks = [tick for tick in ticks if self._y(self._vocabulary) - self._y(tick) >= line] + [self._vocabulary]
        for tick in ticks:
            y = self._y(tick)
            painter.setPen(self.look.color("faint"))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self.look.text_color("muted"))
            painter.drawText(QRectF(0, y - line / 2, px(_TICKS - 6), line), RIGHT, f"{tick:,}")
        count, wide = len(self._ranks), QFontMetrics(painter.font()).horizontalAdvance
        step = max(1, math.ceil(count * wide(f" {count} ") / area.width()))
        for layer in range(count):
            if layer == count - 1 or (not layer % step and layer + step <= count - 1):
                x = self.point(layer).x()
                text = QRectF(x - px(40), area.bottom() + px(3), px(80), line)
                painter.drawText(text, Qt.AlignmentFlag.AlignHCenter, str(SCREEN.number(layer)))
        below = QRectF(area.x(), area.bottom() + px(3) + line, area.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, translate("layer"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._row is not None and self._row < count:
            x = self.point(self._row).x()
            painter.setPen(QPen(self.look.color("edge"), px(1)))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setPen(QPen(self.look.color("accent"), px(2)))
        painter.drawPolyline(QPolygonF([self.point(layer) for layer in range(count)]))
        painter.setBrush(self.look.color("accent"))
        for layer in range(count):
            painter.drawEllipse(self.point(layer), px(_DOT), px(_DOT))

    @override
    def cell_at(self, place: QPointF) -> int | None:
        if not self._ranks or place.x() < self.look.px(_TICKS) / 2:
            return None
        return min(range(len(self._ranks)), key=lambda layer: abs(self.point(layer).x() - place.x()))

    @override
    def tip(self, place: QPointF) -> str:
        layer = self.cell_at(place)
        if layer is None:
            return ""
        words = {
            "layer": SCREEN.number(layer),
            "rank": f"{self._ranks[layer]:,}",
            "share": percent_said(self._shares[layer]),
        }
        return translate(Text("layer {layer}: rank {rank}, {share}", words))
