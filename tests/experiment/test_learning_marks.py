"""The marks on the curves of a training are where heads take on roles, said without a cause."""

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.roles import ROLES, role_of
from attnviz.experiment.train.curves import roles_held
from attnviz.experiment.train.marks import LearningMark, heads_said, mark_said, marks_of
from attnviz.experiment.train.trace import History

NAMES = list(ROLES)
EVERY = tuple(ROLES.values())
STEPS = np.arange(0, 104, 4)


def _history(*holds: tuple[int, int, str, int, int]) -> History:
    """Return a training of two layers of four heads, which have a role between two steps: (layer, head, role, ...)."""
    roles: NDArray[np.float64] = np.zeros((len(STEPS), 2, 4, len(NAMES)))
    for layer, head, role, start, stop in holds:
        roles[(start <= STEPS) & (stop > STEPS), layer, head, NAMES.index(role)] = 0.95
    return _with_roles(STEPS, roles)


def _with_roles(steps: NDArray[np.int64], roles: NDArray[np.float64]) -> History:
    return History(np.zeros(100), np.zeros(100), steps, roles, roles, np.zeros(roles.shape[:-1], np.int64))


def _marks(history: History) -> tuple[LearningMark, ...]:
    """Return the marks of a training of 100 steps, each head's curve of the role that it has at the end."""
    return marks_of(history, 100, EVERY, roles_held(history.roles[-1], EVERY))


def test_that_many_heads_are_named_as_one_is() -> None:
    scores = np.random.default_rng(0).random((50, 3, len(NAMES)))
    scores[::5, :, 1] = np.nan
    for held, own in zip(roles_held(scores, EVERY).ravel(), scores.reshape(-1, len(NAMES)), strict=True):
        role = role_of(own.tolist(), EVERY)
        assert (NAMES[held] if held >= 0 else None) == (None if role is None else role.name)


def test_that_marks_are_where_roles_first_hold_in_their_order() -> None:
    early = [(1, head, "induction", 52, 104) for head in (0, 1, 3)]
    marks = _marks(_history((0, 0, "previous", 48, 104), *early, (0, 2, "same", 80, 104)))
    assert [mark.step for mark in marks] == [48, 80]
    assert mark_said(marks[0], short=True).filled() == "1.1 previous, then 2.1–2.2, 2.4 induction"
    said = mark_said(marks[0], short=False).filled()
    assert said == f"head 1.1 {ROLES['previous'].does}, then heads 2.1, 2.2 and 2.4 {ROLES['induction'].do}"


def test_that_a_role_of_the_beginning_or_of_a_moment_has_no_mark() -> None:
    assert not _marks(_history((0, 0, "first", 0, 104), (0, 1, "same", 40, 48)))
    assert not _marks(_history((0, 0, "first", 0, 20), (0, 0, "first", 40, 104))), "it only comes back"
    assert not _marks(_with_roles(STEPS[:1], np.zeros((1, 2, 4, len(NAMES)))))


def test_that_what_is_known_already_keeps_its_marks_while_the_training_goes_on() -> None:
    whole = _history((0, 0, "previous", 12, 104), (1, 1, "induction", 60, 104))
    part = _with_roles(STEPS[:10], whole.roles[:10])
    assert _marks(part) == _marks(whole)[:1]


def test_that_a_mark_is_of_the_role_whose_score_the_curve_of_its_head_is() -> None:
    history = _history((0, 0, "same", 20, 56), (0, 0, "induction", 60, 104), (0, 1, "same", 20, 104))
    (first, second) = _marks(history)
    assert [(mark.step, mark_said(mark, short=True).filled()) for mark in (first, second)] == [
        (20, "1.2 same"),
        (60, "1.1 induction"),
    ]
    assert len(marks_of(history, 100, EVERY)) == 2
    assert mark_said(marks_of(history, 100, EVERY)[0], short=True).filled() == "1.1–1.2 same"
    of_same = np.full((2, 4), NAMES.index("same"))
    (mark,) = marks_of(history, 100, EVERY, of_same)
    assert mark_said(mark, short=True).filled() == "1.1–1.2 same"


def test_that_many_scattered_heads_are_counted_in_place_of_named() -> None:
    assert heads_said([(0, 0), (0, 1), (0, 2), (1, 0)]) == "1.1–1.3, 2.1"
    assert heads_said([(0, 0), (0, 2), (1, 1)]) == ""
