"""The page of the fit: how large its parts are, where the curves of a training are, and which query stays held."""

from collections.abc import Callable
from typing import Any

import pytest
from fit_hands import FitHands
from hands import Hands
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from regression_hands import room_of, stage_of, turn_to
from small_specs import regression, training
from windows import At, Opener, Settle

from attnviz.experiment.files.specs_in_files import preset
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

PRESETS = ("kernel-fixed", "kernel-learned", "kernel-learned-book", "kernel-estimators", "kernel-heads")
SHARES = {(1280, 800): 0.35, (1920, 1080): 0.40, (1024, 768): 0.10, (900, 600): 0.10}


def place_of(part: QWidget, window: MainWindow) -> QRect:
    return QRect(part.mapTo(window, QPoint(0, 0)), part.size())


@pytest.fixture
def sized(at: At, settle: Settle) -> Any:
    """Return a function that shows a spec in a window of a size; afterwards the window has its own again."""
    windows: list[MainWindow] = []

    def show(spec: Any, size: tuple[int, int]) -> MainWindow:
        if not windows or windows[-1].controller.spec != spec:
            windows.append(at(spec))
            stage_of(windows[-1]).page_buttons.press("fit")
        window = windows[-1]
        window.resize(*size)
        settle(window)
        return window

    yield show
    for window in windows[:1]:
        window.resize(1280, 800)
        settle(window)


@pytest.mark.parametrize("name", PRESETS)
def test_that_the_fit_and_its_matrix_are_the_largest_thing_of_the_window(
    name: str, sized: Callable[..., MainWindow]
) -> None:
    for size, share in SHARES.items():
        _is_the_largest_thing(sized(preset(name).spec, size), share)


def _is_the_largest_thing(window: MainWindow, share: float) -> None:
    views = stage_of(window).views
    fit, matrix = place_of(views.plot, window), place_of(views.heatmap, window)
    covered = fit.width() * fit.height() + matrix.width() * matrix.height()
    assert covered >= share * window.width() * window.height()
    assert not fit.intersects(matrix)
    assert place_of(views, window).contains(fit.united(matrix))
    rows, columns = stage_of(window).trace.weights.shape
    cell = views.heatmap.rect_of(0, 0)
    within = max(rows, columns) <= 4 * min(rows, columns)
    assert not within or cell.width() == pytest.approx(cell.height(), rel=0.02)
    said = f"{views._picture.matrix.title} {views._picture.matrix.note}"
    assert ("not square" in said) is not within


def test_that_the_curves_of_a_training_are_on_the_page_where_there_is_room_and_else_in_the_inspector(
    sized: Callable[..., MainWindow], settle: Settle
) -> None:
    for size, on_page in (((1920, 1080), True), ((1280, 800), False), ((1920, 1080), True)):
        window = sized(training(data={"kind": "book"}), size)
        views = stage_of(window).views
        holder = views if on_page else room_of(window).inspector
        assert holder.isAncestorOf(views.history)
        assert views.history.isVisible()
        for plot in (views.history.loss, views.history.w):
            assert plot.plot.height() >= 90
        assert not views.history.loss.geometry().intersects(views.history.w.geometry())
        steps = views.history.row
        assert not any(steps.geometry().intersects(plot.geometry()) for plot in (views.history.loss, views.history.w))
        if not on_page:  # the curves end below the edge: one looks back without scrolling all the same
            assert steps.y() == 0
            assert not steps.visibleRegion().isEmpty()
    window = sized(regression(), (1280, 800))
    assert not stage_of(window).views.history.isVisible()


def test_that_the_buttons_of_pages_are_where_they_were_on_every_page(at: At, hands: Hands) -> None:
    window = at(regression())
    places = []
    for page in ("fit", "kernels", "errors", "fit"):
        turn_to(window, page, hands)
        places.append(place_of(stage_of(window).page_buttons, window))
        assert stage_of(window).formula.isVisible()
        assert stage_of(window).formula.accessibleName()
        said = stage_of(window).sentence.text()
        assert said == stage_of(window).page.words or (page == "fit" and "uery x" in said)
    assert len({place.getRect() for place in places}) == 1


