"""Words in a narrow column: Latin letters run upwards, Chinese signs stay upright."""

import numpy as np
import pytest
from eyes import Colours, look, pixels
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontDatabase, QImage, QPainter
from pytestqt.qtbot import QtBot

from attnviz.gui.theme import LIGHT, Look
from attnviz.gui.widgets.columns import column_height, draw_in_column
from attnviz.gui.window.side_panel import Rail

BAR = "一"  # one level stroke


def ink(picture: Colours) -> tuple[int, int]:
    """Return the width and height of what is drawn on a plain ground."""
    rows, columns = np.nonzero(picture != picture[-1, -1])
    assert len(rows)
    return int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


@pytest.fixture
def _signs(qtbot: QtBot) -> None:
    if not QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese):
        pytest.skip("no font has Chinese signs")


@pytest.mark.usefixtures("_signs")
@pytest.mark.parametrize("at_top", [False, True])
def test_that_a_chinese_sign_is_upright_and_a_latin_one_turned(at_top: bool) -> None:
    for text, is_wide in ((BAR, True), ("\u2014", False)):
        image = QImage(40, 60, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        with QPainter(image) as painter:
            painter.setFont(Look(LIGHT).font("large"))
            height = column_height(text, painter.fontMetrics())
            draw_in_column(painter, QRect(5, 5, 30, 50), text, at_top=at_top)
        width, high = ink(pixels(image))
        assert (width > 2 * high) is is_wide
        rows = np.nonzero((pixels(image) != 0xFFFFFF).any(axis=1))[0]
        assert (rows.max() <= 5 + height) if at_top else (rows.min() >= 54 - height)


@pytest.mark.usefixtures("_signs")
def test_that_the_chinese_name_of_a_folded_panel_is_upright(qtbot: QtBot) -> None:
    rail = Rail(BAR, at_left=True)
    qtbot.addWidget(rail)
    rail.restyle(Look(LIGHT))
    rail.resize(28, 200)
    width, height = ink(look(rail)[30:, 1:-1])
    assert width > 2 * height
