"""Two windows at once: one file in both, and what is asked before one of them replaces it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from session_hands import begin_at, file_of, saves_to, sentence
from small_specs import attention

from attnviz.experiment.files.session import Session
from attnviz.export.document import read_document
from attnviz.gui.window.main_window import MainWindow

THEIRS = Session(spec=attention(seed=99))


@pytest.fixture
def saved(
    used_window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> Iterator[tuple[MainWindow, Path]]:
    """The module's window with a session that is in a file, and changed since."""
    path = tmp_path / "mine.attnviz"
    saves_to(begin_at(used_window), monkeypatch, path)
    with qtbot.waitSignal(used_window.keeper.said):
        used_window.keeper.save()
    used_window.controller.propose(attention(seed=7), "seed")
    yield used_window, path
    begin_at(used_window)


def answers(window: MainWindow, monkeypatch: pytest.MonkeyPatch, answer: bool) -> list[Path]:
    asked: list[Path] = []

    def may_replace_changed(path: Path) -> bool:
        asked.append(path)
        return answer

    monkeypatch.setattr(window.keeper.questions, "may_replace_changed", may_replace_changed)
    return asked


@pytest.mark.parametrize("answer", [True, False])
def test_that_a_file_that_another_window_has_saved_meanwhile_is_replaced_only_when_the_user_says_so(
    answer: bool, saved: tuple[MainWindow, Path], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window, path = saved
    asked = answers(window, monkeypatch, answer)
    file_of(THEIRS, path)
    said = sentence(window, qtbot, window.keeper.save)
    assert asked == [path]
    assert said == (f"Saved {path}" if answer else f"Not saved: {path} was changed by another window or program")
    assert read_document(path).spec.seed == (7 if answer else 99)
    assert window.isWindowModified() is not answer
    assert sentence(window, qtbot, window.keeper.save).startswith("Saved" if answer else "Not saved")
    assert len(asked) == (1 if answer else 2)


def test_that_a_file_which_is_as_this_window_left_it_or_gone_is_written_without_a_question(
    saved: tuple[MainWindow, Path], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window, path = saved
    asked = answers(window, monkeypatch, False)
    assert sentence(window, qtbot, window.keeper.save) == f"Saved {path}"
    path.unlink()
    window.controller.propose(attention(seed=8), "seed")
    assert sentence(window, qtbot, window.keeper.save) == f"Saved {path}"
    assert read_document(path).spec.seed == 8
    assert asked == []


def test_that_a_file_that_was_opened_is_known_as_it_was_read(
    saved: tuple[MainWindow, Path], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    window, _ = saved
    theirs = file_of(THEIRS, tmp_path / "theirs.attnviz")
    with qtbot.waitSignal(window.controller.spec_changed):
        window.keeper.open_path(theirs)
    asked = answers(window, monkeypatch, False)
    window.controller.propose(attention(seed=8), "seed")
    assert sentence(window, qtbot, window.keeper.save) == f"Saved {theirs}"
    with theirs.open("ab") as file:
        file.write(b"\n")
    os.utime(theirs, ns=(1, 1))
    assert sentence(window, qtbot, window.keeper.save).startswith("Not saved")
    assert asked == [theirs]


def test_that_two_saves_in_a_row_are_both_written_and_nobody_is_asked(
    saved: tuple[MainWindow, Path], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window, path = saved
    asked = answers(window, monkeypatch, False)
    said: list[str] = []
    window.keeper.said.connect(lambda text, _: said.append(text))
    window.keeper.save()
    window.controller.propose(attention(seed=8), "seed")
    window.keeper.save()  # while the first is still on its way
    qtbot.waitUntil(lambda: said.count(f"Saved {path}") == 2)
    assert asked == []
    assert read_document(path).spec.seed == 8
    assert not window.isWindowModified()
