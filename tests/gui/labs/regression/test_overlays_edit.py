"""Overlays: chosen from a menu, taken away by their chip, drawn as the trace's curves and named in the legend."""

import itertools
from typing import Any

import numpy as np
import pytest
from hands import Hands
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from regression_hands import actions_of, add_overlay, chips_of, form_of, room_of, stage_of
from small_specs import independent_trace, regression, training
from windows import At, Settle

from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.labs import LABS
from attnviz.experiment.regression.spec import MOST_OVERLAYS, TEACHING_WIDTHS, Overlay
from attnviz.gui.forms.spec_form import group_of
from attnviz.gui.labs.regression.words import overlay_title
from attnviz.gui.window.main_window import MainWindow

SHORT_KERNELS = [kernel.name for kernel in KERNELS.values() if kernel.is_compact]

FIXED = [
    Overlay(estimator="nonparametric", kernel=kernel, width=width)
    for kernel in ("gaussian", *SHORT_KERNELS)
    for width in TEACHING_WIDTHS
]
AVERAGE, LEARNED = Overlay(estimator="average"), Overlay(estimator="parametric")
TRAINING = {"leave_one_out", "optimizer", "learning_rate", "epochs", "w_init", "seed", "num_heads"}
DIVERGING = {"kind": "points", "x": [1.0, 2.0, 4.0], "y": [1e100, 0.0, -1e100]}


def editor_of(window: MainWindow) -> Any:
    return form_of(window).editor("overlays")


def shown(window: MainWindow) -> set[str]:
    """Return the fields whose rows are there."""
    fields = LABS["regression"].spec_type.model_fields
    form = form_of(window)
    return {name for name in fields if group_of(fields[name]) and not form.editor(name).parentWidget().isHidden()}


def overlays_of(window: MainWindow) -> tuple[Overlay, ...]:
    return window.controller.spec.overlays  # type: ignore[union-attr]


def legend_of(window: MainWindow) -> str:
    return QTextDocumentFragment.fromHtml(stage_of(window).fit.legend.text()).toPlainText().replace("\u00a0", " ")


def drawn(window: MainWindow) -> list[Any]:
    """Return what is drawn of the overlays: the numbers of each curve that is there."""
    found = [item.data for item in stage_of(window).fit.curves.overlays]
    return [(x, y) for x, y in found if len(x)]


def check_picture(window: MainWindow) -> None:
    """Check curves, legend and table of errors against a run that has nothing to do with the window."""
    trace = independent_trace(window.controller.spec)
    assert len(drawn(window)) == len(trace.curves) == len(overlays_of(window))
    for (x, y), curve in zip(drawn(window), trace.curves, strict=True):
        np.testing.assert_array_equal(x, trace.x_test)
        np.testing.assert_array_equal(y, curve.y_hat)
        assert overlay_title(curve.overlay) in legend_of(window)
    errors = [(trace.error_to_truth, trace.left_out_error)]
    errors += [(curve.error_to_truth, curve.left_out_error) for curve in trace.curves]
    said = [tuple("-" if np.isnan(each) else f"{each:.4f}" for each in line) for line in errors]
    assert room_of(window).inspector.errors.texts() == said


def test_that_the_menu_offers_every_estimator_and_no_curve_twice(at: At) -> None:
    window = at(regression(kernel="boxcar", width=0.37))
    offered = [action.data() for action in actions_of(editor_of(window).menu)]
    assert offered == [Overlay(estimator="nonparametric", kernel="boxcar", width=0.37), AVERAGE, LEARNED, *FIXED]
    titles = [action.text() for action in actions_of(editor_of(window).menu)]
    assert titles[:3] == ["Keep this one: Boxcar 0.37", "Average", "Learned width"]


@pytest.mark.parametrize(
    ("title", "width", "overlay"),
    [
        ("Average", None, AVERAGE),
        ("Learned width", None, LEARNED),
        ("Gaussian", 0.1, FIXED[0]),
        ("Boxcar", 0.5, Overlay(estimator="nonparametric", kernel="boxcar", width=0.5)),
        ("Triangular", 1.0, Overlay(estimator="nonparametric", kernel="triangular", width=1.0)),
    ],
)
def test_that_a_choice_from_the_menu_is_a_curve_with_its_name_and_errors(
    title: str, width: float | None, overlay: Overlay, at: At, settle: Settle
) -> None:
    window = at(regression(width=0.3, learning_rate=0.02, w_init=0.5))
    add_overlay(editor_of(window), title, width)
    assert overlays_of(window) == (overlay,)
    settle(window)
    check_picture(window)
    (chip,) = chips_of(editor_of(window))
    assert overlay_title(overlay) in chip.text()


@pytest.mark.parametrize("spec", [regression(kernel="epanechnikov", width=0.37), regression(estimator="average")])
def test_that_the_fit_itself_can_be_kept_while_its_knobs_go_on(spec: Any, at: At, settle: Settle, hands: Hands) -> None:
    window = at(spec)
    kept = spec.own_overlay
    add_overlay(editor_of(window), f"Keep this one: {overlay_title(kept)}")
    assert [overlay.identity for overlay in overlays_of(window)] == [kept.identity]
    hands.pick(form_of(window).editor("estimator"), "nonparametric")
    hands.pick(form_of(window).editor("kernel"), "gaussian")
    hands.type(form_of(window).editor("width"), "0.8")
    settle(window)
    check_picture(window)
    (_, y), fit = drawn(window)[0], independent_trace(spec)
    np.testing.assert_allclose(y, fit.curve)
    actions = list(actions_of(editor_of(window).menu))
    assert actions[0].text() == "Keep this one: Gaussian 0.8"


