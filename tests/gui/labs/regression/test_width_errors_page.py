"""The page of the errors over the width: curves, stars and the line are the study's and the spec's numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import look
from hands import Hands
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from regression_hands import stage_of, turn_to, wait_beside
from small_specs import independent_trace, regression, training
from windows import At, Opener, Settle

from attnviz.engine.run import run
from attnviz.experiment.regression.studies import WidthErrors
from attnviz.gui.window.main_window import MainWindow

KINDS = {
    "gaussian": regression(width=0.3),
    "boxcar": regression(kernel="boxcar", width=0.3),
    "triangular": regression(kernel="triangular", width=0.3),
    "epanechnikov": regression(kernel="epanechnikov", data={"kind": "book"}),
    "average": regression(estimator="average", kernel="gaussian"),
    "learned": training(),
    "unknown truth": regression(data={"kind": "points", "x": [0.0, 1.0, 1.5, 4.0], "y": [1.0, 2.0, 0.0, 1.0]}),
}


@pytest.fixture
def on(at: At, hands: Hands) -> Any:
    """Return a function that shows a spec on the page of errors, all computed."""

    def show(spec: Any) -> MainWindow:
        window = at(spec)
        turn_to(window, "errors", hands)
        window.controller.undo_stack.clear()
        return window

    return show


def plot_of(window: MainWindow) -> Any:
    return stage_of(window).errors.plot


def study_of(spec: Any, kernel: str | None = None) -> Any:
    """Return the outcome of a study that has nothing to do with any window."""
    fixed = spec.estimator == "nonparametric"
    (event,) = run(WidthErrors(of=spec.only_points(), kernel=kernel or (spec.kernel if fixed else "gaussian")))
    return event


def errors_of(study: Any) -> list[tuple[Any, Any]]:
    return [(study.error_to_truth, study.queries_reached), (study.left_out_error, study.points_reached)]


def place_of(window: MainWindow, width: float, share: float = 0.5) -> QPointF:
    """Return where a width is on the plot, at a share of its height."""
    box = plot_of(window).getViewBox()
    x = box.mapViewToScene(QPointF(np.log10(width), 0)).x()
    area = box.sceneBoundingRect()
    return QPointF(x, area.top() + share * area.height())


@pytest.mark.parametrize("kind", KINDS)
def test_that_curves_and_stars_are_the_studys_numbers(kind: str, on: Any) -> None:
    window, study = on(KINDS[kind]), study_of(KINDS[kind])
    plot = plot_of(window)
    for place, (errors, reached) in enumerate(errors_of(study)):
        x, full = plot.full[place].data
        np.testing.assert_array_equal(x, np.log10(study.widths))
        np.testing.assert_array_equal(full, np.where(reached >= 1, errors, np.nan))
        _, thin = plot.thin[place].data
        beside = [(reached[max(at - 1, 0) : at + 2] < 1).any() for at in range(len(reached))]
        np.testing.assert_array_equal(thin, np.where(beside, errors, np.nan))
        # Together they leave nothing out that is a number.
        np.testing.assert_array_equal(np.isfinite(full) | np.isfinite(thin), np.isfinite(errors))
        best = study.best(errors, reached)
        star_x, star_y = plot.best[place].data
        if best is None:
            assert len(star_x) == 0
        else:
            assert star_x.tolist() == [np.log10(study.widths[best])]
            assert star_y.tolist() == [errors[best]]
            assert plot.getViewBox().viewRect().contains(QPointF(star_x[0], star_y[0]))


def test_that_the_stars_are_on_the_screen_in_the_curves_colours(on: Any) -> None:
    window, study = on(KINDS["gaussian"]), study_of(KINDS["gaussian"])
    plot = plot_of(window)
    picture = look(plot)
    for place, (errors, reached) in enumerate(errors_of(study)):
        best = study.best(errors, reached)
        there = plot.getViewBox().mapViewToScene(QPointF(np.log10(study.widths[best]), errors[best]))
        near = picture[int(there.y()) - 1 : int(there.y()) + 2, int(there.x()) - 1 : int(there.x()) + 2]
        colour = QColor(getattr(window.look.theme, ("accent", "output")[place])).rgb() & 0xFFFFFF
        assert colour in near


def test_that_a_line_of_another_study_is_gone_where_the_truth_is_not_known(on: Any, at: At, hands: Hands) -> None:
    window = on(KINDS["gaussian"])
    assert np.isfinite(plot_of(window).full[0].data[1]).any()
    at(KINDS["unknown truth"])
    wait_beside(window, hands)
    assert np.isnan(plot_of(window).full[0].data[1]).all()
    assert len(plot_of(window).best[0].data[0]) == 0


def test_that_the_line_stands_at_the_width_of_the_fit(on: Any, at: At, hands: Hands, settle: Settle) -> None:
    window = on(regression(width=0.3))
    line = plot_of(window).width_line
    assert line.x is not None
    assert line.x == pytest.approx(np.log10(0.3))
    hands.type(window.room.form.editor("width"), "0.07")
    settle(window)
    assert line.x == pytest.approx(np.log10(0.07))
    at(training())
    assert line.x is not None
    assert line.x == pytest.approx(-np.log10(abs(independent_trace(training()).w_now)))
    at(regression(estimator="average"))
    assert line.x is None
    at(training(w_init=0.0, learning_rate=1e-9, epochs=1, data={"kind": "points", "x": [0.0, 1.0], "y": [1.0, 1.0]}))
    assert line.x is None  # w = 0 is infinitely wide
    wait_beside(window, hands)


@pytest.mark.parametrize("kind", ["gaussian", "boxcar", "learned", "average"])
@pytest.mark.parametrize("width", [0.05, 0.4])
def test_that_a_click_takes_the_width_under_it_as_one_step_of_undo(
    width: float, kind: str, on: Any, hands: Hands, settle: Settle
) -> None:
    first = KINDS[kind]
    window = on(first)
    hands.click(plot_of(window).viewport(), place_of(window, width))
    taken: Any = window.controller.spec
    assert taken.width == pytest.approx(width, rel=0.06)
    assert taken.width == float(f"{taken.width:.2g}")
    kernel = first.kernel if first.estimator == "nonparametric" else "gaussian"
    assert (taken.estimator, taken.kernel) == ("nonparametric", kernel)
    assert window.controller.undo_stack.count() == 1
    settle(window)
    assert plot_of(window).width_line.x == pytest.approx(np.log10(taken.width))
    window.controller.undo_stack.undo()
    assert window.controller.spec == first
    settle(window)


def test_that_a_click_beside_the_axes_takes_nothing(on: Any, hands: Hands) -> None:
    window = on(regression(width=0.3))
    rect = plot_of(window).viewport().rect()
    for place in (QPointF(3, rect.center().y()), QPointF(rect.center().x(), rect.bottom() - 3)):
        hands.click(plot_of(window).viewport(), place)
    assert window.controller.spec == regression(width=0.3)


@pytest.mark.parametrize("button", [Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton])
def test_that_only_the_left_button_takes_a_width(button: Any, on: Any, hands: Hands) -> None:
    window = on(regression(width=0.3))
    place = place_of(window, 0.05).toPoint()
    hands.qtbot.mouseClick(plot_of(window).viewport(), button, pos=place)
    assert window.controller.spec == regression(width=0.3)


def test_that_a_width_taken_beside_a_constant_kernel_moves_the_fit(on: Any, hands: Hands, settle: Settle) -> None:
    window = on(regression(kernel="constant"))
    hands.click(plot_of(window).viewport(), place_of(window, 0.1))
    settle(window)
    fit = independent_trace(regression(kernel="gaussian", width=window.controller.spec.width))  # type: ignore[union-attr]
    np.testing.assert_array_equal(stage_of(window).trace.y_hat, fit.y_hat)


def test_that_a_constant_kernel_has_no_width_to_mark(on: Any) -> None:
    assert plot_of(on(regression(kernel="constant"))).width_line.x is None


def test_that_a_constant_kernel_shows_the_errors_of_the_gaussian(on: Any) -> None:
    spec = regression(kernel="constant")
    window, study = on(spec), study_of(spec, "gaussian")
    np.testing.assert_array_equal(plot_of(window).full[1].data[1], study.left_out_error)


def test_that_another_kernel_brings_its_own_curves_and_a_width_does_not(
    open_window: Opener, engine: Any, hands: Hands, settle: Settle
) -> None:
    window = open_window(regression())
    turn_to(window, "errors", hands)
    for values in ({"width": 0.2}, {"kernel": "boxcar"}, {"kernel": "boxcar", "width": 0.7}):
        window.controller.propose(regression(**values))
        settle(window)
        wait_beside(window, hands)
    asked = [each.kernel for each in engine.asked if isinstance(each, WidthErrors)]
    assert asked == ["gaussian", "boxcar"]
    study = study_of(regression(kernel="boxcar"))
    np.testing.assert_array_equal(plot_of(window).full[0].data[0], np.log10(study.widths))
    best = study.best(study.left_out_error, study.points_reached)
    assert plot_of(window).best[1].data[1].tolist() == [study.left_out_error[best]]


def test_that_a_study_is_of_the_points_on_screen_though_their_file_is_gone_by_now(
    at: At, hands: Hands, settle: Settle, tmp_path: Path
) -> None:
    path = tmp_path / "points.csv"
    path.write_text("1,2\n2,3\n4,1\n")
    window = at(regression())
    turn_to(window, "fit", hands)
    window.controller.propose(regression(data={"kind": "file", "path": str(path)}))
    settle(window)
    path.unlink()
    errors = turn_to(window, "errors", hands)
    points = regression(data={"kind": "points", "x": [1, 2, 4], "y": [2, 3, 1]})
    np.testing.assert_array_equal(errors.plot.full[1].data[1], study_of(points).left_out_error)
    kernels = turn_to(window, "kernels", hands)
    assert kernels.view.trace.x_train.tolist() == [1, 2, 4]
    window.controller.propose(regression())
    settle(window)
    page = turn_to(window, "errors", hands)
    assert str(path) not in page.words
    np.testing.assert_array_equal(plot_of(window).full[0].data[0], np.log10(study_of(regression()).widths))


def test_that_the_page_keeps_its_numbers_in_another_theme(on: Any) -> None:
    window, study = on(KINDS["gaussian"]), study_of(KINDS["gaussian"])
    try:
        window.toggle_theme()
        np.testing.assert_array_equal(plot_of(window).full[0].data[1], study.error_to_truth)
        assert plot_of(window).width_line.x == pytest.approx(np.log10(0.3))
    finally:
        window.toggle_theme()
