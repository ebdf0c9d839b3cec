"""One head, large: cells, hatching, values, zoom by wheel, hand and keyboard; with traces made by hand."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, ground, heatmap_colours, inside, look
from hands import Hands
from made_traces import attention_trace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.colours import HIGHEST, LOWEST, MASKED, NOT_FINITE, quantise
from attnviz.experiment.labs import LABS
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.layered.stage import LayerStage
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.plots.tensors.head_colours import head_colour
from attnviz.gui.theme import DARK, LIGHT, Look, restyle
from attnviz.gui.widgets.selection import SelectionModel

Show = Callable[[AttentionTrace], LayerStage[AttentionTrace, AttentionViewSettings]]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    """Return a function that shows a trace on a stage of 800x640."""
    stage: LayerStage[AttentionTrace, AttentionViewSettings] = LayerStage(
        LABS["attention"], Look(LIGHT), SelectionModel(), CurrentView(AttentionViewSettings())
    )
    qtbot.addWidget(stage)
    stage.resize(800, 640)

    def show_it(trace: AttentionTrace) -> LayerStage[AttentionTrace, AttentionViewSettings]:
        stage.show_trace(trace)
        stage.show()
        return stage

    return show_it


def random_weights(*shape: int, seed: int = 0) -> Any:
    weights = np.random.default_rng(seed).random(shape)
    return weights / weights.sum(axis=-1, keepdims=True)


def heatmap_of(stage: LayerStage[AttentionTrace, AttentionViewSettings]) -> Heatmap:
    return stage.heatmap


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("shape", [(1, 1), (1, 10), (3, 4), (10, 10), (40, 30), (2, 60)])
def test_that_every_cell_has_the_colour_of_its_weight(shape: tuple[int, int], theme: Any, show: Show) -> None:
    trace = attention_trace(random_weights(1, 1, *shape))
    stage = show(trace)
    restyle(stage, Look(theme))
    assert (heatmap_colours(stage.heatmap, shape) == colours_of(stage.table, trace.levels()[0, 0])).all()


@pytest.mark.parametrize("width", range(500, 523, 7))
def test_that_every_cell_has_its_colour_at_any_size_of_the_window(width: int, show: Show) -> None:
    trace = attention_trace(random_weights(1, 1, 25, 33))
    stage = show(trace)
    stage.resize(width, width - 37)
    assert (heatmap_colours(stage.heatmap, (25, 33)) == colours_of(stage.table, trace.levels()[0, 0])).all()


@pytest.mark.parametrize("shape", [(600, 900), (2000, 2000), (1, 3000)])
def test_that_a_matrix_of_any_size_lies_within_the_heatmap(shape: tuple[int, int], show: Show) -> None:
    heatmap = heatmap_of(show(attention_trace(np.zeros((1, 1, *shape)))))
    assert QRectF(heatmap.rect()).contains(heatmap.cells)


def test_that_weights_finer_than_pixels_show_the_largest_of_those_they_stand_for(show: Show) -> None:
    weights = np.zeros((1, 1, 2000, 2000))
    weights[..., 0] = 1
    weights[0, 0, 1234, 777] = 1
    stage = show(attention_trace(weights))
    area = stage.heatmap.cells
    x = area.x() + area.width() * 777.5 / 2000
    y = area.y() + area.height() * 1234.5 / 2000
    around = look(stage.heatmap)[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3]
    assert colours_of(stage.table, np.array(HIGHEST)) in around


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_a_masked_cell_has_no_pixel_in_the_colour_of_a_weight(theme: Any, show: Show) -> None:
    mask = np.tril(np.ones((5, 5), bool))
    weights = mask / mask.sum(axis=-1, keepdims=True)
    stage = show(attention_trace(weights[None, None], mask))
    restyle(stage, Look(theme))
    picture, table = look(stage.heatmap), stage.table
    weight_colours = colours_of(table, np.arange(LOWEST, HIGHEST + 1, dtype=np.uint8))
    for row, column in np.argwhere(~mask):
        cell = inside(picture, stage.heatmap.rect_of(row, column))
        assert ground(picture, stage.heatmap.rect_of(row, column)) == colours_of(table, np.array(MASKED))
        assert not np.isin(cell, weight_colours).any()
        assert len(np.unique(cell)) > 1, "there is no hatching"


def test_that_an_allowed_cell_of_weight_0_is_not_drawn_as_a_masked_one(show: Show) -> None:
    trace = attention_trace([[[[0.0, 1.0, 0.0]]]], np.array([True, True, False]))
    stage = show(trace)
    colours = heatmap_colours(stage.heatmap, (1, 3))[0]
    assert colours.tolist() == colours_of(stage.table, np.array([LOWEST, HIGHEST, MASKED])).tolist()
    assert len(set(colours.tolist())) == 3


def test_that_cells_that_are_not_a_number_have_a_colour_of_their_own(show: Show) -> None:
    trace = attention_trace([[[[np.nan, np.nan], [0.3, 0.7]]]], np.array([[False, False], [True, True]]))
    stage = show(trace)
    colours = heatmap_colours(stage.heatmap, (2, 2))
    own = colours_of(stage.table, np.array(NOT_FINITE))
    assert (colours[0] == own).all()
    assert own not in colours_of(stage.table, np.arange(NOT_FINITE, dtype=np.uint8))


def test_that_values_are_printed_where_they_fit_and_nowhere_else(show: Show) -> None:
    few = show(attention_trace(np.full((1, 1, 2, 2), 0.5)))
    printed = inside(look(few.heatmap), few.heatmap.rect_of(0, 1))
    assert len(np.unique(printed)) > 1
    narrow = show(attention_trace(np.full((1, 1, 2, 32), 0.5)))
    upright = inside(look(narrow.heatmap), narrow.heatmap.rect_of(0, 1))
    rows, columns = np.nonzero(upright != upright[0, 0])
    assert np.ptp(rows) > np.ptp(columns), "too wide for its cell, it stands"
    many = show(attention_trace(np.full((1, 1, 40, 40), 0.025)))
    bare = inside(look(many.heatmap), many.heatmap.rect_of(0, 1))
    assert len(np.unique(bare)) == 1


def test_that_each_place_belongs_to_the_cell_that_is_drawn_there(show: Show) -> None:
    heatmap = heatmap_of(show(attention_trace(random_weights(1, 1, 7, 9))))
    for row in range(7):
        for column in range(9):
            rect = heatmap.rect_of(row, column)
            for place in (rect.center(), rect.topLeft() + QPointF(0.5, 0.5), rect.bottomRight() - QPointF(0.5, 0.5)):
                assert heatmap.cell_at(place) == Cell(row, column)
    assert heatmap.cell_at(heatmap.cells.topLeft() - QPointF(2, 2)) is None
    assert heatmap.cell_at(heatmap.cells.bottomRight() + QPointF(2, 2)) is None


def test_that_the_wheel_zooms_about_the_mouse_and_a_double_click_shows_all(show: Show, hands: Hands) -> None:
    trace = attention_trace(random_weights(1, 1, 20, 20))
    stage = show(trace)
    heatmap = stage.heatmap
    whole = heatmap.cells
    place = heatmap.rect_of(5, 12).center()
    size = heatmap.rect_of(5, 12).width()
    for _ in range(5):
        hands.wheel(heatmap, place, 1)
        assert heatmap.cell_at(QPointF(place.toPoint())) == Cell(5, 12)
    assert heatmap.rect_of(5, 12).width() > 2 * size
    seen = heatmap.rect_of(5, 12)
    assert ground(look(heatmap), seen) == colours_of(stage.table, trace.levels()[0, 0, 5, 12])
    hands.qtbot.mouseDClick(heatmap, Qt.MouseButton.LeftButton, pos=place.toPoint())
    assert heatmap.cells == whole
    assert (heatmap_colours(heatmap, (20, 20)) == colours_of(stage.table, trace.levels()[0, 0])).all()


def test_that_zooming_out_ends_at_the_whole_matrix(show: Show, hands: Hands) -> None:
    heatmap = heatmap_of(show(attention_trace(random_weights(1, 1, 20, 20))))
    whole = heatmap.cells
    for notches in (1, 1, -1, -1, -1, -1):
        hands.wheel(heatmap, heatmap.cells.center(), notches)
    assert heatmap.cells == whole


def test_that_a_drag_moves_the_zoomed_matrix_and_locks_nothing(show: Show, hands: Hands) -> None:
    heatmap = heatmap_of(show(attention_trace(random_weights(1, 1, 20, 20))))
    place = heatmap.cells.center()
    for _ in range(4):
        hands.wheel(heatmap, place, 1)
    clicked: list[Cell] = []
    heatmap.clicked.connect(clicked.append)
    under = heatmap.cell_at(place)
    assert under is not None
    before = heatmap.rect_of(under.row, under.column)
    by = QPoint(60, 40)
    hands.qtbot.mousePress(heatmap, Qt.MouseButton.LeftButton, pos=place.toPoint())
    hands.drag(heatmap, place.toPoint() + by / 2)
    hands.drag(heatmap, place.toPoint() + by)
    hands.qtbot.mouseRelease(heatmap, Qt.MouseButton.LeftButton, pos=place.toPoint() + by)
    moved = heatmap.rect_of(under.row, under.column).topLeft() - before.topLeft()
    assert (moved - QPointF(by)).manhattanLength() < 2
    assert not clicked


def test_that_a_drag_over_a_heatmap_that_has_no_matrix_yet_does_nothing(qtbot: QtBot, hands: Hands) -> None:
    heatmap = Heatmap(Look(LIGHT), "")
    qtbot.addWidget(heatmap)
    heatmap.resize(300, 200)
    seen: list[object] = []
    heatmap.hovered.connect(seen.append)
    qtbot.mousePress(heatmap, Hands.left, pos=QPoint(50, 50))
    hands.drag(heatmap, QPoint(90, 80))
    qtbot.mouseRelease(heatmap, Hands.left, pos=QPoint(90, 80))
    assert seen == [None]


def test_that_a_zoom_stays_with_new_weights_and_goes_with_a_new_shape(show: Show, hands: Hands) -> None:
    stage = show(attention_trace(random_weights(1, 1, 20, 20)))
    heatmap = stage.heatmap
    for _ in range(4):
        hands.wheel(heatmap, heatmap.cells.center(), 1)
    zoomed = heatmap.rect_of(3, 3)
    stage.show_trace(attention_trace(random_weights(1, 1, 20, 20, seed=1)))
    assert heatmap.rect_of(3, 3) == zoomed
    stage.show_trace(attention_trace(random_weights(1, 1, 20, 21)))
    assert heatmap.cell_at(heatmap.cells.topLeft() + QPointF(1, 1)) == Cell(0, 0)
    assert heatmap.cell_at(heatmap.cells.bottomRight() - QPointF(1, 1)) == Cell(19, 20)


def test_that_pointing_draws_the_marks_alone_and_not_the_cells_again(show: Show, qtbot: QtBot) -> None:
    stage = show(attention_trace(random_weights(1, 1, 10, 10)))
    look(stage.heatmap)
    drawn: list[float] = []
    stage.heatmap.painted.connect(drawn.append)
    before = look(stage.heatmap)
    stage.heatmap.select(Cell(4, 4))
    after = look(stage.heatmap)
    assert not drawn
    assert (before != after).any()


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


@pytest.mark.parametrize("name", ["17th", "seventeen"])  # the first stands upright above its column
def test_that_before_an_audience_the_chosen_row_and_column_are_named_and_nothing_touches_the_name(
    name: str, qtbot: QtBot
) -> None:
    pictures, row, column = [], 17, 23
    for other in ("", "ab"):
        heatmap = Heatmap(Look(LIGHT).presented(800), "weights")
        qtbot.addWidget(heatmap)
        heatmap.resize(600, 600)
        values = np.zeros((50, 50))
        names = [tuple(name if each == place else other for each in range(50)) for place in (row, column)]
        levels, titles = quantise(values, None, 0, 1), {"title": "", "row_title": "queries", "column_title": "keys"}
        heatmap.show_matrix(Matrix(levels, values, None, *names, row_sums=None, **titles), TABLE)
        heatmap.show()
        heatmap.select(Cell(row, column))
        pictures.append(look(heatmap))
        area = heatmap.cells.toAlignedRect()
    alone, among = pictures
    ink = alone != alone[0, 0]
    ink[area.top() - 3 :, area.left() - 3 : area.right() + 4] = False
    assert ink[: area.top()].any()  # the column's
    assert ink[:, : area.left() - 3].any()
    near = np.any([np.roll(ink, (down, right), (0, 1)) for down in (-1, 0, 1) for right in (-1, 0, 1)], axis=0)
    near[area.top() - 3 :, area.left() - 3 :] = False
    assert (among[near] == alone[near]).all()
    assert (among != alone).any()


def test_that_plus_zooms_in_about_the_held_cell_and_zero_shows_all(heatmap: Heatmap, qtbot: QtBot) -> None:
    heatmap.select(Cell(15, 25))
    place = heatmap.rect_of(15, 25).center()
    for _ in range(3):
        qtbot.keyClick(heatmap, Qt.Key.Key_Plus)
    assert len(heatmap.view.rows()) < heatmap.view.shape[0]
    assert heatmap.rect_of(15, 25).contains(place)
    assert heatmap.rect_of(15, 25).width() > 1.5 * 700 / 60
    qtbot.keyClick(heatmap, Qt.Key.Key_Minus)
    assert len(heatmap.view.rows()) < heatmap.view.shape[0]
    qtbot.keyClick(heatmap, Qt.Key.Key_0)
    assert len(heatmap.view.rows()) == heatmap.view.shape[0]
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


def test_that_a_title_without_room_is_whole_in_a_tooltip_above_the_cells_alone(qtbot: QtBot) -> None:
    heatmap = Heatmap(Look(LIGHT), "queries")
    qtbot.addWidget(heatmap)
    values = np.random.default_rng(0).random((ROWS, COLUMNS))
    numbers = {"row_labels": tuple(map(str, range(ROWS))), "column_labels": tuple(map(str, range(COLUMNS)))}
    titled = Matrix(
        quantise(values, None, 0, 1), values, None, **numbers, row_sums=None, title="X_q", note="queries, 20 × 30",
        row_title="queries", column_title="features", square=False,
    )  # fmt: skip
    heatmap.resize(700, 420)
    heatmap.show_matrix(titled, TABLE)
    assert heatmap.hidden_title == ""
    heatmap.resize(40, 420)
    heatmap.show()
    assert heatmap.reduced
    whole = "X_q (a pixel shows the largest of its cells; zoom in)\nqueries, 20 × 30"
    assert heatmap.hidden_title == whole
    for place, said in ((heatmap.cells.center().toPoint(), ""), (QPoint(30, 4), whole)):
        QApplication.sendEvent(heatmap, QHelpEvent(QEvent.Type.ToolTip, place, heatmap.mapToGlobal(place)))
        assert QToolTip.text() == said
    QToolTip.hideText()


def test_that_the_last_number_of_a_matrix_that_fills_its_room_is_not_cut(heatmap: Heatmap) -> None:
    heatmap.show_matrix(matrix(square=False), TABLE)
    beside = QRectF(heatmap.cells.right() + 1, 0, heatmap.width() - heatmap.cells.right() - 1, heatmap.cells.top())
    words = heatmap.fontMetrics().horizontalAdvance(str(COLUMNS)) / 2 - heatmap.rect_of(0, 0).width() / 2
    assert beside.width() >= words


@pytest.mark.parametrize(("width", "upright"), [(700, True), (260, False)])
def test_that_words_are_upright_where_they_fit_over_their_columns(width: int, upright: bool, qtbot: QtBot) -> None:
    heatmap = Heatmap(Look(LIGHT), "weights")
    qtbot.addWidget(heatmap)
    values = np.random.default_rng(0).random((4, 4))
    words = ("walked", "street", "animal", "across")
    titles = {"title": "", "row_title": "queries", "column_title": "keys"}
    heatmap.resize(width, width)
    heatmap.show_matrix(Matrix(quantise(values, None, 0, 1), values, None, words, words, None, **titles), TABLE)
    heatmap.show()
    above = look(heatmap)[: int(heatmap.cells.top()) - 2, int(heatmap.cells.left()) :]
    inked = np.flatnonzero((above != above[0, 0]).any(axis=1))
    assert (np.ptp(inked) < heatmap.fontMetrics().height()) == upright


@pytest.mark.parametrize(("width", "named"), [(0.95, 8), (0.7, 4)])
def test_that_letters_are_narrow_before_every_second_word_is_left_out(width: float, named: int, qtbot: QtBot) -> None:
    heatmap = Heatmap(Look(LIGHT), "weights")
    qtbot.addWidget(heatmap)
    values, words = np.zeros((8, 8)), ("wmwm",) * 8
    titles = {"title": "", "row_title": "queries", "column_title": "keys"}
    heatmap.show_matrix(Matrix(quantise(values, None, 0, 1), values, None, words, words, None, **titles), TABLE)
    heatmap.show()
    heatmap.resize(300, 300)
    needed = QFontMetrics(Look(LIGHT).font("small")).horizontalAdvance("wmwm") + Look(LIGHT).px(4)
    more = round((width * needed - heatmap.rect_of(0, 0).width()) * 8)
    heatmap.resize(300 + more, 300 + more)
    above = look(heatmap)[: int(heatmap.cells.top()) - 2]
    inked = (above != above[0, 0]).any(axis=0)
    middles = [int(heatmap.rect_of(0, column).center().x()) for column in range(8)]
    assert sum(inked[middle - 5 : middle + 5].any() for middle in middles) == named
    if named == 8:
        gaps = [inked[(a + b) // 2 - 4 : (a + b) // 2 + 4] for a, b in pairwise(middles)]
        assert not any(gap.all() for gap in gaps), "no word touches the next"


def test_that_a_wide_word_between_short_ones_takes_no_word_from_its_neighbours(qtbot: QtBot) -> None:
    heatmap = Heatmap(Look(LIGHT), "weights")
    qtbot.addWidget(heatmap)
    values, words = np.zeros((8, 8)), ("it", "it", "wmwm", "it", "it", "it", "wmwm", "it")
    titles = {"title": "", "row_title": "queries", "column_title": "keys"}
    matrix = Matrix(quantise(values, None, 0, 1), values, None, words, words, None, **titles)
    heatmap.show_matrix(matrix, TABLE)
    heatmap.show()
    widest = QFontMetrics(Look(LIGHT).font("small")).horizontalAdvance("wmwm")
    heatmap.resize(300, 300)
    more = round((widest - heatmap.rect_of(0, 0).width()) * 8)
    heatmap.resize(300 + more, 300 + more)
    assert heatmap.rect_of(0, 0).width() < widest + 4
    above = look(heatmap)[: int(heatmap.cells.top()) - 2]
    inked = (above != above[0, 0]).any(axis=0)
    for column in range(8):
        middle = heatmap.rect_of(0, column).center().x()
        assert inked[int(middle - 5) : int(middle + 5)].any(), column
