"""A cell that is held: Tab goes through the heads, arrows through the cells, Esc lets go; bars in either order."""

from typing import Any

import numpy as np
import pytest
from attention_hands import beside_the_picture, cell_levels, inspector_of, stage_of, table_of, weight_said, written
from eyes import colours_of, heatmap_colours, look
from hands import Hands
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from small_specs import attention, independent_trace
from windows import At

from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import Spec
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

THREE_HEADS = attention(num_heads=3, num_hiddens=6, valid_lens=(3, 2), seed=4)
MANY_KEYS = attention(num_kvpairs=20, valid_lens=(18, 20), seed=3)
TAB, BACK = Qt.Key.Key_Tab, Qt.Key.Key_Backtab
SHIFT = Qt.KeyboardModifier.ShiftModifier


def hold(window: MainWindow, query: int, key: int, hands: Hands) -> Any:
    """Click a cell of the large head, take the mouse away, give the head the keyboard."""
    heatmap = stage_of(window).heatmap
    hands.click(heatmap, heatmap.rect_of(query, key))
    beside_the_picture(window, hands)
    heatmap.setFocus()
    return heatmap


def assert_shown(window: MainWindow, trace: Any, chosen: Selection) -> None:
    """Check selection, picture, read-out, inspector and summary against the trace."""
    assert window.room.selection.current == chosen
    head, query, key = chosen.head, chosen.query, chosen.key
    levels = cell_levels(trace, "weights", 0)[head]
    seen = heatmap_colours(stage_of(window).heatmap, levels.shape)
    assert (seen == colours_of(table_of(window, "weights"), levels)).all()
    weight = trace.weights[0, head, query, key]
    assert f"held: head {head + 1} · query {query + 1} · key {key + 1}" in stage_of(window).read_out.text()
    assert f"weight {weight_said(weight, 4)} " in stage_of(window).read_out.text()
    inspector = inspector_of(window)
    assert ("= weight", written(weight)) in inspector.cell.steps.steps
    assert inspector.summary.startswith(
        f"Query {query + 1}, head {head + 1}: key {key + 1}: weight {weight_said(weight, 3)}"
    )


def test_that_tab_steps_through_the_heads_of_a_held_cell_and_goes_on_after_the_last(on: At, hands: Hands) -> None:
    window, trace = on(THREE_HEADS), independent_trace(THREE_HEADS)
    heatmap = hold(window, 1, 2, hands)
    for head in (1, 2):
        hands.qtbot.keyClick(heatmap, TAB)
        assert QApplication.focusWidget() is heatmap
        assert_shown(window, trace, Selection(head, 1, 2))
    hands.qtbot.keyClick(heatmap, TAB)
    assert QApplication.focusWidget() is not heatmap
    assert_shown(window, trace, Selection(2, 1, 2))


def test_that_shift_and_tab_step_back_through_the_heads_and_on_before_the_first(on: At, hands: Hands) -> None:
    window, trace = on(THREE_HEADS), independent_trace(THREE_HEADS)
    window.room.selection.lock(Selection(2, 1))
    heatmap = hold(window, 1, 2, hands)
    for head in (1, 0):
        hands.qtbot.keyClick(heatmap, BACK, SHIFT)
        assert QApplication.focusWidget() is heatmap
        assert_shown(window, trace, Selection(head, 1, 2))
    hands.qtbot.keyClick(heatmap, BACK, SHIFT)
    assert QApplication.focusWidget() is not heatmap
    assert window.room.selection.locked == Selection(0, 1, 2)


@pytest.mark.parametrize(("key", "modifier"), [(TAB, Qt.KeyboardModifier.NoModifier), (BACK, SHIFT)])
def test_that_tab_goes_on_at_once_while_no_cell_is_held(
    key: Qt.Key, modifier: Qt.KeyboardModifier, on: At, hands: Hands
) -> None:
    window = on(THREE_HEADS)
    window.room.selection.lock(Selection(1, 2))
    heatmap = stage_of(window).heatmap
    heatmap.setFocus()
    hands.qtbot.keyClick(heatmap, key, modifier)
    assert QApplication.focusWidget() is not heatmap
    assert window.room.selection.locked == Selection(1, 2)


def test_that_arrows_move_the_held_cell_and_stop_at_the_edges(on: At, hands: Hands) -> None:
    window, trace = on(THREE_HEADS), independent_trace(THREE_HEADS)
    heatmap = hold(window, 1, 2, hands)
    for key, place in (
        (Qt.Key.Key_Up, (0, 2)),
        (Qt.Key.Key_Up, (0, 2)),
        (Qt.Key.Key_Right, (0, 3)),
        (Qt.Key.Key_Right, (0, 3)),
        (Qt.Key.Key_Down, (1, 3)),
        (Qt.Key.Key_Down, (2, 3)),
        (Qt.Key.Key_Down, (2, 3)),
        (Qt.Key.Key_Left, (2, 2)),
    ):
        hands.qtbot.keyClick(heatmap, key)
        assert_shown(window, trace, Selection(0, *place))


