"""A training that can be looked back on: each step comes back as it was, and Run goes on from there."""

from typing import Any

import pytest
from hands import Hands
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot
from small_specs import training
from trained_hands import TrainedHands, check_shows, steps_of_run
from windows import At, Settle

from attnviz.experiment.run import Cursor

SIX = training()


@pytest.fixture
def trained(at: At, settle: Settle, qtbot: QtBot) -> TrainedHands:
    """The module's window after a training of 6 steps."""
    window = at(SIX)
    if window.controller.paused:  # it waits on where the last test has left it
        window.controller.run_or_pause()
        settle(window)
    window.controller.undo_stack.clear()
    return TrainedHands(window, qtbot)


@pytest.fixture
def halfway(trained: TrainedHands) -> TrainedHands:
    """The module's window in which a training waits after its fourth step."""
    with trained.qtbot.waitSignal(trained.controller.trace_accepted):
        trained.press("reset")
    for step in (1, 2, 3, 4):
        with trained.qtbot.waitSignal(trained.controller.trace_accepted):
            trained.press("step")
        assert trained.step == step
    trained.wait_paused()
    return trained


@pytest.fixture
def truth() -> list[Any]:
    """Every step of an independent run."""
    return steps_of_run(SIX)


def test_that_the_slider_shows_any_step_of_a_finished_training_as_it_was(
    trained: TrainedHands, truth: list[Any]
) -> None:
    for step in (3, 0, 5, 1, 6, 2, 4):
        trained.slide_to(step)
        check_shows(trained, truth, step, known=6)
        assert not trained.controller.computing


def test_that_the_slider_shows_any_known_step_of_a_waiting_training_which_waits_on(
    halfway: TrainedHands, truth: list[Any]
) -> None:
    for step in (2, 0, 4, 1):
        halfway.slide_to(step)
        check_shows(halfway, truth, step, known=4)
        assert halfway.controller.paused
        assert halfway.window.status.state.text() == "paused"
        assert halfway.button("run").text() == "Run"


def test_that_keys_move_the_slider_by_steps(trained: TrainedHands, truth: list[Any]) -> None:
    trained.slider.setFocus()
    for key, step in ((Qt.Key.Key_Left, 5), (Qt.Key.Key_Left, 4), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Right, 1)):
        trained.qtbot.keyClick(trained.slider, key)
        trained.wait_for(step)
        check_shows(trained, truth, step, known=6)


@pytest.mark.parametrize("plot", ["loss", "w"])
def test_that_a_press_in_a_plot_of_the_history_shows_the_nearest_step(
    plot: str, trained: TrainedHands, truth: list[Any]
) -> None:
    for x, step in ((2, 2), (4.4, 4), (4.6, 5), (0.3, 0), (6, 6), (-0.1, 0)):
        trained.press_at(getattr(trained.history, plot), x)
        trained.wait_for(step)
        check_shows(trained, truth, step, known=6)


def test_that_dragging_in_a_plot_of_the_history_ends_on_the_last_step(trained: TrainedHands, truth: list[Any]) -> None:
    view = trained.history.w.plot
    places = [view.getViewBox().mapViewToScene(QPointF(step, 0.5)).toPoint() for step in (6, 5, 4, 3, 2, 1, 2, 3)]
    trained.qtbot.mousePress(view.viewport(), Hands.left, pos=places[0])
    for place in places:
        Hands(trained.qtbot).drag(view.viewport(), place)
    trained.qtbot.mouseRelease(view.viewport(), Hands.left, pos=places[-1])
    trained.wait_for(3)
    trained.qtbot.wait(50)
    check_shows(trained, truth, 3, known=6)


def test_that_a_step_beyond_what_is_known_is_the_last_that_is(halfway: TrainedHands, truth: list[Any]) -> None:
    halfway.slide_to(1)
    halfway.slider.setValue(6)
    halfway.wait_for(4)
    check_shows(halfway, truth, 4, known=4)
    halfway.controller.seek(Cursor(step=2))
    halfway.wait_for(2)
    halfway.controller.seek(Cursor(step=10_000))
    halfway.wait_for(4)
    check_shows(halfway, truth, 4, known=4)
    halfway.press_at(halfway.history.loss, 5.8)
    halfway.qtbot.wait(50)
    check_shows(halfway, truth, 4, known=4)


def test_that_run_goes_on_from_a_step_looked_back_on_to_the_end(
    halfway: TrainedHands, truth: list[Any], steps: list[int], settle: Settle
) -> None:
    halfway.slide_to(1)
    halfway.controller.set_pace(30)
    steps.clear()
    halfway.press("run")
    assert halfway.button("run").text() == "Pause"
    assert halfway.window.status.state.text() == "running"
    settle(halfway.window)
    assert steps == sorted(set(steps))
    assert 2 <= steps[0] <= 4
    check_shows(halfway, truth, 6, known=6)
    assert not halfway.controller.paused


