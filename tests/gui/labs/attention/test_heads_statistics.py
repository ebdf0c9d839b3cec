"""Heads by their statistics: notes beside the thumbnails, tiles in the order of the notes, mean and maximum."""

from typing import Any

import numpy as np
import pytest
from attention_hands import (
    At,
    as_it_opens,
    assert_grid,
    beside_the_picture,
    cell_levels,
    choose_note,
    note,
    press_stage,
    stage_of,
    table_of,
)
from eyes import cell_of, colours_of, grid_colours, ground, heatmap_colours, inside, look
from hands import Hands
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from small_specs import attention, independent_trace

from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.attention.head_statistics import head_statistics
from attnviz.experiment.colours.levels import MASKED, quantise
from attnviz.gui.plots.matrix.head_grid import Thumbnail
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SPEC = attention(num_heads=4, num_queries=6, num_kvpairs=6, valid_lens=(5, 3), temperature=0.3, seed=7)
SHAPE = (6, 6)


@pytest.fixture
def on(at: At) -> At:
    """Return a function that shows a spec as the room opens, in the order of the heads."""
    return lambda spec: as_it_opens(at(spec))


def sort(window: MainWindow, hands: Hands) -> None:
    hands.qtbot.mouseClick(stage_of(window).tools.ranked, hands.left, pos=QPoint(8, 8))
    QCoreApplication.processEvents()


def ranks(values: Any) -> list[int]:
    """The heads, the largest value first; heads without one last."""
    return sorted(range(len(values)), key=lambda head: (bool(np.isnan(values[head])), -np.nan_to_num(values[head])))


@pytest.mark.parametrize("name", STATISTICS)
def test_that_each_head_is_noted_its_statistic_of_the_trace(name: str, on: At) -> None:
    window, trace = on(SPEC), independent_trace(SPEC)
    for item in (0, 1):
        stage_of(window).tools.items.setCurrentIndex(item)
        choose_note(window, name)
        values = head_statistics(trace.weights[item])[name]
        thumbnails = [Thumbnail(h, f"head {h + 1}", str(h + 1), note(name, values[h])) for h in range(4)]
        assert_grid(window, cell_levels(trace, "weights", item), trace.mask[item, 0], thumbnails)


def test_that_no_note_leaves_the_names_alone(on: At) -> None:
    window, trace = on(SPEC), independent_trace(SPEC)
    choose_note(window, "")
    thumbnails = [Thumbnail(head, f"head {head + 1}", str(head + 1)) for head in range(4)]
    assert_grid(window, cell_levels(trace, "weights", 0), trace.mask[0, 0], thumbnails)
    assert not stage_of(window).tools.ranked.isEnabled()


@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize("stage", ["weights", "scores"])
def test_that_sorted_tiles_stand_in_the_order_of_their_notes_and_choose_their_own_head(
    name: str, stage: str, on: At, hands: Hands
) -> None:
    window, trace = on(SPEC), independent_trace(SPEC)
    press_stage(window, stage, hands)
    choose_note(window, name)
    sort(window, hands)
    order = ranks(head_statistics(trace.weights[0])[name])
    levels, table, grid = cell_levels(trace, stage, 0), table_of(window, stage), stage_of(window).grid
    assert (grid_colours(grid, SHAPE) == colours_of(table, levels[order])).all()
    for place, head in enumerate(order):
        hands.click(grid, cell_of(grid.tiles[place], SHAPE, 1, place))
        beside_the_picture(window, hands)
        assert window.room.selection.locked == Selection(head, 1, place)
        assert (heatmap_colours(stage_of(window).heatmap, SHAPE) == colours_of(table, levels[head])).all()


def test_that_arrows_go_through_sorted_tiles_as_they_stand(on: At, hands: Hands) -> None:
    window, trace = on(SPEC), independent_trace(SPEC)
    sort(window, hands)
    order, grid = ranks(head_statistics(trace.weights[0])["entropy"]), stage_of(window).grid
    window.room.selection.lock(Selection(order[0], 2))
    grid.setFocus()
    for head in [*order[1:], order[-1]]:
        hands.qtbot.keyClick(grid, Qt.Key.Key_Right)
        assert window.room.selection.locked.head == head


@pytest.mark.parametrize("policy", ["zero", "book"])
def test_that_mean_and_maximum_are_those_of_the_trace_and_clicking_them_keeps_the_head(
    policy: str, on: At, hands: Hands
) -> None:
    spec = attention(**SPEC.model_dump(exclude_unset=True) | {"mask_policy": policy, "painted": "2: 0-5"})
    window, trace = on(spec), independent_trace(spec)
    window.room.selection.lock(Selection(2, 0))
    hands.qtbot.mouseClick(stage_of(window).tools.extremes, hands.left, pos=QPoint(8, 8))
    QCoreApplication.processEvents()
    weights, mask, grid = trace.weights[0], trace.mask[0, 0], stage_of(window).grid
    both = np.stack((weights.mean(axis=0, dtype=float), weights.max(axis=0)))
    levels = quantise(both, mask | (both != 0), 0.0, 1.0)
    seen, table = look(grid), table_of(window, "weights")
    assert len(grid.tiles) == 6
    expected = np.concatenate((colours_of(table, cell_levels(trace, "weights", 0)), colours_of(table, levels)))
    assert (grid_colours(grid, SHAPE, seen) == expected).all()
    for tile in grid.tiles[4:]:
        for query, key in np.argwhere(levels[0] == MASKED):
            cell = cell_of(tile, SHAPE, query, key)
            assert ground(seen, cell) == colours_of(table, np.array(MASKED))
            assert len(np.unique(inside(seen, cell))) > 1, "there is no hatching"
        hands.click(grid, cell_of(tile, SHAPE, 3, 1))
        beside_the_picture(window, hands)
        assert window.room.selection.locked == Selection(2, 3, 1)
        window.room.selection.lock(Selection(2, 0))
