"""The regression room: curve, weights and history are the trace's; run, pause, step and reset do what they say."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours
from fake_engine import FakeEngine
from hands import Hands
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QToolButton
from pytestqt.qtbot import QtBot
from small_specs import SMALL, independent_run, independent_trace, regression, training

from attnviz.experiment.labs import Spec
from attnviz.gui.main_window import MainWindow
from attnviz.gui.selection import Selection

Opener = Callable[..., MainWindow]
Settle = Callable[[MainWindow], None]
At = Callable[[Spec], MainWindow]

KINDS = {
    "average": regression(estimator="average"),
    "gaussian": regression(),
    "boxcar": regression(kernel="boxcar", width=0.15),
    "epanechnikov": regression(kernel="epanechnikov", width=0.4),
    "constant": regression(kernel="constant"),
    "textbook": regression(data={"kind": "book"}),
    "learned": training(),
}


@pytest.fixture
def paused(open_window: Opener, qtbot: QtBot) -> MainWindow:
    """A window in which a training waits before its first step."""
    window = open_window(training())
    button(window, "reset").click()
    qtbot.waitUntil(lambda: step_of(window) == 0 and window.controller.paused)
    return window


def button(window: MainWindow, key: str) -> QToolButton:
    """Return the visible button of an action in the bar above."""
    action = window.actions_[key]
    (found,) = [it for it in window.top_bar.findChildren(QToolButton) if it.defaultAction() is action]
    assert found.isVisible()
    return found


def step_of(window: MainWindow) -> int:
    shown: Any = window.controller.shown
    return int(shown.step)


def stage_of(window: MainWindow) -> Any:
    return window.rooms["regression"].stage


def curves(window: MainWindow) -> list[Any]:
    """Return x and y of every curve in the plot of the fit."""
    items = stage_of(window).fit.getPlotItem().listDataItems()
    return [item.getOriginalDataset() for item in items if hasattr(item, "getOriginalDataset")]


def is_drawn(window: MainWindow, x: Any, y: Any) -> bool:
    drawn = [(xs, ys) for xs, ys in curves(window) if xs is not None]
    return any(np.array_equal(xs, x) and np.array_equal(ys, y, equal_nan=True) for xs, ys in drawn)


@pytest.mark.parametrize("kind", KINDS)
def test_that_fit_truth_and_weights_on_screen_are_those_of_an_independent_run(kind: str, at: At, hands: Hands) -> None:
    window, trace = at(KINDS[kind]), independent_trace(KINDS[kind])
    stage = stage_of(window)
    assert is_drawn(window, trace.x_test, trace.y_hat)
    assert is_drawn(window, trace.x_test, trace.y_truth)
    window.room.selection.lock(Selection(0, 0))
    for levels in (trace.contrast_levels, trace.levels):
        colours = heatmap_colours(stage.heatmap, levels.shape)
        # The frame of the chosen row, the first, reaches into the second where rows are a few pixels high.
        assert (colours[2:] == colours_of(stage.table, levels)[2:]).all()
        (contrast,) = [it for it in stage.findChildren(QCheckBox) if "contrast" in it.text()]
        hands.toggle(contrast)
    high = f"{trace.contrast_scale.high:.3g}"
    assert stage.bar.accessibleDescription().startswith(f"0 .. {'1' if high == '1' else high} weight")


def test_that_a_query_without_a_point_in_reach_has_no_prediction_on_screen(at: At) -> None:
    spec = KINDS["boxcar"]
    window, trace = at(spec), independent_trace(spec)
    (query,) = np.flatnonzero(np.isnan(trace.y_hat))[:1]
    window.room.selection.lock(Selection(0, int(query)))
    assert "no training point in reach" in stage_of(window).read_out.text()
    assert window.rooms["regression"].inspector.prediction.texts()[0] == "no point in reach"


def test_that_loss_and_w_are_drawn_while_training_as_they_come(open_window: Opener, settle: Settle) -> None:
    window = open_window(training(epochs=40), wait=False)
    truth = independent_trace(training(epochs=40))
    seen: list[int] = []

    def check(trace: Any) -> None:
        stage = stage_of(window)
        steps, loss = stage.loss.curve.getOriginalDataset()
        assert np.array_equal(loss if loss is not None else [], truth.loss[: trace.step])
        assert np.array_equal(steps if steps is not None else [], np.arange(trace.step))
        w_steps, w = stage.w.curve.getOriginalDataset()
        assert np.array_equal(w, [truth.w_start, *truth.w[: trace.step]])
        assert np.array_equal(w_steps, np.arange(trace.step + 1))
        seen.append(trace.step)

    window.controller.trace_accepted.connect(check)
    settle(window)
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert seen[-1] == 40
    assert stage_of(window).loss.now.text() == f"{truth.loss[-1]:.4g}"
    assert stage_of(window).w.now.text() == f"{truth.w[-1]:.4g}"


def test_that_reset_shows_step_0_and_waits(paused: MainWindow) -> None:
    first = independent_run(training(), untrained_first=True)[0]
    shown: Any = paused.controller.shown
    assert (shown.y_hat == first.y_hat).all()
    assert is_drawn(paused, first.x_test, first.y_hat)
    assert paused.controller.paused
    assert not paused.controller.computing
    assert paused.status.state.text() == "paused"
    assert len(stage_of(paused).w.curve.getOriginalDataset()[0]) == 1


def test_that_step_advances_exactly_one_step(paused: MainWindow, qtbot: QtBot) -> None:
    truth = independent_run(training(), untrained_first=True)
    seen: list[int] = []
    paused.controller.trace_accepted.connect(lambda trace: seen.append(trace.step))
    for step in (1, 2, 3):
        with qtbot.waitSignal(paused.controller.trace_accepted):
            button(paused, "step").click()
        assert seen == list(range(1, step + 1))
        assert paused.controller.paused
        assert is_drawn(paused, truth[step].x_test, truth[step].y_hat)


def test_that_steps_pressed_fast_are_all_taken(paused: MainWindow, qtbot: QtBot) -> None:
    for _ in range(4):
        button(paused, "step").click()
    qtbot.waitUntil(lambda: step_of(paused) == 4)
    assert paused.controller.paused


def test_that_run_goes_on_from_where_it_waits_to_the_end(paused: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    button(paused, "step").click()
    qtbot.waitUntil(lambda: step_of(paused) == 1)
    seen: list[int] = []
    paused.controller.trace_accepted.connect(lambda trace: seen.append(trace.step))
    button(paused, "run").click()
    settle(paused)
    qtbot.waitUntil(lambda: step_of(paused) == 6)
    assert seen[0] >= 2
    assert not paused.controller.paused


def test_that_pause_stops_between_two_steps_and_survives_what_is_no_change(
    open_window: Opener, hands: Hands, qtbot: QtBot
) -> None:
    window = open_window(training(epochs=100_000, learning_rate=1e-6), wait=False)
    qtbot.waitUntil(lambda: window.controller.shown is not None and step_of(window) > 2)
    assert window.actions_["run"].text() == "Pause"
    button(window, "run").click()
    assert window.controller.paused
    assert window.actions_["run"].text() == "Run"
    qtbot.wait(60)  # what was on its way has arrived
    halted = step_of(window)
    (pace,) = [box for box in window.findChildren(QComboBox) if box.accessibleName() == "Pace of the training"]
    hands.pick(pace, None)
    window.toggle_theme()
    window.rooms["regression"].selection.lock(Selection(0, 1))
    window.rooms["regression"].set_map("cividis")
    qtbot.wait(60)  # many steps at full speed
    assert window.controller.paused
    assert step_of(window) == halted
    button(window, "run").click()
    qtbot.waitUntil(lambda: step_of(window) > halted)


def test_that_run_starts_a_finished_training_again(open_window: Opener, settle: Settle, qtbot: QtBot) -> None:
    window = open_window(training())
    assert step_of(window) == 6
    seen: list[int] = []
    window.controller.trace_accepted.connect(lambda trace: seen.append(trace.step))
    window.controller.set_pace(30)
    button(window, "run").click()
    qtbot.waitUntil(lambda: bool(seen))
    settle(window)
    assert seen == sorted(seen)
    assert seen[0] < 3
    assert seen[-1] == 6


def test_that_step_starts_a_finished_training_again_and_takes_one_step(open_window: Opener, qtbot: QtBot) -> None:
    window = open_window(training())
    button(window, "step").click()
    qtbot.waitUntil(lambda: step_of(window) == 1)
    qtbot.wait(60)
    assert step_of(window) == 1
    assert window.controller.paused


def test_that_a_change_while_paused_runs(paused: MainWindow, settle: Settle) -> None:
    paused.controller.propose(training(seed=1, w_init=0.25))
    settle(paused)
    assert not paused.controller.paused
    assert step_of(paused) == 6


def test_that_the_transport_is_there_only_where_a_width_is_learned(at: At) -> None:
    for spec, there in ((SMALL, False), (regression(), False), (training(), True)):
        window = at(spec)
        buttons = [it for it in window.top_bar.findChildren(QToolButton) if it.defaultAction()]
        shown = {it.defaultAction().text() for it in buttons if it.isVisible()}
        assert ({"Run", "Step", "Reset"} <= shown) == there
        assert there or not {"Run", "Step", "Reset"} & shown


def test_that_the_keys_of_the_transport_do_nothing_where_nothing_is_trained(
    engine: FakeEngine, open_window: Opener, qtbot: QtBot
) -> None:
    window = open_window(regression())
    for key in ("run", "step", "reset"):
        window.actions_[key].trigger()
    assert not window.controller.computing
    assert engine.asked == [regression()]


def test_that_pointing_at_the_fit_chooses_the_nearest_query_and_a_click_holds_it(at: At, hands: Hands) -> None:
    window, trace = at(regression()), independent_trace(regression())
    room, fit = window.rooms["regression"], stage_of(window).fit
    for query, act in ((7, hands.point), (3, hands.click), (8, hands.point)):
        place = fit.getViewBox().mapViewToScene(QPointF(trace.x_test[query] + 0.1, trace.y_hat[query]))
        act(fit.viewport(), place)
        assert room.selection.current.query == query
        assert room.stage.read_out.text().startswith(f"query x = {trace.x_test[query]:.4g}")
        assert f"f({trace.x_test[query]:.4g}) = {trace.y_hat[query]:.4f}" in room.stage.read_out.text()
    hands.qtbot.mouseMove(window.top_bar, QPoint(1, 1))
    hands.qtbot.waitUntil(lambda: room.selection.current.query == 3)


def test_that_a_cell_of_the_weights_is_read_out_and_let_go(at: At, hands: Hands) -> None:
    window, trace = at(regression()), independent_trace(regression())
    stage, inspector = stage_of(window), window.rooms["regression"].inspector
    hands.click(stage.heatmap, stage.heatmap.rect_of(4, 9))
    words = stage.read_out.text()
    assert f"key x = {trace.x_train[9]:.4g}" in words
    assert f"weight {trace.weights[4, 9]:.4f}" in words
    assert inspector.prediction.texts() == (
        f"{trace.y_hat[4]:.4f}",
        f"{trace.y_truth[4]:.4f}",
        f"{trace.weights[4].sum():.4f}",
    )
    hands.qtbot.mouseMove(window.top_bar, QPoint(1, 1))
    hands.qtbot.keyClick(window, Qt.Key.Key_Escape)
    hands.qtbot.waitUntil(lambda: "weight" not in stage.read_out.text())
    assert stage.read_out.text().startswith(f"query x = {trace.x_test[4]:.4g}")
