"""The terms of a score as a table: one line a feature, of which only those in sight are ever written out."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget
from typing_extensions import override

from attnviz.experiment.attention.cell import Terms
from attnviz.gui.theme import Look

_LINE, _LINES = 20, 5
_Index = QModelIndex | QPersistentModelIndex


class _TermsModel(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self.terms: Terms | None = None

    def show_terms(self, terms: Terms) -> None:
        old = self.terms
        same = old is not None and (old.kind, len(old.left)) == (terms.kind, len(terms.left))
        if same:
            self.terms = terms
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            return
        self.beginResetModel()
        self.terms = terms
        self.endResetModel()

    @property
    def columns(self) -> tuple[tuple[str, Any], ...]:
        terms = self.terms
        if terms is None:
            return ()
        if terms.kind == "product":
            return (("q", terms.left), ("k", terms.right), ("q · k", terms.terms))
        return (
            ("W_q q", terms.left),
            ("W_k k", terms.right),
            ("tanh", terms.features),
            ("w_v", terms.factors),
            (self.tr("product"), terms.terms),
        )

    @override
    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if self.terms is None else len(self.terms.left)

    @override
    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return len(self.columns)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            digits = 4 if len(self.columns) == 3 else 3
            return f"{self.columns[index.column()][1][index.row()]:.{digits}g}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self.columns[section][0] if orientation == Qt.Orientation.Horizontal else str(section)


class TermsTable(QTableView):
    """q, k and q · k of every feature; for additive attention the tanh features and their factors."""

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
        """What is shown."""
        return self._model.terms

    def show_terms(self, terms: Terms) -> None:
        """Show the terms of another cell; the place scrolled to stays where it can."""
        self._model.show_terms(terms)
        self._fit()

    def restyle(self, look: Look) -> None:
        """Take another type scale."""
        self.verticalHeader().setMinimumSectionSize(look.px(_LINE))
        self.verticalHeader().setDefaultSectionSize(look.px(_LINE))
        self.horizontalHeader().setFixedHeight(look.px(_LINE))
        self._line = look.px(_LINE)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._line * (min(self._model.rowCount(), _LINES) + 1) + 2)

    _line = _LINE
