"""The statistics of all heads as a table that sorts by any column; selecting a row selects the head."""

from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.statistics import STATISTICS, Statistic
from attnviz.definitions.text import Text
from attnviz.experiment.layers.statistics import HeadStatistics
from attnviz.gui.layers.words import statistic_text
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import translate

_LINE, _LINES = 20, 9
_Index = QModelIndex | QPersistentModelIndex


class _HeadsModel(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[Statistic, ...] = tuple(STATISTICS.values())
        self.statistics: HeadStatistics | None = None
        self.order: list[int] = []
        self._sorted_by = (0, Qt.SortOrder.AscendingOrder)

    def show_statistics(self, statistics: HeadStatistics) -> None:
        self.beginResetModel()
        self.statistics = statistics
        self._rank()
        self.endResetModel()

    def _rank(self) -> None:
        if self.statistics is None:
            return
        column, direction = self._sorted_by
        values = self.statistics[self.columns[max(0, column - 1)].name]
        keys = values if column else np.arange(len(values))
        ranks = np.argsort(-keys if direction == Qt.SortOrder.DescendingOrder else keys, kind="stable")
        self.order = [int(head) for head in ranks]

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        self._sorted_by = (column, order)
        self._rank()
        self.layoutChanged.emit()

    @override
    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return len(self.order)

    @override
    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 1 + len(self.columns)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole or self.statistics is None:
            return None
        head = self.order[index.row()]
        if index.column() == 0:
            return str(SCREEN.head(head))
        statistic = self.columns[index.column() - 1]
        return statistic_text(statistic, float(self.statistics[statistic.name][head]), unit=False)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if section == 0:
            return translate("#") if role == Qt.ItemDataRole.DisplayRole else None
        statistic = self.columns[section - 1]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return translate(statistic.heading)
            case Qt.ItemDataRole.ToolTipRole:
                return f"{translate(statistic.help)}\n\nPyTorch: {statistic.torch}"
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return f"{translate(statistic.help)}: {translate(statistic.spoken)}"
        return None


class HeadsTable(QTableView):
    """Statistics of every head of the batch item on screen."""

    head_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _HeadsModel()
        self.setModel(self._model)
        self.setObjectName("terms")
        self.setAccessibleName(self.tr("Statistics of every head"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setSectionResizeMode(len(self._model.columns), QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setMinimumSectionSize(20)
        self.horizontalHeader().setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(self._choose)
        self._head = 0
        self._model.layoutChanged.connect(self._choose_again)

    @property
    def order(self) -> tuple[int, ...]:
        """The heads from top to bottom."""
        return tuple(self._model.order)

    def show_statistics(self, statistics: HeadStatistics, head: int) -> None:
        """Show the heads of a layer, with one of them selected."""
        if statistics is not self._model.statistics:
            with QSignalBlocker(self.selectionModel()):
                self._model.show_statistics(statistics)
            heads = translate(Text("{count} heads", {"count": len(self.order)}, "1 head"))
            self.setAccessibleDescription(heads)
            self._fit()
        self.choose(head)

    def choose(self, head: int) -> None:
        """Select the row of a head without a signal."""
        self._head = head
        if head in self._model.order:
            at = self._model.index(self._model.order.index(head), 0)
            rows = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            with QSignalBlocker(self.selectionModel()):
                self.selectionModel().setCurrentIndex(at, rows)
            self.viewport().update()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._line = look.px(_LINE)
        self.verticalHeader().setMinimumSectionSize(self._line)
        self.verticalHeader().setDefaultSectionSize(self._line)
        self.horizontalHeader().setFixedHeight(self._line)
        self._fit()

    @Slot(QModelIndex, QModelIndex)
    def _choose(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.head_chosen.emit(self._model.order[current.row()])

    @Slot()
    def _choose_again(self) -> None:
        """Select the chosen head's row again after sorting."""
        self.choose(self._head)

    def _fit(self) -> None:
        self.setFixedHeight(self._line * (min(self._model.rowCount(), _LINES) + 1) + 2)

    _line = _LINE
