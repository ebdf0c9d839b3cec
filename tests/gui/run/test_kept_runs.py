"""Trainings that are left and come back to: at the step where they were, with no step taken twice."""

from collections.abc import Callable
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from running import count_steps
from small_specs import SMALL, training
from trained_hands import TrainedHands, check_shows, steps_of_run
from windows import Opener, Settle

from attnviz.experiment.labs import Spec, make_spec
from attnviz.experiment.run import Cursor
from attnviz.gui.run.worker import Kept, KeptRuns
from attnviz.gui.window.main_window import MainWindow

TEN = training(epochs=10)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with every step of a descent that the engine takes."""
    return count_steps(monkeypatch)


def visit_the_other_lab(hands: TrainedHands, settle: Settle) -> None:
    hands.window.session_state.enter_lab("attention")
    settle(hands.window)
    hands.window.session_state.enter_lab("regression")


def change_the_rate_and_undo(hands: TrainedHands, settle: Settle) -> None:
    hands.controller.propose(TEN.model_copy(update={"learning_rate": 0.1}), "learning_rate")
    settle(hands.window)
    hands.window.actions_["undo"].trigger()


def change_the_rate_and_undo_at_once(hands: TrainedHands, settle: Settle) -> None:
    del settle
    hands.controller.propose(TEN.model_copy(update={"learning_rate": 0.1}), "learning_rate")
    hands.window.actions_["undo"].trigger()


def open_a_preset_and_undo(hands: TrainedHands, settle: Settle) -> None:
    hands.window.session_state.open_preset("kernel-learned")
    settle(hands.window)
    hands.window.actions_["undo"].trigger()


DETOURS = (visit_the_other_lab, change_the_rate_and_undo, change_the_rate_and_undo_at_once, open_a_preset_and_undo)


@pytest.fixture
def hands(open_window: Opener, qtbot: QtBot) -> TrainedHands:
    """A window in which a training waits before its first step."""
    window = open_window(TEN)
    made = TrainedHands(window, qtbot)
    with qtbot.waitSignal(window.controller.trace_accepted):
        made.press("reset")
    made.wait_paused()
    return made


@pytest.mark.parametrize("detour", DETOURS)
def test_that_a_training_that_waits_is_found_at_its_step_and_a_finished_one_finished(
    detour: Callable[[TrainedHands, Settle], None], hands: TrainedHands, settle: Settle, taken: list[int]
) -> None:
    truth = steps_of_run(TEN)

    def there(window: MainWindow) -> None:
        settle(window)
        taken.clear()  # the other training has steps of its own

    for step in (1, 2, 3, 4):
        hands.press("step")
        hands.wait_for(step)
    hands.slide_to(2)
    before = hands.window.runner.generation
    taken.clear()
    detour(hands, there)
    hands.wait_paused()
    hands.qtbot.waitUntil(lambda: hands.controller.up_to_date and hands.window.runner.mailbox.quiet)
    assert hands.window.runner.generation > before
    check_shows(hands, truth, 2, known=4)
    assert hands.controller.paused
    if detour is not change_the_rate_and_undo_at_once:  # whose other training may have begun
        assert not taken, "steps were taken again"
    taken.clear()
    hands.press("run")
    settle(hands.window)
    check_shows(hands, truth, 10, known=10)
    assert len(taken) == 6

    seen: list[int] = []
    detour(hands, settle)
    hands.controller.trace_accepted.connect(lambda trace: seen.append(trace.cursor.step))
    settle(hands.window)
    check_shows(hands, truth, 10, known=10)
    assert not hands.controller.paused
    assert set(seen) <= {10}


def test_that_a_training_left_while_it_runs_waits_where_it_was_left(
    hands: TrainedHands, settle: Settle, taken: list[int]
) -> None:
    spec = training(epochs=400, learning_rate=0.01)
    hands.controller.set_pace(50)
    hands.controller.propose(spec)
    hands.press("reset")
    taken.clear()
    hands.press("run")
    hands.qtbot.waitUntil(lambda: hands.controller.up_to_date and hands.step >= 5)
    hands.window.session_state.enter_lab("attention")
    settle(hands.window)
    left = len(taken)
    hands.qtbot.wait(60)  # steps that it took unseen would be counted
    assert len(taken) == left
    hands.window.session_state.enter_lab("regression")
    with hands.qtbot.waitSignal(hands.controller.trace_accepted):
        pass
    hands.wait_paused()
    assert hands.step <= hands.trace.known_steps <= left  # the last may have been broken off
    assert hands.step >= 5
    hands.controller.set_pace(None)
    hands.press("run")
    settle(hands.window)
    assert len(taken) <= 401
    check_shows(hands, steps_of_run(spec), 400, known=400)


CHANGES: tuple[tuple[dict[str, Any], int], ...] = (
    ({"epochs": 4}, 0),
    ({"overlays": [{"estimator": "average"}]}, 0),
    ({"x_test": {"start": 0, "stop": 3, "step": 0.5}}, 0),
    ({"epochs": 25}, 15),
)


def test_that_what_leaves_the_steps_as_they_are_trains_none_of_them_again(
    hands: TrainedHands, settle: Settle, taken: list[int]
) -> None:
    hands.press("run")
    settle(hands.window)
    before = steps_of_run(TEN)
    for change, more in CHANGES:
        spec: Any = make_spec(TEN.model_dump() | change)
        truth = steps_of_run(spec)
        taken.clear()
        hands.controller.propose(spec, next(iter(change)))
        settle(hands.window)
        assert len(taken) == more, change
        check_shows(hands, truth, spec.epochs, known=spec.epochs)
        hands.window.actions_["undo"].trigger()
        settle(hands.window)
        assert len(taken) == more, change
        check_shows(hands, before, 10, known=10)


def test_that_a_training_begins_anew_where_that_is_asked_for_though_it_was_kept(
    hands: TrainedHands, settle: Settle, taken: list[int]
) -> None:
    truth = steps_of_run(TEN)
    hands.press("run")
    settle(hands.window)
    visit_the_other_lab(hands, settle)
    settle(hands.window)
    taken.clear()
    with hands.qtbot.waitSignal(hands.controller.trace_accepted):
        hands.press("reset")
    check_shows(hands, truth, 0, known=0)
    hands.press("run")
    settle(hands.window)
    assert len(taken) == 10


class Sized:
    """A run that says how much memory it holds."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes


