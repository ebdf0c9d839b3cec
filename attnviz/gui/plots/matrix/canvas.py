"""A widget that paints itself in layers: a background that seldom changes, a cached picture, and marks over it."""

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
"""The reasons of a focus that shows a focus ring."""
ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
"""The rows and columns that an arrow key moves by."""


class Canvas(QWidget):
    """The cached layer makes hovering cheap: only the marks are redrawn."""

    background = "window"
    """The theme's colour behind the widget."""

    painted = Signal(float)
    """Milliseconds, emitted each time the cached layer was redrawn."""
    hovered = Signal(object)
    """The item under the mouse, of a class of the picture's own, or None."""

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
        """Apply a theme and type scale."""
        self.look = look
        self.redraw()

    def redraw(self) -> None:
        """Redraw both layers with the next frame."""
        self._kept = None
        hint = self.sizeHint()
        if hint != self._hint:  # else the whole window would be laid out again for every frame
            self._hint = hint
            self.updateGeometry()
        self.update()

    @property
    def matrix(self) -> Matrix | None:
        """The drawn matrix, if it can be read as a table; reimplemented by subclasses."""
        return None

    @property
    def marked(self) -> Cell | None:
        """The marked cell of that matrix."""
        return None

    def hold(self, cell: Cell) -> None:
        """Select a cell of that matrix, as a click does; reimplemented by subclasses."""

    @property
    def ringed_area(self) -> QRectF:
        """The rectangle of the focus ring; reimplemented by subclasses with a title, which is outside."""
        return QRectF(1, 1, self.width() - 2, self.height() - 2)

    def ground(self) -> object:
        """Return a key of the state that `draw_ground` depends on beside look and size; None if it draws nothing."""
        return None

    def draw_ground(self, painter: QPainter) -> None:
        """Draw the background layer, such as labels; reimplemented by subclasses."""

    def draw(self, painter: QPainter) -> None:
        """Draw the cached layer; only the part within the painter's clip is visible. Reimplemented by subclasses."""

    def draw_marks(self, painter: QPainter) -> None:
        """Draw the marks for the mouse and the selection; reimplemented by subclasses."""

    def tip(self, place: QPointF) -> str:  # noqa: ARG002 - a subclass needs it
        """Return the tooltip at a point; "" for none. Reimplemented by subclasses."""
        return ""

    def event(self, event: QEvent) -> bool:
        """Show the tooltip at the mouse position, unless the widget has one of its own."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            words = self.tip(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), as_plain(words), self) if words else QToolTip.hideText()
            return True
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """Return a small size, so that windows can be small."""
        return QSize(40, 24)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus ring only if the focus came by the keyboard."""
        self._ringed = event.reason() in BY_KEYBOARD
        super().focusInEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """End the hover preview."""
        self.hovered.emit(None)
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Drop the cached layer, whose size has changed."""
        self._kept = None
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Redraw the cached layer if it is stale, then draw both."""
        painter = QPainter(self)
        if painter.paintEngine().type() == QPaintEngine.Type.Pdf:
            # A PDF page has text and lines instead of cached pixels, and cells in exact colours, not as JPEG.
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
            # Only the visible part of a scrolled widget: 96 tiles are 80 times as high as wide.
            area = self.visibleRegion().boundingRect().united(exposed)
            kept = self._ground_of(area, ratio)
            self._paint(kept, area, self.draw)
            self._kept, self._kept_area = kept, area
            self.painted.emit((time.perf_counter() - start) * 1e3)
        assert self._kept is not None
        painter.drawPixmap(self._kept_area.topLeft(), self._kept)

    def _ground_of(self, area: QRect, ratio: float) -> QPixmap:
        """Return a pixmap of this part of the widget with only the background."""
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
    """A canvas whose items are previewed by hovering and selected by clicking."""

    clicked = Signal(object)
    """The item under the mouse, as in `hovered`, or the one reached by the arrow keys."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def cell_at(self, place: QPointF) -> object:
        """Return the item at a point, of a class of the picture's own, or None; reimplemented by subclasses."""
        raise NotImplementedError

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Preview the item under the mouse."""
        self.hovered.emit(self.cell_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the item under the mouse."""
        cell = self.cell_at(event.position())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(cell)
