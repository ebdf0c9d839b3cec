"""Undo and redo through the real buttons: gestures of the hand, and what each step says that it does."""

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from fake_engine import FakeEngine
from hands import Hands
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, independent_trace, regression, training, transformer
from windows import Settle

from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import Spec
from attnviz.gui.run import undo as module
from attnviz.gui.run.controller import MOST_STEPS
from attnviz.gui.run.undo import MERGE_WITHIN_S, UndoGesture, words_of
from attnviz.gui.window.main_window import MainWindow


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
    stack = used_window.controller.undo_stack
    path = [(used_window.controller.spec.seed, stack.index())]
    while used_window.actions_["undo"].isEnabled():
        undo(used_window)
        path.append((used_window.controller.spec.seed, stack.index()))
    assert path == [(seed, seed) for seed in range(19, -1, -1)]
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


@pytest.fixture
def keeps_five(used_window: MainWindow) -> Iterator[None]:
    """Undo keeps five steps; as many as before afterwards, for the window is that of tests which may come later."""
    stack = used_window.controller.undo_stack
    assert stack.undoLimit() == MOST_STEPS
    stack.setUndoLimit(5)
    yield
    stack.clear()
    stack.setUndoLimit(MOST_STEPS)


@pytest.mark.usefixtures("keeps_five")
def test_that_the_oldest_steps_go_when_there_are_too_many_and_all_others_stay(used_window: MainWindow) -> None:
    stack = used_window.controller.undo_stack
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
    engine.hold_run_of(lambda: window.controller.propose(attention(seed=1)), qtbot)
    undo(window)
    engine.let_go()
    settle(window)
    assert window.controller.shown is not None
    assert window.controller.shown.spec == SMALL


def test_that_undo_across_labs_shows_the_lab_of_the_spec(used_window: MainWindow, settle: Settle) -> None:
    used_window.session_state.enter_lab("regression")
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
    hands.type(form.editor("painted"), "1: 4; 3: 1")
    hands.type(form.editor("num_queries"), "2")
    assert used_window.controller.spec == attention(num_queries=2, painted="0: 3")
    undo(used_window)
    assert used_window.controller.spec == attention(painted="0: 3; 2: 0")
    assert form.editor("painted").value() == "1: 4; 3: 1"
    redo(used_window)
    assert form.editor("painted").value() == "1: 4"
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


@pytest.mark.parametrize(
    ("field", "before", "apart", "same"),
    [
        ("seed", "seed", MERGE_WITHIN_S - 0.01, True),
        ("seed", "seed", MERGE_WITHIN_S, False),
        ("seed", "num_heads", 0.0, False),
        ("", "", 0.0, False),
        ("data#3", "data#3", 10 * MERGE_WITHIN_S, True),
        ("data#4", "data#3", 0.0, False),
    ],
)
def test_that_a_gesture_goes_on_with_its_field_at_once_and_a_drag_until_its_end(
    field: str, before: str, apart: float, same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.time, "monotonic", lambda: 100.0 + apart)
    gesture = UndoGesture(before, number=7, began=40, last=100.0)
    after = gesture.then(field, 41)
    assert (after.number, after.began) == ((7, 40) if same else (8, 41))


def test_that_a_gesture_began_with_its_first_request_however_long_a_drag_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    gesture, began = UndoGesture(), []
    for generation, field in enumerate(("seed", "seed", "data#1", "data#1", "data#1", "data#2"), start=2):
        gesture = gesture.then(field, generation)
        began.append(gesture.began)
        now[0] += 2 * MERGE_WITHIN_S
    assert began == [2, 3, 4, 4, 4, 7]


POINTS: Any = {"kind": "points", "x": [0, 1], "y": [0, 1]}
MORE: Any = {"kind": "points", "x": [0, 1, 2], "y": [0, 1, 2]}


