"""What the fit draws, and the hand on its points without a mouse: arrows, Insert, Delete and 0."""

from typing import Any

import numpy as np
import pytest
from eyes import is_drawn, look
from fake_engine import FakeEngine
from fit_hands import FitHands
from hands import Hands
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from small_specs import independent_trace, regression, training
from windows import At, Opener, Settle

from attnviz.gui.run import mailbox
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

GAPS = {"kernel": "boxcar", "width": 0.05}
KINDS = {
    "average": regression(estimator="average"),
    "gaussian": regression(data={"kind": "book"}, width=0.3),
    "triangular": regression(kernel="triangular", width=0.7),
    "learned": training(),
    "heads": training(num_heads=3),
    "one point": regression(data={"kind": "points", "x": (2,), "y": (1,)}),
}


def lit(hands: FitHands) -> dict[float, float]:
    """Return the size of each point that is lit, by its x."""
    return {x: dots.size for dots in hands.fit.points.lit for x in dots.x.tolist()}


@pytest.mark.parametrize("kind", KINDS)
def test_that_all_points_are_drawn_and_those_a_query_looks_at_by_their_weights(kind: str, at: At, qtbot: QtBot) -> None:
    hands, trace = FitHands(at(KINDS[kind]), qtbot), independent_trace(KINDS[kind])
    assert (hands.fit.points.all.x == trace.x_train).all()
    assert (hands.fit.points.all.y == trace.y_train).all()
    for query in range(len(trace.x_test)):
        hands.window.room.selection.lock(Selection(0, query))
        weights, sizes = trace.weights[query], lit(hands)
        assert set(trace.x_train[weights > 0.01 * weights.max()]) <= set(sizes) <= set(trace.x_train[weights > 0])
        seen = [point for point in range(len(weights)) if trace.x_train[point] in sizes]
        by_weight = sorted(seen, key=lambda point: weights[point])
        ordered = [sizes[trace.x_train[point]] for point in by_weight]
        assert ordered == sorted(ordered)
        assert not ordered or ordered[-1] == max(sizes.values()) > hands.stage.look.px(6)
        for x, y in (dots.data for dots in hands.fit.points.lit):
            assert all(trace.y_train[list(trace.x_train).index(one)] == other for one, other in zip(x, y, strict=True))


def test_that_a_query_that_looks_at_nothing_lights_no_point(at: At, qtbot: QtBot) -> None:
    hands = FitHands(at(regression(**GAPS)), qtbot)
    for query in range(len(hands.trace.x_test)):
        hands.window.room.selection.lock(Selection(0, query))
        near = abs(hands.trace.x_train - hands.trace.x_test[query]) < 0.05
        assert set(lit(hands)) == set(hands.trace.x_train[near])


def test_that_stems_are_as_high_as_the_weights(at: At, qtbot: QtBot) -> None:
    hands = FitHands(at(regression(width=0.4)), qtbot)
    hands.window.room.selection.lock(Selection(0, 5))
    x, heights = hands.fit.points.stems.data
    weights = hands.trace.weights[5]
    here = [int(np.abs(hands.trace.x_train - each).argmin()) for each in x]
    assert np.allclose(heights / heights.max(), weights[here] / weights.max())


def test_that_the_ring_is_around_the_chosen_point_and_goes_with_it(at: At, qtbot: QtBot) -> None:
    hands = FitHands(at(regression()), qtbot)
    hands.window.room.selection.lock(Selection(0, 3))
    assert hands.ring == ([], [])
    without = look(hands.fit)
    for point in (0, 11, 4):
        hands.window.room.selection.lock(Selection(0, 3, point))
        assert hands.ring == ([hands.trace.x_train[point]], [hands.trace.y_train[point]])
    changed = np.argwhere(look(hands.fit) != without)
    place = hands.at(4)
    assert len(changed)
    assert (abs(changed.mean(axis=0) - (place.y(), place.x())) < 3).all()
    hands.window.room.selection.release()
    assert hands.ring == ([], [])


