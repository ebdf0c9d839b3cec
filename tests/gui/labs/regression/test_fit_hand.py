"""The hand on the training points: what the mouse does to them, and to nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import is_drawn
from fit_hands import FitHands
from hands import Hands
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from small_specs import SMALL, independent_trace, regression
from windows import At, Settle

from attnviz.experiment.labs import Spec
from attnviz.experiment.regression.data import truth_line
from attnviz.gui.window.main_window import MainWindow

Show = Callable[[Spec], FitHands]

FIVE = {"kind": "points", "x": (0.5, 1.5, 2.5, 3.5, 4.5), "y": (1.0, 3.0, 2.0, 4.0, 1.5)}
KINDS: dict[str, dict[str, Any]] = {
    "book": {"kind": "book"},
    "synthetic": {"kind": "synthetic", "n_train": 12, "noise": 0.2, "function": "sinc"},
    "formula": {"kind": "synthetic", "n_train": 12, "function": "formula", "formula": "x*x/5"},
    "points": FIVE,
    "points of a function": FIVE | {"function": "book"},
}


@pytest.fixture
def show(at: At, qtbot: QtBot) -> Show:
    """Return a function that shows a spec in the module's window, with nothing to undo, and gives its hands."""

    def shown(spec: Spec) -> FitHands:
        window = at(spec)
        window.controller.undo_stack.clear()
        return FitHands(window, qtbot)

    return shown


@pytest.fixture
def fit(show: Show) -> FitHands:
    """The module's window on the points of the book."""
    return show(regression())


@pytest.fixture
def five(show: Show) -> FitHands:
    """The module's window on five points."""
    return show(regression(data=FIVE))


