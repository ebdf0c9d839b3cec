"""A heading that opens and closes what lies under it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from attnviz.gui.theme import DARK, LIGHT, Look, style_sheet
from attnviz.gui.widgets.inspector import Fold


@pytest.fixture
def fold(qtbot: QtBot) -> Iterator[Fold]:
    """A fold over a line edit, in a column that has room to spare."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    made = Fold("MORE", QLineEdit())
    made.restyle(Look(LIGHT))
    column.addWidget(made)
    window.resize(300, 400)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield made
    window.close()


def test_that_it_begins_folded_and_takes_no_more_room_than_its_heading(fold: Fold) -> None:
    assert not fold.isExpanded()
    assert not fold.part.isVisible()
    assert fold.height() == fold.header.height()


@pytest.mark.parametrize("way", ["click", "space", "code"])
def test_that_each_way_opens_and_closes_it_and_says_so_once(way: str, fold: Fold, qtbot: QtBot) -> None:
    said: list[tuple[bool, bool]] = []
    fold.toggled.connect(lambda on: said.append((on, fold.part.isVisible())))
    for on in (True, False):
        if way == "click":
            qtbot.mouseClick(fold.header, Qt.MouseButton.LeftButton)
        elif way == "space":
            qtbot.keyClick(fold.header, Qt.Key.Key_Space)
        else:
            (fold.expand if on else fold.collapse)()
            (fold.expand if on else fold.collapse)()
        assert fold.isExpanded() == fold.part.isVisible() == on
    assert said == [(True, True), (False, False)]


def test_that_tab_stops_at_the_heading_and_at_the_part_only_while_it_is_open(fold: Fold, qtbot: QtBot) -> None:
    fold.header.setFocus()
    qtbot.keyClick(fold.header, Qt.Key.Key_Tab)
    assert fold.header.hasFocus()
    fold.expand()
    qtbot.keyClick(fold.header, Qt.Key.Key_Tab)
    assert fold.part.hasFocus()


def test_that_it_makes_room_for_a_part_that_grows_while_it_is_open(fold: Fold, qtbot: QtBot) -> None:
    fold.expand()
    qtbot.waitUntil(lambda: fold.height() >= fold.header.height() + fold.part.sizeHint().height())
    fold.part.setFixedHeight(180)
    qtbot.waitUntil(lambda: fold.height() >= fold.header.height() + 180)
    assert fold.part.height() == 180


def test_that_a_screen_reader_learns_its_name_and_whether_it_is_open(fold: Fold) -> None:
    def spoken() -> tuple[str, bool, bool, bool]:
        it = QAccessible.queryAccessibleInterface(fold.header)
        state = it.state()
        return it.text(QAccessible.Text.Name), *map(bool, (state.checkable, state.checked, state.focusable))

    assert spoken() == ("MORE", True, False, True)
    fold.expand()
    assert spoken() == ("MORE", True, True, True)


def test_that_the_arrow_turns_and_takes_the_theme_and_the_scale(fold: Fold) -> None:
    def arrow() -> object:
        return fold.header.icon().pixmap(fold.header.iconSize()).toImage()

    folded = arrow()
    fold.expand()
    unfolded = arrow()
    assert unfolded != folded
    fold.restyle(Look(DARK))
    assert arrow() not in (folded, unfolded)
    fold.restyle(Look(LIGHT, 1.5))
    assert fold.header.iconSize().width() == 24
    fold.restyle(Look(LIGHT))
    fold.collapse()
    assert arrow() == folded


def test_that_the_heading_with_the_keyboard_looks_different(fold: Fold) -> None:
    fold.setStyleSheet(style_sheet(Look(LIGHT)))
    fold.header.setFocus()
    with_keyboard = fold.header.grab().toImage()
    fold.header.clearFocus()
    assert fold.header.grab().toImage() != with_keyboard
