"""The panels beside the stage: they fold to rails by key, click and width, are dragged wider, and come back so."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QSettings, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from small_specs import SMALL, training
from windows import At, Settle

from attnviz.experiment.files.specs_in_files import preset, presets
from attnviz.experiment.labs import make_spec
from attnviz.gui.labs.attention.room import AttentionRoom
from attnviz.gui.window.main_window import MainWindow
from attnviz.gui.window.panels import FIRST_SIDES
from attnviz.gui.window.side_panel import SidePanel

LEFT, RIGHT = "left", "right"
KEYS = {LEFT: Qt.Key.Key_F7, RIGHT: Qt.Key.Key_F8}


@pytest.fixture
def window(used_window: MainWindow, qtbot: QtBot) -> Iterator[MainWindow]:
    """The module's window at 1280x800 with the panels of a first start."""
    used_window.resize(1280, 800)
    used_window.panels.take_sides(FIRST_SIDES)
    qtbot.waitUntil(lambda: used_window.size().toTuple() == (1280, 800))
    yield used_window
    used_window.resize(1280, 800)
    used_window.panels.take_sides(FIRST_SIDES)


def panel_of(window: MainWindow, side: str) -> SidePanel:
    panel: SidePanel = getattr(window.panels, side)
    return panel


def middle_of_edge(panel: SidePanel) -> QPoint:
    return panel.edge.rect().center()


def drag(panel: SidePanel, by: int, qtbot: QtBot) -> None:
    """Drag the edge of a panel, which moves under the hand."""
    edge, start = panel.edge, panel.edge.mapToGlobal(middle_of_edge(panel))
    qtbot.mousePress(edge, Qt.MouseButton.LeftButton, pos=edge.mapFromGlobal(start))
    for part in (by // 2, by):
        qtbot.mouseMove(edge, edge.mapFromGlobal(start + QPoint(part, 0)))
    qtbot.mouseRelease(edge, Qt.MouseButton.LeftButton, pos=edge.mapFromGlobal(start + QPoint(by, 0)))


def assert_side_by_side(window: MainWindow) -> None:
    """The panels and the page share the width without gap or overlap."""
    left, page, right = (each.geometry() for each in (window.panels.left, window.panels.page, window.panels.right))
    assert (left.x(), right.right() + 1) == (0, window.panels.width())
    assert (page.x(), page.right() + 1) == (left.right() + 1, right.x())


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_that_its_key_folds_a_panel_to_a_rail_and_opens_it_again(side: str, window: MainWindow, qtbot: QtBot) -> None:
    panel, page = panel_of(window, side), window.panels.page
    wide, before = panel.width(), page.width()
    inside = {id(it) for it in panel.findChildren(QWidget)}
    qtbot.keyClick(window, KEYS[side])
    assert (panel.folded, panel.rail.isVisible(), panel.width()) == (True, True, 28)
    assert not (window.room.form if side == LEFT else window.room.inspector).isVisible()
    assert page.width() == before + wide - 28
    assert_side_by_side(window)
    qtbot.keyClick(window, KEYS[side])
    assert (panel.folded, panel.rail.isVisible(), panel.width()) == (False, False, wide)
    assert {id(it) for it in panel.findChildren(QWidget)} == inside


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_that_a_click_on_the_arrow_folds_and_one_on_the_rail_opens(side: str, window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window, side)
    qtbot.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    assert panel.folded
    qtbot.mouseClick(panel.rail, Qt.MouseButton.LeftButton)
    assert not panel.folded


def test_that_the_inspector_folds_by_itself_in_a_narrow_window_and_opens_again(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(900, 600)
    qtbot.waitUntil(lambda: window.panels.right.folded)
    assert not window.panels.left.folded
    assert window.panels.page.width() >= window.room.stage.width_needed()
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: not window.panels.right.folded)


def test_that_the_manual_opens_over_a_folded_inspector_and_its_key_folds_it_again(
    window: MainWindow, qtbot: QtBot
) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F8)
    sides = window.panels.own_sides
    qtbot.keyClick(window, Qt.Key.Key_F1)
    assert window.help.has_manual_open
    assert not window.panels.right.folded
    assert window.panels.right.width() >= 380
    assert not window.room.inspector.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_F8)
    assert not window.help.has_manual_open
    assert window.panels.right.folded
    assert window.panels.own_sides == sides


