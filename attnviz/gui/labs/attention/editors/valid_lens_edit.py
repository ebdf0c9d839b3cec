"""Valid lengths in a small table: none, one per batch item, or one per query."""

import re
from typing import Any, TypeVar

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)
from typing_extensions import override

from attnviz.definitions.counting import numbers
from attnviz.definitions.text import Text
from attnviz.experiment.attention import valid_lens as lens
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.gui.forms.editor import ComboBox, Editor
from attnviz.gui.theme import LIGHT, Look
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.explained import explain
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import translate

ItemT = TypeVar("ItemT")

_ROW, _COLUMN, _MOST_ROWS = 24, 34, 4


class ValidLensEdit(Editor):
    """Rows are batch items, columns queries (or one row of items). Any input is kept; the spec validates it."""

    fits_any = (None,)

    def __init__(self) -> None:
        super().__init__()
        self._look = Look(LIGHT)
        self._sizes = (1, 1, 1)  # batch, queries, keys
        self._draws = 0
        self._in_table = "none"  # the form of the lengths in the table
        self._form = self._form_box()
        self._table = self._make_table()
        row_of(self, self._form)
        self.below = QWidget()
        self._axes = caption()
        column_of(self.below, self._axes, self._table, self._filling_buttons(), gap=4)
        self.setFocusProxy(self._form)
        self._show_parts()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self._table.horizontalHeader().setMinimumSectionSize(look.px(_COLUMN))
        self._table.horizontalHeader().setDefaultSectionSize(look.px(_COLUMN))
        self._table.verticalHeader().setMinimumSectionSize(look.px(_ROW))
        self._table.verticalHeader().setDefaultSectionSize(look.px(_ROW))
        self._table.horizontalHeader().setFixedHeight(look.px(_ROW))
        self._show_parts()

    @override
    def value(self) -> Any:
        """Return the lengths; a cell that is not an integer is returned as its text."""
        form = self._form.currentData()
        if form == "none":
            return None
        rows = self._rows()
        return rows[0] if form == "item" else tuple(rows)

    @override
    def set_value(self, value: lens.ValidLens) -> None:
        if value is None and self._form.currentData() == "none":
            return
        form = "none" if value is None else "query" if lens.is_per_query(value) else "item"
        self._form.setCurrentIndex(self._form.findData(form))
        if value is not None:
            rows = value if lens.is_per_query(value) else (value,)
            self._fill([[str(length) for length in row] for row in rows])
        self._show_parts()

    @override
    def follow(self, spec: AttentionSpec) -> None:
        self.set_sizes(spec.batch_size, spec.num_queries, spec.num_kvpairs)

    def set_sizes(self, batch: int, queries: int, keys: int) -> None:
        """Adapt to the sizes that the lengths depend on: rows and columns are cut or repeated, lengths cut."""
        if (batch, queries, keys) == self._sizes:
            return
        self._sizes = (batch, queries, keys)
        form = self._form.currentData()
        if form == "none":
            return
        # Cells, not lengths: one that is not a number stays as typed, with its message.
        rows = [list(row) for row in self._rows()]
        count, width = (1, batch) if form == "item" else (batch, queries)
        rows = [_resized(row, width) for row in _resized(rows, count)]
        self._fill([[str(min(cell, keys) if isinstance(cell, int) else cell) for cell in row] for row in rows])
        self._show_parts()

    def _form_box(self) -> ComboBox:
        box = ComboBox()
        for form, title in (
            ("none", self.tr("All keys valid")),
            ("item", self.tr("Per item")),
            ("query", self.tr("Per query")),
        ):
            box.addItem(title, form)
        box.activated.connect(self._change_form)
        return box

    def _make_table(self) -> QTableWidget:
        table = QTableWidget()
        table.setAccessibleName(self.tr("Valid lengths"))
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setMinimumWidth(0)
        table.setTabKeyNavigation(False)  # arrows move between cells; Tab moves to the next field
        table.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        table.cellChanged.connect(self.edited)
        return table

    def _filling_buttons(self) -> QHBoxLayout:
        """Return the buttons that fill the whole table."""
        buttons = row_of(None, gap=4)
        for text, help_text, slot in (
            (self.tr("Equal"), self.tr("Set every length to the first one"), self._fill_equal),
            (self.tr("Random"), self.tr("Draw every length from 1 to the number of keys"), self._fill_random),
            (self.tr("Staircase"), self.tr("1, 2, 3, ... keys"), self._fill_staircase),
        ):
            buttons.addWidget(tiny_button(text, slot, help_text))
        buttons.addStretch(1)
        return buttons

    @Slot()
    def _change_form(self) -> None:
        """Keep the lengths in the other form if it can hold them; else every key is valid."""
        batch, queries, keys = self._sizes
        rows, form = self._rows(), self._form.currentData()
        if (self._in_table, form) == ("item", "query"):
            self._fill([[str(length)] * queries for length in rows[0]])
        elif (self._in_table, form) == ("query", "item") and all(len(set(row)) == 1 for row in rows):
            self._fill([[str(row[0]) for row in rows]])
        elif form != "none":
            self.set_value(lens.all_equal(keys, batch, queries if form == "query" else None))
        self._show_parts()
        self.edited.emit()

    @Slot()
    def _fill_equal(self) -> None:
        first = self._cell(0, 0)
        length = first if isinstance(first, int) else self._sizes[2]
        self._put(lens.all_equal(length, self._sizes[0], self._queries()))

    @Slot()
    def _fill_random(self) -> None:
        self._draws += 1
        self._put(lens.at_random(self._draws, self._sizes[2], self._sizes[0], self._queries()))

    @Slot()
    def _fill_staircase(self) -> None:
        self._put(lens.staircase(self._sizes[2], self._sizes[0], self._queries()))

    def _put(self, value: lens.ValidLens) -> None:
        self.set_value(value)
        self.edited.emit()

    def _queries(self) -> int | None:
        return self._sizes[1] if self._form.currentData() == "query" else None

    def _cell(self, row: int, column: int) -> int | str:
        item = self._table.item(row, column)
        text = item.text().strip() if item is not None else ""
        return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text

    def _rows(self) -> list[tuple[int | str, ...]]:
        columns = range(self._table.columnCount())
        return [tuple(self._cell(row, column) for column in columns) for row in range(self._table.rowCount())]

    def _fill(self, rows: list[list[str]]) -> None:
        with QSignalBlocker(self._table):
            self._table.setRowCount(len(rows))
            self._table.setColumnCount(len(rows[0]))
            self._table.setAccessibleDescription(translate(Text("{count} items", {"count": len(rows)}, "1 item")))
            self._table.setHorizontalHeaderLabels(numbers(len(rows[0])))
            self._table.setVerticalHeaderLabels(numbers(len(rows)))
            for row, texts in enumerate(rows):
                for column, text in enumerate(texts):
                    item = self._table.item(row, column)
                    if item is None:
                        item = QTableWidgetItem()
                        item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                        self._table.setItem(row, column, item)
                    item.setText(text)

    def _show_parts(self) -> None:
        form = self._in_table = self._form.currentData()
        assert self.below is not None
        self.below.setVisible(form != "none")
        self._table.verticalHeader().setVisible(form == "query")
        per_item, per_query = self.tr("one for each item"), self.tr("rows: items, columns: queries")
        self._axes.setText(per_item if form == "item" else per_query)
        explain(self._axes)
        rows = min(self._table.rowCount(), _MOST_ROWS)
        scrolls = self._table.columnCount() * _COLUMN > 200
        self._table.setFixedHeight(self._look.px((rows + 1) * _ROW) + 4 + (10 if scrolls else 0))


def _resized(items: list[ItemT], count: int) -> list[ItemT]:
    """Return the first ``count`` items; the last one is repeated if there are too few."""
    return items[:count] + items[-1:] * (count - len(items))
