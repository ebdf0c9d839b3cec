"""Predictions of a model: each token of a sequence, and below it the predicted next token, with a sign."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QListView, QListWidget, QListWidgetItem, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.gui.plots.lines.lines import Lines, is_dark, line_colour, line_pen, lines_of
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture

_WIDTH, _HEIGHT, _SIDE, _GAP, _SIGN = 26, 20, 5, 2, 6
"""The least width of a chip and its height, the padding of a text, the gap between a token and its prediction, and the
width of a sign, at scale 1."""
_ROOM, _PRESENT_ROOM = 9, 6
"""The room above a pair for arcs, at scale 1; in Present it cannot scroll."""
LEAST_ARC = 0.05
"""Smaller weights have no arc."""
_THICKEST = 4
"""The width of the arc of weight 1, at scale 1."""
RIGHT, WRONG, UNKNOWN = "right", "wrong", "unknown"
NO_TOKEN = "–"
"""The placeholder for a prediction that is not a number."""
SIGNS = {RIGHT: "✓", WRONG: "✗", UNKNOWN: ""}
_GROWN = (2.0, 1.7, 1.4, 1.2)
"""The type sizes to try, the largest first."""
_COLOURS = {RIGHT: ("right_soft", "text"), WRONG: ("danger_soft", "danger"), UNKNOWN: ("faint", "muted")}
"""The theme's colours of the ground of a prediction, and of its text."""
_SHOWN = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class TokenPrediction:
    """The prediction at one position of the sequence."""

    token: str
    predicted: str
    """The most probable next token."""
    state: str
    """`RIGHT`, `WRONG`, or `UNKNOWN` if the next token is not predictable."""


