"""Trainings of a transformer that are left and returned to: no detour takes a step again, or loses one."""

from typing import Any

from pytestqt.qtbot import QtBot
from small_specs import SMALL
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


def test_that_heads_off_and_another_probe_keep_the_step_and_more_steps_wait_for_run(
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
        assert (taken, window.controller.shown.step, window.controller.paused) == ([], 24, True)
        window.actions_["run"].trigger()
        settle(window)
    assert set(taken) == set(range(24, 30))


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


def test_that_a_knob_starts_no_training_and_undo_brings_the_one_before_back(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(SPEC)
    controller, hand = window.controller, window.room.hand
    before = state_of(controller.shown)
    assert hand.note.isHidden()
    with counted_steps() as taken:
        for values in ({"num_layers": 1}, {"learning_rate": 0.02}, {"num_heads": 1}):
            propose(window, **values)
            settle(window)
            assert (controller.shown.spec, controller.shown.known_steps) == (controller.spec, 0)
            assert controller.paused
            assert "New training" in hand.note.text()
            assert hand.note.isVisibleTo(window.room.form)
        for _ in range(3):
            window.actions_["undo"].trigger()
            settle(window)
        assert (state_of(controller.shown), controller.shown.step) == (before, 24)
        assert not controller.computing
        assert hand.note.isHidden()
        assert taken == []
        propose(window, seed=1)
        settle(window)
        window.actions_["run"].trigger()
        qtbot.waitUntil(lambda: controller.shown.final)
        assert len(taken) == 24


def test_that_presets_paged_to_and_fro_show_a_training_where_it_was(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(SMALL)
    window.session_state.open_preset("train-induction")
    settle(window)
    for step in (1, 2, 3):
        window.actions_["step"].trigger()
        qtbot.waitUntil(lambda step=step: window.controller.shown.step == step)
    before = state_of(window.controller.shown)
    with counted_steps() as taken:
        window.actions_["next_preset"].trigger()
        settle(window)
        assert (window.controller.shown.step, window.controller.paused) == (0, True)
        window.actions_["previous_preset"].trigger()
        settle(window)
        assert state_of(window.controller.shown) == before
        assert (window.controller.shown.step, window.controller.shown.known_steps) == (3, 3)
        assert window.controller.paused
        for _ in range(2):
            window.actions_["undo"].trigger()
            settle(window)
        assert (window.controller.shown.step, window.controller.shown.known_steps) == (3, 3)
        assert taken == []
