"""The pages about many fits, and the worker that computes them: beside the fit, in nobody's way, and until stopped."""

from typing import Any

import numpy as np
import pytest
from eyes import look
from fake_engine import FakeEngine
from hands import Hands
from PySide6.QtCore import QRectF, Qt
from regression_hands import room_of, stage_of, step_of, study_of, turn_to, view_of, wait_beside
from small_specs import independent_run, independent_trace, regression, training
from windows import At, Opener, Settle

from attnviz.definitions.text import Text
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.regression.studies import KernelGrid, LossOverW, WidthErrors
from attnviz.experiment.run import Failure
from attnviz.gui.run.mailbox import Arrival, SideRun
from attnviz.gui.run.runner import Runner
from attnviz.gui.window.main_window import MainWindow

LONG = training(epochs=3000, learning_rate=1e-4)


@pytest.fixture
def paused(at: At, hands: Hands) -> MainWindow:
    """The module's window on its first page, in which a training waits after its second step."""
    window = at(training())
    stage_of(window).page_buttons.press("fit")
    window.actions_["reset"].trigger()
    hands.qtbot.waitUntil(lambda: step_of(window) == 0 and window.controller.paused)
    for step in (1, 2):
        window.actions_["step"].trigger()
        hands.qtbot.waitUntil(lambda step=step: step_of(window) == step)
    return window


def test_that_the_learning_of_a_width_has_a_page_where_it_is_learned(
    paused: MainWindow, at: At, hands: Hands, settle: Settle
) -> None:
    stage = stage_of(paused)
    stage.page_buttons.press("learning")
    settle(paused)
    history, trace = stage.learning.history, paused.controller.shown
    for part, values in ((history.loss, trace.loss), (history.w, trace.w_path[:, 0])):  # type: ignore[union-attr]
        assert np.array_equal(part.plot.shown[0].y, values)
        assert part.plot.here.x == 2
    boxes = [part.plot.getViewBox() for part in (history.loss, history.w)]
    assert sum(box.width() * box.height() for box in boxes) >= 0.2 * paused.width() * paused.height()
    place = history.w.plot.place_of(1, 0.0)
    hands.qtbot.mouseClick(history.w.plot.viewport(), Qt.MouseButton.LeftButton, pos=place.toPoint())
    hands.qtbot.waitUntil(lambda: step_of(paused) == 1)
    at(regression())
    assert stage.view.page == "fit", "nothing is learned"
    assert not stage.page_box.model().item(stage.page_box.findData("learning")).isEnabled()


def test_that_the_study_is_asked_for_by_its_page_alone_and_again_for_new_points_only(
    open_window: Opener, engine: FakeEngine, hands: Hands, settle: Settle
) -> None:
    window = open_window(regression())
    hands.qtbot.wait(30)
    assert engine.asked == [regression()]
    turn_to(window, "kernels", hands)
    study = KernelGrid(of=regression().only_points())
    assert engine.asked[1:] == [study]
    turn_to(window, "fit", hands)
    turn_to(window, "kernels", hands)
    window.controller.propose(regression(width=0.2, kernel="boxcar"))
    settle(window)
    hands.qtbot.wait(30)
    assert engine.asked[2:] == [regression(width=0.2, kernel="boxcar")]
    engine.hold()
    newer = regression(data={"kind": "synthetic", "n_train": 9})
    window.controller.propose(newer)
    hands.qtbot.waitUntil(engine.began.is_set)
    engine.let_go()
    settle(window)
    wait_beside(window, hands)
    assert engine.asked[3:] == [newer, KernelGrid(of=newer.only_points())]
    np.testing.assert_array_equal(view_of(window).trace.x_train, stage_of(window).trace.x_train)


