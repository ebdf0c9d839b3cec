"""A line of text whose end gives way to an ellipsis."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from attnviz.gui.widgets.labels import ElidingLabel

LONG = "head 1   query 2 “a”   key 3 “b”   score 0.25   weight 0.125   allowed"


@pytest.fixture
def label(qtbot: QtBot) -> ElidingLabel:
    made = ElidingLabel()
    qtbot.addWidget(made)
    made.setText(LONG)
    made.resize(made.sizeHint())
    made.show()
    return made


def test_that_text_is_whole_where_there_is_room_and_else_ends_in_an_ellipsis(label: ElidingLabel) -> None:
    assert label.shown_text == LONG
    whole = label.sizeHint()
    label.resize(whole.width() // 2, whole.height())
    assert label.shown_text.endswith("…")
    assert LONG.startswith(label.shown_text.rstrip("…"))
    assert label.fontMetrics().horizontalAdvance(label.shown_text) <= label.width()
    assert 20 < len(label.shown_text) < len(LONG)


def test_that_the_label_and_a_screen_reader_have_the_whole_text_however_little_is_shown(label: ElidingLabel) -> None:
    label.resize(40, label.height())
    assert label.text() == LONG
    spoken = QAccessible.queryAccessibleInterface(label)
    assert spoken.role() == QAccessible.Role.StaticText
    assert spoken.text(QAccessible.Text.Name) == LONG


def test_that_it_can_be_squeezed_to_nothing_but_keeps_its_height(label: ElidingLabel) -> None:
    assert label.minimumSizeHint() == QSize(1, label.sizeHint().height())


@pytest.mark.parametrize("text", ["<s>", "<b>bold</b>", "a & b", "&a", "first\nsecond"])
def test_that_signs_of_markup_and_mnemonics_are_drawn_as_they_are_and_lines_are_one(
    text: str, label: ElidingLabel
) -> None:
    label.setText(text)
    label.resize(400, 40)
    assert label.shown_text == text.replace("\n", " ")
    plain = QLabel(text.replace("\n", " ").replace("&", "&&"), textFormat=label.textFormat())
    plain.setFont(label.font())
    plain.resize(400, 40)
    label.setBuddy(plain)
    plain.setBuddy(label)  # so that its ampersands are mnemonics, and two of them one sign
    assert label.grab().toImage() == plain.grab().toImage()
    plain.deleteLater()


def test_that_what_does_not_fit_is_not_drawn_and_what_does_is(label: ElidingLabel) -> None:
    label.setStyleSheet("background: white; color: black;")
    label.setText("l" * 200)
    label.resize(101, 30)
    drawn = label.grab().toImage()
    dark = [x for x in range(101) if any(drawn.pixelColor(x, y) != QColor("white") for y in range(30))]
    assert dark[0] < 5
    assert 80 < dark[-1] <= 100
