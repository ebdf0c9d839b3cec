"""The page of all kernels: its pixels are the study's numbers, and a cell that is taken is one step of undo."""

from typing import Any

import numpy as np
import pytest
from eyes import cell_of, colours_of, ground, heatmap_colours, look
from hands import Hands
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from regression_hands import room_of, stage_of, study_of, turn_to, view_of, wait_beside
from small_specs import regression, training
from windows import At, Settle

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.colours import MASKED, quantise
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

ALL_KERNELS = tuple(KERNELS)

PLACES = list(np.ndindex(5, 4))
WIDTHS = (0.1, 0.2, 0.5, 1.0)


@pytest.fixture
def on(at: At, hands: Hands) -> Any:
    """Return a function that shows a spec on the page of kernels, all computed, in full contrast."""

    def show(spec: Any) -> MainWindow:
        window = at(spec)
        turn_to(window, "kernels", hands)
        stage_of(window).contrast.choose("head")
        window.controller.undo_stack.clear()
        return window

    return show


def colour(window: MainWindow, role: str) -> int:
    return QColor(getattr(window.look.theme, role)).rgb() & 0xFFFFFF


def apart(pixels: Any, wanted: int) -> Any:
    """Return how far colours are from another one, in the channel where it is most."""
    channels = [np.abs((np.asarray(pixels, np.int64) >> at & 255) - (wanted >> at & 255)) for at in (0, 8, 16)]
    return np.max(channels, axis=0)


def near(picture: Any, place: QPointF, reach: int = 1) -> Any:
    x, y = int(place.x()), int(place.y())
    return picture[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]


def check_weights(window: MainWindow, study: Any, *, full_contrast: bool) -> None:
    """Check the colour of every cell of every matrix, but for the row that the line of the query crosses."""
    view, chosen = view_of(window), room_of(window).selection.current.query
    seen, (rows, columns) = look(view), study.weights.shape[2:]
    for place in PLACES:
        weights = study.weights[place]
        levels = quantise(weights, None, 0.0, weights.max() if full_contrast else 1.0)
        expected = colours_of(stage_of(window).weight_table, levels)
        area = view.places.matrix(place)
        cells = [[ground(seen, cell_of(area, (rows, columns), q, k)) for k in range(columns)] for q in range(rows)]
        others = [row for row in range(rows) if abs(row - chosen) > 0]
        assert (np.array(cells)[others] == expected[others]).all(), place


@pytest.mark.parametrize("spec", [regression(), regression(x_test={"start": 0, "stop": 6, "step": 1}), training()])
def test_that_every_pixel_of_the_weights_is_the_studys_through_the_colour_table(
    spec: Any, on: Any, hands: Hands
) -> None:
    window, study = on(spec), study_of(spec)
    check_weights(window, study, full_contrast=True)
    assert stage_of(window).bar.accessibleDescription().startswith("0 .. largest")
    stage_of(window).contrast.choose("")
    check_weights(window, study, full_contrast=False)
    stage_of(window).contrast.choose("head")
    check_weights(window, study, full_contrast=True)


def test_that_weights_take_another_map_and_another_theme(on: Any) -> None:
    window, study = on(regression()), study_of(regression())
    try:
        room_of(window).set_map("Reds")
        check_weights(window, study, full_contrast=True)
        window.toggle_theme()
        check_weights(window, study, full_contrast=True)
    finally:
        room_of(window).set_map("viridis")
        if window.look.theme.name != "light":
            window.toggle_theme()


