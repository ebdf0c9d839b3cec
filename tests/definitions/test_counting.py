"""Where counting begins: the one table, the functions that read it, and the page of the manual that has it."""

import pytest
from manual import table

from attnviz.definitions.counting import (
    CSV,
    FILES,
    FLAGS,
    SCREEN,
    SURFACES,
    Position,
    Surface,
    are_numbers,
    are_positions,
    name_at,
    numbers,
    on_screen,
    told_apart,
)
from attnviz.folders import resource


def test_that_people_count_from_one_and_programs_as_they_always_have() -> None:
    assert [(each.first_head, each.first) for each in (SCREEN, FLAGS, CSV, FILES)] == [(1, 1), (1, 0), (1, 0), (0, 0)]


@pytest.mark.parametrize("surface", SURFACES.values(), ids=lambda each: each.name)
def test_that_a_number_leads_back_to_its_position(surface: Surface) -> None:
    assert [surface.position(surface.number(position)) for position in range(4)] == [0, 1, 2, 3]


def test_that_a_sentence_on_screen_has_its_positions_from_one_and_its_sizes_as_they_are() -> None:
    said = "query {query} of {count} is not in {first}..{last}"
    words = {"query": Position(7), "count": 7, "first": Position(0), "last": Position(5)}
    assert said.format(**words) == "query 7 of 7 is not in 0..5"
    assert said.format(**on_screen(words)) == "query 8 of 7 is not in 1..6"


def test_that_positions_are_told_from_words() -> None:
    assert are_positions(("0", "1"))
    assert not are_positions(("1", "2"))
    assert are_numbers(numbers(3))
    assert numbers(3) == ("1", "2", "3")
    assert [name_at(("1", "the"), place) for place in range(2)] == ["1", "2 “the”"]
    assert [name_at(("1", "the"), place, words=True) for place in range(2)] == ["1 “1”", "2 “the”"]


def test_that_the_manual_has_this_table() -> None:
    head = "", "first head", "first query, key, item, feature"
    lines = table(head, *((each.title, each.first_head, each.first) for each in SURFACES.values()))
    assert lines in resource("help/files.md").read_text(encoding="utf-8")


def test_that_equal_names_are_told_apart_by_their_numbers() -> None:
    assert told_apart(("the", "cat", "the")) == ("the (1)", "cat", "the (3)")
    assert told_apart(("1", "2")) == ("1", "2")
