"""Mouse and keyboard input at arbitrary positions of the pictures of a window."""

from collections.abc import Iterable
from typing import Any, TypeVar

from hands import Hands
from hypothesis import note
from pyqtgraph import PlotWidget
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPlainTextEdit, QToolButton, QWidget

from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.window.main_window import MainWindow

SIXTEENTHS = 16
Kind = TypeVar("Kind", bound=QWidget)


class AnyPointer:
    """Acts on the visible pictures; positions are in sixteenths of their size, from the top left corner."""

    def __init__(self, window: MainWindow, hands: Hands) -> None:
        self.window, self.hands = window, hands

    def point(self, which: int, x: int, y: int) -> None:
        """Move the mouse over a picture."""
        if (picture := self._picture(which)) is not None:
            QTest.mouseMove(picture, _place(picture, x, y))

    def click(self, which: int, x: int, y: int, *, twice: bool) -> None:
        """Click at a position of a picture."""
        if (picture := self._picture(which)) is None:
            return
        place = _place(picture, x, y)
        QTest.mouseMove(picture, place)
        QTest.mouseClick(picture, Hands.left, pos=place)
        if twice and picture.isVisible():
            QTest.mouseDClick(picture, Hands.left, pos=place)
            QTest.mouseRelease(picture, Hands.left, pos=place)

    def drag(self, which: int, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Drag from one position of a picture to another."""
        if (picture := self._picture(which)) is None:
            return
        first, last = _place(picture, *start), _place(picture, *end)
        QTest.mousePress(picture, Hands.left, pos=first)
        for part in (1, 2, 3):
            self.hands.drag(picture, first + (last - first) * part / 3)
        QTest.mouseRelease(picture, Hands.left, pos=last)

    def wheel(self, which: int, x: int, y: int, notches: int) -> None:
        """Turn the wheel over a picture."""
        if (picture := self._picture(which)) is not None:
            self.hands.wheel(picture, QPointF(_place(picture, x, y)), notches)

    def key(self, which: int, key: Qt.Key) -> None:
        """Press a key at a picture, or at the stage strip."""
        pictures = [*self._pictures(), *touchable(self.window.findChildren(StageStrip))]
        if pictures:
            picture = pictures[which % len(pictures)]
            picture.setFocus()
            QTest.keyClick(picture, key)

    def key_where_it_is(self, key: Qt.Key) -> None:
        """Press a key at the widget with focus, unless that would open a popup, which blocks."""
        focused = QApplication.focusWidget()
        opens_menu = isinstance(focused, QToolButton) and focused.menu() is not None
        if focused is not None and not opens_menu and not isinstance(focused, QComboBox | QPlainTextEdit):
            note_touched(focused)
            QTest.keyClick(focused, key)

    def _pictures(self) -> list[QWidget]:
        plots = [it.viewport() for it in touchable(self.window.findChildren(PlotWidget))]
        return [*touchable(self.window.findChildren(Canvas)), *plots]

    def _picture(self, which: int) -> QWidget | None:
        pictures = self._pictures()
        if not pictures:
            return None
        picture = pictures[which % len(pictures)]
        note_touched(picture)
        return picture


def touchable(widgets: Iterable[Any]) -> list[Any]:
    """Return the widgets that are visible and enabled."""
    return [it for it in widgets if it.isVisible() and it.isEnabled()]


def note_touched(widget: QWidget) -> None:
    """Add the widgets used to the report of a failure."""
    text = getattr(widget, "text", "")  # some have a part of this name
    name = widget.accessibleName() or (text() if callable(text) else "") or widget.objectName()
    note(f"    # {type(widget).__name__} {name!r}")


def _place(picture: QWidget, x: int, y: int) -> QPoint:
    return QPoint(picture.width() * x // SIXTEENTHS, picture.height() * y // SIXTEENTHS)