@pytest.mark.parametrize("policy", ["zero", "book", "inf"])
def test_that_a_gap_stays_a_gap_and_what_the_policy_fills_in_is_ringed(policy: str, at: At, qtbot: QtBot) -> None:
    hands = FitHands(at(regression(**GAPS, mask_policy=policy)), qtbot)
    trace = hands.trace
    empty = ~(abs(trace.x_test[:, None] - trace.x_train) < 0.05).any(axis=1)
    assert 0 < empty.sum() < len(empty)
    x, y = hands.fit.curves.fit.data
    assert (x == trace.x_test).all()
    assert (np.isnan(y) == empty).all()
    ring_x, ring_y = hands.fit.curves.filled.data
    value = trace.y_train.mean() if policy == "book" else np.nan  # a row without weights predicts nothing
    expected = trace.x_test[empty] if np.isfinite(value) else []
    assert list(ring_x) == list(expected)
    assert list(ring_y) == pytest.approx([value] * len(expected))


def test_that_a_policy_changes_no_fit_of_a_kernel_that_reaches_everything(at: At, qtbot: QtBot) -> None:
    hands = FitHands(at(regression(mask_policy="book")), qtbot)
    trace = independent_trace(regression())
    assert is_drawn(hands.fit, trace.x_test, trace.y_hat)
    assert not len(hands.fit.curves.filled.data[0])


def test_that_the_mouse_over_the_fit_marks_the_row_of_the_matrix(at: At, qtbot: QtBot) -> None:
    hands = FitHands(at(regression()), qtbot)
    selection, mouse = hands.window.room.selection, Hands(qtbot)
    selection.lock(Selection(0, 1, 7))
    for query in (8, 3):
        before = look(hands.stage.heatmap)
        mouse.point(hands.fit.viewport(), hands.fit.place_of(hands.trace.x_test[query] + 0.05, hands.view[1, 1] * 0.98))
        assert selection.current == Selection(0, query, 7)
        assert selection.locked == Selection(0, 1, 7)
        assert hands.fit.chosen == (query, 7)
        assert (hands.stage.heatmap._selected.row, hands.stage.heatmap._selected.column) == (query, 7)
        changed = np.argwhere(look(hands.stage.heatmap) != before)[:, 0]
        row = hands.stage.heatmap.rect_of(query, None)
        assert ((changed >= row.top() - 2) & (changed <= row.bottom() + 2)).any()


def test_that_the_mouse_over_the_matrix_moves_the_line_and_the_ring_of_the_fit(at: At, qtbot: QtBot) -> None:
    hands = FitHands(at(regression()), qtbot)
    mouse, matrix = Hands(qtbot), hands.stage.heatmap
    for query, key in ((2, 9), (7, 0)):
        mouse.point(matrix, matrix.rect_of(query, key))
        assert hands.fit.chosen == (query, key)
        assert hands.ring == ([hands.trace.x_train[key]], [hands.trace.y_train[key]])
        assert hands.fit.line.x == hands.trace.x_test[query]
    hands.qtbot.mouseMove(hands.window.top_bar, QPoint(1, 1))
    qtbot.waitUntil(lambda: hands.ring == ([], []))


def test_that_the_head_of_a_drag_moves_what_is_lit(at: At, qtbot: QtBot, settle: Settle) -> None:
    hands = FitHands(at(regression(data={"kind": "points", "x": (1, 2, 4), "y": (1, 2, 1)}, width=0.3)), qtbot)
    hands.window.room.selection.lock(Selection(0, 8))  # x = 4
    assert set(lit(hands)) == {4.0}
    hands.press(hands.at(0))
    for x in (2.5, 3.9):
        pixel = hands.pixel(x, 1.5)
        hands.move([pixel])
        settle(hands.window)
        near: Any = abs(hands.trace.x_train - 4) < 0.5
        assert set(lit(hands)) == set(hands.trace.x_train[near])
    assert len(lit(hands)) == 2
    hands.release(pixel)


SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
LEFT, RIGHT, UP, DOWN = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down
FIVE = regression(
    data={"kind": "points", "x": (0.5, 1.5, 2.5, 3.5, 4.5), "y": (1.0, 3.0, 2.0, 4.0, 1.5), "function": "book"}
)


@pytest.fixture
def five(at: At, qtbot: QtBot) -> FitHands:
    """The module's window on five points; the keyboard is in the fit, on its third query."""
    return ready(at(FIVE), qtbot)


@pytest.fixture
def slow(engine: FakeEngine, open_window: Opener, qtbot: QtBot) -> FitHands:
    """A window of its own on five points, whose runs are held back from now on."""
    hands = ready(open_window(FIVE), qtbot)
    engine.hold()
    return hands


