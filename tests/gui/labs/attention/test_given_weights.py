"""Weights of somebody else's model in the attention room: exactly the file's numbers, and nothing that is not known."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attention_hands import (
    as_it_opens,
    beside_the_picture,
    button_with,
    inspector_of,
    plain,
    press_brush,
    press_page,
    press_stage,
    stage_of,
    stroke,
    table_of,
    weight_said,
)
from eyes import cell_of, colours_of, grid_colours, ground, heatmap_colours, inside, look
from hands import Hands, parts
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLineEdit
from small_specs import SMALL, attention, independent_trace
from windows import At, Settle

from attnviz.experiment.colours import MASKED, NOT_FINITE, quantise
from attnviz.experiment.labs import Spec, make_spec
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

TOKENS = ("<s>", "cat", "\n", "注")
SHOWN = ("<s>", "cat", r"\n", "注")
MASK = np.tril(np.ones((4, 4), bool))


def some_weights() -> np.ndarray[Any, Any]:
    """Return (2, 3, 4, 4) causal weights; item 0's head 3 sums to a half."""
    scores = np.where(MASK, np.random.default_rng(3).normal(size=(2, 3, 4, 4)) * 2, -np.inf)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    weights[0, 2] /= 2
    return weights.astype(np.float32)


W = some_weights()
Given = Callable[..., Spec]
Show = Callable[[Spec], MainWindow]


@pytest.fixture
def given(tmp_path: Path) -> Given:
    """Return a function that saves arrays and gives the spec that shows them."""
    count = iter(range(99))

    def save(**arrays: Any) -> Spec:
        path = tmp_path / f"{next(count)}.npz"
        every = {"weights": W, "mask": MASK, "query_tokens": np.array(TOKENS)} | arrays
        np.savez(path, **{name: np.asarray(array) for name, array in every.items() if array is not None})
        return make_spec({"mechanism": "given", "inputs": {"kind": "file", "path": str(path)}})

    return save


@pytest.fixture
def on(at: At) -> Show:
    """Return a function that shows a spec as the room opens."""

    def show(spec: Spec) -> MainWindow:
        window = as_it_opens(at(spec))
        QCoreApplication.processEvents()
        return window

    return show


def levels_of(weights: Any, mask: Any = MASK) -> Any:
    return quantise(weights, mask | (weights != 0), 0.0, 1.0)


def test_that_every_cell_has_the_colour_of_the_files_own_number(given: Given, on: Show, hands: Hands) -> None:
    window = on(given())
    stage, table = stage_of(window), table_of(window, "weights")
    for item in (1, 0):
        hands.pick_text(stage.tools.items, str(item + 1))
        QCoreApplication.processEvents()
        assert (grid_colours(stage.grid, (4, 4)) == colours_of(table, levels_of(W[item]))).all()
        for head in range(3):
            window.room.selection.lock(Selection(head, 3))
            QCoreApplication.processEvents()
            expected = colours_of(table, levels_of(W[item, head]))
            assert (heatmap_colours(stage.heatmap, (4, 4)) == expected).all()


def test_that_the_large_head_has_its_tokens_and_the_true_sums_of_its_rows(given: Given, on: Show) -> None:
    window = on(given())
    window.room.selection.lock(Selection(2, 3))
    QCoreApplication.processEvents()
    matrix = stage_of(window).heatmap._matrix
    assert tuple(matrix.row_labels) == tuple(matrix.column_labels) == SHOWN
    np.testing.assert_array_equal(matrix.row_sums, W[0, 2].sum(axis=-1, dtype=float))
    assert inspector_of(window).row.facts.texts()[0] == "0.5000"
    assert "rows sum to 0.500 .. 1.000" in window.status.facts.text()


def test_that_given_weights_are_called_ones_own_and_no_changed_preset(given: Given, on: Show) -> None:
    window = on(given())
    window.session_state.open_preset("multi-head-book")  # of which they would be a few changes away
    window.controller.propose(given())
    assert window.top_bar.presets.placeholderText() == window.panels.left.heading.text() == "Your arrays"
    assert window._described().startswith("Your arrays, ")
    window.controller.propose(attention())
    assert window.top_bar.presets.placeholderText() != "Your arrays"