def test_that_each_line_passes_where_the_predictions_are_and_leaves_their_gaps(on: Any) -> None:
    spec = regression(x_test={"start": 0, "stop": 5, "step": 0.05})
    window, study = on(spec), study_of(spec)
    view = view_of(window)
    room_of(window).selection.release()
    seen, accent = look(view), colour(window, "accent")
    for place in PLACES:
        area, y_hat = view.places.fit_area(place), study.y_hat[place]
        known = np.isfinite(y_hat)
        line = view.places.points(area, study.x_test[known], y_hat[known])
        hits = [apart(near(seen, point), accent).min() < 60 for point in line]
        assert np.mean(hits) > 0.97, place
        # Elsewhere in the same area there is next to nothing of that colour.
        mirrored = [QPointF(point.x(), area.top() + area.bottom() - point.y()) for point in line]
        far = [each for each, point in zip(mirrored, line, strict=True) if abs(each.y() - point.y()) > 12]
        assert len(far) >= 20, place
        assert np.mean([apart(near(seen, point), accent).min() < 60 for point in far]) < 0.3, place
    # Where boxcars of 0.1 reach nothing, nothing is drawn from edge to edge.
    gaps = np.flatnonzero(np.isnan(study.y_hat[1, 0]))
    assert gaps.size > 9
    middle = [gap for gap in gaps if {gap - 2, gap - 1, gap + 1, gap + 2} <= set(gaps)]
    area = view.places.fit_area((1, 0))
    lines = range(room_of(window).selection.current.query - 1, room_of(window).selection.current.query + 2)
    for gap in set(middle).difference(lines):
        x = int(view.places.x(area, study.x_test[gap]))
        column = seen[int(area.top()) + 18 : int(area.bottom()) - 1, x]  # below the number in the corner
        assert apart(column, accent).min() > 60


def test_that_the_least_left_out_error_has_the_star(on: Any) -> None:
    spec = regression(data={"kind": "synthetic", "n_train": 30, "noise": 0.4, "seed": 2})
    window, study = on(spec), study_of(spec)
    view, seen = view_of(window), look(view_of(window))
    best = PLACES[int(np.nanargmin(study.left_out_error))]
    starred = []
    for place in PLACES:
        area = view.places.fit_area(place)
        corner = seen[int(area.top()) + 2 : int(area.top()) + 13, int(area.right()) - 36 : int(area.right()) - 4]
        if apart(corner, colour(window, "accent")).min() < apart(corner, colour(window, "muted")).min():
            starred.append(place)
    assert starred == [best]


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"kernel": "boxcar", "width": 0.5}, (1, 2)),
        ({"width": 0.1}, (0, 0)),
        ({"kernel": "constant", "width": 1.0}, (4, 3)),
        ({"width": 0.3}, None),
        ({"estimator": "average"}, None),
        ({"estimator": "parametric", "w_init": 0.5, "epochs": 3}, None),
    ],
)
def test_that_the_fits_own_kernel_and_width_are_framed(values: Any, place: Any, on: Any, hands: Hands) -> None:
    window = on(regression(**values))
    wait_beside(window, hands)
    view = view_of(window)
    window.room.form.setFocus()
    seen, text = look(view), colour(window, "text")
    framed = []
    for each in PLACES:
        cell = view.places.cell(each)
        edge = seen[int(cell.center().y()), int(cell.left()) : int(cell.left()) + 4]
        if apart(edge, text).min() < 60:
            framed.append(each)
    assert framed == ([] if place is None else [place])


def test_that_pointing_at_a_fit_shows_its_query_in_all_and_in_the_room(on: Any, hands: Hands) -> None:
    window, study = on(regression()), study_of(regression())
    view, room = view_of(window), room_of(window)
    locked = room.selection.locked.query
    q = colour(window, "q")
    for place, query in (((0, 0), 2), ((3, 2), 7), ((4, 3), 9)):
        area = view.places.fit_area(place)
        hands.point(view, QPointF(view.places.x(area, study.x_test[query]), area.center().y()))
        assert room.selection.current.query == query
        assert room.inspector.prediction.texts()[0] == f"{stage_of(window).trace.y_hat[query]:.4f}"
        seen = look(view)
        for each in PLACES:
            fit, matrix = view.places.fit_area(each), view.places.matrix(each)
            at = QPointF(view.places.x(fit, study.x_test[query]), fit.bottom() - 4)
            assert apart(near(seen, at), q).min() < 10
            row = QPointF(matrix.center().x(), matrix.top() + (query + 0.5) / len(study.x_test) * matrix.height())
            assert apart(near(seen, row), q).min() < 10
    matrix = view.places.matrix((2, 1))
    hands.point(view, QPointF(matrix.center().x(), matrix.top() + 0.35 * matrix.height()))
    assert room.selection.current.query == 3
    hands.qtbot.mouseMove(window.top_bar, QPoint(1, 1))
    hands.qtbot.waitUntil(lambda: room.selection.current.query == locked)


