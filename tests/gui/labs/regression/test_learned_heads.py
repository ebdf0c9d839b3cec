"""Several learned heads: each can be looked at by itself, and the history has a w for each."""

from typing import Any

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours, is_drawn
from fit_hands import FitHands
from hands import Hands
from pytestqt.qtbot import QtBot
from small_specs import independent_trace, training
from trained_hands import TrainedHands, check_shows, steps_of_run
from windows import At, Settle

from attnviz.gui.widgets.selection import Selection

THREE = training(num_heads=3)


@pytest.fixture
def trained(at: At, settle: Settle, qtbot: QtBot) -> TrainedHands:
    """The module's window after a training of three heads, all of them shown."""
    window = at(THREE)
    if window.controller.paused:
        window.controller.run_or_pause()
        settle(window)
    hands = TrainedHands(window, qtbot)
    Hands(qtbot).pick_text(hands.stage.heads, hands.stage.heads.itemText(0))
    window.room.selection.lock(Selection(0, 0))
    return hands


def choose(hands: TrainedHands, head: int) -> None:
    """Look at a head; 0 is all of them."""
    combo = hands.stage.heads
    assert combo.isVisible()
    Hands(hands.qtbot).pick_text(combo, combo.itemText(head))


def test_that_each_head_shows_its_own_weights_and_all_of_them_their_average(trained: TrainedHands) -> None:
    truth = independent_trace(THREE)
    assert trained.stage.heads.count() == 4
    for head in (2, 1, 3, 0):
        choose(trained, head)
        weights = truth.heads[head - 1].weights if head else truth.weights
        levels = (truth.heads[head - 1] if head else truth).contrast_levels
        assert (trained.stage.shown.weights == weights).all()
        colours = heatmap_colours(trained.stage.heatmap, levels.shape)
        # The frame of the chosen row, the first, reaches into the second where rows are a few pixels high.
        assert (colours[2:] == colours_of(trained.stage.weight_table, levels)[2:]).all()
        trained.window.room.selection.lock(Selection(0, 4, 7))
        assert f"weight {weights[4, 7]:.4f}" in trained.stage.read_out.text()
        trained.window.room.selection.lock(Selection(0, 0))
    assert np.allclose(truth.weights, np.tensordot(truth.shares, truth.head_weights, 1))


def test_that_the_list_of_heads_says_their_shares(trained: TrainedHands) -> None:
    truth = independent_trace(THREE)
    for head, share in enumerate(truth.shares):
        assert f"{share:.3f}" in trained.stage.heads.itemText(head + 1)
    assert truth.shares.sum() == pytest.approx(1)


def test_that_the_curve_of_every_head_is_drawn_beside_their_average(trained: TrainedHands) -> None:
    truth = independent_trace(THREE)
    assert is_drawn(trained.stage.fit, truth.x_test, truth.y_hat)
    for item, head in zip(trained.stage.fit.curves.heads[:3], truth.heads, strict=True):
        assert (item.data[1] == head.y_hat).all()
    for item in trained.stage.fit.curves.heads[3:]:
        assert not len(item.x)
    choose(trained, 2)
    assert is_drawn(trained.stage.fit, truth.x_test, truth.y_hat)


def test_that_the_points_a_query_looks_at_are_those_of_the_chosen_head(trained: TrainedHands, qtbot: QtBot) -> None:
    truth, fit = independent_trace(THREE), FitHands(trained.window, qtbot)
    for head in (1, 2, 3, 0):
        choose(trained, head)
        weights = (truth.heads[head - 1] if head else truth).weights
        for query in (1, 6):
            trained.window.room.selection.lock(Selection(0, query))
            x, heights = fit.fit.points.stems.data
            here = [list(truth.x_train).index(each) for each in x]
            assert np.allclose(heights / heights.max(), weights[query][here] / weights[query].max())


def test_that_the_history_has_a_curve_of_w_for_every_head(trained: TrainedHands) -> None:
    truth = steps_of_run(THREE)
    for step in (4, 0, 6):
        trained.slide_to(step)
        check_shows(trained, truth, step, known=6)
    drawn = [curve for curve in trained.history.w.plot.curves if len(curve.x)]
    assert len(drawn) == 3
    assert len(trained.history.w.now.text().split(", ")) == 3
    assert len([curve for curve in trained.history.loss.plot.curves if len(curve.x)]) == 1


def test_that_many_heads_leave_the_matrix_its_room(trained: TrainedHands, settle: Settle) -> None:
    wide = trained.stage.heatmap.cells.width()
    spec = training(num_heads=8)
    trained.controller.propose(spec)
    settle(trained.window)
    w = independent_trace(spec).w_path[-1]  # type: ignore[union-attr]
    assert trained.history.w.now.text() == f"{w.min():.4g} to {w.max():.4g}"
    assert trained.stage.heatmap.cells.width() > 0.9 * wide


def test_that_a_chosen_head_stays_chosen_while_the_training_is_looked_back_on(trained: TrainedHands) -> None:
    truth = steps_of_run(THREE)
    choose(trained, 3)
    for step in (2, 5):
        trained.slide_to(step)
        assert (trained.stage.shown.weights == truth[step].head_weights[2]).all()
        assert trained.stage.shown.w_now == truth[step].w_path[step, 2]
        assert f"{truth[step].shares[2]:.3f}" in trained.stage.heads.itemText(3)


def test_that_the_heads_go_with_their_number(trained: TrainedHands, settle: Settle) -> None:
    choose(trained, 3)
    for count, listed in ((2, 3), (1, 2), (4, 5)):
        spec = training(num_heads=count)
        trained.controller.propose(spec)
        settle(trained.window)
        truth: Any = independent_trace(spec)
        assert trained.stage.heads.count() == listed
        assert trained.stage.heads.isVisible() == (count > 1)
        chosen = trained.stage.heads.currentIndex()
        expected = truth.heads[chosen - 1].weights if count > 1 and chosen else truth.weights
        assert (trained.stage.shown.weights == expected).all()
        drawn = [curve for curve in trained.history.w.plot.curves if len(curve.x)]
        assert len(drawn) == count
        heads = [item for item in trained.stage.fit.curves.heads if len(item.x)]
        assert len(heads) == (count if count > 1 else 0)
