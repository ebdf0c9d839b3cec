"""The formula beside the picture: that of the spec, set aside from the window's thread and kept."""

import threading
from typing import Any

import numpy as np
import pytest
from eyes import look
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_trace, regression, training

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.stages import stages_of
from attnviz.experiment.labs import Spec
from attnviz.gui.labs import stage_rows
from attnviz.gui.labs.regression import pictures as regression_pictures
from attnviz.gui.layers import words as attention_formulas
from attnviz.gui.run.background import Background
from attnviz.gui.theme import DARK, LIGHT, Look
from attnviz.gui.widgets import formula_view
from attnviz.gui.widgets.formula_view import FormulaView, set_formula

FORMULAS: list[tuple[Spec, str, tuple[str, ...]]] = [
    (attention(), "scores", (r"\sqrt{4}", r"\mathbf{Q}\mathbf{K}^\top")),
    (attention(scaled=False), "scores", (r"\mathbf{Q}\mathbf{K}^\top",)),
    (attention(temperature=0.5), "scores", ("0.5", r"\sqrt{4}")),
    (attention(temperature=0.5, scaled=False), "scores", ("/ 0.5", r"\mathbf{Q}\mathbf{K}^\top")),
    (attention(mechanism="dot_product", query_size=9, key_size=9), "scores", (r"\sqrt{9}",)),
    (attention(mechanism="additive"), "scores", (r"\tanh", r"\mathbf{w}_v")),
    (attention(mechanism="additive", temperature=3), "scores", (r"\tanh", "3")),
    (attention(), "project", (r"\mathbf{X}_q \mathbf{W}_q^\top",)),
    (attention(bias=True), "project", (r"\mathbf{b}_q",)),
    (attention(mechanism="dot_product"), "project", (r"\mathbf{Q}", r"\mathbf{K}", r"\mathbf{V}")),
    (attention(num_hiddens=12), "split", ("6(i-1)", "6i", r"1 \ldots 2")),
    (attention(mechanism="additive"), "features", (r"\tanh(\mathbf{W}_q",)),
    (attention(valid_lens=(1, 2)), "masked_scores", (r"-\infty",)),
    (attention(valid_lens=(1, 2), mask_policy="book"), "masked_scores", ("-10^6",)),
    (attention(), "weights", (r"\mathrm{softmax}", r"\mathbf{Q}\mathbf{K}^\top", r"\sqrt{4}")),
    (attention(dropout=0.25, training=True), "dropped_weights", ("{0.75}", r"\mathrm{Bernoulli}(0.75)")),
    (attention(num_heads=4), "heads", (r"\mathbf{A}_i \mathbf{V}_i", r"1 \ldots 4")),
    (attention(num_heads=4), "merge", (r"\mathbf{H}_1", r"\mathbf{H}_{4}")),
    (attention(), "output", (r"\mathbf{W}_o^\top", r"\mathbf{H}_{2}")),
    (attention(bias=True), "output", (r"\mathbf{b}_o",)),
    (attention(mechanism="dot_product"), "output", (r"\mathbf{A}\mathbf{V}",)),
    (attention(mechanism="additive"), "output", (r"\mathbf{A}\mathbf{V}",)),
    (regression(), "differences", ("x - x_i", r"\ldots, 12")),
    (regression(estimator="average"), "weights", (r"\frac{1}{12}",)),
    (regression(width=0.25), "kernel", ("0.25", "e^")),
    (regression(kernel="boxcar"), "kernel", ("< 1",)),
    (regression(kernel="epanechnikov"), "kernel", (r"\max",)),
    (regression(kernel="constant"), "kernel", ("K_i = 1",)),
    (regression(), "weights", (r"\mathrm{softmax}", r"\sum_{j=1}^{12}")),
    (regression(), "pooling", (r"\sum_{i=1}^{12}", "y_i")),
    (training(), "weights", (r"\mathrm{softmax}",)),
]
WITHOUT = [
    # what a formula does not say: the root of an unscaled score, a temperature of 1, a bias that is not there
    (attention(scaled=False), "scores", ("sqrt", "frac")),
    (attention(mechanism="additive"), "scores", ("frac", "sqrt")),
    (attention(), "scores", ("1", r"\,")),
    (attention(), "project", ("mathbf{b}",)),
    (attention(), "output", ("mathbf{b}",)),
]


