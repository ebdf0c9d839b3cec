"""A turned knob is one frame: what it shows is computed, placed and painted once."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QSpinBox, QWidget
from pytestqt.qtbot import QtBot
from small_specs import training
from trainings import train_spec
from windows import Opener, Settle

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import Spec
from attnviz.experiment.run import Cursor
from attnviz.gui.labs.lab_stage import LabStage
from attnviz.gui.run.background import Background
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow


class Events(QObject):
    """Counts the events of a kind that widgets get."""

    def __init__(self, kind: QEvent.Type, *widgets: QWidget) -> None:
        super().__init__()
        self.counted: Counter[QObject] = Counter()
        self._kind = kind
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.counted[watched] += event.type() == self._kind
        return False


@pytest.fixture
def turned(window: MainWindow, settle: Settle, qtbot: QtBot) -> Callable[[], None]:
    """Turns the seed's knob and waits until its picture is painted."""
    knob = window.room.form.editor("seed").findChild(QSpinBox)

    def turn() -> None:
        knob.stepUp()
        settle(window)
        qtbot.wait(50)

    turn()  # a first picture may be placed anew, and its formula comes after it
    qtbot.waitUntil(lambda: not any(background.busy for background in window.findChildren(Background)))
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
    pictures = (
        stage.grid,
        stage.heatmap,
        stage.sentence,
        inspector.of_layer.row.bars,
        inspector.of_layer.row.pooled,
    )
    paints = Events(QEvent.Type.Paint, *pictures, stage.bar)
    turned()
    assert {picture: paints.counted[picture] for picture in pictures} == dict.fromkeys(pictures, 1)
    assert paints.counted[stage.bar] == 0  # it is the bar of other seeds too


@pytest.mark.parametrize(
    ("owner", "name"),
    [(AttentionSpec, "legal_values"), (AttentionTrace, "weight_facts")],
)
def test_that_the_form_is_limited_and_the_facts_are_made_once(
    owner: Any, name: str, turned: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count_calls(monkeypatch, owner, name)
    turned()
    assert len(calls) == 1


def test_that_rows_that_do_not_move_are_not_placed(turned: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_calls(monkeypatch, LabStage, "_place")
    turned()
    assert calls == []


@pytest.mark.parametrize(
    "spec", [train_spec(steps=24), training(epochs=24, num_heads=2)], ids=["transformer", "kernel widths"]
)
def test_that_a_step_of_a_training_does_not_lay_out_the_inspector(
    spec: Spec, open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(spec)
    inspector: Any = window.room.inspector
    room: Any = window.room
    room.selection.lock(Selection(0, 1, 1))  # its cell is taken apart too
    for step in (9, 10):  # the numbers of a first picture may need more room
        window.controller.seek(Cursor(step=step))
        settle(window)
    qtbot.wait(50)
    layouts = Events(QEvent.Type.LayoutRequest, inspector, inspector.parentWidget())
    for step in (11, 12, 13):
        window.controller.seek(Cursor(step=step))
        qtbot.waitUntil(lambda step=step: window.controller.shown.step == step)
        qtbot.wait(20)
    assert sum(layouts.counted.values()) == 0, layouts.counted
