"""Sentences are filled and translated part by part, their numbers are read back, and a refused value is quoted."""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentence_reader import number, same, same_share

from attnviz.definitions.counting import SCREEN, Position
from attnviz.definitions.text import CodedError, Refused, Text, listed, number_said, percent_said, percents_said, quoted


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


def test_that_a_share_has_no_word_that_a_translation_would_miss() -> None:
    shares = (0.0, 0.0001, 0.004, 0.5, 0.9951, 0.9999, 1.0)
    assert not any(letter.isalpha() for share in shares for letter in percent_said(share))


def test_that_a_sentence_is_translated_part_by_part_before_it_is_filled() -> None:
    words = {"all": "alle", "{n} of {what}": "{what}: {n}"}
    sentence = Text("{n} of {what}", {"n": 3, "what": listed([Text("all"), "{n}"])})
    assert sentence.text == "3 of all, {n}"
    assert sentence.translated(lambda text, count=None: words.get(text, text)) == "Alle, {n}: 3"
    assert Text("f(x) is {y}", {"y": 1}).text == "f(x) is 1"
    assert Text().text == ""


@pytest.mark.parametrize(
    ("count", "text", "other"), [(0, "0 heads", "0 K"), (1, "1 head", "1 K"), (2, "2 heads", "2 K")]
)
def test_that_a_count_chooses_the_form_of_english_or_of_another_language(count: int, text: str, other: str) -> None:
    heads = Text("{count} heads", {"count": count}, one="{count} head")
    assert str(heads) == text
    assert heads.filled(lambda template, number=None: {"{count} heads": "{count} K"}[template]) == other


def test_that_a_position_is_counted_as_the_surface_does() -> None:
    cell = Text("query {query} of item {item}", {"query": Position(3), "item": 3})
    assert (str(cell), cell.filled(surface=SCREEN)) == ("query 3 of item 3", "query 4 of item 3")


def test_that_an_error_carries_its_text_and_survives_a_copy() -> None:
    error = Refused("width {width} must be above 0", width=-1)
    assert str(error) == "width -1 must be above 0"
    assert error.text.values == {"width": -1}
    assert str(Refused(Text("in {place}: {problem}", {"place": "view", "problem": error.text}))) == f"in view: {error}"
    for each in (error, CodedError("far", "{width} is too far", width=9)):
        twin = pickle.loads(pickle.dumps(each))
        assert (str(twin), vars(twin)) == (str(each), vars(each))


@pytest.mark.parametrize("size", [0, 1, 77, 78])
def test_that_a_value_of_up_to_80_characters_is_quoted_whole(size: int) -> None:
    text = "x" * size
    assert quoted(text) == f"'{text}'"
    digits = int("7" * (size + 2))
    assert quoted(digits) == str(digits)


@pytest.mark.parametrize("size", [79, 80, 98, 101, 10_000])
def test_that_a_longer_one_is_its_first_77_characters_and_three_dots(size: int) -> None:
    assert quoted("x" * size) == "'" + "x" * 76 + "..."
    assert quoted(["y"] * size) == str(["y"] * 80)[:77] + "..."


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        (Text("give {what} {share}", {"what": Text("key {n}", {"n": 2}), "share": "74 %"}), "给键 2 74%。"),
        (Text("give {what} {share}", {"what": Text("key {n}", {"n": 2}), "share": "“a b”"}), "给键 2 “a b”。"),
        (Text("{a}: {b}; {b}.", {"a": Text("all"), "b": Text("key {n}", {"n": 1})}), "全部：键 1；键 1。"),
        (Text("{a} {b}", {"a": Text("all"), "b": Text("all")}), "全部全部"),
        (Text("{a}: {b}", {"a": "名 字", "b": Text("all")}), "名 字：全部"),
        (Text("{a}: {b}", {"a": 1, "b": 0.5}), "1: 0.5"),
    ],
)
def test_that_a_chinese_sentence_has_chinese_points_and_no_blanks_where_texts_meet(text: Text, filled: str) -> None:
    chinese = {"all": "全部", "key {n}": "键 {n}", "give {what} {share}": "给 {what} {share}。"}
    assert text.filled(lambda template, count=None: chinese.get(template, template)) == filled
    assert text.filled() == text.template.format(**text.values)


def test_that_a_chinese_word_in_an_english_text_leaves_its_points_as_they_are() -> None:
    joined = Text("{origin}: {sentence}", {"origin": Text("Given"), "sentence": Text("“{token}” is", {"token": "注"})})
    assert str(joined) == "Given: “注” is"


def test_that_shares_that_differ_are_told_apart_in_percent() -> None:
    assert percents_said(0.5, 0.25) == ("50 %", "25 %")
    assert percents_said(0.0052, 0.0048) == ("0.52 %", "0.48 %")
    assert percents_said(0.00471, 0.00472) == ("0.471 %", "0.472 %")
    assert percents_said(0.5, 0.5) == ("50 %", "50 %")
    assert percents_said(0.9952, 0.9937) == ("99.5 %", "99.4 %"), "with equally many digits"
