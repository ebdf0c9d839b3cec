"""Sentences are filled and translated part by part, their numbers are read back, and a refused value is quoted."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentence_reader import number, same, same_share

from attnviz.definitions.text import Text, listed, number_said, percent_said, said


@given(
    st.floats(-1e300, 1e300)
    | st.sampled_from((math.inf, -math.inf))
    | st.integers(-(10**6), 10**6).map(float)
    | st.floats(-1, 1)
)
def test_that_a_number_is_read_back_from_a_sentence(value: float) -> None:
    text = number_said(value)
    assert "-" not in text
    assert len(text) <= 10
    assert number(text) == 0.0 if value == 0 else same(text, value)


@given(st.floats(0, 1) | st.floats(0, 0.002) | st.floats(0.998, 1) | st.floats(1, 20))
def test_that_a_share_is_read_back_and_only_none_and_all_are_0_and_100_percent(share: float) -> None:
    assert same_share(percent_said(share), share), percent_said(share)


def test_that_a_sentence_is_translated_part_by_part_before_it_is_filled() -> None:
    words = {"all": "alle", "{n} of {what}": "{what}: {n}"}
    sentence = Text("{n} of {what}", {"n": 3, "what": listed([Text("all"), "{n}"])})
    assert sentence.text == "3 of all, {n}"
    assert sentence.translated(lambda text: words.get(text, text)) == "Alle, {n}: 3"
    assert Text("f(x) is {y}", {"y": 1}).text == "f(x) is 1"
    assert Text().text == ""


@pytest.mark.parametrize("size", [0, 1, 77, 78])
def test_that_a_value_of_up_to_80_characters_is_quoted_whole(size: int) -> None:
    text = "x" * size
    assert said(text) == f"'{text}'"
    digits = int("7" * (size + 2))
    assert said(digits) == str(digits)


@pytest.mark.parametrize("size", [79, 80, 98, 101, 10_000])
def test_that_a_longer_one_is_its_first_77_characters_and_three_dots(size: int) -> None:
    assert said("x" * size) == "'" + "x" * 76 + "..."
    assert said(["y"] * size) == str(["y"] * 80)[:77] + "..."