@pytest.mark.parametrize(
    ("old", "new", "field", "words"),
    [
        (SMALL, attention(num_heads=4), "num_heads", "Heads 2 → 4"),
        (SMALL, attention(num_heads=4, num_hiddens=16, seed=3), "seed", "Seed 0 → 3 and 2 more"),
        (SMALL, attention(causal=True), "causal", "Causal off → on"),
        (SMALL, attention(mechanism="additive"), "mechanism", "Module Multi-head → Additive"),
        (SMALL, attention(valid_lens=(3, 2)), "valid_lens", "Valid lengths none → (3, 2)"),
        (SMALL, attention(valid_lens=((1, 2, 3), (1, 2, 3))), "valid_lens", "Valid lengths"),
        (SMALL, attention(painted="0: 1"), "painted#3", "Paint the mask"),
        (SMALL, attention(painted="0: 1"), "painted", "Painted none → 1: 2"),
        (SMALL, attention(temperature=0.5), "", "Temperature 1 → 0.5"),
        (SMALL, attention(inputs={"kind": "ones"}), "inputs", "Source Random → All ones"),
        (SMALL, attention(device="cuda:1"), "device", "Device cpu → cuda:1"),
        (SMALL, regression(), "", "Go to Kernel regression"),
        (attention(mechanism="additive"), attention(mechanism="additive", num_heads=4), "", "Heads 2 → 4"),
        (transformer(), transformer(clip=None), "clip", "Clip 1 → off"),
        (regression(), regression(width=0.25), "width", "Width σ 1 → 0.25"),
        (regression(), regression(kernel="boxcar", width=0.5), "", "Kernel Gaussian → Boxcar and 1 more"),
        (regression(), training(), "estimator", "Weights Fixed width → Learned width and 2 more"),
        (regression(), regression(data={"kind": "synthetic", "n_train": 30, "noise": 0.2}), "data", "Points 12 → 30"),
        (regression(), regression(x_test={"step": 0.25}), "x_test", "Queries: Spacing 0.5 → 0.25"),
        (regression(data=POINTS), regression(data=MORE), "data#1", "Add a point"),
        (regression(data=MORE), regression(data=POINTS), "data#2", "Delete a point"),
        (regression(), regression(data=POINTS), "data#2", "Delete a point"),
        (regression(data=MORE), regression(data=MORE | {"y": [5, 1, 2]}), "data#3", "Move a point"),
        (regression(), regression(data=MORE), "data", "Points Synthetic → Points"),
        (regression(), regression(overlays=[{"estimator": "average"}]), "overlays", "Overlay"),
    ],
)
def test_that_a_step_is_said_in_the_words_of_the_form(old: Spec, new: Spec, field: str, words: str) -> None:
    assert words_of(old, new, field) == words


def test_that_every_step_is_short() -> None:
    long = attention(
        painted="; ".join(f"{query}: 0-3" for query in range(3)), inputs={"kind": "file", "path": "x" * 900}
    )
    for old, new in ((SMALL, long), (long, attention(inputs={"kind": "file", "path": "y" * 900}))):
        assert len(words_of(old, new)) < 60


def test_that_a_drag_says_its_first_and_last_value(used_window: MainWindow, hands: Hands, settle: Settle) -> None:
    window = used_window
    for _ in range(3):
        hands.slide(window.room.form.editor("seed"), Qt.Key.Key_Right)
    undo, redo = window.actions_["undo"], window.actions_["redo"]
    assert (undo.text(), undo.toolTip()) == ("Undo Seed 0 → 3", "Undo Seed 0 → 3 (Ctrl+Z)")
    undo.trigger()
    assert undo.text() == "Undo"
    assert not undo.isEnabled()
    assert redo.text() == "Redo Seed 0 → 3"
    assert redo.toolTip().startswith("Redo Seed 0 → 3 (")
    settle(window)


def test_that_a_preset_is_named(used_window: MainWindow, hands: Hands, settle: Settle) -> None:
    hands.pick(used_window.top_bar.presets, "many-heads")
    assert used_window.actions_["undo"].text() == f"Undo Preset: {preset('many-heads').title}"
    settle(used_window)


def test_that_a_word_with_an_ampersand_is_no_shortcut(used_window: MainWindow) -> None:
    used_window.controller.propose(attention(seed=1), said="Open this & that.json")
    assert used_window.actions_["undo"].text() == "Undo Open this && that.json"
    shown = QTextDocumentFragment.fromHtml(used_window.actions_["undo"].toolTip()).toPlainText()
    assert shown == "Undo Open this & that.json (Ctrl+Z)"
