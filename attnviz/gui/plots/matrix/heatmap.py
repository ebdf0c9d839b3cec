"""One large matrix: axes, values and hatching; hover, select, zoom, move and paint with mouse and keyboard."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPainterPath, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.colours import NOT_FINITE
from attnviz.gui.plots.layout import Margins
from attnviz.gui.plots.matrix.canvas import ARROWS, Canvas
from attnviz.gui.plots.matrix.matrix import Cell, CellView, Marks, Matrix
from attnviz.gui.plots.matrix.matrix_drawing import (
    draw_axes,
    draw_cells,
    draw_labels,
    label_chosen,
    margins,
    mark_cell,
    number_width,
    sums_written,
    title_width,
    titles,
)
from attnviz.gui.plots.matrix.tile import ColourTable, cross_brush, draw_hatching, draw_tiles, mask_path
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.words import translate

LEAST = 16
"""The height of a matrix with one row."""
_CLOSER, _FARTHER = 0.8, 1.25
_ZOOM_KEYS = {Qt.Key.Key_Plus: _CLOSER, Qt.Key.Key_Equal: _CLOSER, Qt.Key.Key_Minus: _FARTHER}


class Heatmap(Canvas):
    """Hover previews and click locks a cell. Wheel, + and - zoom, a drag moves, a double click or 0 shows all."""

    GESTURES: tuple[Gesture, ...] = (
        Gesture("Point", "Show a cell in every view", "Matrix"),
        Gesture("Click", "Hold a cell, or let go of it", "Matrix"),
        Gesture("Up, Down, Left, Right", "Hold the next cell", "Matrix"),
        Gesture("Tab, Shift+Tab", "Go to another head while a cell is held", "Matrix"),
        Gesture("Wheel, +, -", "Zoom", "Matrix"),
        Gesture("Drag", "Move the zoomed picture; with a brush, paint", "Matrix"),
        Gesture("Double click, 0", "Show everything again", "Matrix"),
        Gesture("Space", "Paint the held cell, with a brush chosen", "Matrix"),
    )

    clicked = Signal(object)
    """The `Cell` under the mouse, as in `hovered`, or the one reached by the arrow keys."""
    head_stepped = Signal(int)
    """Tab (1) or Shift+Tab (-1) while a cell is selected and there is another head."""
    stroke = Signal(object, bool)
    """The `Cell` under a brush, and whether a new stroke begins with it."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.view = CellView()
        self._matrix: Matrix | None = None
        self._table: ColourTable | None = None
        self._path, self._not_finite = QPainterPath(), QPainterPath()
        self._selected: Cell | None = None
        self._marks: Marks = "cell"
        self._pressed: QPointF | None = None
        self._dragged = False
        self._brush = False
        self.spare = 0.0
        """The width at the right that the title needs and the cells leave free."""
        self.heads = (0, 1)
        """Which of how many heads is shown, so that Tab knows whether another follows."""
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_matrix(self, matrix: Matrix, table: ColourTable) -> None:
        """Draw a matrix; the zoom is kept if the shape is the same."""
        old = self._matrix
        if old is None or old.levels.shape != matrix.levels.shape:
            rows, columns = matrix.levels.shape
            self.view.show_all((rows, columns))
        self._path = QPainterPath() if matrix.mask is None else mask_path(matrix.mask)
        # Most matrices are finite; finding an empty path through a large one would take longer than drawing it.
        finite = matrix.levels.max(initial=0) < NOT_FINITE
        self._not_finite = QPainterPath() if finite else mask_path(matrix.levels != NOT_FINITE)
        self._matrix, self._table = matrix, table
        self._describe()
        self.redraw()

    def select(self, cell: Cell | None, marks: Marks = "cell") -> None:
        """Mark a row, or a cell."""
        self._selected, self._marks = cell, marks
        self._describe()
        self.update()

    def _describe(self) -> None:
        """Describe the axes and the marks to a screen reader; a lab may say more about its chosen row."""
        matrix, cell = self._matrix, self._selected
        if matrix is None:
            return
        axes = translate("rows: {0}, columns: {1}").format(matrix.row_title, matrix.column_title)
        rows, columns = matrix.values.shape
        marked = cell is not None and cell.row < rows and (cell.column or 0) < columns
        said = matrix.said(cell.row, cell.column) if marked and cell is not None else ""
        self.setAccessibleDescription("; ".join(filter(None, (said, axes))))

    @property
    @override
    def matrix(self) -> Matrix | None:
        return self._matrix

    @property
    @override
    def marked(self) -> Cell | None:
        return self._selected

    @override
    def hold(self, cell: Cell) -> None:
        self.hovered.emit(None)
        if cell != self._selected:
            if cell.column is not None and self.view.reveal(cell.row, cell.column):
                self.redraw()
            self.clicked.emit(cell)

    @property
    def margins(self) -> Margins:
        """The margins for the labels of the matrix."""
        return Margins(0, 0, 0, 0) if self._matrix is None else margins(self._matrix, self.look)

    @property
    def number_width(self) -> int:
        """The width of a cell that fits any of the numbers in small type."""
        return 0 if self._matrix is None else number_width(self._matrix, self.look)

    @property
    def title_width(self) -> int:
        """The width of the title, which begins at the left of the cells."""
        return 0 if self._matrix is None else title_width(self._matrix, self.look)

    @property
    def cells(self) -> QRectF:
        """The rectangle of the visible cells, in widget coordinates."""
        return self.view.area

    @property
    @override
    def ringed_area(self) -> QRectF:
        return super().ringed_area if self._matrix is None else self.cells.adjusted(-2, -2, 2, 2)

    @property
    def reduced(self) -> bool:
        """Whether cells are finer than pixels, so that each pixel shows the maximum of several."""
        cell = self.view.rect_of(0, 0)
        return min(cell.width(), cell.height()) * self.devicePixelRatioF() < 1

    @property
    def hidden_title(self) -> str:
        """The whole title and note if they are truncated; else empty."""
        if self._matrix is None or not self._matrix.title:
            return ""
        room = self.width() - self.cells.left()
        shown, whole = titles(self._matrix, self.look, round(room), reduced=self.reduced)
        return "" if shown == whole and self.title_width <= room else f"{whole}\n{self._matrix.note}".strip()

    @override
    def tip(self, place: QPointF) -> str:
        """Return a truncated title; nothing over the cells, which a tooltip would cover."""
        return self.hidden_title if place.y() < self.cells.top() else ""

    def cell_at(self, place: QPointF) -> Cell | None:
        """Return the cell under a point of the widget."""
        return None if self._matrix is None else self.view.cell_at(place)

    def rect_of(self, row: int, column: int | None) -> QRectF:
        """Return the rectangle of a cell or a whole row; it may be outside while zoomed."""
        return self.view.rect_of(row, column)

    @override
    def redraw(self) -> None:
        self._place_cells()
        super().redraw()

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, self.look.px(400))

    @override
    def ground(self) -> object:
        matrix = self._matrix
        if matrix is None:
            return None
        labels = (matrix.row_labels, matrix.column_labels, matrix.square)
        empty = None if matrix.empty_rows is None else matrix.empty_rows.tobytes()
        return (
            labels,
            sums_written(matrix),
            empty,
            self.view.rows(),
            self.view.columns(),
            self.view.whole_rect(),
            QRectF(self.cells),
        )

    @override
    def draw_ground(self, painter: QPainter) -> None:
        if self._matrix is not None:
            draw_labels(painter, self.view, self._matrix, self.look, width=self.width())

    @override
    def draw(self, painter: QPainter) -> None:
        matrix, table = self._matrix, self._table
        if matrix is None or table is None:
            return
        rows, columns = self.view.rows(), self.view.columns()
        first = self.rect_of(rows.start, columns.start)
        shown = QRectF(first.x(), first.y(), first.width() * len(columns), first.height() * len(rows))
        painter.save()
        painter.setClipRect(self.cells)
        part = matrix.levels[rows.start : rows.stop, columns.start : columns.stop]
        draw_tiles(painter, [shown], part[None], table)
        draw_hatching(painter, self.view.whole_rect(), self._path, self.view.shape, self.look)
        draw_hatching(
            painter, self.view.whole_rect(), self._not_finite, self.view.shape, self.look, cross_brush(self.look)
        )
        draw_cells(painter, self.view, matrix, table, self.look)
        painter.restore()
        draw_axes(painter, self.view, matrix, self.look, width=self.width(), reduced=self.reduced)

    @override
    def draw_marks(self, painter: QPainter) -> None:
        """Draw the chosen row in the query colour and the chosen column in the key colour."""
        cell = self._selected
        if cell is not None and self._matrix is not None and cell.row < self.view.shape[0]:
            if self.look.present:  # elsewhere the read-out and the inspector name it
                row = -1 if self._marks == "column" else cell.row
                column = None if self._marks == "row" else cell.column
                ground = self.look.color(self.background)
                label_chosen(painter, self.view, self._matrix, self.look, Cell(row, column), self.size(), ground)
            mark_cell(painter, self.view, self._matrix, cell, self.look, self._marks)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_cells()
        super().resizeEvent(event)

    def set_brush(self, on: bool) -> None:
        """Let the mouse paint cells, or hover and move the zoomed matrix."""
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
        if event.button() != Qt.MouseButton.LeftButton or self._matrix is None:
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
        """Move the chosen cell with the arrows, zoom around it; with a brush, Space paints it."""
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
        """Let Tab go through the heads while a cell is selected, then on to the next widget."""
        step = 1 if forward else -1
        head, count = self.heads
        held = self._selected is not None and self._selected.column is not None
        # Qt also calls this for a widget that it has hidden, to take the focus away.
        if held and self.isVisible() and 0 <= head + step < count:
            self.head_stepped.emit(step)
            return True
        return super().focusNextPrevChild(forward)

    def _place_cells(self) -> None:
        if self._matrix is not None:
            left, top, right, bottom = margins(self._matrix, self.look)
            room = QRectF(self.rect()).adjusted(left, top, -right - self.spare, -bottom)
            self.view.place(room, square=self._matrix.square, least=self.look.px(LEAST))

    def _move(self, step: tuple[int, int]) -> None:
        """Select the next cell in a direction and reveal it; the mouse, if it is over the widget, previews none."""
        self.hovered.emit(None)
        rows, columns = self.view.shape
        old = self._selected or Cell(0, None)
        row = min(max(old.row + step[0], 0), rows - 1)
        column = min(max((-1 if old.column is None else old.column) + step[1], 0), columns - 1)
        self.hold(Cell(row, column))

    def _zoom(self, place: QPointF, factor: float) -> None:
        self.view.zoom(place, factor)
        self.redraw()

    def _show_all(self) -> None:
        self.view.show_all(self.view.shape)
        self.redraw()

    def _middle_of(self, held: Cell | None) -> QPointF:
        """Return the position of the selected cell, or the middle of the visible part."""
        area = self.cells
        place = area.center() if held is None or held.column is None else self.rect_of(held.row, held.column).center()
        return place if area.contains(place) else area.center()
