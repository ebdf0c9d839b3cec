"""Trainings of a transformer that are left and returned to: no detour takes a step again, or loses one."""

from typing import Any

from pytestqt.qtbot import QtBot
from trainings import counted_steps, shown_at, state_of, train_run, train_spec
from windows import Opener, Settle

from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.studies import HeldOut, TraceAt
from attnviz.gui.window.main_window import MainWindow

SPEC = train_spec(steps=24)


def propose(window: MainWindow, **values: Any) -> None:
    spec = window.controller.spec
    assert isinstance(spec, TrainSpec)
    window.controller.propose(TrainSpec.model_validate(spec.model_dump() | values), next(iter(values)))


def visit_another_lab(window: MainWindow, settle: Settle) -> None:
    window.session_state.enter_lab("attention")
    settle(window)
    window.session_state.enter_lab("train")


def change_the_seed_and_undo(window: MainWindow, settle: Settle) -> None:
    propose(window, seed=1)
    settle(window)
    window.actions_["undo"].trigger()


def change_two_sizes_and_undo_both(window: MainWindow, settle: Settle) -> None:
    for values in ({"num_layers": 1}, {"num_hiddens": 16}):
        propose(window, **values)
        settle(window)
    for _ in range(2):
        window.actions_["undo"].trigger()
        settle(window)


def change_the_rate_on_the_way_and_undo(window: MainWindow, settle: Settle) -> None:
    propose(window, changes=[{"step": 12, "learning_rate": 0.05}])
    settle(window)
    window.actions_["undo"].trigger()


DETOURS = (
    visit_another_lab,
    change_the_seed_and_undo,
    change_two_sizes_and_undo_both,
    change_the_rate_on_the_way_and_undo,
)


def test_that_a_training_is_found_as_it_was_left(open_window: Opener, settle: Settle) -> None:
    window = open_window(SPEC)
    settle(window)
    before = state_of(window.controller.shown)
    assert window.controller.shown.step == 24
    assert before == state_of(shown_at(train_run()))
    for detour in DETOURS:
        with counted_steps() as taken:
            detour(window, lambda window, taken=taken: (settle(window), taken.clear())[0])
            settle(window)
            assert taken == [], detour.__name__
        assert window.controller.spec == SPEC
        assert window.controller.shown.step == window.controller.shown.known_steps == 24
        assert state_of(window.controller.shown) == before, detour.__name__


def test_that_heads_off_and_another_probe_keep_the_step_and_more_steps_go_on_from_the_last(
    open_window: Opener, settle: Settle
) -> None:
    window = open_window(SPEC)
    settle(window)
    with counted_steps() as taken:
        propose(window, heads_off=["1.2"])
        settle(window)
        propose(window, probe=["a", "b", "a"])
        settle(window)
        assert taken == []
    assert window.controller.shown.step == 24
    assert window.controller.shown.words == ("a", "b", "a")
    assert window.controller.shown.layers[0].heads_off == {1}
    with counted_steps() as taken:
        propose(window, steps=30)
        settle(window)
    assert taken == list(range(24, 30))


def test_that_studies_of_a_training_that_no_window_shows_take_its_steps_once(open_window: Opener, qtbot: QtBot) -> None:
    window, pinned = open_window(SPEC), train_spec(seed=5)
    controller = window.controller

    def study(*asked: Any) -> Any:
        with qtbot.waitSignal(controller.beside_accepted, timeout=20_000) as found:
            controller.run_beside(asked)
        return found.args[0]

    with counted_steps() as taken:
        (found,) = study(TraceAt(of=pinned, step=8))
        assert taken == list(range(8))
        taken.clear()
        study(TraceAt(of=pinned, step=12), HeldOut(of=pinned, step=12))
        assert taken == list(range(8, 12))
        taken.clear()
        study(TraceAt(of=SPEC, step=24))
        study(TraceAt(of=pinned, step=8))
        assert taken == []
    assert state_of(found.trace) == state_of(shown_at(train_run(seed=5, to=8)))
