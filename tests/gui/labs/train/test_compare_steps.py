"""Compare of trainings: another step and another head without leaving the page."""

import numpy as np
import pytest
from attention_hands import assert_panel
from hands import Hands
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from train_hands import STEPS, small_training, stage_of, trace_of
from windows import At, Settle

from attnviz.experiment.colours import quantise
from attnviz.gui.labs.train.compare_steps import CompareSteps
from attnviz.gui.window.main_window import MainWindow


@pytest.fixture
def compare(at: At, settle: Settle) -> CompareSteps:
    """The page in the shared window, on the small training at its end, nothing pinned."""
    stage = stage_of(at(small_training()))
    stage.current_view.propose(page="compare", stage="weights", layer=0, contrast=False)
    settle(stage.window())  # type: ignore[arg-type]
    return stage.pages.compare


def _window(page: CompareSteps) -> MainWindow:
    window = page.window()
    assert isinstance(window, MainWindow)
    return window


def test_that_the_slider_makes_another_step_b_while_a_stays(
    compare: CompareSteps, qtbot: QtBot, settle: Settle
) -> None:
    window = _window(compare)
    compare.pair.pin.click()
    compare.steps.slider.setValue(3)
    qtbot.waitUntil(lambda: trace_of(window).step == 3)
    settle(window)
    assert [each._matrix.title for each in (compare.pair.a, compare.pair.b)] == [f"A: step {STEPS}", "B: step 3"]  # type: ignore[union-attr]
    assert compare.steps.steps.text() == f"3 / {STEPS}"


def test_that_a_head_under_the_mouse_is_large_while_it_is_there_and_a_click_keeps_it(
    compare: CompareSteps, hands: Hands
) -> None:
    window = _window(compare)
    stage, grid = stage_of(window), compare.map.tiles.grid
    trace, table = trace_of(window), stage_of(window).weight_table
    stage.choose_head(0, 0)

    def check_shows(layer: int, head: int) -> None:
        weights = trace.weights[layer, head].astype(float)
        allowed = np.tril(np.ones(weights.shape, bool))
        assert_panel(compare.pair.b, quantise(weights, allowed, 0.0, 1.0), table)

    place = grid.tiles[3].center().toPoint()
    hands.qtbot.mouseMove(grid, place)
    check_shows(1, 1)
    assert stage.view.layer == 0
    QApplication.sendEvent(grid, QEvent(QEvent.Type.Leave))
    check_shows(0, 0)
    hands.qtbot.mouseClick(grid, hands.left, pos=place)
    QApplication.sendEvent(grid, QEvent(QEvent.Type.Leave))
    check_shows(1, 1)
    assert stage.view.layer == 1
