"""The strip of stages: what it offers, how it is stepped through and played, every stage drawn from one trace."""

import numpy as np
import pytest
from attention_hands import button_with, check_picture, check_split, diverging, press_stage, stage_of, table_of
from eyes import colours_of, look
from hands import Hands
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_trace
from windows import At, Opener, Settle

from attnviz.experiment.labs import Spec
from attnviz.gui.labs.stage_strip import StageStrip, widths_that_fit
from attnviz.gui.layers.words import formula_of
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

HEADED = ["project", "split", "scores", "masked_scores", "weights", "heads", "merge", "output"]
IN_TRAINING = {"dropout": 0.5, "training": True, "seed": 2}
KINDS: dict[str, Spec] = {
    "dot product": attention(mechanism="dot_product", valid_lens=(3, 2)),
    "additive": attention(mechanism="additive", causal=True, temperature=0.5, query_size=5),
    "multi-head": attention(valid_lens=(3, 2), bias=True, seed=5),
    "causal": attention(mechanism="causal_multi_head", num_kvpairs=3),
    "rotary": attention(mechanism="rotary", valid_lens=(3, 2)),
    "normed": attention(mechanism="rotary", valid_lens=(3, 2), score_steps={"query_key_norm": {}}),
    "capped": attention(valid_lens=(3, 2), score_steps={"softcap": {"cap": 0.7}, "sink": {"logit": 0.5}}),
    "in training": attention(valid_lens=(3, 2), **IN_TRAINING),
    "additive in training": attention(mechanism="additive", **IN_TRAINING),
}
OFFERED = {
    "dot product": ["project", "scores", "masked_scores", "weights", "output"],
    "additive": ["project", "features", "scores", "masked_scores", "weights", "output"],
    "multi-head": HEADED,
    "causal": HEADED,
    "rotary": [*HEADED[:2], "rotate", *HEADED[2:]],
    "normed": [*HEADED[:2], "norm", "rotate", *HEADED[2:]],
    "capped": [*HEADED[:3], "capped_scores", *HEADED[3:]],
    "in training": [*HEADED[:5], "dropped_weights", *HEADED[5:]],
    "additive in training": [
        "project",
        "features",
        "scores",
        "masked_scores",
        "weights",
        "dropped_weights",
        "output",
    ],
}
LEFT, RIGHT, ALT = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier


def buttons_of(window: MainWindow) -> list[QToolButton]:
    found = [it for it in stage_of(window).strip.findChildren(QToolButton) if it.isVisible()]
    return sorted(found, key=lambda it: it.x())


def offered_by(window: MainWindow) -> list[str]:
    return [it.property("stage") for it in buttons_of(window)]


def pressed_in(window: MainWindow) -> list[str]:
    return [it.property("stage") for it in buttons_of(window) if it.isChecked()]


# Which names fit


@given(st.lists(st.integers(20, 150), min_size=1, max_size=9), st.integers(0, 8), st.integers(0, 1200))
def test_that_as_many_names_fit_as_there_is_room_the_nearest_to_the_chosen_one_first(
    sizes: list[int], chosen: int, room: int
) -> None:
    widths = {str(place): size for place, size in enumerate(sizes)}
    chosen %= len(sizes)
    found = widths_that_fit(widths, str(chosen), room, arrow=12, dot=18)
    dots = widths[str(chosen)] + 30 * (len(sizes) - 1)
    if dots > room:
        edges = (0 not in map(int, found)) + (len(sizes) - 1 not in map(int, found))
        assert len(found) == 1 or sum(found.values()) + 12 * (len(found) - 1 + edges) <= room
        assert list(found) == [str(place) for place in range(int(min(found)), int(max(found)) + 1)]
        assert str(chosen) in found
        return
    assert list(found) == list(widths)
    places = [int(name) for name, width in found.items() if width == widths[name]]
    assert chosen in places
    assert places == list(range(places[0], places[-1] + 1))
    assert abs((places[-1] - chosen) - (chosen - places[0])) <= 1 or places[0] == 0 or places[-1] == len(sizes) - 1

    def needed(named: set[int]) -> int:
        return sum(size if place in named else 18 for place, size in enumerate(sizes)) + 12 * (len(sizes) - 1)

    assert len(places) == 1 or needed(set(places)) <= room
    if len(places) < len(sizes):
        beyond = [place for place in (places[0] - 1, places[-1] + 1) if 0 <= place < len(sizes)]
        assert any(needed({*places, place}) > room for place in beyond)


