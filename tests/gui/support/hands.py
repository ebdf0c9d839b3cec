"""User input: type into a box, move a slider, pick from a list, toggle a switch, point and click."""

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from attnviz.gui.forms.editor import Editor

_LEFT = Qt.MouseButton.LeftButton
_NO_KEY = Qt.KeyboardModifier.NoModifier


class Hands:
    """Sends mouse and keyboard events to widgets."""

    left = _LEFT

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot

    def type(self, widget: QWidget, text: str) -> None:
        """Replace the text of a box or line, and press Enter."""
        box = part(widget, QAbstractSpinBox, QLineEdit)
        box.setFocus()
        box.selectAll()
        self.qtbot.keyClick(box, Qt.Key.Key_Delete)
        if text.isascii():
            self.qtbot.keyClicks(box, text)
        else:  # QTest knows no keys of other scripts
            QApplication.sendEvent(box, QKeyEvent(QEvent.Type.KeyPress, 0, _NO_KEY, text))
        self.qtbot.keyClick(box, Qt.Key.Key_Return)

    def slide(self, editor: QWidget, key: Qt.Key) -> None:
        """Move an editor's slider by a key."""
        slider = part(editor, QSlider)
        slider.setFocus()
        self.qtbot.keyClick(slider, key)

    def pick(self, editor: QWidget, data: Any) -> None:
        """Pick from a list, as its popup does (the offscreen platform warns about real popups)."""
        combo = part(editor, QComboBox)
        index = combo.findData(data)
        assert index >= 0, f"{data!r} is not on the list"
        self._pick_at(combo, index)

    def pick_text(self, combo: QComboBox, text: str) -> None:
        """Pick the entry of a list with this text."""
        index = combo.findText(text)
        assert index >= 0, f"{text!r} is not on the list"
        self._pick_at(combo, index)

    def _pick_at(self, combo: QComboBox, index: int) -> None:
        combo.setCurrentIndex(index)
        combo.activated.emit(index)
        combo.textActivated.emit(combo.itemText(index))

    def toggle(self, editor: QWidget) -> None:
        """Toggle a switch."""
        self.qtbot.mouseClick(part(editor, QAbstractButton), _LEFT)

    def toggle_in_view(self, stage: Any, choice: QWidget) -> None:
        """Open the panel of a stage's view, toggle a switch in it, and close it."""
        self.qtbot.mouseClick(stage.view_button, _LEFT)
        self.qtbot.mouseClick(choice, _LEFT, pos=QPoint(8, choice.height() // 2))
        self.qtbot.keyClick(stage.view_panel, Qt.Key.Key_Escape)

    def write(self, editor: Editor, text: str) -> None:
        """Replace a sentence."""
        edits = parts(editor, QPlainTextEdit)
        edit = next((each for each in edits if each.isVisible()), edits[0])
        edit.selectAll()
        self.qtbot.keyClicks(edit, text)

    def press(self, editor: QWidget, text: str) -> None:
        """Press the button with this text."""
        (button,) = [it for it in parts(editor, QAbstractButton) if it.text() == text]
        self.qtbot.mouseClick(button, _LEFT)

    def fill(self, editor: Editor, row: int, column: int, text: str) -> None:
        """Type into a cell of an editor's table."""
        (table,) = parts(editor, QTableWidget)
        item = table.item(row, column)
        table.setCurrentCell(row, column)
        table.editItem(item)
        line = table.findChild(QLineEdit)
        line.selectAll()
        self.qtbot.keyClick(line, Qt.Key.Key_Delete)
        self.qtbot.keyClicks(line, text)
        self.qtbot.keyClick(line, Qt.Key.Key_Return)
        self.qtbot.waitUntil(lambda: table.findChild(QLineEdit) is None)
        assert table.item(row, column).text() == text

    def point(self, widget: QWidget, place: QRectF | QPointF) -> None:
        """Move the mouse over a position of a widget."""
        self.qtbot.mouseMove(widget, _point(place))

    def click(self, widget: QWidget, place: QRectF | QPointF) -> None:
        """Move the mouse to a position of a widget and click there."""
        self.qtbot.mouseMove(widget, _point(place))
        self.qtbot.mouseClick(widget, _LEFT, pos=_point(place))

    def drag(self, widget: QWidget, place: QPoint) -> None:
        """Move the mouse with its left button down."""
        global_place = QPointF(widget.mapToGlobal(place))
        event = QMouseEvent(QEvent.Type.MouseMove, QPointF(place), global_place, _LEFT, _LEFT, _NO_KEY)
        QApplication.sendEvent(widget, event)

    def wheel(self, widget: QWidget, place: QRectF | QPointF, notches: int) -> None:
        """Turn the wheel over a position of a widget; up is positive."""
        at = QPointF(_point(place))
        event = QWheelEvent(
            at,
            QPointF(widget.mapToGlobal(at.toPoint())),
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            _NO_KEY,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)


def parts(editor: QWidget, kind: Any) -> list[Any]:
    """Return the widgets of a type in an editor, including the part below it."""
    below = getattr(editor, "below", None)
    found = [editor] if isinstance(editor, kind) else []
    found += editor.findChildren(kind)
    return found + (below.findChildren(kind) if below is not None else [])


def part(editor: QWidget, *kinds: Any) -> Any:
    """Return the first widget of the first of these types that an editor has: a visible one, if any is."""
    for kind in kinds:
        found = parts(editor, kind)
        if found:
            return next((each for each in found if each.isVisible()), found[0])
    raise AssertionError(f"{editor} has no {kinds}")


def walk(window: Any, hands: Hands, key: Qt.Key = Qt.Key.Key_Tab) -> list[QWidget]:
    """Return the widgets that get the focus in turn as Tab is pressed, for one cycle."""
    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)
    window.room.stage.strip.setFocus()
    seen: list[tuple[QWidget, int]] = []
    for _ in range(200):
        focus = QApplication.focusWidget()
        assert focus is not None
        # In the large picture Tab goes through the heads while a cell is held: it stays, and yet goes on.
        place = focus, window.room.selection.current.head
        if place in seen:
            return list(dict.fromkeys(widget for widget, _ in seen))
        seen.append(place)
        hands.qtbot.keyClick(focus, key)
    raise AssertionError("Tab never comes back to where it began")


def _point(place: QRectF | QPointF) -> QPoint:
    return (place.center() if isinstance(place, QRectF) else place).toPoint()
