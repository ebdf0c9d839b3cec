"""Numbers of heads as a table: a row for each head, a column for each of several numbers."""

from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionHeader, QTableView, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN, head_name
from attnviz.definitions.text import Text
from attnviz.experiment.layers.statistics import HeadValues
from attnviz.gui.theme import Look
from attnviz.gui.widgets.columns import column_height, draw_in_column
from attnviz.gui.widgets.words import translate

_LINE, _SORTED_LINES, _LINES = 20, 9, 12
"""The height of a row at scale 1, and the number of visible rows."""
_BESIDE_NUMBER, _BESIDE_HEADING = 3, 7
"""The padding in pixels of a column beside its number, and beside its heading."""
_Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole


class _HeadsModel(QAbstractTableModel):
    switched = Signal(int, int)
    """The layer and the index of a head whose box was clicked."""

    def __init__(self, *, with_boxes: bool) -> None:
        super().__init__()
        self.columns: tuple[HeadValues, ...] = ()
        self.order: list[int] = []
        self.bold = QFont()
        self._with_boxes = with_boxes
        self._sorted_by = (0, Qt.SortOrder.AscendingOrder)

    def show_values(self, columns: tuple[HeadValues, ...]) -> bool:
        """Show columns; return whether the rows or columns differ from before."""
        old, self.columns = self.columns, columns
        axes = [[(each.heading, each.values.shape) for each in some] for some in (old, columns)]
        if self._with_boxes and axes[0] == axes[1]:
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            return False
        self.beginResetModel()
        self._rank()
        self.endResetModel()
        return True

    def place_of(self, row: int) -> tuple[int, int]:
        """Return the layer and the index of a row's head."""
        heads: int = self.columns[0].values.shape[1]
        return divmod(self.order[row], heads)

    def _rank(self) -> None:
        column, direction = self._sorted_by
        values = [each.values.ravel() for each in self.columns]
        keys = values[column - 1] if column else np.arange(values[0].size if values else 0)
        ranks = np.argsort(-keys if direction == Qt.SortOrder.DescendingOrder else keys, kind="stable")
        self.order = [int(head) for head in ranks]

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        self._sorted_by = (max(0, column), order)
        self._rank()
        self.layoutChanged.emit()

    @override
    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return len(self.order)

    @override
    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 1 + len(self.columns)

    @override
    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self._with_boxes and index.column() == 0 else flags

    @override
    def data(self, index: _Index, role: int = _Role.DisplayRole) -> Any:
        if not self.columns:
            return None
        at = self.place_of(index.row())
        if index.column() == 0 and self._with_boxes:
            match role:
                case _Role.DisplayRole:
                    return head_name(*at)
                case _Role.CheckStateRole:
                    return Qt.CheckState.Unchecked if at in self.columns[0].off else Qt.CheckState.Checked
                case _Role.ToolTipRole | _Role.AccessibleDescriptionRole:
                    return self.tr("Clear the box to turn this head off: it then adds nothing to the residual stream")
            return None
        column = self.columns[index.column() - 1]
        match role:
            case _Role.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case _Role.DisplayRole if index.column() == 0:
                return str(SCREEN.head(at[1])) if column.values.shape[0] == 1 else head_name(*at)
            case _Role.DisplayRole:
                return column.number(float(column.values[at]))
            case _Role.ToolTipRole | _Role.AccessibleDescriptionRole if index.column() and column.told is not None:
                return column.told(*at)
            case _Role.FontRole if index.column() and at in column.bold:
                return self.bold
        return None

    @override
    def setData(self, index: _Index, value: Any, role: int = _Role.EditRole) -> bool:
        if role == _Role.CheckStateRole and self._with_boxes and index.column() == 0 and self.columns:
            self.switched.emit(*self.place_of(index.row()))
        return False  # the mark follows when the trace without the head is there

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if section == 0:
            return translate("head" if self._with_boxes else "#") if role == _Role.DisplayRole else None
        match role:
            case _Role.DisplayRole:
                return self.columns[section - 1].heading
            case _Role.ToolTipRole:
                return self.columns[section - 1].help
            case _Role.AccessibleDescriptionRole:
                return self.columns[section - 1].spoken
        return None


