"""The page of policies: four runs beside the spec's own, drawn from their own tensors; nothing of the spec changes."""

from typing import Any

import numpy as np
import pytest
from attention_hands import cell_levels, diverging, press_page, stage_of, symmetric, table_of
from eyes import cell_of, colours_of, ground, heatmap_colours, inside, look
from fake_engine import FakeEngine
from hands import Hands
from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QColor
from small_specs import attention, independent_trace
from windows import At, Opener, Settle

from attnviz.definitions.text import Text
from attnviz.experiment.colours import NOT_FINITE, quantise
from attnviz.experiment.labs import Spec
from attnviz.experiment.run import Failure
from attnviz.gui.run.mailbox import Arrival
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

LENGTHS = ((0, 2, 3), (1, 0, 4))
SPEC = attention(valid_lens=LENGTHS, seed=5)


def beside(spec: Spec) -> list[Spec]:
    """The four specs of the page, written out."""
    values = spec.model_dump()
    full = [attention(**values | {"mask_policy": policy, "upcast": True}) for policy in ("zero", "book", "inf")]
    return [*full, attention(**values | {"mask_policy": "book", "dtype": "float16", "upcast": False})]


def page_of(window: MainWindow) -> Any:
    return stage_of(window).pages.pages["policies"]


def wait_for_runs(window: MainWindow, hands: Hands, timeout: int = 5000) -> None:
    """Wait until the page shows the runs beside the current spec."""
    page = page_of(window)
    hands.qtbot.waitUntil(lambda: not window.runner.busy and not page.wanted(), timeout=timeout)
    QCoreApplication.processEvents()


def opened(window: MainWindow, hands: Hands) -> MainWindow:
    press_page(window, "policies", hands)
    wait_for_runs(window, hands)
    return window


def check_page(window: MainWindow, spec: Spec, head: int = 0, query: int = 2, item: int = 0) -> None:
    """Check every pixel of the four heatmaps and of the outputs below them against runs of their own."""
    table = table_of(window, "weights")
    for column, own in zip(page_of(window).columns, beside(spec), strict=True):
        trace = independent_trace(own)
        levels = cell_levels(trace, "weights", item)[head]
        assert column.heatmap.isVisible()
        assert (heatmap_colours(column.heatmap, levels.shape) == colours_of(table, levels)).all()
        output = trace.heads[item, head, query]
        finite = output[np.isfinite(output)]
        of_output = symmetric(output) if finite.size else quantise(output, None, -1.0, 1.0)
        seen, area = look(column.strip), QRectF(column.strip.rect()).adjusted(0, 1, 0, -1)
        cells = [ground(seen, cell_of(area, (1, len(output)), 0, at)) for at in range(len(output))]
        assert cells == colours_of(diverging(window), of_output).tolist()
        total = trace.weights[item, head, query].sum(dtype=float)
        said = "Σ NaN" if np.isnan(total) else f"Σ {total:.3f}"
        assert column.said.text().startswith(f"query {query + 1}: {said}")


def test_that_opening_the_page_runs_the_policies_and_changes_neither_spec_nor_undo_nor_trace(
    on: At, hands: Hands
) -> None:
    window = on(SPEC)
    controller = window.controller
    before = controller.spec, controller.shown, window.runner.generation, stage_of(window).trace
    opened(window, hands)
    after = controller.spec, controller.shown, window.runner.generation, stage_of(window).trace
    assert all(one is other or one == other for one, other in zip(before, after, strict=True))
    assert after[1] is before[1] is after[3]
    assert controller.undo_stack.count() == 0
    check_page(window, SPEC)


@pytest.mark.parametrize("chosen", [Selection(1, 0), Selection(0, 1, 2), Selection(1, 2)], ids=str)
def test_that_the_chosen_head_and_query_are_shown_in_all_four(chosen: Selection, on: At, hands: Hands) -> None:
    window = opened(on(SPEC), hands)
    window.room.selection.lock(chosen)
    QCoreApplication.processEvents()
    check_page(window, SPEC, chosen.head, chosen.query or 0)


@pytest.mark.parametrize(
    "spec",
    [
        attention(mechanism="additive", valid_lens=(0, 4)),
        attention(mechanism="dot_product", dtype="float64", painted="1: 0-3"),
        attention(dtype="bfloat16", valid_lens=LENGTHS, mask_policy="inf"),
        attention(dtype="float16", upcast=False, valid_lens=LENGTHS),
    ],
    ids=lambda spec: f"{spec.mechanism} {spec.dtype}",
)
def test_that_every_mechanism_and_precision_has_its_four_runs(spec: Spec, on: At, hands: Hands) -> None:
    window = opened(on(spec), hands)
    check_page(window, spec)


def test_that_rows_without_a_valid_key_part_and_nan_is_crossed(on: At, hands: Hands) -> None:
    window = opened(on(SPEC), hands)
    window.room.selection.lock(Selection(0, 0))
    QCoreApplication.processEvents()
    columns = page_of(window).columns
    sums = [column.said.text().split(",")[0] for column in columns]
    assert sums == ["query 1: Σ 0.000", "query 1: Σ 1.000", "query 1: Σ NaN", "query 1: Σ NaN"]
    cross = QColor(window.look.theme.window).rgb() & 0xFFFFFF
    own = int(colours_of(table_of(window, "weights"), np.array(NOT_FINITE)))
    for place, column in enumerate(columns):
        seen = look(column.heatmap)
        for query, key in np.ndindex(3, 4):
            cell = inside(seen, column.heatmap.rect_of(query, key))
            is_crossed = own in cell and cross in cell
            assert is_crossed == (place >= 2 and query == 0)


