"""Keyboard and screen reader: everything that can be used can be reached and has a name."""

from collections.abc import Callable
from typing import Any

import pytest
from hands import Hands, part
from pyqtgraph import PlotWidget
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from small_specs import attention, regression, training
from superqt import QCollapsible

from attnviz.experiment.labs import LABS, Spec
from attnviz.gui.forms.spec_form import group_of
from attnviz.gui.main_window import MainWindow
from attnviz.gui.selection import Selection

At = Callable[[Spec], MainWindow]

SPECS = {
    "attention": attention(valid_lens=(3, 2)),
    "per query": attention(valid_lens=((1, 2, 3), (1, 2, 3))),
    "dropout": attention(dropout=0.5, training=True),
    "sentence": attention(
        inputs={"kind": "sentence", "text": "one two"},
        self_attention=True,
        batch_size=1,
        num_queries=2,
        num_kvpairs=2,
    ),
    "file": attention(inputs={"kind": "file", "path": "/nowhere.npz"}),
    "regression": regression(),
    "training": training(),
}
# Sliders are not among them: the box beside each takes the same keys.
USED_BY_HAND = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QPlainTextEdit, QAbstractItemView)


@pytest.fixture
def unfolded(at: At) -> At:
    """Return a function that shows a spec in the module's window with every fold open."""

    def show(spec: Spec) -> MainWindow:
        window = at(attention())
        if getattr(getattr(spec, "inputs", None), "kind", "") == "file":
            window.room.form.set_spec(spec)  # such a run would fail; the form is what is looked at
        else:
            window = at(spec)
        for fold in window.room.form.findChildren(QCollapsible):
            fold.expand(animate=False)
        return window

    return show


def walk(window: MainWindow, hands: Hands) -> list[QWidget]:
    """Return the widgets that have the keyboard one after the other as Tab is pressed, until they come round."""
    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)
    window.top_bar.findChild(QAbstractButton).setFocus()
    seen: list[QWidget] = []
    for _ in range(200):
        focus = QApplication.focusWidget()
        assert focus is not None
        if focus in seen:
            return seen
        seen.append(focus)
        hands.qtbot.keyClick(focus, Qt.Key.Key_Tab)
    raise AssertionError("Tab never comes back to where it began")


