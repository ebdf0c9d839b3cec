"""The panel of the view: it opens by click and keyboard, closes by Esc, and its choices act."""

from typing import Any

import pytest
from attention_hands import as_it_opens, stage_of
from hands import Hands
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from small_specs import attention, regression
from windows import At

from attnviz.gui.window.main_window import MainWindow


@pytest.fixture
def stage(at: At) -> Any:
    """The stage of attention with four heads, at the weights."""
    return stage_of(as_it_opens(at(attention(num_heads=4, num_hiddens=8))))


def shown_in(panel: QWidget, *choices: QWidget) -> list[bool]:
    return [choice.isVisibleTo(panel) for choice in choices]


@pytest.mark.parametrize("by", ["click", "key"])
def test_that_it_opens_below_its_button_with_the_keyboard_and_esc_closes_it(by: str, stage: Any, hands: Hands) -> None:
    panel, button = stage.view_panel, stage.view_button
    assert not panel.isVisible()
    if by == "click":
        hands.qtbot.mouseClick(button, hands.left)
    else:
        button.setFocus()
        hands.qtbot.keyClick(button, Qt.Key.Key_Space)
    assert panel.isVisible()
    assert panel.mapToGlobal(QPoint(0, 0)).y() > button.mapToGlobal(QPoint(0, 0)).y()
    assert panel.isAncestorOf(QApplication.focusWidget() or panel.focusWidget())
    hands.qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert not panel.isVisible()


def test_that_its_choices_act_and_stay_open(stage: Any, hands: Hands) -> None:
    hands.qtbot.mouseClick(stage.view_button, hands.left)
    tools, view = stage.tools, lambda: stage.view
    for box, field in ((tools.ranked, "ranked"), (tools.extremes, "extremes")):
        for on in (True, False):
            hands.qtbot.mouseClick(box, hands.left, pos=QPoint(8, box.height() // 2))
            assert getattr(view(), field) is on
    hands.pick(tools.statistic, "first")
    assert view().statistic == "first"
    hands.pick(stage.maps, "cividis")
    assert view().colour_map == "cividis"
    hands.pick(stage.maps, "viridis")
    assert stage.view_panel.isVisible()
    hands.qtbot.keyClick(stage.view_panel, Qt.Key.Key_Escape)


def test_that_it_offers_what_has_an_effect(stage: Any) -> None:
    panel, tools = stage.view_panel, stage.tools
    heads = tools.statistic, tools.ranked, tools.extremes
    for name, of_heads, of_weights in (("weights", True, True), ("scores", True, False), ("output", False, False)):
        stage.strip.go_to(name)
        assert shown_in(panel, *heads) == [of_heads] * 3
        assert shown_in(panel, tools.brushes) == [of_heads]
        assert shown_in(panel, tools.sums) == [of_weights]
        assert stage.contrast.isVisibleTo(stage) is of_weights
        assert shown_in(panel, stage.maps, stage.player.pace) == [True] * 2


def test_that_one_head_has_nothing_to_sort(at: At) -> None:
    stage = stage_of(as_it_opens(at(attention(num_heads=1))))
    tools = stage.tools
    assert shown_in(stage.view_panel, tools.statistic, tools.ranked, tools.extremes) == [False] * 3


def test_that_the_other_lab_has_the_same_panel(at: At, hands: Hands) -> None:
    window: MainWindow = at(regression())
    stage: Any = window.room.stage
    hands.qtbot.mouseClick(stage.view_button, hands.left)
    assert stage.view_panel.isVisible()
    assert shown_in(stage.view_panel, stage.maps, stage.player.pace) == [True] * 2
    hands.qtbot.keyClick(stage.view_panel, Qt.Key.Key_Escape)


def test_that_it_is_as_large_as_its_choices_need_while_they_come_and_go(stage: Any, hands: Hands) -> None:
    panel, button = stage.view_panel, stage.view_button
    hands.qtbot.mouseClick(button, hands.left)
    first = panel.size()
    for on in (True, False):
        stage.strip.go_to("output" if on else "weights")
        hands.qtbot.waitUntil(lambda: panel.size() == panel.sizeHint())
        assert (panel.size() == first) is not on
        assert panel.frameGeometry().right() == button.mapToGlobal(button.rect().bottomRight()).x()
    hands.qtbot.keyClick(panel, Qt.Key.Key_Escape)


def test_that_it_closes_when_another_lab_is_entered(at: At, hands: Hands) -> None:
    window = as_it_opens(at(attention(num_heads=4, num_hiddens=8)))
    stage = stage_of(window)
    hands.qtbot.mouseClick(stage.view_button, hands.left)
    assert stage.view_panel.isVisible()
    window.controller.propose(regression())  # as a file of the other lab does
    assert not stage.view_panel.isVisible()


def test_that_the_button_which_is_chosen_by_mouse_has_the_keyboard_too(stage: Any, hands: Hands) -> None:
    hands.qtbot.mouseClick(stage.view_button, hands.left)
    buttons = {it.property("value"): it for it in stage.tools.brushes.findChildren(QToolButton)}
    buttons[""].setFocus()
    hands.qtbot.mouseClick(buttons["forbid"], hands.left)
    assert [value for value, it in buttons.items() if it.hasFocus()] == ["forbid"]
    hands.qtbot.mouseClick(buttons[""], hands.left)
    hands.qtbot.keyClick(stage.view_panel, Qt.Key.Key_Escape)
