"""Where the names at the ends of curves are."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from attnviz.gui.plots.curves.step_curves import apart


@given(st.lists(st.floats(-50, 250), max_size=12).map(sorted), st.integers(8, 15))
def test_that_names_at_the_ends_of_curves_do_not_overlap(places: list[float], height: int) -> None:
    middles = apart(places, height, 0, 200)
    assert len(middles) == len(places)
    assert all(b - a >= height - 1e-6 for a, b in itertools.pairwise(middles))
    assert all(height / 2 - 1e-6 <= middle <= 200 - height / 2 + 1e-6 for middle in middles)


def test_that_a_name_stays_at_the_end_of_its_curve_where_nothing_is_near() -> None:
    assert apart([20, 100, 180], 12, 0, 200) == (20, 100, 180)
