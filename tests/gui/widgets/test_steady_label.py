"""A label whose text changes with every frame keeps its place, and has room for the widest text so far."""

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from attnviz.gui.widgets.labels import SteadyLabel


class Layouts(QObject):
    """Counts how often a widget is asked to lay itself out anew."""

    count = 0

    @override
    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    label = SteadyLabel("run 10.0 ms")
    layout = QHBoxLayout(window)
    layout.addWidget(label)
    layout.addStretch(1)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    return window


@pytest.fixture
def label(window: QWidget) -> SteadyLabel:
    label = window.findChild(SteadyLabel)
    assert label is not None
    return label


def test_that_a_text_of_no_more_width_lays_nothing_out(label: SteadyLabel, qtbot: QtBot) -> None:
    layouts = Layouts()
    label.window().installEventFilter(layouts)
    for text in ("run 9.0 ms", "", "run 11.1 ms"):
        label.setText(text)
        qtbot.wait(10)
    assert layouts.count == 0


def test_that_a_wider_text_has_room_and_a_narrower_one_keeps_it(label: SteadyLabel) -> None:
    label.setText("run 10000.0 ms")
    wide = label.width()
    assert wide >= label.fontMetrics().horizontalAdvance("run 10000.0 ms")
    label.setText("run 1.0 ms")
    assert label.width() == wide


@pytest.mark.parametrize("scale", [1.6, 0.8])
def test_that_it_grows_and_shrinks_with_its_type(label: SteadyLabel, scale: float) -> None:
    before = label.size()
    font = label.font()
    plain = font.pointSizeF()
    for size in (plain * scale, plain):
        font.setPointSizeF(size)
        label.setFont(font)
        assert label.height() == pytest.approx(label.fontMetrics().height(), abs=2)
    assert label.size() == before


def test_that_a_text_a_little_wider_than_the_label_widens_it(qtbot: QtBot) -> None:
    label = SteadyLabel("ms")
    label.setMargin(4)
    qtbot.addWidget(label)
    for text in ("msi", "msii", "msiii", "msiiii", "msiiiii"):
        label.setText(text)
        assert label.width() >= label.sizeHint().width()
