"""A mask defined here, in one record, works everywhere in the window: no file of the project knows it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attention_hands import as_it_opens, cell_levels, inspector_of, press_stage, stage_of, table_of
from eyes import colours_of, heatmap_colours, inside, look, name_of
from hands import Hands, parts
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLabel, QSpinBox, QWidget
from registered import registered
from scripts import run_scripts
from session_hands import saves_to
from small_specs import attention, independent_trace
from windows import Opener, Settle

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.masks import MASKS
from attnviz.definitions.masks.mask import ITSELF, Mask, MaskCode
from attnviz.experiment.colours import HIGHEST, LOWEST
from attnviz.experiment.labs import Spec, spec_to_json
from attnviz.export.document import read_document
from attnviz.gui.layers.words import formula_of
from attnviz.gui.widgets.buttons import Switch
from attnviz.gui.window.main_window import MainWindow

DILATED = Mask(
    name="dilated",
    title="Dilated",
    help="Query i attends to every n-th key, counted from itself.",
    knobs=(NumberKnob(name="n", title="Every", help="How far the keys are apart.", default=2, least=1, greatest=64),),
    allows=lambda knobs, b, h, i, j, xp: (i - j) % knobs["n"] == 0,
    reason="not every {n}th key",
    formula=r"(i - j)\ \mathrm{{mod}}\ {n} = 0",
    spoken="i minus j is a multiple of {n}",
    words="dilated",
    code=lambda knobs: MaskCode(rule=f"(i - j) % {knobs['n']} == 0"),
    keeps=lambda knobs: frozenset({ITSELF}),
    scratch=4,
)
SPEC = attention(num_queries=5, num_kvpairs=6, seed=3)

# The second of two further masks: the trial holds also where there are others.
_registered = registered(MASKS, replace(DILATED, name="other", title="Other"), DILATED)


def named(editor: QWidget, kind: type[Any], name: str) -> Any:
    """Return the part of the editor that a screen reader calls so."""
    (found,) = [each for each in parts(editor, kind) if name_of(each) == name]
    return found


def dilated(n: int, **values: Any) -> Any:
    return attention(num_queries=5, num_kvpairs=6, seed=3, masks={"dilated": {"n": n}}, **values)


@pytest.fixture
def opened(open_window: Opener) -> Callable[[Spec], MainWindow]:
    """Return a function that opens a window on a spec, nothing chosen and nothing to undo."""

    def show(spec: Spec) -> MainWindow:
        window = as_it_opens(open_window(spec))
        window.controller.undo_stack.clear()
        return window

    return show


def allowed(n: int) -> Any:
    return np.array([[(query - key) % n == 0 for key in range(6)] for query in range(5)])


def assert_drawn(window: MainWindow, n: int) -> None:
    """Check the trace against the rule worked out here, and the pixels against the trace: masked cells are hatched."""
    trace: Any = window.controller.shown
    assert trace.spec == window.controller.spec == dilated(n)
    np.testing.assert_array_equal(trace.mask, np.broadcast_to(allowed(n), trace.mask.shape))
    assert ((trace.weights == 0) == ~trace.mask).all()
    heatmap, levels = stage_of(window).heatmap, cell_levels(trace, "weights", 0)[0]
    seen, table = look(heatmap), table_of(window, "weights")
    assert (heatmap_colours(heatmap, levels.shape, seen) == colours_of(table, levels)).all()
    weights = colours_of(table, np.arange(LOWEST, HIGHEST + 1, dtype=np.uint8))
    for query, key in np.argwhere(~allowed(n)):
        cell = inside(seen, heatmap.rect_of(query, key))
        assert len(np.unique(cell)) > 1, "there is no hatching"
        assert not np.isin(cell, weights).any()


def test_that_it_is_turned_on_and_up_in_the_form_drawn_and_undone(opened: Any, hands: Hands, settle: Settle) -> None:
    window = opened(SPEC)
    form = window.room.form
    editor = form.editor("masks")
    assert editor.isVisible()
    assert {"Dilated", "Every"} <= {label.text().replace("&", "") for label in parts(editor, QLabel)}
    hands.qtbot.mouseClick(named(editor, Switch, "Dilated"), hands.left)
    settle(window)
    assert_drawn(window, 2)
    hands.type(named(editor, QSpinBox, "Dilated: Every").parentWidget(), "3")
    settle(window)
    assert_drawn(window, 3)
    undo = window.controller.undo_stack
    assert [undo.text(step) for step in range(2)] == ["Dilated off → on", "Dilated: Every 2 → 3"]
    window.actions_["undo"].trigger()
    settle(window)
    assert_drawn(window, 2)
    assert editor.value() == {"dilated": {"n": 2}}
    window.actions_["undo"].trigger()
    settle(window)
    assert window.controller.spec == SPEC
    assert editor.value() == {}
    np.testing.assert_array_equal(window.controller.shown.weights, independent_trace(SPEC).weights)  # type: ignore[union-attr]


def test_that_a_knob_out_of_its_range_is_explained_at_the_field_and_mended_by_its_link(
    opened: Any, hands: Hands, settle: Settle
) -> None:
    window = opened(dilated(2))
    form = window.room.form
    hands.type(named(form.editor("masks"), QSpinBox, "Dilated: Every").parentWidget(), "99")
    assert form.problem("masks") == "Dilated: Every 99 must be at most 64; nearest: 64"
    form._rows["masks"].message.linkActivated.emit("masks.dilated.n=64")
    settle(window)
    assert window.controller.spec == dilated(64)
    assert not form.problem("masks")


def test_that_the_inspector_and_the_formula_say_why_a_cell_is_masked(opened: Any, hands: Hands) -> None:
    window = opened(dilated(3, causal=True))
    stage = stage_of(window)
    for cell, said in {
        (4, 1): "may attend",
        (4, 2): "masked: not every 3th key",
        (0, 1): "masked: causal, not every 3th key",
    }.items():
        hands.point(stage.heatmap, stage.heatmap.rect_of(*cell))
        assert stage.read_out.text().endswith(f" · {said}")
        assert said in dict(inspector_of(window).cell.steps.steps)
    press_stage(window, "masked_scores", hands)
    latex, spoken = formula_of(stage.trace.layer, "masked_scores")
    assert latex.endswith(r"j \leq i,\ (i - j)\ \mathrm{mod}\ 3 = 0")
    assert spoken == "masked scores become minus infinity unless j is at most i and i minus j is a multiple of 3"


def test_that_its_script_gives_the_numbers_on_screen(opened: Any, hands: Hands, tmp_path: Path) -> None:
    window = opened(dilated(3, valid_lens=[[0, 2, 3, 4, 5], [6, 6, 6, 6, 1]], window=4))
    window.actions_["code"].trigger()
    hands.qtbot.waitUntil(window.dialogs.code.isVisible)
    script = QGuiApplication.clipboard().text()
    window.dialogs.code.reject()
    assert "Its mask: valid lengths, window, dilated." in script
    assert "mask = mask & ((i - j) % 3 == 0)" in script
    left, trace = run_scripts({"mine": script}, tmp_path)["mine"], window.controller.shown
    for name in ("weights", "output"):
        assert left[name].tobytes() == getattr(trace, name).tobytes()


def test_that_figure_numbers_and_session_carry_it_and_the_session_reopens(
    opened: Any, hands: Hands, settle: Settle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(dilated(3))
    figure, numbers, session = (tmp_path / name for name in ("figure.png", "numbers.npz", "mine.attnviz"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(figure), ""))
    window.actions_["figure"].trigger()
    dialog = window.dialogs.figure
    hands.qtbot.waitUntil(dialog.save.isEnabled, timeout=10_000)
    hands.qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    hands.qtbot.waitUntil(figure.exists, timeout=10_000)
    assert read_document(figure).spec == dilated(3)
    dialog.reject()
    window.exporter.save_numbers(numbers)
    hands.qtbot.waitUntil(numbers.exists)
    with np.load(numbers) as arrays:
        np.testing.assert_array_equal(arrays["mask"], np.broadcast_to(allowed(3), arrays["mask"].shape))
        assert str(arrays["spec"]) == dilated(3).model_dump_json()
    saves_to(window, monkeypatch, session)
    window.actions_["save"].trigger()
    hands.qtbot.waitUntil(session.exists)
    window.controller.propose(SPEC)
    settle(window)
    window.keeper.open_path(session)
    hands.qtbot.waitUntil(lambda: window.controller.spec == dilated(3))
    settle(window)
    assert_drawn(window, 3)
    assert spec_to_json(window.controller.spec) == spec_to_json(dilated(3))


def test_that_its_knob_can_be_animated_under_its_title(opened: Any) -> None:
    window = opened(SPEC)
    window.actions_["animation"].trigger()
    choices = window.dialogs.animation.choices
    choices.source.press("sweep")
    choices.field.setCurrentIndex(choices.field.findText("Dilated: Every"))
    choices.field.activated.emit(choices.field.currentIndex())
    assert choices.choice.sweep == "masks.dilated.n=1:8"
    assert choices.frames.text() == "8 frames"
    window.dialogs.animation.reject()
