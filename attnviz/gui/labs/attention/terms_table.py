"""The terms of a score as a table: one row per feature; only visible rows are formatted."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget
from typing_extensions import override

from attnviz.experiment.attention.cell import Terms
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import translate

_LINE, _LINES = 20, 5
_Index = QModelIndex | QPersistentModelIndex


class _TermsModel(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self.terms: Terms | None = None

    def show_terms(self, terms: Terms) -> None:
        old = self.terms
        if old is not None and _shape(old) == _shape(terms):
            self.terms = terms
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            return
        self.beginResetModel()
        self.terms = terms
        self.endResetModel()

    @override
    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if self.terms is None else len(self.terms.columns[0][1])

    @override
    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if self.terms is None else len(self.terms.columns)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and self.terms is not None:
            columns = self.terms.columns
            return f"{columns[index.column()][1][index.row()]:.{4 if len(columns) <= 3 else 3}g}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or self.terms is None:
            return None
        return translate(self.terms.columns[section][0]) if orientation == Qt.Orientation.Horizontal else str(section)


def _shape(terms: Terms) -> tuple[tuple[str, int], ...]:
    return tuple((name, len(numbers)) for name, numbers in terms.columns)


class TermsTable(QTableView):
    """The columns that a score is summed from, such as q, k and q · k, one row per feature."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _TermsModel()
        self.setModel(self._model)
        self.setObjectName("terms")
        self.setAccessibleName(self.tr("Terms of the score, feature by feature"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def terms(self) -> Terms | None:
        """The terms shown."""
        return self._model.terms

    def show_terms(self, terms: Terms) -> None:
        """Show the terms of another cell, at the same scroll position if possible."""
        self._model.show_terms(terms)
        self._fit()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.verticalHeader().setMinimumSectionSize(look.px(_LINE))
        self.verticalHeader().setDefaultSectionSize(look.px(_LINE))
        self.horizontalHeader().setFixedHeight(look.px(_LINE))
        self._line = look.px(_LINE)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._line * (min(self._model.rowCount(), _LINES) + 1) + 2)

    _line = _LINE