class PredictionChips(QListWidget):
    """Tokens in lines, each above its prediction. Right ones have a check mark, wrong ones a border and a cross.

    Arcs go from the chosen token to the keys that a head attends to.
    """

    GESTURES = (
        Gesture("Click", "Hold a token's row in every view", "Predictions"),
        Gesture("Left, Right, Home, End", "Hold the row of another token", "Predictions"),
    )

    hovered = Signal(object)
    """The position under the mouse, or None."""
    chosen = Signal(int)
    """The user clicked a position, or moved to it by key."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.shown: tuple[TokenPrediction, ...] = ()
        """The sequence."""
        self.arcs: Lines | None = None
        """The weights of the chosen token that have an arc."""
        self.setObjectName("tiles")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setAutoScroll(False)
        self.setMouseTracking(True)
        self.setItemDelegate(_Pairs(self))
        self.setAccessibleName(self.tr("What the model predicts"))
        self.restyle(look)
        self.itemEntered.connect(self._hover)
        self.viewportEntered.connect(self._leave)
        self.itemPressed.connect(self._choose)
        self.currentItemChanged.connect(self._choose)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.look = look
        self._measure()

    def pair(self, look: Look) -> QSize:
        """Return the size of a token with its prediction in a look."""
        metrics, px = QFontMetrics(look.token_font("small")), look.px
        words = {word for each in self.shown for word in (each.token, each.predicted)}
        widest = max((metrics.horizontalAdvance(word) for word in sorted(words, key=len)[-8:]), default=0)
        width = max(px(_WIDTH), min(widest, px(72)) + 2 * px(_SIDE) + px(4))
        return QSize(width, 2 * px(_HEIGHT) + px(_GAP) + _room(look))

    def _measure(self) -> None:
        size = self.pair(self.look)
        if size != self.gridSize():  # else all would be placed and drawn a second time with every step
            self.setGridSize(size)
            self.verticalScrollBar().setSingleStep(size.height())

    def lines(self, width: float, pair: QSize | None = None) -> int:
        """Return the number of lines for the sequence in a width, with pairs of a size or of that on screen."""
        return -(-len(self.shown) // max(1, int(width) // (pair or self.gridSize()).width()))

    def grow(self, look: Look, width: int, height: float) -> None:
        """Use the largest type, at least that of a look, in which the whole sequence is visible in this room."""
        sizes = (replace(look, scale=look.scale * grown) for grown in _GROWN)
        fit = (each for each in sizes if self.lines(width, pair := self.pair(each)) * pair.height() <= height)
        found = next(fit, look)
        if found != self.look:
            self.restyle(found)

    def show_predictions(self, predictions: tuple[TokenPrediction, ...]) -> None:
        """Show a sequence."""
        if predictions == self.shown:
            return
        self.shown = predictions
        self._measure()
        states = [each.state for each in predictions]
        known = len(states) - states.count(UNKNOWN)
        self.setAccessibleDescription(self.tr("{0} of {1} right").format(states.count(RIGHT), known))
        words = {RIGHT: self.tr("right"), WRONG: self.tr("wrong"), UNKNOWN: self.tr("cannot be known")}
        told = self.tr("after “{0}”, token {1}: “{2}”, {3}")
        with QSignalBlocker(self):
            while self.count() > len(predictions):
                self.takeItem(self.count() - 1)
            self.addItems([""] * (len(predictions) - self.count()))
        with QSignalBlocker(self.model()):  # else Qt would place and draw all a second time
            for place, each in enumerate(predictions):
                item = self.item(place)
                if item.data(_SHOWN) != each:
                    item.setData(_SHOWN, each)
                    said = told.format(each.token, SCREEN.number(place), each.predicted, words[each.state])
                    item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
        self.viewport().update()

    def select(self, place: int | None, weights: NDArray[np.floating]) -> None:
        """Mark a position, and draw its row of a head's (Q, K) weights as arcs."""
        with QSignalBlocker(self):
            self.setCurrentRow(-1 if place is None else place)
        self.arcs = None
        if place is not None and place < len(weights):
            row = lines_of(weights, place, weights.shape[1])
            self.arcs = row.take(row.weights >= LEAST_ARC)
        self.viewport().update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self._draw_arcs(painter)
        if self.hasFocus():
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))
        painter.end()

    def token_at(self, place: int) -> QRectF:
        """Return the rectangle of a token."""
        px, pair = self.look.px, QRectF(self.visualItemRect(self.item(place)))
        return QRectF(pair.x() + 1, pair.y() + _room(self.look), pair.width() - px(3), px(_HEIGHT) - 1)

    @property
    def outside(self) -> int:
        """The number of arcs that are not drawn, because one end is scrolled out of view."""
        return 0 if self.arcs is None else int((~self._in_sight(self.arcs)).sum())

    def _in_sight(self, arcs: Lines) -> NDArray[np.bool_]:
        """Return for each arc whether both its ends are visible."""
        sight = QRectF(self.viewport().rect())
        ends = zip(arcs.queries.tolist(), arcs.keys.tolist(), strict=True)
        return np.array([all(sight.contains(self.token_at(each).center()) for each in both) for both in ends], np.bool_)

    def _draw_arcs(self, painter: QPainter) -> None:
        """Draw an arc to each visible key, above its line or from below; the key has a frame in the arc's colour."""
        if self.arcs is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        modes = QPainter.CompositionMode  # the letters below an arc stay as they are
        painter.setCompositionMode(
            modes.CompositionMode_Lighten if is_dark(self.look) else modes.CompositionMode_Darken
        )
        thickest, room = self.look.px(_THICKEST), _room(self.look)
        drawn = self.arcs.take(self._in_sight(self.arcs))
        for query, key, weight in zip(*(each.tolist() for each in drawn), strict=True):
            token, found = self.token_at(query), self.token_at(key)
            x, end, top = token.center().x(), found.center().x(), token.top()
            path = QPainterPath(token.center() - QPointF(0, token.height() / 2))
            if found.top() == top:
                height = room * (0.6 + 0.4 * min(1.0, abs(end - x) / max(1, self.viewport().width() / 2)))
                aside = token.width() / 2 if query == key else 0.0
                path.cubicTo(x - aside, top - height, end + aside, top - height, end, top)
            else:
                middle = (top + found.bottom()) / 2
                path.cubicTo(x, middle, end, middle, end, found.bottom())
            painter.setPen(line_pen(weight, thickest, self.look, "q"))
            painter.drawPath(path)
            painter.setPen(QPen(line_colour(weight, self.look, "q"), 2))
            painter.drawRoundedRect(found.adjusted(1, 1, -1, -1), 4, 4)
        painter.restore()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._leave()
        super().leaveEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._leave()  # keys move what is held, even where the mouse rests
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.count() - 1}
        if event.key() in ends:
            self.setCurrentRow(ends[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    @Slot(QListWidgetItem)
    def _hover(self, item: QListWidgetItem) -> None:
        self.hovered.emit(self.row(item))

    @Slot()
    def _leave(self) -> None:
        self.hovered.emit(None)

    @Slot(QListWidgetItem)
    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(self.row(item))


def _room(look: Look) -> int:
    return look.px(_PRESENT_ROOM if look.present else _ROOM)


class _Pairs(QStyledItemDelegate):
    """Draws a token above its prediction."""

    def __init__(self, chips: PredictionChips) -> None:
        super().__init__(chips)
        self._chips = chips

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return self._chips.gridSize()

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        each: TokenPrediction = index.data(_SHOWN)
        look, px = self._chips.look, self._chips.look.px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(look.token_font("small"))
        token = self._chips.token_at(index.row())
        below = token.translated(0, px(_HEIGHT) + px(_GAP))
        self._draw(painter, token, each.token, look.color("field"), "line", "text")
        ground, role = _COLOURS[each.state]
        edge, sign = "danger" if each.state == WRONG else "", SIGNS[each.state]
        self._draw(painter, below, each.predicted, look.color(ground), edge, role, sign)
        if index.row() == self._chips.currentRow():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(look.color("q"), 2))
            painter.drawRoundedRect(token.united(below), 4, 4)

    def _draw(
        self, painter: QPainter, place: QRectF, text: str, ground: QColor, edge: str, role: str, sign: str = ""
    ) -> None:
        look = self._chips.look
        painter.setBrush(ground)
        painter.setPen(QPen(look.color(edge), 1) if edge else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(look.color(role))
        if sign:
            painter.drawText(place.adjusted(0, 0, -2, 0), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, sign)
            place = place.adjusted(0, 0, -look.px(_SIGN), 0)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, round(place.width()) - 2)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, shown)