def ready(window: MainWindow, qtbot: QtBot) -> FitHands:
    hands = FitHands(window, qtbot)
    window.rooms["regression"].selection.lock(Selection(0, 2))
    window.controller.undo_stack.clear()
    window.activateWindow()
    hands.fit.setFocus()
    return hands


def points_of(window: MainWindow) -> tuple[list[float], list[float]]:
    data: Any = window.controller.spec.data  # type: ignore[union-attr]
    return list(data.x), list(data.y)


def query_of(hands: FitHands) -> int | None:
    return hands.window.rooms["regression"].selection.locked.query


def test_that_left_and_right_choose_the_next_query_and_stop_at_the_ends(five: FitHands) -> None:
    last = len(five.trace.x_test) - 1
    for key, times, query in ((RIGHT, 3, 5), (LEFT, 1, 4), (LEFT, 9, 0), (RIGHT, last + 3, last)):
        for _ in range(times):
            five.qtbot.keyClick(five.fit, key)
        assert query_of(five) == query
        assert five.stage.read_out.text().startswith(f"query x = {five.trace.x_test[query]:.4g}")
    assert five.window.controller.spec == FIVE


def test_that_shift_and_arrows_choose_the_nearest_point_first_and_then_its_neighbours(five: FitHands) -> None:
    five.window.rooms["regression"].selection.lock(Selection(0, 7))  # x = 3.5, where a point is
    for key, point in ((RIGHT, 3), (RIGHT, 4), (RIGHT, 4), (LEFT, 3), (LEFT, 2), (LEFT, 1), (LEFT, 0), (LEFT, 0)):
        five.qtbot.keyClick(five.fit, key, SHIFT)
        assert five.chosen_key == point
        assert five.ring == ([five.trace.x_train[point]], [five.trace.y_train[point]])
        assert query_of(five) == 7
    assert five.window.controller.spec == FIVE


@pytest.mark.parametrize(("key", "way"), [(LEFT, (-1, 0)), (RIGHT, (1, 0)), (UP, (0, 1)), (DOWN, (0, -1))])
def test_that_control_and_arrows_move_the_chosen_point_a_little(
    key: Qt.Key, way: tuple[int, int], five: FitHands, settle: Settle
) -> None:
    five.window.rooms["regression"].selection.lock(Selection(0, 2, 1))
    size = (five.view[:, 1] - five.view[:, 0]) / 100
    five.qtbot.keyClick(five.fit, key, CONTROL)
    settle(five.window)
    x, y = points_of(five.window)
    assert (x[1], y[1]) == pytest.approx((1.5 + way[0] * size[0], 3 + way[1] * size[1]))
    assert (x[0], *x[2:]) == (0.5, 2.5, 3.5, 4.5)
    assert (y[0], *y[2:]) == (1.0, 2.0, 4.0, 1.5)
    assert five.chosen_key == 1
    assert query_of(five) == 2
    assert five.window.controller.undo_stack.count() == 1
    trace = independent_trace(five.window.controller.spec)
    assert is_drawn(five.fit, trace.x_test, trace.y_hat)
    five.window.actions_["undo"].trigger()
    assert five.window.controller.spec == FIVE


def test_that_control_and_arrows_without_a_chosen_point_move_nothing(five: FitHands) -> None:
    for key in (LEFT, RIGHT, UP, DOWN):
        five.qtbot.keyClick(five.fit, key, CONTROL)
    assert five.window.controller.spec == FIVE
    assert query_of(five) == 2


def test_that_a_point_moved_by_keys_past_another_stays_the_chosen_one(five: FitHands, settle: Settle) -> None:
    five.window.rooms["regression"].selection.lock(Selection(0, 2, 1))
    for _ in range(40):
        five.qtbot.keyClick(five.fit, RIGHT, CONTROL)
        settle(five.window)
        assert five.trace.y_train[five.chosen_key] == 3
    assert five.chosen_key == 2
    assert points_of(five.window)[1] == [1, 2, 3, 4, 1.5]


def test_that_insert_adds_a_point_on_the_curve_at_the_query_and_chooses_it(five: FitHands, settle: Settle) -> None:
    here, there = float(five.trace.x_test[2]), float(five.trace.curve[2])
    five.qtbot.keyClick(five.fit, Qt.Key.Key_Insert)
    settle(five.window)
    assert points_of(five.window) == ([0.5, here, 1.5, 2.5, 3.5, 4.5], [1, there, 3, 2, 4, 1.5])
    assert five.chosen_key == 1
    assert five.ring == ([here], [there])


