"""Where the window stands: it comes back where it was, and the full screen is for as long as Present is on."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot
from windows import Opener

from attnviz.gui.app import restore_place


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    """Settings of nobody else."""
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def test_that_a_window_that_was_closed_in_present_comes_back_as_it_was_before(
    open_window: Opener, settings: QSettings, qtbot: QtBot
) -> None:
    window = open_window(start=False)
    window.setGeometry(20, 30, 900, 700)
    window.actions_["present"].trigger()
    qtbot.waitUntil(window.isFullScreen)
    window.hide()
    settings.setValue("geometry", window.saveGeometry())
    restore_place(window, settings)
    window.show()
    assert not window.isFullScreen()
    assert window.size().toTuple() == (900, 700)


@pytest.mark.parametrize("broken", [None, "nothing of Qt's", 7, [1, 2]])
def test_that_settings_that_hold_no_place_change_nothing(
    broken: object, open_window: Opener, settings: QSettings
) -> None:
    window = open_window(start=False)
    settings.setValue("geometry", broken)
    restore_place(window, settings)
    assert window.size().toTuple() == (1280, 800)


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
