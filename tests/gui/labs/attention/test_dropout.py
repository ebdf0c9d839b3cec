"""Dropout on screen: what it took and what it left, in the picture, beside it, in the inspector and in the status."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from attention_hands import as_it_opens, assert_panel, inspector_of, press_stage, stage_of, table_of
from eyes import inside, look
from hands import Hands
from PySide6.QtCore import QCoreApplication
from small_specs import attention, independent_trace
from windows import At, Settle

from attnviz.experiment.colours import quantise
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SPEC = attention(mechanism="dot_product", num_queries=6, num_kvpairs=6, dropout=0.5, training=True, seed=1)


@pytest.fixture
def window(at: At, hands: Hands) -> MainWindow:
    """Return a window at the stage of dropout."""
    shown = as_it_opens(at(SPEC))
    press_stage(shown, "dropped_weights", hands)
    QCoreApplication.processEvents()
    return shown


@pytest.fixture
def trace() -> Any:
    return independent_trace(SPEC)


def test_that_a_weight_that_is_kept_keeps_its_colour_under_a_bar_that_holds_all(window: MainWindow, trace: Any) -> None:
    kept = np.where(trace.dropped_weights[0, 0] > 0, trace.weights[0, 0], 0)
    assert trace.dropped_weights.max() > 1, "nothing here would be clipped"
    assert_panel(stage_of(window).heatmap, quantise(kept, None, 0.0, 1.0), table_of(window, "weights"))
    assert stage_of(window).bar.accessibleDescription().startswith("0 .. 2 ")


def test_that_a_dropped_cell_is_told_from_one_whose_weight_is_tiny(window: MainWindow, trace: Any) -> None:
    heatmap = stage_of(window).heatmap
    dropped = (trace.weights[0, 0] > 0) & (trace.dropped_weights[0, 0] == 0)
    crossed = look(heatmap)
    heatmap.show_matrix(replace(heatmap._matrix, dropped=None), table_of(window, "weights"))
    numbered = look(heatmap)
    for q, k in np.ndindex(dropped.shape):
        same = np.array_equal(*(inside(seen, heatmap.rect_of(q, k)) for seen in (crossed, numbered)))
        assert same != dropped[q, k]


def test_that_the_inspector_shows_each_weight_before_and_after(window: MainWindow, trace: Any) -> None:
    dropped = (trace.weights[0, 0] > 0) & (trace.dropped_weights[0, 0] == 0)
    query, key = (int(place) for place in np.argwhere(dropped)[0])
    window.room.selection.lock(Selection(0, query, key))
    assert "dropped" in stage_of(window).read_out.text()
    row = inspector_of(window).row
    before, after = trace.weights[0, 0, query].sum(), trace.dropped_weights[0, 0, query].sum()
    assert row.facts.texts()[0] == f"{before:.4f}, after dropout {after:.4f}"
    by_what_is_pooled = np.argsort(-trace.dropped_weights[0, 0, query], kind="stable")
    assert row.pooled.keys == tuple(by_what_is_pooled[:5])


def test_that_the_status_says_what_rows_sum_to_before_and_after(window: MainWindow, trace: Any) -> None:
    sums = trace.dropped_weights.sum(axis=-1, dtype=np.float64)
    assert f"rows sum to 1.000; {sums.min():.3f} .. {sums.max():.3f} after dropout" in window.status.facts.text()


def test_that_dropout_outside_of_training_is_said_to_do_nothing(at: At, hands: Hands, settle: Settle) -> None:
    window = at(attention(training=False))
    note = window.room.form.editor("dropout").parentWidget().note  # type: ignore[union-attr]
    assert note.isHidden()
    hands.type(window.room.form.editor("dropout"), "0.5")
    settle(window)
    assert "train mode" in note.text()
    assert "eval: dropout does nothing" in window.status.facts.text()
    hands.toggle(window.room.form.editor("training"))
    settle(window)
    assert note.isHidden()
    assert "does nothing" not in window.status.facts.text()


def test_that_runs_with_and_without_dropout_are_compared_under_one_scale(
    window: MainWindow, trace: Any, hands: Hands, settle: Settle
) -> None:
    page = stage_of(window).pages.compare
    stage_of(window).page_buttons.press("compare")
    page.pin_current()
    less = SPEC.model_copy(update={"dropout": 0.2})
    window.controller.propose(less)
    settle(window)
    QCoreApplication.processEvents()
    table = table_of(window, "weights")
    assert_panel(page.pair.a, quantise(trace.dropped_weights[0, 0], None, 0.0, 2.0), table)
    assert_panel(page.pair.b, quantise(independent_trace(less).dropped_weights[0, 0], None, 0.0, 2.0), table)
