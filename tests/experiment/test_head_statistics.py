import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.layers.statistics import HeadStatistics, entropies, head_statistics

Array = np.ndarray[Any, Any]
Rows = list[list[float]]

SIZE = st.integers(1, 6)


def one_head(rows: Any, dtype: Any = np.float64) -> dict[str, float]:
    """Return the statistics of one head with these rows."""
    return numbers(head_statistics(np.array([rows], dtype)), 0)


def numbers(statistics: HeadStatistics, head: int) -> dict[str, float]:
    return {name: float(statistics[name][head]) for name in STATISTICS}


def slowly(rows: Rows) -> dict[str, float]:
    """Return the same by the definitions, cell by cell."""
    held = [(q, row) for q, row in enumerate(rows) if all(map(math.isfinite, row)) and any(row)]
    later = [(q, row) for q, row in held if q > 0]

    def mean(values: list[float]) -> float:
        return sum(values) / len(values) if values else math.nan

    return {
        "entropy": mean([-sum(w * math.log2(w) for w in row if w > 0) for _, row in held]),
        "diagonal": mean([sum(w for k, w in enumerate(row) if k == q) for q, row in held]),
        "previous": mean([sum(w for k, w in enumerate(row) if k == q - 1) for q, row in later]),
        "first": mean([row[0] for _, row in held]),
        "distance": mean([sum(w * abs(q - k) for k, w in enumerate(row)) for q, row in held]),
        "sum_error": max((abs(sum(row) - 1) for _, row in held), default=math.nan),
    }


@st.composite
def heads_of_weights(draw: st.DrawFn) -> Array:
    """(h, Q, K) rows of softmax, of zeros, and of what is no number."""
    heads, queries, keys = draw(st.integers(1, 3)), draw(SIZE), draw(SIZE)
    weight = st.sampled_from([0.0, 0.0, 1.0, 2.0, 7.0]) | st.floats(1e-3, 10)
    row = st.lists(weight, min_size=keys, max_size=keys).map(lambda w: [each / (sum(w) or 1.0) for each in w])
    wrong = st.sampled_from([math.nan, math.inf]).flatmap(
        lambda value: st.integers(0, keys - 1).map(lambda at: [value if k == at else 0.5 for k in range(keys)])
    )
    rows = st.lists(row | row | wrong | st.just([0.0] * keys), min_size=queries, max_size=queries)
    weights = np.array(draw(st.lists(rows, min_size=heads, max_size=heads)))
    return weights.astype(draw(st.sampled_from([np.float32, np.float64])))


# Worked by hand


NAMES = ("entropy", "diagonal", "previous", "first", "distance", "sum_error")
PREVIOUS = np.eye(5, k=-1)
PREVIOUS[0, 0] = 1  # the first query has none before it, and looks at itself


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (np.eye(4), (0, 1, 0, 0.25, 0, 0)),
        # |q - k| over 4 x 4 cells: 0 four times, 1 six times, 2 four times, 3 twice: 20 / 16.
        (np.full((4, 4), 0.25), (2, 0.25, 0.25, 0.25, 1.25, 0)),
        (PREVIOUS, (0, 0.2, 1, 0.4, 0.8, 0)),
    ],
    ids=["itself", "even", "previous"],
)
def test_that_a_head_of_one_kind_has_the_numbers_worked_by_hand(weights: Array, expected: tuple[float, ...]) -> None:
    assert one_head(weights) == dict(zip(NAMES, expected, strict=True))


def test_that_a_head_of_the_first_token_is_all_first() -> None:
    found = one_head([[1, 0, 0]] * 3)
    assert (found["first"], found["entropy"], found["distance"]) == (1, 0, 1)


def test_that_one_row_of_a_half_and_two_quarters_has_one_bit_and_a_half() -> None:
    assert one_head([[0.5, 0.25, 0.25]])["entropy"] == 1.5
    assert entropies(np.array([[0.5, 0.25, 0.25], [1, 0, 0], [0, 0, 0]])).tolist() == [1.5, 0, 0]


def test_that_the_largest_error_of_a_row_sum_is_told_whichever_side_it_lies() -> None:
    assert one_head([[0.5, 0.5], [0.5, 0.25], [0.75, 0.375]])["sum_error"] == 0.25


def test_that_an_entropy_of_nothing_is_a_plain_zero() -> None:
    assert math.copysign(1, one_head([[1.0]])["entropy"]) == 1


def test_that_heads_are_told_one_by_one() -> None:
    statistics = head_statistics(np.stack([np.eye(4), np.full((4, 4), 0.25), np.zeros((4, 4))]))
    assert statistics["entropy"].tolist()[:2] == [0, 2]
    assert statistics["diagonal"].tolist()[:2] == [1, 0.25]
    assert all(math.isnan(value) for value in numbers(statistics, 2).values())


# Rows that count for nothing


