"""A large matrix under mouse and keyboard: point, hold, zoom, move, paint."""

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.plots.matrix.canvas import ARROWS
from attnviz.gui.plots.matrix.cell_view import Cell
from attnviz.gui.plots.matrix.matrix_view import MatrixView
from attnviz.gui.theme import Look

_CLOSER, _FARTHER = 0.8, 1.25
_ZOOM_KEYS = {Qt.Key.Key_Plus: _CLOSER, Qt.Key.Key_Equal: _CLOSER, Qt.Key.Key_Minus: _FARTHER}


class Heatmap(MatrixView):
    """Hover previews and click locks a cell. Wheel, + and - zoom, a drag moves, a double click or 0 shows all."""

    hovered = Signal(object)
    """`Cell` under the mouse, or None."""
    clicked = Signal(object)
    """`Cell` under the mouse, or where the arrows lead."""
    head_stepped = Signal(int)
    """Tab (1) or Shift+Tab (-1) while a cell is held and another head follows."""
    stroke = Signal(object, bool)
    """`Cell` under a brush, and whether a new stroke begins with it."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, name, parent)
        self._pressed: QPointF | None = None
        self._dragged = False
        self._brush = False
        self.heads = (0, 1)
        """Which of how many heads is shown, so that Tab knows whether another follows."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_brush(self, on: bool) -> None:
        """Let the mouse paint cells, or point at them and move the zoomed matrix."""
        self._brush = on
        self.setCursor(Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the mouse."""
        if self.cell_at(event.position()) is not None:
            self._zoom(event.position(), _CLOSER if event.angleDelta().y() > 0 else _FARTHER)
            event.accept()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything again; a brush paints."""
        if self._brush:
            self.mousePressEvent(event)
            return
        self._show_all()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed, self._dragged = event.position(), False
        cell = self.cell_at(event.position())
        if self._brush and cell is not None:
            self.stroke.emit(cell, True)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Preview the cell under the mouse, paint it, or move the zoomed matrix."""
        cell = self.cell_at(event.position())
        if self._pressed is None or self._brush:
            self.hovered.emit(cell)
            if self._pressed is not None and cell is not None:
                self.stroke.emit(cell, False)
            return
        moved = event.position() - self._pressed
        if moved.manhattanLength() > 4 or self._dragged:
            self._dragged, self._pressed = True, event.position()
            self.view.move(moved)
            self.redraw()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Lock the cell under the mouse, unless it was a drag."""
        cell = self.cell_at(event.position())
        if self._pressed is not None and not self._dragged and not self._brush and cell is not None:
            self.clicked.emit(cell)
        self._pressed = None

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the chosen cell with the arrows, zoom about it; with a brush, Space paints it."""
        held, key = self._selected, event.key()
        step, factor = ARROWS.get(key), _ZOOM_KEYS.get(Qt.Key(key))
        if self._matrix is None:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Space and self._brush and held is not None and held.column is not None:
            self.stroke.emit(held, True)
        elif factor is not None:
            self._zoom(self._middle_of(held), factor)
        elif key == Qt.Key.Key_0:
            self._show_all()
        elif step is not None:
            self._move(step)
        else:
            super().keyPressEvent(event)

    @override
    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the heads while a cell is held, then on to the next widget."""
        step = 1 if forward else -1
        head, count = self.heads
        if self._selected is not None and self._selected.column is not None and 0 <= head + step < count:
            self.head_stepped.emit(step)
            return True
        return super().focusNextPrevChild(forward)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)
        super().leaveEvent(event)

    def _move(self, step: tuple[int, int]) -> None:
        """Hold the next cell in a direction, and bring it into sight."""
        rows, columns = self.view.shape
        old = self._selected or Cell(0, None)
        row = min(max(old.row + step[0], 0), rows - 1)
        column = min(max((-1 if old.column is None else old.column) + step[1], 0), columns - 1)
        if (row, column) != (old.row, old.column):
            if self.view.reveal(row, column):
                self.redraw()
            self.clicked.emit(Cell(row, column))

    def _zoom(self, place: QPointF, factor: float) -> None:
        self.view.zoom(place, factor)
        self.redraw()

    def _show_all(self) -> None:
        self.view.show_all(self.view.shape)
        self.redraw()

    def _middle_of(self, held: Cell | None) -> QPointF:
        """Return where the held cell is drawn, or the middle of what is visible."""
        area = self.cells
        place = area.center() if held is None or held.column is None else self.rect_of(held.row, held.column).center()
        return place if area.contains(place) else area.center()
