"""Files that take their time, and what the user does meanwhile: no work is lost, and none ends up in another's file."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from pytestqt.qtbot import QtBot
from session_hands import answers, change, file_of, saves_to, sentence
from small_specs import SMALL, attention
from windows import Settle

from attnviz.experiment.files.session import Session
from attnviz.export.document import read_document
from attnviz.gui.run.background import Background
from attnviz.gui.session import files as session_files
from attnviz.gui.session.questions import Answer
from attnviz.gui.window.main_window import MainWindow


@pytest.mark.parametrize("doing", ["new", "open"])
def test_that_a_save_that_ends_late_gives_its_file_to_no_other_session(
    doing: str, begun: MainWindow, held: threading.Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    qtbot: QtBot, settle: Settle,
) -> None:  # fmt: skip
    mine, other = tmp_path / "mine.attnviz", file_of(Session(spec=attention(seed=50)), tmp_path / "other.attnviz")
    proposed = saves_to(begun, monkeypatch, mine)
    answers(begun, monkeypatch, Answer.DISCARD)
    change(begun)
    begun.keeper.save()
    change(begun, seed=8)
    if doing == "new":
        begun.keeper.new()
    else:
        begun.keeper._take_document(read_document(other), other)  # as read before: the files wait
    with qtbot.waitSignal(begun.keeper.said) as told:
        held.set()
    assert told.args == [f"Saved {mine}", False]
    assert begun.keeper.path == (None if doing == "new" else other)
    assert begun.keeper.recent.existing()[0] == mine
    change(begun, seed=9)
    saves_to(begun, monkeypatch, tmp_path / "next.attnviz")
    with qtbot.waitSignal(begun.keeper.said):
        begun.keeper.save()
    assert read_document(mine).spec == attention(seed=7)
    assert len(proposed) == 1
    settle(begun)


def test_that_what_waits_for_a_save_waits_for_the_last_one(
    begun: MainWindow, held: threading.Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    saves_to(begun, monkeypatch, tmp_path / "mine.attnviz")
    answers(begun, monkeypatch, Answer.SAVE)
    change(begun)
    begun.keeper.save()
    change(begun, seed=8)
    begun.keeper.new()
    assert begun.controller.spec == attention(seed=8)
    held.set()
    qtbot.waitUntil(lambda: begun.controller.spec != attention(seed=8))
    assert read_document(tmp_path / "mine.attnviz").spec == attention(seed=8)
    assert begun.keeper.path is None


def test_that_a_long_save_and_a_long_opening_are_said(
    begun: MainWindow, held: threading.Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    saves_to(begun, monkeypatch, tmp_path / "mine.attnviz")
    assert sentence(begun, qtbot, begun.keeper.save) == "Saving mine.attnviz ..."
    assert begun.notice.property("kind") == "info"
    with qtbot.waitSignal(begun.keeper.said) as told:
        held.set()
    assert told.args == [f"Saved {tmp_path / 'mine.attnviz'}", False]
    again, blocker = threading.Event(), Background(pool="files")
    blocker.start(lambda: again.wait(20))
    other = file_of(Session(spec=attention(seed=50)), tmp_path / "other.attnviz")
    assert sentence(begun, qtbot, lambda: begun.keeper.open_path(other)) == "Opening other.attnviz ..."
    with qtbot.waitSignal(begun.keeper.said) as told:
        again.set()
    assert told.args == [f"Opened {other}", False]
    assert begun.keeper.path == other


@pytest.mark.parametrize("answer", [Answer.CANCEL, Answer.DISCARD])
def test_that_a_document_that_arrives_while_something_is_asked_waits_for_the_answer(
    answer: Answer, begun: MainWindow, held: threading.Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    qtbot: QtBot, settle: Settle,
) -> None:  # fmt: skip
    other = file_of(Session(spec=attention(seed=50)), tmp_path / "other.attnviz")
    change(begun)
    asked: list[int] = []

    def unsaved(_: str) -> Answer:
        asked.append(1)
        assert asked == [1] or begun.controller.spec == attention(seed=7)
        open_at_once.append(len(open_at_once) + 1)
        if len(asked) == 1:  # the document arrives while the question is open
            held.set()
            loop = QEventLoop()
            QTimer.singleShot(200, loop.quit)
            loop.exec()
        assert open_at_once.pop() == 1, "two questions at once"
        return answer if len(asked) == 1 else Answer.DISCARD

    open_at_once: list[int] = []
    monkeypatch.setattr(begun.keeper.questions, "unsaved", unsaved)
    begun.keeper.open_path(other)
    begun.keeper.new()
    if answer is Answer.CANCEL:
        qtbot.waitUntil(lambda: begun.keeper.path == other)
        assert len(asked) == 2
    else:
        qtbot.wait(50)
        assert begun.keeper.path is None, "the new session takes the place of the document too"
        assert len(asked) == 1
    settle(begun)


def test_that_a_defect_while_saving_is_said_and_lets_nothing_wait(
    begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    saves_to(begun, monkeypatch, tmp_path / "mine.attnviz")
    answers(begun, monkeypatch, Answer.SAVE)
    change(begun)

    def broken(*_: object) -> None:
        raise RuntimeError("a defect of ours")

    with monkeypatch.context() as patch, qtbot.captureExceptions() as caught:
        patch.setattr(session_files, "write_session", broken)
        said = sentence(begun, qtbot, begun.keeper.new)
    assert said == "Not saved: RuntimeError: a defect of ours"
    assert [kind for kind, _, _ in caught] == [RuntimeError]
    with qtbot.waitSignal(begun.keeper.said):
        begun.keeper.save()
    assert begun.controller.spec == attention(seed=7), "a plain save is not followed by what once waited for another"


@pytest.mark.parametrize("answer", [True, False])
def test_that_the_name_that_is_written_is_the_one_that_is_asked_about(
    answer: bool, begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    older = file_of(Session(spec=SMALL, notes="older"), tmp_path / "notes.2026.attnviz")
    saves_to(begun, monkeypatch, tmp_path / "notes.2026")
    asked: list[Path] = []

    def may_replace(path: Path) -> bool:
        asked.append(path)
        return answer

    monkeypatch.setattr(begun.keeper.questions, "may_replace", may_replace)
    change(begun)
    if answer:
        with qtbot.waitSignal(begun.keeper.said):
            begun.keeper.save()
    else:
        with qtbot.assertNotEmitted(begun.keeper.said, wait=50):
            begun.keeper.save()
    assert asked == [older]
    assert (read_document(older).notes == "older") is not answer
    assert begun.isWindowModified() is not answer


def test_that_undoing_an_open_gives_each_session_its_own_file(
    begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    mine, other = tmp_path / "mine.attnviz", tmp_path / "other.attnviz"
    # Its spec is that of the session before: going from one to the other is a step of undo even so.
    file_of(Session(spec=attention(seed=7), notes="theirs"), other)
    saves_to(begun, monkeypatch, mine)
    change(begun)
    begun.panels.notes.editor.setPlainText("mine")
    with qtbot.waitSignal(begun.keeper.said):
        begun.keeper.save()
    begun.keeper.open_path(other)
    qtbot.waitUntil(lambda: begun.keeper.path == other)
    begun.panels.notes.editor.setPlainText("theirs, and more")
    begun.actions_["undo"].trigger()
    assert (begun.keeper.path, begun.panels.notes.text) == (mine, "mine")
    assert not begun.isWindowModified()
    begun.actions_["redo"].trigger()
    assert (begun.keeper.path, begun.panels.notes.text) == (other, "theirs, and more")
    assert begun.isWindowModified()
    begun.actions_["undo"].trigger()
    begun.actions_["undo"].trigger()
    assert begun.controller.spec == SMALL
    with qtbot.waitSignal(begun.keeper.said):
        begun.keeper.save()
    assert (read_document(mine).spec, read_document(other).notes) == (SMALL, "theirs")
    settle(begun)


def test_that_a_session_whose_file_holds_another_by_now_has_none(
    begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    mine = tmp_path / "mine.attnviz"
    saves_to(begun, monkeypatch, mine)
    with qtbot.waitSignal(begun.keeper.said):
        begun.keeper.save()
    begun.keeper.new()
    with qtbot.waitSignal(begun.keeper.said):
        begun.keeper.save_as()  # over the file of the session before
    begun.actions_["undo"].trigger()
    assert begun.keeper.path is None
    assert begun.keeper.name == "mine"
    assert begun.isWindowModified()
    begun.actions_["redo"].trigger()
    assert begun.keeper.path == mine
    assert not begun.isWindowModified()
    settle(begun)


def test_that_a_session_in_capital_letters_opens_as_its_own_file(
    begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    path = file_of(Session(spec=attention(seed=50)), tmp_path / "MINE.ATTNVIZ")
    begun.keeper.open_path(path)
    qtbot.waitUntil(lambda: begun.controller.spec == attention(seed=50))
    assert begun.keeper.path == path
    saves_to(begun, monkeypatch, path)
    with qtbot.waitSignal(begun.keeper.said):
        begun.keeper.save_as()
    assert [file.name for file in tmp_path.iterdir()] == ["MINE.ATTNVIZ"]
    settle(begun)
