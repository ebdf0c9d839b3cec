"""Undo and redo: proposing an older spec, through the real buttons."""

import gc
import weakref
from collections.abc import Callable

import pytest
from fake_engine import FakeEngine
from hands import Hands
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, independent_trace, regression

from attnviz.gui.run import gesture as module
from attnviz.gui.run.controller import MOST_STEPS
from attnviz.gui.window.main_window import MainWindow

Settle = Callable[[MainWindow], None]


def undo(window: MainWindow) -> None:
    window.actions_["undo"].trigger()


def redo(window: MainWindow) -> None:
    window.actions_["redo"].trigger()


def test_that_undo_and_redo_walk_through_every_spec_with_form_and_picture(
    used_window: MainWindow, settle: Settle
) -> None:
    specs = [SMALL, attention(seed=1), attention(num_kvpairs=6), attention(mechanism="additive"), regression()]
    for spec in specs[1:]:
        used_window.controller.propose(spec)
    for move, path in ((undo, specs[-2::-1]), (redo, specs[1:])):
        for spec in path:
            move(used_window)
            assert used_window.controller.spec == spec
            assert used_window.rooms[spec.lab].form.values()["seed"] == spec.seed if spec.lab == "attention" else True
            settle(used_window)
            assert used_window.controller.shown is not None
            assert (used_window.controller.shown.weights == independent_trace(spec).weights).all()


def test_that_undo_to_the_bottom_returns_the_start_and_can_go_no_further(
    used_window: MainWindow, settle: Settle
) -> None:
    for seed in range(1, 20):
        used_window.controller.propose(attention(seed=seed))
    while used_window.actions_["undo"].isEnabled():
        undo(used_window)
    assert used_window.controller.spec == SMALL
    settle(used_window)
    undo(used_window)
    assert used_window.controller.spec == SMALL
    while used_window.actions_["redo"].isEnabled():
        redo(used_window)
    assert used_window.controller.spec == attention(seed=19)


def test_that_a_new_change_after_undo_forgets_what_was_undone(used_window: MainWindow) -> None:
    used_window.controller.propose(attention(seed=1))
    undo(used_window)
    used_window.controller.propose(attention(seed=2))
    assert not used_window.actions_["redo"].isEnabled()
    undo(used_window)
    assert used_window.controller.spec == SMALL


def test_that_one_drag_is_one_step_of_undo(used_window: MainWindow, hands: Hands, settle: Settle) -> None:
    editor = used_window.room.form.editor("seed")
    for _ in range(7):
        hands.slide(editor, Qt.Key.Key_Right)
    assert used_window.controller.spec.seed == 7
    assert used_window.controller.undo_stack.count() == 1
    undo(used_window)
    assert used_window.controller.spec == SMALL
    assert editor.value() == 0
    redo(used_window)
    assert used_window.controller.spec.seed == 7
    settle(used_window)


def test_that_changes_of_two_fields_are_two_steps_of_undo(used_window: MainWindow, hands: Hands) -> None:
    form = used_window.room.form
    hands.slide(form.editor("seed"), Qt.Key.Key_Right)
    hands.slide(form.editor("num_kvpairs"), Qt.Key.Key_Right)
    hands.slide(form.editor("seed"), Qt.Key.Key_Right)
    assert used_window.controller.undo_stack.count() == 3
    undo(used_window)
    undo(used_window)
    assert used_window.controller.spec == attention(seed=1)


