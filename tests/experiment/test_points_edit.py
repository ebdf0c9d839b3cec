import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.experiment.arrays import read_only
from attnviz.experiment.regression.data import FARTHEST, MAX_POINTS
from attnviz.experiment.regression.points import added, moved, removed

Points = list[tuple[float, float]]
Vector = np.ndarray[Any, np.dtype[np.float64]]

# A few x of many, so that points often share one.
X = st.integers(-3, 3).map(float) | st.floats(-FARTHEST, FARTHEST)
POINT = st.tuples(X, st.floats(-FARTHEST, FARTHEST))
POINTS = st.lists(POINT, min_size=1, max_size=12)


def columns(points: Points) -> tuple[Vector, Vector]:
    x, y = (read_only(np.array(column)) for column in zip(*points, strict=True))
    return x, y


def points_of(x: Vector, y: Vector) -> Points:
    assert x.shape == y.shape
    assert (x.dtype, y.dtype) == (np.float64, np.float64)
    return list(zip(x.tolist(), y.tolist(), strict=True))


def in_order(points: Points) -> Points:
    """Sort by x alone; Python's sort keeps the order of equals."""
    return sorted(points, key=lambda point: point[0])


def test_that_a_point_moved_past_its_neighbours_is_found_at_its_new_place() -> None:
    x, y, index = moved(np.array([1.0, 2, 3, 4]), np.array([10.0, 20, 30, 40]), 0, 3.5, 11)
    assert (x.tolist(), y.tolist(), index) == ([2, 3, 3.5, 4], [20, 30, 11, 40], 2)


def test_that_an_added_point_is_found_behind_others_of_the_same_x() -> None:
    x, y, index = added(np.array([3.0, 1, 1]), np.array([30.0, 10, 11]), 1, 12)
    assert (x.tolist(), y.tolist(), index) == ([1, 1, 1, 3], [10, 11, 12, 30], 2)


def test_that_a_removed_point_is_gone_and_the_others_are_in_order() -> None:
    x, y = removed(np.array([3.0, 1, 2]), np.array([30.0, 10, 20]), 1)
    assert (x.tolist(), y.tolist()) == ([2, 3], [20, 30])


@pytest.mark.parametrize(("start", "place", "heights"), [(0, 0, [99, 20, 21, 30]), (3, 3, [10, 20, 21, 99])])
def test_that_a_point_which_meets_others_stays_on_the_side_that_it_comes_from(
    start: int, place: int, heights: list[float]
) -> None:
    _, y, index = moved(np.array([1.0, 2, 2, 3]), np.array([10.0, 20, 21, 30]), start, 2, 99)
    assert (index, y.tolist()) == (place, heights)


def test_that_a_point_which_only_goes_up_or_down_keeps_its_place_among_those_of_its_x() -> None:
    x, y = np.array([1.0, 1, 1]), np.array([0.0, 1, 2])
    for index in range(3):
        assert moved(x, y, index, 1, 9)[2] == index


@given(points=POINTS, to=POINT, data=st.data())
def test_that_moving_keeps_all_other_points_and_says_where_the_moved_one_is(
    points: Points, to: tuple[float, float], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(points) - 1))
    new_x, new_y, place = moved(*columns(points), index, *to)
    found = points_of(new_x, new_y)
    assert found == in_order([*points[:index], to, *points[index + 1 :]])
    assert found.pop(place) == to
    assert found == in_order(points[:index] + points[index + 1 :])


@given(points=POINTS, new=POINT)
def test_that_adding_keeps_all_points_and_says_where_the_new_one_is(points: Points, new: tuple[float, float]) -> None:
    new_x, new_y, place = added(*columns(points), *new)
    found = points_of(new_x, new_y)
    assert found.pop(place) == new
    assert found == in_order(points)
    assert (np.diff(new_x) >= 0).all()


@given(points=st.lists(POINT, min_size=2, max_size=12), data=st.data())
def test_that_removing_keeps_all_other_points(points: Points, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(points) - 1))
    assert points_of(*removed(*columns(points), index)) == in_order(points[:index] + points[index + 1 :])


@given(points=POINTS, new=POINT)
def test_that_removing_what_was_added_gives_back_the_sorted_points(points: Points, new: tuple[float, float]) -> None:
    x, y, place = added(*columns(points), *new)
    assert points_of(*removed(x, y, place)) == in_order(points)