@pytest.mark.parametrize("first", [regression(width=0.3), regression(estimator="average"), training()], ids=str)
@pytest.mark.parametrize("place", [(1, 2), (4, 0), (0, 3)], ids=str)
def test_that_a_click_takes_kernel_and_width_as_one_step_of_undo(
    place: Any, first: Any, on: Any, hands: Hands, settle: Settle
) -> None:
    window = on(first)
    hands.click(view_of(window), view_of(window).places.cell(place))
    taken: Any = window.controller.spec
    assert (taken.estimator, taken.kernel, taken.width) == ("nonparametric", ALL_KERNELS[place[0]], WIDTHS[place[1]])
    assert taken.only_points() == first.only_points()
    settle(window)
    assert window.room.form.editor("kernel").value() == ALL_KERNELS[place[0]]
    assert window.controller.undo_stack.count() == 1
    window.controller.undo_stack.undo()
    assert window.controller.spec == first
    settle(window)


def test_that_arrows_and_enter_take_a_cell_and_stop_at_the_edges(on: Any, hands: Hands, settle: Settle) -> None:
    window = on(regression(width=0.3))
    view = view_of(window)
    hands.click(view, view.places.cell((1, 1)))
    view.setFocus()
    for keys, kernel, width in (
        ((Qt.Key.Key_Right, Qt.Key.Key_Down), "epanechnikov", 0.5),
        ((*[Qt.Key.Key_Left] * 9, *[Qt.Key.Key_Up] * 9), "gaussian", 0.1),
        ((*[Qt.Key.Key_Right] * 9, *[Qt.Key.Key_Down] * 9), "constant", 1.0),
    ):
        for key in keys:
            hands.qtbot.keyClick(view, key)
        before = window.controller.spec
        assert (before.kernel, before.width) != (kernel, width)  # type: ignore[union-attr]
        hands.qtbot.keyClick(view, Qt.Key.Key_Return)
        spec: Any = window.controller.spec
        assert (spec.estimator, spec.kernel, spec.width) == ("nonparametric", kernel, width)
    settle(window)


@pytest.mark.parametrize("contrast", ["", *CONTRASTS])
def test_that_a_weight_has_one_colour_wherever_it_is_drawn(contrast: str, at: At, hands: Hands, settle: Settle) -> None:
    window = at(regression(width=0.5))
    stage, room, trace = stage_of(window), room_of(window), stage_of(window).trace
    turn_to(window, "fit", hands)
    stage.contrast.choose(contrast)
    room.selection.lock(Selection(0, 3))
    levels = trace.weight_levels(contrast)
    wanted = colours_of(stage.weight_table, levels)
    assert (heatmap_colours(stage.heatmap, levels.shape)[4] == wanted[4])[levels[4] != MASKED].all()
    stems, strip = stage.fit.points.stems, look(stage.fit)
    largest = int(np.nan_to_num(trace.weights[3]).argmax())
    at_x, foot = stage.fit.place_of(trace.x_train[largest], 0).x(), stage.fit.getViewBox().sceneBoundingRect().bottom()
    assert wanted[3][largest] in near(strip, QPointF(at_x, foot - 8))
    assert len(stems.colours) == len(stems.x)
    for page in ("fit", "errors", "kernels"):
        turn_to(window, page, hands)
        bars = look(room.inspector.bars)
        each = bars.shape[0] // (len(room.inspector.bars.keys) + 1)
        for place, key in enumerate(room.inspector.bars.keys):
            assert wanted[3][key] in bars[round((place + 0.5) * each)], (page, key)
    seen = look(view_of(window))
    own = view_of(window).places.matrix((list(KERNELS).index("gaussian"), WIDTHS.index(0.5)))
    cell = cell_of(own, levels.shape, 4, largest)  # the line of the query crosses its own row
    assert ground(seen, cell) == wanted[4][largest]
