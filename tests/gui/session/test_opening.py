"""Opening: a session, a spec or a figure becomes what is in the window; what cannot be opened changes nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from broken_sessions import broken
from eyes import look
from hands import Hands
from pytestqt.qtbot import QtBot
from session_hands import PINNED, file_of, sentence
from small_specs import SMALL, attention, independent_trace, regression
from trainings import train_spec
from windows import Settle

from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import SpecError, spec_to_json
from attnviz.experiment.pin import Pin
from attnviz.experiment.regression.view_settings import RegressionViewSettings
from attnviz.experiment.run import Cursor
from attnviz.export.document import read_document
from attnviz.export.embedded_session import into_svg
from attnviz.gui.window.main_window import MainWindow

WHOLE = Session(
    spec=attention(seed=31),
    view=AttentionViewSettings(stage="scores", head=1, query=0, key=2, page="compare"),
    pinned=PINNED,
    notes="first line\nsecond\xa0line",
)


@pytest.fixture
def open_it(begun: MainWindow, qtbot: QtBot, settle: Settle) -> Callable[[Path], MainWindow]:
    """Return a function that opens a file and waits for its picture."""

    def opened(path: Path) -> MainWindow:
        with qtbot.waitSignal(begun.controller.spec_changed):
            begun.keeper.open_path(path)
        settle(begun)
        return begun

    return opened


def test_that_a_session_comes_back_with_everything(
    open_it: Callable[[Path], MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_it(file_of(WHOLE, tmp_path / "whole.attnviz"))
    assert window.session_state.session() == WHOLE
    assert window.panels.notes.editor.toPlainText().startswith("first line\nsecond")
    # The panel that they are in is folded where the three pictures of the page that compares need its room.
    assert window.panels.notes.editor.isVisibleTo(window.panels.notes)
    page = window.rooms["attention"].stage.pages.compare
    qtbot.waitUntil(lambda: page.a is not None)
    assert page.a.spec == PINNED
    assert (page.a.weights == independent_trace(PINNED).weights).all()
    assert page.pair.a.isVisible()
    assert window.session_state.session() == WHOLE
    assert not window.isWindowModified()


def test_that_the_spec_of_what_was_opened_is_one_step_of_undo(
    open_it: Callable[[Path], MainWindow], tmp_path: Path, settle: Settle
) -> None:
    window = open_it(file_of(WHOLE, tmp_path / "whole.attnviz"))
    assert window.actions_["undo"].text() == "Undo Open whole.attnviz"
    window.actions_["undo"].trigger()
    assert window.controller.spec == SMALL
    assert not window.actions_["undo"].isEnabled()
    window.actions_["redo"].trigger()
    assert window.controller.spec == WHOLE.spec
    settle(window)


def test_that_a_session_of_the_other_lab_keeps_its_pinned_run_until_it_can_be_shown(
    open_it: Callable[[Path], MainWindow], tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    session = Session(spec=regression(), view=RegressionViewSettings(page="errors", query=1), pinned=PINNED)
    window = open_it(file_of(session, tmp_path / "other.attnviz"))
    assert window.session_state.session() == session
    assert window.room.stage.errors.isVisible()
    window.session_state.enter_lab("attention")
    settle(window)
    page = window.rooms["attention"].stage.pages.compare
    qtbot.waitUntil(lambda: page.a is not None)
    assert page.a.spec == PINNED


def test_that_the_pins_of_two_labs_are_saved_and_come_back_and_undo_brings_those_of_before(
    open_it: Callable[[Path], MainWindow], begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    train = train_spec(steps=12)
    both = Pin(PINNED), Pin(train, Cursor(step=5))
    session = Session(spec=attention(seed=31)).with_pins(both)
    path = file_of(session, tmp_path / "both.attnviz")
    window = open_it(path)
    assert window.session_state.session().all_pins == both
    assert not window.isWindowModified()
    window.keeper.save()
    qtbot.waitUntil(lambda: not window.keeper._files.is_saving(window.session_state))
    assert read_document(path).all_pins == both
    window.session_state.enter_lab("train")
    settle(window)
    assert window.session_state.session().all_pins == both
    window.rooms.pins.put("train", Pin(train, Cursor(step=6)))
    assert window.isWindowModified()
    window.rooms.pins.put("train", both[1])
    open_it(file_of(Session(spec=attention(seed=32)).with_pins(both[1:]), tmp_path / "one.attnviz"))
    assert window.session_state.session().all_pins == both[1:]
    assert not window.isWindowModified()
    window.actions_["undo"].trigger()
    assert window.session_state.session().all_pins == both
    settle(window)


def test_that_a_bare_spec_and_a_figure_open_as_well_but_are_no_file_of_the_session(
    open_it: Callable[[Path], MainWindow], tmp_path: Path, settle: Settle
) -> None:
    (tmp_path / "spec.json").write_text(spec_to_json(attention(seed=8)))
    (tmp_path / "figure.svg").write_text(into_svg("<svg xmlns='http://www.w3.org/2000/svg'></svg>", WHOLE))
    window = open_it(tmp_path / "spec.json")
    assert window.controller.spec == attention(seed=8)
    assert window.panels.notes.text == ""
    window = open_it(tmp_path / "figure.svg")
    assert window.session_state.session() == WHOLE
    assert window.keeper.path is None
    assert window.keeper.proposed.name == "figure.attnviz"
    assert window.actions_["undo"].toolTip() == "Undo Open figure.svg (Ctrl+Z)"


def test_that_a_pinned_run_that_fails_is_said_and_not_lost(
    open_it: Callable[[Path], MainWindow], begun: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    gone: Any = attention(inputs={"kind": "file", "path": str(tmp_path / "gone.npz")})
    session = Session(spec=attention(seed=9), pinned=gone)
    said = sentence(begun, qtbot, lambda: open_it(file_of(session, tmp_path / "mine.attnviz")))
    assert said.startswith("The pinned run cannot be shown: ")
    assert "gone.npz" in said
    assert begun.session_state.session().pinned == gone
    assert begun.rooms["attention"].stage.pages.compare.a is None
    assert not begun.controller.computing_beside


def test_that_a_pinned_run_that_failed_is_tried_again_by_opening_and_let_go_by_unpin(
    open_it: Callable[[Path], MainWindow], begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    pinned: Any = attention(inputs={"kind": "file", "path": str(tmp_path / "late.npy")})
    path = file_of(Session(spec=attention(seed=9), pinned=pinned), tmp_path / "mine.attnviz")
    sentence(begun, qtbot, lambda: open_it(path))
    page = begun.rooms["attention"].stage.pages.compare
    assert page.pair.changes.text().startswith("A could not be run: ")
    assert "late.npy" in page.pair.changes.text()
    assert page.pair.unpin.isEnabled()
    np.save(tmp_path / "late.npy", np.random.default_rng(0).standard_normal((4, 8)))
    begun.keeper.open_path(path)
    qtbot.waitUntil(lambda: page.a is not None)
    assert page.a.spec == pinned
    assert "could not" not in page.pair.changes.text()
    (tmp_path / "late.npy").unlink()
    begun.keeper.new()
    settle(begun)
    sentence(begun, qtbot, lambda: open_it(path))
    page.pair.unpin.click()
    assert begun.session_state.session().pinned is None
    assert "could not" not in page.pair.changes.text()
    assert not page.pair.unpin.isEnabled()


def test_that_what_is_pinned_by_hand_takes_the_place_of_what_was_opened(
    open_it: Callable[[Path], MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_it(file_of(WHOLE, tmp_path / "whole.attnviz"))
    page = window.rooms["attention"].stage.pages.compare
    qtbot.waitUntil(lambda: page.a is not None)
    page.pair.pin.click()
    assert window.session_state.session().pinned == WHOLE.spec
    assert window.isWindowModified()
    page.pair.unpin.click()
    assert window.session_state.session().pinned is None


def test_that_the_last_of_two_files_opened_at_once_is_shown(
    open_it: Callable[[Path], MainWindow], begun: MainWindow, tmp_path: Path
) -> None:
    for seed in (1, 2):
        file_of(Session(spec=attention(seed=seed)), tmp_path / f"{seed}.attnviz")
    begun.keeper.open_path(tmp_path / "1.attnviz")
    open_it(tmp_path / "2.attnviz")
    assert begun.controller.spec == attention(seed=2)
    assert begun.controller.undo_stack.count() == 1


def test_that_what_cannot_be_opened_is_said_and_nothing_of_the_window_changes(
    begun: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    refused = []
    for number, content in enumerate(broken(64, seed=3)):
        path = tmp_path / f"{number}.attnviz"
        path.write_bytes(content)
        try:
            read_document(path)
        except SpecError:
            refused.append(path)
    assert len(refused) > 30
    before, title = begun.session_state.session(), begun.windowTitle()
    picture = look(begun.room.stage)
    for path in (*refused[:30], tmp_path / "gone.attnviz", tmp_path):
        said = sentence(begun, qtbot, lambda path=path: begun.keeper.open_path(path))  # type: ignore[misc]
        assert str(path) in said
        assert begun.notice.property("kind") == "problem"
    begun.notice.hide()
    qtbot.waitUntil(lambda: begun.room.stage.height() == picture.shape[0])  # the notice had a row
    assert begun.session_state.session() == before
    assert begun.windowTitle() == title
    assert not begun.actions_["undo"].isEnabled()
    assert (look(begun.room.stage) == picture).all()


def test_that_what_is_opened_is_in_every_field_even_where_the_spec_is_the_one_on_screen(
    open_it: Callable[[Path], MainWindow], begun: MainWindow, hands: Hands, tmp_path: Path
) -> None:
    path, form = file_of(Session(spec=begun.controller.spec), tmp_path / "same.attnviz"), begun.room.form
    hands.type(form.editor("seed"), "-1")
    assert form.problem("seed")
    window = open_it(path)
    assert form.values()["seed"] == window.controller.spec.seed
    assert not form.refuses
    assert not window.room.stage.last_good.isVisible()


def test_that_a_file_of_functions_opens_on_their_page_with_the_first_ones_chosen_and_is_among_the_recent_ones(
    open_it: Callable[[Path], MainWindow], tmp_path: Path
) -> None:
    path = tmp_path / "my_mods.py"
    path.write_text("def causal(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n")
    window = open_it(path)
    spec: Any = window.controller.spec
    assert (spec.mods.path, spec.mods.mask_mod, spec.mods.source) == (str(path), "causal", path.read_text())
    layer = window.controller.shown.layer  # type: ignore[union-attr]
    assert (layer.mask == np.tril(np.ones(layer.mask.shape, bool))).all()
    assert window.room.stage.view.page == "functions"
    assert (window.keeper.name, window.keeper.path) == ("my_mods", None)
    assert window.keeper.recent.existing() == (path,)
