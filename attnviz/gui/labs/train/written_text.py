"""A text written by a model, token by token; a click shows the model's context before a token."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen
from typing_extensions import override

from attnviz.experiment.train.task import shown
from attnviz.gui.plots.matrix.canvas import Pointed
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture

_PACE_MS = 25
_LINE = 1.7
_SIZES = (2.0, 1.7, 1.4, 1.2, 1.0, 0.85, 0.7)
"""The type sizes to try, relative to that of headings, the largest first, until the whole text is visible."""
STRONGEST = 0.45
"""The opacity behind a token of probability 0: the higher the probability, the paler."""
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class WrittenText(Pointed):
    """The prompt in grey, then the written tokens; the colour behind a token is stronger the less probable it was."""

    GESTURES = (
        Gesture("Point", "Show a token's probability", "Writing"),
        Gesture("Click, Left, Right", "Show the attention before a token", "Writing"),
    )

    chosen = Signal(int)
    """The index of the written token that the user chose."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.setAccessibleName(self.tr("The written text"))
        self.setAccessibleDescription(self.tr("nothing is written yet"))
        self._prompt: tuple[str, ...] = ()
        self._words: tuple[str, ...] = ()
        self._probabilities: tuple[float, ...] = ()
        self._visible = 0
        self._chosen: int | None = None
        self._places: list[QRectF] = []
        self._font = self._font_of(1.0)
        self._timer = QTimer(self)
        self._timer.setInterval(_PACE_MS)
        self._timer.timeout.connect(self._reveal)

    def show_text(self, prompt: Sequence[str], words: Sequence[str], probabilities: Sequence[float]) -> None:
        """Write tokens after a prompt, one after the other, each with its probability."""
        self._prompt, self._words, self._probabilities = tuple(prompt), tuple(words), tuple(probabilities)
        self._chosen, self._visible = None, 0
        self.setAccessibleDescription("".join((*prompt, *words)))
        self._timer.start()
        self._lay_out()

    @property
    def visible_words(self) -> tuple[str, ...]:
        """The tokens written so far."""
        return self._words[: self._visible]

    def place_of(self, token: int) -> QRectF:
        """Return the rectangle of a written token."""
        return self._places[len(self._prompt) + token]

    @override
    def cell_at(self, place: QPointF) -> int | None:
        """Return the index of the written token at a point, if any."""
        found = (at for at, rect in enumerate(self._places) if rect.contains(place))
        token = next(found, -1) - len(self._prompt)
        return token if 0 <= token < self._visible else None

    def choose(self, token: int | None) -> None:
        """Mark a written token."""
        self._chosen = token
        self.update()

    @override
    def redraw(self) -> None:
        self._lay_out()

    @override
    def sizeHint(self) -> QSize:
        return QSize(500, self.look.px(200))

    def _font_of(self, size: float) -> QFont:
        font = self.look.font("large")
        font.setWeight(QFont.Weight.Normal)
        font.setPixelSize(round(size * font.pixelSize()))
        return font

    def _lay_out(self) -> None:
        """Place every token of the whole text, so that none moves while it is written."""
        for size in _SIZES:
            self._font = self._font_of(size)
            self._places = self._placed(QFontMetricsF(self._font))
            if not self._places or self._places[-1].bottom() <= self.height():
                break
        super().redraw()

    def _placed(self, metrics: QFontMetricsF) -> list[QRectF]:
        """Return the rectangle of every token; a word wraps as a whole."""
        height = metrics.height() * _LINE
        x = y = 0.0
        places: list[QRectF] = []
        begun = 0  # the token that the last word on the line begins with
        for at, word in enumerate((*self._prompt, *self._words)):
            width = metrics.horizontalAdvance(_drawn(word))
            if x + width > self.width() and x:
                carried = places[begun:] if begun < at and places[begun].left() > 0 else []
                left = carried[0].left() if carried else x
                for rect in carried:
                    rect.translate(-left, height)
                x, y = x - left, y + height
            places.append(QRectF(x, y, width, height))
            x += width
            if word == "\n":
                x, y = 0.0, y + height
            if word.isspace():
                begun = at + 1
        return places

    @override
    def draw(self, painter: QPainter) -> None:
        painter.setFont(self._font)
        words = (*self._prompt, *self.visible_words)
        for place, (word, rect) in enumerate(zip(words, self._places, strict=False)):
            written = place - len(self._prompt)
            if written >= 0:
                ground = QColor(self.look.color("k"))
                ground.setAlphaF(STRONGEST * (1 - min(self._probabilities[written], 1.0)))
                painter.fillRect(rect.adjusted(0, rect.height() * 0.15, 0, -rect.height() * 0.15), ground)
            painter.setPen(self.look.text_color("text" if written >= 0 else "muted"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, _drawn(word))

    @override
    def draw_marks(self, painter: QPainter) -> None:
        if self._chosen is not None and self._chosen < self._visible:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.drawRect(self.place_of(self._chosen).adjusted(0, 2, 0, -2))

    @Slot()
    def _reveal(self) -> None:
        self._visible += 1
        if self._visible >= len(self._words):
            self._visible = len(self._words)
            self._timer.stop()
        super().redraw()

    @override
    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._lay_out()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._take(self.cell_at(event.position()))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = _STEPS.get(Qt.Key(event.key()))
        if by is None or not self._visible:
            super().keyPressEvent(event)
            return
        first = 0 if by > 0 else self._visible - 1
        self._take(first if self._chosen is None else min(max(self._chosen + by, 0), self._visible - 1))

    def _take(self, token: int | None) -> None:
        if token is not None:
            self.choose(token)
            self.chosen.emit(token)


def _drawn(word: str) -> str:
    """Return a token as drawn: with symbols for line ends and tabs."""
    return word if word == " " else shown((word,))[0]
