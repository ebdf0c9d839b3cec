"""Inside kernel regression: each stage's picture, header and cell are the trace's, and stepping computes nothing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours
from hands import Hands
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot
from regression_hands import stage_of
from small_specs import independent_run, independent_trace, regression, training
from windows import At, Opener, Settle

from attnviz.experiment.colours import DIVERGING
from attnviz.experiment.labs import Spec
from attnviz.experiment.regression.cell import regression_cell
from attnviz.experiment.regression.view_settings import STAGES
from attnviz.gui.labs.regression.inspector import steps_of
from attnviz.gui.labs.regression.pictures import header_of
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.widgets.formula_view import set_formula
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

KINDS = {
    "average": regression(estimator="average"),
    "gaussian": regression(width=0.5),
    "narrow": regression(width=0.01),
    "boxcar": regression(kernel="boxcar", width=0.15),
    "epanechnikov": regression(kernel="epanechnikov", width=0.4),
    "constant": regression(kernel="constant"),
    "learned": training(),
}
LEVELS = {
    "differences": "difference_levels",
    "kernel": "kernel_levels",
    "weights": "contrast_levels",
    "pooling": "contribution_levels",
}


@pytest.fixture
def on(at: At) -> At:
    """Return a function that shows a spec with the stage of the weights, nothing held."""

    def show(spec: Spec) -> MainWindow:
        window = at(spec)
        stage_of(window).strip.go_to("weights")
        return window

    return show


def inspector_of(window: MainWindow) -> Any:
    return window.rooms["regression"].inspector


def press(window: MainWindow, stage: str, hands: Hands) -> None:
    """Click a stage's button."""
    (button,) = [it for it in stage_of(window).strip.findChildren(QToolButton) if it.text() == stage]
    hands.qtbot.mouseClick(button, hands.left)


@pytest.mark.parametrize("kind", KINDS)
def test_that_every_cell_of_a_stage_has_the_colour_of_the_traces_number(kind: str, on: At, hands: Hands) -> None:
    window, trace = on(KINDS[kind]), independent_trace(KINDS[kind])
    window.room.selection.lock(Selection(0, 0))
    for stage in STAGES:
        press(window, stage, hands)
        levels = getattr(trace, LEVELS[stage])
        diverging = colour_table(DIVERGING, window.look.theme)
        table = diverging if stage in ("differences", "pooling") else stage_of(window).weight_table
        seen = heatmap_colours(stage_of(window).heatmap, levels.shape)
        # The frame of the chosen row, the first, reaches into the second where rows are a few pixels high.
        right = (seen == colours_of(table, levels))[2:]
        # In the middle of a row without a point in reach words may say so.
        columns = np.arange(levels.shape[1])
        right[np.ix_(trace.empty_rows[2:], abs(columns - columns.mean()) < len(columns) / 4)] = True
        assert right.all(), stage


@pytest.mark.parametrize(
    ("stage", "ends", "word"),
    [
        ("differences", lambda trace: (-np.abs(trace.differences).max(), np.abs(trace.differences).max()), "x − xᵢ"),
        ("kernel", lambda _: (0.0, 1.0), "K(u)"),
        ("weights", lambda trace: (0.0, trace.weights.max()), "weight"),
        (
            "pooling",
            lambda trace: (-np.abs(trace.contributions).max(), np.abs(trace.contributions).max()),
            "weight × yᵢ",
        ),
    ],
)
def test_that_the_colour_bar_says_what_the_colours_stand_for(
    stage: str, ends: Callable[[Any], tuple[float, float]], word: str, on: At, hands: Hands
) -> None:
    window, trace = on(KINDS["gaussian"]), independent_trace(KINDS["gaussian"])
    press(window, stage, hands)
    low, _, high, *caption = stage_of(window).bar.accessibleDescription().split(" ")
    assert (float(low), float(high)) == pytest.approx(ends(trace), rel=0.005)
    assert " ".join(caption).startswith(word)


def test_that_the_contrast_is_offered_where_it_acts(on: At, hands: Hands) -> None:
    window = on(regression())
    for stage in STAGES:
        press(window, stage, hands)
        assert stage_of(window).contrast.isVisibleTo(stage_of(window)) is (stage == "weights")


