"""The fields of the regression form, each turned by hand until it arrives in the spec and in the picture."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eyes import is_drawn
from hands import Hands, parts
from PySide6.QtWidgets import QLabel, QLineEdit
from regression_hands import data_of, form_of, stage_of
from small_specs import independent_trace, regression, training
from windows import At, Settle

from attnviz.experiment.labs import LABS
from attnviz.experiment.regression.data import SyntheticData
from attnviz.gui.forms.editor import ChoiceEdit
from attnviz.gui.forms.spec_form import group_of
from attnviz.gui.window.main_window import MainWindow

Turned = Callable[[str], tuple[MainWindow, Any]]
FIELDS = LABS["regression"].spec_type.model_fields


def shown(window: MainWindow) -> set[str]:
    """Return the fields whose rows are there."""
    form = form_of(window)
    return {name for name in FIELDS if group_of(FIELDS[name]) and not form.editor(name).parentWidget().isHidden()}


def formulas(window: MainWindow) -> list[QLineEdit]:
    return [it for it in parts(data_of(window), QLineEdit) if "sin" in it.placeholderText() and it.isVisible()]


def functions(window: MainWindow) -> Any:
    """Return the editor of the function that synthetic points are drawn from."""
    (found,) = [it for it in parts(data_of(window), ChoiceEdit) if it.accessibleName() == "Function"]
    return found


@pytest.mark.parametrize("width", [0.1, 0.2, 0.5, 1.0])
def test_that_one_click_gives_each_width_of_the_textbook(width: float, at: At, settle: Settle, hands: Hands) -> None:
    window = at(regression(width=0.37))
    hands.press(form_of(window).editor("width"), f"{width:g}")
    assert window.controller.spec == regression(width=width)
    settle(window)
    assert is_drawn(
        stage_of(window).fit,
        *(getattr(independent_trace(regression(width=width)), name) for name in ("x_test", "curve")),
    )


@pytest.mark.parametrize(
    ("field", "value", "first"),
    [
        ("mask_policy", "book", regression(kernel="boxcar", width=0.2)),
        ("mask_policy", "inf", regression(kernel="triangular", width=0.2)),
        ("kernel", "triangular", regression()),
        ("estimator", "average", regression()),
        ("estimator", "parametric", regression()),
        ("optimizer", "momentum", training()),
        ("optimizer", "adam", training()),
    ],
)
def test_that_a_choice_by_hand_is_the_spec_and_the_picture(
    field: str, value: str, first: Any, at: At, settle: Settle, hands: Hands
) -> None:
    window = at(first)
    hands.pick(form_of(window).editor(field), value)
    spec: Any = window.controller.spec
    assert spec == first.model_copy(update={field: value})
    settle(window)
    trace = independent_trace(spec)
    assert is_drawn(stage_of(window).fit, trace.x_test, trace.curve)


def test_that_momentum_is_typed_while_it_is_the_optimiser(at: At, settle: Settle, hands: Hands) -> None:
    window = at(training(optimizer="momentum"))
    hands.type(form_of(window).editor("momentum"), "0.25")
    assert window.controller.spec == training(optimizer="momentum", momentum=0.25)
    hands.type(form_of(window).editor("momentum"), "1")
    assert window.controller.spec == training(optimizer="momentum", momentum=0.25)
    assert form_of(window).problem("momentum") == "Momentum 1 must be below 1; nearest: 0.99"
    settle(window)


def test_that_several_heads_are_an_extension_and_arrive(at: At, settle: Settle, hands: Hands) -> None:
    window = at(training(learning_rate=0.02))
    (heading,) = [it for it in form_of(window).findChildren(QLabel) if it.text() == "EXTENSION"]
    assert heading.isVisible()
    hands.type(form_of(window).editor("num_heads"), "3")
    assert window.controller.spec == training(learning_rate=0.02, num_heads=3)
    settle(window)
    trace = independent_trace(window.controller.spec)
    assert all(is_drawn(stage_of(window).fit, trace.x_test, head.y_hat) for head in trace.heads)
    hands.pick(form_of(window).editor("estimator"), "average")
    assert not heading.isVisible()
    settle(window)


@pytest.mark.parametrize("kernel", ["gaussian", "boxcar", "epanechnikov", "triangular", "constant"])
def test_that_only_a_kernel_that_may_reach_nothing_asks_what_to_do_then(kernel: str, at: At, hands: Hands) -> None:
    window = at(regression(kernel="boxcar" if kernel != "boxcar" else "gaussian"))
    hands.pick(form_of(window).editor("kernel"), kernel)
    assert ("mask_policy" in shown(window)) is (kernel in ("boxcar", "epanechnikov", "triangular"))
    assert ("width" in shown(window)) is (kernel != "constant")


def test_that_momentum_is_asked_for_only_where_it_acts(at: At, hands: Hands) -> None:
    window = at(training())
    for optimizer in ("momentum", "adam", "sgd"):
        if optimizer != "sgd" or window.controller.spec != training():
            hands.pick(form_of(window).editor("optimizer"), optimizer)
        assert ("momentum" in shown(window)) is (optimizer == "momentum")


def test_that_a_formula_is_asked_for_run_and_drawn_as_the_truth(at: At, settle: Settle, hands: Hands) -> None:
    window = at(regression())
    assert formulas(window) == []
    hands.pick(functions(window), "formula")
    (line,) = formulas(window)
    hands.type(line, "x^2 - 3*x + abs(sin(x))")
    data: Any = window.controller.spec.data  # type: ignore[union-attr]
    assert (data.function, data.formula) == ("formula", "x^2 - 3*x + abs(sin(x))")
    settle(window)
    x, truth = stage_of(window).fit.curves.truth.data
    np.testing.assert_allclose(truth, x**2 - 3 * x + np.abs(np.sin(x)), rtol=1e-12)
    hands.pick(functions(window), "chirp")
    assert formulas(window) == []
    settle(window)
    hands.pick(functions(window), "formula")
    assert formulas(window)[0].text() == "x^2 - 3*x + abs(sin(x))"
    settle(window)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2x", "write 2*x"),
        ("sin x", "write sin(x)"),
        ("sinus(x)", "there is no"),
        ("(x", "formula"),
        ("", "formula is empty"),
        ("__import__('os')", "formula"),
        ("x.real", "formula"),
        ("1e999", "too large"),
        ("x" + "+x" * 150, "200"),
        ("<b>x</b>", "formula"),
    ],
)
def test_that_an_illegal_formula_is_explained_at_its_field_and_neither_run_nor_lost(
    typed: str, said: str, at: At, hands: Hands
) -> None:
    window = at(regression(data={"kind": "synthetic", "n_train": 12, "function": "formula", "formula": "sin(x)"}))
    before = window.controller.spec, window.controller.shown, window.runner.generation
    (line,) = formulas(window)
    hands.type(line, typed)
    assert (window.controller.spec, window.controller.shown, window.runner.generation) == before
    assert said in form_of(window).problem("data")
    assert line.text() == typed
    hands.type(form_of(window).editor("width"), "0.3")  # another knob does not take it, nor make it go away
    assert window.controller.spec == before[0]
    assert said in form_of(window).problem("data")
    assert line.text() == typed
    hands.type(line, "cos(x)")
    assert form_of(window).problem("data") == ""
    assert window.controller.spec.data.formula == "cos(x)"  # type: ignore[union-attr]
    assert window.controller.spec.width == 0.3  # type: ignore[union-attr]


@pytest.mark.parametrize("typed", ["2x", pytest.param("x" + "+x" * 150, id="too long")])
def test_that_another_function_is_taken_though_the_formula_is_no_good(typed: str, at: At, hands: Hands) -> None:
    window = at(regression(data={"kind": "synthetic", "n_train": 12, "function": "formula", "formula": "sin(x)"}))
    hands.type(formulas(window)[0], typed)
    hands.pick(functions(window), "step")
    assert form_of(window).problem("data") == ""
    assert window.controller.spec.data.function == "step"  # type: ignore[union-attr]


def test_that_a_formula_that_is_no_number_at_a_point_says_where_and_the_picture_stays(
    at: At, hands: Hands, settle: Settle
) -> None:
    window = at(regression(data={"kind": "synthetic", "n_train": 12, "function": "formula", "formula": "sin(x)"}))
    before = window.controller.shown
    with hands.qtbot.waitSignal(window.controller.failed):
        hands.type(formulas(window)[0], "log(x - 2)")
    assert "log(x - 2)" in window.notice.text()
    assert "it must be a number of at most 1e+100 in size there" in window.notice.text()
    assert window.controller.shown is before
    hands.type(formulas(window)[0], "log(x + 2)")
    settle(window)
    assert window.notice.isHidden()


def test_that_a_look_at_every_kind_of_points_loses_nothing(at: At, hands: Hands) -> None:
    data = {"kind": "synthetic", "n_train": 17, "noise": 0.1, "seed": 4, "function": "formula", "formula": "x^2"}
    window = at(regression(data=data))
    for kind in ("book", "points", "file", "synthetic"):
        hands.pick(data_of(window), kind)
    assert window.controller.spec.data == SyntheticData(**data)  # type: ignore[union-attr]
