"""The worker: it ends when asked, survives what goes wrong, and speaks to the window's thread alone."""

import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from eyes import colours_of, grid_colours
from fake_engine import FakeEngine, ShouldStop, start_wrapped
from hands import Hands
from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread, QTimer, Slot
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, independent_trace, training
from windows import Opener, Settle

from attnviz.engine import machine
from attnviz.experiment.run import Cursor
from attnviz.gui.run.mailbox import Arrival, Message, Ready, Request
from attnviz.gui.run.runner import UNSEEN_MS, Runner
from attnviz.gui.window.main_window import MainWindow

LONG = training(epochs=100_000, learning_rate=1e-6)


@pytest.fixture
def slow_loading(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """An engine that is not loaded before the event is set."""
    loaded = threading.Event()
    found = machine.devices()

    def wait_for_it() -> Any:
        assert loaded.wait(30)
        return found

    monkeypatch.setattr(machine, "devices", wait_for_it)
    yield loaded
    loaded.set()


class Ear(QObject):
    """Notes in which thread its slot is called."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[QThread] = []

    @Slot()
    def hear(self) -> None:
        self.threads.append(QThread.currentThread())


def test_that_closing_ends_a_run_that_is_held_back(engine: FakeEngine, window: MainWindow, qtbot: QtBot) -> None:
    engine.hold_run_of(lambda: window.controller.propose(attention(seed=1)), qtbot)
    with qtbot.waitSignal(window.closed):
        window.close()
    assert window.runner.close(timeout_ms=0), "the worker is still running"


def test_that_closing_ends_a_long_training_between_two_steps(window: MainWindow, qtbot: QtBot) -> None:
    window.controller.set_pace(None)
    with qtbot.waitSignals([window.controller.trace_accepted] * 3):
        window.controller.propose(LONG)
    window.close()
    assert window.runner.close(timeout_ms=0), "the worker is still running"


def test_that_a_training_does_not_tell_torch_its_cores_before_each_step(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr(torch, "set_num_threads", told.append)
    window.controller.set_pace(None)
    with qtbot.waitSignals([window.controller.trace_accepted] * 3):
        window.controller.begin(LONG, "")
    first, before = window.controller.shown, len(told)
    with qtbot.waitSignals([window.controller.trace_accepted] * 3):
        pass
    last = window.controller.shown
    assert before, "a run that begins has its cores"
    assert last.step - first.step > 2 * (len(told) - before)


@pytest.mark.parametrize("pace", [None, 0.01])
def test_that_closing_ends_a_run_that_waits(pace: float | None, window: MainWindow, qtbot: QtBot) -> None:
    window.controller.set_pace(pace)
    with qtbot.waitSignal(window.controller.trace_accepted):
        window.controller.propose(LONG)
    if pace is None:
        window.controller.run_or_pause()
        assert window.controller.paused
    window.close()
    assert window.runner.close(timeout_ms=0), "the worker is still running"


def test_that_closing_before_the_engine_is_loaded_ends_the_worker_once_it_is(
    slow_loading: threading.Event, open_window: Opener
) -> None:
    window = open_window(wait=False)
    threading.Timer(0.05, slow_loading.set).start()
    window.close()
    assert window.runner.close(timeout_ms=0), "the worker is still running"


def test_that_a_window_that_was_never_started_closes(open_window: Opener) -> None:
    window = open_window(start=False)
    window.close()
    assert window.runner.close(timeout_ms=0)


def test_that_close_says_when_the_worker_cannot_end(engine: FakeEngine, window: MainWindow, qtbot: QtBot) -> None:
    engine.hold_run_of(lambda: window.controller.propose(attention(seed=1)), qtbot, deaf=True)
    assert not window.runner.close(timeout_ms=20)
    engine.let_go()
    assert window.runner.close(timeout_ms=5000)


@pytest.mark.parametrize("error", [ZeroDivisionError("by nought"), TypeError("no such thing"), KeyError("key")])
def test_that_a_raising_engine_leaves_the_picture_and_a_message_and_serves_the_next_request(
    error: Exception, engine: FakeEngine, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    engine.wrong = lambda spec: error if spec == attention(seed=1) else None
    with qtbot.waitSignal(window.controller.failed):
        window.controller.propose(attention(seed=1))
    assert type(error).__name__ in window.notice.text()
    assert str(error) in window.notice.text()
    stage = window.rooms["attention"].stage
    levels = independent_trace(SMALL).levels()[0]
    assert (grid_colours(stage.grid, levels.shape[1:]) == colours_of(stage.table, levels)).all()
    qtbot.waitUntil(lambda: not window.controller.computing)
    window.controller.propose(attention(seed=2))
    settle(window)
    assert window.notice.isHidden()
    assert engine.asked[-1] == attention(seed=2)


def test_that_an_engine_that_raises_between_two_steps_keeps_the_last_step(
    monkeypatch: pytest.MonkeyPatch, open_window: Opener, qtbot: QtBot
) -> None:
    def breaks(spec: Any, past: Any = None, **options: Any) -> Any:
        def before(should_stop: ShouldStop) -> ShouldStop:
            if made.known == Cursor(step=3):
                raise ArithmeticError("in the fourth step")
            return should_stop

        made = start_wrapped(spec, past, before, **options)
        return made

    monkeypatch.setattr("attnviz.engine.run.start", breaks)
    window = open_window()
    window.controller.set_pace(20)
    with qtbot.waitSignal(window.controller.failed):
        window.controller.propose(training())
    shown = window.controller.shown
    assert shown is not None
    assert 1 <= shown.step <= 3
    assert (window.rooms["regression"].stage.loss.plot.curves[0].data[1] == shown.loss).all()
    assert "in the fourth step" in window.notice.text()


def test_that_stop_ends_a_long_training_and_keeps_its_history(window: MainWindow, hands: Hands) -> None:
    controller, qtbot = window.controller, hands.qtbot
    controller.set_pace(None)
    controller.propose(LONG)
    qtbot.waitUntil(window.status.stop.isVisible)
    qtbot.mouseClick(window.status.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not controller.computing)
    shown = controller.shown
    assert shown is not None
    assert 0 < shown.step < LONG.epochs
    assert len(shown.loss) == len(shown.w) == shown.step
    assert controller.spec == LONG
    # The loss over w may still be on its way, for it reaches as far as w has come.
    qtbot.waitUntil(lambda: not window.status.stop.isVisible())
    stage = window.rooms["regression"].stage
    assert len(stage.loss.plot.curves[0].data[0]) == shown.step
    assert len(stage.w.plot.curves[0].data[0]) == shown.step + 1


def test_that_a_short_run_shows_neither_progress_nor_stop(window: MainWindow, settle: Settle) -> None:
    shown: list[bool] = []
    window.controller.state_changed.connect(lambda: shown.append(window.status.stop.isVisible()))
    window.controller.propose(attention(seed=1))
    settle(window)
    assert shown
    assert not any(shown)


def test_that_an_engine_that_cannot_be_imported_is_said_and_the_window_lives(
    monkeypatch: pytest.MonkeyPatch, open_window: Opener, qtbot: QtBot
) -> None:
    monkeypatch.setitem(sys.modules, "attnviz.engine.run", None)
    window = open_window(start=False)
    heard: list[Ready] = []
    window.controller.engine_ready.connect(heard.append)
    with qtbot.waitSignal(window.controller.engine_ready):
        window.start()
    assert "PyTorch cannot be loaded" in heard[0].problem.text
    assert heard[0].problem.text in window.notice.text()
    assert "attnviz doctor" in window.notice.text()
    window.controller.propose(attention(seed=1))
    window.actions_["undo"].trigger()
    window.session_state.enter_lab("regression")
    window.actions_["run"].trigger()
    window.actions_["step"].trigger()
    window.toggle_theme()
    assert not window.controller.computing
    assert window.controller.shown is None
    assert "attnviz doctor" in window.notice.text()
    qtbot.waitUntil(lambda: not window.status.progress.isVisible())


def test_that_a_window_without_an_engine_speaks_of_no_run(
    monkeypatch: pytest.MonkeyPatch, open_window: Opener, qtbot: QtBot
) -> None:
    monkeypatch.setitem(sys.modules, "attnviz.engine.run", None)
    window = open_window(start=False)
    with qtbot.waitSignal(window.controller.engine_ready):
        window.start()
    assert "run" not in window.status.state.text()


def test_that_the_form_can_be_edited_before_the_engine_is_loaded(
    slow_loading: threading.Event, open_window: Opener, hands: Hands, settle: Settle
) -> None:
    window = open_window(wait=False)
    form = window.room.form
    assert any(label.isVisible() and "PyTorch" in label.text() for label in window.findChildren(QLabel))
    hands.type(form.editor("num_kvpairs"), "7")
    hands.type(form.editor("num_heads"), "3")
    assert "not divisible" in form.problem("num_heads")
    hands.type(form.editor("num_heads"), "4")
    assert form.problem("num_heads") == ""
    window.toggle_theme()
    assert window.controller.shown is None
    assert window.controller.computing
    slow_loading.set()
    settle(window)
    assert window.controller.spec == attention(num_kvpairs=7, num_heads=4)
    assert window.controller.shown.weights.shape == (2, 4, 3, 7)


def test_that_the_engine_says_what_the_machine_has(window: MainWindow) -> None:
    combos = [box for box in window.findChildren(QComboBox) if box.accessibleName() == "Device"]
    (box,) = combos
    assert {box.itemData(index) for index in range(box.count())} >= {"auto", "cpu"}
    assert box.currentData() == SMALL.device


def test_that_every_signal_is_handled_in_the_windows_thread(
    engine: FakeEngine, open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(start=False)
    ear = Ear()
    controller, runner = window.controller, window.runner
    signals = (
        runner.arrived,
        controller.engine_ready,
        controller.trace_accepted,
        controller.failed,
        controller.state_changed,
        controller.spec_changed,
    )
    for signal in signals:
        signal.connect(ear.hear)
    engine.wrong = lambda spec: ValueError("no") if spec.seed == 3 else None
    window.start()
    settle(window)
    for seed in (1, 2):
        controller.propose(attention(seed=seed))
        settle(window)
    with qtbot.waitSignal(controller.failed):
        controller.propose(attention(seed=3))
    assert len(ear.threads) > len(signals)
    assert {id(thread) for thread in ear.threads} == {id(QCoreApplication.instance().thread())}
    assert engine.threads
    assert threading.get_ident() not in engine.threads


def test_that_a_newer_request_takes_the_place_of_one_that_waits(engine: FakeEngine, qtbot: QtBot) -> None:
    runner = Runner()
    arrivals: list[Message] = []
    runner.arrived.connect(arrivals.append)
    engine.hold()
    for seed in range(5):
        runner.submit(Request(seed + 1, attention(seed=seed), gesture=seed + 1))
    runner.start()
    engine.let_go()
    qtbot.waitUntil(lambda: not runner.busy)
    assert runner.close()
    assert engine.asked == [attention(seed=4)]
    assert [each.generation for each in arrivals if isinstance(each, Arrival) and each.event] == [5]


def test_that_the_engine_begins_once_the_window_is_painted_and_not_beside_that(
    engine: FakeEngine, open_window: Opener, qtbot: QtBot
) -> None:
    window = open_window(start=False)
    window.hide()
    QCoreApplication.processEvents()
    window.start()
    assert window.runner.busy
    window.show()
    assert not window.runner._worker.isRunning()
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=UNSEEN_MS - 100)
    assert engine.asked == [SMALL]


def test_that_the_engine_begins_also_for_a_window_that_nobody_sees_and_only_once(
    engine: FakeEngine, open_window: Opener, qtbot: QtBot
) -> None:
    window = open_window(start=False)
    window.hide()
    QCoreApplication.processEvents()
    window.start()
    qtbot.waitUntil(lambda: not window.runner.busy)
    window.runner.begin()
    window.show()
    QCoreApplication.processEvents()
    assert engine.asked == [SMALL]


def test_that_a_window_closed_before_it_was_painted_begins_nothing(
    engine: FakeEngine, open_window: Opener, qtbot: QtBot
) -> None:
    window = open_window(start=False)
    window.start()
    assert window.runner.close()
    window.runner.begin()
    assert not window.runner._worker.isRunning()
    assert not window.runner._unseen.isActive()
    assert not engine.asked


def test_that_nothing_ticks_while_nothing_runs(window: MainWindow) -> None:
    assert not window.runner.busy
    assert not any(timer.isActive() for timer in window.runner.findChildren(QTimer))


def test_that_an_answer_is_shown_at_once_even_where_a_frame_takes_long(
    engine: FakeEngine, window: MainWindow, qtbot: QtBot
) -> None:
    polls = window.runner._timer
    window.runner._frame_cost = 10.0
    engine.hold()
    window.controller.propose(attention(seed=1))
    with qtbot.waitSignal(polls.timeout):
        pass
    polls.setInterval(60_000)  # the answer is not polled for
    engine.let_go()
    qtbot.waitUntil(lambda: window.controller.up_to_date)


def test_that_nothing_is_looked_for_while_a_training_is_paused_and_all_is_found_afterwards(
    open_window: Opener, qtbot: QtBot
) -> None:
    window = open_window()
    controller, polls = window.controller, window.runner._timer
    with qtbot.waitSignals([controller.trace_accepted] * 2):
        controller.propose(LONG)
    controller.run_or_pause()
    qtbot.waitUntil(lambda: not polls.isActive())
    assert controller.paused
    for act in (controller.step, controller.step, controller.run_or_pause):
        with qtbot.waitSignal(controller.trace_accepted):
            act()
        if act == controller.step:
            qtbot.waitUntil(lambda: not polls.isActive())
    controller.stop()  # after which no trace need come: the last one may be on screen
    qtbot.waitUntil(lambda: not polls.isActive() and not window.runner.busy)
    controller.propose(training())
    qtbot.waitUntil(lambda: controller.up_to_date and not controller.computing)


def test_that_stop_while_paused_comes_to_its_end(open_window: Opener, qtbot: QtBot) -> None:
    window = open_window()
    controller = window.controller
    for _ in range(8):
        with qtbot.waitSignal(controller.trace_accepted):
            controller.propose(LONG)
        if not controller.paused:  # it comes back as it was left
            controller.run_or_pause()
        qtbot.waitUntil(lambda: not window.runner._timer.isActive())
        controller.stop()
        qtbot.waitUntil(lambda: not window.runner.busy)
        controller.propose(SMALL)


def test_that_without_an_engine_nothing_is_looked_for(
    open_window: Opener, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "attnviz.engine.run", None)
    window = open_window(wait=False)
    with qtbot.waitSignal(window.controller.engine_ready):
        pass
    qtbot.waitUntil(lambda: not window.runner._timer.isActive())
    window.controller.set_pace(None)
    qtbot.waitUntil(lambda: not window.runner._timer.isActive())
