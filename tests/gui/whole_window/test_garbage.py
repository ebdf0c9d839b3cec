"""Python's garbage is collected in the window's thread, no trace outlives its picture, and no reference is lost."""

import gc
import sys
import weakref
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_trace, regression
from windows import At, Opener, Settle

from attnviz.gui.process import GarbageCollector


@pytest.fixture
def _as_it_was() -> Iterator[None]:
    """Leave the collector as the other tests have it."""
    yield
    gc.disable()
    gc.collect()
    gc.freeze()


@pytest.mark.usefixtures("_as_it_was")
def test_that_what_was_passed_over_is_collected_again_in_the_end(qapp: QApplication) -> None:
    collector = GarbageCollector()
    assert not gc.isenabled()
    collector.keep_what_is_loaded()
    assert gc.get_freeze_count() > 0
    collector.close()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


ROUNDS = 400
PICTURES = 60

MORTAL = pytest.mark.skipif(sys.version_info >= (3, 12), reason="None, True and False are immortal since 3.12")


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


@MORTAL
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


@MORTAL
def test_that_traces_and_repaints_lose_no_reference_of_a_constant(at: At) -> None:
    window = at(attention(valid_lens=(3, 2)))
    stage = window.room.stage
    traces = [independent_trace(attention(valid_lens=(3, 2), seed=seed)) for seed in range(4)]

    def repaint() -> None:
        for count in range(PICTURES):
            window.controller.trace_accepted.emit(traces[count % 4])
            stage.grid.grab()
            stage.heatmap.grab()

    repaint()
    assert max(lost(repaint).values()) < PICTURES / 4


def test_that_nothing_keeps_a_trace_that_is_not_shown_any_more(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(regression())
    gc.collect()
    gc.disable()
    try:
        old = weakref.ref(window.controller.shown)
        for width in (0.3, 0.4, 0.5):
            window.controller.propose(regression(width=width))
            settle(window)
        qtbot.waitUntil(lambda: old() is None)
    finally:
        gc.enable()