def test_that_the_status_bar_says_what_is_known_of_the_weights(given: Given, on: Show) -> None:
    said = on(given(weights=W.astype(np.float64))).status.facts.text()
    assert said.startswith("given, float64      read ")
    assert not any(word in said for word in ("seed", "eval", "run", "cpu"))


def test_that_cells_which_are_not_a_number_are_crossed_and_counted(given: Given, on: Show) -> None:
    weights = W.copy()
    weights[0, 0, 2, 1] = np.nan
    window = on(given(weights=weights))
    stage = stage_of(window)
    levels = levels_of(weights[0])
    assert levels[0, 2, 1] == NOT_FINITE
    table = table_of(window, "weights")
    cross = colours_of(table, np.array([NOT_FINITE], np.uint8))[0]
    assert ground(look(stage.heatmap), stage.heatmap.rect_of(2, 1)) == cross
    assert cross in inside(look(stage.grid), cell_of(stage.grid.tiles[0], (4, 4), 2, 1))
    assert "rows sum to 0.500 .. 1.000, 1 not a number" in window.status.facts.text()


def test_that_the_strip_has_one_stage_and_nothing_plays(given: Given, on: Show, hands: Hands) -> None:
    window = on(attention(seed=2))
    press_stage(window, "heads", hands)
    window = on(given())
    stage = stage_of(window)
    assert stage.strip.offered == ("weights",)
    assert stage.player.isHidden()
    assert plain(stage.shapes.text()) == "(B, h, Lq, Lk) = (2, 3, 4, 4)"
    assert stage.formula.accessibleName() == "the given weights"
    assert stage.player.isHidden()
    hands.qtbot.keyClick(stage.strip, Qt.Key.Key_Right)
    assert stage.strip.stage == "weights"
    window = on(SMALL)
    assert not stage.player.isHidden()


def test_that_neither_policies_nor_a_brush_are_offered_and_both_come_back(
    given: Given, on: Show, hands: Hands, at: At
) -> None:
    window = on(SMALL)
    press_brush(window, "forbid", hands)
    press_page(window, "policies", hands)
    hands.qtbot.waitUntil(lambda: not window.runner.busy)
    window = at(given())
    tools = stage_of(window).tools
    stage = stage_of(window)
    policies = button_with(stage.page_buttons, "value", "policies")
    assert stage.page_buttons.value == "stages"
    assert stage_of(window).pages.stages.shown is stage_of(window).pages.heads
    assert policies.isHidden()
    assert tools.brushes.isHidden()
    assert tools.brush == ""
    heatmap = stage_of(window).heatmap
    stroke(hands, heatmap, [heatmap.rect_of(1, 0), heatmap.rect_of(2, 1)])
    assert window.controller.spec.painted == ""  # type: ignore[union-attr]
    window = on(SMALL)
    assert not policies.isHidden()
    assert not tools.brushes.isHidden()


def test_that_a_held_cell_says_its_weight_why_it_is_masked_and_that_no_more_is_known(
    given: Given, on: Show, hands: Hands
) -> None:
    window = on(given())
    stage, inspector = stage_of(window), inspector_of(window)
    for cell, state in (((3, 1), "may attend"), ((1, 3), "masked: by the mask that was given")):
        hands.click(stage.heatmap, stage.heatmap.rect_of(*cell))
        (said, empty), (name, number), (unknown, _) = inspector.cell.steps.steps
        assert (said, empty, name) == (state, "", "weight")
        assert float(number) == pytest.approx(W[0, 0][cell], abs=5e-6)
        assert unknown == "How it was computed is not known: the weights were given."
        read = stage.read_out.text()
        assert f"weight {weight_said(W[0, 0][cell], 4)} · {state}" in read
        assert "score" not in read
    assert inspector.cell.terms.isHidden()
    assert inspector.row.pooled.isHidden()
    on(SMALL)
    window.room.selection.lock(Selection(0, 1, 1))
    QCoreApplication.processEvents()
    assert not inspector.cell.terms.isHidden()
    assert not inspector.row.pooled.isHidden()
    assert "= score" in dict(inspector.cell.steps.steps)


def test_that_a_rows_bars_are_its_weights_without_a_column_of_scores(given: Given, on: Show) -> None:
    window = on(given())
    window.room.selection.lock(Selection(1, 3))
    bars = inspector_of(window).row.bars
    assert bars.keys == tuple(np.argsort(-W[0, 1, 3], kind="stable"))
    assert bars._row.scores is None
    np.testing.assert_array_equal(bars._row.weights, W[0, 1, 3])


