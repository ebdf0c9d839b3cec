"""The row that chooses a step, in every lab that trains."""

from hands import Hands
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from attnviz.gui.widgets.step_row import StepRow


def test_that_a_press_in_the_groove_looks_at_its_step_or_at_the_last_one_taken(qtbot: QtBot, hands: Hands) -> None:
    row = StepRow()
    qtbot.addWidget(row)
    row.resize(500, 30)
    row.show()
    row.show_step(0, 60, 100)
    looked: list[int] = []
    row.looked.connect(looked.append)
    for share, step in ((0.5, 50), (0.9, 60)):
        qtbot.mousePress(row.slider, hands.left, pos=QPoint(int(share * row.slider.width()), 5))
        assert abs(looked[-1] - step) <= 2
        assert abs(row.slider.value() - 100 * share) <= 2, "the handle stays under the hand"
        qtbot.mouseRelease(row.slider, hands.left, pos=QPoint(int(share * row.slider.width()), 5))
        assert row.slider.value() == 0, "until the step is on screen"
    assert row.steps.text() == "0 / 100"
