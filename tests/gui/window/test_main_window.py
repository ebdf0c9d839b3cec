"""The window as a whole: presets, labs, devices, notices, menu and notes, and what each says about what is shown."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours, name_of
from hands import Hands
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QHelpEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QToolButton,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, cut_short, independent_trace, regression, training, transformer
from typing_extensions import override
from windows import At, Opener, Settle

from attnviz.definitions.text import Text
from attnviz.engine.run import run
from attnviz.experiment.files.session import LONGEST_NOTES
from attnviz.experiment.files.specs_in_files import preset, presets
from attnviz.experiment.labs import LABS, Spec
from attnviz.experiment.run import Failure
from attnviz.gui.window import notice as notices
from attnviz.gui.window.main_window import MainWindow


def lab_button(window: MainWindow, lab: str) -> QToolButton:
    (button,) = [it for it in window.top_bar.findChildren(QToolButton) if it.property("value") == lab]
    return button


def box_named(window: MainWindow, name: str) -> QComboBox:
    (box,) = [box for box in window.top_bar.findChildren(QComboBox) if box.accessibleName() == name]
    return box


class Turns(QObject):
    """Notes when a widget is shown or hidden."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.seen: list[QEvent.Type] = []
        widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.seen.append(event.type())
        return False


def test_that_a_turned_knob_does_not_fold_the_bar_anew(used_window: MainWindow, settle: Settle) -> None:
    used_window.resize(1024, 640)  # which leaves a button of the bar to the menu
    turns = [Turns(part) for part in used_window.top_bar.findChildren(QToolButton)]
    try:
        used_window.controller.propose(attention(seed=7))
        settle(used_window)
        assert [each.seen for each in turns if each.seen] == []
    finally:
        used_window.resize(1280, 800)


@pytest.mark.parametrize("lab", LABS)
def test_that_every_preset_opens_from_the_list_and_shows_what_an_independent_run_gives(
    lab: str, used_window: MainWindow, settle: Settle, hands: Hands
) -> None:
    hands.qtbot.mouseClick(lab_button(used_window, lab), hands.left)
    settle(used_window)
    for each in presets().values():
        if each.spec.lab == lab:
            _opens_and_shows_its_run(used_window, each.name, each.spec, settle, hands)


def _opens_and_shows_its_run(window: MainWindow, name: str, spec: Spec, settle: Settle, hands: Hands) -> None:
    box = box_named(window, "Preset")
    hands.pick(box, name)
    assert window.controller.spec == spec
    assert box.currentData() == name
    settle(window)
    if cut_short(spec) != spec:
        assert window.controller.paused, name
        first: Any = next(iter(run(spec, untrained_first=True)))
        np.testing.assert_array_equal(window.controller.shown.weights, first.weights)  # type: ignore[union-attr]
        return
    if spec.waits:
        assert window.controller.paused, name
        assert window.controller.shown.step == 0  # type: ignore[union-attr]
        window.controller.set_pace(None)
        window.actions_["run"].trigger()
        settle(window)
    shown = window.controller.shown
    assert shown is not None
    trace = independent_trace(spec, shown.cursor.layer)
    np.testing.assert_array_equal(shown.weights, trace.weights, name)
    stage = window.room.stage
    if hasattr(trace, "contrast_levels"):
        levels = trace.contrast_levels
    else:
        levels = getattr(trace, "layer", trace).levels()[0, 0]
    if stage.view.drawn in ("project", "split"):  # a preset may begin where queries are made
        stage.strip.go_to("weights")
        settle(window)
    if levels.size <= 64:
        assert (heatmap_colours(stage.heatmap, levels.shape) == colours_of(stage.table, levels)).all(), name


def test_that_the_list_holds_the_presets_of_the_lab_with_their_titles_and_what_they_are_about(at: At) -> None:
    for spec in (SMALL, regression()):
        box = box_named(at(spec), "Preset")
        listed: list[tuple[str | None, str, str | None]] = []
        chapter = ""
        for each in presets().values():
            if each.spec.lab == spec.lab:
                if each.chapter != chapter:
                    chapter = each.chapter
                    listed.append((None, chapter, None))
                listed.append((each.name, f"{each.number}  {each.title}", each.about))
        rows = range(box.count())
        assert [(box.itemData(row), box.itemText(row), box.itemData(row, 3)) for row in rows] == listed
        enabled = [bool(box.model().flags(box.model().index(row, 0)) & Qt.ItemFlag.ItemIsSelectable) for row in rows]
        assert enabled == [name is not None for name, _, _ in listed]