def test_that_escape_lets_go_of_the_cell_and_its_arithmetic(on: At, hands: Hands) -> None:
    window = on(THREE_HEADS)
    inspector = inspector_of(window)
    hold(window, 1, 2, hands)
    assert inspector.cell.isVisible()
    hands.qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.room.selection.current == Selection(0, 1)
    assert not inspector.cell.isVisible()
    assert "key" not in inspector.summary.split(";")[0]


def test_that_a_held_cell_is_worked_out_anew_from_every_trace(on: At, hands: Hands, settle: Any) -> None:
    window = on(THREE_HEADS)
    hold(window, 1, 2, hands)
    for changes in ({"seed": 9}, {"temperature": 0.25}, {"causal": True}):
        spec = attention(**{**THREE_HEADS.model_dump(exclude_unset=True), **changes})
        window.controller.propose(spec)
        settle(window)
        assert_shown(window, independent_trace(spec), Selection(0, 1, 2))


# Bars by weight, or as the keys stand


def toggle_order(window: MainWindow, hands: Hands) -> Any:
    order = inspector_of(window).row.order
    if not order.isChecked():
        hands.qtbot.mouseClick(order, hands.left)
    QApplication.processEvents()
    return order


@pytest.fixture
def by_weight(on: At) -> Any:
    """Leave the bars by weight afterwards."""
    yield
    inspector_of(on(THREE_HEADS)).row.order.setChecked(False)


@pytest.mark.usefixtures("by_weight")
def test_that_few_keys_are_listed_by_weight_or_as_they_stand(on: At, hands: Hands) -> None:
    window, trace = on(THREE_HEADS), independent_trace(THREE_HEADS)
    bars, order = inspector_of(window).row.bars, inspector_of(window).row.order
    ranked = np.argsort(-trace.weights[0, 0, 2, :3], kind="stable")
    assert order.text() == "sorted by weight"
    assert bars.keys == tuple(ranked)
    described = bars.accessibleDescription()
    toggle_order(window, hands)
    assert (order.text(), order.accessibleName()) == ("sorted by position", "Bars, sorted by position")
    assert bars.keys == (0, 1, 2)
    assert (
        bars.accessibleDescription()
        == described
        == ", ".join(f"{k + 1} {weight_said(trace.weights[0, 0, 2, k], 3)}" for k in ranked)
    )


@pytest.mark.usefixtures("by_weight")
def test_that_many_keys_in_their_places_are_columns_as_high_as_their_weights_and_in_their_colours(
    on: At, hands: Hands
) -> None:
    window, trace = on(MANY_KEYS), independent_trace(MANY_KEYS)
    bars = inspector_of(window).row.bars
    assert len(bars.keys) == 10
    toggle_order(window, hands)
    assert bars.keys == ()
    weights, seen = trace.weights[0, 0, 2].astype(float), look(bars)
    colours = colours_of(table_of(window, "weights"), cell_levels(trace, "weights", 0)[0, 2])
    line = window.look.px(18)
    room = bars.height() - 2 * line
    for key, (weight, colour) in enumerate(zip(weights, colours, strict=True)):
        column = seen[line : bars.height() - line, int((key + 0.4) * bars.width() / 20)]
        height = np.count_nonzero(column == colour)
        if weight == 0:
            assert colour not in column
        else:
            assert abs(height - room * weight / weights.max()) <= 2


@pytest.mark.usefixtures("by_weight")
def test_that_the_bar_of_a_held_key_is_listed_however_small(on: At, hands: Hands) -> None:
    window, trace = on(MANY_KEYS), independent_trace(MANY_KEYS)
    least = int(trace.weights[0, 0, 2, :18].argmin())
    hold(window, 2, least, hands)
    bars = inspector_of(window).row.bars
    assert bars.keys[-1] == least
    assert bars.accessibleDescription().endswith(f"{least + 1} {weight_said(trace.weights[0, 0, 2, least], 3)}")


def test_that_the_read_out_writes_nan_as_the_inspector_does(on: At, hands: Hands) -> None:
    spec: Spec = attention(valid_lens=(0, 4), mask_policy="inf")
    window = on(spec)
    hold(window, 1, 2, hands)
    assert ("= weight", "NaN") in inspector_of(window).cell.steps.steps
    assert "weight NaN" in stage_of(window).read_out.text()


def test_that_the_weight_of_a_held_cell_is_in_sight_in_the_inspector_and_whole_below_the_picture(at: At) -> None:
    window = at(presets()["causal-sentence"].spec)
    try:
        for size in ((1280, 640), (1280, 800), (1920, 1080)):
            window.resize(*size)
            window.room.selection.lock(Selection(1, 5, 3))
            QApplication.processEvents()
            name, number = inspector_of(window).cell.steps._lines[7]
            assert name.text() == "= weight"
            assert number.visibleRegion().boundingRect() == number.rect(), size
            assert stage_of(window).read_out.shown_text == stage_of(window).read_out.text(), size
    finally:
        window.resize(1280, 800)
