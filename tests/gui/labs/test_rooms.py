"""Rooms: built when their lab is entered; what was half typed counts where it was typed; window, form and bar agree."""

import subprocess
import sys
from typing import Any

import pytest
from fake_engine import FakeEngine
from hands import Hands, parts
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QToolButton
from pytestqt.qtbot import QtBot
from session_hands import drop
from small_specs import SMALL, attention, regression, training
from train_hands import small_training
from windows import At, Opener, Settle

from attnviz.definitions.labs import LAB_NAMES
from attnviz.definitions.text import Text
from attnviz.engine.labs import ENGINE_LABS
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.colours import SEQUENTIAL
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import LABS, Spec
from attnviz.experiment.pin import Pin
from attnviz.experiment.run import Failure
from attnviz.export.labs import EXPORTS
from attnviz.gui.forms.text_editors import SentenceEdit
from attnviz.gui.labs.rooms import ROOMS
from attnviz.gui.theme import DARK
from attnviz.gui.window.main_window import MainWindow

NO_PLOTS = """
import os, sys
from attnviz.experiment.files.specs_in_files import preset
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


def test_that_a_lab_has_its_row_in_every_layer_and_the_room_is_its_own() -> None:
    for registry in (LABS, ENGINE_LABS, EXPORTS, ROOMS):
        assert list(registry) == list(LAB_NAMES)
    assert [row.load().lab_name for row in ROOMS.values()] == list(ROOMS)


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
    window.session_state.enter_lab("regression")
    settle(window)
    stage = window.room.stage
    assert stage.view.colour_map == "cividis"
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
    qtbot.waitUntil(lambda: page.a is not None)
    assert page.a.spec == pinned


def test_that_a_lab_is_entered_whatever_stage_another_lab_shows(open_window: Opener, settle: Settle) -> None:
    window = open_window(small_training())
    stage = window.room.stage
    for name in stage.strip.offered:
        window.room.current_view.propose(page="layer", place="layer", stage=name)
        window.controller.propose(regression(seed=len(name)))
        settle(window)
        assert window.room.stage.trace is window.controller.shown
        window.controller.propose(small_training(steps=1))
        settle(window)


def test_that_the_menu_marks_the_colours_that_weights_are_drawn_in(open_window: Opener) -> None:
    window = open_window(SMALL, start=False)
    maps = {action.text(): action for action in window.top_bar.findChildren(QAction) if action.text() in SEQUENTIAL}
    assert set(maps) == set(SEQUENTIAL)

    def marked() -> list[str]:
        return [name for name, action in maps.items() if action.isChecked()]

    assert marked() == [window.room.stage.view.colour_map]
    maps["Reds"].trigger()
    assert marked() == [window.room.stage.view.colour_map] == ["Reds"]
    window.session_state.lay_out(Session(spec=SMALL, view=AttentionViewSettings(colour_map="cividis")))
    assert marked() == ["cividis"]
    maps["cividis"].trigger()
    assert marked() == ["cividis"]


SENTENCE = attention(
    num_queries=2, num_kvpairs=2, batch_size=1, self_attention=True, inputs={"kind": "sentence", "text": "a b"}
)


def button(window: MainWindow, lab: str) -> QToolButton:
    return next(it for it in window.top_bar.findChildren(QToolButton) if it.property("value") == lab)


def lab_on_screen(window: MainWindow) -> str:
    """Return the lab that the window shows, which form, button, spec and, with a picture, the inspector agree on."""
    lab = window.controller.spec.lab
    room = window.rooms[lab]
    assert room.form.isVisible()
    assert room.inspector.isVisible() == (room.stage.trace is not None)
    assert button(window, lab).isChecked()
    assert room.form.spec == window.controller.spec
    return lab


def half_type(window: MainWindow, qtbot: QtBot, field: str, kind: Any, text: str) -> Any:
    """Type into a field without ending it."""
    widget = parts(window.room.form.editor(field), kind)[0]
    widget.setFocus()
    widget.selectAll()
    qtbot.keyClicks(widget, text)
    return widget


@pytest.mark.parametrize(
    ("first", "field", "kind", "text", "typed"),
    [
        (SMALL, "num_queries", QAbstractSpinBox, "5", attention(num_queries=5)),
        (SMALL, "painted", QLineEdit, "1:1", attention(painted="0:0")),
        (SENTENCE, "inputs", QPlainTextEdit, "c d", None),
    ],
)
def test_that_what_is_half_typed_counts_in_its_own_lab_when_another_is_entered(
    first: Spec, field: str, kind: Any, text: str, typed: Spec | None, begun: MainWindow, at: At, hands: Hands
) -> None:
    window, qtbot = at(first), hands.qtbot
    controller = window.controller
    controller.undo_stack.clear()
    half_type(window, qtbot, field, kind, text)
    qtbot.mouseClick(button(window, "regression"), hands.left)
    assert lab_on_screen(window) == "regression"
    assert controller.undo_stack.count() == 2
    qtbot.wait(300)  # longer than a sentence waits for more to come
    assert lab_on_screen(window) == "regression"
    assert controller.undo_stack.count() == 2
    qtbot.mouseClick(button(window, "attention"), hands.left)
    assert lab_on_screen(window) == "attention"
    assert typed is None or controller.spec == typed
    assert typed is not None or controller.spec.inputs.text == "c d"  # type: ignore[union-attr]


def test_that_undo_across_labs_takes_back_what_is_half_typed_first(begun: MainWindow, at: At, hands: Hands) -> None:
    controller, trained = begun.controller, training()
    controller.propose(trained)
    half_type(begun, hands.qtbot, "epochs", QAbstractSpinBox, "7")
    begun.actions_["undo"].trigger()
    assert (lab_on_screen(begun), controller.spec) == ("regression", trained)
    begun.actions_["undo"].trigger()
    assert (lab_on_screen(begun), controller.spec) == ("attention", SMALL)
    for spec in (trained, training(epochs=7)):
        begun.actions_["redo"].trigger()
        assert controller.spec == spec
    assert lab_on_screen(begun) == "regression"
    assert controller.undo_stack.count() == 2


def test_that_nothing_is_proposed_while_another_spec_is_made_current(begun: MainWindow, hands: Hands) -> None:
    half_type(begun, hands.qtbot, "num_queries", QAbstractSpinBox, "5")
    begun.controller.propose(regression())  # which hides the box, and a hidden box takes its text as finished
    assert (lab_on_screen(begun), begun.controller.spec) == ("regression", regression())
    assert begun.controller.undo_stack.count() == 1
    begun.actions_["undo"].trigger()
    assert (lab_on_screen(begun), begun.controller.spec) == ("attention", SMALL)
    assert begun.room.form.values()["num_queries"] == 3


def test_that_a_sentence_of_a_lab_that_was_left_pulls_nobody_back(begun: MainWindow, at: At, hands: Hands) -> None:
    window, qtbot = at(SENTENCE), hands.qtbot
    text = half_type(window, qtbot, "inputs", QPlainTextEdit, "c d")
    window.panels.stages.setFocus()
    window.controller.propose(regression())
    assert not text.isVisible()
    qtbot.wait(300)
    assert (lab_on_screen(window), window.controller.spec) == ("regression", regression())


def test_that_a_lab_without_a_picture_does_not_say_that_it_has_one(
    engine: FakeEngine, open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window()
    facts = window.status.facts.text().partition("draw")[0]
    engine.wrong = lambda spec: Failure(spec, "bad", Text("no such points")) if spec.lab == "regression" else None
    with qtbot.waitSignal(window.controller.failed):
        window.controller.propose(regression())
    assert window.notice.text() == window.panels.waiting.text() == "no such points"
    assert window.panels.waiting.isVisible()
    assert not window.room.stage.isVisible()
    assert not window.room.inspector.isVisible()  # its headings have no values
    assert window.status.facts.text() == window.status.state.text() == ""
    window.session_state.enter_lab("attention")
    assert window.room.stage.isVisible()
    assert window.room.inspector.isVisible()
    assert window.status.facts.text().startswith(facts)
    settle(window)
    engine.wrong = lambda _spec: None
    window.session_state.enter_lab("regression")
    settle(window)
    assert window.room.stage.isVisible()
    engine.wrong = lambda spec: Failure(spec, "bad", Text("no such points"))
    with qtbot.waitSignal(window.controller.failed):
        window.controller.propose(regression(width=2))
    assert window.room.stage.last_good.isVisible()


def test_that_the_first_room_reaches_everybody_who_asks_for_rooms(open_window: Opener, qtbot: QtBot) -> None:
    window = open_window(start=False)
    room = window.room
    assert room.form.isVisible()  # the panels have it
    with qtbot.waitSignal(window.session_state.changed):
        room.ask_pin(Pin(attention(seed=5)))
    with qtbot.waitSignal(window.drops.said):
        assert drop(room.form.findChild(SentenceEdit).viewport(), "https://example.org/a")
    with qtbot.waitSignal(window.controller.undo_stack.indexChanged):
        room.form.proposed.emit(attention(seed=1), "seed", "")
    room.said.emit("something")
    assert window.notice.text() == "something"
