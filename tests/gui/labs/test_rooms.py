"""A room is built when its lab is entered, and then has what the other room was given meanwhile."""

import subprocess
import sys
from collections.abc import Callable

from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, regression

from attnviz.experiment.attention.view_settings import AttentionViewSettings
from attnviz.experiment.colours.maps import SEQUENTIAL
from attnviz.experiment.session import Session
from attnviz.gui.theme import DARK
from attnviz.gui.window.main_window import MainWindow

Opener = Callable[..., MainWindow]
Settle = Callable[[MainWindow], None]

NO_PLOTS = """
import os, sys
from attnviz.experiment.presets import preset
from attnviz.gui.app import make_application
from attnviz.gui.window.main_window import MainWindow
SLOW = ("torch", "pyqtgraph", "matplotlib", "PIL", "pygments", "superqt", "qtpy")
app = make_application()
window = MainWindow(preset("causal-sentence").spec)
window.show()
app.processEvents()
print([name for name in sys.modules if name.partition(".")[0] in SLOW])
sys.stdout.flush()
os._exit(0)
"""


def test_that_the_first_window_is_on_screen_before_any_plotting_library_is_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", NO_PLOTS], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_that_a_window_opens_with_the_room_of_its_spec_alone(open_window: Opener) -> None:
    window = open_window(SMALL)
    assert list(window.rooms.values()) == [window.room]


def test_that_the_modules_of_the_other_room_are_loaded_once_the_first_picture_is_there(
    open_window: Opener, qtbot: QtBot
) -> None:
    module = sys.modules.pop("attnviz.gui.labs.regression.room", None)
    try:
        open_window(SMALL)
        qtbot.waitUntil(lambda: "attnviz.gui.labs.regression.room" in sys.modules, timeout=10_000)
    finally:
        if module is not None:
            sys.modules["attnviz.gui.labs.regression.room"] = module


def test_that_a_room_that_is_built_late_has_the_theme_and_the_colours_that_were_chosen(
    open_window: Opener, settle: Settle
) -> None:
    window = open_window(SMALL)
    window.toggle_theme()
    assert window.look.theme is DARK
    window.top_bar.map_chosen.emit("cividis")
    window.controller.enter_lab("regression")
    settle(window)
    stage = window.room.stage
    assert stage.map_name == "cividis"
    assert stage.fit.look.theme is DARK
    assert stage.fit.backgroundBrush().color() == window.look.color(stage.fit.background_role)


def test_that_a_pinned_run_waits_in_a_room_that_nobody_has_entered(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    pinned = attention(seed=5)
    window = open_window(regression())
    window.session_state.lay_out(Session(spec=regression(), pinned=pinned))
    assert window.session_state.session().pinned == pinned
    window.controller.propose(SMALL)
    settle(window)
    page = window.room.stage.pages.compare
    qtbot.waitUntil(lambda: page.pinned is not None)
    assert page.pinned.spec == pinned


def test_that_the_menu_marks_the_colours_that_weights_are_drawn_in(open_window: Opener) -> None:
    window = open_window(SMALL, start=False)
    maps = {action.text(): action for action in window.top_bar.findChildren(QAction) if action.text() in SEQUENTIAL}
    assert set(maps) == set(SEQUENTIAL)

    def marked() -> list[str]:
        return [name for name, action in maps.items() if action.isChecked()]

    assert marked() == [window.room.stage.map_name]
    maps["Reds"].trigger()
    assert marked() == [window.room.stage.map_name] == ["Reds"]
    window.session_state.lay_out(Session(spec=SMALL, view=AttentionViewSettings(colour_map="cividis")))
    assert marked() == ["cividis"]
    maps["cividis"].trigger()
    assert marked() == ["cividis"]
