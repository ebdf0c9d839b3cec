"""Where the window stands: it comes back where it was, and the full screen is for as long as Present is on."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QSettings, Qt
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot
from windows import Opener, Settle

from attnviz.definitions.labs import LAB_NAMES, LEAST_WINDOW
from attnviz.gui.app import restore_place

LESSONS = dict.fromkeys(LAB_NAMES, "") | {"model": "11-inside-a-real-model"}


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    """Settings of nobody else."""
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def test_that_a_window_that_was_closed_in_present_comes_back_as_it_was_before(
    open_window: Opener, settings: QSettings, qtbot: QtBot
) -> None:
    window = open_window(start=False)
    window.setGeometry(20, 30, *LEAST_WINDOW)
    window.actions_["present"].trigger()
    qtbot.waitUntil(window.isFullScreen)
    window.hide()
    settings.setValue("geometry", window.saveGeometry())
    restore_place(window, settings)
    window.show()
    assert not window.isFullScreen()
    assert window.size().toTuple() == LEAST_WINDOW


@pytest.mark.parametrize("broken", [None, "nothing of Qt's", 7, [1, 2]])
def test_that_a_window_without_a_place_in_the_settings_is_no_larger_than_the_screen(
    broken: object, open_window: Opener, settings: QSettings
) -> None:
    window = open_window(start=False)
    room = window.screen().availableSize()
    assert room.width() < 1280
    settings.setValue("geometry", broken)
    restore_place(window, settings)
    assert window.width() == max(room.width(), LEAST_WINDOW[0])
    assert LEAST_WINDOW[1] <= window.height() < room.height(), "the title bar has room too"


@pytest.mark.parametrize("language", ["", "chinese"])
def test_that_every_lab_fits_a_screen_of_1280_x_800_scaled_by_one_and_a_half(
    language: str, open_window: Opener, settle: Settle, request: pytest.FixtureRequest
) -> None:
    if language:
        request.getfixturevalue(language)
    window = open_window()
    for name, lesson in LESSONS.items():
        if lesson:
            window.lessons.open_named(lesson)
        window.session_state.enter_lab(name)
        settle(window)
        window.resize(853, 500)
        QCoreApplication.sendPostedEvents()
        assert window.size().toTuple() == (853, 500)
        assert window.controller.spec.lab == name
        bar = window.top_bar
        for part in bar.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if part.isVisible():
                assert bar.rect().contains(part.geometry())
                assert part.width() >= part.minimumSizeHint().width()
        visible = [it.defaultAction() for it in bar.findChildren(QToolButton) if it.isVisible()]
        assert {window.actions_["present"], window.actions_["export"]} <= set(visible)
        assert window.panels.left.folded is not window.lessons.is_open, "what was opened is in sight"


@pytest.mark.parametrize("maximised", [True, False])
def test_that_present_leads_back_to_the_window_that_it_was_asked_in(
    maximised: bool, open_window: Opener, qtbot: QtBot
) -> None:
    window = open_window(start=False)
    if maximised:
        window.showMaximized()
    scale = window.look.scale
    window.actions_["present"].trigger()
    qtbot.waitUntil(window.isFullScreen)
    assert window.look.scale > scale
    window.actions_["present"].trigger()
    qtbot.waitUntil(lambda: not window.isFullScreen())
    assert window.isMaximized() is maximised
    assert window.look.scale == scale
