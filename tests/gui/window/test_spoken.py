"""What a screen reader finds: Qt's accessibility tree, with names and roles, and what is said of the held cell."""

from collections.abc import Iterator
from typing import Any

import pytest
from eyes import is_stop, name_of
from hands import Hands
from pyqtgraph import PlotWidget
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QTableView,
    QWidget,
)
from small_specs import attention, independent_trace, regression, rhyme, training, transformer
from windows import At, Settle

from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.widgets.buttons import Switch
from attnviz.gui.widgets.selection import Selection

SPECS = {
    "attention": attention(valid_lens=(3, 2)),
    "regression": regression(),
    "training": training(),
    "train": transformer(),
    "text": rhyme(),
}
PICTURES = (Canvas, QAbstractItemView, PlotWidget)
ROLES: dict[type[QWidget], QAccessible.Role] = {
    QComboBox: QAccessible.Role.ComboBox,
    QAbstractSpinBox: QAccessible.Role.SpinBox,
    QLineEdit: QAccessible.Role.EditableText,
    QPlainTextEdit: QAccessible.Role.EditableText,
    QSlider: QAccessible.Role.Slider,
    QTableView: QAccessible.Role.Table,
    QCheckBox: QAccessible.Role.CheckBox,
    Switch: QAccessible.Role.CheckBox,
}


def in_tree(interface: QAccessibleInterface) -> Iterator[QObject]:
    """Walk the tree as a screen reader does: every child of a child."""
    for place in range(interface.childCount()):
        child = interface.child(place)
        if child is not None and child.isValid() and not child.state().invisible:
            if child.object() is not None:
                yield child.object()
            yield from in_tree(child)


@pytest.mark.parametrize("kind", SPECS)
def test_that_all_that_takes_the_keyboard_is_in_the_tree_with_a_name_and_its_role(kind: str, at: At) -> None:
    window = at(SPECS[kind])
    found = set(in_tree(QAccessible.queryAccessibleInterface(window)))
    stops = [it for it in window.findChildren(QWidget) if is_stop(it)]
    assert len(stops) > 20
    assert [name_of(it) or type(it).__name__ for it in stops if it not in found] == []
    for widget in stops:
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface.text(QAccessible.Text.Name).strip(), type(widget).__name__
        assert interface.state().focusable
        wanted = next((role for kind_, role in ROLES.items() if isinstance(widget, kind_)), None)
        assert interface.role() == wanted or (wanted is None and interface.role() != QAccessible.Role.NoRole)


@pytest.mark.parametrize("kind", SPECS)
def test_that_on_every_page_all_that_takes_the_keyboard_has_a_name_and_pictures_and_tables_say_what_they_show(
    kind: str, at: At, settle: Settle, hands: Hands
) -> None:
    window = at(SPECS[kind])
    stage: Any = window.room.stage
    pages = [stage.page_box.itemData(row) for row in range(stage.page_box.count())]
    offered = [page for row, page in enumerate(pages) if not stage.page_box.view().isRowHidden(row)]

    def silent() -> list[str]:
        pictures = (each for each in window.findChildren(QWidget) if isinstance(each, PICTURES) and is_stop(each))
        return [type(each).__name__ for each in pictures if not _described(each).strip()]

    for page in (*offered[1:], offered[0]):  # the first again at last, for the tests that follow
        stage.page_buttons.press(page)
        settle(window)
        for widget in filter(is_stop, window.findChildren(QWidget)):
            interface = QAccessible.queryAccessibleInterface(widget)
            assert interface.text(QAccessible.Text.Name).strip(), (page, type(widget).__name__)
        hands.qtbot.waitUntil(lambda: silent() == [])  # what the page shows may be computed first


def test_that_the_description_of_the_matrix_is_the_summary_of_the_held_row(at: At) -> None:
    spec = attention(valid_lens=(3, 2))
    window, trace = at(spec), independent_trace(spec)
    window.room.selection.lock(Selection(1, 2, 1))
    described = _described(window.room.stage.heatmap)
    weights = trace.weights[0, 1, 2]
    best = int(weights.argmax())
    assert f"weight {weights[1]:.3f}" in described
    assert f"attends most to {trace.key_names[best]} {weights[best]:.3f}" in described
    assert "head 2" in described
    assert "3 of 4 keys allowed" in described


def test_that_the_description_of_the_fit_has_the_held_query_and_its_value(at: At) -> None:
    spec = regression()
    window, trace = at(spec), independent_trace(spec)
    window.room.selection.lock(Selection(0, 3, None))
    described = _described(window.room.stage.fit)
    assert f"{trace.x_test[3]:.4g}" in described
    assert f"{trace.y_hat[3]:.4f}" in described
    assert _described(window.room.stage.heatmap) == described


@pytest.mark.parametrize(("kind", "picture"), [("attention", "heatmap"), ("regression", "fit")])
def test_that_a_move_of_what_is_held_is_announced_and_one_of_the_mouse_is_not(
    kind: str, picture: str, at: At, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = at(SPECS[kind])
    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)
    room: Any = window.room
    room.selection.lock(Selection(0, 1, 1 if kind == "attention" else None))
    shown = getattr(room.stage, picture)
    shown.setFocus()
    said: list[str] = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: said.append(event.message()))
    hands.qtbot.keyClick(shown, Qt.Key.Key_Right)
    assert said == [_described(shown)]
    room.selection.release()
    said.clear()
    room.selection.hover(Selection(0, 0, 0))
    assert said == []


def _described(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Description)