def name_of(widget: QWidget) -> str:
    """Return what a screen reader calls a widget."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""


@pytest.mark.parametrize("kind", SPECS)
def test_that_tab_reaches_every_editor_that_is_visible(kind: str, unfolded: At, hands: Hands) -> None:
    spec = SPECS[kind]
    window = unfolded(spec)
    reached = walk(window, hands)
    fields = [name for name, info in LABS[spec.lab].spec_type.model_fields.items() if group_of(info)]
    editors: list[Any] = [window.room.form.editor(name) for name in fields]
    missed = []
    for editor in editors:
        if editor.isVisible():
            holders = [editor, *([editor.below] if editor.below is not None and editor.below.isVisible() else [])]
            missed += [
                editor.accessibleName()
                for holder in holders
                if not any(holder.isAncestorOf(widget) or holder is widget for widget in reached)
            ]
    assert missed == []


@pytest.mark.parametrize("kind", SPECS)
def test_that_tab_reaches_everything_that_is_used_by_hand(kind: str, unfolded: At, hands: Hands) -> None:
    window = unfolded(SPECS[kind])
    reached = walk(window, hands)
    used = [it for it in window.findChildren(QWidget) if isinstance(it, USED_BY_HAND)]
    used = [it for it in used if it.isVisible() and it.isEnabled() and it.window() is window]
    inside = [it for it in used if any(isinstance(up, USED_BY_HAND) for up in ancestors(it))]
    missed = [it for it in used if it not in inside and it not in reached]
    # Buttons that exclude each other are one stop of Tab; arrow keys walk among them.
    missed = [it for it in missed if not (isinstance(it, QAbstractButton) and _has_a_reached_neighbour(it, reached))]
    assert [(type(it).__name__, name_of(it)) for it in missed] == []


def ancestors(widget: QWidget) -> list[QWidget]:
    parent = widget.parentWidget()
    return [] if parent is None else [parent, *ancestors(parent)]


def _has_a_reached_neighbour(button: QAbstractButton, reached: list[QWidget]) -> bool:
    group = button.group()
    return group is not None and any(it in reached for it in group.buttons())


@pytest.mark.parametrize("kind", SPECS)
def test_that_everything_that_takes_the_keyboard_has_a_name(kind: str, unfolded: At, hands: Hands) -> None:
    window = unfolded(SPECS[kind])
    nameless = [(type(it).__name__, it.objectName()) for it in walk(window, hands) if not name_of(it).strip()]
    assert nameless == []


@pytest.mark.parametrize("kind", SPECS)
def test_that_every_button_slider_box_and_picture_has_a_name(kind: str, unfolded: At) -> None:
    window = unfolded(SPECS[kind])
    stage = window.room.stage
    pictures = [getattr(stage, name) for name in ("grid", "heatmap", "bar", "fit") if hasattr(stage, name)]
    pictures += stage.findChildren(PlotWidget)
    used = [it for it in window.findChildren(QWidget) if it.isVisible() and isinstance(it, USED_BY_HAND)]
    used = [it for it in used if not any(isinstance(up, USED_BY_HAND) for up in ancestors(it))]
    nameless = [(type(it).__name__, it.objectName()) for it in (*pictures, *used) if not name_of(it).strip()]
    assert nameless == []


def test_that_every_picture_can_be_reached_by_the_keyboard(at: At, hands: Hands) -> None:
    window = at(attention())
    reached = walk(window, hands)
    assert window.room.stage.grid in reached
    assert window.room.stage.heatmap in reached


def test_that_arrow_keys_move_the_chosen_cell_within_the_matrix(at: At, hands: Hands) -> None:
    window = at(attention())
    room = window.rooms["attention"]
    room.selection.lock(Selection(0, 0))
    room.stage.heatmap.setFocus()
    path = {
        Qt.Key.Key_Right: [(0, 0), (0, 1), (0, 2), (0, 3), (0, 3)],
        Qt.Key.Key_Down: [(1, 3), (2, 3), (2, 3)],
        Qt.Key.Key_Left: [(2, 2), (2, 1), (2, 0), (2, 0)],
        Qt.Key.Key_Up: [(1, 0), (0, 0), (0, 0)],
    }
    for key, places in path.items():
        for place in places:
            hands.qtbot.keyClick(room.stage.heatmap, key)
            chosen = room.selection.current
            assert (chosen.query, chosen.key) == place
            assert f"query {place[0]}   key {place[1]}" in room.stage.read_out.text()


def test_that_arrow_keys_choose_another_head(at: At, hands: Hands) -> None:
    window = at(attention(num_heads=4))
    room = window.rooms["attention"]
    room.selection.lock(Selection(0, 2))
    for key, head in ((Qt.Key.Key_Right, 1), (Qt.Key.Key_Right, 2), (Qt.Key.Key_Left, 1), (Qt.Key.Key_Up, 1)):
        hands.qtbot.keyClick(room.stage.grid, key)
        assert room.selection.current.head == head
    for _ in range(5):
        hands.qtbot.keyClick(room.stage.grid, Qt.Key.Key_Right)
    assert room.selection.current.head == 3


def test_that_a_wrong_value_keeps_the_keyboard_at_its_field(at: At, hands: Hands) -> None:
    window = at(attention())
    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)
    box = part(window.room.form.editor("batch_size"), QAbstractSpinBox)
    hands.type(box, "0")
    assert window.room.form.problem("batch_size")
    assert box.hasFocus()


def test_that_nothing_in_the_form_is_lit_before_the_user_touches_it(open_window: Callable[..., MainWindow]) -> None:
    window = open_window()
    focus = QApplication.focusWidget()
    assert focus is None or not window.room.form.isAncestorOf(focus)


def test_that_labels_lead_to_their_editors(at: At) -> None:
    form = at(attention()).room.form
    for name in ("num_heads", "mechanism", "causal", "seed"):
        editor = form.editor(name)
        (label,) = [it for it in form.findChildren(QLabel) if it.buddy() is editor]
        assert label.text() == editor.accessibleName()
        assert editor.focusProxy() is not None
