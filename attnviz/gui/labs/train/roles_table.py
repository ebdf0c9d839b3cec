"""The scores of every head in every role as a table; a box before each head switches it off."""

from math import isfinite
from typing import Any

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

from attnviz.definitions.counting import head_name
from attnviz.definitions.roles import Role
from attnviz.definitions.text import Text
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.train.role_words import score_text
from attnviz.gui.theme import Look
from attnviz.gui.widgets.columns import column_height, draw_in_column
from attnviz.gui.widgets.words import translate

_LINE, _LINES = 20, 12
_BESIDE_NUMBER, _BESIDE_HEADING = 3, 7
"""Pixels that a column has beside its number, and beside its heading."""
_Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole


class _RolesModel(QAbstractTableModel):
    switched = Signal(int, int)
    """The layer and the number of a head whose box was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[Role, ...] = ()
        self.trace: TrainTrace | None = None
        self.bold = QFont()

    def show_trace(self, trace: TrainTrace) -> None:
        old = self.trace
        if (
            old is not None
            and old.measured.scores.shape == trace.measured.scores.shape
            and old.spec.roles == trace.spec.roles
        ):
            self.trace = trace
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            return
        self.beginResetModel()
        self.trace, self.columns = trace, trace.spec.roles
        self.endResetModel()

    def place_of(self, row: int) -> tuple[int, int]:
        """Return the layer and the number of the head of a row."""
        assert self.trace is not None
        return divmod(row, self.trace.num_heads)

    @override
    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if self.trace is None else len(self.trace.layers) * self.trace.num_heads

    @override
    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 1 + len(self.columns)

    @override
    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 else flags

    @override
    def data(self, index: _Index, role: int = _Role.DisplayRole) -> Any:
        if self.trace is None:
            return None
        layer, head = self.place_of(index.row())
        name = head_name(layer, head)
        if index.column() == 0:
            on = name not in self.trace.spec.heads_off
            match role:
                case _Role.DisplayRole:
                    return name
                case _Role.CheckStateRole:
                    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
                case _Role.ToolTipRole | _Role.AccessibleDescriptionRole:
                    return self.tr("Clear the box to turn this head off: it then adds nothing to the residual stream")
            return None
        found = self.columns[index.column() - 1]
        match role:
            case _Role.DisplayRole:
                return _narrow(score_text(self.trace.score(found, layer, head)))
            case _Role.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case _Role.ToolTipRole | _Role.AccessibleDescriptionRole:
                return self._told(found, layer, head)
            case _Role.FontRole if self.trace.role(layer, head) is found:
                return self.bold
        return None

    def _told(self, role: Role, layer: int, head: int) -> str:
        """Return how sure a score is."""
        assert self.trace is not None
        score = self.trace.score(role, layer, head)
        if not isfinite(score):
            return self.tr(
                "Too few rows count: the head has nothing to do there, or parks its attention on the first token"
            )
        words = score_text(score), len(self.trace.spec.role_sequences), score_text(self.trace.lowest(role, layer, head))
        name = role.title_at(self.trace.distance(layer, head)).translated(translate)
        return f"{name}: " + self.tr("{0} on average over {1} sequences, at least {2} in each").format(*words)

    @override
    def setData(self, index: _Index, value: Any, role: int = _Role.EditRole) -> bool:
        if role != _Role.CheckStateRole or index.column() or self.trace is None:
            return False
        self.switched.emit(*self.place_of(index.row()))
        return False  # the mark follows when the trace without the head is there

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if section == 0:
            return translate("head") if role == _Role.DisplayRole else None
        found = self.columns[section - 1]
        match role:
            case _Role.DisplayRole:
                return translate(found.heading)
            case _Role.ToolTipRole | _Role.AccessibleDescriptionRole:
                return f"{translate(found.title)}: {translate(found.help)}\n{translate(found.spoken)}"
        return None


class _TurnedHeadings(QHeaderView):
    """A header whose headings, but the first one, are turned where they have no room otherwise."""

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


class RolesTable(QTableView):
    """A row for each head of each layer; the score of the role that names it is bold. A row chosen is a head chosen."""

    head_chosen = Signal(int, int)
    """A layer, and a head of it."""
    switched = Signal(int, int)
    """The layer and the head whose box was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _RolesModel()
        self._metrics = QFontMetrics(QFont())
        self._sizes: tuple[int, ...] = ()  # layers and heads of the rows, roles
        self.setModel(self._model)
        self.setObjectName("terms")
        self.setAccessibleName(self.tr("Roles of every head"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._headings = _TurnedHeadings(self)
        self.setHorizontalHeader(self._headings)
        self._headings.show()
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.selectionModel().currentRowChanged.connect(self._choose)
        self._model.switched.connect(self.switched)

    def show_trace(self, trace: TrainTrace, layer: int, head: int) -> None:
        """Show the heads of a trace, with one of them selected."""
        if trace is not self._model.trace:
            with QSignalBlocker(self.selectionModel()):
                self._model.show_trace(trace)
            if trace.role_scores.shape != self._sizes:
                self._sizes = trace.role_scores.shape
                heads = translate(Text("{count} heads", {"count": self._model.rowCount()}, "1 head"))
                self.setAccessibleDescription(heads)
                self._fit()
        at = self._model.index(layer * trace.num_heads + head, 0)
        if at.row() != self.currentIndex().row():
            rows = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            with QSignalBlocker(self.selectionModel()):
                self.selectionModel().setCurrentIndex(at, rows)
            self.scrollTo(at)
            self.viewport().update()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._line = look.px(_LINE)
        self._model.bold = look.font("small", bold=True)
        self.verticalHeader().setMinimumSectionSize(self._line)
        self.verticalHeader().setDefaultSectionSize(self._line)
        self._headings.colour = look.text_color("muted")
        self._headings.setFont(look.font("small"))  # headings are cut by its widths, not the style sheet's
        self._metrics = QFontMetrics(look.font("small"))
        self._fit()

    @Slot(QModelIndex, QModelIndex)
    def _choose(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.head_chosen.emit(*self._model.place_of(current.row()))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Take the height of the headings, the rows, and the bar that scrolls the columns, if they need one."""
        scrolls = self._share_width()
        longest = max((column_height(each, self._metrics) for each in self._headings_said), default=0)
        top = max(self._line, longest + 10) if self._headings.turned else self._line
        self._headings.setFixedHeight(top)
        bar = self.horizontalScrollBar().sizeHint().height() if scrolls else 0
        self.setFixedHeight(top + self._line * min(self._model.rowCount(), _LINES) + 2 + bar)

    def _share_width(self) -> bool:
        """Give each column the width of its heading, or, where these do not fit, turn them and share the room.

        Where not even the numbers fit, the columns scroll: return whether they do.
        """
        wide, trace = self._metrics.horizontalAdvance, self._model.trace
        longest = "0.0" if trace is None else head_name(len(trace.layers) - 1, trace.num_heads - 1)
        first = wide(longest) + self._line + 8
        least = QFontMetrics(self._model.bold).horizontalAdvance(".00") + _BESIDE_NUMBER
        wanted = [max(least, wide(each) + _BESIDE_HEADING) for each in self._headings_said]
        room = self.viewport().width() - first
        self._headings.turned = sum(wanted) > room
        if self._headings.turned:
            share = max(least, room / len(wanted))
            wanted = [int(share * (place + 1)) - int(share * place) for place in range(len(wanted))]
        self.setColumnWidth(0, first)
        for column, width in enumerate(wanted, start=1):
            self.setColumnWidth(column, width)
        return sum(wanted) > room

    @property
    def _headings_said(self) -> list[str]:
        return [translate(found.heading) for found in self._model.columns]

    _line = _LINE


def _narrow(score: str) -> str:
    """Return a score in less room: ".69", "1.0"."""
    return "1.0" if score == "1.00" else score.removeprefix("0")