def test_that_changes_of_one_field_with_a_pause_between_are_two_steps_of_undo(
    used_window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    used_window.controller.propose(attention(seed=1), "seed")
    now[0] += module.MERGE_WITHIN_S + 0.01
    used_window.controller.propose(attention(seed=2), "seed")
    now[0] += module.MERGE_WITHIN_S - 0.01
    used_window.controller.propose(attention(seed=3), "seed")
    monkeypatch.undo()
    undo(used_window)
    assert used_window.controller.spec == attention(seed=1)


def test_that_the_oldest_steps_go_when_there_are_too_many_and_all_others_stay(used_window: MainWindow) -> None:
    stack = used_window.controller.undo_stack
    assert stack.undoLimit() == MOST_STEPS
    stack.setUndoLimit(5)
    for seed in range(1, 9):
        used_window.controller.propose(attention(seed=seed))
    assert stack.count() == 5
    for seed in range(7, 2, -1):
        undo(used_window)
        assert used_window.controller.spec == attention(seed=seed)
    assert not used_window.actions_["undo"].isEnabled()
    for _ in range(5):
        redo(used_window)
    assert used_window.controller.spec == attention(seed=8)


def test_that_presets_are_steps_of_undo_however_fast_they_follow_each_other(used_window: MainWindow) -> None:
    used_window.controller.propose(attention(seed=1))
    used_window.controller.propose(attention(seed=2))
    assert used_window.controller.undo_stack.count() == 2


def test_that_a_drag_that_ends_where_it_began_is_no_step_of_undo(
    used_window: MainWindow, hands: Hands, settle: Settle
) -> None:
    editor = used_window.room.form.editor("seed")
    hands.slide(editor, Qt.Key.Key_Right)
    hands.slide(editor, Qt.Key.Key_Left)
    assert used_window.controller.spec == SMALL
    assert not used_window.actions_["undo"].isEnabled()
    settle(used_window)


def test_that_undo_while_a_run_is_under_way_shows_the_older_spec(
    engine: FakeEngine, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    engine.hold()
    window.controller.propose(attention(seed=1))
    qtbot.waitUntil(engine.began.is_set)
    undo(window)
    engine.let_go()
    settle(window)
    assert window.controller.shown is not None
    assert window.controller.shown.spec == SMALL


def test_that_undo_across_labs_shows_the_lab_of_the_spec(used_window: MainWindow, settle: Settle) -> None:
    used_window.controller.enter_lab("regression")
    settle(used_window)
    undo(used_window)
    assert used_window.controller.spec == SMALL
    assert used_window.room.form.isVisible()
    assert not used_window.rooms["regression"].form.isVisible()
    settle(used_window)
    assert used_window.room.stage.isVisible()


def test_that_undo_reaches_behind_a_spec_whose_device_is_missing(used_window: MainWindow, settle: Settle) -> None:
    used_window.controller.propose(attention(seed=1, device="cuda:77"))
    settle(used_window)
    assert used_window.controller.spec == attention(seed=1)
    for _ in range(3):
        undo(used_window)
        settle(used_window)
    assert used_window.controller.spec == SMALL


def test_that_undo_brings_back_what_stood_in_the_box(used_window: MainWindow, hands: Hands) -> None:
    form = used_window.room.form
    hands.type(form.editor("num_kvpairs"), "9")
    undo(used_window)
    box = form.editor("num_kvpairs").findChild(QSpinBox)
    assert box.text() == "4"


def test_that_undo_brings_back_painted_cells_that_smaller_sizes_have_cut(used_window: MainWindow, hands: Hands) -> None:
    form = used_window.room.form
    hands.type(form.editor("painted"), "0: 3; 2: 0")
    hands.type(form.editor("num_queries"), "2")
    assert used_window.controller.spec == attention(num_queries=2, painted="0: 3")
    undo(used_window)
    assert used_window.controller.spec == attention(painted="0: 3; 2: 0")
    assert form.editor("painted").value() == "0: 3; 2: 0"
    redo(used_window)
    assert form.editor("painted").value() == "0: 3"
    undo(used_window)
    undo(used_window)
    assert used_window.controller.spec == SMALL
    assert form.editor("painted").value() == ""


def test_that_one_stroke_of_the_brush_is_one_step_of_undo_however_long_it_takes(
    used_window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    for stroke, painted in ((1, "0: 0"), (1, "0: 0-1"), (2, "0: 0-2"), (2, "0: 0-3")):
        used_window.room.form.enter("painted", painted, stroke=stroke)
        now[0] += 10 * module.MERGE_WITHIN_S
    monkeypatch.undo()
    assert used_window.controller.undo_stack.count() == 2
    undo(used_window)
    assert used_window.controller.spec == attention(painted="0: 0-1")
    undo(used_window)
    assert used_window.controller.spec == SMALL


def test_that_a_turn_of_a_knob_keeps_its_first_and_its_last_spec_alone(used_window: MainWindow, settle: Settle) -> None:
    passed = []
    for seed in range(1, 31):
        spec = attention(seed=seed)
        passed.append(weakref.ref(spec))
        used_window.controller.propose(spec, "seed")
    del spec
    settle(used_window)
    gc.collect()
    assert used_window.controller.undo_stack.count() == 1
    assert sum(ref() is not None for ref in passed) <= 2  # the last, and the one whose picture came before it, perhaps
