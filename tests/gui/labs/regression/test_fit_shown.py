"""What the fit draws: every point, the chosen one, those that a query looks at, gaps, and what the mouse is over."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eyes import is_drawn, look
from fit_hands import FitHands
from hands import Hands
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot
from small_specs import independent_trace, regression, training

from attnviz.experiment.labs import Spec
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

At = Callable[[Spec], MainWindow]
Settle = Callable[[MainWindow], None]

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
        assert not ordered or ordered[-1] == max(sizes.values()) > hands.stage._look.px(6)
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
    hands.window.room.release()
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
