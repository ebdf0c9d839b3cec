"""What undo and redo say they do: the user's own words, first and last value of a drag, kept short."""

from collections.abc import Callable
from typing import Any

import pytest
from hands import Hands
from PySide6.QtCore import Qt
from small_specs import SMALL, attention, regression, training

from attnviz.experiment.labs import Spec
from attnviz.gui.run.undo_text import words_of
from attnviz.gui.window.main_window import MainWindow

At = Callable[[Spec], MainWindow]
Settle = Callable[[MainWindow], None]
POINTS: Any = {"kind": "points", "x": [0, 1], "y": [0, 1]}
MORE: Any = {"kind": "points", "x": [0, 1, 2], "y": [0, 1, 2]}


@pytest.mark.parametrize(
    ("old", "new", "field", "words"),
    [
        (SMALL, attention(num_heads=4), "num_heads", "Heads 2 → 4"),
        (SMALL, attention(num_heads=4, num_hiddens=16, seed=3), "seed", "Seed 0 → 3 and 2 more"),
        (SMALL, attention(causal=True), "causal", "Causal off → on"),
        (SMALL, attention(mechanism="additive"), "mechanism", "Module Multi-head → Additive"),
        (SMALL, attention(valid_lens=(3, 2)), "valid_lens", "Valid lens none → (3, 2)"),
        (SMALL, attention(valid_lens=((1, 2, 3), (1, 2, 3))), "valid_lens", "Valid lens"),
        (SMALL, attention(painted="0: 1"), "painted#3", "Paint the mask"),
        (SMALL, attention(painted="0: 1"), "painted", "Painted none → 0: 1"),
        (SMALL, attention(temperature=0.5), "", "Temperature 1 → 0.5"),
        (SMALL, attention(inputs={"kind": "ones"}), "inputs", "Source Random → All ones"),
        (SMALL, attention(device="cuda:1"), "device", "Device cpu → cuda:1"),
        (SMALL, regression(), "", "Go to Kernel regression"),
        (attention(mechanism="additive"), attention(mechanism="additive", num_heads=4), "", "Heads 2 → 4"),
        (regression(), regression(width=0.25), "width", "Width σ 1 → 0.25"),
        (regression(), regression(kernel="boxcar", width=0.5), "", "Kernel Gaussian → Boxcar and 1 more"),
        (regression(), training(), "estimator", "Weights Fixed width → Learned width and 2 more"),
        (regression(), regression(data={"kind": "synthetic", "n_train": 30, "noise": 0.2}), "data", "Points 12 → 30"),
        (regression(), regression(x_test={"step": 0.25}), "x_test", "Queries: Step 0.5 → 0.25"),
        (regression(data=POINTS), regression(data=MORE), "data#1", "Add a point"),
        (regression(data=MORE), regression(data=POINTS), "data#2", "Delete a point"),
        (regression(), regression(data=POINTS), "data#2", "Delete a point"),
        (regression(data=MORE), regression(data=MORE | {"y": [5, 1, 2]}), "data#3", "Move a point"),
        (regression(), regression(data=MORE), "data", "Points Synthetic → Points"),
        (regression(), regression(overlays=[{"estimator": "average"}]), "overlays", "Overlay"),
    ],
)
def test_that_a_step_is_said_in_the_words_of_the_form(old: Spec, new: Spec, field: str, words: str) -> None:
    assert words_of(old, new, field) == words


def test_that_every_step_is_short() -> None:
    long = attention(
        painted="; ".join(f"{query}: 0-3" for query in range(3)), inputs={"kind": "file", "path": "x" * 900}
    )
    for old, new in ((SMALL, long), (long, attention(inputs={"kind": "file", "path": "y" * 900}))):
        assert len(words_of(old, new)) < 60


def test_that_a_drag_says_its_first_and_last_value(used_window: MainWindow, hands: Hands, settle: Settle) -> None:
    window = used_window
    for _ in range(3):
        hands.slide(window.room.form.editor("seed"), Qt.Key.Key_Right)
    undo, redo = window.actions_["undo"], window.actions_["redo"]
    assert (undo.text(), undo.toolTip()) == ("Undo Seed 0 → 3", "Undo Seed 0 → 3 (Ctrl+Z)")
    undo.trigger()
    assert undo.text() == "Undo"
    assert not undo.isEnabled()
    assert redo.text() == "Redo Seed 0 → 3"
    assert redo.toolTip().startswith("Redo Seed 0 → 3 (")
    settle(window)


def test_that_a_preset_is_named(used_window: MainWindow, hands: Hands, settle: Settle) -> None:
    hands.pick(used_window.top_bar.presets, "many-heads")
    title = used_window.top_bar.presets.currentText()
    assert used_window.actions_["undo"].text() == f"Undo Preset: {title}"
    settle(used_window)


def test_that_a_word_with_an_ampersand_is_no_shortcut(used_window: MainWindow) -> None:
    used_window.controller.propose(attention(seed=1), said="Open this & that.json")
    assert used_window.actions_["undo"].text() == "Undo Open this && that.json"
    assert used_window.actions_["undo"].toolTip() == "Undo Open this & that.json (Ctrl+Z)"
