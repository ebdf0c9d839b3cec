"""A ring around what a step of a lesson points at: a part of the picture, a stage or a control."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.lessons.lesson import Look as LookAt
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.theme import Styled

_MARGIN = 4
"""The distance between the ring and its content, at scale 1."""


class LookRing(Styled):
    """An overlay of the window that is transparent to clicks and covers nothing."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, place: QRect | None) -> None:
        """Put the ring around a rectangle of the widget below; None hides it."""
        if place is None or place.isEmpty():
            self.hide()
            return
        margin = self._look.px(_MARGIN)
        ring = place.adjusted(-margin, -margin, margin, margin)
        if ring != self.geometry() or self.isHidden():
            self.setGeometry(ring)
            self.show()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, width = QPainter(self), self._look.px(3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._look.color("accent"), width))
        inside = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.drawRoundedRect(inside, self._look.px(8), self._look.px(8))


def place_of(look: LookAt, room: AnyRoom, over: QWidget) -> QRect | None:
    """Return the rectangle on a widget of the thing that a step points at; None if it is not visible."""
    if look.control:
        return _placed(room.form.row_of(look.control), over)
    if look.stage:
        return _placed(room.stage.strip.button_of(look.stage), over)
    maps = [each for each in room.stage.findChildren(Heatmap) if each.isVisible() and each.matrix is not None]
    largest = max(maps, key=lambda each: each.width() * each.height(), default=None)
    if largest is None or largest.matrix is None:
        return None
    rows, columns = largest.matrix.values.shape[-2:]
    if look.query is None:
        cells = largest.rect_of(0, 0).united(largest.rect_of(rows - 1, columns - 1))
    elif look.query < rows and (look.key is None or look.key < columns):
        cells = largest.rect_of(look.query, look.key)
    else:
        return None
    within = cells.toAlignedRect().intersected(largest.rect())
    return QRect(largest.mapTo(over, within.topLeft()), within.size())


def _placed(part: QWidget | None, over: QWidget) -> QRect | None:
    if part is None or not part.isVisible():
        return None
    in_sight = part.visibleRegion().boundingRect()  # a form scrolls
    return QRect(part.mapTo(over, in_sight.topLeft()), in_sight.size())
