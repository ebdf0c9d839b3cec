"""Batch items side by side: each picture is its item's, pointing reads that item, and a click chooses it."""

from typing import Any

import numpy as np
import pytest
from attention_hands import (
    as_it_opens,
    beside_the_picture,
    cell_levels,
    inspector_of,
    press_brush,
    stage_of,
    stroke,
    table_of,
)
from eyes import colours_of, grid_colours, heatmap_colours
from hands import Hands
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from small_specs import attention, independent_trace
from windows import At, Opener, Settle

from attnviz.experiment.files.specs_in_files import presets
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SPEC = attention(batch_size=3, num_queries=2, num_kvpairs=8, valid_lens=(6, 5, 8), seed=5)


@pytest.fixture
def three(at: At) -> MainWindow:
    """The module's window with three items, the first chosen."""
    window = as_it_opens(at(SPEC))
    QCoreApplication.processEvents()
    return window


def words(trace: Any, item: int, query: int, key: int) -> str:
    place = item, 0, query, key
    numbers = f"score {trace.scores[place]:.4f} · weight {trace.weights[place]:.4f} · "
    return f"head 1 · query {query + 1} · key {key + 1} · {numbers}"


def test_that_each_picture_is_of_its_item_in_the_order_of_the_batch(three: MainWindow) -> None:
    stage, trace = stage_of(three), independent_trace(SPEC)
    for chosen in (0, 2, 1):
        stage.current_view.propose(item=chosen)
        QCoreApplication.processEvents()
        pictures = stage.pages.heads.pictures
        places = [(picture.y(), picture.x()) for picture in pictures]
        assert places == sorted(places)
        for item, picture in enumerate(pictures):
            expected = colours_of(table_of(three, "weights"), cell_levels(trace, "weights", item)[0])
            assert (heatmap_colours(picture, (2, 8)) == expected).all()
        assert not stage.tools.item_box.isVisible()


@pytest.mark.parametrize("item", [1, 2])
def test_that_pointing_into_the_picture_of_another_item_reads_its_numbers(
    item: int, three: MainWindow, hands: Hands
) -> None:
    stage, trace = stage_of(three), independent_trace(SPEC)
    picture = stage.pages.heads.pictures[item]
    hands.point(picture, picture.rect_of(1, 2))
    assert stage.read_out.text().startswith(words(trace, item, 1, 2))
    row = trace.weights[item, 0, 1].astype(float)
    allowed = int(trace.mask[item, 0, 1].sum())
    assert inspector_of(three).row.facts.texts()[0::2] == (f"{row.sum():.4f}", f"{allowed} of 8 allowed")
    assert stage.view.item == 0
    beside_the_picture(three, hands)
    assert inspector_of(three).row.facts.texts()[2] == "6 of 8 allowed"


@pytest.mark.parametrize("item", [1, 2])
def test_that_a_click_into_the_picture_of_another_item_chooses_it_and_holds_the_cell(
    item: int, three: MainWindow, hands: Hands
) -> None:
    stage, trace = stage_of(three), independent_trace(SPEC)
    three.room.selection.lock(Selection(0, 1, 2))  # the same cell of the first item is held before
    picture = stage.pages.heads.pictures[item]
    hands.click(picture, picture.rect_of(1, 2))
    QCoreApplication.processEvents()
    beside_the_picture(three, hands)
    assert stage.view.item == item
    assert three.room.selection.locked == Selection(0, 1, 2)
    assert stage.read_out.text().startswith(f"held: {words(trace, item, 1, 2)}")
    levels = cell_levels(trace, "weights", item)
    assert (grid_colours(stage.grid, (2, 8)) == colours_of(table_of(three, "weights"), levels)).all()


@pytest.mark.parametrize(
    "values",
    [
        {"batch_size": 1, "valid_lens": (3,)},
        {"batch_size": 5, "valid_lens": None},
        {"num_kvpairs": 40, "num_queries": 8},
    ],
    ids=str,
)
def test_that_one_many_or_large_items_are_one_picture(values: dict[str, Any], at: At) -> None:
    window = as_it_opens(at(attention(**SPEC.model_dump(exclude_unset=True) | values)))
    stage = stage_of(window)
    assert stage.pages.heads.pictures == (stage.heatmap,)
    assert stage.tools.item_box.isVisible() == (window.controller.shown.items > 1)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["masked-softmax-book", "masked-softmax-2d-book"])
def test_that_both_items_of_the_masked_softmax_are_beside_each_other(name: str, at: At) -> None:
    stage = stage_of(as_it_opens(at(presets()[name].spec)))
    assert len(stage.pages.heads.pictures) == 2
    assert not stage.tools.item_box.isVisible()


def test_that_items_are_one_picture_at_a_stage_of_tensors_and_beside_each_other_again(three: MainWindow) -> None:
    stage = stage_of(three)
    stage.strip.go_to("heads")
    QCoreApplication.processEvents()
    assert stage.pages.heads.pictures == ()
    assert stage.tools.item_box.isVisible()
    stage.strip.go_to("scores")
    QCoreApplication.processEvents()
    assert len(stage.pages.heads.pictures) == 3
    assert np.all([picture.isVisible() for picture in stage.pages.heads.pictures])


def test_that_a_picture_keeps_keyboard_and_zoom_when_a_click_chooses_its_item(three: MainWindow, hands: Hands) -> None:
    stage = stage_of(three)
    first, second, _ = stage.pages.heads.pictures
    hands.wheel(second, second.cells.center(), 3)
    seen = second.view.visible
    hands.click(second, second.cells)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up):
        QTest.keyClick(three.focusWidget(), key)
        assert stage.view.item == 1
    assert three.room.selection.locked == Selection(0, 0, 6)
    assert stage.heatmap is second
    assert len(first.view.rows()) == first.view.shape[0]
    assert second.view.visible.size() == seen.size()


def test_that_a_brush_paints_in_the_picture_of_every_item(three: MainWindow, hands: Hands) -> None:
    stage = stage_of(three)
    press_brush(three, "forbid", hands)
    for column, picture in enumerate(stage.pages.heads.pictures):
        stroke(hands, picture, [picture.rect_of(0, column)])
    assert three.room.form.editor("painted").value() == "1: 1-3"
    assert stage.view.item == 0


def test_that_a_pointed_item_that_the_next_run_does_not_have_is_let_go(
    open_window: Opener, hands: Hands, settle: Settle
) -> None:
    window = open_window(attention(batch_size=3, num_queries=2, num_kvpairs=20))
    window.present(True, full_screen=False)  # the bars of the chosen row are of the item under the mouse
    QCoreApplication.processEvents()
    stage = stage_of(window)
    picture = stage.pages.heads.pictures[2]
    hands.point(picture, picture.rect_of(1, 2))
    assert stage.item == 2
    window.controller.propose(attention(batch_size=1, num_queries=2, num_kvpairs=20))
    settle(window)
    assert stage.item == 0
    assert stage.pages.heads.pictures == (stage.heatmap,)
