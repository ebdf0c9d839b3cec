"""Run, pause, step and reset through the buttons of the bar: each does exactly what it says."""

from typing import Any

import numpy as np
import pytest
from eyes import is_drawn
from fake_engine import FakeEngine
from hands import Hands
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot
from regression_hands import stage_of, step_of
from small_specs import SMALL, independent_run, independent_trace, regression, training
from windows import At, Opener, Settle

from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow
from attnviz.gui.window.pace_slider import PACES


@pytest.fixture
def trained(at: At) -> MainWindow:
    """The module's window after a training of 6 steps."""
    return at(training())


@pytest.fixture
def paused(trained: MainWindow, qtbot: QtBot) -> MainWindow:
    """The module's window in which a training waits before its first step."""
    with qtbot.waitSignal(trained.controller.trace_accepted):
        button(trained, "reset").click()
    assert step_of(trained) == 0
    assert trained.controller.paused
    return trained


def button(window: MainWindow, key: str) -> QToolButton:
    """Return the visible button of an action in the bar above."""
    action = window.actions_[key]
    (found,) = [it for it in window.top_bar.findChildren(QToolButton) if it.defaultAction() is action]
    assert found.isVisible()
    return found


def test_that_loss_and_w_are_drawn_while_training_as_they_come(
    trained: MainWindow, steps: list[int], settle: Settle
) -> None:
    truth, stage = independent_trace(training(epochs=40)), trained.rooms["regression"].stage
    differing: list[int] = []

    def compare(trace: Any) -> None:
        xs, loss = stage.loss.plot.curves[0].data if trace.step else (np.empty(0), np.empty(0))
        w_xs, w = stage.w.plot.curves[0].data
        same = np.array_equal(loss, truth.loss[: trace.step]) and np.array_equal(xs, np.arange(trace.step))
        same &= np.array_equal(w, truth.w_path[: trace.step + 1, 0])
        same &= np.array_equal(w_xs, np.arange(trace.step + 1))
        differing.extend([] if same else [trace.step])

    connection = trained.controller.trace_accepted.connect(compare)
    trained.controller.set_pace(100)
    trained.controller.begin(training(epochs=40), "")
    settle(trained)
    trained.controller.trace_accepted.disconnect(connection)
    assert len(steps) > 3
    assert steps == sorted(steps)
    assert steps[-1] == 40
    assert differing == []
    assert stage.loss.now.text() == f"{truth.loss[-1]:.4g}"
    assert stage.w.now.text() == f"{truth.w[-1]:.4g}"


def test_that_reset_shows_step_0_and_waits(paused: MainWindow) -> None:
    first = independent_run(training(), untrained_first=True)[0]
    shown: Any = paused.controller.shown
    assert (shown.y_hat == first.y_hat).all()
    assert is_drawn(stage_of(paused).fit, first.x_test, first.y_hat)
    assert paused.controller.paused
    assert not paused.controller.computing
    assert paused.status.state.text() == "paused"
    assert len(stage_of(paused).w.plot.curves[0].data[0]) == 1


def test_that_step_advances_exactly_one_step(paused: MainWindow, steps: list[int], qtbot: QtBot) -> None:
    truth = independent_run(training(), untrained_first=True)
    steps.clear()
    for step in (1, 2, 3):
        with qtbot.waitSignal(paused.controller.trace_accepted):
            button(paused, "step").click()
        assert steps == list(range(1, step + 1))
        assert paused.controller.paused
        assert is_drawn(stage_of(paused).fit, truth[step].x_test, truth[step].y_hat)


def test_that_steps_pressed_fast_are_all_taken(paused: MainWindow, qtbot: QtBot) -> None:
    for _ in range(4):
        button(paused, "step").click()
    qtbot.waitUntil(lambda: step_of(paused) == 4)
    assert paused.controller.paused


def test_that_run_goes_on_from_where_it_waits_to_the_end(
    paused: MainWindow, steps: list[int], settle: Settle, qtbot: QtBot
) -> None:
    button(paused, "step").click()
    qtbot.waitUntil(lambda: step_of(paused) == 1)
    steps.clear()
    button(paused, "run").click()
    settle(paused)
    assert steps[0] >= 2
    assert steps[-1] == 6
    assert not paused.controller.paused


def test_that_pause_stops_between_two_steps_and_survives_what_is_no_change(
    trained: MainWindow, steps: list[int], qtbot: QtBot
) -> None:
    window = trained
    window.controller.set_pace(60)
    window.controller.propose(training(epochs=100_000, learning_rate=1e-6))
    qtbot.waitUntil(lambda: len(steps) > 2)
    assert window.actions_["run"].text() == "Pause"
    button(window, "run").click()
    assert window.controller.paused
    assert window.actions_["run"].text() == "Run"
    qtbot.wait(60)  # what was on its way has arrived
    halted = step_of(window)
    window.top_bar.pace.slider.setValue(len(PACES) - 1)
    window.toggle_theme()
    window.rooms["regression"].selection.lock(Selection(0, 1))
    window.rooms["regression"].set_map("cividis")
    qtbot.wait(60)  # many steps at full speed
    assert window.controller.paused
    assert step_of(window) == halted
    button(window, "run").click()
    qtbot.waitUntil(lambda: step_of(window) > halted)
    window.controller.stop()
    qtbot.waitUntil(lambda: not window.controller.computing)


def test_that_run_starts_a_finished_training_again(trained: MainWindow, steps: list[int], settle: Settle) -> None:
    assert step_of(trained) == 6
    trained.controller.set_pace(30)
    button(trained, "run").click()
    settle(trained)
    assert steps == sorted(steps)
    assert steps[0] < 3
    assert steps[-1] == 6


def test_that_step_starts_a_finished_training_again_and_takes_one_step(trained: MainWindow, qtbot: QtBot) -> None:
    button(trained, "step").click()
    qtbot.waitUntil(lambda: step_of(trained) == 1)
    qtbot.wait(60)  # steps that nobody asked for would have come
    assert step_of(trained) == 1
    assert trained.controller.paused


def test_that_what_the_mouse_is_over_stays_chosen_while_the_training_goes_on(
    paused: MainWindow, hands: Hands, qtbot: QtBot
) -> None:
    room = paused.rooms["regression"]
    hands.point(room.stage.heatmap, room.stage.heatmap.rect_of(3, 5))
    assert room.selection.current == Selection(0, 3, 5)
    button(paused, "step").click()
    qtbot.waitUntil(lambda: step_of(paused) == 1)
    trace: Any = paused.controller.shown
    assert room.selection.current == Selection(0, 3, 5)
    assert f"weight {trace.weights[3, 5]:.4f}" in room.stage.read_out.text()


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