@pytest.mark.parametrize("width", [1400, 420, 300])
def test_that_a_stage_without_room_for_its_name_is_a_dot_that_says_it(width: int, on: At, hands: Hands) -> None:
    window = on(KINDS["multi-head"])
    strip = stage_of(window).strip
    for stage in OFFERED["multi-head"]:
        press_stage(window, stage, hands)
        strip.resize(width, strip.height())
        buttons = buttons_of(window)
        assert strip.sizeHint().width() > width or all(it.text() == it.accessibleName() for it in buttons)
        assert all(it.text() in (it.accessibleName(), "•") for it in buttons)
        assert all(it.toolTip() == it.accessibleName() for it in buttons)
        assert [it.text() for it in buttons if it.isChecked()] == [strip.accessibleDescription().split(",")[0]]
        assert max(it.geometry().right() for it in buttons) < width


# What is offered, and how it is chosen


def test_that_stages_offered_later_stand_in_their_order_and_the_nearest_before_a_missing_one_is_chosen(
    qtbot: QtBot,
) -> None:
    strip = StageStrip({"tokens": "Tokens", "1": "Layer 1", "prediction": "Prediction"}, "tokens")
    qtbot.addWidget(strip)
    titles = ["Tokens", "Layer 1", "Layer 2", "Prediction"]
    strip.offer_all(dict(zip(("tokens", "1", "2", "prediction"), titles, strict=True)))
    assert [each.accessibleName() or each.text() for each in strip.findChildren(QToolButton)] == titles
    strip.go_to("2")
    strip.offer(("tokens", "1", "prediction"))
    assert strip.stage == "1"


def test_that_a_click_on_a_stage_chooses_it_and_only_it(on: At, hands: Hands) -> None:
    window = on(KINDS["in training"])
    for stage in reversed(OFFERED["in training"]):
        press_stage(window, stage, hands)
        press_stage(window, stage, hands)  # a second click does not let it go
        assert pressed_in(window) == [stage] == [stage_of(window).view.stage]


def test_that_arrows_home_and_end_step_through_the_focused_strip_and_stay_at_its_ends(on: At, hands: Hands) -> None:
    window = on(KINDS["multi-head"])
    strip = stage_of(window).strip
    strip.setFocus()
    for key, stage in (
        (RIGHT, "heads"),
        (Qt.Key.Key_End, "output"),
        (RIGHT, "output"),
        (LEFT, "merge"),
        (Qt.Key.Key_Home, "project"),
        (LEFT, "project"),
        (RIGHT, "split"),
    ):
        hands.qtbot.keyClick(strip, key)
        assert pressed_in(window) == [stage]
    assert strip.accessibleDescription() == "split, 2 of 8"


def test_that_alt_and_an_arrow_step_from_anywhere_in_the_window(on: At, hands: Hands) -> None:
    window = on(KINDS["multi-head"])
    seed = window.room.form.editor("seed")
    seed.setFocus()
    hands.qtbot.keyClick(window, RIGHT, ALT)
    assert pressed_in(window) == ["heads"]
    hands.qtbot.keyClick(window, LEFT, ALT)
    hands.qtbot.keyClick(window, LEFT, ALT)
    assert pressed_in(window) == ["masked_scores"]
    assert window.controller.spec == KINDS["multi-head"]