def test_that_pages_about_many_fits_have_formulas_of_their_own(at: At, hands: Hands) -> None:
    window = at(regression())
    spoken = []
    for page in ("fit", "kernels", "errors"):
        turn_to(window, page, hands)
        spoken.append(stage_of(window).formula.accessibleName())
    assert len(set(spoken)) == 3
    turn_to(window, "fit", hands)


def test_that_a_drag_keeps_the_query_that_is_shown_and_the_one_that_is_held(
    at: At, qtbot: QtBot, settle: Settle
) -> None:
    points = {"kind": "points", "x": (0.5, 1.5, 4.35), "y": (1.0, 3.0, 2.0), "function": "book"}
    hands = FitHands(at(regression(data=points)), qtbot)
    selection = hands.window.room.selection
    selection.lock(Selection(0, 1))
    place = hands.at(2)
    Hands(qtbot).point(hands.fit.viewport(), place.toPointF())
    near = selection.current.query
    assert near != 1
    hands.press(place)
    for step in (4, 9, 14):
        hands.move([place + QPoint(-step, step)])
        settle(hands.window)
        assert selection.current == Selection(0, near, 2)
        assert selection.locked == Selection(0, 1, 2)
    hands.release(place + QPoint(-14, 14))


def test_that_the_held_query_is_the_nearest_one_where_queries_change(at: At, settle: Settle) -> None:
    window = at(regression(x_test={"start": 0, "stop": 5, "step": 0.5}))
    selection = room_of(window).selection
    selection.lock(Selection(0, 9))  # x = 4.5
    for step, query in ((0.05, 90), (1.0, 4), (0.5, 8)):
        window.controller.propose(regression(x_test={"start": 0, "stop": 5, "step": step}))
        settle(window)
        assert selection.locked.query == query


def test_that_a_query_that_a_session_names_is_the_held_one(open_window: Opener, settle: Settle) -> None:
    window = open_window(regression(x_test={"start": 0, "stop": 5, "step": 0.5}))
    room = room_of(window)
    room.selection.lock(Selection(0, 3))
    room.apply_view(room.view.model_copy(update={"query": 3}))
    window.controller.propose(regression(x_test={"start": 0, "stop": 5, "step": 0.05}))
    settle(window)
    assert room.selection.locked.query == 3


def test_that_a_click_leaves_no_frame_around_a_plot_and_the_keyboard_does(at: At, qtbot: QtBot) -> None:
    hands = FitHands(at(regression()), qtbot)
    hands.window.activateWindow()
    hands.window.top_bar.setFocus()
    for reason, framed in ((Qt.FocusReason.MouseFocusReason, False), (Qt.FocusReason.TabFocusReason, True)):
        hands.fit.clearFocus()
        hands.fit.setFocus(reason)
        corner = hands.fit.grab().toImage().pixelColor(1, 1)
        assert (corner.name() == hands.window.look.theme.accent.lower()) is framed
    hands.fit.clearFocus()


def test_that_weights_have_an_axis_of_their_own_below_that_of_y(at: At, qtbot: QtBot) -> None:
    hands = FitHands(at(regression(width=0.4)), qtbot)
    axis = hands.fit.getAxis("left")
    (_, _), (low, high) = hands.view
    points_end = hands.trace.y_train.min()
    levels = axis.tickValues(low, high, 300)
    texts = {
        value: text
        for spacing, values in levels
        for value, text in zip(values, axis.tickStrings(values, 1, spacing), strict=True)
    }
    of_weights = {value: text for value, text in texts.items() if value < points_end - 0.06 * (high - low)}
    most = hands.trace.weights.max()
    assert next(iter(of_weights.values())) == "0"
    assert most <= float(list(of_weights.values())[1]) <= 2.5 * most
    assert all(float(text) == pytest.approx(value) for value, text in texts.items() if value not in of_weights)


def test_that_plots_have_no_tooltip_over_what_it_would_explain(at: At, hands: Hands) -> None:
    window = at(training())
    stage = stage_of(window)
    plots = (stage.fit, stage.heatmap, stage.loss.plot, stage.w.plot, stage.errors.plot, stage.kernels.view)
    assert [plot.toolTip() for plot in plots] == [""] * len(plots)
