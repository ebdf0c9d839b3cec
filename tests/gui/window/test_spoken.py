"""What a screen reader says: the buttons by what stands on them, and what the window tells."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eyes import name_of
from hands import Hands
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QToolButton
from small_specs import attention, independent_trace, regression, training

from attnviz.experiment.attention.stages import stages_of
from attnviz.experiment.labs import Spec
from attnviz.experiment.regression.estimators import Overlay
from attnviz.gui.labs.attention import formulas as attention_formulas
from attnviz.gui.labs.attention.formulas import formula_of
from attnviz.gui.plots.matrix.colour_table import colour_table
from attnviz.gui.theme import LIGHT
from attnviz.gui.window.main_window import MainWindow

At = Callable[[Spec], MainWindow]

SPECS = {
    "attention": attention(valid_lens=(3, 2)),
    "regression": regression(overlays=(Overlay(estimator="average"),)),
    "training": training(),
}


@pytest.mark.parametrize("kind", SPECS)
def test_that_every_button_in_sight_is_called_what_stands_on_it(kind: str, at: At) -> None:
    buttons = [it for it in at(SPECS[kind]).findChildren(QAbstractButton) if it.isVisible()]
    assert len(buttons) > 20
    other = [(it.text(), name_of(it)) for it in buttons if _words(it.text()) not in _words(name_of(it))]
    assert other == []


def test_that_buttons_of_one_field_are_told_apart(at: At) -> None:
    editor = at(SPECS["attention"]).room.form.editor("valid_lens")
    assert editor.below is not None
    names = [name_of(it) for it in editor.below.findChildren(QToolButton)]
    assert names == [f"{editor.accessibleName()}: {text}" for text in ("Equal", "Random", "Staircase")]


def test_that_run_is_called_pause_while_a_training_goes_on(at: At, hands: Hands) -> None:
    window = at(regression())
    (button,) = [it for it in window.top_bar.findChildren(QToolButton) if name_of(it) == "Run"]
    assert button.toolTip() == "Run (Ctrl+R)"
    window.controller.set_pace(1)
    window.controller.propose(training(epochs=1000))
    hands.qtbot.waitUntil(lambda: name_of(button) == "Pause")
    assert button.toolTip() == "Pause (Ctrl+R)"
    window.controller.stop()
    hands.qtbot.waitUntil(lambda: name_of(button) == "Run")
    assert button.toolTip() == "Run (Ctrl+R)"


def test_that_undo_is_called_what_it_undoes(used_window: MainWindow, hands: Hands) -> None:
    hands.slide(used_window.room.form.editor("seed"), Qt.Key.Key_Right)
    assert "Undo Seed 0 → 1" in [name_of(it) for it in used_window.top_bar.findChildren(QToolButton)]


@pytest.mark.parametrize("active", [True, False])
def test_that_a_notice_is_said_where_somebody_listens(
    active: bool, used_window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[Any] = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: active)
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: said.append(event.message()))
    used_window.say("The picture is of the last good run.")
    used_window.notice.hide()
    assert said == (["The picture is of the last good run."] if active else [])


@pytest.mark.parametrize(
    "spec",
    [
        attention(dropout=0.5, training=True, temperature=2.0),
        attention(scaled=False, mask_policy="book"),
        attention(mask_policy="book", dtype="float16"),
        attention(mechanism="additive", temperature=2.0),
        attention(mechanism="dot_product"),
    ],
)
def test_that_formulas_are_spoken_in_the_language_of_the_window(spec: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention_formulas, "translate", lambda text: f"<{text}>")
    trace: Any = independent_trace(spec)
    spoken = [formula_of(trace, stage)[1] for stage in stages_of(spec)]
    assert [said for said in spoken if not re.fullmatch("(<[^<>]+>)+", said)] == []


def test_that_one_head_is_one_head(at: At) -> None:
    stage: Any = at(attention(num_heads=2)).room.stage
    assert stage.grid.accessibleDescription() == "2 heads"
    stage.grid.show_heads(np.zeros((1, 2, 2), np.uint8), None, colour_table("viridis", LIGHT))
    assert stage.grid.accessibleDescription() == "1 head"


def _words(text: str) -> str:
    """Return the letters and digits of a text; signs such as a cross are not read out."""
    return " ".join("".join(each if each.isalnum() else " " for each in text.casefold()).split())