@pytest.mark.parametrize("kind", KINDS)
def test_that_the_strip_offers_what_the_mechanism_does_and_every_stage_is_drawn_from_the_trace_without_a_new_run(
    kind: str, on: At, hands: Hands
) -> None:
    window, expected = on(KINDS[kind]), independent_trace(KINDS[kind])
    assert offered_by(window) == OFFERED[kind]
    assert pressed_in(window) == ["weights"]
    stage = stage_of(window)
    generation, trace = window.runner.generation, stage.trace
    hands.qtbot.keyClick(stage.strip, Qt.Key.Key_Home)
    path = OFFERED[kind] + OFFERED[kind][-2::-1]
    for step, name in zip([None] + [RIGHT] * (len(OFFERED[kind]) - 1) + [LEFT] * (len(path)), path, strict=False):
        if step is not None:
            hands.qtbot.keyClick(stage.strip, step)
        assert pressed_in(window) == [name]
        check_picture(window, expected, name)
    assert window.runner.generation == generation
    assert not window.runner.busy
    assert stage.trace is trace is window.controller.shown


@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_that_the_split_of_each_of_q_k_and_v_is_drawn_from_the_trace(which: str, on: At, hands: Hands) -> None:
    window, trace = on(KINDS["multi-head"]), independent_trace(KINDS["multi-head"])
    press_stage(window, "split", hands)
    hands.qtbot.mouseClick(button_with(stage_of(window).pages.stages.which, "value", which), hands.left)
    heads = getattr(trace, which)
    batch, count, length, size = heads.shape
    check_split(window, heads.transpose(0, 2, 1, 3).reshape(batch, length, count * size), heads)


@pytest.mark.parametrize("kind", ["multi-head", "additive"])
@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_that_one_of_q_k_and_v_is_made_at_a_time(which: str, kind: str, on: At, hands: Hands) -> None:
    window, trace = on(KINDS[kind]), independent_trace(KINDS[kind])
    press_stage(window, "project", hands)
    hands.qtbot.mouseClick(button_with(stage_of(window).pages.stages.which, "value", which), hands.left)
    check_picture(window, trace, "project", split=which)
    assert stage_of(window).view.split == which
    assert f"X}}_{which}" in formula_of(trace.layer, "project", which)[0]


def test_that_a_number_of_a_product_is_made_of_the_row_and_column_that_are_marked(on: At, hands: Hands) -> None:
    window, trace = on(KINDS["multi-head"]), independent_trace(KINDS["multi-head"])
    press_stage(window, "project", hands)
    window.room.selection.lock(Selection(0, 1))
    page = stage_of(window).pages.tensors
    matrix = page.panel_at(0, 1)
    hands.point(matrix, matrix.rect_of(2, 3))
    assert page.panel_at(0, 2)._selected == Cell(1, 3)
    row, column = trace.queries[0, 1], trace.parameters["W_q"][3]
    terms = " + ".join(f"{x:.2f} · {w:.2f}" for x, w in zip(row, column, strict=True))
    bias, made = trace.parameters["b_q"][3], trace.projected_q[0, 1, 3]
    assert row @ column + bias == pytest.approx(made, abs=1e-5)
    assert page.line.accessibleName() == f"2 · column 4 {terms} + {bias:.2f} = {made:.2f}"
    assert page.line.isVisible()
    cells = [page.panel_at(0, column).rect_of(0, 0) for column in range(3)]
    assert len({(cell.width(), cell.height()) for cell in cells}) == 1, "a cell is as large in all three"


def test_that_the_terms_of_a_pooled_value_have_the_colours_of_the_weights_and_values_and_leave_masked_keys_out(
    on: At, hands: Hands
) -> None:
    window, trace = on(KINDS["multi-head"]), independent_trace(KINDS["multi-head"])
    press_stage(window, "heads", hands)
    window.room.selection.lock(Selection(1, 2, 0))
    QCoreApplication.processEvents()
    page = stage_of(window).pages.heads.panels
    weights, values = trace.weights[0, 1, 2, :3], trace.v[0, 1, :3, 0]  # the first item has three valid keys
    terms = " + ".join(f"{a:.3f} · {v:.3f}" for a, v in zip(weights, values, strict=True))  # with which it adds up
    assert page.line.accessibleName() == f"3 · column 1 {terms} = {trace.heads[0, 1, 2, 0]:.2f}"
    seen = look(page.line)
    for place, table in ((0, table_of(window, "weights")), (1, diverging(window))):
        level = page.rows[0][place].levels[(2, 0) if place == 0 else (0, 0)]
        assert (seen == colours_of(table, np.array(level))).sum() > 50, "a chip of its colour"


