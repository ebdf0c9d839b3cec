"""The large heatmap by keyboard alone: zoom about the held cell, keep it in sight, show everything again."""

from typing import Any

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours, look
from PySide6.QtCore import QRectF, Qt
from pytestqt.qtbot import QtBot

from attnviz.experiment.colours.levels import quantise
from attnviz.gui.plots.matrix.cell_view import Cell
from attnviz.gui.plots.matrix.colour_table import colour_table
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Matrix
from attnviz.gui.plots.tensors.head_colours import head_colour
from attnviz.gui.theme import LIGHT, Look

TABLE = colour_table("viridis", LIGHT)
ROWS, COLUMNS = 20, 30


def matrix(**others: Any) -> Matrix:
    values = np.random.default_rng(0).random((ROWS, COLUMNS))
    numbers = {"row_labels": tuple(map(str, range(ROWS))), "column_labels": tuple(map(str, range(COLUMNS)))}
    titles = {"title": "", "row_title": "queries", "column_title": "keys"}
    return Matrix(quantise(values, None, 0, 1), values, None, row_sums=None, **numbers, **titles, **others)


@pytest.fixture
def heatmap(qtbot: QtBot) -> Heatmap:
    heatmap = Heatmap(Look(LIGHT), "weights")
    qtbot.addWidget(heatmap)
    heatmap.resize(700, 420)
    heatmap.show_matrix(matrix(), TABLE)
    heatmap.clicked.connect(heatmap.select)
    heatmap.show()
    return heatmap


def test_that_plus_zooms_in_about_the_held_cell_and_zero_shows_all(heatmap: Heatmap, qtbot: QtBot) -> None:
    heatmap.select(Cell(15, 25))
    place = heatmap.rect_of(15, 25).center()
    for _ in range(3):
        qtbot.keyClick(heatmap, Qt.Key.Key_Plus)
    assert heatmap.view.zoomed
    assert heatmap.rect_of(15, 25).contains(place)
    assert heatmap.rect_of(15, 25).width() > 1.5 * 700 / 60
    qtbot.keyClick(heatmap, Qt.Key.Key_Minus)
    assert heatmap.view.zoomed
    qtbot.keyClick(heatmap, Qt.Key.Key_0)
    assert not heatmap.view.zoomed
    assert (heatmap_colours(heatmap, (2, 2)) == colours_of(TABLE, matrix().levels[:2, :2])).all()


def test_that_without_a_held_cell_the_middle_is_zoomed(heatmap: Heatmap, qtbot: QtBot) -> None:
    for _ in range(4):
        qtbot.keyClick(heatmap, Qt.Key.Key_Plus)
    visible = heatmap.view.visible
    assert visible.contains(QRectF(COLUMNS / 2 - 0.5, ROWS / 2 - 0.5, 1, 1))


def test_that_an_arrow_brings_the_cell_into_sight(heatmap: Heatmap, qtbot: QtBot) -> None:
    heatmap.select(Cell(0, 0))
    for _ in range(8):
        qtbot.keyClick(heatmap, Qt.Key.Key_Plus)
    for key, steps in ((Qt.Key.Key_Right, COLUMNS - 1), (Qt.Key.Key_Down, ROWS - 1)):
        for _ in range(steps):
            qtbot.keyClick(heatmap, key)
    last = heatmap.rect_of(ROWS - 1, COLUMNS - 1)
    assert heatmap.cells.adjusted(-0.01, -0.01, 0.01, 0.01).contains(last)
    inside = last.adjusted(4, 4, -4, -4).toRect()
    seen = look(heatmap)[inside.top() : inside.bottom(), inside.left() : inside.right()]
    assert colours_of(TABLE, matrix().levels[-1:, -1:])[0, 0] in seen


def test_that_a_cell_in_sight_moves_nothing(heatmap: Heatmap, qtbot: QtBot) -> None:
    heatmap.select(Cell(10, 15))
    for _ in range(3):
        qtbot.keyClick(heatmap, Qt.Key.Key_Plus)
    before = QRectF(heatmap.view.visible)
    qtbot.keyClick(heatmap, Qt.Key.Key_Right)
    assert heatmap.view.visible == before


@pytest.mark.parametrize("heads", [2, 3, 5])
def test_that_each_heads_slice_has_a_line_in_its_colour(heads: int, heatmap: Heatmap) -> None:
    heatmap.show_matrix(matrix(square=False, slices=heads), TABLE)
    picture = look(heatmap)
    y = int(heatmap.cells.bottom()) + 3
    for head in range(heads):
        middle = heatmap.rect_of(0, head * COLUMNS // heads).left() + heatmap.cells.width() / heads / 2
        assert picture[y, int(middle)] == head_colour(head, heads, LIGHT).rgb() & 0xFFFFFF
