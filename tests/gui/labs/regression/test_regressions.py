"""A held point, a knob half typed, a run on its way: none of them is lost, and none of them runs away."""

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fit_hands import FitHands
from hands import Hands
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from small_specs import SMALL, regression, training

from attnviz.experiment.run import Cursor
from attnviz.gui.widgets.words import number_text
from attnviz.gui.window.main_window import MainWindow

At = Callable[[Any], MainWindow]
Opener = Callable[..., MainWindow]
Settle = Callable[[MainWindow], None]

EPOCHS = 100
BIG_TRAINING = training(epochs=100_000, learning_rate=1e-6)


@pytest.fixture
def fit(at: At, qtbot: QtBot) -> FitHands:
    """Hands on the fit of the module's window."""
    return FitHands(at(regression()), qtbot)


def data_of(window: MainWindow) -> Any:
    return window.controller.spec.data  # type: ignore[union-attr]


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


def test_that_moving_the_view_chooses_no_query(fit: FitHands, settle: Settle) -> None:
    query = fit.window.room.selection.locked.query
    start = fit.empty_place()
    fit.drag(start, (40, 0))
    settle(fit.window)
    assert fit.window.room.selection.locked.query == query
    fit.qtbot.keyClick(fit.fit, Qt.Key.Key_0)


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
    assert (data_of(window).kind, data_of(window).function) == ("points", "book")


def test_that_a_drag_leaves_what_is_half_typed_elsewhere(fit: FitHands, hands: Hands, settle: Settle) -> None:
    form = fit.window.room.form
    grid: Any = form.editor("x_test")
    _, stop, _ = grid._boxes.values()
    stop.setFocus()
    hands.type(stop, "-3")
    problem = form.problem("x_test")
    assert "stop" in problem
    fit.drag(fit.at(fit.lonely_point()), (6, 6))
    settle(fit.window)
    assert data_of(fit.window).kind == "points"
    assert form.problem("x_test") == problem
    assert stop.value() == -3


def test_that_nothing_keeps_a_trace_that_is_not_shown_any_more(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(regression())
    gc.collect()
    gc.disable()
    try:
        old = weakref.ref(window.controller.shown)
        for width in (0.3, 0.4, 0.5):
            window.controller.propose(regression(width=width))
            settle(window)
        qtbot.waitUntil(lambda: old() is None)
    finally:
        gc.enable()


@pytest.fixture
def on_its_way(open_window: Opener, qtbot: QtBot) -> Iterator[MainWindow]:
    """A window whose training goes to a far step at full speed, for one of its points has been moved."""
    points = {"kind": "synthetic", "n_train": 300, "noise": 0.2}
    window = open_window(training(epochs=EPOCHS, learning_rate=1e-6, data=points), wait=False)
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
    qtbot.waitUntil(lambda: on_its_way.runner._mailbox.quiet)
    halted = controller.shown.step
    qtbot.wait(80)
    assert controller.shown.step == halted < EPOCHS


def test_that_looking_back_holds_a_training_that_is_on_its_way_to_a_step(on_its_way: MainWindow, qtbot: QtBot) -> None:
    controller: Any = on_its_way.controller
    controller.seek(Cursor(step=3))
    # The training may show its third step by itself, and the fourth after it, before it hears of this.
    qtbot.waitUntil(lambda: on_its_way.runner._mailbox.quiet and controller.shown.step == 3)
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
    assert "finite numbers" in window.notice.text()


def test_that_run_right_after_stop_goes_on(open_window: Opener, qtbot: QtBot) -> None:
    window = open_window(BIG_TRAINING, wait=False)
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
    assert window.status.state.text() == "stopped before the overlays were there"


@pytest.mark.parametrize(
    ("value", "said"), [(12.5, "12.5000"), (-9_999_999.0, "-9999999.0000"), (1e100, "1e+100"), (-2.5e7, "-2.5e+07")]
)
def test_that_a_number_of_a_hundred_digits_is_written_short(value: float, said: str) -> None:
    assert number_text(value) == said


def test_that_every_step_brings_the_colours_of_the_stage_on_screen_and_of_no_other(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(training())
    seen: list[Any] = []
    window.controller.trace_accepted.connect(seen.append)
    stage: Any = window.room.stage
    for shown, name in (("pooling", "pooling"), ("kernel", "kernel"), ("weights", "contrast")):
        stage.strip.go_to(shown)
        seen.clear()
        with qtbot.waitSignal(window.controller.settled):
            window.controller.run_or_pause()
        settle(window)
        kinds = ("differences", "kernel", "weights", "contrast", "pooling")
        assert seen
        for trace in seen:
            assert [kind for kind in kinds if trace.is_prepared(kind)] == [name]
