import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.experiment.regression.data import FARTHEST, MAX_POINTS
from attnviz.experiment.regression.points import points_of_text, read_points
from attnviz.export.numbers import points_text, write_points

NUMBERS = st.floats(-FARTHEST, FARTHEST)
POINTS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=20)
X, Y = np.array([0.1, -0.0, 5e-324]), np.array([1e100, 1 / 3, 2.0])
TEXT = "x,y\n0.1,1e+100\n-0.0,0.3333333333333333\n5e-324,2.0\n"


def test_that_points_are_two_columns_below_their_names_with_all_digits() -> None:
    assert points_text(X, Y) == TEXT


def test_that_a_file_holds_the_very_bytes_of_the_text_on_every_system(tmp_path: Path) -> None:
    write_points(X, Y, tmp_path / "mine.dat")
    assert (tmp_path / "mine.dat").read_bytes() == TEXT.encode()
    assert os.listdir(tmp_path) == ["mine.dat"]


@given(points=POINTS)
def test_that_points_are_read_back_bit_for_bit(points: list[tuple[float, float]], tmp_path_factory: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "points.csv"
    x, y = np.array(points).T
    write_points(x, y, path)
    for found_x, found_y in (points_of_text(points_text(x, y)), read_points(str(path))):
        assert (found_x.tobytes(), found_y.tobytes()) == (x.tobytes(), y.tobytes())


def test_that_as_many_points_as_there_may_be_are_read_back(tmp_path: Path) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, MAX_POINTS)) * 1e-300
    write_points(x, y, tmp_path / "all.csv")
    found_x, found_y = read_points(str(tmp_path / "all.csv"))
    assert (found_x.tobytes(), found_y.tobytes()) == (x.tobytes(), y.tobytes())


def test_that_columns_of_unlike_length_are_not_cut_to_fit(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="shorter"):
        write_points(X, Y[:2], tmp_path / "mine.csv")
    assert os.listdir(tmp_path) == []
