"""The player: it steps through the stages at its pace until the last one, a key stops it, and a hand is respected."""

import time
from collections.abc import Callable, Iterator

import pytest
from attention_hands import as_it_opens, check_picture, press_stage, stage_of
from hands import Hands
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_trace
from windows import At, Opener

from attnviz.experiment.labs import LABS
from attnviz.gui.labs.stage_strip import PACES, StagePlayer
from attnviz.gui.window.main_window import MainWindow

SPEC = attention(valid_lens=(3, 2))
PACE, SLOW = 0.12, 0.5
REST = ["heads", "merge", "output"]
LONG = 30.0


@pytest.fixture
def window(at: At) -> Iterator[MainWindow]:
    """The module's window at the weights of `SPEC`; its player's first two paces are quick ones."""
    shown = as_it_opens(at(SPEC))
    player = stage_of(shown).player
    choose(player, 0)
    for index, seconds in enumerate((PACE, SLOW, LONG)):
        player.pace.setItemData(index, seconds)
    yield shown
    player.stop()
    for index, seconds in enumerate(PACES):
        player.pace.setItemData(index, seconds)
    shown.room.form.editor("seed").clearFocus()


@pytest.fixture
def steps(window: MainWindow) -> Iterator[list[tuple[str, float]]]:
    """Every stage that is chosen from now on, and when."""
    found: list[tuple[str, float]] = []
    strip = stage_of(window).strip

    def note() -> None:
        found.append((strip.stage, time.monotonic()))

    strip.changed.connect(note)
    yield found
    strip.changed.disconnect(note)


def choose(player: StagePlayer, index: int) -> None:
    player.pace.setCurrentIndex(index)


def play(window: MainWindow, hands: Hands) -> StagePlayer:
    player: StagePlayer = stage_of(window).player
    hands.qtbot.mouseClick(player.button, hands.left)
    assert player.playing
    return player


def reach(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    qtbot.waitUntil(condition, timeout=4000)


def test_that_the_paces_are_named_in_seconds_and_two_is_the_first(at: At, hands: Hands) -> None:
    box: QComboBox = stage_of(at(SPEC)).player.pace
    assert [box.itemText(index) for index in range(box.count())] == [f"{seconds:g} s" for seconds in PACES]
    assert PACES[1] == 2


def test_that_it_plays_at_its_pace_to_the_last_stage_and_stops_there(
    window: MainWindow, steps: list[tuple[str, float]], hands: Hands
) -> None:
    generation, began = window.runner.generation, time.monotonic()
    player = play(window, hands)
    assert player.button.accessibleName() == "Stop"
    reach(hands.qtbot, lambda: not player.playing)
    assert [stage for stage, _ in steps] == REST
    # A step that comes late on a busy machine makes the next one's time short, but none comes before its time.
    assert all(when - began > 0.9 * place * PACE for place, (_, when) in enumerate(steps, 1))
    hands.qtbot.wait(round(1500 * PACE))
    assert (len(steps), player.button.accessibleName()) == (3, "Play the stages")
    assert window.runner.generation == generation
    check_picture(window, independent_trace(SPEC), "output")


def test_that_playing_at_the_last_stage_begins_again_at_the_first(window: MainWindow, hands: Hands) -> None:
    press_stage(window, "output", hands)
    play(window, hands)
    assert stage_of(window).strip.stage == "project"
    reach(hands.qtbot, lambda: stage_of(window).strip.stage == "split")


def test_that_the_button_stops_it_at_the_stage_at_hand(
    window: MainWindow, steps: list[tuple[str, float]], hands: Hands
) -> None:
    player = play(window, hands)
    reach(hands.qtbot, lambda: len(steps) == 1)
    hands.qtbot.mouseClick(player.button, hands.left)
    hands.qtbot.wait(round(2500 * PACE))
    assert not player.playing
    assert [stage for stage, _ in steps] == ["heads"]


def test_that_f5_plays_from_anywhere_in_the_window_and_stops(window: MainWindow, hands: Hands) -> None:
    player = stage_of(window).player
    choose(player, 2)
    window.room.form.editor("seed").setFocus()
    hands.qtbot.keyClick(window, Qt.Key.Key_F5)
    assert player.playing
    hands.qtbot.keyClick(window, Qt.Key.Key_F5)
    assert not player.playing
    assert stage_of(window).strip.stage == "weights"


def test_that_its_button_says_the_keys_of_the_action_in_every_lab(open_window: Opener) -> None:
    window = open_window(SPEC, start=False)
    assert window.actions_["play_stages"].toolTip() == "Play the stages (F5)"
    for lab in LABS:
        assert window.rooms[lab].stage.player.button.toolTip() == "Play the stages (F5)"


@pytest.mark.parametrize(
    ("where", "key", "modifier", "changed", "to"),
    [
        ("strip", Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier, "theme", "dark"),
        ("seed", Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier, "stage", "heads"),
        ("seed", Qt.Key.Key_PageDown, Qt.KeyboardModifier.NoModifier, "stage", "heads"),
        ("strip", Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, "stage", "masked_scores"),
        ("seed", Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier, "key", None),
        ("strip", Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier, "focus", "Play the stages"),
        ("seed", Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, "seed", SPEC.seed + 1),
    ],
    ids=lambda it: getattr(it, "name", it),
)
def test_that_any_key_stops_it_and_does_its_own_work(
    where: str,
    key: Qt.Key,
    modifier: Qt.KeyboardModifier,
    changed: str,
    to: object,
    window: MainWindow,
    hands: Hands,
) -> None:
    stage, editor = stage_of(window), window.room.form.editor("seed")
    choose(stage.player, 2)
    held = stage.pages.heads.heatmap
    hands.click(held, held.rect_of(1, 2))
    focus: QWidget = {"strip": stage.strip, "seed": editor}[where]
    focus.setFocus()
    play(window, hands)
    focused = QApplication.focusWidget()
    assert focused is not None
    before = state_of(window)
    hands.qtbot.keyClick(focused, key, modifier)
    assert not stage.player.playing
    after = state_of(window)
    assert {name: value for name, value in after.items() if value != before[name]} == {changed: to}
    if changed == "theme":
        window.toggle_theme()


def state_of(window: MainWindow) -> dict[str, object]:
    """What a key could change, the focus by its spoken name."""
    focused = QApplication.focusWidget()
    return {
        "theme": window.look.theme.name,
        "stage": stage_of(window).strip.stage,
        "key": window.room.selection.locked.key,
        "focus": None if focused is None else focused.accessibleName(),
        "seed": window.room.form.editor("seed").value(),
    }


def test_that_the_keys_that_press_its_button_only_stop_it(window: MainWindow, hands: Hands) -> None:
    player = play(window, hands)
    choose(player, 2)
    player.button.setFocus()
    hands.qtbot.keyClick(player.button, Qt.Key.Key_Space)
    assert not player.playing
    assert stage_of(window).strip.stage == "weights"


def test_that_a_modifier_alone_does_not_stop_it(window: MainWindow, hands: Hands) -> None:
    choose(stage_of(window).player, 2)
    player = play(window, hands)
    for key in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta):
        hands.qtbot.keyClick(window, key)
        assert player.playing


