"""Trainings that were stopped or have diverged are looked back on too; new points leave the step; Pause holds."""

import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from fake_engine import ShouldStop, start_wrapped
from fit_hands import FitHands
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot
from small_specs import independent_trace, regression, training
from trained_hands import TrainedHands, check_shows, steps_of_run
from windows import At, Opener, Settle

from attnviz.engine.run import run
from attnviz.experiment.labs import Spec
from attnviz.experiment.regression.spec import Overlay
from attnviz.experiment.run import Cursor, Failure
from attnviz.gui.window.main_window import MainWindow

SIX = training()
THIRTY = training(epochs=30)
EPOCHS = 100
LONG = training(epochs=100_000, learning_rate=1e-6)
FAR = {"kind": "points", "x": (1, 2, 3, 4), "y": (1e20, 2, -1e20, 1e10)}
WILD = training(data=FAR, epochs=30, w_init=0.01)
"""It leaves the finite numbers in its tenth step."""


@pytest.fixture
def slow_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that takes 8 ms longer for every step, in every window that is opened afterwards."""

    def slowly(should_stop: ShouldStop) -> ShouldStop:
        time.sleep(0.008)
        return should_stop

    def slow(spec: Any, past: Any = None, **options: Any) -> Any:
        return start_wrapped(spec, past, slowly, **options)

    monkeypatch.setattr("attnviz.engine.run.start", slow)


@pytest.fixture
def trained(at: At, settle: Settle, qtbot: QtBot) -> TrainedHands:
    """The module's window after a training of 6 steps."""
    return TrainedHands(trained_at(SIX, at, settle), qtbot)


def trained_at(spec: Spec, at: At, settle: Settle) -> MainWindow:
    window = at(spec)
    if window.controller.paused:  # it waits on where the last test has left it
        window.controller.run_or_pause()
        settle(window)
    window.controller.undo_stack.clear()
    return window


def first_steps(spec: Spec, count: int) -> list[Any]:
    """Return the untrained trace and the first steps of an independent run."""
    return list(islice(run(spec, untrained_first=True), count + 1))


def wait_idle(hands: TrainedHands) -> None:
    hands.qtbot.waitUntil(lambda: not hands.window.runner.busy and hands.window.runner.mailbox.quiet)


def drag(hands: TrainedHands, moves: int = 3, wait_ms: int = 0) -> None:
    """Drag the most lonely point of the fit inwards, and let go."""
    fit = FitHands(hands.window, hands.qtbot)
    start = fit.at(fit.lonely_point())
    right, down = fit.inwards(start)
    fit.press(start)
    for move in range(1, moves + 1):
        fit.move([start + QPoint(2 * right * move, 2 * down * move)])
        if wait_ms:
            hands.qtbot.wait(wait_ms)
    fit.release(start + QPoint(2 * right * moves, 2 * down * moves))


def stop_after_ten(trained: TrainedHands) -> int:
    """Begin a long training, stop it after ten steps or a few more, and return its step."""
    controller = trained.controller
    controller.set_pace(200)  # so that steps do not run into thousands while the window waits for a core
    controller.propose(LONG)
    trained.qtbot.waitUntil(lambda: controller.up_to_date and trained.step >= 10)
    controller.stop()
    wait_idle(trained)
    return trained.step


