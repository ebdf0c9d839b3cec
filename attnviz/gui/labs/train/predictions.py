"""What a model predicts: each token of a sequence, and below it the token predicted to follow, with a sign."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture

_WIDTH, _HEIGHT, _ROOM, _SIDE, _GAP, _SIGN = 26, 20, 6, 5, 2, 6
"""The least width of a chip and its height, the room below a pair, the room at the sides of a text, the gap between a
token and its prediction, and the width that a sign takes, at scale 1."""
RIGHT, WRONG, UNKNOWN = "right", "wrong", "unknown"
NO_TOKEN = "–"
"""What stands for a prediction that is not a number."""
SIGNS = {RIGHT: "✓", WRONG: "✗", UNKNOWN: ""}
_COLOURS = {RIGHT: ("right_soft", "text"), WRONG: ("danger_soft", "danger"), UNKNOWN: ("faint", "muted")}
"""The theme's colours of the ground of a prediction, and of its text."""
_SHOWN = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Prediction:
    """One place of the sequence."""

    token: str
    predicted: str
    """The most probable next token."""
    state: str
    """`RIGHT`, `WRONG`, or `UNKNOWN` where what follows cannot be known."""


class PredictionChips(QListWidget):
    """Tokens in lines, each above its prediction. Right ones have a check mark, wrong ones a border and a cross."""

    GESTURES = (
        Gesture("Click", "Hold a token's row in every view", "Predictions"),
        Gesture("Left, Right, Home, End", "Hold the row of another token", "Predictions"),
    )

    hovered = Signal(object)
    """The place under the mouse, or None."""
    chosen = Signal(int)
    """The user clicked a place, or went to it by key."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: tuple[Prediction, ...] = ()
        """The sequence."""
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

    def _measure(self) -> None:
        metrics, px = QFontMetrics(self.look.token_font("small")), self.look.px
        words = {word for each in self.shown for word in (each.token, each.predicted)}
        widest = max((metrics.horizontalAdvance(word) for word in sorted(words, key=len)[-8:]), default=0)
        width = max(px(_WIDTH), min(widest, px(72)) + 2 * px(_SIDE) + px(4))
        size = QSize(width, 2 * px(_HEIGHT) + px(_GAP) + px(_ROOM))
        if size != self.gridSize():  # else all would be placed and drawn a second time with every step
            self.setGridSize(size)
            self.verticalScrollBar().setSingleStep(size.height())

    def lines(self, width: float) -> int:
        """Return how many lines the sequence needs in this width."""
        return -(-len(self.shown) // max(1, int(width) // self.gridSize().width()))

    def show_predictions(self, predictions: tuple[Prediction, ...]) -> None:
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

    def select(self, place: int | None) -> None:
        """Mark a place."""
        with QSignalBlocker(self):
            self.setCurrentRow(-1 if place is None else place)
        self.viewport().update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))
            painter.end()

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
        found: Any = option
        each: Prediction = index.data(_SHOWN)
        look, px = self._chips.look, self._chips.look.px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(look.token_font("small"))
        corner = QRectF(found.rect).topLeft()
        token = QRectF(corner.x() + 1, corner.y() + 1, found.rect.width() - px(3), px(_HEIGHT) - 1)
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
