"""The warning across a picture whose numbers differ from what the model computes."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.theme import Look

_BAND, _SIDE = 26, 24
"""The height of the band, and the least distance of its text from its ends, at scale 1."""
_OPACITY = 0.85


class AcrossMark(QWidget):
    """A band from the lower left corner to the upper right one, transparent to the mouse."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.look, self._stage = look, parent
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_text(self, text: str) -> None:
        """Write a text across the picture; "" removes the mark."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.update()
        self.setVisible(bool(text))
        self.raise_()

    @contextmanager
    def over(self, part: QWidget) -> Iterator[None]:
        """Cover a part of the stage temporarily, such as one that is exported alone."""
        if self.isHidden() or part.isAncestorOf(self):
            yield
            return
        place = self.geometry()
        self._stand(part, part.rect())
        try:
            yield
        finally:
            self._stand(self._stage, place)

    def _stand(self, parent: QWidget, place: QRect) -> None:
        self.setParent(parent)
        self.setGeometry(place)
        self.show()
        self.raise_()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), self.look
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(look.font("body", bold=True))
        length = math.hypot(self.width(), self.height())
        band = QRectF(-length / 2, -look.px(_BAND) / 2, length, look.px(_BAND))
        painter.translate(self.width() / 2, self.height() / 2)
        painter.rotate(-math.degrees(math.atan2(self.height(), max(1, self.width()))))
        painter.setOpacity(_OPACITY)
        painter.fillRect(band, look.color("danger"))
        painter.setOpacity(1)
        painter.setPen(look.color("window"))
        room = band.adjusted(look.px(_SIDE), 0, -look.px(_SIDE), 0)
        metrics = painter.fontMetrics()
        text = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
