"""Keyboard and screen reader: everything that can be used can be reached, has a name, and says what it shows."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from eyes import missed_by, name_of, nameless_in
from hands import Hands, part, walk
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QLabel, QToolButton
from small_specs import attention, independent_trace, regression, training, transformer
from windows import At, Opener, Settle

from attnviz.definitions.stages import stages_of
from attnviz.experiment.labs import LABS, Spec
from attnviz.experiment.regression.spec import Overlay
from attnviz.gui.forms.spec_form import group_of
from attnviz.gui.layers import words as attention_formulas
from attnviz.gui.layers.words import formula_of
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.theme import LIGHT
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.widgets.letters import plain
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SPECS = {
    "attention": attention(valid_lens=(3, 2)),
    "per query": attention(valid_lens=((1, 2, 3), (1, 2, 3))),
    "dropout": attention(dropout=0.5, training=True),
    "sentence": attention(
        inputs={"kind": "sentence", "text": "one two"},
        self_attention=True,
        batch_size=1,
        num_queries=2,
        num_kvpairs=2,
    ),
    "file": attention(inputs={"kind": "file", "path": "/nowhere.npz"}),
    "train": transformer(),
    "regression": regression(overlays=(Overlay(estimator="average"),)),
    "training": training(),
}


@pytest.fixture
def unfolded(at: At, shared_window: MainWindow) -> Iterator[At]:
    """Return a function that shows a spec in the module's window with every fold open."""

    def show(spec: Spec) -> MainWindow:
        window = at(attention())
        if getattr(getattr(spec, "inputs", None), "kind", "") == "file":
            window.room.form.set_spec(spec)  # such a run would fail; the form is what is looked at
        else:
            window = at(spec)
        for panel in (window.room.form, window.room.inspector):
            for fold in panel.findChildren(Fold):
                fold.expand()
        if spec.lab == "attention":
            show_page(window)
            window.room.selection.lock(Selection(0, 1, 0))
        return window

    yield show
    show_page(shared_window)


def show_page(window: MainWindow, page: str = "stages", stage: Any = "weights") -> None:
    """Show a page of the attention room, and a stage of the mechanism."""
    shown: Any = window.rooms["attention"].stage
    shown.strip.go_to(stage)
    shown.page_buttons.press(page)


@pytest.mark.parametrize("kind", SPECS)
def test_that_tab_reaches_every_editor_and_all_else_that_is_used_by_hand_and_each_has_a_name(
    kind: str, unfolded: At, hands: Hands
) -> None:
    spec = SPECS[kind]
    window = unfolded(spec)
    reached = _is_named_and_reached(window, hands)
    fields = [name for name, info in LABS[spec.lab].spec_type.model_fields.items() if group_of(info)]
    editors: list[Any] = [window.room.form.editor(name) for name in fields]
    missed = []
    for editor in editors:
        if editor.isVisible():
            holders = [editor, *([editor.below] if editor.below is not None and editor.below.isVisible() else [])]
            missed += [
                editor.accessibleName()
                for holder in holders
                if not any(holder.isAncestorOf(widget) or holder is widget for widget in reached)
            ]
    assert missed == []
    stage = window.room.stage
    pictures = [getattr(stage, name) for name in ("grid", "heatmap", "bar", "fit") if hasattr(stage, name)]
    assert [type(it).__name__ for it in pictures if not name_of(it).strip()] == []


@pytest.mark.parametrize(
    ("spec", "stages"),
    [
        (SPECS["dropout"], stages_of(SPECS["dropout"])),  # type: ignore[arg-type]
        (attention(mechanism="additive"), ("project", "features", "scores", "output")),
    ],
    ids=["dropout", "additive"],
)
def test_that_everything_at_every_stage_is_named_and_reached(
    spec: Spec, stages: tuple[str, ...], unfolded: At, hands: Hands
) -> None:
    window = unfolded(spec)
    for stage in stages:
        show_page(window, stage=stage)
        _is_named_and_reached(window, hands)


def test_that_everything_on_the_page_that_compares_is_named_and_reached(unfolded: At, hands: Hands) -> None:
    window = unfolded(attention(valid_lens=(3, 2)))
    page = window.room.stage.pages.compare.pair
    for stage in ("weights", "output"):
        show_page(window, "compare", stage)
        _is_named_and_reached(window, hands)
        page.pin.click()
        _is_named_and_reached(window, hands)
        page.unpin.click()


def test_that_everything_on_the_page_of_policies_is_named_and_reached(
    unfolded: At, hands: Hands, settle: Settle
) -> None:
    window = unfolded(attention(valid_lens=(3, 0)))
    show_page(window, "policies")
    settle(window)
    _is_named_and_reached(window, hands)


def _is_named_and_reached(window: MainWindow, hands: Hands) -> list[Any]:
    """Check it by the Tab key, and return what was reached."""
    reached: list[Any] = walk(window, hands)
    assert missed_by(reached, window) == []
    assert [(type(it).__name__, it.objectName()) for it in reached if not name_of(it).strip()] == []
    assert nameless_in(window) == []
    return reached


