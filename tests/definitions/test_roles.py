"""The records of head roles: what they name on sequences made by hand, and what they are shown with."""

import pytest

from attnviz.definitions.roles import ROLES, role_of
from attnviz.definitions.tasks import EVERY_ROLE, TASKS

TOKENS = (7, 3, 5, 7, 3, 9, 3)
"""7 and 3 come again: place 3 repeats place 0, place 4 repeats 1, place 6 repeats 4."""
SYMBOLS = {"symbols": 3, "num_tokens": 8, "vocab_size": 6}
ASKED = (4, 2, 4, 5)
"""Three symbols and the bar."""


@pytest.mark.parametrize(
    ("name", "tokens", "keys"),
    [
        ("previous", TOKENS, {2: (1,), 3: (2,), 4: (3,), 5: (4,), 6: (5,)}),
        ("induction", TOKENS, {3: (1,), 4: (2,), 6: (5,)}),
        ("same", TOKENS, {4: (1,), 6: (1, 4)}),
        ("first", TOKENS, dict.fromkeys(range(1, 7), (0,))),
        ("diagonal", TOKENS, {query: (query,) for query in range(2, 7)}),
        ("fixed_distance", TOKENS, {4: (1,), 5: (2,), 6: (3,)}),
        ("copied_next", (*ASKED, 4, 2, 4, 5), {4: (1,), 5: (2,)}),
        ("mirrored", (*ASKED, 4, 2, 4, 5), {3: (2,), 4: (1,)}),
        ("next_larger", (*ASKED, 2, 4, 4, 5), {3: (1,), 4: (2,), 5: (2,)}),
        ("other_digit", (5, 8, 10, 6, 7, 11, 5, 2, 1), {4: (1,)}),
        ("added_next", (5, 8, 10, 6, 7, 11, 5, 2, 1), {5: (1, 4), 6: (3,)}),
        *((name, (7, 3, 2), {}) for name in ("copied_next", "mirrored", "next_larger", "other_digit", "added_next")),
    ],
)
def test_that_a_role_names_these_keys_without_the_first_one(
    name: str, tokens: tuple[int, ...], keys: dict[int, tuple[int, ...]]
) -> None:
    found = EVERY_ROLE[name].keys(tokens, SYMBOLS, 3)
    assert len(found) == len(tokens)
    assert {query: each for query, each in enumerate(found) if each} == keys


def test_that_a_head_is_named_after_its_highest_role_that_reaches_its_threshold_and_of_equals_after_the_distance() -> (
    None
):
    roles = tuple(ROLES.values())

    def named(**scores: float) -> str:
        role = role_of([scores.get(role.name, 0.0) for role in roles], roles)
        return "" if role is None else role.name

    assert named(induction=0.6, previous=0.5) == "induction"
    assert named(induction=0.39, uniform=0.89) == ""
    assert named(induction=0.8, fixed_distance=0.8) == "fixed_distance"
    assert role_of([float("nan")] * len(roles), roles) is None


def test_that_every_role_has_all_that_it_is_shown_with() -> None:
    assert len(EVERY_ROLE) == len(ROLES) + sum(len(task.roles) for task in TASKS.values())
    for role in EVERY_ROLE.values():
        assert all((role.title, role.short, role.help.endswith("."), role.places, role.latex, role.spoken))