def test_that_a_token_which_looks_like_markup_is_shown_as_it_is(given: Given, on: Show, hands: Hands) -> None:
    window = on(given())
    stage = stage_of(window)
    hands.click(stage.heatmap, stage.heatmap.rect_of(0, 0))
    assert stage.read_out.textFormat() == Qt.TextFormat.PlainText
    assert "query 1 “<s>”" in stage.read_out.text()
    caption = inspector_of(window)._row_caption
    assert (caption.textFormat(), caption.text()) == (Qt.TextFormat.PlainText, "QUERY “<s>”, HEAD 1")


def test_that_heads_with_masks_of_their_own_are_hatched_each_in_its_own_way(given: Given, on: Show) -> None:
    masks = np.stack([MASK, np.ones((4, 4), bool), ~np.eye(4, dtype=bool)])
    weights = np.where(masks, np.float32(0.25), np.float32(0))
    weights[:, 0, 3] = 0  # allowed in some heads, and without weight in all of them
    window = on(given(weights=weights, mask=masks))
    stage, table = stage_of(window), table_of(window, "weights")
    stage.tools.extremes.setChecked(True)
    QCoreApplication.processEvents()
    grid = look(stage.grid)
    shown = [*masks, masks.any(axis=0), masks.any(axis=0)]
    masked = colours_of(table, np.array([MASKED], np.uint8))[0]
    assert len(stage.grid.tiles) == 5
    for tile, mask in zip(stage.grid.tiles, shown, strict=True):
        cells = [[inside(grid, cell_of(tile, (4, 4), q, k)) for k in range(4)] for q in range(4)]
        hatched = [[len(np.unique(cell)) > 1 for cell in row] for row in cells]
        assert hatched == (~mask).tolist()
        assert [[masked in cell for cell in row] for row in cells] == (~mask).tolist()
    for head, mask in enumerate(masks):
        window.room.selection.lock(Selection(head, 3, 0))
        QCoreApplication.processEvents()
        assert stage.read_out.text().endswith("may attend" if mask[3, 0] else "given")
        assert inspector_of(window).row.facts.texts()[2] == f"{mask[3].sum()} of 4 allowed"
    window.room.selection.lock(Selection(2, 3, 3))
    QCoreApplication.processEvents()
    assert stage.read_out.text().endswith("masked: by the mask that was given")


def test_that_sorting_contrast_and_the_table_of_heads_read_the_given_weights(given: Given, on: Show) -> None:
    window = on(given())
    stage, table = stage_of(window), table_of(window, "weights")
    stage.tools.ranked.setChecked(True)
    stage.contrast.choose("head")
    QCoreApplication.processEvents()
    shares = W[0].astype(float) / W[0].sum(axis=-1, keepdims=True)
    logs = np.where(shares > 0, shares * np.log2(np.where(shares > 0, shares, 1)), 0)
    order = np.argsort(logs.sum(axis=(1, 2)), kind="stable")
    high = W[0].max(axis=(1, 2), keepdims=True)
    expected = quantise(W[0], MASK | (W[0] != 0), 0.0, high)[order]
    assert (grid_colours(stage.grid, (4, 4)) == colours_of(table, expected)).all()
    window.rooms["attention"].inspector.of_layer.heads_fold.expand()
    QCoreApplication.processEvents()
    assert len(inspector_of(window).heads.order) == 3
    window.rooms["attention"].inspector.of_layer.heads_fold.collapse()


def test_that_tab_goes_through_the_heads_while_a_cell_is_held(given: Given, on: Show, hands: Hands) -> None:
    window = on(given())
    stage = stage_of(window)
    hands.click(stage.heatmap, stage.heatmap.rect_of(2, 1))
    stage.heatmap.setFocus()
    for key, chosen in ((Qt.Key.Key_Tab, Selection(1, 2, 1)), (Qt.Key.Key_Down, Selection(1, 3, 1))):
        hands.qtbot.keyClick(stage.heatmap, key)
        beside_the_picture(window, hands)
        assert window.room.selection.locked == chosen


# Compare


