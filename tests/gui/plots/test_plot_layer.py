"""What a plot draws, pixel by pixel: curves and their gaps, dots, rings, stars, stems and upright lines."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from eyes import look
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot
from typing_extensions import override

from attnviz.gui.app import make_application
from attnviz.gui.labs.regression.plots.weight_strip import STRIP, FitAxis, Stems
from attnviz.gui.plots.curves import marks
from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.plots.curves.marks import MANY, CurveMark, Dots, Rings, Stars, Upright
from attnviz.gui.plots.curves.plot_layer import PlotLayer, Scales, extent, in_round_numbers
from attnviz.gui.theme import LIGHT, Look

RED = QColor(255, 0, 0)
PEN = QPen(RED, 3)
MIDDLE = np.array([5.3]), np.array([0.13])  # between the lines of the grid
THICK = {(across, down) for across in (2, 3) for down in (2, 3)}
"""What a dot of three points comes to, wherever it lies between pixels."""
Reds = NDArray[np.bool_]


@pytest.fixture
def plot(qtbot: QtBot) -> CurvePlot:
    """Return an empty plot of 0 to 10 by -1 to 1."""
    made = CurvePlot(Look(LIGHT), "plot", "", "")
    qtbot.addWidget(made)
    made.resize(460, 300)
    made.restyle(Look(LIGHT))
    made.getViewBox().setRange(xRange=(0, 10), yRange=(-1, 1), padding=0)
    made.show()
    made.grab()
    return made


def reds(plot: CurvePlot) -> Reds:
    """Return which pixels of a plot are more red than anything else."""
    seen = look(plot)
    red, green, blue = (seen >> shift & 255 for shift in (16, 8, 0))
    return (red > 200) & (green < 120) & (blue < 120)


def box_of(found: Reds) -> tuple[int, int]:
    """Return how wide and how high the pixels found reach."""
    rows, columns = np.nonzero(found)
    return int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


def spread(found: Reds) -> Reds:
    """Return the pixels found and those beside them."""
    wider = np.zeros_like(found)
    for down, right in np.ndindex(3, 3):
        wider |= np.roll(found, (down - 1, right - 1), axis=(0, 1))
    return wider


def near(plot: CurvePlot, x: float, y: float, found: Reds, reach: int = 1) -> bool:
    """Return whether there is red around a point of the plot."""
    place: QPointF = plot.place_of(x, y)
    row, column = round(place.y()), round(place.x())
    return bool(found[row - reach : row + reach + 1, column - reach : column + reach + 1].any())


def test_that_a_curve_goes_through_its_points_and_leaves_a_gap_where_there_is_none(plot: CurvePlot) -> None:
    x = np.linspace(0.2, 9.8, 97)
    y = np.sin(x)
    gap = (x > 4) & (x < 6)
    curve = CurveMark(plot.layer)
    curve.set_pen(PEN)
    curve.set_data(x, np.where(gap, np.nan, y))
    found = reds(plot)
    assert all(near(plot, *point, found) for point in zip(x[~gap], y[~gap], strict=True))
    columns = np.flatnonzero(found.any(axis=0))
    left, right = plot.place_of(x[gap][0], 0).x(), plot.place_of(x[gap][-1], 0).x()
    assert not ((columns > left) & (columns < right)).any()


def test_that_a_point_between_two_gaps_is_a_dot(plot: CurvePlot) -> None:
    curve = CurveMark(plot.layer)
    curve.set_pen(PEN)
    curve.set_data(np.array([1.0, 2, 5, 8, 9]), np.array([0, np.nan, 0.5, np.inf, 0]))
    found = reds(plot)
    assert near(plot, 5, 0.5, found)
    assert near(plot, 1, 0, found)
    assert box_of(found[:, round(plot.place_of(3, 0).x()) : round(plot.place_of(7, 0).x())]) in THICK
    curve.clear()
    assert not reds(plot).any()


@pytest.mark.parametrize("count", [5_000, 60_000])
def test_that_a_line_of_very_many_points_is_drawn_as_if_by_all_of_them(count: int, plot: CurvePlot) -> None:
    random = np.random.default_rng(3)
    x, y = np.linspace(0, 10, count), random.normal(size=count).cumsum()
    y *= 0.9 / np.abs(y).max()
    y[count // 2] = 1  # a spike one point wide
    curve = CurveMark(plot.layer)
    curve.set_pen(QPen(RED, 1))
    curve.set_data(x, y)
    few = reds(plot)
    curve.set_data(x[::-1], y[::-1])  # which no way of drawing less is made for
    every = reds(plot)
    assert near(plot, x[count // 2], 0.98, few)
    assert spread(few)[every].mean() > 0.995  # the faint edge of a line is one grey or another
    assert spread(every)[few].mean() > 0.995


class Pieces(QPainter):
    """A painter that keeps the lengths of the polylines that it draws."""

    def __init__(self, image: QImage) -> None:
        super().__init__(image)
        self.lengths: list[float] = []

    @override
    def drawPolyline(self, points: Any) -> None:
        self.lengths.append(sum(QLineF(*ends).length() for ends in pairwise(points)))
        super().drawPolyline(points)


def drawn(plot: CurvePlot, waves: int, pieces: int | None = None) -> tuple[NDArray[np.uint8], list[float]]:
    """Return the pixels of a dashed sine of 500 by 300, and the lengths of its pieces."""
    image = QImage(500, 300, QImage.Format.Format_Grayscale8)
    image.fill(255)
    curve = CurveMark(plot.layer)
    curve.set_pen(QPen(QColor(0, 0, 0), 1.8, Qt.PenStyle.DashLine))
    x = np.linspace(0, 500, 1000)
    curve.set_data(x, 150 + 140 * np.sin(2 * np.pi * waves * x / 500))
    with pytest.MonkeyPatch.context() as patch, Pieces(image) as painter:
        if pieces is not None:
            patch.setattr(marks, "_PIECE", pieces)
        curve.draw(painter, Scales(0, 1, 0, 1, QRectF(0, 0, 500, 300)))
    return np.array(image.constBits(), np.uint8).reshape(300, -1)[:, :500], painter.lengths


def test_that_a_line_however_long_is_drawn_in_short_pieces(plot: CurvePlot) -> None:
    """Qt took seconds for a dashed line that comes back to the same rows a thousand times."""
    _, lengths = drawn(plot, waves=250)
    assert sum(lengths) > 100_000
    assert max(lengths) < 5_000


def test_that_the_dashes_of_a_line_go_on_from_piece_to_piece(plot: CurvePlot) -> None:
    whole, (length,) = drawn(plot, waves=8, pieces=10**9)
    seen, lengths = drawn(plot, waves=8, pieces=300)
    assert len(lengths) > 10
    assert sum(lengths) == pytest.approx(length)
    assert (np.abs(whole.astype(int) - seen) > 60).mean() < 0.001


@given(st.lists(st.floats(-1e308, 1e308), min_size=2, max_size=30))
def test_that_no_number_is_too_large_to_be_drawn(values: list[float]) -> None:
    make_application()
    made = CurvePlot(Look(LIGHT), "plot", "", "")
    made.resize(200, 120)
    curve = CurveMark(made.layer)
    curve.set_pen(PEN)
    curve.set_data(np.arange(len(values), dtype=float), np.array(values))
    made.show_range((0, len(values)), extent(curve.y))
    assert np.isfinite(made.getViewBox().viewRange()).all()
    look(made)
    made.show_range(None, (-1e-300, 1e-300))
    look(made)


def test_that_what_lies_far_outside_leaves_the_slopes_inside_as_they_are(plot: CurvePlot) -> None:
    curve = CurveMark(plot.layer)
    curve.set_pen(PEN)
    curve.set_data(np.array([0.0, 10]), np.array([-200.0, 200]))
    found = reds(plot)
    assert all(near(plot, 5 + y / 40, y, found) for y in (-0.9, -0.3, 0, 0.4, 0.9))


@pytest.mark.parametrize("size", [8, 13])
@pytest.mark.parametrize("make", [Dots, Rings, Stars])
def test_that_a_mark_at_a_point_is_round_whatever_the_axes(
    make: Callable[..., Any], size: int, plot: CurvePlot
) -> None:
    mark = make(plot.layer)
    mark.set_look(PEN if make is Rings else RED, size)
    mark.set_data(*MIDDLE)
    for y_range in ((-1, 1), (-90, 10)):
        plot.getViewBox().setRange(yRange=y_range, padding=0)
        found = reds(plot)
        width, height = box_of(found)
        expected = size + (3 if make is Rings else 0)
        faint = 3 if make is Stars else 2  # their tips
        assert abs(width - expected) <= faint
        assert abs(height - expected) <= faint
        place = plot.place_of(*(float(each) for each in np.concatenate(MIDDLE)))
        columns = np.nonzero(found)[1]
        assert abs((columns.max() + columns.min() + 1) / 2 - place.x()) <= 1
        assert found[round(place.y()), round(place.x())] != (make is Rings)


def test_that_a_dot_has_its_edge_around_it(plot: CurvePlot) -> None:
    curve, dots = CurveMark(plot.layer), Dots(plot.layer)
    curve.set_pen(PEN)
    curve.set_data(np.array([0.0, 10]), np.array([0.13, 0.13]))
    blue = QColor(0, 0, 255)
    dots.set_look(blue, 8, QColor(LIGHT.window), 4)
    dots.set_data(*MIDDLE)
    place = plot.place_of(5.3, 0.13)
    line = look(plot)[round(place.y())]
    middle = round(place.x())
    assert line[middle] == 0x0000FF
    assert (reds(plot)[round(place.y()), middle - 7 : middle + 8]).sum() == 0
    assert reds(plot)[round(place.y()), middle - 11]


def test_that_very_many_dots_are_small_and_none_is_left_out(plot: CurvePlot) -> None:
    count = MANY + 1
    x = np.linspace(0, 10, count)
    dots = Dots(plot.layer)
    dots.set_look(RED, 6)
    dots.set_data(x, np.zeros(count))
    found = reds(plot)
    assert all(near(plot, each, 0, found) for each in x[1:-1])
    assert box_of(found)[1] in (3, 4)


def test_that_points_without_a_place_are_not_drawn(plot: CurvePlot) -> None:
    for mark in (Dots(plot.layer), Stars(plot.layer)):
        mark.set_look(RED, 8)
        mark.set_data(np.array([1, np.nan, 5, np.inf]), np.array([np.nan, 0, 0, 0]))
        assert abs(box_of(reds(plot))[0] - 8) <= 2
        mark.clear()


def test_that_stems_stand_on_the_foot_as_high_as_their_share_of_the_strip(plot: CurvePlot) -> None:
    axis = FitAxis()
    axis.show_most(0.4)
    stems = Stems(plot.layer, axis, "")
    stems.set_pen(PEN)
    stems.set_data(np.array([2.0, 7]), np.array([0.2, 0.1]))
    stems.colours = np.array([[255, 0, 0]] * 2, np.uint8)
    found = reds(plot)
    foot, top = plot.place_of(0, -1).y(), plot.place_of(0, 1).y()
    for x, share in ((2, 0.5), (7, 0.25)):
        rows = np.flatnonzero(found[:, round(plot.place_of(x, 0).x())])
        assert abs(rows.max() - foot) <= 2
        assert abs(len(rows) - share * STRIP * (foot - top)) <= 3  # a pen is square at its end


def test_that_an_upright_line_stands_where_it_is_put_and_nowhere_before(plot: CurvePlot) -> None:
    line = Upright(plot.layer)
    line.set_pen(PEN)
    assert not reds(plot).any()
    line.put(2.5)
    found = reds(plot)
    width, height = box_of(found)
    assert width in (2, 3)
    assert abs(height - (plot.place_of(0, -1).y() - plot.place_of(0, 1).y())) <= 3
    assert abs(np.flatnonzero(found.any(axis=0)).mean() + 0.5 - plot.place_of(2.5, 0).x()) <= 1
    for nowhere in (None, np.nan, np.inf):
        line.put(2.5)
        line.put(nowhere)
        assert line.x is None
        assert not reds(plot).any()


def test_that_a_kept_layer_follows_its_data_and_the_view(plot: CurvePlot) -> None:
    dots, line = Dots(PlotLayer(plot, kept=True)), Upright(plot.layer)
    dots.set_look(RED, 8)
    line.set_pen(QPen(QColor(0, 0, 255), 1))
    for x in (2.0, 8.0):
        dots.set_data(np.array([x]), np.array([0.0]))
        line.put(x - 1)
        assert near(plot, x, 0, reds(plot))
        assert abs(box_of(reds(plot))[0] - 8) <= 2
    plot.getViewBox().setRange(xRange=(5, 15), padding=0)
    assert near(plot, 8, 0, reds(plot))
    plot.resize(600, 400)
    assert near(plot, 8, 0, reds(plot))
    assert abs(box_of(reds(plot))[0] - 8) <= 2


def test_that_a_mark_that_cannot_be_drawn_is_said_once_a_frame_and_the_plot_lives(
    plot: CurvePlot, qtbot: QtBot
) -> None:
    first, dots = CurveMark(plot.layer), Dots(plot.layer)
    dots.set_look(RED, 8)
    dots.set_data(*MIDDLE)
    first.set_data(np.zeros(2), np.zeros(3))  # which no curve has
    with capture_exceptions() as exceptions:
        for _ in range(3):
            look(plot)
    assert len(exceptions) == 3
    assert {each[0] for each in exceptions} == {ValueError}
    first.clear()
    assert reds(plot).any()


def test_that_marks_are_drawn_in_the_order_in_which_they_were_made(plot: CurvePlot) -> None:
    for colour in (RED, QColor(0, 0, 255)):
        dots = Dots(plot.layer)
        dots.set_look(colour, 10)
        dots.set_data(*MIDDLE)
    assert not reds(plot).any()


def test_that_nothing_is_drawn_over_the_axes(plot: CurvePlot) -> None:
    curve = CurveMark(plot.layer)
    curve.set_pen(QPen(RED, 3, Qt.PenStyle.SolidLine))
    curve.set_data(np.array([-50.0, 50]), np.array([0.0, 0]))
    columns = np.flatnonzero(reds(plot).any(axis=0))
    assert columns.min() >= plot.place_of(0, 0).x() - 2


@given(st.lists(st.floats(width=64), max_size=20))
def test_that_an_extent_holds_every_finite_number_that_an_axis_can_show(values: list[float]) -> None:
    known = [each for each in values if np.isfinite(each)]
    found = extent(np.array(values), np.empty(0))
    if found is None:
        assert not known
    else:
        assert found[0] <= found[1]
        assert found == (max(min(known), -1e300), min(max(known), 1e300)) or abs(max(known, key=abs)) > 1e300


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_that_round_numbers_hold_a_range_closely(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    first, last = in_round_numbers(low, high)
    size = max(abs(low), abs(high))
    assert first <= low + 1e-12 * size
    assert last >= high - 1e-12 * size
    assert last - first <= 1.5 * (high - low) + 1e-9 * size + 1e-299


@pytest.mark.parametrize(
    ("range_", "expected"),
    [
        ((11.6, 27.3), (10, 28)),
        ((0.9, 3.9), (0.5, 4)),
        ((0, 1), (0, 1)),
        ((-0.3, 0.31), (-0.3, 0.4)),
        ((5, 5), (5, 5)),
    ],
)
def test_that_the_ends_of_an_axis_are_round(range_: tuple[float, float], expected: tuple[float, float]) -> None:
    assert in_round_numbers(*range_) == pytest.approx(expected)


def test_that_a_range_of_one_axis_leaves_the_other_as_it_is(plot: CurvePlot) -> None:
    view = plot.getViewBox()
    plot.show_range((20.0, 24.0), None)
    (left, right), other = view.viewRange()
    assert 19 < left <= 20
    assert 24 <= right < 25
    assert other == [-1, 1]
    plot.show_range(None, (5.0, 6.0))
    other, (low, high) = view.viewRange()
    assert other == [left, right]
    assert 4 < low <= 5
    assert 6 <= high < 7
    plot.show_range(None, None)
    assert view.viewRange() == [[left, right], [low, high]]
