"""The numbers that a rule leaves to a field: what the validator takes, and no others."""

from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from legal_specs import attention_values

from attnviz.definitions.legal import between, both, divisors, multiples, neighbours, stepped, stops
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.fields.knob import limits_of
from attnviz.experiment.labs import SpecError, make_spec

SIZES = ("num_heads", "num_kv_heads", "num_hiddens", "context_length", "num_queries", "query_size", "key_size")


def is_legal(values: dict[str, Any]) -> bool:
    try:
        make_spec(values)
    except SpecError:
        return False
    return True


@given(values=attention_values(most=12), field=st.sampled_from(SIZES), number=st.integers(1, 40))
@example({"mechanism": "dot_product", "num_hiddens": 6, "key_size": 6}, "query_size", 6)
@example({"mechanism": "dot_product", "num_hiddens": 6, "key_size": 5, "query_size": 5}, "key_size", 0)
@example({"mechanism": "dot_product", "num_hiddens": 5, "key_size": 5}, "num_hiddens", 6)
def test_that_the_legal_numbers_of_a_field_are_those_that_make_a_spec(
    values: dict[str, Any], field: str, number: int
) -> None:
    free = {"valid_lens": None, "painted": "", "document_lens": None, "window": None}
    values = {"num_kv_heads": None} | {**make_spec({**values, **free}).model_dump(), **free}
    active = AttentionSpec.active_fields(values)
    assume(field in active)
    acting = {name: each for name, each in values.items() if name in active}
    legal = AttentionSpec.legal_values(acting).get(field)
    for each in {number, number * values["num_heads"], values[field] or 0}:
        low, high = limits_of(AttentionSpec.model_fields[field])
        if low <= each <= high:
            assert is_legal({**acting, field: each}) == (legal is None or each in legal)
    if legal is not None and field.endswith("_size"):
        assert is_legal({**acting, field: None}) == (0 in legal)


@given(number=st.integers(1, 5000))
def test_that_divisors_are_all_that_leave_no_rest(number: int) -> None:
    assert list(divisors(number)) == [each for each in range(1, number + 1) if number % each == 0]


OCTAVES = tuple(each for start in (8, 16, 32, 64, 128) for each in range(start, 2 * start, start // 8))
legal_numbers = st.one_of(
    st.integers(1, 300).map(divisors),
    st.integers(1, 40).map(multiples),
    st.lists(st.integers(0, 200), min_size=1, unique=True).map(lambda numbers: tuple(sorted(numbers))),
)


@given(legal=legal_numbers, number=st.integers(-5, 400), steps=st.integers(-12, 12).filter(bool))
def test_that_an_arrow_goes_as_many_legal_numbers_as_it_says(legal: Any, number: int, steps: int) -> None:
    near = list(between(legal, 0, 20_000))
    beyond = [each for each in near if (each > number if steps > 0 else each < number)]
    ordered = beyond if steps > 0 else beyond[::-1]
    end = near[-1] if steps > 0 else near[0]
    expected = ordered[abs(steps) - 1] if len(ordered) >= abs(steps) else end
    assert stepped(legal, number, steps) == expected


@given(legal=legal_numbers, number=st.integers(-5, 400))
def test_that_the_neighbours_are_the_nearest_legal_numbers_on_both_sides(legal: Any, number: int) -> None:
    near = list(between(legal, 0, 20_000))
    below, above = [each for each in near if each <= number], [each for each in near if each >= number]
    assert set(neighbours(legal, number)) == {*below[-1:], *above[:1]}


@given(first=legal_numbers, second=legal_numbers)
def test_that_two_rules_leave_what_each_of_them_leaves(first: Any, second: Any) -> None:
    assume(not isinstance(first, range) or not isinstance(second, range))
    assert list(both(first, second)) == [each for each in between(first, 0, 20_000) if each in second]


@pytest.mark.parametrize(
    ("legal", "low", "high", "expected"),
    [
        (divisors(64), 1, 16, (1, 2, 4, 8, 16)),
        (divisors(97), 1, 16, (1,)),
        (multiples(2000), 8, 1024, (2000,)),
        (multiples(300), 8, 1024, (300, 600, 900)),
        (multiples(1), 1, 64, tuple(range(1, 65))),
        (multiples(5), 8, 100, tuple(range(10, 101, 5))),
        (multiples(1), 8, 300, (*OCTAVES, 256, 288, 300)),
        (multiples(3), 8, 900, (9, 12, 15, 18, 21, *(3 * each for each in OCTAVES), 3 * 256, 3 * 288, 900)),
    ],
)
def test_that_a_slider_visits_every_legal_number_or_some_on_a_logarithmic_scale(
    legal: Any, low: int, high: int, expected: tuple[int, ...]
) -> None:
    assert tuple(stops(legal, low, high)) == expected