def test_that_a_stopped_training_is_looked_back_on_and_goes_on_where_it_was_stopped(
    trained: TrainedHands, steps: list[int]
) -> None:
    controller, stopped = trained.controller, stop_after_ten(trained)
    assert 10 <= stopped == trained.trace.known_steps < LONG.epochs
    truth = first_steps(LONG, stopped + 3)
    for step in (stopped // 2, 0, stopped):
        trained.slide_to(step)
        check_shows(trained, truth, step, known=stopped)
        assert not controller.computing
    for step in range(stopped + 1, stopped + 4):
        with trained.qtbot.waitSignal(controller.trace_accepted):
            trained.press("step")
        check_shows(trained, truth, step, known=step)
        assert controller.paused
    steps.clear()
    trained.press("run")
    trained.qtbot.waitUntil(lambda: bool(steps) and steps[-1] > stopped + 10)
    assert steps == sorted(set(steps))
    assert steps[0] > stopped + 3
    controller.stop()
    wait_idle(trained)


def test_that_a_stopped_training_looked_back_on_is_played_again_and_then_goes_on(
    trained: TrainedHands, steps: list[int]
) -> None:
    controller, stopped = trained.controller, stop_after_ten(trained)
    trained.slide_to(stopped - 2)
    for step in range(stopped - 1, stopped + 2):
        with trained.qtbot.waitSignal(controller.trace_accepted):
            trained.press("step")
        check_shows(trained, first_steps(LONG, stopped + 2), step, known=max(step, stopped))
    trained.slide_to(3)
    steps.clear()
    trained.press("run")
    trained.qtbot.waitUntil(lambda: bool(steps) and steps[-1] > stopped + 5)
    assert steps == sorted(set(steps))
    controller.stop()
    wait_idle(trained)
    known = trained.step
    trained.slide_to(stopped)
    check_shows(trained, first_steps(LONG, known), stopped, known=known)


def test_that_a_training_that_diverges_keeps_its_history(trained: TrainedHands) -> None:
    truth = steps_of_run(WILD)
    assert isinstance(truth.pop(), Failure)
    trained.controller.set_pace(60)
    with trained.qtbot.waitSignal(trained.controller.failed):
        trained.controller.propose(WILD)
    wait_idle(trained)
    assert "diverged at step 10" in trained.window.notice.text()
    assert trained.window.room.stage.last_good.isVisible()
    assert trained.controller.up_to_date
    for step in (5, 0, 8, 2):
        trained.slide_to(step)
        assert trained.trace.known_steps == 9  # as far as it came, also what the screen was too slow to show
        check_shows(trained, truth, step, known=9)
    with trained.qtbot.waitSignal(trained.controller.failed):
        trained.press("run")
    wait_idle(trained)
    assert trained.step >= 8
    assert not trained.controller.paused
    trained.slide_to(1)
    check_shows(trained, truth, 1, known=9)


def test_that_a_training_that_diverges_between_two_frames_keeps_its_history(trained: TrainedHands) -> None:
    with trained.qtbot.waitSignal(trained.controller.failed):
        trained.controller.propose(WILD)
        time.sleep(0.2)  # the window looks away, as while it draws
    wait_idle(trained)
    assert trained.controller.up_to_date
    trained.slide_to(4)
    check_shows(trained, steps_of_run(WILD)[:-1], 4, known=9)


def test_that_a_point_dragged_in_a_finished_training_leaves_it_finished(
    trained: TrainedHands, steps: list[int], settle: Settle
) -> None:
    steps.clear()
    drag(trained, wait_ms=30)
    settle(trained.window)
    assert set(steps) == {6}
    assert not trained.controller.paused
    check_shows(trained, steps_of_run(trained.controller.spec), 6, known=6)
    assert trained.controller.undo_stack.count() == 1
    trained.window.actions_["undo"].trigger()
    settle(trained.window)
    assert set(steps) == {6}
    check_shows(trained, steps_of_run(SIX), 6, known=6)


def test_that_a_training_follows_a_dragged_point_live_at_any_pace(trained: TrainedHands, settle: Settle) -> None:
    fit, mark = FitHands(trained.window, trained.qtbot), trained.window.room.stage.last_good
    trained.controller.set_pace(2)
    start = fit.at(fit.lonely_point())
    right, down = fit.inwards(start)
    fit.press(start)
    seen: list[bytes] = []
    for move in range(3, 12):
        with trained.qtbot.waitSignal(trained.controller.trace_accepted):
            fit.move([start + QPoint(right * move, down * move)])
        assert trained.trace.final
        assert fit.fit.curves.fit.data[1].tobytes() == trained.trace.y_hat.tobytes()
        seen.append(trained.trace.y_hat.tobytes())
        assert mark.isHidden()
    assert len(set(seen)) == len(seen)
    fit.release(start + QPoint(right * 11, down * 11))
    settle(trained.window)
    check_shows(trained, steps_of_run(trained.controller.spec), 6, known=6)
    assert trained.controller.undo_stack.count() == 1


@pytest.mark.parametrize("begin", ["reset", "look back"])
def test_that_a_knob_shows_the_end_of_the_new_training_and_undo_the_step_of_the_old_one(
    begin: str, trained: TrainedHands, steps: list[int], settle: Settle
) -> None:
    step = 0 if begin == "reset" else 3
    if begin == "reset":
        trained.press("reset")
        trained.wait_for(0)
    else:
        trained.slide_to(3)
    trained.controller.set_pace(2)
    steps.clear()
    drag(trained)
    settle(trained.window)
    assert set(steps) == {6}
    check_shows(trained, steps_of_run(trained.controller.spec), 6, known=6)
    trained.window.actions_["undo"].trigger()
    trained.wait_for(step)
    trained.wait_paused()
    assert trained.controller.spec == SIX


def test_that_a_long_drag_in_a_slow_training_ends_at_its_end(
    slow_steps: None, open_window: Opener, qtbot: QtBot
) -> None:
    del slow_steps
    hands = TrainedHands(open_window(THIRTY), qtbot)
    hands.controller.set_pace(2)
    drag(hands, moves=9, wait_ms=30)  # a run to the step takes longer than patience lasts
    qtbot.waitUntil(lambda: hands.controller.up_to_date and hands.trace.final, timeout=2000)
    assert not hands.controller.paused


def test_that_an_overlay_added_to_a_finished_training_leaves_it_finished(
    trained: TrainedHands, steps: list[int], settle: Settle
) -> None:
    trained.controller.set_pace(10)
    steps.clear()
    (average,) = [it for it in overlays_menu(trained).actions() if it.data() == Overlay(estimator="average")]
    average.trigger()
    settle(trained.window)
    assert set(steps) == {6}
    spec = training(overlays=[{"estimator": "average"}])
    assert trained.controller.spec == spec
    check_shows(trained, steps_of_run(spec), 6, known=6)
    drawn = trained.stage.fit.curves.overlays[0].data[1]
    assert drawn.tobytes() == independent_trace(spec).curves[0].y_hat.tobytes()
    trained.slide_to(2)
    check_shows(trained, steps_of_run(spec), 2, known=6)
    assert trained.stage.fit.curves.overlays[0].data[1].tobytes() == drawn.tobytes()


def overlays_menu(hands: TrainedHands) -> Any:
    editor: Any = hands.window.room.form.editor("overlays")
    editor.menu.aboutToShow.emit()
    return editor.menu


@pytest.fixture
def on_its_way(slow_steps: None, open_window: Opener, qtbot: QtBot) -> Iterator[MainWindow]:
    """A window whose training goes to a far step at full speed, for one of its points has been moved."""
    del slow_steps  # else it could be there before it is drawn on its way
    window = open_window(training(epochs=EPOCHS, learning_rate=1e-6), wait=False)
    window.controller.set_pace(None)
    qtbot.waitUntil(lambda: getattr(window.controller.shown, "final", False), timeout=20_000)
    window.controller.set_pace(60)  # which holds for what comes after that step; at full pace it would seldom be drawn
    hands = FitHands(window, qtbot)
    hands.drag(hands.at(hands.lonely_point()), (6, 6))
    # The traces of the drag's earlier places are shown too; what is asked of those waits for the last.
    qtbot.waitUntil(lambda: window.controller.up_to_date and 0 < hands.trace.step < EPOCHS)
    yield window
    window.controller.stop()


def test_that_pause_holds_a_training_that_is_on_its_way_to_a_step(on_its_way: MainWindow, qtbot: QtBot) -> None:
    controller: Any = on_its_way.controller
    controller.run_or_pause()
    assert controller.paused
    qtbot.waitUntil(lambda: on_its_way.runner.mailbox.quiet)
    halted = controller.shown.step
    qtbot.wait(80)
    assert controller.shown.step == halted < EPOCHS


def test_that_looking_back_holds_a_training_that_is_on_its_way_to_a_step(on_its_way: MainWindow, qtbot: QtBot) -> None:
    controller: Any = on_its_way.controller
    controller.seek(Cursor(step=3))
    # The training may show its third step by itself, and the fourth after it, before it hears of this.
    qtbot.waitUntil(lambda: on_its_way.runner.mailbox.quiet and controller.shown.step == 3)
    qtbot.wait(80)
    assert (controller.shown.step, controller.paused) == (3, True)


def test_that_a_training_that_fails_on_its_way_to_a_step_comes_to_rest(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(training(w_init=0.5, learning_rate=0.5))
    far = {"kind": "points", "x": [0, 1, 2], "y": [1e90, -1e90, 1e90]}
    with qtbot.waitSignal(window.controller.failed):
        window.controller.propose(training(w_init=0.5, learning_rate=0.5, data=far))
    qtbot.waitUntil(lambda: not window.runner._timer.isActive())
    assert not window.runner.busy
    assert "diverged" in window.notice.text()


def test_that_run_right_after_stop_goes_on(open_window: Opener, qtbot: QtBot) -> None:
    window = open_window(LONG, wait=False)
    window.controller.set_pace(None)
    qtbot.waitUntil(lambda: getattr(window.controller.shown, "step", 0) > 3)
    window.controller.stop()
    window.controller.run_or_pause()
    reached: Any = window.controller.shown
    qtbot.waitUntil(lambda: window.controller.shown.step > reached.step + 50)  # type: ignore[union-attr]
    assert window.controller.computing
    window.controller.stop()


def test_that_a_run_stopped_before_its_overlays_says_so(open_window: Opener, qtbot: QtBot) -> None:
    spec = regression(overlays=[{"estimator": "parametric"}], epochs=100_000, learning_rate=1e-6)
    window = open_window(spec, wait=False)
    qtbot.waitUntil(lambda: window.controller.shown is not None)  # the fit itself waits for no training
    assert window.controller.computing
    window.controller.stop()
    qtbot.waitUntil(lambda: not window.controller.computing)
    qtbot.waitUntil(lambda: window.status.state.text() == "stopped before the overlays were there")


def test_that_looking_far_back_is_said_until_the_step_is_on_screen(trained: TrainedHands) -> None:
    controller, state = trained.controller, trained.window.status.state
    controller.seek(Cursor(step=6))
    wait_idle(trained)
    assert (trained.step, state.text()) == (6, "")
    controller.seek(Cursor(step=2))  # its steps may have to be taken again
    assert state.text() == "going back 4 steps to step 2"
    trained.qtbot.waitUntil(lambda: trained.step == 2)
    assert state.text() == ""
    controller.seek(Cursor(step=90))  # later than its newest
    assert state.text() == "going to step 90"
    trained.qtbot.waitUntil(lambda: trained.step == 6)
    assert state.text() == ""
    controller.seek(Cursor(step=2))
    controller.step()  # asks for something else
    assert "going" not in state.text()
    controller.run_or_pause()
    wait_idle(trained)
