"""The numbers of the pictures on screen as a table: to be read cell by cell, also aloud, and to be copied."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Slot
from PySide6.QtGui import QBrush, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QDialog, QHeaderView, QTableView, QWidget
from typing_extensions import override

from attnviz.experiment.colours import MASKED
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.labels import as_plain, caption, show_text
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import number_text, translate

_SIZE, _CELL, _NAME, _LINE, _MARGIN = (720, 460), 76, 48, 24, 16
"""Of the window, of a column and the least of the rows' names, the height of a line, and the margin, at scale 1."""
_Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _MatrixModel(QAbstractTableModel):
    """A lazy model of a matrix's cells, with the sums of its rows in a last column, if it has them."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.matrix: Matrix | None = None
        self.look = look

    def show_matrix(self, matrix: Matrix) -> None:
        """Show a matrix; if only its numbers differ, the current index of the table stays."""
        old, self.matrix = self.matrix, matrix
        if old is not None and _axes(old) == _axes(matrix):
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
        else:
            self.beginResetModel()
            self.endResetModel()

    @override
    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if self.matrix is None or parent.isValid() else len(self.matrix.values)

    @override
    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        matrix = self.matrix
        return 0 if matrix is None or parent.isValid() else matrix.values.shape[1] + (matrix.row_sums is not None)

    def number(self, index: _Index) -> np.floating:
        """Return the number of a cell, or the sum of its row."""
        matrix = self.matrix
        assert matrix is not None
        sums = matrix.row_sums if self._is_sum(index) else None
        found: np.floating = matrix.values[index.row(), index.column()] if sums is None else sums[index.row()]
        return found

    def row(self, row: int) -> list[np.floating]:
        """Return the numbers of a row, and its sum."""
        matrix = self.matrix
        assert matrix is not None
        return [*matrix.values[row], *([] if matrix.row_sums is None else [matrix.row_sums[row]])]

    def largest_in(self, row: int) -> int:
        """Return the column of the largest number of a row, ignoring masked cells and NaN; 0 if there is none."""
        matrix = self.matrix
        assert matrix is not None
        counts = (matrix.levels[row] != MASKED) & ~np.isnan(matrix.values[row])
        return int(np.where(counts, matrix.values[row], -np.inf).argmax())

    def said(self, index: _Index) -> str:
        """Return a description of a cell, or of the sum of a row."""
        assert self.matrix is not None
        return self.matrix.said(index.row(), None if self._is_sum(index) else index.column())

    @override
    def data(self, index: _Index, role: int = _Role.DisplayRole) -> Any:
        matrix = self.matrix
        if matrix is None or not index.isValid():
            return None
        hatched = not self._is_sum(index) and matrix.levels[index.row(), index.column()] == MASKED
        match role:
            case _Role.DisplayRole:  # as in the picture, a masked cell shows none
                return "" if hatched else number_text(float(self.number(index)), ".4g")
            case _Role.AccessibleTextRole:
                return self.said(index)
            case _Role.ToolTipRole:
                return as_plain(self.said(index))
            case _Role.TextAlignmentRole:
                return _RIGHT
            case _Role.BackgroundRole if hatched:
                return QBrush(self.look.color("hatch"), Qt.BrushStyle.BDiagPattern)
            case _Role.FontRole if self._is_sum(index):
                return self.look.font("small", bold=True)
        return None

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        matrix = self.matrix
        if matrix is None or role not in (_Role.DisplayRole, _Role.ToolTipRole):
            return None
        if orientation == Qt.Orientation.Vertical:
            label = matrix.row_labels[section]
        elif section < matrix.values.shape[1]:
            label = matrix.column_labels[section]
        else:
            label = translate("sum")
        return as_plain(label) if role == _Role.ToolTipRole else label

    def _is_sum(self, index: _Index) -> bool:
        return self.matrix is not None and index.column() >= self.matrix.values.shape[1]


def _axes(matrix: Matrix) -> tuple[object, ...]:
    return matrix.values.shape, matrix.row_sums is None, tuple(matrix.row_labels), tuple(matrix.column_labels)


class NumbersTable(QDialog):
    """A table beside the pictures: its current cell and their selection follow each other.

    It reads the matrices that the pictures draw. Esc closes it, and so does the key that opens it.
    """

    KEY = "T"
    GESTURES = (
        Gesture("T", "Show the numbers of the picture as a table, or close it", "Stages"),
        Gesture("Up, Down, Left, Right", "Hold the next cell", "Table of numbers"),
        Gesture("Shift with these, Drag", "Choose several cells", "Table of numbers"),
        Gesture("Ctrl+A", "Choose all cells", "Table of numbers"),
        Gesture("Ctrl+C", "Copy the chosen numbers", "Table of numbers"),
    )

    def __init__(self, look: Look, stage: QWidget) -> None:
        super().__init__(stage)
        self._stage = stage
        self._pictures: tuple[Canvas, ...] = ()
        self._marked: Cell | None = None
        self._following = False
        self._model = _MatrixModel(look)
        self.setWindowTitle(self.tr("Numbers"))
        self.sentence, self.said = (caption(wraps=True, plain=True) for _ in range(2))
        self.sentence.setObjectName("sentence")
        self.which = ComboBox()
        self.which.setAccessibleName(self.tr("Picture"))
        self.which.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.which.activated.connect(self._choose)
        self.table = QTableView()
        self.table.setModel(self._model)
        self.table.setObjectName("terms")
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        for header in (self.table.horizontalHeader(), self.table.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            header.setHighlightSections(True)
        self.table.verticalHeader().setDefaultAlignment(_RIGHT)
        self.table.selectionModel().currentChanged.connect(self._hold)
        self._hint = caption(self.tr("Ctrl+C copies the chosen numbers with all digits. T or Esc closes."), plain=True)
        chosen = row_of(None, self.which, None)
        column_of(self, self.sentence, chosen, self.table, self.said, self._hint, wide=(self.table,))
        QShortcut(QKeySequence(self.KEY), self, self.close)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self, self.copy)
        self.restyle(look)

    @property
    def matrix(self) -> Matrix | None:
        """The matrix on screen."""
        return self._model.matrix

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._model.look = look
        margin = look.px(_MARGIN)
        layout: Any = self.layout()
        layout.setContentsMargins(margin, margin, margin, margin)
        self.table.verticalHeader().setDefaultSectionSize(look.px(_LINE))
        self.table.horizontalHeader().setDefaultSectionSize(look.px(_CELL))
        self.table.verticalHeader().setMinimumWidth(look.px(_NAME))

    def open_on(self, pictures: Sequence[Canvas], sentence: str, look: Look) -> None:
        """Show the numbers of these pictures, first that with the focus, or the first one."""
        focused = next((at for at, each in enumerate(pictures) if each.hasFocus()), 0)
        self.restyle(look)
        self.resize(self._stage.size().boundedTo(QSize(*map(look.px, _SIZE))))
        self._model.matrix = None
        self._pictures = ()
        self.follow(pictures, sentence)
        self.which.setCurrentIndex(focused)
        self._choose()
        self.show()
        self.activateWindow()
        self.table.setFocus()

    def follow(self, pictures: Sequence[Canvas], sentence: str) -> None:
        """Show these pictures' current matrices, and their selected cell."""
        show_text(self.sentence, sentence)
        names = [_name_of(each) for each in pictures]
        if tuple(pictures) != self._pictures or names != [self.which.itemText(at) for at in range(self.which.count())]:
            at = max(0, self.which.currentIndex()) if len(pictures) == len(self._pictures) else 0
            self._pictures = tuple(pictures)
            self.which.clear()
            self.which.addItems(names)
            self.which.setCurrentIndex(at)
            self.which.setVisible(len(names) > 1)
        self._choose()

    @property
    def _picture(self) -> Canvas | None:
        at = self.which.currentIndex()
        return self._pictures[at] if 0 <= at < len(self._pictures) else None

    @Slot()
    def _choose(self) -> None:
        """Show the chosen picture's matrix if it has changed, and its selected cell if that has moved."""
        picture = self._picture
        matrix = None if picture is None else picture.matrix
        if picture is None or matrix is None:
            return
        if matrix is not self._model.matrix:
            name = _name_of(picture)
            self.setWindowTitle(self.tr("Numbers: {0}").format(name))
            self.table.setAccessibleName(name)
            sizes = translate("{0} rows, {1} columns").format(*matrix.values.shape)
            self.table.setAccessibleDescription(f"{matrix.row_title}, {matrix.column_title}: {sizes}")
            self._model.show_matrix(matrix)
        current, marked = self.table.currentIndex(), picture.marked
        if not current.isValid() or marked != self._marked:
            row = min(marked.row if marked is not None else 0, self._model.rowCount() - 1)
            column = 0 if marked is None else marked.column
            column = self._model.largest_in(row) if column is None else column  # which the sentence is about
            at = self._model.index(row, min(column, self._model.columnCount() - 1))
            if at != current:
                self._following = True  # a row alone is held in the picture by no cell of it
                self.table.selectionModel().setCurrentIndex(at, QItemSelectionModel.SelectionFlag.ClearAndSelect)
                self._following = False
        self._marked = marked
        self._say()

    @Slot()
    def _hold(self) -> None:
        """Select the table's cell in the picture; a sum is not a cell."""
        at, picture, matrix = self.table.currentIndex(), self._picture, self._model.matrix
        if self._following or not at.isValid() or picture is None or matrix is None:
            return
        if at.column() < matrix.values.shape[1]:
            self._marked = Cell(at.row(), at.column())
            picture.hold(self._marked)
        self._say()

    @Slot()
    def copy(self) -> None:
        """Copy the selected numbers with all their digits: a line for each row, tabs between the columns."""
        chosen = np.zeros((self._model.rowCount(), self._model.columnCount()), bool)
        selection: Any = self.table.selectionModel().selection()
        for part in selection:
            chosen[part.top() : part.bottom() + 1, part.left() : part.right() + 1] = True
        columns = [int(column) for column in np.flatnonzero(chosen.any(axis=0))]
        lines = []
        for row in map(int, np.flatnonzero(chosen.any(axis=1))):
            numbers = self._model.row(row)
            lines.append("\t".join(str(numbers[column]) if chosen[row, column] else "" for column in columns))
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _say(self) -> None:
        at = self.table.currentIndex()
        self.said.setText(self._model.said(at) if at.isValid() else "")


def _name_of(picture: Canvas) -> str:
    """Return the title over a picture, or its name."""
    matrix = picture.matrix
    return matrix.title if matrix is not None and matrix.title else picture.accessibleName()
