"""Items from left to right, and another line where the room ends."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from attnviz.gui.widgets import layouts as flow_layout
from attnviz.gui.widgets.layouts import FlowLayout

Flow = Callable[..., tuple[QWidget, FlowLayout, list[Any]]]


class Box(QWidget):
    """Wants a size, and can do with a smaller one."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self.wanted, self.least = QSize(width, height), QSize(10, 8)

    def sizeHint(self) -> QSize:
        return self.wanted

    def minimumSizeHint(self) -> QSize:
        return self.least


@pytest.fixture
def flow(qtbot: QtBot) -> Iterator[Flow]:
    """Return a function that makes a widget of boxes in a row, 50 x 20 each unless told otherwise."""

    windows: list[QWidget] = []

    def make(*sizes: tuple[int, int], width: int = 170, margins: int = 0, **gaps: int) -> Any:
        window, widget = QWidget(), QWidget()
        qtbot.addWidget(window)
        windows.append(window)
        column = QVBoxLayout(window)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(widget)
        column.addStretch(1)
        layout = FlowLayout(widget, **gaps)
        layout.setContentsMargins(margins, margins, margins, margins)
        boxes = [Box(*size) for size in sizes or [(50, 20)] * 5]
        for box in boxes:
            layout.addWidget(box)
        window.resize(width, 200)
        window.show()
        return widget, layout, boxes

    yield make
    for window in windows:
        window.close()


def places(boxes: list[Any]) -> list[tuple[int, int]]:
    return [(box.x(), box.y()) for box in boxes]


def test_that_a_line_is_filled_to_the_last_pixel_and_then_broken(flow: Flow) -> None:
    _, _, boxes = flow(width=150)
    assert places(boxes) == [(0, 0), (50, 0), (100, 0), (0, 20), (50, 20)]
    assert [box.size() for box in boxes] == [QSize(50, 20)] * 5
    _, _, boxes = flow(width=149)
    assert places(boxes) == [(0, 0), (50, 0), (0, 20), (50, 20), (0, 40)]


def test_that_gaps_lie_between_items_and_margins_around_them(flow: Flow) -> None:
    _, layout, boxes = flow(width=172, margins=4, gap=7, line_gap=3)
    assert places(boxes) == [(4, 4), (61, 4), (118, 4), (4, 27), (61, 27)]
    assert layout.heightForWidth(172) == 4 + 20 + 3 + 20 + 4
    assert layout.heightForWidth(171) == 4 + 3 * 20 + 2 * 3 + 4


def test_that_the_widget_around_it_takes_the_height_that_its_width_needs(flow: Flow, qtbot: QtBot) -> None:
    widget, layout, boxes = flow(width=250)
    for width, height in ((250, 20), (249, 40), (149, 60), (100, 60), (99, 100), (300, 20)):
        widget.window().resize(width, 200)
        qtbot.waitUntil(lambda width=width, height=height: widget.size() == QSize(width, height))
        assert layout.heightForWidth(width) == height
        assert max(box.geometry().bottom() for box in boxes) == height - 1


def test_that_hidden_items_leave_neither_room_nor_a_gap(flow: Flow, qtbot: QtBot) -> None:
    widget, layout, boxes = flow(width=164, gap=7, line_gap=3)
    assert widget.height() == 43
    boxes[0].hide()
    boxes[3].hide()
    qtbot.waitUntil(lambda: places([boxes[1], boxes[2], boxes[4]]) == [(0, 0), (57, 0), (114, 0)])
    qtbot.waitUntil(lambda: widget.height() == 20)
    boxes[3].show()
    qtbot.waitUntil(lambda: places([boxes[3], boxes[4]]) == [(114, 0), (0, 23)])
    for box in boxes:
        box.hide()
    assert layout.heightForWidth(164) == 0
    assert layout.minimumSize() == QSize(0, 0)


def test_that_items_of_different_height_are_centred_on_their_line(flow: Flow) -> None:
    _, layout, boxes = flow((50, 20), (50, 30), (50, 10), (50, 10))
    assert places(boxes) == [(0, 5), (50, 0), (100, 10), (0, 30)]
    assert layout.heightForWidth(170) == 40


def test_that_an_item_wider_than_the_layout_takes_its_width_but_never_less_than_its_minimum(
    flow: Flow,
) -> None:
    _, layout, boxes = flow((50, 20), (300, 20), (50, 20), width=120)
    assert [box.geometry() for box in boxes] == [QRect(0, 0, 50, 20), QRect(0, 20, 120, 20), QRect(0, 40, 50, 20)]
    assert layout.minimumSize() == QSize(10, 8)
    layout.setGeometry(QRect(0, 0, 6, 100))
    assert [box.width() for box in boxes] == [10, 10, 10]


def test_that_a_height_is_worked_out_once_until_an_item_wants_another_size(
    flow: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, layout, boxes = flow()
    sized: list[int] = []
    monkeypatch.setattr(flow_layout, "_size_of", lambda item, most: sized.append(most) or item.sizeHint())
    assert [layout.heightForWidth(77) for _ in range(5)] == [100] * 5
    assert sized == [77] * 5  # one for each box
    boxes[0].wanted = QSize(50, 26)
    boxes[0].updateGeometry()
    assert layout.heightForWidth(77) == 106


def test_that_an_item_that_is_taken_or_deleted_is_gone(flow: Flow, qtbot: QtBot) -> None:
    _, layout, boxes = flow(width=250)
    assert layout.count() == 5
    layout.removeWidget(boxes[0])
    boxes[0].setParent(None)
    boxes[1].deleteLater()
    qtbot.waitUntil(lambda: layout.count() == 3)
    qtbot.waitUntil(lambda: places(boxes[2:]) == [(0, 0), (50, 0), (100, 0)])
    assert layout.itemAt(2).widget() is boxes[4]
    assert layout.heightForWidth(100) == 40
    assert layout.takeAt(0).widget() is boxes[2]
    assert layout.heightForWidth(100) == 20
    for index in (-1, 2):
        assert layout.itemAt(index) is None
        assert layout.takeAt(index) is None
