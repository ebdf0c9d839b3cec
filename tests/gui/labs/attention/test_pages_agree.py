"""Pages, header, colour bar and selection of the attention lab are all about what is drawn."""

from typing import Any

import numpy as np
import pytest
from attention_hands import as_it_opens, inspector_of, press_brush, press_page, press_stage, stage_of
from eyes import heatmap_colours, look
from hands import Hands
from PySide6.QtCore import Qt
from small_specs import attention, independent_trace
from windows import At, Settle

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.experiment.colours import quantise
from attnviz.experiment.labs import Spec
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.plots.tensors.row_bars import _ROW
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

LARGE = attention(num_queries=10, num_kvpairs=12)
SMALL = attention(num_queries=4, num_kvpairs=6)


@pytest.fixture
def on(at: At) -> At:
    def show(spec: Spec) -> MainWindow:
        return as_it_opens(at(spec))

    return show


def header_of(window: MainWindow) -> str:
    return str(stage_of(window).shapes.text())


def test_that_a_pinned_run_of_another_size_cannot_lead_the_selection_out_of_this_one(
    on: At, hands: Hands, settle: Settle
) -> None:
    window = on(LARGE)
    press_page(window, "compare", hands)
    page = stage_of(window).pages.compare
    page.pin_current()
    window.controller.propose(SMALL)
    settle(window)
    kept = window.room.selection.locked
    place = page.pair.a.rect_of(9, 11)
    hands.point(page.pair.a, place)
    hands.click(page.pair.a, place)
    assert window.room.selection.current == window.room.selection.locked == kept
    page.unpin_current()


def test_that_a_stroke_goes_on_upon_weights_of_another_size(on: At, hands: Hands, settle: Settle) -> None:
    window = on(SMALL)
    press_brush(window, "forbid", hands)
    heatmap = stage_of(window).heatmap
    heatmap.stroke.emit(Cell(0, 0), True)
    settle(window)
    window.controller.propose(attention(num_queries=9, num_kvpairs=9))
    settle(window)
    heatmap.stroke.emit(Cell(8, 8), False)
    settle(window)
    spec: Any = window.controller.spec
    assert spec.painted.endswith("8: 8")
    press_brush(window, "", hands)


@pytest.mark.parametrize(("which", "length"), [("q", 4), ("k", 6), ("v", 6)])
def test_that_the_header_of_a_split_is_of_what_is_split(which: str, length: int, on: At, hands: Hands) -> None:
    window = on(SMALL)
    press_stage(window, "split", hands)
    stage_of(window).pages.stages.which.press(which)
    batch, _, _, size = independent_trace(SMALL).q.shape
    assert f"({2 * batch}, {length}, {size})" in header_of(window)


def test_that_arrows_through_a_split_keep_the_held_cell(on: At, hands: Hands) -> None:
    window = on(SMALL)
    press_stage(window, "split", hands)
    window.room.selection.lock(Selection(0, 1, 3))
    picture = stage_of(window).pages.reshape.picture
    for _ in range(3):
        hands.qtbot.keyClick(picture, Qt.Key.Key_Right)
    assert window.room.selection.locked == Selection(0, 1, 3)


def test_that_arrows_walk_through_the_features_of_a_panel(on: At, hands: Hands) -> None:
    window = on(SMALL)
    press_stage(window, "project", hands)
    window.room.selection.lock(Selection(0, 1, 3))
    trace: Any = independent_trace(SMALL)
    queries = stage_of(window).pages.tensors.panel_at(0, 0)
    assert queries._matrix.title == "X_q", "as in the formula"
    assert queries._matrix.note.startswith("queries,")
    assert queries.accessibleName().startswith("X_q, queries, ")
    for feature in range(3):
        hands.qtbot.keyClick(queries, Qt.Key.Key_Right)
        assert f"= {trace.queries[0, 1, feature]:.5g}" in stage_of(window).read_out.text()
    assert window.room.selection.locked == Selection(0, 1, 3)


def test_that_the_comparison_has_the_contrast_of_the_stages_and_one_scale_for_both(on: At, hands: Hands) -> None:
    window = on(SMALL)
    stage = stage_of(window)
    pair = stage.pages.compare.pair
    press_page(window, "compare", hands)
    stage.pages.compare.pin_current()
    window.controller.propose(SMALL.model_copy(update={"seed": 5}))
    hands.qtbot.waitUntil(lambda: stage.trace.spec.seed == 5 and stage.pages.compare.a is not None)
    stage.contrast.choose("head")
    layers = stage.pages.compare.a.layer, stage.trace.layer
    of_head = [layer.weights[0, 0] for layer in layers]
    high = max(float(weights.max()) for weights in of_head)
    for heatmap, layer, weights in zip((pair.a, pair.b), layers, of_head, strict=True):
        assert (heatmap._matrix.levels == quantise(weights, layer.mask[0, 0], 0.0, high)).all()
    assert stage.contrast.isVisibleTo(stage)


