"""The page that compares: a pinned run A, this run B, and B − A, each cell in the colour of its number."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from attention_hands import (
    as_it_opens,
    assert_panel,
    beside_the_picture,
    diverging,
    inspector_of,
    press_page,
    press_stage,
    stage_of,
    table_of,
)
from eyes import colours_of, heatmap_colours, inside, look
from hands import Hands
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel
from small_specs import attention, independent_trace
from windows import At, Settle

from attnviz.experiment.colours import NOT_FINITE, quantise
from attnviz.experiment.labs import Spec
from attnviz.gui.plots.matrix.matrix import Matrix
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

A = attention(valid_lens=(3, 2), seed=5)
HINT = "Pin this run as A, then change a setting"


@pytest.fixture
def on(at: At, hands: Hands) -> At:
    """Return a function that shows a spec on the page, nothing pinned."""

    def show(spec: Spec) -> MainWindow:
        window = as_it_opens(at(spec))
        press_page(window, "compare", hands)
        QCoreApplication.processEvents()
        return window

    return show


def page_of(window: MainWindow) -> Any:
    return stage_of(window).pages.compare.pair


def changed(**values: Any) -> Spec:
    return attention(**A.model_dump(exclude_unset=True) | values)


def pin(window: MainWindow, hands: Hands) -> Any:
    page = page_of(window)
    hands.qtbot.mouseClick(page.pin, hands.left)
    return page


def go_on(window: MainWindow, spec: Spec, settle: Settle) -> None:
    window.controller.propose(spec)
    settle(window)
    QCoreApplication.processEvents()


@pytest.fixture
def against(on: At, hands: Hands, settle: Settle) -> Callable[..., tuple[MainWindow, Any]]:
    """Return a function that pins A, changes some values, and returns the window and the page."""

    def show(**values: Any) -> tuple[MainWindow, Any]:
        window = on(A)
        page = pin(window, hands)
        go_on(window, changed(**values), settle)
        return window, page

    return show


def weight_levels(trace: Any, head: int, item: int = 0) -> Any:
    weights, mask = trace.weights[item, head], trace.mask[item, head]
    return quantise(weights, mask | (weights != 0), 0.0, 1.0)


def check_three(window: MainWindow, a: Any, b: Any, head: int = 0, item: int = 0) -> None:
    """Check the pixels of A, B and B − A at the stage of the weights."""
    page, weights = page_of(window), table_of(window, "weights")
    assert_panel(page.a, weight_levels(a, head, item), weights, a.empty_rows[item, head])
    assert_panel(page.b, weight_levels(b, head, item), weights, b.empty_rows[item, head])
    difference = b.weights[item, head].astype(float) - a.weights[item, head]
    mask = a.mask[item, head] | b.mask[item, head] | (difference != 0)
    reach = float(np.abs(difference[np.isfinite(difference)]).max()) or 1.0
    assert page.difference.isVisible()
    assert_panel(page.difference, quantise(difference, mask, -reach, reach), diverging(window))
    assert page.bar.accessibleDescription().startswith(f"{-reach:.3g} .. {reach:.3g} ")


def test_that_one_run_alone_is_b_with_a_hint(on: At) -> None:
    window = on(A)
    page = page_of(window)
    assert_panel(page.b, weight_levels(independent_trace(A), 0), table_of(window, "weights"))
    assert not page.a.isVisible()
    assert not page.difference.isVisible()
    assert page.changes.text().startswith(HINT)
    assert not page.unpin.isEnabled()


def test_that_pinning_compares_a_run_with_itself_and_runs_nothing(on: At, hands: Hands) -> None:
    window = on(A)
    generation = window.runner.generation
    page = pin(window, hands)
    QCoreApplication.processEvents()
    trace = independent_trace(A)
    check_three(window, trace, trace)
    assert page.changes.text() == "A and B are equal."
    assert window.runner.generation == generation
    assert window.controller.spec == A


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"causal": True}, "Causal: off → on"),
        ({"seed": 9, "temperature": 0.25}, "Seed: 5 → 9   Temperature: 1 → 0.25"),
        ({"valid_lens": (4, 0)}, "Valid lengths: (3, 2) → (4, 0)"),
        ({"valid_lens": None, "painted": "0: 1"}, "Valid lengths: (3, 2) → none   Painted: none → 1: 2"),
        ({"mask_policy": "inf", "painted": "1: 0-3"}, "Painted: none → 2: 1-4   Empty row: zero → inf"),
        ({"mask_policy": "book", "painted": "1: 0-3"}, "Painted: none → 2: 1-4   Empty row: zero → book"),
    ],
    ids=str,
)
def test_that_turned_knobs_show_a_b_their_difference_and_what_was_turned(
    values: dict[str, Any], words: str, against: Callable[..., Any]
) -> None:
    window, page = against(**values)
    check_three(window, independent_trace(A), independent_trace(changed(**values)))
    assert page.changes.text().partition("   The masks")[0] == words


def test_that_a_knob_of_the_form_turned_by_hand_becomes_b(on: At, hands: Hands, settle: Settle) -> None:
    window = on(A)
    window.resize(1280, 800)
    page = pin(window, hands)
    hands.toggle(window.room.form.editor("causal"))
    settle(window)
    QCoreApplication.processEvents()
    assert not window.panels.left.folded, "the knob is gone from under the mouse"
    check_three(window, independent_trace(A), independent_trace(changed(causal=True)))
    assert page.changes.text().startswith("Causal: off → on   The masks differ in 3 of 12 cells")


def test_that_a_row_of_nan_is_crossed_in_the_difference_too(against: Callable[..., Any]) -> None:
    window, page = against(mask_policy="inf", painted="1: 0-3")
    colours = heatmap_colours(page.difference, (3, 4))
    assert (colours[1] == colours_of(diverging(window), np.array(NOT_FINITE))).all()
    assert QColor(window.look.theme.window).rgb() & 0xFFFFFF in inside(
        look(page.difference), page.difference.rect_of(1, 1)
    )


@pytest.mark.parametrize(("head", "item"), [(1, 0), (0, 1), (1, 1)])
def test_that_the_head_and_item_chosen_are_compared(head: int, item: int, against: Callable[..., Any]) -> None:
    window, _ = against(seed=9)
    stage_of(window).tools.items.setCurrentIndex(item)
    window.room.selection.lock(Selection(head, 1))
    QCoreApplication.processEvents()
    check_three(window, independent_trace(A), independent_trace(changed(seed=9)), head, item)


MISFITS = {
    "queries": (
        {"num_queries": 5},
        "A has 3 queries and B has 5: rows do not match, so there is no B − A. Queries: 3 → 5",
    ),
    "keys": (
        {"num_kvpairs": 6},
        "A has 4 keys and B has 6: columns do not match, so there is no B − A. Keys: 4 → 6",
    ),
}


@pytest.mark.parametrize("kind", MISFITS)
def test_that_runs_of_other_sizes_are_explained_and_have_no_difference(
    kind: str, settle: Settle, against: Callable[..., Any]
) -> None:
    values, words = MISFITS[kind]
    window, page = against(**values)
    assert page.changes.text().partition("   The masks")[0] == words
    assert not page.difference.isVisible()
    assert not page.bar.isVisible()
    assert_panel(page.a, weight_levels(independent_trace(A), 0), table_of(window, "weights"))
    assert_panel(page.b, weight_levels(independent_trace(changed(**values)), 0), table_of(window, "weights"))
    go_on(window, changed(seed=9), settle)
    check_three(window, independent_trace(A), independent_trace(changed(seed=9)))


@pytest.mark.parametrize(
    ("values", "head", "item", "words"),
    [
        ({"num_heads": 4}, 3, 0, "A has 2 heads and B has 4: head 4 is not in both. Heads: 2 → 4"),
        (
            {"batch_size": 3, "valid_lens": (3, 2, 4)},
            0,
            2,
            "A has 2 batch items and B has 3: item 3 is not in both.",
        ),
    ],
    ids=["head", "item"],
)
def test_that_a_head_or_item_that_is_not_in_both_is_explained_and_only_b_is_drawn(
    values: dict[str, Any], head: int, item: int, words: str, against: Callable[..., Any]
) -> None:
    (window, page), more = against(**values), changed(**values)
    stage_of(window).tools.items.setCurrentIndex(item)
    window.room.selection.lock(Selection(head, 2))
    QCoreApplication.processEvents()
    assert page.changes.text().startswith(words)
    assert (page.a.isVisible(), page.b.isVisible(), page.difference.isVisible()) == (False, True, False)
    assert_panel(page.b, weight_levels(independent_trace(more), head, item), table_of(window, "weights"))
    stage_of(window).tools.items.setCurrentIndex(0)
    window.room.selection.lock(Selection(1, 2))
    QCoreApplication.processEvents()
    check_three(window, independent_trace(A), independent_trace(more), 1)


def test_that_another_mechanism_is_compared_as_far_as_its_heads_go(against: Callable[..., Any]) -> None:
    window, page = against(mechanism="additive")
    check_three(window, independent_trace(A), independent_trace(changed(mechanism="additive")))
    assert page.changes.text().startswith("Module: multi_head → additive")


def test_that_unpinning_leaves_b_alone_and_the_next_pin_is_the_run_on_screen(
    hands: Hands, settle: Settle, against: Callable[..., Any]
) -> None:
    window, page = against(seed=9)
    hands.qtbot.mouseClick(page.unpin, hands.left)
    assert (page.a.isVisible(), page.b.isVisible(), page.difference.isVisible()) == (False, True, False)
    assert page.changes.text().startswith(HINT)
    pin(window, hands)
    go_on(window, A, settle)
    check_three(window, independent_trace(changed(seed=9)), independent_trace(A))
    assert page.changes.text() == "Seed: 9 → 5"


@pytest.mark.parametrize("stage", ["scores", "masked_scores"])
@pytest.mark.parametrize("temperature", [0.25, 4.0])
def test_that_the_scores_of_a_and_b_share_one_scale_and_the_bar_says_it(
    stage: str, temperature: float, on: At, hands: Hands, settle: Settle
) -> None:
    window, other = on(A), changed(temperature=temperature)
    press_stage(window, stage, hands)
    page = pin(window, hands)
    go_on(window, other, settle)
    a, b = independent_trace(A), independent_trace(other)
    reach = float(max(np.abs(a.scores).max(), np.abs(b.scores).max()))
    for heatmap, trace in ((page.a, a), (page.b, b)):
        mask = None if stage == "scores" else trace.mask[0, 0]
        assert_panel(heatmap, quantise(trace.scores[0, 0], mask, -reach, reach), diverging(window))
    difference = b.scores[0, 0].astype(float) - a.scores[0, 0]
    most = float(np.abs(difference).max())
    assert_panel(page.difference, quantise(difference, None, -most, most), diverging(window))
    assert stage_of(window).bar.accessibleDescription().startswith(f"{-reach:.3g} .. {reach:.3g} ")


@pytest.mark.parametrize("where", ["a", "b", "difference"])
def test_that_a_cell_chosen_in_one_picture_is_lit_in_all_three(
    where: str, hands: Hands, against: Callable[..., Any]
) -> None:
    window, page = against(seed=9)
    heatmap = getattr(page, where)
    hands.click(heatmap, heatmap.rect_of(1, 2))
    beside_the_picture(window, hands)
    assert window.room.selection.current == Selection(0, 1, 2)
    assert "query 2 · key 3" in stage_of(window).read_out.text()
    lit = {QColor(window.look.theme.q).rgb() & 0xFFFFFF, QColor(window.look.theme.k).rgb() & 0xFFFFFF}
    for picture in (page.a, page.b, page.difference):
        seen = look(picture)
        place, area = picture.rect_of(1, 2), picture.cells
        column = seen[int(area.bottom()) - 8, int(place.left()) - 2 : int(place.left()) + 3]
        row = seen[int(place.top()) - 2 : int(place.top()) + 3, int(area.left()) + 8]
        assert {int(it) for it in (*column, *row)} & lit == lit


@pytest.mark.parametrize("where", ["a", "b", "difference"])
def test_that_pointing_at_any_picture_reads_out_both_runs_and_their_difference(
    where: str, hands: Hands, against: Callable[..., Any]
) -> None:
    (window, page), other = against(seed=9), changed(seed=9)
    heatmap = getattr(page, where)
    hands.point(heatmap, heatmap.rect_of(1, 2))
    a, b = (float(independent_trace(spec).weights[0, 0, 1, 2]) for spec in (A, other))
    said = f"A {a:.3f}  B {b:.3f}  B − A {b - a:+.3f}".replace("-", "−")
    assert f"weight: {said}" in stage_of(window).read_out.text()
    assert inspector_of(window).cell.compared.text() == said


def test_that_the_sentence_reads_a_b_and_their_difference_by_name(hands: Hands, against: Callable[..., Any]) -> None:
    window, _page = against(seed=6)
    stage = stage_of(window)
    a, b = independent_trace(A), window.controller.shown
    stage._selection.lock(Selection(0, 1, 0))
    first, second = a.weights[0, 0, 1, 0], b.weights[0, 0, 1, 0]
    change = f"{second - first:+.3f}".replace("-", "−")
    said = f"Query 2, key 1: weight {first:.3f} in A, {second:.3f} in B; B − A is {change}."
    assert stage.sentence.text() == said
    stage._selection.lock(Selection(0, 1, None))
    best = [int(each.weights[0, 0, 1].argmax()) + 1 for each in (a, b)]
    same = f"Query 2 gives most to key {best[0]}: "
    other = f"Query 2 gives most to key {best[0]} in A, {a.weights[0, 0, 1].max():.3f}, and to key {best[1]} in B, "
    assert stage.sentence.text().startswith(same if best[0] == best[1] else other)
    window.room.selection.release()


def test_that_the_inspector_says_that_it_takes_b_apart_while_two_runs_are_compared(on: At, hands: Hands) -> None:
    window = on(A)
    pin(window, hands)
    window.room.selection.lock(Selection(0, 1, 2))
    captions = {label.text() for label in inspector_of(window).parent().findChildren(QLabel, "group")}
    assert {"B, QUERY 2, HEAD 1", "B, CELL: QUERY 2, KEY 3"} <= captions
    assert inspector_of(window).summary.startswith("B, ")
    press_page(window, "stages", hands)
    assert inspector_of(window).summary.startswith("Query ")
    assert inspector_of(window).cell.compared.isHidden()


def test_that_a_cell_masked_in_one_run_alone_says_which(hands: Hands, against: Callable[..., Any]) -> None:
    window, page = against(causal=True)
    hands.point(page.b, page.b.rect_of(0, 1))
    assert "A may attend, B masked: " in stage_of(window).read_out.text()


def test_that_runs_that_cannot_be_compared_read_out_b_alone(hands: Hands, against: Callable[..., Any]) -> None:
    (window, page), other = against(num_queries=5), changed(num_queries=5)
    hands.point(page.b, page.b.rect_of(4, 1))
    weight = float(independent_trace(other).weights[0, 0, 4, 1])
    assert f"weight: B {weight:.3f} " in stage_of(window).read_out.text()


def test_that_the_cells_of_the_difference_have_numbers_where_those_of_a_and_b_have(
    on: At, hands: Hands, settle: Settle
) -> None:
    spec = attention(mechanism="dot_product", num_queries=4, num_kvpairs=4, num_hiddens=512, batch_size=1)
    window = on(spec)
    page = pin(window, hands)
    go_on(window, spec.model_copy(update={"scaled": False}), settle)
    for heatmap in (page.a, page.b, page.difference):
        printed = inside(look(heatmap), heatmap.rect_of(2, 3))
        assert len(np.unique(printed)) > 1, heatmap.accessibleName()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.118, "+.12"),
        (-0.725, "-.72"),
        (0.0, ".00"),
        (-0.001, ".00"),
        (1.0, "+1.0"),
        (-0.999, "-1.0"),
        (-12.34, "-12.3"),
        (float("nan"), "NaN"),
    ],
)
def test_that_a_difference_is_written_with_its_sign_and_no_wider_than_a_weight(value: float, text: str) -> None:
    matrix = Matrix(np.zeros((1, 1), np.uint8), np.zeros((1, 1)), None, "q", "k", None, "", "", "", signed=True)
    assert matrix.text_of(value) == text


def test_that_the_cells_in_which_two_masks_differ_are_counted_and_listed(on: At, hands: Hands) -> None:
    square = {"num_queries": 4, "num_kvpairs": 4, "self_attention": True}
    window = on(attention(**square, causal=True))
    pin(window, hands)
    window.controller.propose(attention(**square, causal=True, window=2, painted="1: 1"))
    hands.qtbot.waitUntil(lambda: "differ" in page_of(window).drawn.text, timeout=5000)
    expected = "The masks differ in 4 of 16 cells (query: keys): 2: 2; 3: 1; 4: 1–2."
    assert page_of(window).drawn.text.endswith(expected)
    own = independent_trace(window.controller.spec).mask[0, 0]
    pinned = independent_trace(attention(**square, causal=True)).mask[0, 0]
    assert np.argwhere(own != pinned).tolist() == [[1, 1], [2, 0], [3, 0], [3, 1]]
    window.controller.propose(attention(**square, causal=True, seed=9))
    hands.qtbot.waitUntil(lambda: "differ" not in page_of(window).drawn.text, timeout=5000)
