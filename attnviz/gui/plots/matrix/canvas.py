"""A widget that paints itself in layers: a ground that seldom changes, a picture that is kept, and marks over it."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QMouseEvent,
    QPaintEngine,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import as_plain

BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
"""The reasons of a focus that is to be seen."""
ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
"""Rows and columns that an arrow key moves by."""


class Canvas(QWidget):
    """The kept layer makes hovering cheap: only the marks are drawn anew."""

    background = "window"
    """The theme's colour behind the widget."""

    painted = Signal(float)
    """Milliseconds, each time the kept layer was drawn anew."""
    hovered = Signal(object)
    """What is under the mouse, of a class of the picture's own, or None."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._kept: QPixmap | None = None
        self._ground: tuple[object, QPixmap] | None = None
        self._kept_area = QRect()
        self._hint = QSize()
        self._ringed = False

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.look = look
        self.redraw()

    def redraw(self) -> None:
        """Draw both layers anew with the next frame."""
        self._kept = None
        hint = self.sizeHint()
        if hint != self._hint:  # else the whole window would be laid out again, for every frame
            self._hint = hint
            self.updateGeometry()
        self.update()

    @property
    def matrix(self) -> Matrix | None:
        """What is drawn, where that is a matrix that can be read as a table; a subclass overrides it."""
        return None

    @property
    def marked(self) -> Cell | None:
        """The cell of that matrix that is marked."""
        return None

    def hold(self, cell: Cell) -> None:
        """Hold a cell of that matrix, as a click does; a subclass overrides it."""

    @property
    def ringed_area(self) -> QRectF:
        """The middle of the line around what has the keyboard; a subclass with a title leaves that out."""
        return QRectF(1, 1, self.width() - 2, self.height() - 2)

    def ground(self) -> object:
        """Return what `draw_ground` depends on beside the look and the size; None if it draws nothing."""
        return None

    def draw_ground(self, painter: QPainter) -> None:
        """Draw what lies under the kept layer and seldom changes, such as labels; a subclass overrides it."""

    def draw(self, painter: QPainter) -> None:
        """Draw the kept layer; only the part within the painter's clip is seen. A subclass overrides it."""

    def draw_marks(self, painter: QPainter) -> None:
        """Draw what follows the mouse and the selection; a subclass overrides it."""

    def tip(self, place: QPointF) -> str:  # noqa: ARG002 - a subclass needs it
        """Return what a tooltip says at a point; "" for none. A subclass overrides it."""
        return ""

    def event(self, event: QEvent) -> bool:
        """Show the tooltip of the point under the mouse, unless the widget has one for all of it."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            words = self.tip(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), as_plain(words), self) if words else QToolTip.hideText()
            return True
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """Small, so that a window can be."""
        return QSize(40, 24)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus ring only if the focus came by the keyboard."""
        self._ringed = event.reason() in BY_KEYBOARD
        super().focusInEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """End the preview."""
        self.hovered.emit(None)
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Forget the kept layer: it has another size now."""
        self._kept = None
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the kept layer where it is stale, then both."""
        painter = QPainter(self)
        if painter.paintEngine().type() == QPaintEngine.Type.Pdf:
            # A page holds type and lines, not the pixels of a kept layer; and cells in their colours, not as a JPEG.
            painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
            painter.fillRect(self.rect(), self.look.color(self.background))
            self.draw_ground(painter)
            self.draw(painter)
        else:
            self._draw_kept(painter, event.rect())
        self.draw_marks(painter)
        if self.hasFocus() and self._ringed:
            painter.setClipping(False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.look.color("accent"), 2))
            painter.drawRect(self.ringed_area)
        painter.end()

    def _draw_kept(self, painter: QPainter, exposed: QRect) -> None:
        ratio = painter.device().devicePixelRatio()
        stale = self._kept is None or self._kept.devicePixelRatio() != ratio
        if stale or not self._kept_area.contains(exposed):
            start = time.perf_counter()
            # Of a widget that scrolls, the part in sight: 96 tiles are 80 times as high as they are wide.
            area = self.visibleRegion().boundingRect().united(exposed)
            kept = self._ground_of(area, ratio)
            self._paint(kept, area, self.draw)
            self._kept, self._kept_area = kept, area
            self.painted.emit((time.perf_counter() - start) * 1e3)
        assert self._kept is not None
        painter.drawPixmap(self._kept_area.topLeft(), self._kept)

    def _ground_of(self, area: QRect, ratio: float) -> QPixmap:
        """Return a pixmap of this part of the widget with nothing but the ground."""
        ground = self.ground()
        key = (ground, self.look, self.size(), area, ratio)
        if ground is not None and self._ground is not None and self._ground[0] == key:
            return self._ground[1].copy()
        blank = QPixmap(area.size() * ratio)
        blank.setDevicePixelRatio(ratio)
        blank.fill(self.look.color(self.background))
        if ground is None:
            return blank
        self._paint(blank, area, self.draw_ground)
        self._ground = key, blank
        return blank.copy()

    def _paint(self, pixmap: QPixmap, area: QRect, draw: Callable[[QPainter], None]) -> None:
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.translate(-area.topLeft())
        painter.setClipRect(area)
        draw(painter)
        painter.end()


class Pointed(Canvas):
    """A canvas where the mouse previews what is under it, and a click holds that."""

    clicked = Signal(object)
    """What is under the mouse, as in `hovered`, or where the arrows lead."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def cell_at(self, place: QPointF) -> object:
        """Return what is at a point, of a class of the picture's own, or None; a subclass overrides it."""
        raise NotImplementedError

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Preview what is under the mouse."""
        self.hovered.emit(self.cell_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Hold what is under the mouse."""
        cell = self.cell_at(event.position())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(cell)