def test_that_runs_are_kept_up_to_a_number_of_bytes_and_the_one_left_first_goes_first() -> None:
    kept = KeptRuns(100)
    runs: dict[str, Any] = {name: Kept(Sized(size), Cursor()) for name, size in (  # type: ignore[arg-type]
        ("a", 40), ("b", 40), ("c", 40), ("huge", 101))}  # fmt: skip
    for name in "ab":
        kept.put(name, runs[name])
    assert kept.take("a") is runs["a"]
    assert kept.take("a") is None
    kept.put("a", runs["a"])  # it is the one that was left last now
    kept.put("c", runs["c"])
    assert (kept.take("b"), kept.take("a"), kept.take("c")) == (None, runs["a"], runs["c"])
    kept.put("a", runs["a"])
    kept.put("huge", runs["huge"])
    assert (kept.take("a"), kept.take("huge")) == (None, None)


def test_that_a_run_of_one_step_is_computed_anew(hands: TrainedHands, settle: Settle, qtbot: QtBot) -> None:
    other: Spec = SMALL
    seen: list[Any] = []
    hands.controller.trace_accepted.connect(seen.append)
    for spec in (other, TEN, other):
        hands.controller.propose(spec)
        settle(hands.window)
    first, *_, last = (trace for trace in seen if trace.spec == other)
    assert first is not last
    assert first.weights.tobytes() == last.weights.tobytes()
