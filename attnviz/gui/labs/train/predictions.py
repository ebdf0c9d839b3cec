"""What a model predicts: each token of a sequence, and below it the token predicted to follow, with a sign."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture

_WIDTH, _HEIGHT, _ROOM, _SIDE, _GAP, _SIGN = 26, 20, 6, 5, 2, 6
"""The least width of a chip and its height, the room below a pair, the room at the sides of a text, the gap between a
token and its prediction, and the side of a sign, at scale 1."""
_ALL = Qt.AlignmentFlag.AlignCenter
RIGHT, WRONG, UNKNOWN = "right", "wrong", "unknown"
NO_TOKEN = "–"
"""What stands for a prediction that is not a number."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """One place of the sequence."""

    token: str
    predicted: str
    """The most probable next token."""
    state: str
    """`RIGHT`, `WRONG`, or `UNKNOWN` where what follows cannot be known."""


def draw_sign(painter: QPainter, at: QRectF, state: str, look: Look) -> None:
    """Draw a check mark, a cross, or nothing, into a small square."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if state == RIGHT:
        painter.setPen(QPen(look.text_color("v"), 1.6 * look.scale))
        x, y, side = at.x(), at.y(), at.width()
        elbow = QPointF(x + 0.38 * side, y + 0.95 * side)
        painter.drawPolyline([QPointF(x, y + 0.55 * side), elbow, QPointF(x + side, y + 0.05 * side)])
    elif state == WRONG:
        painter.setPen(QPen(look.color("danger"), 1.6 * look.scale))
        painter.drawLine(at.topLeft(), at.bottomRight())
        painter.drawLine(at.topRight(), at.bottomLeft())


class PredictionChips(Canvas):
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
        super().__init__(look, parent)
        self._shown: tuple[Prediction, ...] = ()
        self._across = 1
        self._place: int | None = None
        self._size = 1, 1
        self._measure()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("What the model predicts"))

    @property
    def shown(self) -> tuple[Prediction, ...]:
        """The sequence."""
        return self._shown

    @property
    def across(self) -> int:
        """How many places are in a line."""
        return self._across

    @property
    def size_of_one(self) -> tuple[int, int]:
        """The width and height that a place takes, with the room around it."""
        return self._size

    def _measure(self) -> None:
        metrics = QFontMetrics(self.look.token_font("small"))
        words = {word for each in self._shown for word in (each.token, each.predicted)}
        widest = max((metrics.horizontalAdvance(word) for word in sorted(words, key=len)[-8:]), default=0)
        px = self.look.px
        width = max(px(_WIDTH), min(widest, px(72)) + 2 * px(_SIDE) + px(4))
        self._size = width, 2 * px(_HEIGHT) + px(_GAP) + px(_ROOM)

    @override
    def restyle(self, look: Look) -> None:
        self.look = look
        self._measure()
        super().restyle(look)

    def show_predictions(self, predictions: tuple[Prediction, ...]) -> None:
        """Show a sequence."""
        if predictions != self._shown:
            self._shown = predictions
            self._measure()
            self._describe()
            self.redraw()

    def select(self, place: int | None) -> None:
        """Mark a place."""
        if place != self._place:
            self._place = place
            self._describe()
            self.update()

    def put_across(self, across: int) -> None:
        """Take so many places in a line, and the size that all need."""
        self._across = max(1, across)
        size = self.sizeHint()
        if size != self.size():
            self.resize(size)

    @override
    def sizeHint(self) -> QSize:
        width, height = self.size_of_one
        lines = -(-max(1, len(self._shown)) // self._across)
        return QSize(width * min(self._across, max(1, len(self._shown))), height * lines)

    def chips_of(self, place: int) -> tuple[QRectF, QRectF]:
        """Return the rectangles of a token and of its prediction."""
        px = self.look.px
        width, height = self.size_of_one
        left, top = place % self._across * width + 1, place // self._across * height + 1
        token = QRectF(left, top, width - px(3), px(_HEIGHT) - 1)
        return token, token.translated(0, px(_HEIGHT) + px(_GAP))

    @override
    def draw(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.look.token_font("small"))
        for place, each in enumerate(self._shown):
            token, below = self.chips_of(place)
            self._draw_chip(painter, token, each.token, "field", "line", "text")
            if each.state == RIGHT:
                soft = QColor(self.look.theme.v)
                soft.setAlpha(46)
                self._draw_chip(painter, below, each.predicted, soft, None, "v_text", signed=True)
            elif each.state == WRONG:
                self._draw_chip(painter, below, each.predicted, "danger_soft", "danger", "danger", signed=True)
            else:
                self._draw_chip(painter, below, each.predicted, "faint", None, "muted")
            side = self.look.px(_SIGN)
            sign = QRectF(below.right() - side - self.look.px(2), below.y() + self.look.px(3), side, side)
            draw_sign(painter, sign, each.state, self.look)

    def _draw_chip(
        self,
        painter: QPainter,
        place: QRectF,
        text: str,
        ground: str | QColor,
        edge: str | None,
        role: str,
        *,
        signed: bool = False,
    ) -> None:
        painter.setBrush(self.look.color(ground) if isinstance(ground, str) else ground)
        painter.setPen(Qt.PenStyle.NoPen if edge is None else QPen(self.look.color(edge), 1))
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(self.look.color(role))
        if signed:
            place = place.adjusted(0, 0, -self.look.px(_SIGN), 0)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, round(place.width()) - 2)
        painter.drawText(place, _ALL, shown)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        if self._place is None or self._place >= len(self._shown):
            return
        token, below = self.chips_of(self._place)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.look.color("q"), 2))
        painter.drawRoundedRect(token.united(below).adjusted(0, 0, 0, 0), 4, 4)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hovered.emit(self._place_at(event.position()))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(place)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)
        super().leaveEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, last = self._place or 0, len(self._shown) - 1
        steps = {
            Qt.Key.Key_Left: at - 1,
            Qt.Key.Key_Right: at + 1,
            Qt.Key.Key_Up: at - self._across,
            Qt.Key.Key_Down: at + self._across,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        to = steps.get(Qt.Key(event.key()))
        if to is None:
            super().keyPressEvent(event)
        elif 0 <= to <= last:
            self.hovered.emit(None)
            self.chosen.emit(to)

    def _place_at(self, point: QPointF) -> int | None:
        width, height = self.size_of_one
        column, line = int(point.x() // width), int(point.y() // height)
        place = line * self._across + column
        return place if 0 <= column < self._across and 0 <= place < len(self._shown) else None

    def _describe(self) -> None:
        words = {RIGHT: self.tr("right"), WRONG: self.tr("wrong"), UNKNOWN: self.tr("cannot be known")}
        right = sum(each.state == RIGHT for each in self._shown)
        known = sum(each.state != UNKNOWN for each in self._shown)
        said = self.tr("{0} of {1} right").format(right, known)
        if self._place is not None and self._place < len(self._shown):
            one = self._shown[self._place]
            named = self.tr("after “{0}”, token {1}: “{2}”, {3}")
            said = f"{named.format(one.token, SCREEN.number(self._place), one.predicted, words[one.state])}; {said}"
        self.setAccessibleDescription(said)
