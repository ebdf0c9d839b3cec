"""Present: type of the screen's size, no bars, keys that work there alone, and everything as it was afterwards."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import Colours, look
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QCursor, QKeySequence
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from small_specs import SMALL, training
from windows import At, Opener, Settle

from attnviz.experiment.files.specs_in_files import preset, presets
from attnviz.experiment.labs import LABS
from attnviz.gui.labs.regression.plots.training_plots import HistoryPlot
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.session.crash_notice import RestoreBar
from attnviz.gui.theme import LIGHT, Look
from attnviz.gui.widgets.buttons import Switch
from attnviz.gui.window import present as module
from attnviz.gui.window.main_window import MainWindow
from attnviz.gui.window.panels import FIRST_SIDES

Key = Qt.Key


@pytest.fixture
def window(used_window: MainWindow, qtbot: QtBot) -> Iterator[MainWindow]:
    """The module's window at 1280x800, not presented, at the weights."""
    yield before_present(used_window, qtbot)
    if used_window.look.present:
        used_window.present(False)
    used_window.panels.notes.set_text("")
    used_window.room.selection.release()


@pytest.fixture
def presented(used_window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The module's window while it is presented; one that the last test has left as Present begins stays as it is.

    A type scale takes a quarter of a second to come, and as long to go.
    """
    if not is_as_begun(used_window):
        qtbot.keyClick(before_present(used_window, qtbot), Key.Key_F11)
        assert is_as_begun(used_window)
    used_window.room.selection.release()
    used_window.notice.hide()  # of an earlier test; it takes room
    used_window.room.stage.strip.go_to("weights")
    used_window.panels.focus_stage()
    return used_window


def before_present(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Return a window after it has left Present, with the size and the panels of a first start, at the weights."""
    if window.look.present:
        window.present(False)
    window.showNormal()
    window.resize(1280, 800)
    window.panels.take_sides(FIRST_SIDES)
    window.room.stage.strip.go_to("weights")
    qtbot.waitUntil(lambda: window.size().toTuple() == (1280, 800))
    return window


def is_as_begun(window: MainWindow) -> bool:
    """Return whether a window is presented, and nothing was opened, covered, hidden or resized since that began."""
    covers, panels = window.presentation, window.panels
    opened = (
        covers.blank,
        covers.frozen,
        covers.spotlight,
        panels.left.open,
        panels.right.open,
    )
    return (
        window.isFullScreen()
        and window.look == Look(LIGHT).presented(window.height())
        and not any(it.isVisible() for it in opened)
    )


def press(window: MainWindow, key: Qt.Key, qtbot: QtBot) -> None:
    """Press a key where the keyboard is."""
    qtbot.keyClick(window.focusWidget() or window, key)


def look_at_page(window: MainWindow) -> Colours:
    """Return the pixels of the page, with what lies over it."""
    page, central = window.panels.page, window.centralWidget()
    left, top, width, height = QRect(page.mapTo(central, QPoint()), page.size()).getRect()
    return look(central)[top : top + height, left : left + width]


def hold_a_cell(window: MainWindow, qtbot: QtBot) -> None:
    heatmap = window.room.stage.heatmap
    place = heatmap.rect_of(1, 2).center().toPoint()
    qtbot.mouseClick(heatmap, Qt.MouseButton.LeftButton, pos=place)
    assert window.room.selection.locked.key == 2


def resize(window: MainWindow, size: tuple[int, int], qtbot: QtBot) -> None:
    """Present on a screen of another size."""
    window.showNormal()
    window.resize(*size)
    qtbot.waitUntil(lambda: window.look.scale == pytest.approx(size[1] / 500))


def test_that_no_type_is_smaller_than_a_fiftieth_of_the_height(presented: MainWindow, qtbot: QtBot) -> None:
    for size in ((1280, 800), (1920, 1080), (1280, 720)):
        resize(presented, size, qtbot)
        labels = [label for label in presented.findChildren(QLabel) if label.isVisible() and label.text()]
        assert labels
        smallest = min(label.fontInfo().pixelSize() for label in labels)
        assert min(smallest, presented.look.font("small").pixelSize()) >= 0.0215 * size[1]  # 11 px are 2.2 %, rounded


def test_that_a_window_is_dressed_once_for_ten_quick_sizes_and_at_once_when_present_begins(
    presented: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    resize(presented, (1280, 800), qtbot)
    dressed: list[Look] = []
    restyle = presented.panels.restyle
    monkeypatch.setattr(presented.panels, "restyle", lambda look: (dressed.append(look), restyle(look)))
    for height in range(790, 690, -10):
        presented.resize(1280, height)
    qtbot.waitUntil(lambda: presented.look == presented.look.presented(700))
    qtbot.wait(80)
    assert dressed == [presented.look]
    presented.present(False)
    presented.present(True, full_screen=False)
    assert dressed[2:] == [presented.look.presented(700)]


def test_that_the_cells_of_weights_fill_more_than_a_fifth_of_the_screen(
    presented: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    # 22 % are meant; cells of 50 and 64 tokens take whole pixels, and 21.8 % of 1280 x 720.
    pairs = "masked-softmax-book", "multi-head-random"
    square = "self-attention-book", "causal-sentence", "mask-laboratory", "why-root-d", "causal-random", "many-heads"
    for size in ((1280, 800), (1280, 720)):
        resize(presented, size, qtbot)
        for name in (*pairs, *square):
            presented.controller.propose(preset(name).spec)
            settle(presented)
            cells = [shown.cells for shown in presented.findChildren(Heatmap) if shown.isVisible()]
            share = sum(each.width() * each.height() for each in cells) / (size[0] * size[1])
            assert share >= (0.217 if "random" in name or name == "many-heads" else 0.22), (name, size)


def test_that_only_the_stage_and_two_rails_are_on_screen(presented: MainWindow) -> None:
    panels = presented.panels
    shown = (presented.top_bar, presented.status, panels.notes, panels.left.open, panels.right.open)
    assert not any(part.isVisible() for part in shown)
    assert panels.left.rail.isVisible()
    assert panels.right.rail.isVisible()
    assert panels.height() == presented.height()


@pytest.mark.parametrize("key", [Key.Key_F7, Key.Key_F8])
def test_that_a_panel_opened_there_moves_the_picture_and_covers_nothing_of_it(
    key: Key, presented: MainWindow, qtbot: QtBot
) -> None:
    panels = presented.panels
    press(presented, key, qtbot)
    panel = panels.left if key == Key.Key_F7 else panels.right
    assert panel.open.isVisible()
    assert not panels.notes.isVisible()
    assert not any(panels.page.geometry().intersects(side.geometry()) for side in (panels.left, panels.right))
    assert presented.room.stage.heatmap.cells.width() > 0
    press(presented, key, qtbot)
    assert (panels.page.x(), panels.width() - panels.page.geometry().right() - 1) == (presented.look.px(18),) * 2


def test_that_preset_chapter_and_knob_are_above_the_picture_and_the_knob_proposes_as_the_form_does(
    presented: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    presented.session_state.open_preset("why-root-d")
    settle(presented)
    stage, head = presented.room.stage, presented.room.stage.head
    assert (head.title.text(), head.chapter.text()) == ("18  Why the root of d", "Scoring functions")
    assert head.knob is not None
    assert head.knob.alone == "scaled"
    qtbot.mouseClick(head.knob.editor("scaled").findChild(Switch), Qt.MouseButton.LeftButton)
    settle(presented)
    assert presented.controller.spec == preset("why-root-d").spec.model_copy(update={"scaled": True})
    assert presented.room.form.editor("scaled").value() is True
    assert head.title.text() == "18  Why the root of d, changed"
    presented.controller.undo_stack.undo()
    settle(presented)
    assert head.knob.editor("scaled").value() is False
    for panel_open in (True, False):  # then the form has it
        press(presented, Key.Key_F7, qtbot)
        assert head.knob.isVisible() is not panel_open
        assert stage.formula.geometry().right() < head.leave.x() < stage.width()


def test_that_letters_of_folded_knobs_flip_a_switch_and_lead_to_a_number(
    presented: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    presented.session_state.open_preset("multi-head-random")
    settle(presented)
    form, alt = presented.room.form, Qt.KeyboardModifier.AltModifier
    for field in ("causal", "num_heads", "num_hiddens"):
        qtbot.keyClick(presented, form.letter(field), alt)
        if field == "causal":
            qtbot.waitUntil(lambda: presented.controller.spec.causal)
        knob = presented.room.stage.head.knob
        assert presented.panels.left.folded is (field != "num_hiddens")
        focused = presented.focusWidget()
        assert knob.isAncestorOf(focused) is (field == "num_heads")
        assert form.isAncestorOf(focused) is (field == "num_hiddens")


def test_that_the_key_of_the_text_of_a_model_opens_its_folded_panel(
    presented: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    presented.session_state.open_preset("model-induction")
    settle(presented)
    for folded in (True, False):  # open, it stays open
        assert presented.panels.left.folded is folded
        presented.room.stage.setFocus()
        qtbot.keyClick(presented.room.stage, Key.Key_L, Qt.KeyboardModifier.ControlModifier)
        assert not presented.panels.left.folded
        assert presented.focusWidget() is presented.room.form.lead_of("text")


@pytest.mark.parametrize("lab", LABS)
def test_that_every_preset_has_a_knob_that_the_row_has_room_for(lab: str, presented: MainWindow) -> None:
    for each in presets().values():
        if each.spec.lab == lab:
            room = presented.rooms[lab]
            assert room.form.editor(each.knob)
            knob = room.form.alone_with(each.knob)
            knob.set_spec(each.spec)
            assert knob.editor(each.knob).value() == getattr(each.spec, each.knob)
            assert knob.minimumSizeHint().height() < 60
            knob.deleteLater()


def test_that_what_a_start_offers_is_not_for_an_audience(presented: MainWindow) -> None:
    bar = RestoreBar()
    presented.panels.put_above_stage(bar)
    bar.offer([("kept.attnviz", 0.0)])
    assert not bar.isVisible()
    presented.present(False)
    assert bar.isVisible()
    assert re.search(r"19\d\d-\d\d-\d\d \d\d:\d\d", bar.sentence.text())
    bar.setParent(None)
    bar.deleteLater()


@pytest.mark.parametrize("way", ["F11", "Esc", "button"])
def test_that_the_window_is_as_before_when_it_is_left(way: str, window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Key.Key_F7)
    seed = window.room.form.editor("seed")
    sides, size, state, first = window.panels.own_sides, window.size(), window.windowState(), window.look
    focused = window.focusWidget()
    qtbot.keyClick(window, Key.Key_F11)
    assert window.isFullScreen()
    press(window, Key.Key_F8, qtbot)
    match way:
        case "F11":
            press(window, Key.Key_F11, qtbot)
        case "Esc":
            press(window, Key.Key_Escape, qtbot)
        case _:
            qtbot.mouseClick(window.room.stage.head.leave, Qt.MouseButton.LeftButton)
    assert (window.look, window.windowState(), window.panels.own_sides) == (first, state, sides)
    assert not window.actions_["present"].isChecked()
    qtbot.waitUntil(lambda: window.size() == size)
    assert window.top_bar.isVisible()
    assert window.status.isVisible()
    assert window.panels.left.folded
    assert not window.panels.right.folded
    assert window.focusWidget() is focused
    assert not window.room.stage.head.isVisible()
    assert seed.value() == SMALL.seed


def test_that_what_is_said_in_a_panel_keeps_its_margin_after_a_picture_was_taken_in_present(
    window: MainWindow,
) -> None:
    about = window.panels.about
    window.controller.propose(preset("causal-sentence").spec)
    left = about.contentsRect().left()
    window.present(True)
    window.grab()
    window.present(False)
    assert about.contentsRect().left() == left == 16
    window.controller.propose(SMALL)


def test_that_the_stages_keep_the_keyboard_when_the_lab_changes(presented: MainWindow, at: At, qtbot: QtBot) -> None:
    first = presented.room.stage.strip
    assert first.hasFocus()
    window = at(training(epochs=2))
    strip = window.room.stage.strip
    assert strip is not first
    assert strip.hasFocus()
    at(SMALL)


def test_that_a_screen_that_is_blanked_is_black_until_any_key(presented: MainWindow, qtbot: QtBot) -> None:
    focused, stage = presented.focusWidget(), presented.room.stage.strip.stage
    for blanks, key in zip(
        (Key.Key_B, Key.Key_Period, Key.Key_B), (Key.Key_B, Key.Key_PageDown, Key.Key_Escape), strict=True
    ):
        press(presented, blanks, qtbot)
        assert set(np.unique(look(presented))) == {0}, "in the light theme too"
        press(presented, key, qtbot)
        assert not presented.presentation.blank.isVisible()
        assert len(np.unique(look(presented))) > 20
        assert presented.look.present
        assert presented.focusWidget() is focused
    assert presented.room.stage.strip.stage == stage


def test_that_esc_ends_the_blank_screen_then_the_frozen_picture_then_the_held_cell_then_present(
    presented: MainWindow, qtbot: QtBot
) -> None:
    hold_a_cell(presented, qtbot)
    cover = presented.presentation

    def state() -> tuple[bool, bool, bool, bool]:
        held = presented.room.selection.locked.key is not None
        return cover.blank.isVisible(), cover.frozen.isVisible(), held, presented.look.present

    press(presented, Key.Key_Z, qtbot)
    press(presented, Key.Key_B, qtbot)
    seen = [state()]
    for _ in range(4):
        press(presented, Key.Key_Escape, qtbot)
        seen.append(state())
    assert seen == [(False,) * gone + (True,) * (4 - gone) for gone in range(5)]


def test_that_a_frozen_picture_stays_and_names_its_own_run(presented: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    press(presented, Key.Key_Z, qtbot)
    before = look_at_page(presented)
    frozen = presented.presentation.frozen
    assert frozen.text == f"Frozen: own settings, seed {SMALL.seed}"
    presented.controller.propose(SMALL.model_copy(update={"seed": SMALL.seed + 1}))
    settle(presented)
    press(presented, Key.Key_PageDown, qtbot)
    assert (look_at_page(presented) == before).all()
    assert frozen.text.endswith(f"seed {SMALL.seed}")
    press(presented, Key.Key_Z, qtbot)
    assert not frozen.isVisible()
    assert (look_at_page(presented) != before).any()


def test_that_what_covers_the_picture_lies_above_the_ring_of_a_lesson(presented: MainWindow, qtbot: QtBot) -> None:
    ring, covers = presented.lessons.ring, presented.presentation
    page = presented.panels.page
    place = QRect(page.mapTo(presented.centralWidget(), QPoint(200, 200)), QSize(300, 200))
    plain = look_at_page(presented)
    ring.surround(place)
    assert (look_at_page(presented) != plain).any()
    for key, cover in ((Key.Key_Z, covers.frozen), (Key.Key_B, covers.blank)):
        press(presented, key, qtbot)
        covered = look_at_page(presented)
        ring.surround(None)
        ring.surround(place.translated(40, 40))  # the next step of the lesson looks elsewhere
        assert (look_at_page(presented) == covered).all()
        assert cover.isVisible()
    for _ in range(2):
        press(presented, Key.Key_Escape, qtbot)
    ring.surround(None)
    assert (look_at_page(presented) == plain).all()


def test_that_the_spotlight_stays_after_its_key_until_it_is_pressed_again(presented: MainWindow, qtbot: QtBot) -> None:
    light = presented.presentation.spotlight
    QCursor.setPos(presented.mapToGlobal(QPoint(300, 300)))
    where = presented.focusWidget()
    far = presented.centralWidget().mapFromGlobal(presented.mapToGlobal(QPoint(700, 700)))
    bright = QColor(int(look(presented)[far.y(), far.x()]) | 0xFF000000)
    qtbot.keyClick(where, Key.Key_L)
    assert light.isVisible()
    qtbot.waitUntil(lambda: light.spot.center() == light.mapFromGlobal(QCursor.pos()) - QPoint(1, 1))
    dim = QColor(int(look(presented)[far.y(), far.x()]) | 0xFF000000)
    assert dim.lightnessF() < 0.6 * bright.lightnessF()
    for _ in range(2):  # on a frozen picture too
        qtbot.keyClick(where, Key.Key_Z)
        assert (int(look(presented)[far.y(), far.x()]) | 0xFF000000) == dim.rgb()
    QCursor.setPos(presented.mapToGlobal(QPoint(-300, -300)))
    qtbot.waitUntil(lambda: int(look(presented)[far.y(), far.x()]) | 0xFF000000 == bright.rgb())  # on another screen
    for key in (Key.Key_L, Key.Key_Escape):
        press(presented, key, qtbot)
        assert not light.isVisible()
        assert presented.look.present
        press(presented, Key.Key_L, qtbot)
        assert light.isVisible()
    press(presented, Key.Key_L, qtbot)


def test_that_the_numbers_are_hidden_until_asked_for_again_or_present_is_left(
    presented: MainWindow, qtbot: QtBot
) -> None:
    stage = presented.room.stage
    parts, first = (stage.heatmap, stage.pages.heads.bars), stage.sentence.text()
    shown = [look(part) for part in parts]
    assert first
    for key in (Key.Key_N, Key.Key_N):
        press(presented, key, qtbot)
        hidden = not stage.sentence.text()
        # The ink of digits goes; cells, bars and all places stay as they are.
        for part, before in zip(parts, shown, strict=True):
            assert (0 < (look(part) != before).mean() < 0.15) == hidden
        assert stage.sentence.text() in ("", first)
    press(presented, Key.Key_N, qtbot)
    assert not stage.sentence.text()
    press(presented, Key.Key_F11, qtbot)
    assert presented.look.numbers
    assert stage.sentence.text() == first


def test_that_hidden_numbers_leave_the_titles_of_the_comparison_and_the_values_of_a_training(
    presented: MainWindow, qtbot: QtBot
) -> None:
    stage: Any = presented.room.stage
    stage.page_buttons.press("compare")
    compare = stage.pages.compare.pair
    assert "bit" in compare.b._matrix.title
    press(presented, Key.Key_N, qtbot)
    assert compare.b._matrix.title == "B, this run"
    press(presented, Key.Key_N, qtbot)
    assert "bit" in compare.b._matrix.title
    stage.page_buttons.press("stages")
    plot = HistoryPlot(presented.look, "loss", "accent")
    qtbot.addWidget(plot)
    for shown in (True, False, True):
        plot.restyle(replace(presented.look, numbers=shown))
        assert plot.now.isVisibleTo(plot) == shown


def test_that_the_arrows_step_through_the_stages_unless_a_cell_is_held(presented: MainWindow, qtbot: QtBot) -> None:
    strip, heatmap = presented.room.stage.strip, presented.room.stage.heatmap
    heatmap.setFocus()
    press(presented, Key.Key_Right, qtbot)
    assert strip.stage == "heads"
    press(presented, Key.Key_Left, qtbot)
    assert strip.stage == "weights"
    hold_a_cell(presented, qtbot)
    press(presented, Key.Key_Left, qtbot)
    assert (strip.stage, presented.room.selection.locked.key) == ("weights", 1)


def test_that_the_arrows_go_on_after_the_picture_that_had_the_keyboard_is_gone(
    presented: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    strip = presented.room.stage.strip
    presented.controller.propose(preset("causal-sentence").spec)
    settle(presented)
    presented.room.stage.heatmap.setFocus()
    for key, stage in ((Key.Key_Right, "heads"), (Key.Key_Left, "weights"), (Key.Key_Left, "masked_scores")):
        press(presented, key, qtbot)
        assert strip.stage == stage
    presented.controller.propose(SMALL)
    settle(presented)


def test_that_a_panel_opened_there_folds_the_other_where_both_would_take_most_of_the_width(
    presented: MainWindow, qtbot: QtBot
) -> None:
    panels = presented.panels
    for key, opened, other in (
        (Key.Key_F7, panels.left, panels.right),
        (Key.Key_F8, panels.right, panels.left),
        (Key.Key_F7, panels.left, panels.right),
    ):
        press(presented, key, qtbot)
        assert (opened.folded, other.folded) == (False, True)
        assert panels.page.width() > presented.width() / 2


def test_that_an_audience_sees_the_curves_of_a_training_and_every_prediction(
    presented: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    presented.session_state.open_preset("train-induction")
    settle(presented)
    resize(presented, (1280, 720), qtbot)
    page = presented.room.stage.page
    assert page.quality.isVisible()
    assert page.roles.isVisible()
    assert page.chips.verticalScrollBar().maximum() == 0
    press(presented, Key.Key_F7, qtbot)
    assert page.quality.isVisible()
    assert page.roles.isVisible()
    assert page.tiles.grid.height() <= page.tiles.height()


def test_that_an_audience_is_told_of_the_arcs_to_lines_that_have_no_room(
    presented: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    presented.session_state.open_preset("train-induction")
    settle(presented)
    resize(presented, (1280, 800), qtbot)
    page = presented.room.stage.page
    assert page.chips.verticalScrollBar().maximum() > 0, "one line has room"
    page.chips.setCurrentRow(20)
    assert page.chips.outside > 0
    told = [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    assert f"arcs off screen: {page.chips.outside}" in told


def test_that_a_long_formula_leaves_the_title_of_the_preset_its_room(
    presented: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    presented.session_state.open_preset("train-induction")
    settle(presented)
    resize(presented, (1920, 1080), qtbot)
    number = preset("train-induction").number
    stage: Any = presented.room.stage
    stage.page_buttons.press("layer")
    for step in stage.strip.offered:
        stage.strip.go_to(step)
        settle(presented)
        assert stage.head.title.shown_text == f"{number}  Induction: what repeats", step
        assert stage.formula.width() > 200, step
    stage.page_buttons.press("train")


@pytest.mark.parametrize("on", [False, True])
def test_that_page_keys_step_through_the_stages_from_anywhere(on: bool, window: MainWindow, qtbot: QtBot) -> None:
    window.present(on)
    if on:
        press(window, Key.Key_F7, qtbot)
    strip = window.room.stage.strip
    for field in ("seed", "causal", "mechanism"):
        editor = window.room.form.editor(field)
        editor.setFocus()
        press(window, Key.Key_PageDown, qtbot)
        assert strip.stage == "heads"
        press(window, Key.Key_PageUp, qtbot)
        assert strip.stage == "weights"
    assert window.controller.spec == SMALL


LETTERS = (Key.Key_B, Key.Key_N, Key.Key_L, Key.Key_Z)


def test_that_letters_are_for_the_text_field_that_has_the_keyboard(presented: MainWindow, qtbot: QtBot) -> None:
    press(presented, Key.Key_F7, qtbot)
    line = presented.room.form.findChildren(QLineEdit)[-1]
    presented.panels.notes.show()
    for field in (line, presented.panels.notes.editor):
        field.setFocus()
        for key in LETTERS:
            qtbot.keyClick(field, key)
            covers = presented.presentation
            assert not any(it.isVisible() for it in (covers.blank, covers.frozen, covers.spotlight))
            assert presented.look.numbers


def test_that_letters_do_nothing_in_the_ordinary_window(window: MainWindow, qtbot: QtBot) -> None:
    window.panels.focus_stage()
    before = look(window)
    for key in LETTERS:
        press(window, key, qtbot)
        assert (look(window) == before).all()


def test_that_space_runs_and_pauses_a_training_but_presses_a_button_that_has_the_keyboard(at: At, qtbot: QtBot) -> None:
    window = at(training(epochs=60))
    window.panels.take_sides(FIRST_SIDES)  # the test before may have left a panel folded
    window.controller.set_pace(5.0)
    window.panels.focus_stage()
    press(window, Key.Key_Space, qtbot)
    qtbot.waitUntil(lambda: window.controller.computing)
    press(window, Key.Key_Space, qtbot)
    qtbot.waitUntil(lambda: window.controller.paused)
    theme = window.look.theme
    window.panels.left.button.setFocus()
    press(window, Key.Key_Space, qtbot)
    assert window.panels.left.folded
    assert window.controller.paused
    assert window.look.theme is theme
    window.panels.take_sides(FIRST_SIDES)
    window.controller.set_pace(None)
    window.controller.run_or_pause()


def test_that_f6_goes_round_the_panels_and_comes_back_to_where_it_was(window: MainWindow, qtbot: QtBot) -> None:
    panels = window.panels
    panels.take_sides(FIRST_SIDES)
    parts = (panels.left, panels.page, panels.right, window.top_bar)
    window.room.form.editor("seed").setFocus()
    began = window.focusWidget()
    visited: list[QWidget] = []
    for _ in range(4):
        press(window, Key.Key_F6, qtbot)
        visited += [part for part in parts if part.isAncestorOf(window.focusWidget())]
    assert visited == [panels.page, panels.right, window.top_bar, panels.left]
    assert window.focusWidget() is began
    press(window, Key.Key_F8, qtbot)
    for _ in range(2):
        press(window, Key.Key_F6, qtbot)
    assert panels.right.rail.hasFocus()


def test_that_notes_are_on_the_other_screen_where_there_is_one(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window.panels.notes.set_text("say why row 2 is empty")
    window.present(True)
    assert not window.presentation.notes.isVisible()
    window.present(False)
    monkeypatch.setattr(module, "other_screen", lambda window: window.screen())
    window.present(True)
    notes = window.presentation.notes
    assert notes.isVisible()
    assert notes.text.toPlainText() == "say why row 2 is empty"
    assert window.isAncestorOf(notes) is False
    window.panels.notes.set_text("and then row 3")
    assert notes.text.toPlainText() == "and then row 3"
    window.present(False)
    assert not notes.isVisible()


def test_that_a_picture_without_a_window_can_be_presented(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window.present(True, full_screen=False)
    assert not window.isFullScreen()
    assert window.size().toTuple() == (1280, 800)
    assert window.look == Look(LIGHT).presented(800)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_that_the_button_of_present_shows_that_it_has_the_keyboard(name: str, window: MainWindow, qtbot: QtBot) -> None:
    first = window.look.theme.name
    if name != first:
        window.toggle_theme()
    button = window.top_bar.findChild(QToolButton, "primary")
    window.panels.focus_stage()
    before = look(button)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    after = look(button)
    ring = after[before != after]
    assert len(ring) >= 1.5 * (button.width() + button.height())
    assert np.mean(ring == QColor(window.look.theme.on_accent).rgb() & 0xFFFFFF) > 0.5
    if name != first:
        window.toggle_theme()


def test_that_a_lecture_goes_from_preset_to_preset_without_leaving_present(
    window: MainWindow, qtbot: QtBot, settle: Any
) -> None:
    names = list(presets())
    window.session_state.open_preset(names[2])
    settle(window)
    window.actions_["present"].trigger()
    try:
        window.panels.focus_stage()
        for key, name in (("Ctrl+PgDown", names[3]), ("Ctrl+PgUp", names[2]), ("Ctrl+PgUp", names[1])):
            qtbot.keySequence(window, QKeySequence(key))
            settle(window)
            assert window.controller.spec == presets()[name].spec
            assert window.look.present
        window.controller.propose(window.controller.spec.model_copy(update={"seed": 77}))  # it is no preset now
        qtbot.keySequence(window, QKeySequence("Ctrl+PgDown"))
        assert window.controller.spec == presets()[names[2]].spec
        settle(window)
    finally:
        window.actions_["present"].trigger()


def test_that_present_begins_and_ends_while_the_engine_is_not_ready(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(start=False)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)

    def state() -> tuple[Any, ...]:
        covers, checked = window.presentation, window.actions_["present"].isChecked()
        on = covers.blank.on, covers.frozen.on, checked, window.isFullScreen(), window.top_bar.isVisible()
        return window.look, window.panels.own_sides, window.size(), window.focusWidget(), on

    window.panels.stages.setFocus()
    first = state()
    for keys in ((Key.Key_Escape,), (Key.Key_F11,), (Key.Key_B, Key.Key_Z, Key.Key_Z, Key.Key_F11)):
        press(window, Key.Key_F11, qtbot)
        assert window.isFullScreen()
        assert window.panels.waiting.isVisible()
        for key in keys:
            press(window, key, qtbot)
        qtbot.waitUntil(lambda: state() == first)
    press(window, Key.Key_F11, qtbot)
    window.start()
    settle(window)
    assert window.room.stage.head.isVisible()
    assert window.room.stage.strip.hasFocus()
    press(window, Key.Key_Escape, qtbot)
    qtbot.waitUntil(lambda: state()[:3] == first[:3])
    assert state()[-1] == first[-1]
