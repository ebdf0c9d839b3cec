"""The attention room: pointing, holding, letting go; items, stages and contrast; every number is the trace's."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from attention_hands import weight_said
from eyes import cell_of, colours_of, grid_colours, heatmap_colours, look
from hands import Hands
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QComboBox, QToolButton
from pytestqt.exceptions import capture_exceptions
from small_specs import attention, independent_trace
from typing_extensions import override
from windows import At, Opener, Settle

from attnviz.experiment.colours import MASKED, SEQUENTIAL, quantise
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.widgets.selection import Selection

SPEC = attention(valid_lens=(3, 2), seed=5)
BEYOND = QPoint(1, 1)  # a corner of the stage where no picture is


@pytest.fixture
def room(at: At, hands: Hands) -> Iterator[Any]:
    """The attention room of the module's window at `SPEC`, head 1 and its last row chosen, as it opens."""
    shown = at(SPEC).rooms["attention"]
    shown.stage.strip.go_to("weights")
    hands.pick_text(item_box(shown.stage), "1")
    shown.stage.contrast.choose("")
    shown.selection.lock(Selection(0, 2))
    yield shown
    hands.qtbot.mouseMove(shown.stage, BEYOND)
    shown.set_map("viridis")


def item_box(stage: Any) -> QComboBox:
    (box,) = [box for box in stage.findChildren(QComboBox) if box.accessibleName() == "Batch item"]
    return box


def stage_button(stage: Any, name: str) -> QToolButton:
    (button,) = [button for button in stage.strip.findChildren(QToolButton) if button.property("stage") == name]
    return button


def said(trace: Any, item: int, head: int, query: int, key: int) -> list[str]:
    place = item, head, query, key
    return [
        f"head {head + 1}",
        f"query {query + 1}",
        f"key {key + 1}",
        f"score {trace.scores[place]:.4f}",
        f"weight {weight_said(trace.weights[place], 4)}",
        "may attend" if trace.mask[place] else f"masked: beyond valid length {trace.spec.valid_lens[item]}",
    ]


def held(trace: Any, *place: int) -> list[str]:
    """Return the words about a cell that is held while the mouse is elsewhere."""
    first, *others = said(trace, *place)
    return [f"held: {first}", *others]


def test_that_pointing_at_a_cell_of_a_head_reads_it_out_and_leaving_ends_it(room: Any, hands: Hands) -> None:
    trace, grid = independent_trace(SPEC), room.stage.grid
    resting = room.stage.read_out.text()
    hands.point(grid, cell_of(grid.tiles[1], (3, 4), 2, 1))
    assert room.stage.read_out.text().split(" · ") == said(trace, 0, 1, 2, 1)
    hands.qtbot.mouseMove(room.stage, BEYOND)
    hands.qtbot.waitUntil(lambda: room.stage.read_out.text() == resting)


def test_that_pointing_at_another_head_shows_it_large_while_it_lasts(room: Any, hands: Hands) -> None:
    levels, grid = independent_trace(SPEC).levels()[0], room.stage.grid
    hands.point(grid, cell_of(grid.tiles[1], (3, 4), 2, 1))
    assert (heatmap_colours(room.stage.heatmap, (3, 4)) == colours_of(room.stage.table, levels[1])).all()
    hands.qtbot.mouseMove(room.stage, BEYOND)
    hands.qtbot.waitUntil(lambda: room.selection.current.head == 0)
    assert (heatmap_colours(room.stage.heatmap, (3, 4)) == colours_of(room.stage.table, levels[0])).all()


@pytest.mark.parametrize(("query", "key"), [(0, 0), (2, 2), (1, 3)])
def test_that_pointing_at_the_large_head_reads_the_same_cell_of_the_tensor(
    query: int, key: int, room: Any, hands: Hands
) -> None:
    hands.point(room.stage.heatmap, room.stage.heatmap.rect_of(query, key))
    assert room.stage.read_out.text().split(" · ") == said(independent_trace(SPEC), 0, 0, query, key)


def test_that_a_click_holds_a_cell_when_the_mouse_leaves_and_escape_lets_go(room: Any, hands: Hands) -> None:
    trace, heatmap = independent_trace(SPEC), room.stage.heatmap
    resting = room.stage.read_out.text()
    hands.click(heatmap, heatmap.rect_of(1, 2))
    hands.qtbot.mouseMove(room.stage, BEYOND)
    hands.point(heatmap, heatmap.rect_of(0, 0))
    assert room.stage.read_out.text().split(" · ") == said(trace, 0, 0, 0, 0)
    hands.qtbot.mouseMove(room.stage, BEYOND)
    hands.qtbot.waitUntil(lambda: room.stage.read_out.text().split(" · ") == held(trace, 0, 0, 1, 2))
    hands.qtbot.keyClick(room.stage.window(), Qt.Key.Key_Escape)
    hands.qtbot.waitUntil(lambda: room.stage.read_out.text() == resting)


