"""A layer in an inspector: one row, one cell with the terms of its score, and every head in numbers."""

import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QTableView, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.experiment.layers.cell import AttentionCell, AttentionRow, CellStep, Terms, attention_cell, attention_row
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.sentences import key_head_said
from attnviz.experiment.layers.statistics import HeadStatistics
from attnviz.gui.layers.heads_view import cell_matrix
from attnviz.gui.layers.words import Compared, compared_said, mask_said, row_title, spoken_row, statistic_columns
from attnviz.gui.plots.heads.heads_table import HeadsTable
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.plots.tensors.row_bars import BarOrder, PooledValues, Row, RowBars
from attnviz.gui.theme import Look
from attnviz.gui.widgets.explained import explain, place_in_manual
from attnviz.gui.widgets.inspector import Facts, Inspector, StepList
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import number_text, translate

_LINE, _LINES = 20, 5
_WIDE_COLUMNS = 3
"""The most columns of terms with room for numbers of four digits."""
_DECIMALS = range(4, 8)
_MOST_IN_COLUMN = 1e5
"""Larger terms have no room for decimals."""
_CELL_MARGIN = 8
"""The padding of a cell in the summed column, at scale 1."""
_Index = QModelIndex | QPersistentModelIndex


class _TermsModel(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self.terms: Terms | None = None
        self._decimals: int | None = None  # of the summed column

    def show_terms(self, terms: Terms) -> None:
        old, self._decimals = self.terms, _decimals_of(terms)
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
            value = columns[index.column()][1][index.row()]
            if self._decimals is not None and index.column() == len(columns) - 1:
                return f"{value:.{self._decimals}f}"
            return _term(value, narrow=len(columns) > _WIDE_COLUMNS)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or self.terms is None:
            return None
        if orientation == Qt.Orientation.Vertical:
            return str(SCREEN.number(section))
        return translate(self.terms.columns[section][0])


def _term(value: float, *, narrow: bool) -> str:
    """Return a number that fits its column: five characters in a narrow one, such as ".899" and "-4e-5"."""
    if not narrow:
        return f"{value:.4g}"
    size = abs(value)
    text = f"{value:.3g}" if size >= 0.1 or not size else f"{value:.2g}" if size >= 0.001 else f"{value:.0e}"
    return re.sub(r"^(-?)0\.", r"\1.", text).replace("e-0", "e-")


def _decimals_of(terms: Terms) -> int | None:
    """Return the decimals with which the summed column adds up to the printed sum; None if no few do."""
    values = [float(value) for value in terms.columns[-1][1]]
    if not all(abs(value) < _MOST_IN_COLUMN for value in values):
        return None
    total = number(terms.total)
    sums = ((decimals, math.fsum(float(f"{value:.{decimals}f}") for value in values)) for decimals in _DECIMALS)
    return next((decimals for decimals, made in sums if number(made) == total), None)


def _shape(terms: Terms) -> tuple[tuple[str, int], ...]:
    return tuple((name, len(numbers)) for name, numbers in terms.columns)


class TermsTable(QTableView):
    """The columns that a score is summed from, such as q, k and q · k, one row per feature."""

    def __init__(self) -> None:
        super().__init__()
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
        self._fit_sums()

    def _fit_sums(self) -> None:
        """Make the summed column as wide as its numbers, which have more digits; the others share the rest."""
        model, last = self._model, self._model.columnCount() - 1
        if last < 0:
            return
        header = self.horizontalHeader()
        longest = max((str(model.index(row, last).data()) for row in range(model.rowCount())), key=len, default="")
        title = str(model.headerData(last, Qt.Orientation.Horizontal))
        wide = max(self.fontMetrics().horizontalAdvance(longest), header.fontMetrics().horizontalAdvance(title))
        for column in range(last):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(last, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(last, wide + self._margin)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._margin = look.px(_CELL_MARGIN)
        self.verticalHeader().setMinimumSectionSize(look.px(_LINE))
        self.verticalHeader().setDefaultSectionSize(look.px(_LINE))
        self.horizontalHeader().setFixedHeight(look.px(_LINE))
        self._line = look.px(_LINE)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._line * (min(self._model.rowCount(), _LINES) + 1) + 2)

    _line, _margin = _LINE, _CELL_MARGIN


class CellSection(QWidget):
    """The steps from the sum of the terms of the score to the weight, and the terms in a table."""

    def __init__(self) -> None:
        super().__init__()
        self.compared = QLabel()
        self.compared.setObjectName("number")
        self.compared.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.compared.hide()
        self.shared = caption(wraps=True, plain=True)
        self.shared.hide()
        self.terms = TermsTable()
        self.steps = StepList()
        column_of(self, self.compared, self.shared, self.steps, self.terms, gap=6)

    def show_compared(self, said: str) -> None:
        """Show the cell's numbers in two runs; "" hides the line."""
        show_text(self.compared, said)

    def show_cell(self, cell: AttentionCell, mask_said: str, *, dropout: bool, shared: str = "") -> None:
        """Show the arithmetic of a cell; ``mask_said`` is why it is masked, or that it may attend.

        ``shared`` tells which heads share its key; "" if none do.
        """
        self.terms.show()
        self.terms.show_terms(cell.terms)
        show_text(self.shared, shared)
        self.steps.show_steps(steps_of(cell, mask_said, dropout=dropout))

    def show_given(self, weight: float, mask_said: str) -> None:
        """Show a given weight, which has no arithmetic to show."""
        self.terms.hide()
        unknown = self.tr("How it was computed is not known: the weights were given.")
        self.steps.show_steps([(mask_said, ""), (self.tr("weight"), number(weight)), (unknown, "")])


def steps_of(cell: AttentionCell, mask_said: str, *, dropout: bool) -> list[tuple[str, str]]:
    """Return the lines of a cell's arithmetic: a name, and the number as text."""
    steps = [(translate(cell.terms.sum_title), number(cell.terms.total))]
    steps += [_line(step) for step in cell.steps]
    steps.append((translate("= score"), number(cell.score)))
    steps += [_line(step) for step in cell.changes]
    steps.append((mask_said, number(cell.masked_score)))
    if cell.empty:
        policy = None if cell.policy is None else translate(cell.policy.title)
        said = translate("no valid key in the row") if policy is None else translate("no valid key: {0}").format(policy)
        steps.append((said, ""))
    elif cell.weighed:
        steps += [_line(step) for step in cell.weighed]
    else:
        steps.append((translate("− largest of the row"), number(cell.row_max)))
        steps.append((translate("exp"), number(cell.exponential)))
        steps += [_line(step) for step in cell.sinks]
        if cell.sinks:
            steps.append((translate("÷ sum of exp over the row and the sink"), number(cell.normaliser)))
        else:
            steps.append((translate("÷ sum of exp over the row"), number(cell.normaliser)))
    steps.append((translate("= weight"), number(cell.weight)))
    if dropout:
        steps.append((translate("after dropout"), number(cell.dropped_weight)))
    return steps


def _line(step: CellStep) -> tuple[str, str]:
    return step.line.filled(translate), number(step.number)


def number(value: float) -> str:
    """Return a number as text, for a step."""
    return number_text(value, ".5f" if 1e-4 <= abs(value) < 1e5 or value == 0 else ".4e")


class RowSection(QWidget):
    """The selected query of the selected head in numbers.

    Its facts and pooled values, `values`, are placed by the inspector: below the cell, whose result should be visible.
    """

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.bars = RowBars(look)
        self.bars.steady = True
        self.facts = Facts((self.tr("sum"), self.tr("entropy"), self.tr("keys")))
        self.pooled = PooledValues(look)
        self.order = BarOrder()
        self.values = QWidget()
        column_of(self.values, self.facts, self.pooled, gap=4)
        column_of(self, self.bars)

    def show_row(
        self,
        layer: Layer,
        row: AttentionRow,
        place: tuple[int, int, int],
        lit: int | None,
        levels: NDArray[np.uint8],
        table: ColourTable,
    ) -> None:
        """Show the row at (item, head, query) in its colour levels, with the bar of the ``lit`` key highlighted."""
        by_weight = self.order.by_weight
        shown = Row(
            row.key_tokens,
            row.weights,
            levels,
            row.shown,
            lit,
            scores=None if layer.is_given else row.scores,
            score_name=row.score_name,
            after=None if row.dropped is None else row.dropped_weights,
            dropped=row.dropped,
            by_weight=by_weight,
        )
        self.bars.show_row(shown, table)
        total = number_text(row.row_sum)
        if row.sink is not None:
            total = self.tr("{0}, sink {1}").format(total, number_text(row.sink))
        if row.dropped is not None:
            after = number_text(layer.dropped_row_sums[place])
            total = self.tr("{0}, after dropout {1}").format(total, after)
        self.facts.show_facts(
            (
                total,
                self.tr("{0} bit").format(number_text(row.entropy, ".3f")),
                self.tr("{0} of {1} allowed").format(row.allowed, len(row.mask)),
            )
        )
        self.pooled.setVisible(not layer.is_given)
        if not layer.is_given:
            self.pooled.show_row(row)


class LayerSections(QObject):
    """The sections of an inspector about a layer: the selected row and cell, all taken from it, and all heads.

    It adds the row and the cell to the inspector; the inspector's own sections may come before the heads.
    """

    heads_unfolded = Signal()
    """The table of heads was opened; its statistics are computed only then."""

    def __init__(self, inspector: Inspector, look: Look, manual: str) -> None:
        """``manual``: the page of the manual that explains them."""
        super().__init__(inspector)
        self._inspector = inspector
        self.row = RowSection(look)
        self._row_caption = inspector.add_section("", self.row, self.row.order)
        self._of_row: list[QWidget] = [self._row_caption, self.row, self.row.order]
        self.cell = CellSection()
        self._cell_caption = inspector.add_section("", self.cell)
        explain(self._row_caption, self.tr("Query, head"))
        explain(self._cell_caption, self.tr("Query, key"))
        for part, anchor in ((self.row, "row"), (self.cell, "cell")):
            place_in_manual(part, f"{manual}#inspector-{anchor}")
        self.heads = HeadsTable(self.tr("Statistics of every head"), statistic_columns())
        self._statistics: HeadStatistics | None = None
        self.summary = ""
        """The screen reader's text for the selected row."""

    def add_values(self, title: str) -> None:
        """Add the values that the row pools, below the cell."""
        self._of_row += [self._inspector.add_section(title, self.row.values), self.row.values]

    def add_heads(self, title: str) -> None:
        """Add the table of heads, folded away."""
        self.heads_fold = self._inspector.add_fold(title, self.heads)
        self.heads_fold.toggled.connect(self.heads_unfolded)

    def show_selection(
        self,
        layer: Layer,
        item: int,
        chosen: Selection,
        table: ColourTable,
        contrast: str,
        compared: Compared | None = None,
        head_name: str = "",
    ) -> None:
        """Show the selected row and cell of a batch item, in the colours that the matrix has under a contrast.

        ``compared`` is the pinned run A if the layer is shown as B beside it; ``head_name`` is as in `row_title`.
        """
        run = "" if compared is None else "B, "
        head = min(chosen.head, layer.num_heads - 1)
        query = min(chosen.query or 0, layer.weights.shape[2] - 1)
        row = attention_row(layer, item, head, query)
        key = chosen.key if chosen.key is not None and chosen.key < len(row.weights) else None
        self._row_caption.setText(run + row_title(layer, head, query, head_name))
        levels = layer.row_levels((item, head, query), contrast)
        if compared is not None and contrast:
            both = [each for each in (layer, compared.a) if head < each.num_heads and item < len(each.weights)]
            levels = cell_matrix(layer, "weights", item, head, "", contrast=contrast, beside=both).levels[query]
        self.row.show_row(layer, row, (item, head, query), key, levels, table)
        self._cell_caption.setVisible(key is not None)
        self.cell.setVisible(key is not None)
        if key is not None:
            cell_title = self.tr("Cell: query {0}, key {1}").format(SCREEN.number(query), SCREEN.number(key))
            self._cell_caption.setText(run + cell_title.upper())
            place = item, head, query, key
            self.cell.show_compared("" if compared is None else compared_said(compared, layer, place))
            if layer.is_given:
                self.cell.show_given(float(layer.weights[place]), mask_said(layer, place))
            else:
                cell = attention_cell(layer, *place)
                # A lab with names of heads tells it with the layer.
                shared = "" if head_name else translate(key_head_said(layer, head))
                self.cell.show_cell(cell, mask_said(layer, place), dropout=bool(layer.dropout), shared=shared)
        self.heads_fold.setVisible(layer.num_heads > 1)
        self.heads.choose(head)
        self.summary = run + spoken_row(row, head, key)
        self._inspector.setAccessibleDescription(self.summary)

    def show_part(self, on: bool) -> None:
        """Show the sections, or hide them while the layer has not come; `show_selection` then fills them."""
        for part in self._of_row:
            part.setVisible(on)
        if not on:
            self.summary = ""
            self._cell_caption.hide()
            self.cell.hide()
            self.heads_fold.hide()

    def show_heads(self, statistics: HeadStatistics, head: int) -> None:
        """Show the heads in numbers."""
        if statistics is not self._statistics:
            self._statistics = statistics
            self.heads.show_values(statistic_columns(statistics))
        self.heads.choose(head)


class LayerInspector(Inspector):
    """The right column of a lab that shows a layer."""

    def __init__(self, look: Look, manual: str) -> None:
        super().__init__()
        self.of_layer = LayerSections(self, look, manual)
        self.add_further(look)
        self.add_numbers(manual)

    def add_further(self, look: Look) -> None:
        """Add the lab's sections below the cell; reimplemented by a lab's inspector."""

    def add_numbers(self, manual: str) -> None:
        """Add the values of the row, and the table of heads."""
        self.of_layer.add_values(self.tr("Values"))
        self.of_layer.add_heads(self.tr("Heads"))
        place_in_manual(self.of_layer.heads_fold, f"{manual}#inspector-heads")