def test_that_the_page_says_that_it_computes_and_what_went_wrong(
    open_window: Opener, engine: FakeEngine, hands: Hands, settle: Settle
) -> None:
    window = open_window(regression())
    page = engine.hold_run_of(lambda: turn_to(window, "kernels", hands, wait=False), hands.qtbot)
    assert page.words.startswith("Computing")
    assert window.controller.shown is not None
    engine.let_go()
    wait_beside(window, hands)
    assert "leave-one-out errors" in page.words
    engine.wrong = lambda asked: Failure(asked, "run_failed", Text("no kernels today")) if _is_grid(asked) else None  # type: ignore[arg-type]
    window.controller.propose(regression(data={"kind": "book"}))
    settle(window)
    wait_beside(window, hands)
    assert page.words.startswith("no kernels today")
    assert window.notice.isHidden()
    engine.wrong = lambda asked: ZeroDivisionError("by nought") if _is_grid(asked) else None
    window.controller.propose(regression(data={"kind": "synthetic", "n_train": 8}))
    settle(window)
    wait_beside(window, hands)
    assert "by nought" in page.words
    engine.wrong = lambda _asked: None
    window.controller.propose(regression())
    settle(window)
    wait_beside(window, hands)
    np.testing.assert_array_equal(view_of(window).trace.weights, study_of(regression()).weights)


def test_that_presets_one_after_the_other_each_show_their_own_points(at: At, hands: Hands, settle: Settle) -> None:
    window = at(regression())
    turn_to(window, "kernels", hands)
    for name in ("kernel-learned", "kernel-fixed", "kernel-average-random", "kernel-fixed"):
        window.controller.propose(preset(name).spec)
        settle(window)
        wait_beside(window, hands)
        trace = view_of(window).trace
        np.testing.assert_array_equal(trace.x_train, stage_of(window).trace.x_train)
        np.testing.assert_array_equal(trace.y_hat, study_of(preset(name).spec).y_hat)
        assert look(view_of(window)).size


def test_that_the_view_without_a_study_takes_nothing(open_window: Opener, engine: FakeEngine, hands: Hands) -> None:
    window = open_window(regression())
    engine.hold()
    page = turn_to(window, "kernels", hands, wait=False)
    hands.click(page.view, QRectF(page.view.rect()))
    page.view.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Space):
        hands.qtbot.keyClick(page.view, key)
    assert window.controller.spec == regression()


def _is_grid(asked: Any) -> bool:
    return isinstance(asked, KernelGrid | LossOverW)


def test_that_studies_do_not_move_a_paused_training(paused: MainWindow, hands: Hands) -> None:
    truth = independent_run(training(), untrained_first=True)
    shown = paused.controller.shown
    for page in ("kernels", "errors", "fit", "kernels"):
        turn_to(paused, page, hands)
        assert paused.controller.paused
        assert not paused.controller.computing
        assert paused.controller.shown is shown
        assert paused.status.state.text() == "paused"
    paused.actions_["step"].trigger()
    hands.qtbot.waitUntil(lambda: step_of(paused) == 3)
    assert paused.controller.paused
    np.testing.assert_array_equal(paused.controller.shown.y_hat, truth[3].y_hat)  # type: ignore[union-attr]


def test_that_a_paused_training_goes_on_to_its_end_on_any_page(
    paused: MainWindow, hands: Hands, settle: Settle
) -> None:
    turn_to(paused, "errors", hands)
    paused.actions_["run"].trigger()
    settle(paused)
    final = independent_trace(training())
    assert step_of(paused) == 6
    np.testing.assert_array_equal(paused.controller.shown.y_hat, final.y_hat)  # type: ignore[union-attr]
    assert stage_of(paused).errors.plot.width_line.x == pytest.approx(np.log10(1 / abs(final.w_now)))


def test_that_pages_turn_while_a_training_runs_and_it_reaches_its_end(at: At, hands: Hands, settle: Settle) -> None:
    spec = training(epochs=150, learning_rate=1e-3)
    window = at(regression())
    window.controller.set_pace(250)
    steps: list[int] = []
    connection = window.controller.trace_accepted.connect(lambda trace: steps.append(trace.step))
    window.controller.begin(spec, "")
    for page in ("kernels", "errors", "fit", "errors", "kernels", "fit"):
        turn_to(window, page, hands, wait=False)
        count = len(steps)
        hands.qtbot.waitUntil(lambda count=count: len(steps) > count or window.controller.up_to_date)
    settle(window)
    window.controller.trace_accepted.disconnect(connection)
    assert steps == sorted(steps)
    assert steps[-1] == 150
    np.testing.assert_array_equal(window.controller.shown.y_hat, independent_trace(spec).y_hat)  # type: ignore[union-attr]
    wait_beside(window, hands)


