"""While one knob is turned pictures come as they can, each newer than the last, and never one from before the turn."""

import time
from typing import Any

import pytest
from fake_engine import FakeEngine
from fit_hands import FitHands
from hands import part
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QSlider
from pytestqt.qtbot import QtBot
from small_specs import independent_trace, regression, training
from windows import Opener, Settle

from attnviz.definitions.text import Text
from attnviz.experiment.labs import Spec
from attnviz.experiment.run import Failure
from attnviz.gui.window.main_window import MainWindow

FIVE = regression(data={"kind": "points", "x": (0.5, 1.5, 2.5, 3.5, 4.5), "y": (1.0, 3.0, 2.0, 4.0, 1.5)})


class Turn:
    """A window of its own in which a knob is turned, and what it has shown and said since."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window = window
        self.controller = window.controller
        self.qtbot = qtbot
        self.asked: list[Spec] = []
        self.accepted: list[Spec] = []
        self.behind = 0
        self.failed: list[Spec] = []
        self.controller.spec_changed.connect(self.asked.append)
        self.controller.trace_accepted.connect(self._accept)
        self.controller.failed.connect(lambda failure: self.failed.append(failure.spec))

    @property
    def slider(self) -> QSlider:
        slider: QSlider = part(self.window.room.form.editor("width"), QSlider)
        return slider

    def turn(self, positions: int, wait_ms: int = 0) -> None:
        """Move the slider of the width through some positions."""
        self.slider.setSliderDown(True)
        for _ in range(positions):
            self.slider.setValue(self.slider.value() - 7)
            if wait_ms:
                self.qtbot.wait(wait_ms)
        self.slider.setSliderDown(False)

    def wait_idle(self, timeout: int = 5000) -> None:
        """Wait until nothing is computed and nothing ticks on."""
        runner, box = self.window.runner, self.window.runner.mailbox
        self.qtbot.waitUntil(
            lambda: not runner.busy and not box.busy_beside and not runner._timer.isActive(), timeout=timeout
        )

    def check_order(self) -> None:
        """Check that each picture was newer than the one before, and the last is of the spec asked for last."""
        places = [self.asked.index(spec) for spec in self.accepted]
        assert places == sorted(set(places))
        assert self.accepted[-1] == self.asked[-1] == self.controller.spec
        assert self.controller.up_to_date
        shown: Any = self.controller.shown
        assert shown.y_hat.tobytes() == independent_trace(self.controller.spec).y_hat.tobytes()

    def _accept(self, trace: Any) -> None:
        self.accepted.append(trace.spec)
        self.behind += trace.spec != self.controller.spec


@pytest.fixture
def turn(engine: FakeEngine, open_window: Opener, qtbot: QtBot) -> Turn:
    """A window on five points, with a stand-in for the engine."""
    del engine
    return Turn(open_window(FIVE), qtbot)


def failing(spec: Spec) -> Failure[Spec]:
    return Failure(spec, "not_finite", Text("the scores overflow"))


def slowly() -> None:
    """Let the window take what has come in before."""
    time.sleep(0.1)


def test_that_pictures_of_a_slow_engine_follow_the_knob_while_it_is_turned(turn: Turn, engine: FakeEngine) -> None:
    engine.wrong = lambda _spec: time.sleep(0.03)
    turn.turn(30, wait_ms=10)
    assert turn.behind >= 2  # not only the last position is seen
    turn.wait_idle()
    turn.check_order()
    assert len(turn.accepted) < 30
    assert turn.failed == []
    assert turn.controller.undo_stack.count() == 1


def test_that_pictures_of_a_slow_engine_follow_a_point_that_is_dragged(turn: Turn, engine: FakeEngine) -> None:
    engine.wrong = lambda _spec: time.sleep(0.03)
    fit = FitHands(turn.window, turn.qtbot)
    start = fit.at(1)
    fit.press(start)
    for move in range(1, 31):
        fit.move([start + QPoint(2 * move, move)])
        turn.qtbot.wait(10)
    assert turn.behind >= 2
    fit.release(start + QPoint(60, 30))
    turn.wait_idle()
    turn.check_order()
    assert turn.controller.undo_stack.count() == 1


def test_that_a_run_that_was_held_shows_its_position_and_then_the_last(turn: Turn, engine: FakeEngine) -> None:
    engine.hold_run_of(lambda: turn.turn(1), turn.qtbot, deaf=True)
    turn.turn(20)
    engine.wrong = lambda spec: slowly() if spec == turn.controller.spec else None
    engine.let_go()
    turn.wait_idle()
    turn.check_order()
    assert turn.accepted == [turn.asked[0], turn.asked[-1]]
    assert engine.asked == [FIVE, turn.asked[0], turn.asked[-1]]


@pytest.mark.parametrize("before", ["another knob", "another stroke", "undo", "a pause"])
def test_that_a_picture_from_before_a_turn_is_never_shown(
    before: str, turn: Turn, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fit = FitHands(turn.window, turn.qtbot)
    engine.deaf = True
    if before in ("undo", "a pause"):
        turn.turn(1)
        turn.wait_idle()
    turn.accepted.clear()
    engine.hold()
    match before:
        case "another knob":
            turn.controller.propose(FIVE.model_copy(update={"kernel": "boxcar"}), "kernel")
        case "another stroke":
            fit.press(fit.at(0))
            fit.move([fit.at(0) + QPoint(5, 9)])
            fit.release(fit.at(0) + QPoint(5, 9))
        case "undo" | "a pause":
            turn.turn(1)
    old = turn.asked[-1]
    turn.qtbot.waitUntil(engine.began.is_set)
    match before:
        case "another knob":
            turn.turn(3)
        case "another stroke":
            fit.drag(fit.at(4), (0, -10))
        case "undo":
            turn.window.actions_["undo"].trigger()
        case "a pause":
            monkeypatch.setattr("attnviz.gui.run.undo.MERGE_WITHIN_S", 0.0)
            turn.turn(1)
    assert turn.controller.spec != old
    engine.wrong = lambda spec: None if spec == old else slowly()
    engine.let_go()
    turn.wait_idle()
    assert old in engine.asked
    assert old not in turn.accepted
    assert turn.accepted[-1] == turn.controller.spec


def test_that_a_failure_of_an_older_position_is_never_said(turn: Turn, engine: FakeEngine) -> None:
    engine.wrong = failing
    engine.hold_run_of(lambda: turn.turn(1), turn.qtbot, deaf=True)
    engine.wrong = lambda spec: failing(spec) if spec == turn.asked[0] else slowly()
    turn.turn(2)
    engine.let_go()
    turn.wait_idle()
    assert engine.asked[1] == turn.asked[0]
    assert turn.failed == []
    assert turn.window.notice.isHidden()
    assert turn.accepted == [turn.asked[-1]]
    turn.check_order()


def test_that_only_failures_of_the_current_position_are_said_while_many_fail(turn: Turn, engine: FakeEngine) -> None:
    said: list[bool] = []
    turn.controller.failed.connect(lambda failure: said.append(failure.spec == turn.controller.spec))

    def now_and_then(spec: Spec) -> Failure[Spec] | None:
        time.sleep(0.02)
        return failing(spec) if len(engine.asked) % 2 else None

    engine.wrong = now_and_then
    turn.turn(25, wait_ms=8)
    turn.wait_idle()
    assert all(said)
    if turn.failed and turn.failed[-1] == turn.controller.spec:
        assert "the scores overflow" in turn.window.notice.text()
        assert not turn.controller.up_to_date
    else:
        turn.check_order()
        assert turn.window.notice.isHidden()


def test_that_a_knob_turned_back_to_where_it_began_leaves_no_step_of_undo(turn: Turn, engine: FakeEngine) -> None:
    turn.turn(1)
    turn.wait_idle()
    turn.controller.undo_stack.clear()
    began, slider = turn.controller.spec, turn.slider
    engine.wrong = lambda _spec: time.sleep(0.02)
    slider.setSliderDown(True)
    place = slider.value()
    for way, steps in ((-7, 1), (-14, 1), (-7, 1), (0, 0)):
        slider.setValue(place + way)
        assert turn.controller.undo_stack.count() == steps
    slider.setSliderDown(False)
    assert turn.controller.spec == began
    turn.wait_idle()
    assert turn.accepted[-1] == began


def test_that_a_page_asked_for_while_a_run_waits_is_computed_in_the_end(
    engine: FakeEngine, open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(training())
    turn = Turn(window, qtbot)
    stage: Any = window.rooms["regression"].stage
    turn.wait_idle()
    engine.deaf = True
    engine.hold()
    stage.page_buttons.press("kernels")  # the worker is busy with it
    qtbot.waitUntil(engine.began.is_set)
    window.actions_["run"].trigger()  # a finished training begins again: its request waits
    stage.page_buttons.press("errors")
    engine.let_go()
    settle(window)
    turn.wait_idle(timeout=2000)
    assert not stage.errors.wanted()
    assert "Computing" not in stage.errors.words


def test_that_turning_the_width_of_an_overlaid_fit_moves_only_its_own_curve(
    engine: FakeEngine, open_window: Opener, qtbot: QtBot
) -> None:
    engine.wrong = lambda _spec: time.sleep(0.02)
    overlays = [{"estimator": "average"}, {"estimator": "nonparametric", "kernel": "boxcar", "width": 2.0}]
    turn = Turn(open_window(regression(overlays=overlays)), qtbot)
    curves = turn.window.rooms["regression"].stage.fit.curves
    before = [curves.overlays[place].data[1].tobytes() for place in (0, 1)]
    own = curves.fit.data[1].tobytes()
    turn.turn(12, wait_ms=8)
    turn.wait_idle()
    turn.check_order()
    assert [curves.overlays[place].data[1].tobytes() for place in (0, 1)] == before
    assert curves.fit.data[1].tobytes() != own


def test_that_a_click_in_the_fit_turns_nothing(turn: Turn, engine: FakeEngine) -> None:
    fit = FitHands(turn.window, turn.qtbot)
    for point in (0, 3):
        fit.press(fit.at(point))
        fit.release(fit.at(point))
    turn.wait_idle()
    assert turn.asked == []
    assert engine.asked == [FIVE]
