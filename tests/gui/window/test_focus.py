"""What has the keyboard is seen to have it, in both themes; a picture only where the focus came by the keyboard."""

from typing import Any

import numpy as np
import pytest
from eyes import Colours, is_stop, look, name_of
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSlider, QApplication, QWidget
from pytestqt.qtbot import QtBot
from small_specs import attention, regression, training, transformer
from windows import At

from attnviz.experiment.regression.spec import Overlay
from attnviz.gui.theme import DARK, LIGHT, Theme
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.window.main_window import MainWindow

SPECS = {
    "attention": attention(valid_lens=((1, 2, 3), (1, 2, 3)), dropout=0.5, training=True),
    "regression": regression(overlays=(Overlay(estimator="average"),)),
    "training": training(),
    "train": transformer(),
}

_HANDLE = 60
"""Pixels of the handle of a slider."""


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def theme(request: pytest.FixtureRequest, shared_window: MainWindow) -> Theme:
    """Each theme, in the shared window; it stays for the next test, for a theme takes a quarter of a second."""
    if shared_window.look.theme is not request.param:
        shared_window.toggle_theme()
    found: Theme = request.param
    return found


@pytest.mark.parametrize("kind", SPECS)
def test_that_everything_that_can_have_the_keyboard_shows_that_it_has_it(
    kind: str, theme: Theme, at: At, qtbot: QtBot
) -> None:
    window = at(SPECS[kind])
    for panel in (window.room.form, window.room.inspector):
        for fold in panel.findChildren(Fold):
            fold.expand()
    qtbot.waitUntil(lambda: window.room.form.height() >= window.room.form.minimumSizeHint().height())
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert _unseen_in(window, at_least=25) == []


@pytest.mark.qt_log_ignore("This plugin does not support")  # of popups, by the platform without a screen
def test_that_the_choices_of_the_view_show_which_has_the_keyboard(theme: Theme, at: At, qtbot: QtBot) -> None:
    stage = at(SPECS["attention"]).room.stage
    stage.view_button.click()
    qtbot.waitUntil(stage.view_panel.isVisible)
    assert _unseen_in(stage.view_panel, at_least=5) == []
    stage.view_panel.hide()


@pytest.mark.parametrize(("kind", "name"), [("attention", "grid"), ("attention", "heatmap"), ("regression", "fit")])
def test_that_a_picture_has_a_ring_for_the_keyboard_and_none_for_the_mouse(
    kind: str, name: str, at: At, qtbot: QtBot
) -> None:
    window = at(SPECS[kind])
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    picture = getattr(window.room.stage, name)
    assert _changed(picture, Qt.FocusReason.MouseFocusReason) == 0
    assert _changed(picture, Qt.FocusReason.TabFocusReason) > picture.width() + picture.height()


def test_that_the_ring_of_a_matrix_leaves_its_title_free(at: At, qtbot: QtBot) -> None:
    window = at(SPECS["attention"])
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    picture = window.room.stage.heatmap
    _elsewhere(picture)
    without, above = look(picture), round(picture.cells.top()) - 4
    picture.setFocus(Qt.FocusReason.TabFocusReason)
    assert np.array_equal(look(picture)[:above], without[:above])


def _unseen_in(root: QWidget, *, at_least: int) -> list[tuple[Any, ...]]:
    """Return what changes too little when the keyboard comes to it, of at least so many widgets."""
    stops = [it for it in root.findChildren(QWidget) if is_stop(it)]
    assert len(stops) >= at_least
    unseen = []
    for widget in stops:
        found = _changed(widget)
        if found < (_HANDLE if isinstance(widget, QAbstractSlider) else max(widget.width(), widget.height())):
            unseen.append((type(widget).__name__, widget.objectName(), name_of(widget), found, widget.size().toTuple()))
    return unseen


def _changed(widget: QWidget, reason: Qt.FocusReason = Qt.FocusReason.TabFocusReason) -> int:
    """Return how many pixels of a widget change by 3 to 1 or more when the keyboard comes to it."""
    _elsewhere(widget)
    without = look(widget)
    widget.setFocus(reason)
    assert widget.hasFocus(), name_of(widget)
    return int((_contrast(without, look(widget)) >= 3).sum())


def _elsewhere(widget: QWidget) -> None:
    focus = QApplication.focusWidget()
    if focus is not None:
        focus.clearFocus()
    assert not widget.hasFocus()


def _contrast(one: Colours, other: Colours) -> Any:
    first, second = _luminance(one) + 0.05, _luminance(other) + 0.05
    return np.maximum(first, second) / np.minimum(first, second)


def _luminance(colours: Colours) -> Any:
    channels = np.stack([colours >> 16 & 255, colours >> 8 & 255, colours & 255], axis=-1) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]
