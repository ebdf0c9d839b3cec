"""Closing a window whose session has changes: what is asked, and what each answer leads to."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from session_hands import answers, begin_at, change, saves_to, sentence
from small_specs import SMALL, attention

from attnviz.export.document import read_document
from attnviz.gui.session.questions import Answer
from attnviz.gui.window.main_window import MainWindow


@pytest.fixture(scope="module")
def closed(qapp: QApplication) -> Iterator[MainWindow]:
    """One window for the module, which runs nothing."""
    window = MainWindow(SMALL)
    yield window
    window.runner.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def unstarted(closed: MainWindow) -> Iterator[MainWindow]:
    """The window, opened once more at the start of a session."""
    closed.keeper.asks = True
    closed.controller.propose(SMALL)
    begin_at(closed).show()
    yield closed
    begin_at(closed).close()


@pytest.mark.parametrize("answer", Answer)
def test_that_closing_asks_about_changes(
    answer: Answer, unstarted: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    window = unstarted
    asked = answers(window, monkeypatch, answer)
    saves_to(window, monkeypatch, tmp_path / "mine.attnviz")
    change(window)
    window.close()
    assert asked == ["Untitled"]
    if answer is Answer.SAVE:
        qtbot.waitUntil(lambda: not window.isVisible())
        assert read_document(tmp_path / "mine.attnviz").spec == attention(seed=7)
    assert window.isVisible() is (answer is Answer.CANCEL)


@pytest.mark.parametrize("by_key", [False, True])
def test_that_quit_in_the_menu_and_its_key_ask_about_changes(
    by_key: bool, unstarted: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = unstarted
    for answer, stays in ((Answer.CANCEL, True), (Answer.DISCARD, False)):
        asked = answers(window, monkeypatch, answer)
        change(window)
        if by_key:
            qtbot.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
        else:
            window.menu.actions()[-1].trigger()
        assert asked == ["Untitled"]
        assert window.isVisible() is stays


@pytest.mark.parametrize("place", [None, "no such folder/mine.attnviz"])
def test_that_a_window_stays_whose_save_is_cancelled_or_fails(
    place: str | None, unstarted: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    window = unstarted
    answers(window, monkeypatch, Answer.SAVE)
    saves_to(window, monkeypatch, None if place is None else tmp_path / place)
    change(window)
    if place is None:
        window.close()
    else:
        assert sentence(window, qtbot, window.close).startswith("Not saved: ")
    assert window.isVisible()
    assert window.isWindowModified()
    saves_to(window, monkeypatch, tmp_path / "mine.attnviz")
    with qtbot.waitSignal(window.keeper.said):
        window.keeper.save()
    assert window.isVisible(), "the close that failed is not made up for by a later save"


@pytest.mark.parametrize("changed", [False, True])
def test_that_a_window_without_changes_or_closed_from_the_terminal_does_not_ask(
    changed: bool, unstarted: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answers(unstarted, monkeypatch, Answer.CANCEL)
    if changed:
        change(unstarted)
        unstarted.keeper.asks = False
    unstarted.close()
    assert not unstarted.isVisible()
    assert not asked


def test_that_closing_right_after_a_save_waits_for_it_and_asks_nothing(
    unstarted: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    window = unstarted
    asked = answers(window, monkeypatch, Answer.CANCEL)
    saves_to(window, monkeypatch, tmp_path / "mine.attnviz")
    change(window)
    window.keeper.save()
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert not asked
