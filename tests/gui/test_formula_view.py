"""The formula beside the picture: that of the spec, set aside from the window's thread and kept."""

import threading
from typing import Any

import numpy as np
import pytest
from eyes import look
from pytestqt.qtbot import QtBot
from small_specs import attention, regression, training

from attnviz.experiment.labs import Spec
from attnviz.gui import formula_view
from attnviz.gui.background import Background
from attnviz.gui.formula_view import FormulaView, set_formula
from attnviz.gui.labs import attention_inspector, regression_inspector
from attnviz.gui.theme import DARK, LIGHT, Look

FORMULAS = [
    (attention(), (r"\sqrt{4}", r"\mathbf{V}")),
    (attention(scaled=False), (r"\mathbf{Q}\mathbf{K}^\top", r"\mathbf{V}")),
    (attention(temperature=0.5), ("0.5", r"\sqrt{4}")),
    (attention(mechanism="dot_product", query_size=9, key_size=9), (r"\sqrt{9}",)),
    (attention(mechanism="additive"), (r"\tanh", r"\mathbf{w}_v")),
    (attention(mechanism="additive", temperature=3), (r"\tanh", "3")),
    (regression(estimator="average"), (r"\frac{1}{n}",)),
    (regression(width=0.25), ("0.25", "e^")),
    (regression(kernel="boxcar"), ("< 1",)),
    (regression(kernel="epanechnikov"), (r"\max",)),
    (regression(kernel="constant"), ("K_i = 1",)),
    (training(), (r"\mathrm{softmax}", r"\,w")),
]


def formula_of(spec: Spec) -> tuple[str, str]:
    room: Any = attention_inspector if spec.lab == "attention" else regression_inspector
    found: tuple[str, str] = room.formula_of(spec)
    return found


@pytest.mark.parametrize(("spec", "parts"), FORMULAS)
def test_that_the_formula_has_the_numbers_of_its_spec_and_can_be_set(spec: Spec, parts: tuple[str, ...]) -> None:
    latex, spoken = formula_of(spec)
    assert [part for part in parts if part not in latex] == []
    assert spoken
    for line in latex.splitlines():
        assert set_formula(line, "#112233", 15).startswith(b"<svg")


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
    monkeypatch.setattr(Background, "start", lambda self, work: (orders.append(work), original(self, work)))
    for _ in range(5):
        view.show_formula(*formula_of(attention()))
    assert len(orders) == 1
    qtbot.waitUntil(lambda: drawn(view) > 50)


def test_that_of_formulas_in_quick_succession_the_last_is_drawn(view: FormulaView, qtbot: QtBot) -> None:
    other = FormulaView(Look(LIGHT))
    qtbot.addWidget(other)
    other.resize(260, 80)
    other.show()
    last = formula_of(regression(width=0.77))
    other.show_formula(*last)
    for spec, _ in FORMULAS:
        view.show_formula(*formula_of(spec))
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
    assert failed.args == ["/etc/shadow Permission denied"]