def test_that_run_goes_through_a_finished_training_from_a_step_looked_back_on(
    trained: TrainedHands, truth: list[Any], steps: list[int], settle: Settle
) -> None:
    trained.slide_to(2)
    trained.controller.set_pace(30)
    steps.clear()
    trained.press("run")
    assert trained.controller.computing
    settle(trained.window)
    assert steps == sorted(set(steps))
    assert 3 <= steps[0] <= 5
    check_shows(trained, truth, 6, known=6)


def test_that_step_takes_one_known_step_and_then_new_ones(halfway: TrainedHands, truth: list[Any]) -> None:
    halfway.slide_to(2)
    for step, known in ((3, 4), (4, 4), (5, 5)):
        with halfway.qtbot.waitSignal(halfway.controller.trace_accepted):
            halfway.press("step")
        check_shows(halfway, truth, step, known=known)
        assert halfway.controller.paused
    halfway.qtbot.wait(50)  # steps that nobody asked for would have come
    check_shows(halfway, truth, 5, known=5)


def test_that_step_in_a_finished_training_that_is_looked_back_on_takes_one_and_waits(
    trained: TrainedHands, truth: list[Any]
) -> None:
    trained.slide_to(2)
    with trained.qtbot.waitSignal(trained.controller.trace_accepted):
        trained.press("step")
    trained.wait_paused()
    check_shows(trained, truth, 3, known=6)


def test_that_looking_back_while_a_training_runs_pauses_it_there(
    trained: TrainedHands, steps: list[int], settle: Settle
) -> None:
    spec = training(epochs=120)
    trained.controller.set_pace(60)
    trained.controller.begin(spec, "")
    trained.qtbot.waitUntil(lambda: bool(steps) and 5 <= steps[-1] < 120)
    trained.slide_to(2)
    trained.wait_paused()
    trained.qtbot.wait(60)  # steps that nobody asked for would have come
    known = trained.trace.known_steps
    assert 5 <= known < 120
    truth = steps_of_run(spec)
    check_shows(trained, truth, 2, known=known)
    trained.controller.set_pace(None)
    trained.press("run")
    settle(trained.window)
    check_shows(trained, truth, 120, known=120)


def test_that_the_slider_moved_fast_ends_on_its_last_value(trained: TrainedHands, settle: Settle) -> None:
    spec = training(epochs=80)
    trained.controller.propose(spec)
    settle(trained.window)
    trained.slider.setSliderDown(True)
    for step in [*range(79, 20, -1), *range(20, 58)]:
        trained.slider.setSliderPosition(step)
        if step % 10 == 0:
            trained.qtbot.wait(1)
    trained.slider.setSliderDown(False)
    trained.wait_for(57)
    trained.qtbot.wait(60)
    check_shows(trained, steps_of_run(spec), 57, known=80)


def test_that_a_slider_let_go_beyond_what_is_known_comes_back_to_the_step_shown(halfway: TrainedHands) -> None:
    halfway.slider.setSliderDown(True)
    halfway.slider.setSliderPosition(6)
    halfway.qtbot.wait(60)  # the fourth step has been shown meanwhile
    halfway.slider.setSliderDown(False)
    halfway.qtbot.wait(60)
    assert (halfway.step, halfway.slider.value()) == (4, 4)


def test_that_reset_after_looking_back_starts_anew(trained: TrainedHands, truth: list[Any]) -> None:
    trained.slide_to(3)
    with trained.qtbot.waitSignal(trained.controller.trace_accepted):
        trained.press("reset")
    trained.wait_paused()
    check_shows(trained, truth, 0, known=0)


@pytest.mark.parametrize("change", [{"learning_rate": 0.1}, {"seed": 5, "w_init": None}, {"leave_one_out": False}])
def test_that_another_training_leaves_the_history_and_starts_anew(
    change: dict[str, Any], trained: TrainedHands, settle: Settle
) -> None:
    trained.slide_to(3)
    seen: list[tuple[int, int]] = []
    connection = trained.controller.trace_accepted.connect(lambda trace: seen.append((trace.step, trace.known_steps)))
    trained.controller.propose(training(**change))
    settle(trained.window)
    trained.controller.trace_accepted.disconnect(connection)
    assert all(step == known for step, known in seen)
    truth = steps_of_run(training(**change))
    check_shows(trained, truth, 6, known=6)
    trained.slide_to(2)
    check_shows(trained, truth, 2, known=6)


def test_that_a_look_at_a_picture_of_another_spec_does_nothing(trained: TrainedHands, settle: Settle) -> None:
    trained.controller.propose(training(learning_rate=0.2))
    trained.controller.seek(Cursor(step=2))
    assert not trained.controller.paused
    settle(trained.window)
    assert trained.step == 6