def test_that_what_is_drawn_already_is_greyed_out_until_its_chip_takes_it_away(
    at: At, settle: Settle, hands: Hands
) -> None:
    window = at(regression(width=0.2))
    editor = editor_of(window)
    add_overlay(editor, "Gaussian", 0.2)
    add_overlay(editor, "Average")
    greyed = [action.data() for action in actions_of(editor.menu) if not action.isEnabled()]
    own = Overlay(estimator="nonparametric", kernel="gaussian", width=0.2)
    assert greyed == [own, AVERAGE, own]  # the first is the fit's own
    for action in actions_of(editor.menu):
        if action.data() == AVERAGE:
            action.trigger()
    assert len(overlays_of(window)) == 2
    first, second = chips_of(editor)
    assert (first.text(), second.text()) == ("Gaussian 0.2  ×", "Average  ×")
    hands.qtbot.mouseClick(first, hands.left)
    assert overlays_of(window) == (AVERAGE,)
    assert [chip.text() for chip in chips_of(editor)] == ["Average  ×"]
    greyed = [action.data() for action in actions_of(editor.menu) if not action.isEnabled()]
    assert greyed == [AVERAGE]
    settle(window)
    check_picture(window)
    hands.qtbot.mouseClick(chips_of(editor)[0], hands.left)
    assert overlays_of(window) == ()
    settle(window)
    assert drawn(window) == []
    check_picture(window)


def test_that_8_overlays_are_the_most_and_each_has_a_line_of_its_own(at: At, settle: Settle, hands: Hands) -> None:
    window = at(regression(width=0.3))
    editor = editor_of(window)
    for title, width in itertools.product(("Gaussian", "Boxcar"), TEACHING_WIDTHS):
        add_overlay(editor, title, width)
    assert len(overlays_of(window)) == MOST_OVERLAYS == 8
    assert not any(action.isEnabled() for action in actions_of(editor.menu))
    settle(window)
    check_picture(window)
    pens = [item.pen for item in stage_of(window).fit.curves.overlays]
    assert len({(pen.color().name(), pen.style()) for pen in pens}) == 8
    accent = stage_of(window).fit.curves.fit.pen
    assert all((pen.color().name(), pen.style()) != (accent.color().name(), accent.style()) for pen in pens)
    hands.qtbot.mouseClick(chips_of(editor)[3], hands.left)
    assert all(action.isEnabled() for action in actions_of(editor.menu) if action.data() == AVERAGE)
    settle(window)
    check_picture(window)


@pytest.mark.parametrize("own", ["average", "nonparametric"])
def test_that_the_knobs_of_training_are_there_while_an_overlay_is_learned(
    own: str, at: At, settle: Settle, hands: Hands
) -> None:
    window = at(regression(estimator=own, learning_rate=0.02, w_init=0.5))
    assert not shown(window) & TRAINING
    add_overlay(editor_of(window), "Learned width")
    assert shown(window) >= TRAINING
    hands.type(form_of(window).editor("epochs"), "9")
    settle(window)
    check_picture(window)
    learned = independent_trace(training(learning_rate=0.02, epochs=9))
    np.testing.assert_allclose(drawn(window)[0][1], learned.y_hat, rtol=1e-9)
    hands.qtbot.mouseClick(chips_of(editor_of(window))[0], hands.left)
    assert not shown(window) & TRAINING
    settle(window)


def test_that_overlays_stay_while_points_and_kernels_change_and_come_back_with_undo(
    at: At, settle: Settle, hands: Hands
) -> None:
    window = at(regression(width=0.3, overlays=({"estimator": "average"},)))
    window.controller.undo_stack.clear()
    hands.pick(form_of(window).editor("kernel"), "boxcar")
    hands.pick(form_of(window).editor("data"), "book")
    settle(window)
    check_picture(window)
    hands.qtbot.mouseClick(chips_of(editor_of(window))[0], hands.left)
    window.controller.undo_stack.undo()
    assert overlays_of(window) == (AVERAGE,)
    assert len(chips_of(editor_of(window))) == 1
    settle(window)
    check_picture(window)


def test_that_a_learned_overlay_that_left_the_finite_numbers_is_called_diverged(at: At) -> None:
    window = at(regression(data=DIVERGING, learning_rate=100.0, w_init=0.5, overlays=({"estimator": "parametric"}, {})))
    trace = independent_trace(window.controller.spec)
    assert not np.isfinite(trace.curves[0].w)
    assert "Learned width (diverged)" in legend_of(window)
    assert "Average (diverged)" not in legend_of(window)
    _, y = room_of(window).stage.fit.curves.overlays[0].data
    assert not np.isfinite(y).any()
    assert room_of(window).inspector.errors.texts()[1] == ("-", "-")


def test_that_the_chips_are_reached_and_pressed_by_the_keyboard(at: At, hands: Hands) -> None:
    window = at(regression(overlays=({"estimator": "average"},)))
    (chip,) = chips_of(editor_of(window))
    assert chip.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert chip.accessibleName() == "Remove Average"
    chip.setFocus()
    hands.qtbot.keyClick(chip, Qt.Key.Key_Space)
    assert overlays_of(window) == ()
