"""The table of numbers: the tensor that the picture draws, the same held cell, words for each cell, and copies."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from attention_hands import stage_of
from hands import Hands
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_trace, regression, transformer
from windows import At

from attnviz.gui.layers.numbers_table import NumbersTable
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SENTENCE = attention(
    inputs={"kind": "sentence", "text": "the dog ran off"},
    self_attention=True,
    causal=True,
    batch_size=1,
    num_queries=4,
    num_kvpairs=4,
)


@pytest.fixture
def opened(qtbot: QtBot) -> Iterator[Any]:
    """Return a function that presses T upon the picture of a window, and returns the table."""
    shown: list[NumbersTable] = []

    def press(window: MainWindow) -> NumbersTable:
        stage: Any = window.room.stage
        qtbot.waitUntil(window.isActiveWindow)
        QTest.keyClick(stage.tables[0], Qt.Key.Key_T)
        table: NumbersTable = stage.findChild(NumbersTable)
        shown.append(table)
        qtbot.waitUntil(table.isActiveWindow)
        return table

    yield press
    for table in shown:
        table.close()


def numbers(table: NumbersTable) -> Any:
    """Return the numbers of all its cells, by way of its model."""
    model: Any = table.table.model()
    rows, columns = model.rowCount(), model.columnCount()
    return np.array([[model.number(model.index(row, column)) for column in range(columns)] for row in range(rows)])


def choose(table: NumbersTable, title: str) -> None:
    table.which.setCurrentIndex(table.which.findText(title))
    table.which.activated.emit(table.which.currentIndex())


def spoken(table: NumbersTable, row: int, column: int) -> str:
    """Return what Qt tells a screen reader of a cell."""
    model: Any = table.table.model()
    interface = QAccessible.queryAccessibleInterface(table.table)
    cell = interface.child((row + 1) * (model.columnCount() + 1) + column + 1)  # the headers come before the cells
    assert cell.role() == QAccessible.Role.Cell
    return cell.text(QAccessible.Text.Name)


def test_that_the_table_has_the_tensors_of_every_stage(on: At, opened: Any) -> None:
    spec = attention(valid_lens=(3, 2))
    window, trace = on(spec), independent_trace(spec)
    table = opened(window)
    assert (numbers(table)[:, :-1] == trace.weights[0, 0]).all()
    assert (numbers(table)[:, -1] == trace.row_sums[0, 0]).all()
    stage = stage_of(window)
    for name, title, wanted in (
        ("project", "Q", trace.projected_q[0]),
        ("split", "Q", trace.projected_q[0]),
        ("scores", "item 1, head 1, scores", trace.scores[0, 0]),
        ("heads", "A V", trace.heads[0, 0]),
        ("merge", "H", trace.merged[0]),
        ("output", "output", trace.output[0]),
    ):
        stage.strip.go_to(name)
        choose(table, title)
        assert (numbers(table) == wanted).all(), name


def test_that_arrows_in_the_table_hold_the_cell_in_the_picture_and_the_picture_s_is_the_table_s(
    on: At, opened: Any, hands: Hands
) -> None:
    window = on(SENTENCE)
    table, room = opened(window), window.room
    assert room.selection.locked == Selection(0, 3, None), "to look holds nothing"
    for key, place in ((Qt.Key.Key_Up, (2, 0)), (Qt.Key.Key_Right, (2, 1)), (Qt.Key.Key_Up, (1, 1))):
        QTest.keyClick(table.table, key)
        assert room.selection.locked == Selection(0, *place)
    room.selection.lock(Selection(1, 3, 2))
    assert (table.table.currentIndex().row(), table.table.currentIndex().column()) == (3, 2)
    assert (numbers(table)[:, :-1] == independent_trace(SENTENCE).weights[0, 1]).all()


def test_that_the_table_begins_at_the_largest_of_a_row_that_is_held_by_no_cell(on: At, opened: Any) -> None:
    window = on(SENTENCE)
    largest = independent_trace(SENTENCE).weights[0].argmax(axis=-1)
    head, row = map(int, np.argwhere(largest)[0])
    window.room.selection.lock(Selection(head, row, None))
    table = opened(window).table
    assert (table.currentIndex().row(), table.currentIndex().column()) == (row, largest[head, row])
    assert window.room.selection.locked == Selection(head, row, None), "to look holds nothing"


def test_that_a_screen_reader_hears_the_numbers_of_a_cell_or_why_it_is_masked_and_the_sum_of_a_row(
    on: At, opened: Any
) -> None:
    window, trace = on(SENTENCE), independent_trace(SENTENCE)
    table = opened(window)
    weight, score = trace.weights[0, 0, 2, 1], trace.scores[0, 0, 2, 1]
    assert spoken(table, 2, 1) == f"query 3 “ran”, key 2 “dog”: weight {weight:.4g}, score {score:.4g}"
    masked = table.table.model().index(1, 2)
    assert spoken(table, 1, 2) == "query 2 “dog”, key 3 “ran”: masked: causal"
    assert masked.data() == ""
    assert spoken(table, 2, 4) == "row ran: sum 1"
    described = QAccessible.queryAccessibleInterface(table.table).text(QAccessible.Text.Description)
    assert described == "queries, keys: 4 rows, 4 columns"


def test_that_the_chosen_cells_are_copied_with_all_their_digits(on: At, opened: Any) -> None:
    window, trace = on(SENTENCE), independent_trace(SENTENCE)
    table = opened(window)
    table.table.selectAll()
    QTest.keyClick(table.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    copied = np.array([line.split("\t") for line in lines], np.float32)
    assert (copied[:, :-1] == trace.weights[0, 0]).all()


@pytest.mark.parametrize("key", [Qt.Key.Key_T, Qt.Key.Key_Escape])
def test_that_the_key_again_or_escape_closes_the_table_alone(key: Qt.Key, on: At, opened: Any) -> None:
    window = on(SENTENCE)
    window.room.selection.lock(Selection(0, 2, 1))
    table = opened(window)
    assert table.table.hasFocus()
    QTest.keyClick(table.table, key)
    assert not table.isVisible()
    assert window.room.selection.locked == Selection(0, 2, 1)


@pytest.mark.parametrize("spec", [transformer(), regression()], ids=["train", "regression"])
def test_that_other_labs_have_it_too_and_it_closes_with_the_lab(spec: Any, at: At, opened: Any) -> None:
    window, trace = at(spec), independent_trace(spec)
    table = opened(window)
    weights = trace.weights if spec.lab == "regression" else trace.layers[0].weights[0, 0]
    assert (numbers(table)[:, : weights.shape[-1]] == weights).all()
    at(SENTENCE)
    assert not table.isVisible()
