"""Qt for Python's defect of 6.12.0 (and 6.11.0, 6.11.1): each signal and repaint lost a reference of None or False."""

import gc
import sys
from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, Signal, Slot
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_trace

from attnviz.experiment.labs import Spec
from attnviz.gui.window.main_window import MainWindow

ROUNDS = 400

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 12), reason="None, True and False are immortal since 3.12")


class Speaker(QObject):
    """Speaks to itself."""

    said = Signal(object)
    flagged = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.heard = 0
        self.said.connect(self.hear)
        self.flagged.connect(self.hear)

    @Slot(object)
    def hear(self, _what: object) -> None:
        self.heard += 1


def lost(work: Callable[[], None]) -> dict[str, int]:
    """Return how many references of each constant a piece of work has lost."""
    gc.collect()
    before = {repr(it): sys.getrefcount(it) for it in (None, True, False)}
    work()
    gc.collect()
    return {repr(it): before[repr(it)] - sys.getrefcount(it) for it in (None, True, False)}


def test_that_signals_lose_no_reference_of_a_constant(qtbot: QtBot) -> None:
    speaker = Speaker()

    def speak() -> None:
        for _ in range(ROUNDS):
            speaker.said.emit(None)
            speaker.said.emit(True)
            speaker.flagged.emit(False)

    speak()
    assert max(lost(speak).values()) < ROUNDS / 4
    assert speaker.heard == 6 * ROUNDS


def test_that_traces_and_repaints_lose_no_reference_of_a_constant(at: Callable[[Spec], MainWindow]) -> None:
    window = at(attention(valid_lens=(3, 2)))
    stage = window.room.stage
    traces = [independent_trace(attention(valid_lens=(3, 2), seed=seed)) for seed in range(4)]

    def repaint() -> None:
        for count in range(ROUNDS // 2):
            window.controller.trace_accepted.emit(traces[count % 4])
            stage.grid.grab()
            stage.heatmap.grab()

    repaint()
    assert max(lost(repaint).values()) < ROUNDS / 8