def test_that_every_picture_can_be_reached_by_the_keyboard(at: At, hands: Hands) -> None:
    window = at(attention())
    reached = walk(window, hands)
    assert window.room.stage.grid in reached
    assert window.room.stage.heatmap in reached


def test_that_arrow_keys_move_the_chosen_cell_within_the_matrix(at: At, hands: Hands) -> None:
    window = at(attention())
    room = window.rooms["attention"]
    room.selection.lock(Selection(0, 0))
    room.stage.heatmap.setFocus()
    path = {
        Qt.Key.Key_Right: [(0, 0), (0, 1), (0, 2), (0, 3), (0, 3)],
        Qt.Key.Key_Down: [(1, 3), (2, 3), (2, 3)],
        Qt.Key.Key_Left: [(2, 2), (2, 1), (2, 0), (2, 0)],
        Qt.Key.Key_Up: [(1, 0), (0, 0), (0, 0)],
    }
    for key, places in path.items():
        for place in places:
            hands.qtbot.keyClick(room.stage.heatmap, key)
            chosen = room.selection.current
            assert (chosen.query, chosen.key) == place
            assert f"query {place[0] + 1} · key {place[1] + 1}" in room.stage.read_out.text()


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
def test_that_tab_goes_through_the_heads_of_a_held_cell_and_then_on(key: Qt.Key, at: At, hands: Hands) -> None:
    window = at(attention(num_heads=4))
    room: Any = window.rooms["attention"]
    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)
    forward = key == Qt.Key.Key_Tab
    room.selection.lock(Selection(0 if forward else 3, 1, 2))
    room.stage.heatmap.setFocus()
    for head in (1, 2, 3) if forward else (2, 1, 0):
        hands.qtbot.keyClick(room.stage.heatmap, key)
        assert room.selection.current == Selection(head, 1, 2)
        assert f"head {head + 1} " in room.stage.read_out.text()
        assert room.stage.heatmap.hasFocus()
    hands.qtbot.keyClick(room.stage.heatmap, key)
    assert not room.stage.heatmap.hasFocus()
    assert room.selection.current == Selection(3 if forward else 0, 1, 2)


@pytest.mark.parametrize("held", [Selection(1), Selection(1, 2)])
def test_that_tab_leaves_the_large_head_at_once_while_no_cell_is_held(held: Selection, at: At, hands: Hands) -> None:
    window = at(attention(num_heads=4))
    room: Any = window.rooms["attention"]
    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)
    room.selection.lock(held)
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        room.stage.heatmap.setFocus()
        hands.qtbot.keyClick(room.stage.heatmap, key)
        assert not room.stage.heatmap.hasFocus()
        assert room.selection.current == held


def test_that_shift_tab_goes_the_way_of_tab_back(unfolded: At, hands: Hands) -> None:
    window = unfolded(SPECS["attention"])
    ways = []
    for key, head in ((Qt.Key.Key_Tab, 0), (Qt.Key.Key_Backtab, 1)):
        window.room.selection.release()
        window.room.selection.lock(Selection(head, 1, 0))
        stops = walk(window, hands, key)
        # Buttons that exclude each other are one stop, whichever of them it falls on.
        ways.append([(isinstance(it, QAbstractButton) and it.group()) or it for it in stops])
    forth, back = ways
    assert forth[1:] == back[:0:-1]


def test_that_tab_passes_by_what_is_folded_away(open_window: Opener, hands: Hands) -> None:
    window = open_window()
    folds = [fold for panel in (window.room.form, window.room.inspector) for fold in panel.findChildren(Fold)]
    assert len(folds) == 2
    assert not any(fold.isExpanded() for fold in folds)
    reached = walk(window, hands)
    assert {fold.header for fold in folds} <= set(reached)
    assert [name_of(it) for it in reached if any(fold.part is it or fold.part.isAncestorOf(it) for fold in folds)] == []


def test_that_the_strip_takes_left_and_right_for_the_stages(at: At, hands: Hands) -> None:
    spec: Any = attention()
    stage: Any = at(spec).room.stage
    stage.strip.go_to("project")
    for name in stages_of(spec)[1:]:
        hands.qtbot.keyClick(stage.strip, Qt.Key.Key_Right)
        assert stage.view.stage == name
    for name in stages_of(spec)[-2:3:-1]:
        hands.qtbot.keyClick(stage.strip, Qt.Key.Key_Left)
        assert stage.view.stage == name
    assert stage.view.stage == "weights"