def formula_of(spec: Spec, stage: str = "scores") -> tuple[str, str]:
    trace = independent_trace(spec)
    if spec.lab == "regression":
        header = regression_pictures.header_of(trace, stage)
        return header.latex, header.spoken
    return attention_formulas.formula_of(trace.layer, stage)  # type: ignore[arg-type]


def can_be_set(latex: str) -> bool:
    return all(set_formula(line, "#112233", 15).startswith(b"<svg") for line in latex.splitlines())


@pytest.mark.parametrize(("spec", "stage", "parts"), FORMULAS)
def test_that_the_formula_has_the_numbers_of_its_spec_and_can_be_set(
    spec: Spec, stage: str, parts: tuple[str, ...]
) -> None:
    latex, spoken = formula_of(spec, stage)
    assert [part for part in parts if part not in latex] == []
    assert spoken
    assert can_be_set(latex)


@pytest.mark.parametrize(("spec", "stage", "parts"), WITHOUT)
def test_that_the_formula_says_nothing_that_is_not_computed(spec: Spec, stage: str, parts: tuple[str, ...]) -> None:
    latex, _ = formula_of(spec, stage)
    assert [part for part in parts if part in latex] == []


def test_that_the_learned_width_stands_in_the_formula_with_its_number() -> None:
    w = independent_trace(training()).w_now
    assert f"{w:.4g}" in formula_of(training(), "kernel")[0]
    assert f"{w:.4g}" in formula_of(training(), "kernel")[1]


@pytest.mark.parametrize("mechanism", [each.name for each in MECHANISMS.values() if not each.is_given])
def test_that_every_stage_of_every_module_has_a_formula_of_its_own(mechanism: str) -> None:
    spec: Any = attention(mechanism=mechanism, num_kvpairs=3, dropout=0.5, training=True, valid_lens=(1, 2), bias=True)
    found = [formula_of(spec, stage) for stage in stages_of(spec)]
    assert len({latex for latex, _ in found}) == len({spoken for _, spoken in found}) == len(stages_of(spec))
    assert all(can_be_set(latex) and spoken for latex, spoken in found)


@pytest.mark.parametrize(("spec", "stage"), [(spec, stage) for spec, stage, _ in FORMULAS])
def test_that_no_formula_is_small_because_it_is_high(spec: Spec, stage: str, qtbot: QtBot) -> None:
    made = FormulaView(Look(LIGHT))
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.changed):
        made.show_formula(*formula_of(spec, stage))
    high = made.sizeHint().height()
    assert high <= stage_rows._FORMULA
    assert 0.85 * high <= stage_rows._FORMULA_LOW
    assert 0.75 * high <= stage_rows._HEAD


@pytest.fixture
def view(qtbot: QtBot) -> FormulaView:
    made = FormulaView(Look(LIGHT))
    qtbot.addWidget(made)
    made.resize(260, 80)
    made.show()
    return made


def drawn(view: FormulaView) -> int:
    """Return how many pixels are not the ground's."""
    seen = look(view)
    return int(np.count_nonzero(seen != seen[0, -1]))