@pytest.mark.parametrize("wrong", [[0, 0, 0], [math.nan] * 3, [math.nan, 0.5, 0.5], [math.inf, 0, 0]])
@pytest.mark.parametrize("place", [1, 2, 3])
def test_that_a_row_which_is_empty_or_no_number_moves_no_mean(wrong: list[float], place: int) -> None:
    even = [[1 / 3] * 3] * 4
    replaced = [wrong if query == place else row for query, row in enumerate(even)]
    found, left = one_head(replaced), slowly([row if q != place else [0.0] * 3 for q, row in enumerate(even)])
    assert found == pytest.approx(left)
    assert found["entropy"] == pytest.approx(math.log2(3))
    assert found["first"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("value", [0.0, math.nan, math.inf])
def test_that_a_head_without_a_row_that_counts_has_no_numbers(value: float) -> None:
    assert all(math.isnan(each) for each in one_head(np.full((3, 2), value)).values())


def test_that_a_head_whose_first_query_alone_counts_has_no_previous_share() -> None:
    found = one_head([[1, 0], [0, 0]])
    assert math.isnan(found["previous"])
    assert (found["diagonal"], found["sum_error"]) == (1, 0)


# Shapes


@pytest.mark.parametrize(
    ("rows", "diagonal", "previous", "distance"),
    [
        ([[1.0]], 1, math.nan, 0),
        ([[1.0]] * 3, 1 / 3, 0.5, 1),
        ([[0.25, 0.25, 0.25, 0.25]], 0.25, math.nan, 1.5),
        ([[0, 0, 1], [1, 0, 0]], 0, 1, 1.5),
        ([[0, 1], [0, 1], [0, 1], [0, 1]], 0.25, 1 / 3, 1),
    ],
    ids=["1x1", "one key", "one query", "more keys", "more queries"],
)
def test_that_weights_need_not_be_square(rows: Rows, diagonal: float, previous: float, distance: float) -> None:
    found = one_head(rows)
    expected = {"diagonal": diagonal, "previous": previous, "distance": distance}
    assert {name: found[name] for name in expected} == pytest.approx(expected, nan_ok=True)


@given(weights=heads_of_weights())
def test_that_every_head_agrees_with_the_definitions_cell_by_cell(weights: Array) -> None:
    statistics = head_statistics(weights)
    for head, rows in enumerate(weights.astype(np.float64).tolist()):
        assert numbers(statistics, head) == pytest.approx(slowly(rows), nan_ok=True, rel=1e-9, abs=1e-12)


@given(weights=heads_of_weights())
def test_that_every_number_lies_where_it_can(weights: Array) -> None:
    statistics = head_statistics(weights)
    _, queries, keys = weights.shape
    most = {"entropy": math.log2(keys), "diagonal": 1, "previous": 1, "first": 1, "distance": max(queries, keys) - 1}
    for name in STATISTICS:
        values = statistics[name]
        assert values.dtype == np.float64
        assert values.shape == (len(weights),)
        held = values[~np.isnan(values)]
        assert ((held >= 0) & (held <= most.get(name, 1) + 1e-6)).all(), name


@given(weights=heads_of_weights())
def test_that_counting_leaves_the_weights_as_they_are(weights: Array) -> None:
    before = weights.copy()
    weights.setflags(write=False)
    head_statistics(weights)
    np.testing.assert_array_equal(weights, before)


def test_that_a_view_may_name_every_statistic_there_is_or_none_and_no_other() -> None:
    for name in ("", *STATISTICS):
        assert AttentionViewSettings.model_validate({"statistic": name}).statistic == name
    with pytest.raises(ValidationError):
        AttentionViewSettings.model_validate({"statistic": "kurtosis"})


@given(weights=heads_of_weights(), factor=st.sampled_from([0.25, 0.5, 3.0, 24.0]))
def test_that_rows_that_do_not_sum_to_one_count_by_their_shares(weights: Array, factor: float) -> None:
    given_rows, shares = head_statistics(weights * weights.dtype.type(factor)), head_statistics(weights)
    for name in STATISTICS:
        if name != "sum_error":
            np.testing.assert_allclose(given_rows[name], shares[name], rtol=1e-5, atol=1e-6)


def test_that_no_row_has_more_bits_than_its_keys() -> None:
    assert entropies(np.ones((1, 24)))[0] == pytest.approx(math.log2(24))


def test_that_rows_that_sum_to_one_but_for_rounding_stay_as_they_are_and_all_others_are_shares() -> None:
    row = np.array([[0.25, 0.750001]])
    assert entropies(row)[0] == -(0.25 * math.log2(0.25) + 0.750001 * math.log2(0.750001))
    for taken in (0.6, 0.981, 0.999):  # a sink takes the rest
        assert entropies(taken * np.array([[0.25, 0.75]]))[0] == pytest.approx(
            -(0.25 * math.log2(0.25) + 0.75 * math.log2(0.75)), abs=1e-12
        )