def test_that_given_weights_are_compared_with_other_given_ones(given: Given, on: Show, hands: Hands) -> None:
    window = on(given())
    press_page(window, "compare", hands)
    page = stage_of(window).pages.compare.pair
    hands.qtbot.mouseClick(page.pin, hands.left)
    other = np.roll(W, 1, axis=1)
    spec = given(weights=other)
    window.controller.propose(spec)
    hands.qtbot.waitUntil(lambda: window.room.stage.trace.spec == spec and not window.runner.busy)
    QCoreApplication.processEvents()
    difference = other[0, 0].astype(float) - W[0, 0]
    reach = float(np.abs(difference).max())
    levels = quantise(difference, MASK | (difference != 0), -reach, reach)
    assert page.changes.text().startswith("Source: ")
    assert "0.npz" in page.changes.text()
    assert "1.npz" in page.changes.text()
    assert np.array_equal(page.difference._matrix.levels, levels)
    assert len(np.unique(look(page.difference))) > 2
    assert (heatmap_colours(page.a, (4, 4)) == colours_of(table_of(window, "weights"), levels_of(W[0, 0]))).all()


def test_that_pinned_weights_have_no_scores_to_compare_and_the_page_says_so(
    given: Given, on: Show, hands: Hands, settle: Settle
) -> None:
    window = on(given())
    press_page(window, "compare", hands)
    page = stage_of(window).pages.compare.pair
    hands.qtbot.mouseClick(page.pin, hands.left)
    run = attention(num_queries=4, num_kvpairs=4, valid_lens=(3, 2))
    window.controller.propose(run)
    settle(window)
    assert page.difference.isVisible()
    for stage in ("scores", "masked_scores"):
        press_stage(window, stage, hands)
        QCoreApplication.processEvents()
        assert page.changes.text().startswith("A has given weights only, without scores")
        assert not page.a.isVisible()
        assert page.b.isVisible()
        assert not page.difference.isVisible()
    press_stage(window, "weights", hands)
    QCoreApplication.processEvents()
    difference = independent_trace(run).weights[0, 0].astype(float) - W[0, 0]
    np.testing.assert_array_equal(page.difference._matrix.values, difference)


# The form


def test_that_the_way_from_a_module_to_given_weights_and_back_is_open(
    given: Given, window: MainWindow, hands: Hands, settle: Settle
) -> None:
    spec = given()
    form: SpecForm = window.room.form
    hands.pick(form.editor("mechanism"), "given")
    assert window.controller.spec == SMALL
    assert form.editor("inputs").value() == {"kind": "random"}
    assert form.problem("inputs") == "Given weights are read from a file, .npz or .npy."
    hands.pick(form.editor("inputs"), "file")
    assert form.problem("inputs") == "Choose a file of arrays, .npz or .npy."
    assert window.controller.spec == SMALL
    line = parts(form.editor("inputs"), QLineEdit)[0]
    hands.type(line, spec.inputs.path)  # type: ignore[union-attr]
    settle(window)
    assert stage_of(window).trace.weights.tobytes() == W.tobytes()
    visible = {name for name in form.spec.__class__.model_fields if name in form._rows and form._rows[name].isVisible()}
    assert visible == {"mechanism", "inputs"}
    assert form._fold is not None
    assert form._fold.isHidden()
    hands.pick(form.editor("inputs"), "random")
    assert "read from a file" in form.problem("inputs")
    assert stage_of(window).trace.weights.tobytes() == W.tobytes()
    hands.pick(form.editor("mechanism"), "multi_head")
    assert form.problem("inputs") == ""
    settle(window)
    assert window.controller.spec == SMALL
    assert not form._fold.isHidden()


def test_that_a_file_without_weights_leaves_the_last_picture_and_says_why(
    given: Given, on: Show, hands: Hands, tmp_path: Path
) -> None:
    window = on(given())
    before = stage_of(window).trace
    np.savez(tmp_path / "scores.npz", weights=W * 9)
    line = parts(window.room.form.editor("inputs"), QLineEdit)[0]
    hands.type(line, str(tmp_path / "scores.npz"))
    hands.qtbot.waitUntil(lambda: "a weight is in 0..1" in window.notice.text())
    assert str(tmp_path / "scores.npz") in window.notice.text()
    assert stage_of(window).trace is before
