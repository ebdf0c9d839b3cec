"""Runs that come late, fail, or never: with a stand-in for the engine, in windows of their own."""

import pytest
from attention_hands import shows
from fake_engine import FakeEngine
from hands import Hands
from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, regression, transformer
from windows import Opener, Settle

from attnviz.definitions.text import Text
from attnviz.experiment.labs import LABS, Spec, make_spec
from attnviz.experiment.run import Failure
from attnviz.gui.window.main_window import MainWindow


def test_that_equal_specs_run_once(engine: FakeEngine, window: MainWindow, settle: Settle) -> None:
    window.controller.propose(attention())
    settle(window)
    assert engine.asked == [SMALL]
    assert not window.controller.undo_stack.canUndo()


def test_that_200_fast_changes_end_on_the_last_one_and_run_the_first_and_the_last(
    engine: FakeEngine, window: MainWindow, settle: Settle, hands: Hands
) -> None:
    box = window.room.form.editor("seed").findChild(QSpinBox)
    engine.hold_run_of(lambda: box.setValue(1000), hands.qtbot, deaf=True)
    for seed in range(1001, 1200):
        box.setValue(seed)
    assert window.controller.computing
    assert not window.controller.up_to_date
    engine.let_go()
    settle(window)
    assert [spec.seed for spec in engine.asked] == [0, 1000, 1199]
    assert window.controller.shown is not None
    assert window.controller.shown.spec == window.controller.spec == attention(seed=1199)
    assert shows(window, attention(seed=1199))


def test_that_a_trace_that_comes_late_never_replaces_a_newer_one(
    engine: FakeEngine, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    old, new = attention(seed=1), attention(seed=2)
    shown: list[Spec] = []
    window.controller.trace_accepted.connect(lambda trace: shown.append(trace.spec))
    engine.hold_run_of(lambda: window.controller.propose(old), qtbot, deaf=True)
    window.controller.propose(new)
    engine.let_go()
    settle(window)
    assert engine.asked == [SMALL, old, new]
    assert shown == [new]
    assert shows(window, new)


def test_that_a_failure_keeps_the_last_picture_and_says_why_until_the_next_good_one(
    engine: FakeEngine, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    bad = attention(seed=1)
    engine.wrong = lambda spec: Failure(spec, "not_finite", Text("the scores overflow")) if spec == bad else None
    with qtbot.waitSignal(window.controller.failed):
        window.controller.propose(bad)
    assert shows(window, SMALL)
    assert "the scores overflow" in window.notice.text()
    assert not window.notice.isHidden()
    assert window.controller.shown is not None
    assert window.controller.shown.spec == SMALL
    assert not window.controller.up_to_date
    qtbot.waitUntil(lambda: not window.controller.computing)
    window.controller.propose(attention(seed=2))
    settle(window)
    assert window.notice.isHidden()
    assert shows(window, attention(seed=2))


def test_that_a_missing_device_falls_back_to_the_cpu_and_says_so(open_window: Opener, settle: Settle) -> None:
    window = open_window(attention(device="cuda:77"), wait=False)
    settle(window)
    assert window.controller.spec == SMALL
    assert "cuda:77" in window.notice.text()
    assert "CPU" in window.notice.text()
    assert not window.notice.isHidden()
    assert shows(window, SMALL)


def test_that_a_missing_device_says_so_until_the_picture_after_the_next(open_window: Opener, settle: Settle) -> None:
    window = open_window(attention(device="cuda:77"), wait=False)
    settle(window)
    window.controller.propose(attention(seed=1))
    settle(window)
    assert window.notice.isHidden()


@pytest.mark.parametrize("lab", LABS)
def test_that_entering_the_lab_one_is_in_changes_nothing(lab: str, open_window: Opener) -> None:
    small = {"attention": SMALL, "regression": regression(), "train": transformer()}
    first = small.get(lab, make_spec({"lab": lab}))
    window = open_window(first)
    window.session_state.enter_lab(lab)
    assert window.controller.spec == first
    assert not window.controller.undo_stack.canUndo()


def test_that_the_state_says_computing_from_the_change_to_the_picture(
    engine: FakeEngine, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    assert (window.controller.computing, window.controller.up_to_date) == (False, True)
    engine.hold()
    window.controller.propose(attention(seed=1))
    assert (window.controller.computing, window.controller.up_to_date) == (True, False)
    qtbot.waitUntil(engine.began.is_set)
    assert window.status.state.text() == "computing"
    engine.let_go()
    settle(window)
    assert window.status.state.text() == ""


def test_that_a_first_run_that_fails_leaves_no_word_of_a_good_one(
    engine: FakeEngine, open_window: Opener, qtbot: QtBot
) -> None:
    engine.wrong = lambda spec: Failure(spec, "not_finite", Text("the scores overflow"))
    window = open_window(wait=False)
    qtbot.waitUntil(lambda: not window.notice.isHidden())
    assert "the scores overflow" in window.notice.text()
    assert not window.room.stage.last_good.isVisible()