def test_that_the_sums_beside_the_contributions_are_the_predictions(
    on: At, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, trace = on(KINDS["boxcar"]), independent_trace(KINDS["boxcar"])
    shown: list[Any] = []
    monkeypatch.setattr(stage_of(window).heatmap, "show_matrix", lambda matrix, _: shown.append(matrix))
    for stage in STAGES:
        press(window, stage, hands)
    *others, pooling = shown
    assert all(matrix.row_sums is None for matrix in others)
    reached = np.isfinite(trace.y_hat)
    np.testing.assert_array_equal(pooling.row_sums, trace.y_hat)
    np.testing.assert_allclose(pooling.values.sum(axis=-1)[reached], trace.y_hat[reached], rtol=1e-12)
    np.testing.assert_array_equal(pooling.empty_rows, ~reached)
    assert pooling.empty_rows.any()


def test_that_stepping_asks_the_engine_for_nothing_and_keeps_the_trace(on: At, hands: Hands, qtbot: QtBot) -> None:
    window = on(regression())
    stage, generation, shown = stage_of(window), window.runner.generation, window.controller.shown
    for name in (*STAGES, *reversed(STAGES)):
        press(window, name, hands)
        assert stage.strip.stage == name
    qtbot.wait(30)
    assert window.runner.generation == generation
    assert window.controller.shown is shown
    assert stage.trace is shown


def test_that_left_and_right_step_through_the_stages_and_stop_at_the_ends(on: At, hands: Hands) -> None:
    window = on(regression())
    stage = stage_of(window)
    stage.strip.setFocus()
    seen = []
    for key in [Qt.Key.Key_Left] * 3 + [Qt.Key.Key_Right] * 4:
        hands.qtbot.keyClick(stage.strip, key)
        seen.append(stage.strip.stage)
    d, k, w, p = STAGES
    assert seen == [k, d, d, k, w, p, p]
    assert stage.heatmap.accessibleName() == "pooling: queries by training points"


def test_that_a_new_trace_is_shown_at_the_stage_that_was_chosen(on: At, at: At, hands: Hands) -> None:
    window = on(regression(width=0.5))
    press(window, "kernel", hands)
    trace = independent_trace(regression(width=0.2))
    at(regression(width=0.2))
    window.room.selection.lock(Selection(0, 0))
    seen = heatmap_colours(stage_of(window).heatmap, trace.kernel_levels.shape)
    assert (seen[2:] == colours_of(stage_of(window).weight_table, trace.kernel_levels)[2:]).all()


def test_that_weights_have_another_map_and_differences_keep_theirs(on: At, hands: Hands) -> None:
    window, trace = on(regression()), independent_trace(regression())
    window.room.selection.lock(Selection(0, 0))
    try:
        window.room.set_map("Reds")
        for stage, name in (("kernel", "Reds"), ("differences", DIVERGING)):
            press(window, stage, hands)
            levels = getattr(trace, LEVELS[stage])
            seen = heatmap_colours(stage_of(window).heatmap, levels.shape)
            assert (seen[2:] == colours_of(colour_table(name, window.look.theme), levels)[2:]).all()
    finally:
        window.room.set_map("viridis")


@pytest.mark.parametrize("stage", STAGES)
def test_that_a_cell_is_read_out_and_held_at_every_stage(stage: str, on: At, hands: Hands) -> None:
    window, trace = on(KINDS["gaussian"]), independent_trace(KINDS["gaussian"])
    press(window, stage, hands)
    heatmap, read_out = stage_of(window).heatmap, stage_of(window).read_out
    hands.click(heatmap, heatmap.rect_of(4, 9))
    said = {
        "differences": f"x − xᵢ = {trace.differences[4, 9]:.4g}",
        "kernel": f"K(u) = {trace.kernel_values[4, 9]:.4g}",
        "weights": f"weight {trace.weights[4, 9]:.4f}",
        "pooling": f"weight × yᵢ = {trace.contributions[4, 9]:.4g}",
    }[stage]
    assert read_out.text().endswith(f"key x = {trace.x_train[9]:.4g}   {said}")
    heatmap.setFocus()
    hands.qtbot.mouseMove(window.top_bar, QPoint(1, 1))
    hands.qtbot.waitUntil(lambda: window.room.selection.current == window.room.selection.locked)
    hands.qtbot.keyClick(heatmap, Qt.Key.Key_Right)
    assert window.room.selection.current == Selection(0, 4, 10)


@pytest.mark.parametrize("kind", KINDS)
def test_that_the_cell_section_has_the_traces_numbers_and_comes_and_goes_with_the_key(kind: str, on: At) -> None:
    window, trace = on(KINDS[kind]), independent_trace(KINDS[kind])
    inspector = inspector_of(window)
    assert not inspector.cell.isVisible()
    window.room.selection.lock(Selection(0, 4, 9))
    assert inspector.cell.isVisible()
    shown = dict(inspector.cell.steps)
    assert tuple(shown.items()) == steps_of(regression_cell(trace, 4, 9), trace.spec.kernel)
    (weight,) = [value for name, value in shown.items() if name.startswith(("weight =", "weight ("))]
    assert weight == f"{trace.weights[4, 9]:.5g}"
    assert shown["yᵢ"] == f"{trace.y_train[9]:.5g}"
    assert shown["weight × yᵢ"] == f"{trace.weights[4, 9] * trace.y_train[9]:.5g}"
    looks = kind not in ("average", "constant")
    assert shown.get("x − xᵢ") == (f"{trace.differences[4, 9]:.5g}" if looks else None)
    heights = [value for name, value in shown.items() if name.startswith(("K(u)", "K,"))]
    assert heights == [f"{trace.kernel_values[4, 9]:.5g}"]
    window.room.selection.release()
    assert not inspector.cell.isVisible()


@pytest.mark.parametrize("kind", KINDS)
def test_that_the_numbers_in_the_cell_section_multiply_out(kind: str, on: At) -> None:
    window, trace = on(KINDS[kind]), independent_trace(KINDS[kind])
    for query, key in np.ndindex(*trace.weights.shape):
        if np.isnan(trace.y_hat[query]):
            continue
        shown = {name: float(value) for name, value in steps_of(regression_cell(trace, query, key), trace.spec.kernel)}
        weight = shown.get("weight = e / Σ e", shown.get("weight = K / Σ K"))
        assert weight is not None
        upper = shown.get("e = exp(score − largest)") if "Σ e of the row" in shown else None
        lower = shown.get("Σ e of the row", shown.get("Σ K of the row"))
        if upper is None:
            (upper,) = [value for name, value in shown.items() if name.startswith("K")]
        assert lower is not None
        assert weight == pytest.approx(upper / lower, rel=2e-4, abs=1e-300)
        assert shown["weight × yᵢ"] == pytest.approx(weight * shown["yᵢ"], rel=2e-4, abs=1e-300)
    assert window.isVisible()


def test_that_a_cell_out_of_reach_says_so(on: At) -> None:
    window, trace = on(KINDS["boxcar"]), independent_trace(KINDS["boxcar"])
    query = int(np.flatnonzero(np.isnan(trace.y_hat))[0])
    window.room.selection.lock(Selection(0, query, 0))
    assert dict(inspector_of(window).cell.steps)["Σ K of the row"] == "0: no point in reach"
    assert dict(inspector_of(window).cell.steps)["weight (policy: Zeros)"] == "0"
    assert stage_of(window).read_out.text().endswith("weight 0")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stage", STAGES)
def test_that_the_header_has_the_numbers_of_the_trace_and_can_be_set(kind: str, stage: str) -> None:
    trace = independent_trace(KINDS[kind])
    header = header_of(trace, stage)
    queries, keys = trace.weights.shape
    assert f"({queries}, {keys})" in header.shapes
    assert header.shapes.count("→") == 1
    assert header.spoken
    assert set_formula(header.latex, "#112233", 15).startswith(b"<svg")
    if stage != "kernel":
        assert str(keys) in header.latex or kind == "average"
    elif kind not in ("average", "constant"):
        assert f"{trace.w_now:.4g}" in header.latex if kind == "learned" else f"/{trace.spec.width:g}" in header.latex


def test_that_while_a_width_is_learned_w_stands_beside_the_formula_which_stays() -> None:
    *unfinished, final = independent_run(training(), untrained_first=True)
    headers = [header_of(trace, "kernel") for trace in unfinished]
    assert len({header.latex for header in headers}) == 1
    assert [f"w = {trace.w_now:.4g}" in header.shapes for trace, header in zip(unfinished, headers, strict=True)] == [
        True
    ] * len(unfinished)
    assert f"{final.w_now:.4g}" in header_of(final, "kernel").latex


def test_that_a_negative_w_is_put_in_brackets() -> None:
    trace = independent_trace(training(w_init=-2.0, learning_rate=0.001))
    assert trace.w_now < 0
    assert f"({trace.w_now:.4g})" in header_of(trace, "kernel").latex


def test_that_the_header_on_screen_is_that_of_the_stage(on: At, hands: Hands) -> None:
    window, trace = on(regression()), independent_trace(regression())
    shown = stage_of(window)
    for stage in STAGES:
        press(window, stage, hands)
        assert shown.shapes.text() == header_of(trace, stage).shapes
        assert shown.formula.accessibleName() == header_of(trace, stage).spoken


def test_that_the_player_steps_to_the_last_stage_and_stops_there(on: At, hands: Hands) -> None:
    window = on(regression())
    stage, generation = stage_of(window), window.runner.generation
    press(window, "differences", hands)
    stage.player.pace.setItemData(0, 0.02)
    stage.player.pace.setCurrentIndex(0)
    try:
        stage.player.toggle()
        hands.qtbot.waitUntil(lambda: not stage.player.playing)
    finally:
        stage.player.pace.setItemData(0, 1.0)
        stage.player.pace.setCurrentIndex(1)
    assert stage.strip.stage == "pooling"
    assert window.runner.generation == generation


def test_that_where_room_is_short_the_strip_has_dots_and_the_chosen_name_is_whole(on: At) -> None:
    window = on(regression())
    stage = stage_of(window)
    try:
        for width in (1280, 1024, 900):
            for part in (window.panels._inspectors, window.panels.notes):
                part.setVisible(width >= 1280)
            window.resize(width, 640)
            QCoreApplication.processEvents()
            buttons = stage.strip.findChildren(QToolButton)
            assert [it.accessibleName() for it in buttons] == list(STAGES)
            named = [it for it in buttons if it.text() != "•"]
            assert [it.text() for it in named] == [it.accessibleName() for it in named]
            assert any(it.isChecked() for it in named)
            assert all(it.width() >= it.fontMetrics().horizontalAdvance(it.text()) for it in buttons)
            assert all(stage.strip.rect().contains(it.geometry()) for it in buttons)
            assert stage.player.isVisible()
    finally:
        for part in (window.panels._inspectors, window.panels.notes):
            part.show()
        window.resize(1280, 800)


def test_that_the_bars_stand_by_weight_or_by_position(on: At, hands: Hands) -> None:
    window, trace = on(regression()), independent_trace(regression())
    window.room.selection.lock(Selection(0, 4))
    inspector = inspector_of(window)
    largest_first = np.argsort(-trace.weights[4], kind="stable")
    assert inspector.bars.keys == tuple(largest_first[:10])
    try:
        hands.qtbot.mouseClick(inspector.order, hands.left)
        assert inspector.bars.keys == tuple(range(len(trace.x_train)))
        assert inspector.order.text() == "sorted by position"
    finally:
        inspector.order.setChecked(False)
    assert inspector.bars.keys == tuple(largest_first[:10])


def test_that_points_of_no_weight_are_counted_below_the_bars(at: At) -> None:
    spec = regression(kernel="boxcar", width=1.0)
    window = at(spec)
    bars = window.rooms["regression"].inspector.bars
    weights = window.controller.shown.weights[window.room.selection.current.query]  # type: ignore[union-attr]
    listed = min(10, int(np.count_nonzero(weights)))
    assert 0 < listed < len(weights)
    assert bars.rest.startswith(f"and {len(weights) - listed} more")


def test_that_every_step_brings_the_colours_of_the_stage_on_screen_and_of_no_other(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(training())
    seen: list[Any] = []
    window.controller.trace_accepted.connect(seen.append)
    stage: Any = window.room.stage
    for shown, name in (("pooling", "pooling"), ("kernel", "kernel"), ("weights", "contrast")):
        stage.strip.go_to(shown)
        seen.clear()
        with qtbot.waitSignal(window.controller.settled):
            window.controller.run_or_pause()
        settle(window)
        kinds = ("differences", "kernel", "weights", "contrast", "pooling")
        assert seen
        for trace in seen:
            assert [kind for kind in kinds if trace.is_prepared(kind)] == [name]