def test_that_no_title_of_a_preset_is_cut_at_1280_pixels(at: At) -> None:
    for spec in (SMALL, training()):
        box = box_named(at(spec), "Preset")
        needed = max(box.fontMetrics().horizontalAdvance(box.itemText(row)) for row in range(box.count()))
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box)
        assert room.width() >= needed


def test_that_a_changed_preset_keeps_its_name_until_little_is_left_of_it(at: At, hands: Hands) -> None:
    window = at(preset("many-heads").spec)
    box = box_named(window, "Preset")
    assert box.currentData() == "many-heads"
    hands.type(window.room.form.editor("seed"), "4321")
    assert box.currentIndex() == -1
    assert box.placeholderText() == f"{preset('many-heads').title}, changed"
    window.actions_["undo"].trigger()
    assert box.currentData() == "many-heads"
    twin = preset("dot-product-random")
    at(twin.spec.model_copy(update={"seed": 4321}))
    assert box.placeholderText() == f"{twin.title}, changed", "as of a file that is opened after another preset"
    at(SMALL)
    assert box.placeholderText() == "Own settings"


def test_that_the_button_of_a_lab_shows_its_form_stage_and_inspector(at: At, settle: Settle, hands: Hands) -> None:
    window = at(SMALL)
    for lab in ("regression", "attention"):
        hands.qtbot.mouseClick(lab_button(window, lab), hands.left)
        settle(window)
        room = window.rooms[lab]
        assert window.room is room
        assert lab_button(window, lab).isChecked()
        for part in (room.form, room.stage, room.inspector):
            assert part.isVisible()
        other = next(it for it in window.rooms.values() if it is not room)
        for part in (other.form, other.stage, other.inspector):
            assert not part.isVisible()
        assert lab_button(window, lab).text() == LABS[lab].title


def test_that_a_device_chosen_in_the_bar_is_the_one_in_the_spec(at: At, settle: Settle, hands: Hands) -> None:
    window = at(SMALL)
    hands.pick(box_named(window, "Device"), "auto")
    assert window.controller.spec == attention(device="auto")
    settle(window)
    window.actions_["undo"].trigger()
    assert box_named(window, "Device").currentData() == "cpu"
    hands.type(window.room.form.editor("seed"), "1")
    assert window.controller.spec == attention(seed=1)


def test_that_the_facts_below_are_those_of_the_trace_on_screen(at: At) -> None:
    window = at(attention(seed=31, dtype="float64"))
    facts = window.status.facts.text()
    shown: Any = window.controller.shown
    for fact in ("cpu, float64", "eval", "seed 31", f"run {shown.milliseconds:.1f} ms", "rows sum to 1.000"):
        assert fact in facts
    at(training(seed=2))
    assert "step 6 of 6" in window.status.facts.text()
    assert "cpu, float64" in window.status.facts.text()


def test_that_facts_end_before_what_is_beside_them_and_say_that_they_are_cut(
    window: MainWindow, settle: Settle
) -> None:
    status = window.status
    window.resize(900, 700)
    settle(window)
    whole = status.facts.shown_text
    status.show_state("comparing with the model's own run", busy=True)
    status._show_progress()
    QApplication.sendPostedEvents()
    places = [part.geometry() for part in (status.facts, status.state, status.progress, status.stop)]
    assert all(left.right() < right.left() for left, right in pairwise(places))
    assert places[-1].right() < status.width()
    assert status.facts.shown_text.endswith("…")
    assert status.facts.text().startswith(status.facts.shown_text[:-1].rstrip())
    status.show_state("", busy=False)
    assert status.facts.shown_text == whole


@pytest.mark.parametrize(
    ("values", "fact"),
    [
        ({"valid_lens": (0, 4)}, "rows sum to 1.000, 6 of 12 empty"),
        ({"valid_lens": (0, 0)}, "no row has a valid key"),
        ({"valid_lens": (0, 4), "mask_policy": "inf"}, "6 rows are not a number"),
        ({"valid_lens": (0, 4), "mask_policy": "book"}, "rows sum to 1.000"),
        ({"training": True}, "train"),
        ({"dtype": "bfloat16", "num_kvpairs": 9}, "rows sum to 0.9"),
    ],
)
def test_that_rows_that_do_not_sum_to_1_are_counted(values: dict[str, Any], fact: str, at: At) -> None:
    assert fact in at(attention(**values)).status.facts.text()