def test_that_all_agree_where_a_key_is_valid_and_the_sentence_says_how_closely(on: At, hands: Hands) -> None:
    window = opened(on(SPEC), hands)
    traces = [independent_trace(spec) for spec in beside(SPEC)[:3]]
    valid = traces[0].mask.any(axis=-1)
    apart = max(float(np.abs(traces[0].weights[valid] - trace.weights[valid]).max()) for trace in traces[1:])
    assert apart <= 1e-6
    sentence = page_of(window).words
    assert sentence.startswith("1 of 3 rows have no valid key.")
    assert sentence.endswith(f"the largest difference is {apart:.1g}.")


def test_that_policies_which_differ_where_a_key_is_valid_are_not_said_to_agree(on: At, hands: Hands) -> None:
    low = attention(num_queries=4, causal=True, self_attention=True, temperature=1e-7, scaled=False)
    sentence = page_of(opened(on(low), hands)).words
    assert "agree" not in sentence
    assert "the first three differ by up to 1: a fill of −1e6 is not far below their scores." in sentence


def test_that_the_sentence_follows_the_batch_item_and_says_where_there_is_nothing_to_see(
    on: At, hands: Hands, settle: Settle
) -> None:
    window = opened(on(attention(valid_lens=(4, 0))), hands)
    assert page_of(window).words.startswith("Every query has a valid key.")
    stage_of(window).tools.items.setCurrentIndex(1)
    assert page_of(window).words.startswith("3 of 3 rows have no valid key.")


def test_that_a_knob_turned_while_the_page_is_open_brings_the_runs_of_the_new_spec(
    on: At, hands: Hands, settle: Settle
) -> None:
    window = opened(on(SPEC), hands)
    hands.toggle(window.room.form.editor("causal"))
    settle(window)
    wait_for_runs(window, hands)
    check_page(window, attention(**SPEC.model_dump(exclude_unset=True) | {"causal": True}))
    assert window.controller.undo_stack.count() == 1
    hands.type(window.room.form.editor("num_queries"), "2")
    settle(window)
    wait_for_runs(window, hands)
    check_page(window, window.controller.spec, query=1)


def test_that_a_late_answer_of_an_older_spec_never_replaces_the_new_one(
    open_window: Opener, engine: FakeEngine, hands: Hands, settle: Settle
) -> None:
    window, newer = open_window(SPEC), attention(valid_lens=LENGTHS, seed=6)
    accepted: list[Any] = []
    window.controller.beside_accepted.connect(accepted.append)
    engine.hold_run_of(lambda: press_page(window, "policies", hands), hands.qtbot, deaf=True)
    window.controller.propose(newer)
    engine.let_go()
    settle(window)
    wait_for_runs(window, hands)
    older = tuple(independent_trace(spec) for spec in beside(SPEC))
    window.runner.arrived.emit(Arrival(window.runner.generation - 1, None, finished=True, beside=older))
    assert [[event.spec for event in events] for events in accepted] == [beside(newer)]
    check_page(window, newer)


def test_that_only_the_open_page_asks_for_runs_and_for_none_that_it_shows(
    open_window: Opener, engine: FakeEngine, hands: Hands, settle: Settle
) -> None:
    window = opened(open_window(SPEC), hands)
    assert engine.asked == [SPEC, *beside(SPEC)]
    press_page(window, "stages", hands)
    press_page(window, "policies", hands)
    wait_for_runs(window, hands)
    assert len(engine.asked) == 5
    press_page(window, "stages", hands)
    newer = attention(valid_lens=LENGTHS, seed=6)
    window.controller.propose(newer)
    settle(window)
    hands.qtbot.wait(100)
    assert engine.asked[5:] == [newer]
    opened(window, hands)
    assert engine.asked[6:] == beside(newer)


def test_that_a_failing_run_says_why_in_its_place(
    open_window: Opener, engine: FakeEngine, hands: Hands, settle: Settle
) -> None:
    engine.wrong = lambda spec: Failure(spec, "run_failed", Text("no half here")) if spec.dtype == "float16" else None  # type: ignore[union-attr]
    window = opened(open_window(SPEC), hands)
    *full, half = page_of(window).columns
    assert "no half here" in half.said.text()
    assert not half.heatmap.isVisible()
    assert all(column.heatmap.isVisible() for column in full)
    engine.wrong = lambda _spec: None
    newer = attention(valid_lens=LENGTHS, seed=6)
    window.controller.propose(newer)
    settle(window)
    wait_for_runs(window, hands)
    check_page(window, newer)


def test_that_the_page_opens_at_an_item_that_its_older_runs_have_not(on: At, hands: Hands, settle: Settle) -> None:
    window = opened(on(attention(batch_size=1)), hands)
    press_page(window, "stages", hands)
    window.controller.propose(attention(batch_size=3, seed=7))
    settle(window)
    stage_of(window).tools.items.setCurrentIndex(2)
    with hands.qtbot.capture_exceptions() as wrong:
        press_page(window, "policies", hands)
    assert not wrong
    wait_for_runs(window, hands)
    check_page(window, attention(batch_size=3, seed=7), item=2)
