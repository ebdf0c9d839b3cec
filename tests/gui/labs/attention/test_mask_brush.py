"""The brush of the mask laboratory: a drag paints cells into the spec, a stroke is one undo, and the rules stay."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attention_hands import beside_the_picture, cell_levels, inspector_of, press_brush, stage_of, stroke, table_of
from eyes import colours_of, heatmap_colours, inside, look
from hands import Hands, part
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from small_specs import attention, independent_trace
from windows import At, Settle

from attnviz.experiment.colours import HIGHEST, LOWEST, MASKED
from attnviz.experiment.fields import painted
from attnviz.gui.run import undo as module
from attnviz.gui.window.main_window import MainWindow

SPEC = attention(num_queries=5, num_kvpairs=6, seed=3)


def paint(window: MainWindow, cells: list[tuple[int, int]], hands: Hands, settle: Settle) -> None:
    """Drag the brush over these cells."""
    heatmap = stage_of(window).heatmap
    stroke(hands, heatmap, [heatmap.rect_of(*cell) for cell in cells])
    settle(window)


def painted_cells(window: MainWindow) -> set[tuple[int, int]]:
    spec: Any = window.controller.spec
    cells = painted.forbidden(spec.painted, spec.num_queries, spec.num_kvpairs)
    return {(int(query), int(key)) for query, key in np.argwhere(cells)}


def assert_forbidden(window: MainWindow, cells: set[tuple[int, int]]) -> None:
    """Check spec, trace and pixels: these cells and no others are painted."""
    assert painted_cells(window) == cells
    trace, expected = window.controller.shown, independent_trace(window.controller.spec)
    np.testing.assert_array_equal(trace.weights, expected.weights)  # type: ignore[union-attr]
    for query, key in cells:
        assert not expected.mask[..., query, key].any()
        assert (expected.weights[..., query, key] == 0).all()
    levels = cell_levels(expected, "weights", 0)[0]
    assert (levels == MASKED).sum() == (~expected.mask[0, 0]).sum()
    heatmap = stage_of(window).heatmap
    seen = look(heatmap)
    assert (heatmap_colours(heatmap, levels.shape, seen) == colours_of(table_of(window, "weights"), levels)).all()
    weights = colours_of(table_of(window, "weights"), np.arange(LOWEST, HIGHEST + 1, dtype=np.uint8))
    for query, key in np.argwhere(~expected.mask[0, 0]):
        cell = inside(seen, heatmap.rect_of(query, key))
        assert len(np.unique(cell)) > 1, "there is no hatching"
        assert not np.isin(cell, weights).any()


def undo(window: MainWindow, settle: Settle) -> None:
    window.actions_["undo"].trigger()
    settle(window)


def test_that_a_drag_forbids_the_cells_it_comes_over(on: At, hands: Hands, settle: Settle) -> None:
    window = on(SPEC)
    press_brush(window, "forbid", hands)
    paint(window, [(1, 1), (1, 2), (2, 2), (3, 2)], hands, settle)
    assert_forbidden(window, {(1, 1), (1, 2), (2, 2), (3, 2)})
    assert window.controller.spec == attention(**SPEC.model_dump(exclude_unset=True) | {"painted": "1: 1-2; 2-3: 2"})


@pytest.mark.parametrize(
    ("ends", "between"),
    [
        ([(0, 0), (4, 4)], {(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)}),
        ([(2, 5), (2, 0)], {(2, key) for key in range(6)}),
        ([(4, 3), (1, 3)], {(query, 3) for query in range(1, 5)}),
        ([(0, 1), (0, 4), (3, 4)], {(0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (3, 4)}),
    ],
)
def test_that_a_fast_drag_paints_the_line_between_two_places(
    ends: list[tuple[int, int]], between: set[tuple[int, int]], on: At, hands: Hands, settle: Settle
) -> None:
    window = on(SPEC)
    press_brush(window, "forbid", hands)
    paint(window, ends, hands, settle)
    assert_forbidden(window, between)


def test_that_strokes_are_not_joined_by_a_line(on: At, hands: Hands, settle: Settle) -> None:
    window = on(SPEC)
    press_brush(window, "forbid", hands)
    paint(window, [(0, 0)], hands, settle)
    paint(window, [(4, 5)], hands, settle)
    assert_forbidden(window, {(0, 0), (4, 5)})


def test_that_allow_takes_paint_away_and_leaves_what_other_rules_forbid(on: At, hands: Hands, settle: Settle) -> None:
    window = on(attention(num_queries=4, num_kvpairs=4, causal=True, painted="2: 0-3; 3: 1"))
    press_brush(window, "allow", hands)
    paint(window, [(2, 1), (2, 3)], hands, settle)
    assert_forbidden(window, {(2, 0), (3, 1)})
    mask = window.controller.shown.mask[0, 0]  # type: ignore[union-attr]
    assert mask[2].tolist() == [False, True, True, False]


@pytest.mark.parametrize("wait", [0.0, 0.4], ids=["fast", "slow"])
def test_that_one_stroke_is_one_step_of_undo_however_long_it_takes(
    wait: float, on: At, hands: Hands, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MERGE_WITHIN_S", 0.1)
    window = on(SPEC)
    press_brush(window, "forbid", hands)
    heatmap = stage_of(window).heatmap
    points = [heatmap.rect_of(1, key).center().toPoint() for key in range(4)]
    hands.qtbot.mousePress(heatmap, hands.left, pos=points[0])
    for point in points[1:]:
        time.sleep(wait)
        hands.drag(heatmap, point)
        settle(window)
    hands.qtbot.mouseRelease(heatmap, hands.left, pos=points[-1])
    assert painted_cells(window) == {(1, key) for key in range(4)}
    assert window.controller.undo_stack.count() == 1
    undo(window, settle)
    assert window.controller.spec == SPEC
    window.actions_["redo"].trigger()
    settle(window)
    assert_forbidden(window, {(1, key) for key in range(4)})


def test_that_two_strokes_in_quick_succession_are_two_steps_of_undo(on: At, hands: Hands, settle: Settle) -> None:
    window = on(SPEC)
    press_brush(window, "forbid", hands)
    for cells in ([(0, 0), (0, 1)], [(3, 3), (3, 4)]):
        paint(window, cells, hands, settle)
    assert window.controller.undo_stack.count() == 2
    undo(window, settle)
    assert_forbidden(window, {(0, 0), (0, 1)})
    undo(window, settle)
    assert_forbidden(window, set())


def test_that_painting_a_painted_cell_again_is_no_step(on: At, hands: Hands, settle: Settle) -> None:
    window = on(attention(**SPEC.model_dump(exclude_unset=True) | {"painted": "1: 1"}))
    press_brush(window, "forbid", hands)
    paint(window, [(1, 1)], hands, settle)
    assert window.controller.undo_stack.count() == 0


def test_that_space_paints_the_held_cell(on: At, hands: Hands, settle: Settle) -> None:
    window = on(SPEC)
    heatmap = stage_of(window).heatmap
    hands.click(heatmap, heatmap.rect_of(1, 2))
    beside_the_picture(window, hands)
    heatmap.setFocus()
    hands.qtbot.keyClick(heatmap, Qt.Key.Key_Space)
    assert window.controller.spec == SPEC  # the pointer paints nothing
    press_brush(window, "forbid", hands)
    hands.qtbot.keyClick(heatmap, Qt.Key.Key_Space)
    hands.qtbot.keyClick(heatmap, Qt.Key.Key_Right)
    hands.qtbot.keyClick(heatmap, Qt.Key.Key_Space)
    settle(window)
    assert_forbidden(window, {(1, 2), (1, 3)})
    assert window.controller.undo_stack.count() == 2
    press_brush(window, "allow", hands)
    hands.qtbot.keyClick(heatmap, Qt.Key.Key_Space)
    settle(window)
    assert_forbidden(window, {(1, 2)})


def test_that_typed_text_and_a_drag_agree(on: At, hands: Hands, settle: Settle) -> None:
    window = on(SPEC)
    editor = window.room.form.editor("painted")
    hands.type(editor, "1: 6, 5; 4-5: 1")
    settle(window)
    assert_forbidden(window, {(0, 4), (0, 5), (3, 0), (4, 0)})
    press_brush(window, "forbid", hands)
    paint(window, [(3, 1), (4, 1)], hands, settle)
    assert window.controller.spec.painted == "0: 4-5; 3-4: 0-1"  # type: ignore[union-attr]
    assert part(editor, QLineEdit).text() == "1: 5-6; 4-5: 1-2"
    assert_forbidden(window, {(0, 4), (0, 5), (3, 0), (3, 1), (4, 0), (4, 1)})


def test_that_a_stroke_begins_upon_the_picture_when_the_typed_text_cannot_be_read(
    on: At, hands: Hands, settle: Settle
) -> None:
    window = on(SPEC)
    editor = window.room.form.editor("painted")
    hands.type(editor, "one: two")
    assert window.room.form.problem("painted")
    press_brush(window, "forbid", hands)
    with hands.qtbot.capture_exceptions() as wrong:
        paint(window, [(1, 1), (1, 2)], hands, settle)
    editor.set_value("")
    assert not wrong
    assert_forbidden(window, {(1, 1), (1, 2)})


def test_that_painting_survives_saving_and_opening_the_spec(
    on: At, hands: Hands, settle: Settle, tmp_path: Path
) -> None:
    window = on(SPEC)
    press_brush(window, "forbid", hands)
    paint(window, [(0, 5), (4, 1)], hands, settle)
    path, spec, cells = tmp_path / "spec.json", window.controller.spec, painted_cells(window)
    window.exporter.save_spec(path)
    hands.qtbot.waitUntil(path.exists)
    window.controller.propose(SPEC)
    settle(window)
    assert_forbidden(window, set())
    window.keeper.open_path(path)
    hands.qtbot.waitUntil(lambda: window.controller.spec == spec)
    settle(window)
    assert window.controller.spec == spec
    assert_forbidden(window, cells)


@pytest.mark.parametrize(("field", "size", "left"), [("num_queries", 3, {(0, 5)}), ("num_kvpairs", 4, {(4, 1)})])
def test_that_smaller_sizes_drop_the_cells_outside_and_undo_brings_them_back(
    field: str, size: int, left: set[tuple[int, int]], on: At, hands: Hands, settle: Settle
) -> None:
    window = on(SPEC)
    press_brush(window, "forbid", hands)
    paint(window, [(0, 5)], hands, settle)
    paint(window, [(4, 1)], hands, settle)
    form = window.room.form
    hands.type(form.editor(field), str(size))
    settle(window)
    assert not form.problem("painted")
    assert_forbidden(window, left)
    undo(window, settle)
    assert_forbidden(window, {(0, 5), (4, 1)})
    assert part(form.editor("painted"), QLineEdit).text() == "1: 6; 5: 2"


def test_that_pointing_names_every_reason_while_brushing(on: At, hands: Hands) -> None:
    window = on(attention(num_queries=4, num_kvpairs=4, causal=True, window=3, painted="0: 0 3"))
    stage = stage_of(window)
    press_brush(window, "forbid", hands)
    for cell, reasons in {
        (0, 0): "masked: painted",
        (0, 1): "masked: causal",
        (0, 3): "masked: causal, outside the window of 3, painted",
        (2, 1): "may attend",
    }.items():
        hands.point(stage.heatmap, stage.heatmap.rect_of(*cell))
        assert stage.read_out.text().endswith(f" · {reasons}")
        assert reasons in dict(inspector_of(window).cell.steps.steps)


def test_that_a_zoomed_picture_does_not_move_under_the_brush_and_no_cell_is_held(
    on: At, hands: Hands, settle: Settle
) -> None:
    window = on(SPEC)
    heatmap = stage_of(window).heatmap
    hands.wheel(heatmap, heatmap.rect_of(2, 2), 3)
    zoomed = heatmap.view.visible
    locked = window.room.selection.locked
    press_brush(window, "forbid", hands)
    first = heatmap.cell_at(heatmap.cells.center())
    stroke(hands, heatmap, [heatmap.rect_of(first.row, first.column), heatmap.rect_of(first.row + 1, first.column)])
    hands.qtbot.mouseDClick(heatmap, hands.left, pos=heatmap.rect_of(first.row, first.column).center().toPoint())
    settle(window)
    assert painted_cells(window) == {(first.row, first.column), (first.row + 1, first.column)}
    assert heatmap.view.visible == zoomed
    assert window.room.selection.locked == locked
    heatmap.view.show_all(heatmap.view.shape)
    heatmap.redraw()
    assert_forbidden(window, {(first.row, first.column), (first.row + 1, first.column)})
    press_brush(window, "", hands)
    stroke(hands, heatmap, [heatmap.rect_of(0, 0), heatmap.rect_of(0, 3)])
    assert painted_cells(window) == {(first.row, first.column), (first.row + 1, first.column)}


def test_that_the_brush_below_painted_is_that_of_the_view_and_the_hint_follows_it_at_once(on: At, hands: Hands) -> None:
    window = on(SPEC)
    stage, form = stage_of(window), window.room.form.editor("painted")
    beside_the_picture(window, hands)
    stage.current_view.propose(page="lines")
    for brush, said in (
        ("forbid", "Drag over cells to forbid them."),
        ("allow", "Drag over cells to allow them again."),
    ):
        form.brushes[brush].click()
        assert stage.view.page == "stages"
        assert stage.tools.brush == brush
        assert stage.read_out.text() == said
        assert [button.isChecked() for button in form.brushes.values()] == [brush == each for each in form.brushes]
    form.brushes["allow"].click()
    assert stage.tools.brush == ""
    assert stage.read_out.text().startswith("Point")
    stage.tools.brushes.press("forbid")
    assert form.brushes["forbid"].isChecked()
    stage.tools.brushes.press("")