def test_that_the_studies_arrive_while_a_training_is_still_under_way(
    open_window: Opener, engine: FakeEngine, hands: Hands
) -> None:
    window = open_window(regression())
    window.controller.set_pace(100)
    window.controller.begin(LONG, "")
    page = turn_to(window, "kernels", hands)
    assert window.controller.computing
    np.testing.assert_array_equal(page.view.trace.y_hat, study_of(LONG).y_hat)
    hands.qtbot.wait(100)
    assert window.controller.computing
    asked = [type(each).__name__ for each in engine.asked[2:]]
    assert asked.count("KernelGrid") <= 2  # one may have been displaced on the way
    assert set(asked) - {"RegressionSpec"} == {"KernelGrid", "LossOverW"}


@pytest.mark.parametrize("page", ["kernels", "errors"])
def test_that_stop_ends_a_long_study_and_the_page_asks_again_when_it_is_opened(
    page: str, open_window: Opener, engine: FakeEngine, hands: Hands
) -> None:
    window = open_window(regression())
    engine.hold_run_of(lambda: turn_to(window, page, hands, wait=False), hands.qtbot)
    assert window.controller.computing_beside
    window.status.stop.click()
    assert not window.controller.computing_beside
    hands.qtbot.waitUntil(lambda: window.runner.mailbox.quiet)
    assert not window.runner.busy
    assert window.controller.up_to_date
    engine.let_go()
    turn_to(window, "fit", hands, wait=False)
    turn_to(window, page, hands)
    kind = {"kernels": KernelGrid, "errors": WidthErrors}[page]
    assert [type(each) for each in engine.asked[1:]] == [kind, kind]


def test_that_stop_can_be_pressed_while_a_long_study_is_computed(
    open_window: Opener, engine: FakeEngine, hands: Hands
) -> None:
    window = open_window(regression())
    engine.hold_run_of(lambda: turn_to(window, "kernels", hands, wait=False), hands.qtbot)
    hands.qtbot.waitUntil(window.status.stop.isVisible, timeout=600)


@pytest.mark.parametrize("page", ["kernels", "errors"])
def test_that_a_page_whose_study_was_stopped_does_not_say_that_it_computes(
    page: str, open_window: Opener, engine: FakeEngine, hands: Hands
) -> None:
    window = open_window(regression())
    opened = engine.hold_run_of(lambda: turn_to(window, page, hands, wait=False), hands.qtbot)
    window.status.stop.click()
    hands.qtbot.wait(50)
    assert not opened.words.startswith("Computing")


def test_that_a_new_spec_displaces_a_long_study_at_once(
    open_window: Opener, engine: FakeEngine, hands: Hands, settle: Settle
) -> None:
    window = open_window(regression())
    engine.hold_run_of(lambda: turn_to(window, "kernels", hands, wait=False), hands.qtbot)
    newer = regression(data={"kind": "synthetic", "n_train": 7})
    window.controller.propose(newer)
    engine.let_go()
    settle(window)
    wait_beside(window, hands)
    assert len(view_of(window).trace.x_train) == 7


def test_that_closing_ends_a_long_study(open_window: Opener, engine: FakeEngine, hands: Hands) -> None:
    window = open_window(regression())
    engine.hold_run_of(lambda: turn_to(window, "errors", hands, wait=False), hands.qtbot)
    window.close()
    assert window.runner.close(timeout_ms=0), "the worker is still running"


def test_that_an_attention_preset_on_the_way_leaves_the_page_as_it_was(at: At, hands: Hands, settle: Settle) -> None:
    window = at(regression())
    turn_to(window, "errors", hands)
    window.session_state.enter_lab("attention")
    settle(window)
    window.session_state.enter_lab("regression")
    settle(window)
    wait_beside(window, hands)
    assert room_of(window).stage.view.page == "errors"
    assert room_of(window).stage.errors.isVisible()


def test_that_what_is_asked_while_a_study_arrives_with_a_trace_still_counts(
    qapp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert qapp
    runner = Runner()
    study = KernelGrid(of=regression().only_points())  # type: ignore[union-attr]
    trace = Arrival(0, independent_trace(training()), finished=False)
    older = Arrival(0, None, finished=False, beside=(study_of(regression()),))
    monkeypatch.setattr(runner.mailbox, "take", lambda: [older, trace])
    runner.arrived.connect(lambda arrival: None if arrival.beside else runner.want(SideRun(0, (study,))))
    runner._take()
    runner._timer.stop()
    assert runner.mailbox.busy_beside