def test_that_a_held_cell_is_lit_in_every_head_and_read_from_a_new_trace(
    room: Any, hands: Hands, at: At, settle: Settle
) -> None:
    grid = room.stage.grid
    room.selection.lock(Selection(0, 1, 2))
    hands.click(grid, cell_of(grid.tiles[1], (3, 4), 0, 0))
    lit = look(grid)
    key_colour = QColor(room.stage.window().look.theme.k).rgb() & 0xFFFFFF
    for tile in grid.tiles:
        cell = cell_of(tile, (3, 4), 1, 2).toRect()
        assert key_colour in lit[cell.top() : cell.bottom() + 1, cell.left() : cell.right() + 1]
    window = room.stage.window()
    other = attention(valid_lens=(3, 2), seed=6)
    window.controller.propose(other)
    settle(window)
    hands.qtbot.mouseMove(room.stage, BEYOND)
    words = held(independent_trace(other), 0, 1, 1, 2)
    hands.qtbot.waitUntil(lambda: room.stage.read_out.text().split(" · ") == words)


def test_that_the_inspector_shows_the_row_and_cell_of_the_tensor(room: Any, hands: Hands) -> None:
    trace, heatmap, inspector = independent_trace(SPEC), room.stage.heatmap, room.inspector
    hands.click(heatmap, heatmap.rect_of(1, 2))
    row = trace.weights[0, 0, 1]
    held = row[row > 0].astype(float)
    entropy = -(held * np.log2(held)).sum()
    assert inspector.of_layer.row.facts.texts() == (
        f"{row.sum(dtype=float):.4f}",
        f"{entropy:.3f} bit",
        "3 of 4 allowed",
    )
    bars = inspector.of_layer.row.bars.accessibleDescription().split(", ")
    assert bars == [f"{key + 1} {row[key]:.3f}" for key in np.argsort(-row[:3], kind="stable")]
    steps = dict(inspector.of_layer.cell.steps.steps)
    assert steps["= score"] == steps["may attend"] == f"{trace.scores[0, 0, 1, 2]:.5f}"
    assert steps["= weight"] == f"{row[2]:.5f}"
    columns = dict(inspector.of_layer.cell.terms.terms.columns)
    np.testing.assert_array_equal(columns["q"], trace.q[0, 0, 1])
    np.testing.assert_array_equal(columns["k"], trace.k[0, 0, 2])


@pytest.mark.parametrize("name", ["scores", "masked_scores", "weights", "heads", "output"])
def test_that_the_shapes_above_the_picture_are_those_of_the_tensors(name: Any, room: Any, hands: Hands) -> None:
    trace = independent_trace(SPEC)
    hands.qtbot.mouseMove(room.stage.window().top_bar)
    room.stage.strip.go_to(name)
    batch, heads, queries, keys = trace.weights.shape
    ends: dict[str, tuple[tuple[int, ...], ...]] = {
        "scores": ((batch * heads, *trace.q.shape[2:]), (batch * heads, queries, keys)),
        "masked_scores": (trace.weights.shape,),
        "weights": (trace.weights.shape,),
        "heads": ((batch * heads, queries, keys), (batch * heads, *trace.heads.shape[2:])),
        "output": (trace.merged.shape, trace.output.shape),
    }
    shown = re.findall(r"= (\([^)]*\))", room.stage.shapes.text())
    assert shown == [str(shape) for shape in ends[name]]
    assert room.stage.shapes.isVisible()


class LeavesWhatAppears(QObject):
    """Takes the mouse away from each matrix at the moment it appears, as Qt does when the stage is rearranged."""

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, Heatmap):
            QApplication.sendEvent(watched, QEvent(QEvent.Type.Leave))
        return False


def test_that_a_stage_never_seen_before_appears_while_the_mouse_is_about(
    open_window: Opener,
) -> None:
    stage: Any = open_window(SPEC).room.stage
    mouse = LeavesWhatAppears()
    QApplication.instance().installEventFilter(mouse)  # type: ignore[union-attr]
    try:
        with capture_exceptions() as raised:
            stage.strip.go_to("output")
    finally:
        QApplication.instance().removeEventFilter(mouse)  # type: ignore[union-attr]
    if raised:
        pytest.fail(str(raised[0][1]))
    assert stage.pages.tensors.panel_at(0, 2).isVisible()


def test_that_the_batch_item_chosen_is_the_one_on_screen(room: Any, hands: Hands) -> None:
    trace, stage = independent_trace(SPEC), room.stage
    hands.pick_text(item_box(stage), "2")
    levels = trace.levels()[1]
    assert (grid_colours(stage.grid, (3, 4)) == colours_of(stage.table, levels)).all()
    assert (heatmap_colours(stage.heatmap, (3, 4)) == colours_of(stage.table, levels[0])).all()
    hands.point(stage.heatmap, stage.heatmap.rect_of(2, 1))
    assert stage.read_out.text().split(" · ") == said(trace, 1, 0, 2, 1)
    assert room.inspector.of_layer.row.facts.texts()[2] == "2 of 4 allowed"


