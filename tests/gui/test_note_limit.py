"""What repeats itself is noted a few times, and then no more."""

from attnviz.log import MOST, MOST_ALIKE, NoteLimit


def test_that_three_of_a_kind_are_let_through_and_others_still_are() -> None:
    limit = NoteLimit()
    assert [limit.lets("one") for _ in range(5)] == [True] * MOST_ALIKE + [False] * 2
    assert limit.lets("another")


def test_that_a_hundred_are_let_through_whatever_they_are() -> None:
    limit = NoteLimit()
    assert [limit.lets(str(number)) for number in range(MOST + 5)] == [True] * MOST + [False] * 5