@pytest.mark.parametrize("contrast", ["", *CONTRASTS])
@pytest.mark.parametrize("page", ["stages", "scores", "compare"])
def test_that_the_bars_of_a_row_have_the_colours_of_its_cells(page: str, contrast: str, on: At, hands: Hands) -> None:
    window = on(SMALL)
    stage, room = stage_of(window), window.room
    room.selection.lock(Selection(0, 2))
    if page == "compare":
        stage.pages.compare.pin_current()
        window.controller.propose(SMALL.model_copy(update={"seed": 5}))
        hands.qtbot.waitUntil(lambda: stage.trace.spec.seed == 5 and stage.pages.compare.a is not None)
        press_page(window, "compare", hands)
    stage.contrast.choose(contrast)
    heatmap = stage.pages.compare.pair.b if page == "compare" else stage.heatmap
    wanted = heatmap_colours(heatmap, stage.trace.weights.shape[2:])[2]
    if page == "scores":
        press_stage(window, "scores", hands)
    left_out = contrast and CONTRASTS[contrast].leaves_out_first
    bars, seen = room.inspector.of_layer.row.bars, look(room.inspector.of_layer.row.bars)
    each = bars.look.px(_ROW)
    for place, key in enumerate(bars.keys):
        if key or not left_out:  # a cell that is left out is hatched
            assert wanted[key] in seen[round((place + 1.5) * each)], key


def test_that_notes_stand_beside_the_weights_alone_which_they_are_about(on: At, hands: Hands) -> None:
    window = on(attention(dropout=0.5, training=True))
    assert all("bit" in each.note for each in stage_of(window).grid._thumbnails)
    press_stage(window, "dropped_weights", hands)
    assert not any(each.note for each in stage_of(window).grid._thumbnails)


def test_that_stop_does_not_silence_the_runs_beside(on: At, hands: Hands) -> None:
    window = on(SMALL)
    window.controller.stop()
    press_page(window, "policies", hands)
    policies = stage_of(window).pages.pages["policies"]
    hands.qtbot.waitUntil(lambda: all(column.heatmap.isVisible() for column in policies.columns))
    assert "Computing" not in policies.words


def test_that_a_stage_chosen_on_the_page_of_policies_is_shown(on: At, hands: Hands) -> None:
    window = on(SMALL)
    press_page(window, "policies", hands)
    press_stage(window, "scores", hands)
    stage = stage_of(window)
    assert (stage.view.page, stage.view.stage) == ("stages", "scores")
    assert stage.pages.stages.shown is stage.pages.heads


def test_that_the_header_of_the_policies_is_of_the_weights_they_show(on: At, hands: Hands) -> None:
    window = on(SMALL)
    weights = header_of(window)
    press_stage(window, "split", hands)
    assert header_of(window) != weights
    press_page(window, "policies", hands)
    assert header_of(window) == weights


def test_that_sorting_the_table_keeps_the_chosen_head_marked(on: At, hands: Hands) -> None:
    window = on(attention(num_heads=4, temperature=0.3, seed=7))
    inspector = inspector_of(window)
    inspector.heads_fold.expand()
    window.room.selection.lock(Selection(2, 1))
    table = inspector.heads
    for order in (Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder):
        table.sortByColumn(1, order)
        assert table.order[table.currentIndex().row()] == 2
        assert window.room.selection.locked.head == 2
    values = independent_trace(attention(num_heads=4, temperature=0.3, seed=7)).statistics(0)["entropy"]
    assert list(table.order) == list(np.argsort(values, kind="stable"))
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    inspector.heads_fold.collapse()


def test_that_tab_goes_on_from_the_held_head_and_not_from_the_one_under_the_mouse(on: At, hands: Hands) -> None:
    window = on(attention(num_heads=4))
    window.room.selection.lock(Selection(2, 1, 1))
    window.room.selection.hover(Selection(0, 0, 0))
    hands.qtbot.keyClick(stage_of(window).heatmap, Qt.Key.Key_Tab)
    assert window.room.selection.locked.head == 3
