"""Sums that are printed add up as they are printed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.definitions.text import number_said
from attnviz.experiment.texts.printed_sums import adding_up, wrong_sums


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("So 0.27 × 1 + 0.45 × 3 + 0.27 × 2 = 2.18. That is more.", 2.16),
        ("0.774 + 0.252 = 1.027", 1.026),
        ("(1 + 3 + 2) / 3 = 2.1", 2),
        ("20.9 ÷ √4 = 10.3", 10.45),
        ("1 − 0.25 = 0.6", 0.75),
    ],
)
def test_that_a_sum_that_is_not_what_is_printed_is_found(text: str, value: float) -> None:
    ((_, made),) = wrong_sums(text)
    assert made == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    ["0.274 × 1 + 0.452 × 3 + 0.274 × 2 = 2.178", "(1 + 3 + 2) / 3 = 2", "1/50 = 0.02", "w = 1 / width", "q = 3", ""],
)
def test_that_a_true_sum_or_none_is_not(text: str) -> None:
    assert not [*wrong_sums(text)]


@given(weight=st.floats(1e-4, 1), rate=st.floats(0.01, 0.95))
def test_that_enough_digits_make_a_product_add_up(weight: float, rate: float) -> None:
    numbers = np.float32(weight), 1 / (1 - rate), np.float32(weight) / (1 - rate)

    def said(digits: int) -> str:
        return "{} × {} = {}".format(*(number_said(float(each), digits) for each in numbers))

    digits = adding_up(said)
    assert digits == 9 or not [*wrong_sums(said(digits))]
    assert digits == 3 or [*wrong_sums(said(3))]
