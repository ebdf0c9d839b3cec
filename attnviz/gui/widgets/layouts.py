"""Rows and columns of widgets, a flow layout that wraps its rows, and scroll areas."""

from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QLayoutItem, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

BoxT = TypeVar("BoxT", bound=QBoxLayout)
Part = QWidget | QLayout | None
"""A part of a row or column; None is a stretch."""


def row_of(widget: QWidget | None, *parts: Part, gap: int = 8, wide: tuple[Part, ...] = ()) -> QHBoxLayout:
    """Return a layout without margins that fills a widget from left to right, or a part of another layout.

    The ``gap`` between two parts is in pixels, -1 for that of the style; ``wide`` parts share the spare room.
    """
    return _filled(QHBoxLayout() if widget is None else QHBoxLayout(widget), parts, gap, wide)


def column_of(widget: QWidget | None, *parts: Part, gap: int = 8, wide: tuple[Part, ...] = ()) -> QVBoxLayout:
    """Return such a layout from top to bottom."""
    return _filled(QVBoxLayout() if widget is None else QVBoxLayout(widget), parts, gap, wide)


def _filled(layout: BoxT, parts: tuple[Part, ...], gap: int, wide: tuple[Part, ...]) -> BoxT:
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(gap)
    for part in parts:
        stretch = int(part in wide)
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, QLayout):
            layout.addLayout(part, stretch)
        else:
            layout.addWidget(part, stretch)
    return layout


def scrolling(widget: QWidget) -> QScrollArea:
    """Return a frameless area in which a widget scrolls vertically."""
    area = QScrollArea()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


def scrolling_tiles(widget: QWidget, parent: QWidget) -> QScrollArea:
    """Return such an area in a parent, with the background of pictures; the widget keeps its own size."""
    area = scrolling(widget)
    area.setWidgetResizable(False)
    area.setObjectName("tiles")
    area.setParent(parent)
    return area


def scroll_to(part: QWidget, margin: int) -> None:
    """Scroll the area around a part, if there is one, vertically until the part is visible; the margin is in pixels.

    A part that was shown or filled a moment ago is laid out first.
    """
    area = part.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if area is not None:
        for _ in range(2):  # its parent grows after it
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        area.ensureWidgetVisible(part, 0, margin)


def reveal_in(area: QScrollArea, part: QRectF, edge: int) -> None:
    """Scroll an area just enough to make a part of its widget visible, with an edge in pixels around it."""
    middle = part.center().toPoint()
    area.ensureVisible(middle.x(), middle.y(), round(part.width() / 2) + edge, round(part.height() / 2) + edge)


def bring_in_sight(area: QScrollArea, part: QRectF, line: float) -> None:
    """Scroll an area with lines of a height until an invisible part is in the middle.

    The lines at the top and the bottom stay whole; the wheel scrolls by lines too.
    """
    bar, height = area.verticalScrollBar(), area.viewport().height()
    bar.setSingleStep(round(line))
    if part.top() < bar.value() or part.bottom() > bar.value() + height:
        bar.setValue(round(line * round((part.center().y() - height / 2) / line)))


class Placed(QWidget):
    """A widget that lays its parts out itself, whenever its size changes."""

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Lay the parts out; reimplemented by subclasses without a layout."""


class FlowLayout(QLayout):
    """A layout that wraps: items have their size hint, at most the layout's width; hidden ones take no room.

    Items of a line are centred on it. The gaps, in pixels, are those between two items and between two lines.

    Always make it the top-level layout of a widget. PySide makes the layout that ``addLayout`` is called on the owner
    of the wrappers of the added layout's items; they become invalid with its wrapper while Qt still calls this class,
    which crashes the process. Qt warns and refuses to add a layout that has a parent.
    """

    def __init__(self, parent: QWidget, *, gap: int = 0, line_gap: int = 0) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap, self._line_gap = gap, line_gap
        self._heights: dict[int, int] = {}
        self._least: QSize | None = None
        self.setContentsMargins(0, 0, 0, 0)

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self.invalidate()

    @override
    def count(self) -> int:
        return len(self._items)

    @override
    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    @override
    def takeAt(self, index: int) -> QLayoutItem | None:
        if not 0 <= index < len(self._items):
            return None
        self.invalidate()
        return self._items.pop(index)

    @override
    def invalidate(self) -> None:
        self._heights.clear()
        self._least = None
        super().invalidate()

    @override
    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        """Return the height in pixels of all lines at a width, margins included."""
        if width not in self._heights:
            height = self._lines(self._inner(QRect(0, 0, width, 0)).width())[1]
            margins = self.contentsMargins()
            self._heights[width] = height + margins.top() + margins.bottom()
        return self._heights[width]

    @override
    def sizeHint(self) -> QSize:
        """Return the least size: the preferred width is left to the neighbouring widgets."""
        return self.minimumSize()

    @override
    def minimumSize(self) -> QSize:
        if self._least is None:
            least = QSize(0, 0)
            for item in self._items:
                least = least.expandedTo(item.minimumSize())  # nothing for a hidden one
            self._least = least.grownBy(self.contentsMargins())
        return self._least

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        inner = self._inner(rect)
        top = inner.top()
        for line, height in self._lines(inner.width())[0]:
            left = inner.left()
            for item, size in line:
                item.setGeometry(QRect(left, top + (height - size.height()) // 2, size.width(), size.height()))
                left += size.width() + self._gap
            top += height + self._line_gap

    def _inner(self, rect: QRect) -> QRect:
        return rect.marginsRemoved(self.contentsMargins())

    def _lines(self, width: int) -> tuple[list[tuple[list[tuple[QLayoutItem, QSize]], int]], int]:
        """Return the items of each line with their sizes, each line's height, and the height of all."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        left = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = _size_of(item, width)
            if not lines or left + size.width() > width:
                lines.append([])
                left = 0
            lines[-1].append((item, size))
            left += size.width() + self._gap
        tall = [(line, max(size.height() for _, size in line)) for line in lines]
        return tall, sum(height for _, height in tall) + self._line_gap * max(0, len(tall) - 1)


def _size_of(item: QLayoutItem, most: int) -> QSize:
    size = item.sizeHint()
    if size.width() <= most:
        return size
    width = max(most, item.minimumSize().width())
    return QSize(width, item.heightForWidth(width) if item.hasHeightForWidth() else size.height())
