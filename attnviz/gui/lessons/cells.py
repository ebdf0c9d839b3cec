"""A grid of cells to mark, in place of a hidden picture, and two such grids side by side."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from typing_extensions import override

from attnviz.gui.lessons.open_lesson import Cells
from attnviz.gui.theme import Styled
from attnviz.gui.widgets.gestures import Gesture

_LARGEST = 96
"""The greatest side of a cell, at scale 1."""
_LABELS = 64
"""The width for the names of rows and columns, at scale 1."""
_MARK = "✓"
_MOVES = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}


class HiddenCells(Styled):
    """A grid of cells with question marks until they are marked.

    Rows are queries, columns are keys. Cells can be marked only while a question asks for them.
    """

    GESTURES = (
        Gesture("Click, Space", "Mark a cell, or take its mark away", "Question of a lesson"),
        Gesture("Arrow keys", "Go to another cell", "Question of a lesson"),
    )
    changed = Signal()
    """Another cell is marked."""

    def __init__(self) -> None:
        super().__init__()
        self.row_names: Sequence[str] = ()
        """What stands beside the rows."""
        self.column_names: Sequence[str] = ()
        """What stands above the columns."""
        self._at = 0, 0
        self.marked: Cells = frozenset()
        self.wrong: Cells = frozenset()
        """Cells that are marked though they should not be, or the other way round: they have a ring."""
        self._takes_marks = False
        self._sign = "?"

    def show_cells(
        self, rows: Sequence[str], columns: Sequence[str], *, takes_marks: bool = False, sign: str = "?"
    ) -> None:
        """Show unmarked cells; ``sign`` is in each of them."""
        self.row_names, self.column_names, self._takes_marks, self._sign = rows, columns, takes_marks, sign
        self.marked, self._at = frozenset(), (0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if takes_marks else Qt.FocusPolicy.NoFocus)
        self._describe()
        self.update()

    def show_marks(self, marked: Cells, wrong: Cells = frozenset()) -> None:
        """Show which cells are marked, and which of all are wrong."""
        self.marked, self.wrong = marked, wrong
        self._describe()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._look.px(120), self._look.px(120))

    @property
    def _side(self) -> float:
        labels = self._label_room
        across, down = max(1, len(self.column_names)), max(1, len(self.row_names))
        room = min((self.width() - labels) / across, (self.height() - labels) / down)
        return max(2.0, min(room, self._look.px(_LARGEST)))

    @property
    def _label_room(self) -> int:
        return self._look.px(_LABELS) if any(self.row_names) else 0

    def rect_of(self, row: int, column: int) -> QRectF:
        """Return the rectangle of a cell."""
        side, labels = self._side, self._label_room
        left = labels + (self.width() - labels - side * len(self.column_names)) / 2
        top = labels + (self.height() - labels - side * len(self.row_names)) / 2
        return QRectF(left + column * side, top + row * side, side, side).adjusted(1, 1, -1, -1)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = self._look, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size = "large" if self._side > look.px(36) else "small"
        painter.setFont(look.font(size, bold=True))
        for row in range(len(self.row_names)):
            for column in range(len(self.column_names)):
                self._paint_cell(painter, (row, column))
        painter.setFont(look.token_font("body"))
        middle = Qt.AlignmentFlag.AlignVCenter
        for row, name in enumerate(self.row_names):
            painter.setPen(look.color("q_text"))
            cell = self.rect_of(row, 0)
            painter.drawText(
                QRectF(0, cell.top(), cell.left() - look.px(8), cell.height()),
                middle | Qt.AlignmentFlag.AlignRight,
                name,
            )
        for column, name in enumerate(self.column_names):
            painter.setPen(look.color("k_text"))
            cell = self.rect_of(0, column)
            above = QRectF(cell.left(), cell.top() - look.px(28), cell.width(), look.px(24))
            text = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(cell.width()))
            painter.drawText(above, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_cell(self, painter: QPainter, cell: tuple[int, int]) -> None:
        look, place, is_marked = self._look, self.rect_of(*cell), cell in self.marked
        painter.fillRect(place, look.color("accent_soft" if is_marked else "faint"))
        painter.setPen(look.color("accent" if is_marked else "muted"))
        sign = _MARK if is_marked else self._sign
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, sign)
        if cell in self.wrong:
            painter.setPen(QPen(look.color("danger"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(1, 1, -1, -1))
        if self.hasFocus() and cell == self._at:
            painter.setPen(QPen(look.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self._cell_at(event.position())
        if self._takes_marks and cell is not None:
            self._at = cell
            self._toggle(cell)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = _MOVES.get(Qt.Key(event.key()))
        if not self._takes_marks or (move is None and event.key() != Qt.Key.Key_Space):
            super().keyPressEvent(event)
        elif move is None:
            self._toggle(self._at)
        else:
            row, column = self._at[0] + move[0], self._at[1] + move[1]
            self._at = min(max(row, 0), len(self.row_names) - 1), min(max(column, 0), len(self.column_names) - 1)
            self._describe()
            self.update()

    def _cell_at(self, place: QPointF) -> tuple[int, int] | None:
        first, side = self.rect_of(0, 0), self._side
        row, column = int((place.y() - first.top()) // side), int((place.x() - first.left()) // side)
        return (row, column) if 0 <= row < len(self.row_names) and 0 <= column < len(self.column_names) else None

    def _toggle(self, cell: tuple[int, int]) -> None:
        self.marked ^= {cell}
        self._describe()
        self.update()
        self.changed.emit()

    def _describe(self) -> None:
        row, column = self._at
        state = self.tr("marked") if self._at in self.marked else self.tr("not marked")
        self.setAccessibleName(self.tr("Cells to mark"))
        self.setAccessibleDescription(self.tr("query {0}, key {1}: {2}").format(row + 1, column + 1, state))
