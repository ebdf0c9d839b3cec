"""The tasks: sequences worked by hand, and what every sequence of any knobs keeps."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.definitions.tasks import TASKS
from attnviz.definitions.tasks.task import NUM_TOKENS, VOCAB_SIZE, Task, symbols

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)


def from_list(*numbers: int) -> Callable[[int, int], int]:
    """Return a source that gives these numbers in turn, and refuses one that is out of its range."""
    left = iter(numbers)

    def integers(low: int, high: int) -> int:
        number = next(left)
        assert low <= number < high
        return number

    return integers


def read(task: Task, knobs: dict[str, Any], said: str) -> tuple[int, ...]:
    """Return the tokens of words that are separated by spaces."""
    return tuple(task.alphabet(knobs).index(word) for word in said.split())


def answered(name: str, said: str, **changed: Any) -> str:
    """Return the answers to words, a dot where there is none."""
    task = TASKS[name]
    knobs = task.default_knobs | changed
    alphabet, answers = task.alphabet(knobs), task.answers(knobs, read(task, knobs, said))
    return " ".join("." if answer is None else alphabet[answer] for answer in answers)


@st.composite
def legal_knobs(draw: st.DrawFn, task: Task) -> dict[str, Any]:
    """Return knobs that keep the limits and every rule: those that break one take its nearest value."""
    knobs = {knob.name: draw(st.integers(int(knob.least), int(knob.greatest))) for knob in (VOCAB_SIZE, *task.knobs)}
    knobs["num_tokens"] = draw(st.integers(4, 256))
    if task.reads_text:
        knobs["text"] = draw(st.text("abcd é\n", min_size=4).filter(lambda text: len(set(text)) > 1))
    if task.decides_vocabulary:
        knobs["vocab_size"] = task.vocabulary(knobs)
    for _ in task.rules:
        broken = task.problem(knobs)
        if broken is not None:
            legal = broken.legal[broken.field](knobs)
            knobs[broken.field] = min(max(knobs[broken.field], legal[0]), legal[-1])
    assert task.problem(knobs) is None
    return knobs


def test_that_a_drawn_repetition_is_the_one_worked_by_hand() -> None:
    knobs = {"num_tokens": 9, "vocab_size": 7, "segment": 3}
    # 6 different tokens: places 0 to 5 are swapped with these; then where the segment begins, first and second.
    drawn = TASKS["repeat"].draw(knobs, from_list(6, 1, 5, 3, 4, 5, 1, 5))
    different = (6, 1, 5, 3, 4, 2)
    assert drawn == (*different[:5], *different[1:4], *different[5:])
    assert TASKS["repeat"].answers(knobs, drawn) == (None,) * 5 + (5, 3, None, None)
    assert TASKS["repeat"].counts(knobs, drawn) == (False,) * 5 + (True, True, False, False)


@pytest.mark.parametrize(
    ("name", "asked", "drawn"),
    [
        ("copy", (4, 3, 0, 2, 0), "d a c a"),
        ("reverse", (4, 3, 0, 2, 0), "a c a d"),
        ("sort", (4, 3, 0, 2, 0), "a a c d"),
    ],
)
def test_that_drawn_symbols_are_answered_behind_a_bar(name: str, asked: tuple[int, ...], drawn: str) -> None:
    task, knobs = TASKS[name], {"num_tokens": 11, "vocab_size": 5, "symbols": 5}
    found = task.draw(knobs, from_list(*asked))
    assert found == read(task, knobs, f"d a c a | {drawn} | |")
    assert task.counts(knobs, found) == (False,) * 4 + (True,) * 4 + (False,) * 3


def test_that_a_drawn_sum_is_written_from_its_ones() -> None:
    task, knobs = TASKS["add"], {"num_tokens": 11, "vocab_size": 12, "digits": 2}
    found = task.draw(knobs, from_list(5, 8, 6, 7))
    assert found == read(task, knobs, "5 8 + 6 7 = 5 2 1 = =")
    assert task.counts(knobs, found) == (False,) * 5 + (True,) * 3 + (False,) * 3


def test_that_a_drawn_text_is_a_part_of_it() -> None:
    task = TASKS["text"]
    knobs = {"num_tokens": 4, "text": "abacus"}
    assert task.alphabet(knobs) == ("a", "b", "c", "s", "u")
    assert task.draw(knobs, from_list(2)) == (0, 2, 4, 3)
    assert task.counts(knobs, (0, 2, 4, 3)) == (True, True, True, False)
    assert task.alphabet(knobs) is task.alphabet(dict(knobs)), "a long text is read once, not for every sequence"


@pytest.mark.parametrize(
    ("name", "typed", "answers", "changed"),
    [
        ("repeat", "a b c d a b", ". . . . b c", {}),
        ("repeat", "a b a c a", ". . b . c", {}),
        ("repeat", "a b c a b c a", ". . . b c . b", {"segment": 3}),
        ("repeat", "a a a", ". a a", {}),
        ("copy", "a b", ". .", {}),
        ("copy", "c a b | c", ". . . c a", {}),
        ("reverse", "c a b | o | |", ". . . b a c .", {}),
        ("sort", "c a b | o", ". . . a b", {}),
        ("add", "9 9 9 + 1 =", ". . . . . 0", {}),
        ("add", "9 9 9 + 1 = 7 7 7 7", ". . . . . 0 0 0 1 .", {}),
        ("add", "+ 1 = 1", ". . . .", {}),
        ("add", "1 + = 1", ". . . .", {}),
        ("add", "1 + 2 + 3 = 1", ". . . . . . .", {}),
        ("add", "1 2 + 3", ". . . .", {}),
        ("text", "h o u s e", "o u s e .", {}),
    ],
)
def test_that_what_was_typed_is_answered_as_far_as_it_can_be_known(
    name: str, typed: str, answers: str, changed: dict[str, Any]
) -> None:
    assert answered(name, typed, **changed) == answers


@every_task
@given(data=st.data())
def test_that_every_drawn_sequence_fits_its_knobs_and_answers_itself(task: Task, data: st.DataObject) -> None:
    knobs = data.draw(legal_knobs(task))
    tokens = task.draw(knobs, data.draw(st.randoms()).randrange)
    assert len(tokens) == knobs["num_tokens"]
    assert set(tokens) <= set(range(task.vocabulary(knobs)))
    assert task.vocabulary(knobs) == knobs["vocab_size"]
    answers, counts = task.answers(knobs, tokens), task.counts(knobs, tokens)
    assert len(answers) == len(counts) == len(tokens)
    assert any(counts)
    assert not counts[-1]
    for place in range(len(tokens) - 1):
        assert counts[place] == (answers[place] is not None)
        if counts[place]:
            assert answers[place] == tokens[place + 1]
    # What is known at a place is known without what follows it.
    place = data.draw(st.integers(0, len(tokens) - 1))
    if not task.reads_text:
        assert task.answers(knobs, tokens[: place + 1]) == answers[: place + 1]


@given(data=st.data())
def test_that_only_the_repeated_segment_is_there_twice_and_its_places_vary(data: st.DataObject) -> None:
    task = TASKS["repeat"]
    knobs = data.draw(legal_knobs(task))
    length, segment = knobs["num_tokens"], knobs["segment"]
    tokens = task.draw(knobs, data.draw(st.randoms()).randrange)
    assert len(set(tokens)) == length - segment
    again = [place for place in range(length) if tokens[place] in tokens[:place]]
    assert again == list(range(again[0], again[0] + segment))
    source = tokens.index(tokens[again[0]])
    assert tokens[source : source + segment] == tokens[again[0] : again[0] + segment]
    assert sum(task.counts(knobs, tokens)) == segment - 1


def test_that_the_distance_of_a_repetition_takes_every_value() -> None:
    task, seeds = TASKS["repeat"], range(300)
    knobs = task.default_knobs
    drawn = [task.draw(knobs, random.Random(seed).randrange) for seed in seeds]
    second = [task.counts(knobs, tokens).index(True) for tokens in drawn]
    first = [tokens.index(tokens[place]) for tokens, place in zip(drawn, second, strict=True)]
    assert {there - here for here, there in zip(first, second, strict=True)} == set(range(8, 21))


@every_task
def test_that_a_task_begins_with_legal_numbers_and_one_probe(task: Task) -> None:
    knobs = task.default_knobs
    assert task.problem(knobs) is None
    for knob in (NUM_TOKENS, VOCAB_SIZE, *task.knobs):
        assert knob.least <= knobs[knob.name] <= knob.greatest
    alphabet = task.alphabet(knobs)
    assert len(set(alphabet)) == len(alphabet) == knobs["vocab_size"]
    assert task.probe(knobs) == task.probe(knobs)
    assert any(task.counts(knobs, task.probe(knobs)))


def test_that_symbols_are_different_words() -> None:
    assert len(set(symbols(128))) == 128
    assert symbols(54)[:3] + symbols(54)[50:] == ("a", "b", "c", "Y", "Z", "a2", "b2")
