"""A lecture held with the keyboard alone: preset, stages, head, cell, mask, view, comparison, figure."""

from typing import Any

import pytest
from hands import Hands
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QWidget
from small_specs import attention
from windows import At, Settle

from attnviz.experiment.files.specs_in_files import preset_of
from attnviz.experiment.pin import Pin
from attnviz.gui.dialogs.figure_dialog import FigureDialog
from attnviz.gui.widgets.letters import plain
from attnviz.gui.window.main_window import MainWindow

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
CTRL = Qt.KeyboardModifier.ControlModifier


class Keyboard:
    """Presses keys on whatever has the focus, and does nothing else."""

    def __init__(self, window: MainWindow, hands: Hands) -> None:
        self._window, self._qtbot = window, hands.qtbot

    def press(self, key: Qt.Key, times: int = 1, modifiers: Any = Qt.KeyboardModifier.NoModifier) -> None:
        for _ in range(times):
            top = QApplication.activePopupWidget() or QApplication.activeWindow() or self._window
            self._qtbot.keyClick(top.focusWidget() or top, key, modifiers)

    def tab_to(self, wanted: QWidget) -> None:
        """Press Tab until a widget has the focus."""
        for _ in range(120):
            if QApplication.focusWidget() is wanted:
                return
            self.press(Key.Key_Tab)
        raise AssertionError(f"Tab does not reach {wanted.accessibleName() or wanted}")


@pytest.mark.qt_log_ignore("This plugin does not support")  # of popups, by the platform without a screen
def test_that_a_lecture_needs_the_keyboard_alone(at: At, hands: Hands, settle: Settle) -> None:
    window = at(attention())
    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)
    keys = Keyboard(window, hands)

    keys.tab_to(window.top_bar.presets)
    keys.press(Key.Key_End)
    while (found := preset_of(window.controller.spec)) is None or found.name != "multi-head-random":
        keys.press(Key.Key_Up)
    settle(window)

    stage: Any = window.room.stage
    keys.tab_to(stage.strip)
    keys.press(Key.Key_Home)
    first = stage.view.stage
    keys.press(Key.Key_Right, 1, ALT)
    assert stage.view.stage != first
    while stage.view.stage != "weights":
        keys.press(Key.Key_Right)

    keys.tab_to(stage.grid)
    keys.press(Key.Key_Down)
    keys.press(Key.Key_Right)
    assert window.room.selection.locked.head > 0

    keys.tab_to(stage.heatmap)
    keys.press(Key.Key_Down)
    keys.press(Key.Key_Right, 2)
    held = window.room.selection.locked
    assert held.query is not None
    assert held.key is not None

    causal = window.controller.spec.causal  # type: ignore[union-attr]
    keys.press(_letter_of("Causal", window.room.form), 1, ALT)
    hands.qtbot.waitUntil(lambda: window.controller.spec.causal is not causal)  # type: ignore[union-attr]
    settle(window)

    keys.press(Key.Key_V, 1, ALT)
    hands.qtbot.waitUntil(stage.view_panel.isVisible)
    keys.press(_letter_of("Beside each head", stage.view_panel), 1, ALT)
    statistic = stage.view.statistic
    keys.press(Key.Key_Down)
    assert stage.view.statistic != statistic
    keys.press(Key.Key_Escape)
    assert not stage.view_panel.isVisible()

    if stage.page_box.isVisible():  # a list where the buttons of the pages have no room
        keys.tab_to(stage.page_box)
        while stage.view.page != "compare":
            keys.press(Key.Key_Down)
    else:
        keys.tab_to(next(it for it in stage.page_buttons.findChildren(QAbstractButton) if it.isChecked()))
        while stage.view.page != "compare":
            keys.press(Key.Key_Right)
            keys.press(Key.Key_Space)
    keys.tab_to(stage.pages.compare.pair.pin)
    keys.press(Key.Key_Space)
    settle(window)
    assert window.rooms.pins[window.room.lab_name] == Pin(window.controller.spec)

    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)  # the pinned run may have moved the keyboard just now
    keys.press(Key.Key_F11)
    hands.qtbot.waitUntil(lambda: window.look.present)
    shown = stage.view.stage
    keys.press(Key.Key_PageUp)
    assert stage.view.stage != shown
    while window.look.present:  # it lets go of the held cell first
        keys.press(Key.Key_Escape)

    keys.press(Key.Key_E, 1, CTRL)
    hands.qtbot.waitUntil(lambda: isinstance(QApplication.activeWindow(), FigureDialog))
    dialog: QDialog = QApplication.activeWindow()  # type: ignore[assignment]
    keys.press(Key.Key_Escape)
    hands.qtbot.waitUntil(lambda: not dialog.isVisible())


def _letter_of(title: str, root: QWidget) -> Qt.Key:
    (label,) = [it for it in root.findChildren(QLabel) if plain(it.text()) == title]
    return Key(ord(label.text().partition("&")[2][0].upper()))