def test_that_items_are_offered_as_many_as_the_batch_has_and_none_for_one(room: Any, at: At) -> None:
    box = item_box(room.stage)
    at(attention(batch_size=5))
    assert [box.itemText(index) for index in range(box.count())] == ["1", "2", "3", "4", "5"]
    box.setCurrentIndex(4)
    at(attention(batch_size=2))
    assert box.currentText() == "2"
    at(attention(batch_size=1))
    assert not box.isVisible()


@pytest.mark.parametrize("name", ["scores", "masked_scores", "weights"])
def test_that_a_stage_button_shows_that_stage_of_the_mechanism(name: Any, room: Any, hands: Hands) -> None:
    stage, trace = room.stage, independent_trace(SPEC)
    hands.qtbot.mouseClick(stage_button(stage, name), Qt.MouseButton.LeftButton)
    assert stage.view.stage == name
    assert (grid_colours(stage.grid, (3, 4)) == colours_of(stage.table, trace.levels(name)[0])).all()
    ends = stage.bar.accessibleDescription()
    assert ends.startswith("0 .. 1 " if name == "weights" else f"{-abs(trace.scores).max():.3g} .. ")


def test_that_scores_are_hatched_only_where_the_stage_is_the_mask(room: Any, hands: Hands) -> None:
    stage = room.stage
    for name, masked in (("scores", False), ("masked_scores", True)):
        hands.qtbot.mouseClick(stage_button(stage, name), Qt.MouseButton.LeftButton)
        neutral = colours_of(stage.table, np.array(MASKED))
        assert (heatmap_colours(stage.heatmap, (3, 4))[:, 3] == neutral).all() == masked


def test_that_weights_after_dropout_are_offered_in_training_alone(room: Any, at: At) -> None:
    button = stage_button(room.stage, "dropped_weights")
    assert not button.isVisible()
    window = at(attention(dropout=0.5, training=True))
    assert button.isVisible()
    room.stage.strip.go_to("dropped_weights")
    assert not window.status.badge.isHidden()
    at(attention())
    assert not button.isVisible()
    assert room.stage.view.stage == "weights"
    assert window.status.badge.isHidden()


@pytest.mark.parametrize("contrast", ["head", "row", "log"])
def test_that_the_choice_beside_the_bar_draws_the_weights_by_each_contrast(
    contrast: str, room: Any, hands: Hands
) -> None:
    stage, trace = room.stage, independent_trace(SPEC)
    before = stage.bar.accessibleDescription()
    hands.pick(stage.contrast.box, contrast)
    levels = trace.levels("weights", contrast)[0]
    assert (levels != trace.levels()[0]).any()
    assert (grid_colours(stage.grid, (3, 4)) == colours_of(stage.table, levels)).all()
    assert (heatmap_colours(stage.heatmap, (3, 4)) == colours_of(stage.table, levels[0])).all()
    assert stage.bar.accessibleDescription() != before
    hands.pick(stage.contrast.box, "")
    assert stage.bar.accessibleDescription() == before
    assert before == "0 .. 1 weight, all heads"


def test_that_a_left_out_first_key_is_hatched_in_every_head_and_the_bar_says_so(room: Any, hands: Hands) -> None:
    stage, weights = room.stage, independent_trace(SPEC).weights[0]
    hands.pick(stage.contrast.box, "without_first")
    mask = independent_trace(SPEC).mask[0, 0].copy()
    mask[:, 0] = False
    levels = quantise(weights, mask, 0.0, weights[..., 1:].max(axis=(1, 2), keepdims=True))
    drawn = heatmap_colours(stage.heatmap, (3, 4))
    assert (drawn[mask] == colours_of(stage.table, levels[0])[mask]).all()
    assert (stage.heatmap._matrix.mask == mask).all()
    assert (stage.grid._mask == mask).all()
    assert [name for _, name in stage.bar._swatches] == ["masked or left out"]


@pytest.mark.parametrize("name", SEQUENTIAL)
def test_that_a_colour_map_from_the_menu_draws_the_same_levels_in_its_colours(name: str, room: Any) -> None:
    stage, window = room.stage, room.stage.window()
    actions = [action for action in window.top_bar.export.menu().actions() if action.menu()]
    (action,) = [action for action in actions[0].menu().actions() if action.data() == name]
    action.trigger()
    table = colour_table(name, window.look.theme)
    assert (grid_colours(stage.grid, (3, 4)) == colours_of(table, independent_trace(SPEC).levels()[0])).all()