def test_that_arrow_keys_choose_another_head(at: At, hands: Hands) -> None:
    window = at(attention(num_heads=4))
    room = window.rooms["attention"]
    room.selection.lock(Selection(0, 2))
    assert len({tile.x() for tile in room.stage.grid.tiles}) == 1  # the heads are in one column
    for key, head in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Down, 2), (Qt.Key.Key_Up, 1), (Qt.Key.Key_Down, 2)):
        hands.qtbot.keyClick(room.stage.grid, key)
        assert room.selection.current.head == head
    for _ in range(5):
        hands.qtbot.keyClick(room.stage.grid, Qt.Key.Key_Down)
    assert room.selection.current.head == 3


def test_that_a_wrong_value_keeps_the_keyboard_at_its_field(at: At, hands: Hands) -> None:
    window = at(attention())
    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)
    box = part(window.room.form.editor("batch_size"), QAbstractSpinBox)
    hands.type(box, "0")
    assert window.room.form.problem("batch_size")
    assert box.hasFocus()


def test_that_nothing_in_the_form_is_lit_before_the_user_touches_it(open_window: Opener) -> None:
    window = open_window()
    focus = QApplication.focusWidget()
    assert focus is None or not window.room.form.isAncestorOf(focus)


def test_that_labels_lead_to_their_editors(at: At) -> None:
    form = at(attention()).room.form
    for name in ("num_heads", "mechanism", "causal", "seed"):
        editor = form.editor(name)
        (label,) = [it for it in form.findChildren(QLabel) if it.buddy() is editor.focusProxy()]
        assert plain(label.text()) == editor.accessibleName()


@pytest.mark.parametrize("kind", ["attention", "regression", "training"])
def test_that_every_button_in_sight_is_called_what_stands_on_it(kind: str, at: At) -> None:
    buttons = [it for it in at(SPECS[kind]).findChildren(QAbstractButton) if it.isVisible()]
    assert len(buttons) > 20
    other = [(it.text(), name_of(it)) for it in buttons if _words(it.text()) not in _words(name_of(it))]
    assert other == []


def test_that_buttons_of_one_field_are_told_apart(at: At) -> None:
    editor = at(SPECS["attention"]).room.form.editor("valid_lens")
    assert editor.below is not None
    names = [name_of(it) for it in editor.below.findChildren(QToolButton)]
    assert names == [f"{editor.accessibleName()}: {text}" for text in ("Equal", "Random", "Staircase")]


def test_that_run_is_called_pause_while_a_training_goes_on(at: At, hands: Hands) -> None:
    window = at(regression())
    (button,) = [it for it in window.top_bar.findChildren(QToolButton) if name_of(it) == "Run"]
    assert button.toolTip() == "Run (Ctrl+R)"
    window.controller.set_pace(1)
    window.controller.begin(training(epochs=1000), "")
    hands.qtbot.waitUntil(lambda: name_of(button) == "Pause")
    assert button.toolTip() == "Pause (Ctrl+R)"
    window.controller.stop()
    hands.qtbot.waitUntil(lambda: name_of(button) == "Run")
    assert button.toolTip() == "Run (Ctrl+R)"


def test_that_undo_is_called_what_it_undoes(used_window: MainWindow, hands: Hands) -> None:
    hands.slide(used_window.room.form.editor("seed"), Qt.Key.Key_Right)
    assert "Undo Seed 0 → 1" in [name_of(it) for it in used_window.top_bar.findChildren(QToolButton)]


@pytest.mark.parametrize("active", [True, False])
def test_that_a_notice_is_said_where_somebody_listens(
    active: bool, used_window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[Any] = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: active)
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: said.append(event.message()))
    used_window.notice.say("The picture is of the last good run.")
    used_window.notice.hide()
    assert said == (["The picture is of the last good run."] if active else [])


@pytest.mark.parametrize(
    "spec",
    [
        attention(dropout=0.5, training=True, temperature=2.0),
        attention(scaled=False, mask_policy="book"),
        attention(mask_policy="book", dtype="float16"),
        attention(mechanism="additive", temperature=2.0),
        attention(mechanism="dot_product"),
    ],
)
def test_that_formulas_are_spoken_in_the_language_of_the_window(spec: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention_formulas, "translate", lambda text, *_: f"<{text}>")
    trace: Any = independent_trace(spec)
    spoken = [formula_of(trace.layer, stage)[1] for stage in stages_of(spec)]
    assert [said for said in spoken if _untranslated(said)] == []


def _untranslated(said: str) -> str:
    """Return what is outside of all < and >; a translated text may have others in it."""
    while said != (said := re.sub("<[^<>]*>", "", said)):
        pass
    return said


def test_that_one_head_is_one_head(at: At) -> None:
    stage: Any = at(attention(num_heads=2)).room.stage
    assert stage.grid.accessibleDescription() == "2 heads"
    stage.grid.show_heads(np.zeros((1, 2, 2), np.uint8), None, colour_table("viridis", LIGHT))
    assert stage.grid.accessibleDescription() == "1 head"


def _words(text: str) -> str:
    """Return the letters and digits of a text; signs such as a cross are not read out."""
    return " ".join("".join(each if each.isalnum() else " " for each in text.casefold()).split())
