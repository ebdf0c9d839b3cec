"""Labels whose text gives way to an ellipsis, or changes with every frame and keeps its place."""

import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QTextLayout
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from attnviz.gui.widgets.labels import ElidingLabel, SteadyLabel, as_plain, caption

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


@pytest.mark.parametrize("text", [LONG, "the <s> of a text & another, which is long enough"])
def test_that_a_label_has_its_whole_text_in_a_tooltip_where_it_is_cut_and_no_tooltip_elsewhere(
    text: str, label: ElidingLabel, qtbot: QtBot
) -> None:
    label.setText(text)
    for width, told in ((40, as_plain(text)), (label.sizeHint().width(), "")):
        QToolTip.hideText()
        qtbot.waitUntil(lambda: not QToolTip.isVisible())
        label.resize(width, label.height())
        place = label.rect().center()
        QApplication.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, place, label.mapToGlobal(place)))
        assert (QToolTip.text() if QToolTip.isVisible() else "") == told


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
def steady(window: QWidget) -> SteadyLabel:
    label = window.findChild(SteadyLabel)
    assert label is not None
    return label


def test_that_a_text_of_no_more_width_lays_nothing_out(steady: SteadyLabel, qtbot: QtBot) -> None:
    layouts = Layouts()
    steady.window().installEventFilter(layouts)
    for text in ("run 9.0 ms", "", "run 11.1 ms"):
        steady.setText(text)
        qtbot.wait(10)
    assert layouts.count == 0


def test_that_a_wider_text_has_room_and_a_narrower_one_keeps_it(steady: SteadyLabel) -> None:
    steady.setText("run 10000.0 ms")
    wide = steady.width()
    assert wide >= steady.fontMetrics().horizontalAdvance("run 10000.0 ms")
    steady.setText("run 1.0 ms")
    assert steady.width() == wide


@pytest.mark.parametrize("scale", [1.6, 0.8])
def test_that_it_grows_and_shrinks_with_its_type(steady: SteadyLabel, scale: float) -> None:
    before = steady.size()
    font = steady.font()
    plain = font.pointSizeF()
    for size in (plain * scale, plain):
        font.setPointSizeF(size)
        steady.setFont(font)
        assert steady.height() == pytest.approx(steady.fontMetrics().height(), abs=2)
    assert steady.size() == before


def test_that_a_text_a_little_wider_than_the_label_widens_it(qtbot: QtBot) -> None:
    label = SteadyLabel("ms")
    label.setMargin(4)
    qtbot.addWidget(label)
    for text in ("msi", "msii", "msiii", "msiiii", "msiiiii"):
        label.setText(text)
        assert label.width() >= label.sizeHint().width()


def lines_in(label: QLabel, width: int) -> list[str]:
    """Return the lines in which Qt breaks what a label draws."""
    text = QLabel.text(label)
    layout = QTextLayout(text, label.font())
    layout.beginLayout()
    lines = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        lines.append(text[line.textStart() : line.textStart() + line.textLength()])
    layout.endLayout()
    return lines


@pytest.mark.parametrize(
    "said",
    [
        "Without 1.1 (previous 0.71) accuracy falls from > 99.9 % to 74 %, 26 % less; 1 head has no role.",
        "头 1.1 看前一个",
    ],
)
def test_that_no_line_parts_a_number_from_its_signs_and_no_short_word_is_alone_in_the_last(
    said: str, qtbot: QtBot
) -> None:
    label = caption(said, wraps=True, plain=True)
    qtbot.addWidget(label)
    broken = [lines_in(label, width) for width in range(120, 600, 3)]
    assert max(map(len, broken)) > (3 if said.isascii() else 0)
    for lines in broken:
        assert not any(line.startswith("%") or line.rstrip().endswith(">") for line in lines)
        assert len(lines) == 1 or len(lines[-1]) >= len("has no role.")
    assert label.text() == said
