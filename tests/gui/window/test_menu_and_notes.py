"""The menu at the left of the top bar, and the notes below the inspector."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from eyes import name_of
from hands import Hands
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QToolButton
from session_hands import begin_at
from small_specs import SMALL, regression, training

from attnviz.experiment.labs import Spec
from attnviz.experiment.session import LONGEST_NOTES
from attnviz.gui.window.main_window import MainWindow

At = Callable[[Spec], MainWindow]


@pytest.fixture
def begun(used_window: MainWindow) -> Iterator[MainWindow]:
    """The module's window at the start of a session."""
    yield begin_at(used_window)
    begin_at(used_window)


def test_that_the_menu_holds_the_session_undo_and_the_window_in_this_order(begun: MainWindow) -> None:
    button = begun.top_bar.menu
    assert name_of(button) == "Menu"
    assert not button.icon().isNull()
    assert min(button.parentWidget().findChildren(QToolButton), key=lambda it: it.mapTo(begun, QPoint()).x()) is button
    entries = [action.text() or "-" for action in button.menu().actions()]
    wanted = "New|Open ...|Open recent|Save|Save as ...|-|Undo|Redo|-|Light or dark|Present"
    assert "|".join(entries) == wanted
    leaves = [action.text() for action in begun.top_bar.export.menu().actions()]
    assert "Open spec ..." not in leaves


def test_that_the_menu_names_the_steps(begun: MainWindow, hands: Hands) -> None:
    hands.slide(begun.room.form.editor("seed"), Qt.Key.Key_Right)
    (undo,) = [action for action in begun.menu.actions() if action.text().startswith("Undo")]
    assert undo.text() == "Undo Seed 0 → 1"
    undo.trigger()
    assert begun.controller.spec == SMALL


@pytest.mark.parametrize("spec", [SMALL, training()], ids=["attention", "training"])
def test_that_nothing_of_the_top_bar_is_cut_in_a_small_window(
    spec: Spec, at: At, begun: MainWindow, hands: Hands
) -> None:
    window = at(spec)
    window.resize(1024, 640)
    hands.qtbot.waitUntil(lambda: window.size().toTuple() == (1024, 640))
    for _ in range(2):
        places = []
        for part in window.top_bar.findChildren(QToolButton):
            if part.isVisible():
                assert part.width() >= part.sizeHint().width(), part.text()
                places.append(QRect(part.mapTo(window, QPoint()), part.size()))
        places.sort(key=QRect.left)
        assert places[0].left() >= 0
        assert places[-1].right() < 1024
        assert [one for one, other in pairwise(places) if one.intersects(other)] == []
        window.actions_["theme"].trigger()
    window.resize(1280, 800)


def test_that_notes_are_one_for_both_labs_and_typing_modifies_the_session(
    at: At, begun: MainWindow, hands: Hands
) -> None:
    notes = begun.panels.notes
    assert not notes.editor.isVisible()
    notes.fold.expand()
    notes.editor.setFocus()
    hands.qtbot.keyClicks(notes.editor, "head 3")
    assert notes.text == "head 3"
    assert begun.isWindowModified()
    at(regression())
    assert notes.editor.isVisible()
    assert begun.session_state.session().notes == "head 3"
    hands.qtbot.keyClick(notes.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert notes.text == ""  # its own undo, while it has the keyboard
    assert begun.controller.spec == regression()


def test_that_tab_leaves_the_notes(begun: MainWindow, hands: Hands) -> None:
    notes = begun.panels.notes
    notes.fold.expand()
    begun.activateWindow()
    notes.editor.setFocus()
    hands.qtbot.keyClick(notes.editor, Qt.Key.Key_Tab)
    assert notes.text == ""
    assert not notes.editor.hasFocus()


def test_that_notes_are_always_such_as_a_session_can_hold(begun: MainWindow) -> None:
    notes = begun.panels.notes
    notes.editor.setPlainText("half \ud800 of a sign, and a whole 𝄞")
    assert begun.session_state.session().notes.endswith("of a sign, and a whole 𝄞")
    notes.editor.setPlainText("x" * (LONGEST_NOTES + 5))
    assert len(begun.session_state.session().notes) == LONGEST_NOTES
    assert f"{LONGEST_NOTES:,}" in begun.notice.text()
    assert len(notes.editor.toPlainText()) == LONGEST_NOTES
