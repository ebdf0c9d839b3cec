"""Head roles on weights made by hand: exactly 1 where a head does nothing else, and 0 where it never does it."""

import numpy as np
import pytest
from numpy.typing import NDArray

from attnviz.definitions.roles import ROLES, role_of, scores_of

TOKENS = (7, 3, 5, 7, 3, 9, 3)
"""7 and 3 come again: place 3 repeats place 0, place 4 repeats 1, place 6 repeats 4."""
KEYS = {
    "previous": (0, 0, 1, 2, 3, 4, 5),
    "induction": (0, 0, 0, 1, 2, 0, 5),
    "same": (0, 0, 0, 0, 1, 0, 4),
    "first": (0,) * 7,
    "diagonal": tuple(range(7)),
}


def looking_at(keys: tuple[int, ...]) -> NDArray[np.float64]:
    """Return weights that are 1 on one key of each query."""
    return np.eye(len(keys))[list(keys)]


@pytest.mark.parametrize("name", KEYS)
def test_that_a_head_that_does_nothing_else_has_exactly_the_score_one(name: str) -> None:
    assert ROLES[name].score(looking_at(KEYS[name]), TOKENS, np) == 1.0


@pytest.mark.parametrize("name", KEYS)
def test_that_a_head_that_never_does_it_has_exactly_the_score_zero(name: str) -> None:
    cells = ROLES[name].cells
    assert cells is not None
    weights = np.tril(np.ones((7, 7)))
    for query, keys in enumerate(cells(TOKENS)):
        weights[query, list(keys)] = 0.0
    weights /= np.maximum(weights.sum(-1, keepdims=True), 1.0)
    assert ROLES[name].score(weights, TOKENS, np) == 0.0


def test_that_equal_weights_are_uniform_and_one_key_alone_is_not() -> None:
    even = np.tril(np.ones((7, 7))) / np.arange(1, 8)[:, None]
    assert ROLES["uniform"].score(even, TOKENS, np) == pytest.approx(1.0, abs=1e-12)
    assert ROLES["uniform"].score(looking_at(KEYS["previous"]), TOKENS, np) == 0.0


def test_that_induction_is_blank_where_nothing_repeats() -> None:
    weights = looking_at(KEYS["previous"][:4])[None]
    scores = dict(zip(ROLES, scores_of(weights, (1, 2, 3, 4), np)[0], strict=True))
    assert np.isnan([scores["induction"], scores["same"]]).all()
    assert scores["previous"] == 1.0


def test_that_scores_are_means_over_the_counted_queries_of_every_head() -> None:
    half = 0.5 * looking_at(KEYS["previous"]) + 0.5 * looking_at(KEYS["first"])
    both = np.stack((half, looking_at(KEYS["first"])))
    # Query 1 looks at key 0 both as the previous and as the first one.
    assert ROLES["previous"].score(both, TOKENS, np).tolist() == pytest.approx([(1 + 5 * 0.5) / 6, 1 / 6])
    assert ROLES["first"].score(both, TOKENS, np).tolist() == pytest.approx([(1 + 5 * 0.5) / 6, 1.0])


def test_that_a_head_is_named_after_its_highest_role_that_reaches_its_threshold() -> None:
    scores = scores_of(looking_at(KEYS["induction"])[None], TOKENS, np)[0]
    role = role_of(scores.tolist())
    assert role is not None
    assert role.name == "induction"
    assert role_of([0.39] * 5 + [0.89]) is None
    assert role_of([float("nan")] * 6) is None


def test_that_every_role_has_all_that_it_is_shown_with() -> None:
    for role in ROLES.values():
        assert all((role.title, role.short, role.help.endswith("."), role.places, role.latex, role.spoken))
        assert (role.cells is None) != (role.of_row is None)
