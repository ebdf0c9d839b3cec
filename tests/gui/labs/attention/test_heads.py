"""Heads by their statistics: notes, tiles in their order, mean and maximum; the table, sorted by any column."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from attention_hands import (
    as_it_opens,
    assert_grid,
    beside_the_picture,
    cell_levels,
    check_picture,
    choose_note,
    inspector_of,
    note,
    press_stage,
    stage_of,
    table_of,
)
from eyes import cell_of, colours_of, grid_colours, ground, heatmap_colours, inside, look
from hands import Hands
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from small_specs import attention, independent_trace
from windows import At, Settle

from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.colours import MASKED, quantise
from attnviz.experiment.labs import Spec
from attnviz.experiment.layers.statistics import HeadStatistics, head_statistics
from attnviz.gui.plots.matrix.head_grid import Thumbnail
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SPEC = attention(num_heads=4, num_queries=6, num_kvpairs=6, valid_lens=(5, 3), temperature=0.3, seed=7)
SHAPE = (6, 6)


@pytest.fixture
def on(at: At) -> Iterator[At]:
    """Return a function that shows a spec, the table of heads folded; leave it folded and without an order."""
    shown: list[MainWindow] = []

    def show(spec: Spec) -> MainWindow:
        shown.append(as_it_opens(at(spec)))
        return shown[-1]

    yield show
    heads = inspector_of(shown[-1]).heads
    heads.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    inspector_of(shown[-1]).heads_fold.collapse()


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


def test_that_tiles_too_narrow_for_a_name_have_the_number_of_their_head(on: At) -> None:
    spec = attention(num_heads=40, num_hiddens=40, num_queries=6, num_kvpairs=6)
    window, trace = on(spec), independent_trace(spec)
    choose_note(window, "entropy")
    values = head_statistics(trace.weights[0])["entropy"]
    name = "a name that is wider than any tile"
    thumbnails = [Thumbnail(head, name, str(head + 1), note("entropy", values[head])) for head in range(40)]
    assert_grid(window, cell_levels(trace, "weights", 0), trace.mask[0, 0], thumbnails)


@pytest.mark.parametrize("stage", ["weights", "scores"])
def test_that_sorted_tiles_stand_in_the_order_of_their_notes_and_choose_their_own_head(
    stage: str, on: At, hands: Hands
) -> None:
    window, trace = on(SPEC), independent_trace(SPEC)
    press_stage(window, stage, hands)
    sort(window, hands)
    levels, table, grid = cell_levels(trace, stage, 0), table_of(window, stage), stage_of(window).grid
    for name in STATISTICS:
        window.room.selection.lock(Selection(0, 2, 3))
        choose_note(window, name)
        QCoreApplication.processEvents()
        order = ranks(head_statistics(trace.weights[0])[name])
        assert (grid_colours(grid, SHAPE) == colours_of(table, levels[order])).all(), name
        for place, head in enumerate(order):
            hands.click(grid, cell_of(grid.tiles[place], SHAPE, 1, place))
            beside_the_picture(window, hands)
            assert window.room.selection.locked == Selection(head, 2, 3), name
            assert (heatmap_colours(stage_of(window).heatmap, SHAPE) == colours_of(table, levels[head])).all(), name


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
        assert window.room.selection.locked == Selection(2, 0)


class Spy:
    """Stands for `head_statistics`: remembers its threads, and can be held back for some weights."""

    def __init__(self) -> None:
        self.threads: list[int] = []
        self.held: Callable[[Any], bool] = lambda _weights: False
        self.open = threading.Event()

    def __call__(self, weights: Any) -> HeadStatistics:
        self.threads.append(threading.get_ident())
        if self.held(weights):
            assert self.open.wait(10), "nobody let these statistics go"
        return head_statistics(weights)


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Spy]:
    """Count what is computed from now on."""
    made = Spy()
    monkeypatch.setattr("attnviz.experiment.layers.layer.head_statistics", made)
    yield made
    made.open.set()


def unfold(window: MainWindow, hands: Hands) -> Any:
    fold = inspector_of(window).heads_fold
    hands.qtbot.mouseClick(fold.header, hands.left)
    QCoreApplication.processEvents()
    return inspector_of(window).heads


def rows_of(heads: Any) -> list[list[str]]:
    model = heads.model()
    columns = range(model.columnCount())
    return [[model.index(row, column).data() for column in columns] for row in range(model.rowCount())]


def test_that_the_table_has_every_statistic_of_every_head_of_the_item_on_screen(on: At, hands: Hands) -> None:
    window, trace = on(SPEC), independent_trace(SPEC)
    heads = unfold(window, hands)
    for item in (0, 1):
        stage_of(window).tools.items.setCurrentIndex(item)
        found = head_statistics(trace.weights[item])
        expected = [
            [str(h + 1), *(note(name, found[name][h]).removesuffix(" bit") for name in STATISTICS)] for h in range(4)
        ]
        assert rows_of(heads) == expected
        assert heads.isVisible()


@pytest.mark.parametrize("column", range(1 + len(STATISTICS)))
def test_that_the_table_sorts_by_any_column_and_a_line_chooses_its_head(column: int, on: At, hands: Hands) -> None:
    window, trace = on(SPEC), independent_trace(SPEC)
    heads = unfold(window, hands)
    found = head_statistics(trace.weights[0])
    keys = np.arange(4.0) if column == 0 else found[list(STATISTICS)[column - 1]]
    header = heads.horizontalHeader()
    middle = QPoint(header.sectionViewportPosition(column) + header.sectionSize(column) // 2, header.height() // 2)
    assert heads.childAt(header.geometry().topLeft() + middle) is header.viewport(), "nothing covers the heading"
    orders = set()
    for _ in range(2):
        hands.qtbot.mouseClick(header.viewport(), hands.left, pos=middle)
        direction = header.sortIndicatorOrder()
        signed = -keys if direction == Qt.SortOrder.DescendingOrder else keys
        order = sorted(range(4), key=lambda head, signed=signed: signed[head])  # type: ignore[misc]
        assert [int(row[0]) - 1 for row in rows_of(heads)] == order
        orders.add(direction)
        for place in (3, 0, 2):
            at = heads.visualRect(heads.model().index(place, 1)).center()
            hands.qtbot.mouseClick(heads.viewport(), hands.left, pos=at)
            assert window.room.selection.locked.head == order[place]
            levels = cell_levels(trace, "weights", 0)[order[place]]
            seen = heatmap_colours(stage_of(window).heatmap, SHAPE)
            assert (seen == colours_of(table_of(window, "weights"), levels)).all()
    assert len(orders) == 2


def test_that_the_line_of_the_head_chosen_elsewhere_is_marked(on: At, hands: Hands) -> None:
    window = on(SPEC)
    heads = unfold(window, hands)
    for head in (3, 1):
        window.room.selection.lock(Selection(head, 2))
        (line,) = heads.selectionModel().selectedRows()
        assert line.data() == str(head + 1)


# When it is computed, and by whom


def test_that_nothing_is_computed_while_the_table_is_folded_and_notes_are_off(
    on: At, hands: Hands, settle: Settle, spy: Spy
) -> None:
    window = on(SPEC)
    choose_note(window, "")
    spy.threads.clear()
    window.controller.propose(attention(num_heads=4, num_queries=6, num_kvpairs=6, seed=8))
    settle(window)
    press_stage(window, "scores", hands)
    stage_of(window).tools.items.setCurrentIndex(1)
    hands.click(stage_of(window).heatmap, stage_of(window).heatmap.rect_of(1, 1))
    beside_the_picture(window, hands)
    assert spy.threads == []
    unfold(window, hands)
    assert len(spy.threads) == 1
    choose_note(window, "distance")
    window.room.selection.lock(Selection(1, 2))
    assert len(spy.threads) == 1, "what is known is computed again"


def test_that_a_large_trace_is_gone_through_in_another_thread(on: At, hands: Hands, settle: Settle, spy: Spy) -> None:
    window, large = on(SPEC), attention(num_heads=4, num_queries=400, num_kvpairs=400, batch_size=1)
    heads = unfold(window, hands)
    spy.threads.clear()
    window.controller.propose(large)
    settle(window)
    found = head_statistics(independent_trace(large).weights[0])
    hands.qtbot.waitUntil(lambda: [row[1] for row in rows_of(heads)] == [f"{x:.2f}" for x in found["entropy"]])
    assert spy.threads
    assert threading.get_ident() not in spy.threads


def test_that_statistics_of_an_older_trace_never_replace_newer_ones(
    on: At, hands: Hands, settle: Settle, spy: Spy, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = on(SPEC)
    unfold(window, hands)
    for name in ("room", "stage"):
        monkeypatch.setattr(f"attnviz.gui.labs.layered.{name}.AT_ONCE", 10)
    old, new = (attention(**SPEC.model_dump(exclude_unset=True) | {"seed": seed}) for seed in (8, 9))
    slow = independent_trace(old).weights[0]
    spy.held = lambda weights: np.array_equal(weights, slow)
    seen: list[Any] = []
    sections = type(inspector_of(window))
    monkeypatch.setattr(sections, "show_heads", _noting(sections.show_heads, seen))
    window.controller.propose(old)
    settle(window)
    window.controller.propose(new)
    settle(window)
    trace = independent_trace(new)
    levels = colours_of(table_of(window, "weights"), cell_levels(trace, "weights", 0))
    assert (grid_colours(stage_of(window).grid, SHAPE) == levels).all(), "the picture waits for the notes"
    assert seen == []
    spy.open.set()
    found = head_statistics(trace.weights[0])
    thumbnails = [Thumbnail(h, f"head {h + 1}", str(h + 1), note("entropy", found["entropy"][h])) for h in range(4)]
    shown = cell_levels(trace, "weights", 0), trace.mask[0, 0], thumbnails
    hands.qtbot.waitUntil(lambda: assert_grid(window, *shown))
    hands.qtbot.waitUntil(lambda: bool(seen))
    assert all(np.array_equal(it["entropy"], found["entropy"]) for it in seen)


def _noting(show: Callable[..., None], seen: list[Any]) -> Callable[..., None]:
    def show_and_note(sections: Any, statistics: HeadStatistics, head: int) -> None:
        seen.append(statistics)
        show(sections, statistics, head)

    return show_and_note


def test_that_the_tile_of_the_head_that_is_held_is_scrolled_into_sight(on: At, hands: Hands) -> None:
    window = on(attention(num_heads=96, num_hiddens=96))
    room = window.room
    grid = stage_of(window).grid
    hands.point(grid, grid.tiles[0])  # where the mouse rests does not hold the arrows up
    grid.setFocus()
    for _ in range(95):
        hands.qtbot.keyClick(grid, Qt.Key.Key_Down)
    assert room.selection.locked.head == 95
    for head in (95, 40, 0):
        room.selection.lock(Selection(head, 0, None))
        assert grid.visibleRegion().boundingRect().contains(grid.tiles[head].toRect())


def test_that_a_stage_without_cells_takes_the_keyboard_from_the_picture_and_keeps_the_head(
    on: At, hands: Hands
) -> None:
    window = on(SPEC)
    stage = stage_of(window)
    hands.click(stage.heatmap, stage.heatmap.rect_of(1, 1))
    stage.strip.go_to("heads")
    assert window.room.selection.locked == Selection(0, 1, 1)
    assert not stage.heatmap.hasFocus()


def test_that_the_rotation_is_drawn_of_the_head_whose_tile_is_chosen(on: At, hands: Hands, settle: Settle) -> None:
    window = on(attention(num_heads=2, num_kvpairs=3))
    hands.pick(window.room.form.editor("mechanism"), "rotary")
    settle(window)
    stage = stage_of(window)
    stage.strip.go_to("rotate")
    trace = independent_trace(window.controller.spec)
    for head in (1, 0):
        hands.click(stage.grid, stage.grid.tiles[head])
        check_picture(window, trace, "rotate", head)
        assert f" in head {head + 1}: " in stage.sentence.text()


def test_that_arrows_go_on_from_the_held_cell_where_the_mouse_rests(on: At, hands: Hands) -> None:
    window = on(SPEC)
    heatmap = stage_of(window).heatmap
    hands.point(heatmap, heatmap.rect_of(1, 1))
    hands.click(heatmap, heatmap.rect_of(1, 1))
    for column in (2, 3, 4):
        hands.qtbot.keyClick(heatmap, Qt.Key.Key_Right)
        assert window.room.selection.current == Selection(0, 1, column)