@given(points=st.lists(POINT, min_size=2, max_size=12, unique_by=lambda point: point[0]), to=POINT, data=st.data())
def test_that_moving_back_and_adding_again_are_the_inverse_where_no_two_points_share_an_x(
    points: Points, to: tuple[float, float], data: st.DataObject
) -> None:
    points = in_order(points)
    index = data.draw(st.integers(0, len(points) - 1))
    x, y, place = moved(*columns(points), index, *to)
    back_x, back_y, back = moved(x, y, place, *points[index])
    assert (points_of(back_x, back_y), back) == (points, index)
    again_x, again_y, again = added(*removed(*columns(points), index), *points[index])
    assert (points_of(again_x, again_y), again) == (points, index)


EDITS: dict[str, Callable[[Vector, Vector], Any]] = {
    "moved": lambda x, y: moved(x, y, 1, 5.5, 6.5),
    "added": lambda x, y: added(x, y, 5.5, 6.5),
    "removed": lambda x, y: removed(x, y, 1),
}
EVERY_EDIT = pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)


@EVERY_EDIT
def test_that_an_edit_leaves_what_it_was_given_as_it_was_and_shares_nothing_with_it(
    edit: Callable[[Vector, Vector], Any],
) -> None:
    x, y = np.array([3.0, 1.0, 2.0]), np.array([30.0, 10.0, 20.0])
    new_x, new_y, *_ = edit(x, y)
    new_x[:], new_y[:] = 0, 0
    assert (x.tolist(), y.tolist()) == ([3, 1, 2], [30, 10, 20])


@EVERY_EDIT
def test_that_an_edit_of_ten_thousand_points_takes_less_than_a_frame(edit: Callable[[Vector, Vector], Any]) -> None:
    x = np.linspace(0, 10, 10_000)
    seconds = []
    for _ in range(20):
        start = time.process_time()
        edit(x, x)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.005


def test_that_the_only_point_cannot_be_removed() -> None:
    with pytest.raises(ValueError, match="the only point cannot be removed; at least 1 is needed"):
        removed(np.array([1.0]), np.array([2.0]), 0)


FAR = 2 * FARTHEST


@pytest.mark.parametrize(
    ("x", "y", "name", "nearest"),
    [
        (math.inf, 0, "x inf", "1e+100"),
        (0, -math.inf, "y -inf", "-1e+100"),
        (math.nan, 0, "x nan", "0"),
        (0, FAR, "y 2e+100", "1e+100"),
        (-FAR, 0, "x -2e+100", "-1e+100"),
    ],
)
def test_that_a_place_too_far_away_is_refused_with_the_nearest_legal_value(
    x: float, y: float, name: str, nearest: str
) -> None:
    said = f"{name} must be a finite number, at most 1e+100 in size; nearest: {nearest}"
    ends = columns([(0.0, 1.0), (1.0, 2.0)])
    for edit in (lambda: moved(*ends, 0, x, y), lambda: added(*ends, x, y)):
        with pytest.raises(ValueError, match="must be") as caught:
            edit()
        assert str(caught.value) == said


def test_that_the_farthest_place_of_all_is_legal() -> None:
    x, _, index = moved(*columns([(0.0, 1.0), (1.0, 2.0)]), 0, FARTHEST, -FARTHEST)
    assert (x.tolist(), index) == ([1, FARTHEST], 1)


def test_that_no_point_can_be_added_to_as_many_as_there_may_be() -> None:
    full = np.zeros(MAX_POINTS)
    assert len(added(full[1:], full[1:], 1, 1)[0]) == MAX_POINTS
    with pytest.raises(ValueError, match=f"there are {MAX_POINTS} points already"):
        added(full, full, 1, 1)


def test_that_an_index_may_count_from_the_end() -> None:
    assert moved(*columns([(0.0, 1.0), (1.0, 2.0)]), -1, -5, 2)[2] == 0
    assert points_of(*removed(*columns([(0.0, 1.0), (1.0, 2.0)]), -1)) == [(0, 1)]


@pytest.mark.parametrize("index", [2, -3])
def test_that_a_point_which_is_not_there_is_an_index_error(index: int) -> None:
    ends = columns([(0.0, 1.0), (1.0, 2.0)])
    for edit in (lambda: moved(*ends, index, 0, 0), lambda: removed(*ends, index)):
        with pytest.raises(IndexError):
            edit()