def test_that_a_formula_is_set_in_another_thread_and_then_drawn(
    view: FormulaView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []

    def noted(*arguments: Any) -> bytes:
        threads.append(threading.get_ident())
        return set_formula(*arguments)

    monkeypatch.setattr(formula_view, "set_formula", noted)
    view.show_formula(*formula_of(attention(seed=1)))
    qtbot.waitUntil(lambda: drawn(view) > 50)
    assert threads
    assert threading.get_ident() not in threads
    assert view.accessibleName() == view.toolTip() == formula_of(attention())[1]


def test_that_the_same_formula_is_set_once(view: FormulaView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    orders: list[Any] = []
    original = Background.start

    def start(self: Background, work: Any, **how: Any) -> None:
        orders.append(work)
        original(self, work, **how)

    monkeypatch.setattr(Background, "start", start)
    for _ in range(5):
        view.show_formula(*formula_of(attention()))
    qtbot.waitUntil(lambda: drawn(view) > 50)
    assert len(orders) == 1


def test_that_of_formulas_in_quick_succession_the_last_is_drawn(view: FormulaView, qtbot: QtBot) -> None:
    other = FormulaView(Look(LIGHT))
    qtbot.addWidget(other)
    other.resize(260, 80)
    other.show()
    last = formula_of(regression(width=0.77), "kernel")
    other.show_formula(*last)
    for spec, stage, _ in FORMULAS:
        view.show_formula(*formula_of(spec, stage))
    view.show_formula(*last)
    qtbot.waitUntil(lambda: drawn(other) > 50)
    qtbot.waitUntil(lambda: bool((look(view) == look(other)).all()))


def test_that_a_theme_sets_the_formula_in_its_colour(view: FormulaView, qtbot: QtBot) -> None:
    view.show_formula(*formula_of(attention()))
    qtbot.waitUntil(lambda: drawn(view) > 50)
    light = look(view)
    view.restyle(Look(DARK))
    qtbot.waitUntil(lambda: bool((look(view) != light).any()))
    assert look(view).max() > light[light != light[0, -1]].min()


def test_that_work_that_ends_after_its_owner_is_gone_ends_quietly(qtbot: QtBot) -> None:
    from shiboken6 import Shiboken

    held, begun = threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        assert held.wait(10)
        return "late"

    background = Background()
    background.start(work)
    assert begun.wait(10)
    Shiboken.delete(background)
    held.set()
    # One thread does all jobs in turn, so the end of a later one says that the first is over.
    later = Background()
    with qtbot.waitSignal(later.done) as ended:
        later.start(lambda: "later")
    assert ended.args == ["later"]


def test_that_work_reports_what_it_returns_and_what_the_system_refuses(qtbot: QtBot) -> None:
    background = Background()
    with qtbot.waitSignal(background.done) as done:
        background.start(lambda: "result")
    assert done.args == ["result"]

    def refused() -> None:
        raise OSError(13, "Permission denied", "/etc/shadow")

    with qtbot.waitSignal(background.failed) as failed:
        background.start(refused)
    assert failed.args == ["/etc/shadow: Permission denied"]


def test_that_no_formula_stands_under_the_name_of_another(
    view: FormulaView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.show_formula(*formula_of(attention()))
    qtbot.waitUntil(lambda: drawn(view) > 50)
    room = view.sizeHint()

    def refuse(*_: Any) -> bytes:
        raise MemoryError

    monkeypatch.setattr(formula_view, "set_formula", refuse)
    with qtbot.waitSignal(view._background.failed):
        view.show_formula(*formula_of(regression(), "kernel"))
        assert drawn(view) == 0
        assert view.sizeHint() == room  # nothing moves while the next one is set
    assert drawn(view) == 0
    monkeypatch.undo()
    view.restyle(Look(LIGHT))
    qtbot.waitUntil(lambda: drawn(view) > 50)
    monkeypatch.setattr(formula_view, "set_formula", refuse)
    with qtbot.waitSignal(view._background.failed):
        view.restyle(Look(DARK))
    assert drawn(view) == 0


def test_that_a_formula_that_cannot_be_typeset_is_shown_as_text(
    view: FormulaView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from attnviz.export import formulas

    def lost(*_: Any, **__: Any) -> None:
        raise ValueError("no such glyph")

    set_formula.cache_clear()
    monkeypatch.setattr(formulas, "drawn", lost)
    view.show_formula(*formula_of(attention()))
    qtbot.waitUntil(lambda: drawn(view) > 50)
    set_formula.cache_clear()
