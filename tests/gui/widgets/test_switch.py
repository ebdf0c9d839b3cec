"""A switch: what turns it, what it says then, and where its handle lies."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QImage
from pytestqt.qtbot import QtBot

from attnviz.gui.forms.editor import SwitchEdit
from attnviz.gui.forms.number_editors import OptionalFloatEdit
from attnviz.gui.theme import DARK, LIGHT, Look
from attnviz.gui.widgets.buttons import Switch

LOOKS = [Look(LIGHT), Look(DARK), Look(LIGHT, 1.6)]
SPACE, LEFT = Qt.Key.Key_Space, Qt.MouseButton.LeftButton


@pytest.fixture
def switch(qtbot: QtBot) -> Switch:
    made = Switch()
    qtbot.addWidget(made)
    made.resize(made.sizeHint())
    made.show()
    return made


def drawn(switch: Switch) -> QImage:
    switch.clearFocus()
    return switch.grab().toImage()


def at(picture: QImage, place: QPointF) -> QColor:
    return picture.pixelColor(place.toPoint())


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.theme.name} {look.scale}")
def test_that_the_handle_lies_right_in_an_accent_when_on_and_left_when_off(look: Look, switch: Switch) -> None:
    switch.restyle(look)
    switch.resize(switch.sizeHint())
    left = QPointF(switch.groove.left() + switch.groove.height() / 2, switch.groove.center().y())
    right = QPointF(switch.groove.right() - switch.groove.height() / 2, switch.groove.center().y())
    off = drawn(switch)
    assert at(off, left) == look.color("panel")
    assert at(off, right) not in (look.color("panel"), look.color("accent"))
    switch.setChecked(True)
    on = drawn(switch)  # at once: nothing slides
    assert at(on, right) == look.color("panel")
    assert at(on, left) == look.color("accent")


@pytest.mark.parametrize("scale", [0.8, 1.0, 1.25, 1.6, 2.16])
def test_that_handle_and_groove_lie_within_the_switch_at_every_scale(scale: float, switch: Switch) -> None:
    switch.restyle(Look(LIGHT, scale))
    switch.resize(switch.sizeHint())
    for on in (False, True):
        switch.setChecked(on)
        assert switch.groove.contains(switch.handle)
        assert switch.rect().toRectF().adjusted(1, 1, -1, -1).contains(switch.groove)  # and the ring around it
    assert switch.sizeHint().width() == round(30 * scale) + 4


def test_that_focus_and_being_disabled_are_seen(switch: Switch, qtbot: QtBot) -> None:
    switch.activateWindow()
    qtbot.waitUntil(switch.isActiveWindow)
    for on in (False, True):
        switch.setChecked(on)
        plain = drawn(switch)
        switch.setFocus()
        assert switch.grab().toImage() != plain
        switch.setEnabled(False)
        assert drawn(switch) != plain
        switch.setEnabled(True)
        assert drawn(switch) == plain


def test_that_a_click_anywhere_and_the_space_bar_turn_it_and_say_so_once(switch: Switch, qtbot: QtBot) -> None:
    said: list[bool] = []
    switch.toggled.connect(said.append)
    qtbot.keyClick(switch, SPACE)
    for place in (switch.rect().topLeft(), switch.rect().bottomRight(), switch.rect().center()):
        qtbot.mouseClick(switch, LEFT, pos=place)
    assert said == [True, False, True, False]
    switch.setEnabled(False)
    qtbot.mouseClick(switch, LEFT)
    assert said[4:] == []


def test_that_a_screen_reader_takes_it_for_a_check_box(switch: Switch) -> None:
    switch.setAccessibleName("Bias")
    for on in (False, True):
        switch.setChecked(on)
        it = QAccessible.queryAccessibleInterface(switch)
        state = it.state()
        assert it.role() == QAccessible.Role.CheckBox
        assert it.text(QAccessible.Text.Name) == "Bias"
        assert bool(state.checkable)
        assert bool(state.focusable)
        assert bool(state.checked) is on


@pytest.mark.parametrize("kind", ["on or off", "a number or nothing"])
def test_that_a_value_set_by_code_is_shown_without_saying_that_it_was_edited(kind: str, qtbot: QtBot) -> None:
    editor = SwitchEdit() if kind == "on or off" else OptionalFloatEdit(0.0, 9.0, 1.0)
    qtbot.addWidget(editor)
    editor.show()
    said: list[object] = []
    editor.edited.connect(lambda: said.append(editor.value()))
    on, off = (True, False) if kind == "on or off" else (2.5, None)
    switch = editor.findChild(Switch)
    for value in (on, on, off):
        editor.set_value(value)
        assert editor.value() == value
        assert switch.isChecked() == (value == on)
    assert said == []
    qtbot.mouseClick(switch, LEFT)
    assert said == [on]