def test_that_dropout_in_training_is_said_loudly(at: At) -> None:
    window = at(attention(training=True, dropout=0.5))
    assert window.status.badge.isVisible()
    assert "dropout on" in window.status.badge.text()
    at(attention(training=False, dropout=0.5))
    assert not window.status.badge.isVisible()


def test_that_the_time_of_drawing_is_measured_and_said(at: At) -> None:
    window = at(attention(seed=50))
    window.room.stage.grid.redraw()
    window.room.stage.grid.grab()
    QApplication.processEvents()  # it is said once the frame is on screen
    drawn = float(window.status.facts.text().partition("draw ")[2].partition(" ms")[0])
    assert 0 < drawn < 1000


def test_that_a_notice_of_success_goes_by_itself_and_a_problem_stays(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(notices, "INFO_MS", 30)
    window.notice.say("Saved.", problem=False)
    assert not window.notice.isHidden()
    qtbot.waitUntil(window.notice.isHidden)
    window.notice.say("Broken.")
    qtbot.wait(80)
    assert window.notice.text() == "Broken."
    assert not window.notice.isHidden()
    assert window.notice.property("kind") == "problem"


def test_that_a_problem_of_a_spec_goes_when_another_is_asked_for(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(notices, "EXPIRED_MS", 30)
    spec = window.controller.spec
    window.controller.failed.emit(Failure(spec, "run_failed", Text("Broken.")))
    qtbot.wait(80)
    assert not window.notice.isHidden()
    try:
        window.controller.spec_changed.emit(spec.model_copy(update={"seed": 1 + spec.seed}))
        qtbot.waitUntil(window.notice.isHidden)
    finally:
        window.controller.spec_changed.emit(spec)


def test_that_a_notice_and_the_mark_of_an_old_picture_cover_nothing_and_a_click_hides_the_notice(
    at: At, hands: Hands
) -> None:
    window = at(SMALL)
    stage, notice = window.room.stage, window.notice
    choices = [part.mapTo(window, QPoint()) for part in (stage.strip, stage.view_button)]
    window.notice.say("A sentence that is long enough to need more than one line in the middle of the window. " * 3)
    stage.last_good.show()
    stage.last_good.turned.emit()
    hands.qtbot.waitUntil(notice.isVisible)
    assert [part.mapTo(window, QPoint()) for part in (stage.strip, stage.view_button)] == choices
    hands.qtbot.waitUntil(lambda: notice.height() >= 2 * notice.fontMetrics().height())
    assert not notice.geometry().intersects(window.panels.stages.geometry())
    parts = [part for part in stage.findChildren(QWidget) if part.parentWidget() is stage and part.isVisible()]
    over = [part for part in parts if part.geometry().intersects(stage.last_good.geometry())]
    assert over == [stage.last_good]
    hands.qtbot.mouseClick(notice, hands.left)
    assert notice.isHidden()
    stage.last_good.hide()


def test_that_no_two_actions_share_a_shortcut(at: At) -> None:
    window = at(SMALL)
    shortcuts = [action.shortcut().toString() for action in window.actions() if not action.shortcut().isEmpty()]
    assert len(shortcuts) == len(set(shortcuts))
    assert {"Ctrl+Z", "Ctrl+S", "Ctrl+O", "Ctrl+C"} <= set(shortcuts)


def test_that_every_action_says_its_key_in_its_tooltip(at: At) -> None:
    for action in at(SMALL).actions():
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        assert action.text()
        assert keys in action.toolTip()


def test_that_undo_and_redo_follow_their_keys(used_window: MainWindow, hands: Hands, settle: Settle) -> None:
    window = used_window
    window.controller.propose(attention(seed=3))
    for key, spec in ((QKeySequence.StandardKey.Undo, SMALL), (QKeySequence.StandardKey.Redo, attention(seed=3))):
        hands.qtbot.keySequence(window, QKeySequence(key))
        assert window.controller.spec == spec
    settle(window)


def test_that_undo_in_a_number_takes_back_what_is_half_typed_first_and_then_what_was_done(
    used_window: MainWindow, hands: Hands, settle: Settle
) -> None:
    form, stack = used_window.room.form, used_window.controller.undo_stack
    box, before, done = form.editor("num_heads").findChild(QSpinBox), form.spec.num_heads, stack.index()
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    assert box is not None
    box.setFocus()
    box.selectAll()
    hands.qtbot.keyClicks(box, "1" if before != 1 else "2")
    hands.qtbot.keyClick(box, Qt.Key.Key_Return)
    settle(used_window)
    assert (form.spec.num_heads != before, stack.index()) == (True, done + 1)
    changed = box.text()
    hands.qtbot.keyClicks(box, "7")
    assert box.text() != changed
    hands.qtbot.keyClick(box, Qt.Key.Key_Z, control)
    assert (box.text(), stack.index()) == (changed, done + 1)
    hands.qtbot.keyClick(box, Qt.Key.Key_Z, control)
    settle(used_window)
    assert (form.spec.num_heads, stack.index()) == (before, done)
    hands.qtbot.keyClick(box, Qt.Key.Key_Z, control | shift)
    settle(used_window)
    assert stack.index() == done + 1


def test_that_before_the_first_picture_the_window_says_what_it_waits_for(
    open_window: Opener,
) -> None:
    window = open_window(start=False)
    waiting = [label.text() for label in window.findChildren(QLabel) if label.isVisible() and "PyTorch" in label.text()]
    assert waiting
    assert window.actions_["undo"].isEnabled() is False
    assert window.actions_["redo"].isEnabled() is False


def test_that_inputs_from_a_file_that_is_gone_are_explained_and_keep_the_picture(
    at: At, tmp_path: Path, qtbot: QtBot
) -> None:
    window = at(SMALL)
    gone = tmp_path / "gone.npz"
    with qtbot.waitSignal(window.controller.failed):
        window.controller.propose(attention(inputs={"kind": "file", "path": str(gone)}))
    assert "gone.npz" in window.notice.text()
    assert window.controller.shown is not None
    assert window.controller.shown.spec == SMALL
    assert window.room.stage.last_good.isVisible()


def test_that_inputs_from_a_file_are_shown_with_the_sizes_of_the_file(at: At, settle: Settle, tmp_path: Path) -> None:
    window = at(SMALL)
    rng = np.random.default_rng(0)
    np.savez(
        tmp_path / "mine.npz",
        queries=rng.standard_normal((5, 8)),
        keys=rng.standard_normal((7, 8)),
        values=rng.standard_normal((7, 8)),
    )
    spec = attention(inputs={"kind": "file", "path": str(tmp_path / "mine.npz")})
    window.controller.propose(spec)
    settle(window)
    levels = independent_trace(spec).levels()
    assert levels.shape == (1, 2, 5, 7)
    stage = window.room.stage
    assert (heatmap_colours(stage.heatmap, (5, 7)) == colours_of(stage.table, levels[0, 0])).all()


def test_that_the_menu_holds_the_session_undo_and_the_window_in_this_order(begun: MainWindow) -> None:
    button = begun.top_bar.menu
    assert name_of(button) == "Menu"
    assert not button.icon().isNull()
    assert min(button.parentWidget().findChildren(QToolButton), key=lambda it: it.mapTo(begun, QPoint()).x()) is button
    entries = [action.text() or "-" for action in button.menu().actions()]
    wanted = "New|Open ...|Open recent|Save|Save as ...|Save with the trained model ...|Save as a model folder ...|-"
    wanted += "|Undo|Redo|-|Sweep|Lessons|Device|Language|Light or dark|Motion between stages"
    wanted += (
        "|Fold or open the controls|Fold or open the inspector|Present|-|Manual|Keys and gestures|About attnviz|-|Quit"
    )
    assert "|".join(entries) == wanted
    leaves = [action.text() for action in begun.top_bar.export.menu().actions()]
    assert "Open spec ..." not in leaves


def test_that_the_menu_names_the_steps(begun: MainWindow, hands: Hands) -> None:
    hands.slide(begun.room.form.editor("seed"), Qt.Key.Key_Right)
    (undo,) = [action for action in begun.menu.actions() if action.text().startswith("Undo")]
    assert undo.text() == "Undo Seed 0 → 1"
    undo.trigger()
    assert begun.controller.spec == SMALL


@pytest.mark.parametrize("spec", [SMALL, training()], ids=["attention", "training"])
def test_that_nothing_of_the_top_bar_is_cut_in_a_small_window(
    spec: Spec, at: At, begun: MainWindow, hands: Hands
) -> None:
    window = at(spec)
    window.resize(1024, 640)
    hands.qtbot.waitUntil(lambda: window.size().toTuple() == (1024, 640))
    for _ in range(2):
        places = []
        for part in window.top_bar.findChildren(QToolButton):
            if part.isVisible():
                assert part.width() >= part.sizeHint().width(), part.text()
                places.append(QRect(part.mapTo(window, QPoint()), part.size()))
        places.sort(key=QRect.left)
        assert places[0].left() >= 0
        assert places[-1].right() < 1024
        assert [one for one, other in pairwise(places) if one.intersects(other)] == []
        window.actions_["theme"].trigger()
    window.resize(1280, 800)


@pytest.mark.parametrize("spec", [training(), transformer()], ids=["training", "transformer"])
def test_that_the_labs_are_buttons_again_in_a_window_that_was_narrow(spec: Spec, at: At) -> None:
    window = at(spec)
    size = window.size()
    try:
        for width, listed in ((1280, False), (640, True), (1280, False)):
            window.resize(width, 800)
            assert [lab_button(window, lab).isVisible() for lab in LABS] == [not listed] * len(LABS)
            assert box_named(window, "Lab").isVisible() is listed
    finally:
        window.resize(size)


def test_that_notes_are_one_for_both_labs_and_typing_modifies_the_session(
    at: At, begun: MainWindow, hands: Hands
) -> None:
    notes = begun.panels.notes
    assert not notes.editor.isVisible()
    notes.fold.expand()
    notes.editor.setFocus()
    hands.qtbot.keyClicks(notes.editor, "head 3")
    assert notes.text == "head 3"
    assert begun.isWindowModified()
    at(regression())
    assert notes.editor.isVisible()
    assert begun.session_state.session().notes == "head 3"
    hands.qtbot.keyClick(notes.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert notes.text == ""  # its own undo, while it has the keyboard
    assert begun.controller.spec == regression()


def test_that_tab_leaves_the_notes(begun: MainWindow, hands: Hands) -> None:
    notes = begun.panels.notes
    notes.fold.expand()
    begun.activateWindow()
    notes.editor.setFocus()
    hands.qtbot.keyClick(notes.editor, Qt.Key.Key_Tab)
    assert notes.text == ""
    assert not notes.editor.hasFocus()


def test_that_notes_are_always_such_as_a_session_can_hold(begun: MainWindow) -> None:
    notes = begun.panels.notes
    notes.editor.setPlainText("half \ud800 of a sign, and a whole 𝄞")
    assert begun.session_state.session().notes.endswith("of a sign, and a whole 𝄞")
    line = "x" * 79 + "\n"
    notes.editor.setPlainText((line * (LONGEST_NOTES // len(line) + 1))[: LONGEST_NOTES + 5])
    assert len(begun.session_state.session().notes) == LONGEST_NOTES
    assert f"{LONGEST_NOTES:,}" in begun.notice.text()
    assert len(notes.editor.toPlainText()) == LONGEST_NOTES


@pytest.mark.parametrize("spec", [attention(), training()], ids=["attention", "training"])
def test_that_the_bar_cuts_nothing_and_leaves_to_the_menu_what_it_has_too(spec: Spec, at: At) -> None:
    window = at(spec)
    bar, size = window.top_bar, window.size()
    keys = [window.actions_[key] for key in ("theme", "undo", "redo")]
    try:
        for width, folded in ((900, True), (1920, False)):
            window.resize(width, 640)
            buttons = [it for it in bar.findChildren(QToolButton) if it.isVisible()]
            for button in buttons:
                assert button.width() >= button.minimumSizeHint().width(), button.text()
                assert bar.rect().contains(QRect(button.mapTo(bar, QPoint()), button.size()))
            assert {action.text() for action in keys if not any(it.defaultAction() is action for it in buttons)} == (
                {action.text() for action in keys} if folded else set()
            )
        assert all(action in window.top_bar.menu.menu().actions() for action in keys)
    finally:
        window.resize(size)


def test_that_a_box_that_cuts_its_text_says_the_whole_in_a_tooltip(at: At) -> None:
    box = box_named(at(preset("masked-softmax-2d-book").spec), "Preset")
    box.setFixedWidth(90)
    assert box.shown_text.endswith("…")  # type: ignore[attr-defined]
    place = box.rect().center()
    QApplication.sendEvent(box, QHelpEvent(QEvent.Type.ToolTip, place, box.mapToGlobal(place)))
    assert QToolTip.text() == box.currentText()
    QToolTip.hideText()
    box.setMinimumWidth(0)
    box.setMaximumWidth(16777215)
