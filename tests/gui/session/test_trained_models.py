"""Sessions that carry their trained model: saved on request, opened without a step, and gone on from bit for bit."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hands import Hands
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from session_hands import saves_to
from small_specs import SMALL
from train_hands import check_shows, small_training, trace_of
from train_hands import steps_of as computed_steps_of
from trainings import counted_steps
from windows import Opener, Settle

from attnviz.engine.train import training
from attnviz.experiment.files.session import Session
from attnviz.experiment.run import Cursor
from attnviz.experiment.train.view_settings import TrainViewSettings
from attnviz.export.document import read_document, write_session
from attnviz.export.embedded_session import gif_comment
from attnviz.gui.window.main_window import MainWindow

SPEC = small_training(steps=40)
steps_of = cache(computed_steps_of)


@pytest.fixture
def window(open_window: Opener, settle: Settle) -> MainWindow:
    """A window whose training was paused after 20 of its 40 steps."""
    window = open_window(SPEC, start=False)
    window.controller.start(Cursor(step=20))
    wait_for(window, settle, 20)
    return window


def wait_for(window: MainWindow, settle: Settle, step: int) -> None:
    """Wait until a step of the current spec is on screen and nothing runs."""
    controller, times = window.controller, 10_000
    while not controller.up_to_date or controller.shown.step != step or controller.computing:
        QTest.qWait(1)
        times -= 1
        assert times, f"step {step} does not come"
    settle(window)


def save_by(window: MainWindow, action: str, path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> str:
    """Save by an action of the menu; return the sentence about it."""
    saves_to(window, monkeypatch, path)
    with qtbot.waitSignal(window.keeper.said) as said:
        window.actions_[action].trigger()
    return str(said.args[0])


@pytest.fixture
def saved(window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path) -> Path:
    """The file of that session with its trained model."""
    path = tmp_path / "trained.attnviz"
    assert window.actions_["save_model"].isEnabled()
    assert save_by(window, "save_model", path, monkeypatch, qtbot) == f"Saved {path}"
    return path


def reopened(open_window: Opener, settle: Settle, session: Session, path: Path, step: int) -> MainWindow:
    """Open a file in a fresh window, as at start-up."""
    window = open_window(session.spec, start=False)
    window.keeper.begin(session, path)
    window.start()
    wait_for(window, settle, step)
    return window


def test_that_a_saved_model_is_shown_in_a_fresh_window_without_a_step_and_goes_on_bit_for_bit(
    saved: Path, window: MainWindow, open_window: Opener, settle: Settle
) -> None:
    session = read_document(saved)
    assert session.with_trained(None) == window.session_state.session()
    # Figures and the session that is backed up carry no model.
    assert window.session_state.session().trained is None
    assert window.exporter.session().trained is None
    assert b"trained" not in gif_comment(session)
    assert not window.isWindowModified()
    truth = steps_of(SPEC)
    with counted_steps() as taken:
        fresh = reopened(open_window, settle, session, saved, 20)
        check_shows(fresh, truth[20])
        assert trace_of(fresh).known_steps == 20
        assert taken == []
        fresh.actions_["run"].trigger()
        wait_for(fresh, settle, 40)
        assert taken == list(range(20, 40))
    check_shows(fresh, truth[40])
    assert (trace_of(fresh).history.loss == truth[40].history.loss).all()


def test_that_the_shown_step_and_the_newest_are_both_there(
    saved: Path,
    window: MainWindow,
    open_window: Opener,
    settle: Settle,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    window.controller.seek(Cursor(step=7))
    wait_for(window, settle, 7)
    save_by(window, "save_model", saved, monkeypatch, qtbot)
    session = read_document(saved)
    truth = steps_of(SPEC)
    with counted_steps() as taken:
        fresh = reopened(open_window, settle, session, saved, 7)
        check_shows(fresh, truth[7])
        fresh.controller.seek(Cursor(step=20))
        wait_for(fresh, settle, 20)
        check_shows(fresh, truth[20])
        assert taken == []
    fresh.controller.seek(Cursor(step=3))
    wait_for(fresh, settle, 3)
    check_shows(fresh, truth[3])


def test_that_a_model_is_opened_in_a_window_at_work_and_undone_and_redone(
    saved: Path, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window.controller.reset()
    wait_for(window, settle, 0)
    with counted_steps() as taken:
        window.keeper.open_path(saved)
        wait_for(window, settle, 20)
        assert taken == []
        window.actions_["undo"].trigger()
        wait_for(window, settle, 0)
        window.actions_["redo"].trigger()
        wait_for(window, settle, 20)
        assert taken == []
    check_shows(window, steps_of(SPEC)[20])


def test_that_a_plain_save_keeps_the_model_of_the_file_as_long_as_it_is_one_of_the_spec(
    saved: Path, window: MainWindow, settle: Settle, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    trained = read_document(saved).trained
    window.panels.notes.editor.setPlainText("x")
    save_by(window, "save", saved, monkeypatch, qtbot)
    assert read_document(saved).trained == trained
    window.controller.propose(SPEC.model_copy(update={"heads_off": ("1.1",)}))
    wait_for(window, settle, 20)
    save_by(window, "save_as", tmp_path / "other.attnviz", monkeypatch, qtbot)
    assert read_document(tmp_path / "other.attnviz").fitting == trained
    window.controller.propose(SPEC.model_copy(update={"seed": 3}))
    save_by(window, "save", saved, monkeypatch, qtbot)
    assert read_document(tmp_path / "other.attnviz").trained is None
    assert b'"format": 1' in (tmp_path / "other.attnviz").read_bytes()


def test_that_a_model_of_another_spec_is_left_out_and_said(
    saved: Path, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    session = read_document(saved)
    other = session.model_copy(update={"spec": SPEC.model_copy(update={"seed": 5, "steps": 20})})
    write_session(other, saved)
    with qtbot.waitSignal(window.keeper.said) as said:
        window.keeper.open_path(saved)
    assert said.args == [f"{saved}: the trained model in it is of another spec and was left out", True]
    wait_for(window, settle, 20)
    check_shows(window, steps_of(other.spec)[20])


def test_that_a_session_without_a_model_trains_to_where_it_was_and_shows_it_on_the_way(
    open_window: Opener, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attnviz.gui.run.worker.PATIENCE_S", 0.0)
    window = open_window(SPEC, start=False)
    window.keeper.begin(Session(spec=SPEC, view=TrainViewSettings(step=30)))
    seen: list[int] = []
    states: set[tuple[str, str, int | None]] = set()

    def look() -> None:
        state = window.status.state.text(), window.actions_["run"].text(), window.controller.goal
        states.add(state)

    window.controller.trace_accepted.connect(lambda trace: seen.append(trace.step))
    window.controller.state_changed.connect(look)
    window.start()
    wait_for(window, settle, 30)
    assert ("running", "Pause", 30) in states
    look()
    assert ("paused", "Run", None) in states
    assert seen == sorted(set(seen))
    assert len(seen) > 2
    check_shows(window, steps_of(SPEC)[30])
    assert window.controller.paused


def test_that_looking_back_before_a_carried_state_shows_the_way_and_another_place_is_gone_to_at_once(
    saved: Path, open_window: Opener, settle: Settle, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(training, "SPACINGS", (2, 4))
    monkeypatch.setattr(training, "_ON_THE_WAY", 2)
    fresh = reopened(open_window, settle, read_document(saved), saved, 20)
    truth = steps_of(SPEC)
    seen: list[int] = []
    fresh.controller.trace_accepted.connect(lambda trace: seen.append(trace.step))
    fresh.controller.seek(Cursor(step=17))
    wait_for(fresh, settle, 17)
    check_shows(fresh, truth[17])
    assert seen == sorted(seen)
    fresh.controller.seek(Cursor(step=9))
    fresh.controller.seek(Cursor(step=20))
    wait_for(fresh, settle, 20)
    check_shows(fresh, truth[20])


def test_that_there_is_nothing_to_save_before_the_first_step_or_in_a_lab_that_trains_no_model(
    open_window: Opener, settle: Settle, hands: Hands
) -> None:
    window = open_window(SMALL)
    assert not window.actions_["save_model"].isEnabled()
    window.controller.show_at(SPEC, Cursor(step=0))
    wait_for(window, settle, 0)
    assert not window.actions_["save_model"].isEnabled()
    window.controller.step()
    wait_for(window, settle, 1)
    assert window.actions_["save_model"].isEnabled()


def test_that_a_model_too_large_is_said_and_nothing_is_written(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    monkeypatch.setattr("attnviz.experiment.train.trained.MOST_BYTES", 100)
    path: Any = tmp_path / "large.attnviz"
    sentence = save_by(window, "save_model", path, monkeypatch, qtbot)
    assert sentence.startswith("Not saved: ")
    assert "the trained model takes 1 MiB, and a session carries at most 0 MiB" in sentence
    assert not path.exists()