def test_that_a_release_of_a_key_pressed_before_does_not_stop_it(window: MainWindow, hands: Hands) -> None:
    choose(stage_of(window).player, 2)
    player = play(window, hands)
    QApplication.sendEvent(window, QKeyEvent(QEvent.Type.KeyRelease, Qt.Key.Key_F5, Qt.KeyboardModifier.NoModifier))
    assert player.playing


def test_that_another_pace_holds_from_the_stage_at_hand_on(
    window: MainWindow, steps: list[tuple[str, float]], hands: Hands
) -> None:
    player = stage_of(window).player
    choose(player, 2)
    play(window, hands)
    changed = time.monotonic()
    choose(player, 0)
    reach(hands.qtbot, lambda: len(steps) == 2)
    assert steps[0][1] - changed > 0.9 * PACE
    choose(player, 1)
    changed = time.monotonic()
    reach(hands.qtbot, lambda: len(steps) == 3)
    assert steps[2][1] - changed > 0.9 * SLOW


def test_that_a_stage_chosen_by_hand_gets_its_full_time(
    window: MainWindow, steps: list[tuple[str, float]], hands: Hands
) -> None:
    choose(stage_of(window).player, 1)
    play(window, hands)
    hands.qtbot.wait(round(700 * SLOW))
    press_stage(window, "scores", hands)
    reach(hands.qtbot, lambda: len(steps) == 2)
    (chosen, at_hand), (following, when) = steps
    assert (chosen, following) == ("scores", "masked_scores")
    assert when - at_hand > 0.6 * SLOW  # of the stage before there were 0.3 left


def test_that_choosing_the_last_stage_by_hand_ends_the_play_there(window: MainWindow, hands: Hands) -> None:
    player = play(window, hands)
    press_stage(window, "output", hands)
    reach(hands.qtbot, lambda: not player.playing)
    assert stage_of(window).strip.stage == "output"


def test_that_it_stops_when_another_lab_is_entered_where_no_key_is_lost_to_it(window: MainWindow, hands: Hands) -> None:
    player = play(window, hands)
    assert player.playing
    window.session_state.enter_lab("regression")
    hands.qtbot.waitUntil(lambda: window.controller.up_to_date and not window.controller.computing, timeout=20_000)
    assert not player.playing
    window.session_state.enter_lab("attention")
    hands.qtbot.waitUntil(lambda: window.controller.up_to_date and not window.runner.busy)