def test_that_a_panel_opened_by_hand_in_a_narrow_window_stays_open(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(900, 600)
    qtbot.waitUntil(lambda: window.panels.right.folded)
    qtbot.keyClick(window, Qt.Key.Key_F8)
    assert not window.panels.right.folded
    window.resize(910, 600)
    qtbot.waitUntil(lambda: window.width() == 910)
    assert not window.panels.right.folded


def test_that_a_page_that_needs_more_room_folds_the_inspector(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window.room.stage, "width_needed", lambda: 900)
    window.room.current_view.propose(page="compare")
    assert (window.panels.left.folded, window.panels.right.folded) == (False, True)
    monkeypatch.undo()
    window.room.current_view.propose(page="stages")
    assert not window.panels.right.folded


def test_that_pinning_a_run_folds_the_inspector_for_three_pictures_and_unpinning_opens_it(
    window: MainWindow, qtbot: QtBot
) -> None:
    room = window.room
    assert isinstance(room, AttentionRoom)
    window.resize(1280, 800)
    room.current_view.propose(page="compare")
    page = room.stage.pages.compare.pair
    assert not window.panels.right.folded
    qtbot.mouseClick(page.pin, Qt.MouseButton.LeftButton)
    assert (window.panels.left.folded, window.panels.right.folded) == (False, True)
    qtbot.mouseClick(page.unpin, Qt.MouseButton.LeftButton)
    assert not window.panels.right.folded


@pytest.mark.parametrize(("side", "outwards"), [(LEFT, 1), (RIGHT, -1)])
def test_that_dragging_its_edge_gives_a_panel_another_width_within_its_limits(
    side: str, outwards: int, window: MainWindow, qtbot: QtBot
) -> None:
    panel = panel_of(window, side)
    first = panel.width()
    drag(panel, 40 * outwards, qtbot)
    assert panel.width() == first + 40
    assert_side_by_side(window)
    drag(panel, -400 * outwards, qtbot)
    assert panel.width() == 220
    drag(panel, 900 * outwards, qtbot)
    assert not window.panels.left.folded
    assert not window.panels.right.folded
    assert window.panels.page.width() == window.room.stage.width_needed()
    qtbot.mouseDClick(panel.edge, Qt.MouseButton.LeftButton, pos=middle_of_edge(panel))
    assert panel.width() == first


def test_that_the_keyboard_goes_to_the_rail_of_a_panel_that_folds_and_back(window: MainWindow, qtbot: QtBot) -> None:
    window.room.form.editor("seed").setFocus()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_F7)
    assert window.panels.left.rail.hasFocus()
    qtbot.keyClick(window.panels.left.rail, Qt.Key.Key_Space)
    assert not window.panels.left.folded
    assert window.panels.left.isAncestorOf(window.focusWidget())


def test_that_widths_and_folds_outlive_the_window_and_are_no_part_of_the_session(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    session = window.session_state.session()
    drag(window.panels.left, 30, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_F8)
    chosen = window.panels.own_sides
    assert chosen != FIRST_SIDES
    assert window.session_state.session() == session
    window.panels.save(settings)
    window.panels.take_sides(FIRST_SIDES)
    window.panels.load(QSettings(settings.fileName(), QSettings.Format.IniFormat))
    assert window.panels.own_sides == chosen
    assert window.panels.right.folded


@pytest.mark.parametrize("broken", ["wide", -5, 10**12, "", [1, 2]])
def test_that_settings_that_hold_no_width_change_nothing(broken: object, window: MainWindow, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    for name in ("left_width", "left_folded", "right_width", "right_folded"):
        settings.setValue(f"panels/{name}", broken)
    window.panels.load(settings)
    assert 220 <= window.panels.left.width() <= 480
    assert not window.panels.left.folded


def test_that_the_preset_is_named_above_the_form_with_its_sentence(window: MainWindow, settle: Settle) -> None:
    chosen = preset("causal-sentence")
    window.controller.propose(chosen.spec)
    settle(window)
    assert window.panels.left.heading.text() == chosen.title
    assert window.panels.about.text() == chosen.about
    assert window.panels.about.isVisible()
    form = window.room.form.mapTo(window, QPoint())
    window.panels.left.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    own = make_spec({**dict(chosen.spec), "seed": 987})
    assert own not in [each.spec for each in presets().values()]
    window.controller.propose(own)
    settle(window)
    assert window.panels.left.heading.text() == f"{chosen.title}, changed"
    assert not window.panels.about.isVisible()
    assert window.room.form.mapTo(window, QPoint()) == form, "the form moves under the mouse"
    window.panels.left.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    QApplication.sendEvent(window.panels.left, QEvent(QEvent.Type.Leave))
    settle(window)
    assert window.room.form.mapTo(window, QPoint()) == form, "the next click would miss"
    window.controller.propose(chosen.spec)
    settle(window)
    assert window.room.form.mapTo(window, QPoint()) == form
    window.controller.propose(training(epochs=3, seed=987))
    settle(window)
    assert not window.panels.about.isVisible()
    assert window.room.form.mapTo(window, QPoint()).y() < form.y() - 20, "a lab without a preset has no such room"


def test_that_random_weights_are_noted_below_the_form_and_trained_ones_are_not(
    at: At,
) -> None:
    window = at(SMALL)
    note = window.panels.note
    assert note.isVisible()
    assert note.text() == f"Untrained: random weights, seed {SMALL.seed}"
    window.panels.learned.click()
    assert window.help.manual.text.textCursor().block().text() == "Train"
    window.help.close_manual()
    at(training(epochs=3))
    assert not note.isVisible()


def test_that_a_note_takes_no_room_where_it_says_nothing(window: MainWindow, qtbot: QtBot) -> None:
    form, note = window.room.form.parentWidget(), window.panels.note.text()
    low = form.height()
    window.panels.show_note("", learns=False)
    qtbot.waitUntil(lambda: form.height() > low)
    assert not window.panels.note.isVisible()
    window.panels.show_note(note, learns=False)
    qtbot.waitUntil(lambda: form.height() == low)
