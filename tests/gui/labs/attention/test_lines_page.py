"""The page of lines follows the row and head of the matrix, and shows the weights of the item and head on screen."""

import json
from typing import Any

import pytest
from attention_hands import press_page, press_stage, stage_of
from hands import Hands
from PySide6.QtCore import QPoint
from small_specs import attention
from windows import At

from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.gui.layers.lines_page import LinesPage
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SPEC = attention(num_queries=4, num_kvpairs=6, valid_lens=(3, 6))


@pytest.fixture
def window(on: At, hands: Hands) -> MainWindow:
    shown = on(SPEC)
    shown.room.selection.lock(Selection(1, 2, 4))
    press_page(shown, "lines", hands)
    return shown


def page_of(window: MainWindow) -> Any:
    return stage_of(window).pages.page_of(LinesPage)


def test_that_the_row_and_the_head_stay_and_their_weights_are_drawn(window: MainWindow) -> None:
    picture, trace = page_of(window).picture, stage_of(window).trace
    assert (picture._picture.weights == trace.weights[0, 1]).all()
    assert (picture._picture.mask == trace.mask[0, 1]).all()
    assert (picture._shown.row, picture._shown.column) == (2, 4)
    assert picture.accessibleDescription().startswith("Query 3, head 2: key 5: weight 0, masked")
    stage_of(window).tools.items.setCurrentIndex(1)
    stage_of(window).tools.items.currentIndexChanged.emit(1)
    assert (picture._picture.weights == trace.weights[1, 1]).all()


def test_that_the_same_weights_can_be_read_as_a_table(window: MainWindow) -> None:
    picture, trace = page_of(window).picture, stage_of(window).trace
    assert (picture.matrix.values == trace.weights[0, 1]).all()
    picture.hold(Cell(0, 3))
    assert window.room.selection.locked == Selection(1, 0, 3)
    assert picture.marked == Cell(0, 3)


def test_that_a_tile_previews_and_chooses_its_head_and_keeps_the_row(window: MainWindow, hands: Hands) -> None:
    page, room = page_of(window), window.room
    tile = page.tiles.tiles[0]
    hands.point(page.tiles, tile)
    assert room.selection.current == Selection(0, 2, 4)
    assert (page.picture._picture.weights == stage_of(window).trace.weights[0, 0]).all()
    assert room.selection.locked.head == 1
    hands.click(page.tiles, tile)
    assert room.selection.locked == Selection(0, 2, 4)


def test_that_a_click_on_a_query_holds_its_row_on_every_page(window: MainWindow, hands: Hands) -> None:
    picture = page_of(window).picture
    ends = picture.places.ends
    hands.qtbot.mouseClick(picture, hands.left, pos=QPoint(round(ends.left - 20), round(ends.queries[1])))
    assert window.room.selection.locked == Selection(1, 1, None)
    press_page(window, "stages", hands)
    assert window.room.selection.locked == Selection(1, 1, None)


def test_that_another_stage_leaves_the_page_and_weights_are_its_own(window: MainWindow, hands: Hands) -> None:
    assert stage_of(window).strip.stage == "weights"
    press_stage(window, "scores", hands)
    assert (stage_of(window).view.page, stage_of(window).view.stage) == ("stages", "scores")


def test_that_every_query_is_strong_on_demand_and_files_say_so_only_then(window: MainWindow) -> None:
    stage = stage_of(window)
    assert not page_of(window).picture._picture.strong
    assert not stage.tools.every_query.isHidden()
    stage.tools.every_query.setChecked(True)
    assert page_of(window).picture._picture.strong
    assert json.loads(stage.view.model_dump_json())["every_query"] is True
    stage.tools.every_query.setChecked(False)
    assert "every_query" not in json.loads(stage.view.model_dump_json())
    assert AttentionViewSettings.model_validate_json(stage.view.model_dump_json()) == stage.view