def points_of(window: MainWindow) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of the current spec."""
    data: Any = window.controller.spec.data  # type: ignore[union-attr]
    assert data.kind == "points"
    return np.array(data.x), np.array(data.y)


def check_picture(hands: FitHands) -> Any:
    """Check that the fit on screen is that of an independent run of the current spec, and return its trace."""
    window, trace = hands.window, independent_trace(hands.window.controller.spec)
    assert is_drawn(hands.fit, trace.x_test, trace.y_hat)
    assert hands.trace.y_hat.tobytes() == trace.y_hat.tobytes()
    assert (hands.fit.points.all.x == trace.x_train).all()
    assert (hands.fit.points.all.y == trace.y_train).all()
    assert window.controller.up_to_date
    return trace


def check_one_moved(hands: FitHands, old: Any, point: int, end: QPoint) -> None:
    """Check that one point is where the mouse was let go, and all the others are where they were."""
    x, y = points_of(hands.window)
    to_x, to_y = hands.numbers(end)
    here = int(np.abs(x - to_x).argmin())
    assert (x[here], y[here]) == pytest.approx((to_x, to_y), abs=1e-9)
    assert (np.delete(x, here) == np.delete(old.x_train, point)).all()
    assert (np.delete(y, here) == np.delete(old.y_train, point)).all()
    assert hands.chosen_key == here


@pytest.mark.parametrize("kind", KINDS)
def test_that_a_dragged_point_is_where_the_mouse_is_and_all_others_stay(kind: str, show: Show, settle: Settle) -> None:
    hands = show(regression(data=KINDS[kind]))
    old, view, point = hands.trace, hands.view, hands.lonely_point()
    start = hands.at(point)
    right, down = hands.inwards(start)
    hands.press(start)
    path = [start + QPoint(4 * right * step, 5 * down * step) for step in range(1, 7)]
    hands.move(path)
    assert hands.window.controller.spec.data.kind == "points"  # type: ignore[union-attr]
    settle(hands.window)
    assert (hands.view == view).all()
    check_one_moved(hands, old, point, path[-1])
    hands.release(path[-1])
    trace = check_picture(hands)
    assert trace.y_truth.tobytes() == old.y_truth.tobytes()
    assert kind == "points" or is_drawn(hands.fit, *truth_line(old.spec.data, old.x_test))
    assert np.isfinite(hands.trace.error_to_truth) == (kind != "points")


def test_that_a_point_of_a_file_is_dragged_and_the_file_stays(show: Show, settle: Settle, tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    text = "x,y\n3,1\n1,2\n2,4\n4,2.5\n0.5,0.25\n"
    path.write_text(text)
    hands = show(regression(data={"kind": "file", "path": str(path)}))
    old = hands.trace
    start, end = hands.at(2), hands.at(2) + QPoint(8, 30)
    hands.press(start)
    hands.move([end])
    settle(hands.window)
    check_one_moved(hands, old, 2, end)
    hands.release(end)
    check_picture(hands)
    assert path.read_text() == text
    assert hands.window.controller.spec.data.function is None  # type: ignore[union-attr]


def test_that_a_drag_is_one_step_of_undo_and_two_are_two(show: Show, settle: Settle) -> None:
    first = regression(data={"kind": "book"})
    hands = show(first)
    stack = hands.window.controller.undo_stack
    hands.drag(hands.at(hands.lonely_point()), (12, 8), (-30, 11), (5, -4))
    settle(hands.window)
    second = hands.window.controller.spec
    assert stack.count() == 1
    hands.drag(hands.at(hands.lonely_point()), (3, -20))
    settle(hands.window)
    third = hands.window.controller.spec
    assert stack.count() == 2
    for press, spec in (("undo", second), ("undo", first), ("redo", second), ("redo", third)):
        hands.window.actions_[press].trigger()
        assert hands.window.controller.spec == spec
        settle(hands.window)
        check_picture(hands)


def test_that_a_drag_that_ends_where_it_began_is_no_step_of_undo(five: FitHands, settle: Settle) -> None:
    # A point comes to the very place of the mouse; one that lies on a pixel can be brought back exactly.
    place = five.at(2)
    x, y = five.numbers(place)
    on_pixel = FIVE | {"x": (0.5, 1.5, x, 3.5, 4.5), "y": (1.0, 3.0, y, 4.0, 1.5)}
    five.drag(place, (0, 20), (0, -20))
    settle(five.window)
    before = five.window.controller.spec
    assert points_of(five.window)[0] == pytest.approx(on_pixel["x"])
    five.window.controller.undo_stack.clear()
    five.press(place)
    five.move([place + QPoint(20, 20), place + QPoint(7, 5)])
    settle(five.window)
    assert five.window.controller.undo_stack.count() == 1
    five.move([place])
    five.release(place)
    settle(five.window)
    assert five.window.controller.spec == before
    assert five.window.controller.undo_stack.count() == 0


def test_that_a_drag_past_neighbours_keeps_hold_of_its_point(five: FitHands, settle: Settle) -> None:
    old = five.trace
    five.press(five.at(0))
    for x, index in ((1.2, 0), (2.0, 1), (3.0, 2), (4.1, 3), (4.55, 4), (2.8, 2), (0.6, 0), (3.9, 3)):
        pixel = five.pixel(x, 2.75)
        five.move([pixel])
        settle(five.window)
        to_x, to_y = five.numbers(pixel)
        assert five.chosen_key == index
        assert (five.trace.x_train[index], five.trace.y_train[index]) == pytest.approx((to_x, to_y), abs=1e-9)
        assert (np.delete(five.trace.y_train, index) == old.y_train[1:]).all()
        assert np.allclose(five.ring, ([to_x], [to_y]))
    five.release(pixel)
    assert np.allclose(five.ring, ([to_x], [to_y]))
    check_picture(five)


def test_that_a_click_that_trembles_moves_nothing_and_chooses_the_point(five: FitHands) -> None:
    before, place = five.window.controller.spec, five.at(3)
    five.press(place)
    five.move([place + QPoint(1, 0), place + QPoint(1, -1), place + QPoint(0, 1), place - QPoint(2, 0)])
    assert five.window.controller.spec == before
    five.release(place + QPoint(1, 0))
    assert five.window.controller.spec == before
    assert five.window.controller.undo_stack.count() == 0
    assert five.chosen_key == 3
    assert five.window.rooms["regression"].selection.locked.key == 3
    assert five.ring == ([3.5], [4.0])


def test_that_a_mouse_that_moves_on_after_the_release_drags_nothing(five: FitHands, settle: Settle) -> None:
    end = five.drag(five.at(1), (5, 15))
    settle(five.window)
    after = five.window.controller.spec
    five.qtbot.mouseMove(five.fit.viewport(), end + QPoint(40, 20))
    five.move([end + QPoint(50, 30)])
    assert five.window.controller.spec == after


def test_that_a_double_click_on_empty_space_adds_a_point_there(show: Show, settle: Settle) -> None:
    hands = show(regression(data={"kind": "book"}))
    old, place = hands.trace, hands.empty_place()
    to_x, to_y = hands.numbers(place)
    hands.double_click(place)
    settle(hands.window)
    x, y = points_of(hands.window)
    here = int(np.abs(x - to_x).argmin())
    assert len(x) == 51
    assert (x[here], y[here]) == pytest.approx((to_x, to_y), abs=1e-9)
    assert (np.delete(x, here) == old.x_train).all()
    assert (np.delete(y, here) == old.y_train).all()
    assert hands.chosen_key == here
    assert hands.window.controller.undo_stack.count() == 1
    check_picture(hands)


def test_that_a_double_click_on_a_point_adds_none(five: FitHands) -> None:
    before = five.window.controller.spec
    five.double_click(five.at(1))
    assert five.window.controller.spec == before
    assert not five.fit.hand.holding


def test_that_delete_takes_the_chosen_point_away_but_never_the_last_one(five: FitHands, settle: Settle) -> None:
    xs, ys = list(FIVE["x"]), list(FIVE["y"])
    while len(xs) > 1:
        point = len(xs) // 2
        five.qtbot.mouseClick(five.fit.viewport(), Hands.left, pos=five.at(point))
        assert five.chosen_key == point
        five.qtbot.keyClick(five.fit, Qt.Key.Key_Delete)
        settle(five.window)
        del xs[point], ys[point]
        assert [list(each) for each in points_of(five.window)] == [xs, ys]
        assert five.chosen_key is None
        assert five.ring == ([], [])
        check_picture(five)
    assert five.window.controller.undo_stack.count() == 4
    five.qtbot.mouseClick(five.fit.viewport(), Hands.left, pos=five.at(0))
    five.qtbot.keyClick(five.fit, Qt.Key.Key_Delete)
    assert [list(each) for each in points_of(five.window)] == [xs, ys]
    assert five.chosen_key == 0
    assert five.window.controller.undo_stack.count() == 4


def test_that_delete_without_a_chosen_point_does_nothing(five: FitHands) -> None:
    before = five.window.controller.spec
    five.qtbot.keyClick(five.fit, Qt.Key.Key_Delete)
    assert five.window.controller.spec == before


def test_that_the_view_stays_while_a_point_is_dragged_and_while_others_hold_its_edges(
    five: FitHands, settle: Settle
) -> None:
    view = five.view
    five.press(five.at(2))
    for step in range(1, 6):
        five.move([five.at(2) + QPoint(5, 3)] if step % 2 else [five.pixel(2.2, 2.4)])
        settle(five.window)
        assert (five.view == view).all()
    five.release(five.pixel(2.2, 2.4))
    assert (five.view == view).all()


def test_that_empty_space_dragged_moves_the_view_and_no_point_and_chooses_no_query(five: FitHands) -> None:
    before, view = five.window.controller.spec, five.view
    query = five.window.room.selection.locked.query
    place = five.empty_place()
    five.press(place)
    five.move([place + QPoint(step * 6, 0) for step in range(1, 9)])
    five.release(place + QPoint(48, 0))
    assert five.window.controller.spec == before
    assert five.window.room.selection.locked.query == query
    assert five.view[0, 0] < view[0, 0]
    assert (five.view[1] == view[1]).all()
    five.fit.show_all()
    assert np.allclose(five.view, view)


@pytest.mark.parametrize(
    ("side", "far"), [("left", (-900, 0)), ("right", (3000, 0)), ("top", (0, -900)), ("bottom", (0, 2000))]
)
def test_that_a_point_dragged_out_of_the_plot_stays_inside_what_is_shown(
    side: str, far: tuple[int, int], five: FitHands, settle: Settle
) -> None:
    (left, right), (low, high) = five.view
    start = five.at(2)
    x, y = five.numbers(start)
    expected = {"left": (left, y), "right": (right, y), "top": (x, high), "bottom": (x, low)}[side]
    five.press(start)
    five.move([start + QPoint(*far)])
    settle(five.window)
    index = five.chosen_key
    here = np.array((five.trace.x_train[index], five.trace.y_train[index]))
    assert (abs(here - expected) <= five.pixel_size).all()  # pyqtgraph's own edge is half a pixel farther out
    assert (five.view == ((left, right), (low, high))).all()
    five.release(start + QPoint(*far))
    check_picture(five)
    assert five.view[0, 0] <= five.trace.x_train.min()
    assert five.view[1, 1] >= five.trace.y_train.max()


def test_that_keys_wait_while_the_mouse_holds_a_point(fit: FitHands, settle: Settle) -> None:
    point = fit.lonely_point()
    count, start = len(fit.trace.x_train), fit.at(point)
    fit.press(start)
    fit.move([start + QPoint(6, 6)])
    fit.qtbot.keyClick(fit.fit, Qt.Key.Key_Delete)
    fit.move([start + QPoint(9, 9)])
    fit.release(start + QPoint(9, 9))
    settle(fit.window)
    assert len(fit.trace.x_train) == count
    fit.qtbot.keyClick(fit.fit, Qt.Key.Key_Delete)
    settle(fit.window)
    assert len(fit.trace.x_train) == count - 1


def test_that_another_button_does_not_let_go_of_a_point(fit: FitHands, settle: Settle) -> None:
    start = fit.at(fit.lonely_point())
    fit.press(start)
    fit.move([start + QPoint(6, 6)])
    fit.qtbot.mouseClick(fit.fit.viewport(), Qt.MouseButton.RightButton, pos=start + QPoint(6, 6))
    assert fit.fit.hand.holding
    fit.release(start + QPoint(6, 6))
    assert not fit.fit.hand.holding
    settle(fit.window)


def test_that_a_plot_that_hides_lets_go_of_its_point(fit: FitHands, at: At, settle: Settle) -> None:
    start = fit.at(fit.lonely_point())
    fit.press(start)
    fit.move([start + QPoint(6, 6)])
    fit.window.controller.propose(SMALL)
    settle(fit.window)
    assert not fit.fit.hand.holding
    window = at(regression())
    before = window.controller.spec
    fit.qtbot.mouseMove(fit.fit.viewport(), start + QPoint(20, 20))
    settle(window)
    assert window.controller.spec == before


def test_that_edited_points_keep_the_function_they_are_from_and_not_one_asked_for_meanwhile(
    fit: FitHands, settle: Settle
) -> None:
    window = fit.window
    window.controller.propose(
        regression(data={"kind": "synthetic", "function": "formula", "formula": "log(x-1)", "n_train": 12})
    )
    fit.qtbot.waitUntil(lambda: "log(x-1)" in window.notice.text())
    start = fit.at(fit.lonely_point())
    fit.drag(start, (6, 6))
    settle(window)
    data: Any = window.controller.spec.data  # type: ignore[union-attr]
    assert (data.kind, data.function) == ("points", "book")


def test_that_a_drag_leaves_what_is_half_typed_elsewhere(fit: FitHands, hands: Hands, settle: Settle) -> None:
    form = fit.window.room.form
    grid: Any = form.editor("x_test")
    _, stop, _ = grid._boxes.values()
    stop.setFocus()
    hands.type(stop, "-3")
    problem = form.problem("x_test")
    assert "End" in problem
    fit.drag(fit.at(fit.lonely_point()), (6, 6))
    settle(fit.window)
    assert fit.window.controller.spec.data.kind == "points"
    assert form.problem("x_test") == problem
    assert stop.value() == -3
