"""A turned knob is one frame: what it shows is computed, placed and painted once."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.gui.labs import lab_stage
from attnviz.gui.window.main_window import MainWindow

Settle = Callable[[MainWindow], None]


class Paints(QObject):
    """Counts the paint events of widgets."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self.counted: Counter[QObject] = Counter()
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.counted[watched] += event.type() == QEvent.Type.Paint
        return False


@pytest.fixture
def turned(window: MainWindow, settle: Settle, qtbot: QtBot) -> Callable[[], None]:
    """Turns the seed's knob and waits until its picture is painted."""
    knob = window.room.form.editor("seed").findChild(QSpinBox)

    def turn() -> None:
        knob.stepUp()
        settle(window)
        qtbot.wait(50)

    turn()  # a first picture may be placed anew
    return turn


def count_calls(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[None]:
    """Return a list that grows with each call of a function."""
    function, calls = getattr(owner, name), []

    def counted(*args: Any, **options: Any) -> Any:
        calls.append(None)
        return function(*args, **options)

    monkeypatch.setattr(owner, name, counted)
    return calls


def test_that_each_picture_is_painted_once(window: MainWindow, turned: Callable[[], None]) -> None:
    stage, inspector = window.rooms["attention"].stage, window.rooms["attention"].inspector
    pictures = (stage.grid, stage.heatmap, stage.bar, stage.sentence, inspector.row.bars, inspector.row.pooled)
    paints = Paints(*pictures)
    turned()
    assert {picture: paints.counted[picture] for picture in pictures} == dict.fromkeys(pictures, 1)


@pytest.mark.parametrize(
    ("owner", "name"),
    [(lab_stage, "frame_of"), (AttentionSpec, "legal_values"), (AttentionTrace, "weight_facts")],
)
def test_that_the_stage_is_placed_the_form_limited_and_the_facts_are_made_once(
    owner: Any, name: str, turned: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count_calls(monkeypatch, owner, name)
    turned()
    assert len(calls) == 1