def test_that_insert_where_the_curve_has_a_gap_adds_a_point_at_the_mean(at: At, qtbot: QtBot, settle: Settle) -> None:
    hands = ready(at(regression(data=FIVE.data.model_dump(), kernel="boxcar", width=0.2)), qtbot)  # type: ignore[union-attr]
    assert np.isnan(hands.trace.curve[2])
    hands.qtbot.keyClick(hands.fit, Qt.Key.Key_Insert)
    settle(hands.window)
    assert points_of(hands.window)[1][1] == pytest.approx(np.mean([1, 3, 2, 4, 1.5]))
    assert hands.trace.curve[2] == pytest.approx(np.mean([1, 3, 2, 4, 1.5]))


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_that_delete_takes_the_point_chosen_by_keys(key: Qt.Key, five: FitHands, settle: Settle) -> None:
    five.qtbot.keyClick(five.fit, RIGHT, SHIFT)
    five.qtbot.keyClick(five.fit, RIGHT, SHIFT)
    point = five.chosen_key
    assert point is not None
    five.qtbot.keyClick(five.fit, key)
    settle(five.window)
    assert points_of(five.window)[0] == [x for place, x in enumerate((0.5, 1.5, 2.5, 3.5, 4.5)) if place != point]
    assert five.chosen_key is None


def test_that_0_shows_all_points_again(five: FitHands) -> None:
    view = five.view
    five.fit.getViewBox().setRange(xRange=(1, 2), yRange=(0, 1), padding=0)
    assert not np.allclose(five.view, view)
    five.qtbot.keyClick(five.fit, Qt.Key.Key_0)
    assert np.allclose(five.view, view)
    assert five.window.controller.spec == FIVE


def test_that_a_drag_while_runs_are_slow_ends_on_its_last_position(
    slow: FitHands, engine: FakeEngine, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox, "PATIENCE_S", 60.0)  # however slow the machine, the run that is held gives way to none
    start = slow.at(2)
    slow.press(start)
    slow.move([start + QPoint(3 * step, 2 * step) for step in range(1, 31)])
    end = start + QPoint(90, 60)
    x, y = slow.numbers(end)
    assert np.allclose(slow.ring, ([x], [y]))  # the hand does not wait for a run
    slow.release(end)
    engine.let_go()
    settle(slow.window)
    assert slow.window.controller.shown.spec == slow.window.controller.spec == engine.asked[-1]  # type: ignore[union-attr]
    assert len(engine.asked) <= 3  # the first picture, the run that was held, and what it was followed by
    assert (slow.trace.x_train[slow.chosen_key], slow.trace.y_train[slow.chosen_key]) == pytest.approx((x, y))
    assert np.delete(slow.trace.y_train, slow.chosen_key).tolist() == [1, 3, 4, 1.5]
    assert slow.window.controller.undo_stack.count() == 1
    assert np.allclose(slow.ring, ([x], [y]))


def test_that_a_second_drag_while_the_first_is_not_drawn_yet_loses_nothing(
    slow: FitHands, engine: FakeEngine, settle: Settle
) -> None:
    slow.drag(slow.at(0), (0, -20))
    slow.drag(slow.at(4), (0, -20))
    engine.let_go()
    settle(slow.window)
    _, y = points_of(slow.window)
    assert y[4] > 1.5
    assert y[0] > 1.0
    assert slow.window.controller.undo_stack.count() == 2


def test_that_keys_pressed_faster_than_runs_come_all_count(slow: FitHands, engine: FakeEngine, settle: Settle) -> None:
    slow.window.rooms["regression"].selection.lock(Selection(0, 2, 1))
    nudge = (slow.view[0, 1] - slow.view[0, 0]) / 100
    for _ in range(5):
        slow.qtbot.keyClick(slow.fit, LEFT, CONTROL)
    engine.let_go()
    settle(slow.window)
    assert points_of(slow.window)[0][1] == pytest.approx(1.5 - 5 * nudge)


def test_that_two_points_added_faster_than_runs_come_are_both_there(
    slow: FitHands, engine: FakeEngine, settle: Settle
) -> None:
    for x in (1.0, 3.0):
        slow.double_click(slow.pixel(x, 1.2))
    engine.let_go()
    settle(slow.window)
    assert len(points_of(slow.window)[0]) == 7
