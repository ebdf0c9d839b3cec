"""What is asked for and what is shown: never a picture of something else, never none where there was one."""

from typing import Any

from attention_hands import shows
from eyes import look
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, independent_run, independent_trace, regression, training
from windows import Settle

from attnviz.definitions.text import Text
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import LABS, Spec
from attnviz.experiment.run import Failure
from attnviz.gui.run.mailbox import Arrival
from attnviz.gui.window.main_window import MainWindow


def test_that_200_changes_with_frames_between_end_on_the_last_one(
    used_window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    shown: list[Spec] = []
    used_window.controller.trace_accepted.connect(lambda trace: shown.append(trace.spec))
    for count in range(200):
        used_window.controller.propose(attention(seed=count, num_kvpairs=1 + count % 9))
        look(used_window.room.stage.grid)
        if count % 10 == 0:
            qtbot.wait(1)
    settle(used_window)
    last = attention(seed=199, num_kvpairs=2)
    assert shown[-1] == last
    assert shows(used_window, last)
    assert len(shown) <= 200


def test_that_every_picture_shown_was_the_one_asked_for_at_that_moment(
    used_window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    controller = used_window.controller
    pairs: list[tuple[Spec, Spec]] = []
    controller.trace_accepted.connect(lambda trace: pairs.append((trace.spec, controller.spec)))
    for seed in range(30):
        controller.propose(attention(seed=seed))
        qtbot.wait(seed % 4)
    settle(used_window)
    assert pairs
    assert all(shown == asked for shown, asked in pairs)


def test_that_an_arrival_of_an_older_request_changes_nothing(used_window: MainWindow, settle: Settle) -> None:
    generation = used_window.runner.generation
    new = attention(seed=2)
    used_window.controller.propose(new)
    settle(used_window)
    late = independent_trace(attention(seed=1))
    used_window.runner.arrived.emit(Arrival(generation, late, finished=True))
    used_window.runner.arrived.emit(Arrival(generation, Failure(late.spec, "late", Text("too late")), finished=True))
    assert used_window.controller.shown is not None
    assert used_window.controller.shown.spec == new
    assert shows(used_window, new)
    assert used_window.notice.isHidden()


def test_that_a_true_overflow_of_float16_keeps_the_picture_and_says_what_helps(
    used_window: MainWindow, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(used_window.controller.failed):
        used_window.controller.propose(attention(dtype="float16", temperature=1e-6))
    assert "float16" in used_window.notice.text()
    assert shows(used_window, SMALL)


def test_that_going_to_the_other_lab_and_back_finds_everything_as_it_was_left(
    used_window: MainWindow, settle: Settle
) -> None:
    controller = used_window.controller
    changed = attention(seed=77)
    controller.propose(changed)
    used_window.session_state.enter_lab("regression")
    settle(used_window)
    assert controller.spec == preset(LABS["regression"].opening_preset).spec
    controller.propose(regression(width=0.3))
    used_window.session_state.enter_lab("attention")
    settle(used_window)
    assert controller.spec == changed
    assert shows(used_window, changed)
    used_window.session_state.enter_lab("regression")
    settle(used_window)
    assert controller.spec == regression(width=0.3)


def test_that_every_step_of_a_training_shown_belongs_to_the_run_asked_for(
    used_window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    spec = training()
    seen: list[Any] = []
    used_window.controller.trace_accepted.connect(seen.append)
    used_window.controller.propose(spec)
    settle(used_window)
    truth = independent_run(spec, untrained_first=True)
    assert seen[-1].step == spec.epochs
    for trace in seen:
        assert trace.spec == spec
        assert trace.y_hat.tobytes() == truth[trace.step].y_hat.tobytes()
        assert trace.loss.tobytes() == truth[trace.step].loss.tobytes()