class _TurnedHeadings(QHeaderView):
    """A header whose headings, except the first one, are rotated if they do not fit otherwise."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.turned = False
        self.colour = QColor()
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(16)
        self.setHighlightSections(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setStretchLastSection(True)

    @override
    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        if self.turned and section:
            option.text = ""

    @override
    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        painter.save()
        super().paintSection(painter, rect, section)
        painter.restore()
        if self.turned and section:
            painter.save()
            painter.setFont(self.font())
            painter.setPen(self.colour)
            text = str(self.model().headerData(section, self.orientation()))
            draw_in_column(painter, rect.adjusted(0, 0, 0, -5), text)
            painter.restore()


class HeadsTable(QTableView):
    """A row for each head. Selecting a row selects the head.

    ``with_boxes``: the heads of all layers in order, with a box before each that ablates it; headings that do not fit
    are rotated. Else the heads of a layer, which sort by any column.
    """

    head_chosen = Signal(int, int)
    """A layer, and a head of it."""
    switched = Signal(int, int)
    """The layer and the head whose box was clicked."""

    def __init__(self, name: str, columns: tuple[HeadValues, ...] = (), *, with_boxes: bool = False) -> None:
        super().__init__()
        self._model = _HeadsModel(with_boxes=with_boxes)
        self._with_boxes = with_boxes
        self._model.show_values(columns)
        self._metrics = QFontMetrics(QFont())
        self._chosen = 0
        self.setModel(self._model)
        self.setObjectName("terms")
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._headings = _TurnedHeadings(self) if with_boxes else None
        if self._headings is not None:
            self.setShowGrid(False)
            self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
            self.setHorizontalHeader(self._headings)
            self._headings.show()
            self.setTextElideMode(Qt.TextElideMode.ElideNone)
        else:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
            last = self.horizontalHeader().count() - 1
            self.horizontalHeader().setSectionResizeMode(last, QHeaderView.ResizeMode.ResizeToContents)
            self.horizontalHeader().setMinimumSectionSize(20)
            self.horizontalHeader().setSortIndicator(0, Qt.SortOrder.AscendingOrder)
            self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(self._choose)
        self._model.layoutChanged.connect(self._choose_again)
        self._model.switched.connect(self.switched)

    @property
    def columns(self) -> tuple[HeadValues, ...]:
        """The numbers on screen."""
        return self._model.columns

    @property
    def order(self) -> tuple[int, ...]:
        """The heads from top to bottom, counted through all layers."""
        return tuple(self._model.order)

    def show_values(self, columns: tuple[HeadValues, ...]) -> None:
        """Show a column for each of these."""
        with QSignalBlocker(self.selectionModel()):
            changed = self._model.show_values(columns)
        if changed:
            words = Text("{count} heads", {"count": self._model.rowCount()}, "1 head")
            self.setAccessibleDescription(translate(words))
            self._fit()

    def choose(self, head: int) -> None:
        """Select the row of a head, counted through all layers, without a signal."""
        self._chosen = head
        if head not in self._model.order:
            return
        row = self._model.order.index(head)
        if not self._with_boxes or row != self.currentIndex().row():
            rows = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            with QSignalBlocker(self.selectionModel()):
                self.selectionModel().setCurrentIndex(self._model.index(row, 0), rows)
            if self._with_boxes:
                self.scrollTo(self._model.index(row, 0))
            self.viewport().update()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._line = look.px(_LINE)
        self._model.bold = look.font("small", bold=True)
        self.verticalHeader().setMinimumSectionSize(self._line)
        self.verticalHeader().setDefaultSectionSize(self._line)
        if self._headings is not None:
            self._headings.colour = look.text_color("muted")
            self._headings.setFont(look.font("small"))  # headings are cut by its widths, not the style sheet's
        self._metrics = QFontMetrics(look.font("small"))
        self._fit()

    @Slot(QModelIndex, QModelIndex)
    def _choose(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.head_chosen.emit(*self._model.place_of(current.row()))

    @Slot()
    def _choose_again(self) -> None:
        """Select the chosen head's row again after sorting."""
        self.choose(self._chosen)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Set the height for the headings, the rows, and the horizontal scroll bar, if needed."""
        top, bar, lines = self._line, 0, _SORTED_LINES
        if self._headings is not None:
            bar = self.horizontalScrollBar().sizeHint().height() if self._share_width(self._headings) else 0
            longest = max((column_height(each.heading, self._metrics) for each in self.columns), default=0)
            top, lines = max(top, longest + 10) if self._headings.turned else top, _LINES
        self.horizontalHeader().setFixedHeight(top)
        self.setFixedHeight(top + self._line * min(self._model.rowCount(), lines) + 2 + bar)

    def _share_width(self, headings: _TurnedHeadings) -> bool:
        """Give each column the width of its heading, or, where these do not fit, turn them and share the room.

        If not even the numbers fit, the columns scroll: return whether they do.
        """
        wide, rows = self._metrics.horizontalAdvance, self._model.rowCount()
        first = wide(head_name(*self._model.place_of(rows - 1)) if rows else "0.0") + self._line + 8
        least = QFontMetrics(self._model.bold).horizontalAdvance(".00") + _BESIDE_NUMBER
        wanted = [max(least, wide(each.heading) + _BESIDE_HEADING) for each in self.columns]
        room = self.viewport().width() - first
        headings.turned = sum(wanted) > room
        if headings.turned:
            share = max(least, room / len(wanted))
            wanted = [int(share * (place + 1)) - int(share * place) for place in range(len(wanted))]
        self.setColumnWidth(0, first)
        for column, width in enumerate(wanted, start=1):
            self.setColumnWidth(column, width)
        return sum(wanted) > room

    _line = _LINE
