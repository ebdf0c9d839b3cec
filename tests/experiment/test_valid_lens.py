from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import SEEDS, lengths_for
from pydantic_core import PydanticCustomError

from attnviz.experiment.attention import valid_lens as lens

SIZE = st.integers(1, 6)
SIZES = st.tuples(SIZE, SIZE, SIZE)


@st.composite
def fitting(draw: st.DrawFn) -> tuple[lens.ValidLens, tuple[int, int, int]]:
    """Lengths as a spec holds them, with the batch, queries and keys they fit."""
    sizes = draw(SIZES)
    return lens.parse(draw(lengths_for(*sizes))), sizes


def fits(valid_lens: lens.ValidLens, sizes: tuple[int, int, int]) -> bool:
    try:
        lens.check(valid_lens, *sizes)
    except PydanticCustomError:
        return False
    return True


@given(case=fitting())
def test_that_parsed_lengths_hold_what_was_given_in_tuples(case: tuple[Any, Any]) -> None:
    valid_lens, sizes = case
    assert fits(valid_lens, sizes)
    assert lens.parse(valid_lens) == valid_lens
    as_lists = [list(row) if isinstance(row, tuple) else row for row in valid_lens] if valid_lens else None
    assert lens.parse(as_lists) == valid_lens


@pytest.mark.parametrize(("valid_lens", "per_query"), [(None, False), ((3, 2), False), (((3,), (2,)), True)])
def test_that_lengths_are_per_query_when_their_entries_are_rows(valid_lens: lens.ValidLens, per_query: bool) -> None:
    assert lens.is_per_query(valid_lens) is per_query


@pytest.mark.parametrize(
    ("valid_lens", "sizes"),
    [
        ((3, 2), (3, 4, 6)),
        ((3, 2), (1, 4, 6)),
        ((3, 7), (2, 4, 6)),
        ((3, -1), (2, 4, 6)),
        (((1, 2), (1, 2)), (2, 3, 6)),
        (((1, 2), (1,)), (2, 2, 6)),
        (((1, 2), (1, 7)), (2, 2, 6)),
        (((1, 2), (1, -1)), (2, 2, 6)),
    ],
)
def test_that_lengths_of_another_batch_or_count_or_range_do_not_fit(
    valid_lens: lens.ValidLens, sizes: tuple[int, int, int]
) -> None:
    assert not fits(valid_lens, sizes)


@given(case=fitting(), sizes=SIZES)
def test_that_conformed_lengths_fit_whatever_sizes_come(case: tuple[Any, Any], sizes: tuple[int, int, int]) -> None:
    assert fits(lens.conform(case[0], *sizes), sizes)


@given(case=fitting(), sizes=SIZES)
def test_that_conforming_keeps_the_kind_and_a_second_time_changes_nothing(
    case: tuple[Any, Any], sizes: tuple[int, int, int]
) -> None:
    once = lens.conform(case[0], *sizes)
    assert lens.conform(once, *sizes) == once
    assert lens.is_per_query(once) == lens.is_per_query(case[0])
    assert (once is None) == (case[0] is None)


@given(case=fitting())
def test_that_lengths_which_fit_are_left_as_they_are(case: tuple[Any, Any]) -> None:
    valid_lens, sizes = case
    assert lens.conform(valid_lens, *sizes) == valid_lens


@given(case=fitting(), more=st.tuples(*[st.integers(0, 3)] * 3))
def test_that_growing_and_shrinking_back_gives_the_lengths_back(case: tuple[Any, Any], more: tuple[int, ...]) -> None:
    valid_lens, sizes = case
    grown = lens.conform(valid_lens, *(size + extra for size, extra in zip(sizes, more, strict=True)))
    assert lens.conform(grown, *sizes) == valid_lens


@pytest.mark.parametrize(
    ("valid_lens", "sizes", "expected"),
    [
        ((3, 2), (4, 1, 6), (3, 2, 2, 2)),
        ((3, 2), (1, 1, 6), (3,)),
        ((5, 2), (2, 1, 3), (3, 2)),
        (((1, 2), (3, 4)), (3, 3, 3), ((1, 2, 2), (3, 3, 3), (3, 3, 3))),
        (((1, 2), (3, 4)), (1, 1, 9), ((1,),)),
    ],
)
def test_that_new_entries_repeat_the_last_and_no_length_passes_the_keys(
    valid_lens: lens.ValidLens, sizes: tuple[int, int, int], expected: lens.ValidLens
) -> None:
    assert lens.conform(valid_lens, *sizes) == expected


@given(sizes=SIZES, seed=SEEDS, per_query=st.booleans())
def test_that_every_usual_filling_fits_its_sizes(sizes: tuple[int, int, int], seed: int, per_query: bool) -> None:
    batch_size, num_queries, num_kvpairs = sizes
    queries = num_queries if per_query else None
    fillings = [
        lens.all_equal(num_kvpairs, batch_size, queries),
        lens.at_random(seed, num_kvpairs, batch_size, queries),
        lens.staircase(num_kvpairs, batch_size, queries),
    ]
    for filling in fillings:
        assert fits(filling, sizes)
        assert lens.is_per_query(filling) == per_query


def test_that_all_equal_repeats_one_length() -> None:
    assert lens.all_equal(4, 2) == (4, 4)
    assert lens.all_equal(4, 2, 3) == ((4, 4, 4), (4, 4, 4))


def test_that_a_staircase_climbs_by_one_and_stops_at_the_keys() -> None:
    assert lens.staircase(3, 5) == (1, 2, 3, 3, 3)
    assert lens.staircase(3, 2, 4) == ((1, 2, 3, 3), (1, 2, 3, 3))


def test_that_random_lengths_hang_on_the_seed_alone_and_reach_from_one_to_all_keys() -> None:
    drawn = lens.at_random(7, 5, 200)
    assert lens.at_random(7, 5, 200) == drawn
    assert lens.at_random(8, 5, 200) != drawn
    assert set(drawn or ()) == {1, 2, 3, 4, 5}