def test_that_the_chosen_head_and_query_are_those_of_the_panels(on: At, hands: Hands) -> None:
    for kind, stages in (("multi-head", ["heads"]), ("additive", ["features", "output"])):
        window, trace = on(KINDS[kind]), independent_trace(KINDS[kind])
        for stage in stages:
            press_stage(window, stage, hands)
            for chosen in (Selection(1, 0), Selection(0, 1, 2)):
                window.room.selection.release()
                window.room.selection.lock(chosen)
                head = min(chosen.head, trace.num_heads - 1)
                check_picture(window, trace, stage, head, chosen.query or 0)


def test_that_panels_worked_out_in_another_thread_are_of_the_query_chosen_meanwhile(
    on: At, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, trace = on(KINDS["additive"]), independent_trace(KINDS["additive"])
    page = stage_of(window).pages
    assert page.stages.shown is page.heads
    monkeypatch.setattr("attnviz.gui.labs.layered.stage.AT_ONCE", 0)
    press_stage(window, "features", hands)
    window.room.selection.lock(Selection(0, 0))
    hands.qtbot.waitUntil(lambda: page.stages.shown is page.tensors)
    check_picture(window, trace, "features", query=0)


def test_that_the_mouse_may_rest_on_a_panel_that_the_next_stage_has_not(open_window: Opener, hands: Hands) -> None:
    window, trace = open_window(KINDS["dot product"]), independent_trace(KINDS["dot product"])
    press_stage(window, "output", hands)
    QCoreApplication.processEvents()
    last = stage_of(window).pages.tensors.panel_at(0, 2)
    hands.point(last, last.rect_of(1, 1))
    with hands.qtbot.capture_exceptions() as wrong:
        press_stage(window, "project", hands)
    assert not wrong
    check_picture(window, trace, "project")


@pytest.mark.parametrize(
    ("before", "stage", "after", "nearest"),
    [
        ("in training", "dropped_weights", "multi-head", "weights"),
        ("additive", "features", "multi-head", "split"),
        ("additive", "features", "dot product", "project"),
        ("multi-head", "split", "additive", "project"),
        ("multi-head", "heads", "dot product", "weights"),
        ("causal", "merge", "additive in training", "dropped_weights"),
        ("multi-head", "output", "dot product", "output"),
    ],
)
def test_that_a_mechanism_without_the_stage_on_screen_shows_the_nearest_before_it(
    before: str, stage: str, after: str, nearest: str, on: At, settle: Settle, hands: Hands
) -> None:
    window = on(KINDS[before])
    press_stage(window, stage, hands)
    window.controller.propose(KINDS[after])
    settle(window)
    assert pressed_in(window) == [nearest]
    check_picture(window, independent_trace(KINDS[after]), nearest)


# The line that says what the stage computes


LINES = {
    "project": ("the queries times their matrix transposed", "(B, Lq, dq) = (2, 3, 8) → (B, Lq, D) = (2, 3, 8)"),
    "split": (
        "head i takes features 4 (i - 1) up to 4 i",
        "(B, L, D) = (2, 3, 8) → (B·h, L, D/h) = (4, 3, 4)",
    ),
    "scores": (
        "Q K transposed over the square root of 4, at temperature 0.5",
        "(B·h, Lq, D/h) = (4, 3, 4) → (B·h, Lq, Lk) = (4, 3, 5)",
    ),
    "masked_scores": (
        "masked scores become minus infinity unless j is at most the valid length",
        "(B, h, Lq, Lk) = (2, 2, 3, 5)",
    ),
    "weights": (
        "softmax of each row of scores, Q K transposed over the square root of 4, at temperature 0.5, plus the mask",
        "(B, h, Lq, Lk) = (2, 2, 3, 5)",
    ),
    "dropped_weights": ("each weight is kept with probability 0.75 and divided by it", "(B, h, Lq, Lk) = (2, 2, 3, 5)"),
    "heads": ("each head's weights times its values", "(B·h, Lq, Lk) = (4, 3, 5) → (B·h, Lq, D/h) = (4, 3, 4)"),
    "merge": ("the heads side by side again", "(B·h, L, D/h) = (4, 3, 4) → (B, L, D) = (2, 3, 8)"),
    "output": ("the heads side by side times W_o transposed", "(B, Lq, D) = (2, 3, 8) → (B, Lq, D) = (2, 3, 8)"),
}


def test_that_the_line_above_says_the_formula_with_its_numbers_and_the_shapes(on: At, hands: Hands) -> None:
    window = on(attention(num_kvpairs=5, temperature=0.5, dropout=0.25, training=True, valid_lens=(3, 2)))
    for stage, said in LINES.items():
        press_stage(window, stage, hands)
        shown = stage_of(window)
        assert (shown.formula.accessibleName(), shown.shapes.text()) == said


@pytest.mark.parametrize(
    ("kind", "stage", "latex", "spoken", "shapes"),
    [
        (
            "additive",
            "features",
            r"\tanh",
            "8 features",
            "(B, Lq, 1, D) = (2, 3, 1, 8) → (B, Lq, Lk, D) = (2, 3, 4, 8)",
        ),
        ("additive", "scores", " / 0.5", "temperature 0.5", "(B, Lq, Lk, D) = (2, 3, 4, 8) → (B, Lq, Lk) = (2, 3, 4)"),
        ("additive", "project", r"\mathbf{W}_q", "matrix", "(B, Lq, dq) = (2, 3, 5) → (B, Lq, D) = (2, 3, 8)"),
        ("dot product", "scores", r"\sqrt{8}", "root of 8", "(B, Lq, d) = (2, 3, 8) → (B, Lq, Lk) = (2, 3, 4)"),
        ("dot product", "output", r"\mathbf{V}", "weights", "(B, Lq, Lk) = (2, 3, 4) → (B, Lq, dv) = (2, 3, 8)"),
        ("multi-head", "project", r"\mathbf{b}_q", "queries", "(B, Lq, dq) = (2, 3, 8) → (B, Lq, D) = (2, 3, 8)"),
        ("multi-head", "heads", r"\ldots 2", "values", "(B·h, Lq, Lk) = (4, 3, 4) → (B·h, Lq, D/h) = (4, 3, 4)"),
        ("capped", "capped_scores", r"0.7\,\tanh((", "times 0.7", "(B, h, Lq, Lk) = (2, 2, 3, 4)"),
        ("capped", "weights", r",\ 0.5\,])", "a sink of logit 0.5", "(B, h, Lq, Lk) = (2, 2, 3, 4)"),
        ("in training", "dropped_weights", "{0.5}", "probability 0.5", "(B, h, Lq, Lk) = (2, 2, 3, 4)"),
    ],
)
def test_that_the_formula_of_a_mechanism_has_its_own_numbers(
    kind: str, stage: str, latex: str, spoken: str, shapes: str, on: At, hands: Hands
) -> None:
    window = on(KINDS[kind])
    press_stage(window, stage, hands)
    shown, trace = stage_of(window), stage_of(window).trace
    assert latex in formula_of(trace.layer, stage)[0]  # type: ignore[arg-type]
    assert shown.formula.accessibleName() == formula_of(trace.layer, stage)[1]  # type: ignore[arg-type]
    assert spoken in shown.formula.accessibleName()
    assert shown.shapes.text() == shapes


def test_that_the_line_above_follows_the_sizes_of_a_new_trace(on: At, settle: Settle, hands: Hands) -> None:
    window = on(KINDS["multi-head"])
    press_stage(window, "scores", hands)
    hands.type(window.room.form.editor("num_heads"), "4")
    settle(window)
    shown = stage_of(window)
    assert shown.formula.accessibleName() == "Q K transposed over the square root of 2"
    assert shown.shapes.text() == "(B·h, Lq, D/h) = (8, 3, 2) → (B·h, Lq, Lk) = (8, 3, 4)"
