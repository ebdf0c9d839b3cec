"""The steps at which heads take on their roles: marks on the curves of a training, from the measured scores alone.

A mark states what is measured first, and in which order; it claims no cause.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import head_name
from attnviz.definitions.roles import Role
from attnviz.definitions.text import Text, listed, untranslated
from attnviz.experiment.train.curves import roles_held
from attnviz.experiment.train.trace import History, TrainTrace

_HOLDS = 3
"""The number of consecutive measurements from which a role holds, starting with the first of them."""
_TOGETHER = 0.04
"""Changes within this share of a training share one mark."""
_MOST = 4
"""The most marks of a training: those with the most heads."""
_MOST_RANGES = 2
_MOST_ROLES = 3


class RoleChange(NamedTuple):
    """Heads of one layer that take on a role."""

    step: int
    """The first step after which one of them has it."""
    layer: int
    heads: tuple[int, ...]
    role: Role


class LearningMark(NamedTuple):
    """Changes in close succession, in order."""

    step: int
    changes: tuple[RoleChange, ...]


def marks_of(
    history: History, steps: int, roles: Sequence[Role], drawn: NDArray[np.integer] | None = None
) -> tuple[LearningMark, ...]:
    """Return the marks in the known part of a training of ``steps`` steps, in order.

    A head takes on a role where it first holds, unless it holds from the beginning. ``drawn`` (L, h) are the indices of
    the only role that counts for each head; None: all count.
    """
    held = roles_held(history.roles, roles)
    if len(held) < _HOLDS:
        return ()
    events: list[tuple[int, int, int, int]] = []  # step, layer, role, head
    for role in np.unique(held[held >= 0]).tolist():
        has = held == role
        holds = np.logical_and.reduce([has[late : len(has) - _HOLDS + 1 + late] for late in range(_HOLDS)])
        first = holds.argmax(0)
        for layer, head in np.argwhere(holds.any(0) & ~has[0] & (drawn is None or drawn == role)).tolist():
            events.append((int(history.role_steps[first[layer, head]]), layer, role, head))
    events.sort()
    marks: list[LearningMark] = []
    while events:
        end = events[0][0] + _TOGETHER * steps
        together = [each for each in events if each[0] <= end]
        events = events[len(together) :]
        marks.append(LearningMark(together[0][0], _changes(together, roles)))
    most = sorted(marks, key=lambda mark: -sum(len(change.heads) for change in mark.changes))[:_MOST]
    return tuple(sorted(most))


def _changes(events: Iterable[tuple[int, int, int, int]], roles: Sequence[Role]) -> tuple[RoleChange, ...]:
    by_group = sorted(events, key=lambda each: (each[1], each[2]))
    changes = []
    for (layer, role), some in groupby(by_group, key=lambda each: (each[1], each[2])):
        steps, _, _, heads = zip(*some, strict=True)
        changes.append(RoleChange(min(steps), layer, tuple(sorted(heads)), roles[role]))
    return tuple(sorted(changes, key=lambda change: (change.step, change.layer)))


# Texts.


def heads_said(heads: Sequence[tuple[int, int]]) -> str:
    """Return heads, each its layer and number, by their names: "1.3, 2.2–2.4"; "" if that would be long."""
    names = [(head_name(*some[0]), head_name(*some[-1])) for some in _ranges(heads)]
    return ", ".join(first if first == last else f"{first}–{last}" for first, last in names)


def _ranges(heads: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return groups of consecutive heads; empty if there are many."""
    ranges: list[list[tuple[int, int]]] = []
    for layer, head in sorted(heads):
        if ranges and ranges[-1][-1] == (layer, head - 1):
            ranges[-1].append((layer, head))
        else:
            ranges.append([(layer, head)])
    return ranges if len(ranges) <= _MOST_RANGES else []


def _in_a_sentence(heads: Sequence[tuple[int, int]]) -> Text:
    """Return heads as named in a sentence: "head 1.1", "heads 2.1, 2.2 and 2.4", "6 heads"."""
    names: list[str] = []
    for some in _ranges(heads):
        ends = [head_name(*head) for head in some]
        names += ends if len(ends) < 3 else [f"{ends[0]}–{ends[-1]}"]
    if not names:
        return Text("{count} heads", {"count": len(heads)}, "1 head")
    head_list = Text("{first} and {last}", {"first": ", ".join(names[:-1]), "last": names[-1]})
    head_list = head_list if len(names) > 1 else untranslated(names[0])
    return Text("heads {heads}", {"heads": head_list, "count": len(heads)}, "head {heads}")


def counted(heads: Sequence[tuple[int, int]], *, named: bool = True) -> Text:
    """Return heads by name, or their number."""
    names = heads_said(heads) if named else ""
    return untranslated(names) if names else Text("{count} heads", {"count": len(heads)}, "1 head")


def mark_said(mark: LearningMark, *, short: bool) -> Text:
    """Return the text of a mark; ``short``: only the roles' names instead of a sentence."""
    parts = [_said(change.role, [(change.layer, head) for head in change.heads], short) for change in mark.changes]
    # "then" between changes measured at different steps.
    in_turn = len({change.step for change in mark.changes}) == len(mark.changes)
    return listed(parts, "{first}, then {rest}" if in_turn else "{first}, {rest}")


def _said(role: Role, heads: Sequence[tuple[int, int]], short: bool) -> Text:
    if short:
        return Text("{heads} {role}", {"heads": counted(heads), "role": Text(role.short)})
    does = Text(role.does if len(heads) == 1 else role.do)
    return Text("{heads} {does}", {"heads": _in_a_sentence(heads), "does": does})


def roles_said(trace: TrainTrace) -> Text:
    """Return the roles of the most heads at the trace's step, and the number of heads without one."""
    heads = tuple(np.ndindex(len(trace.layers), trace.num_heads))
    roles = [trace.role(*each) for each in heads]
    if not any(roles):
        return Text("no head has a role")
    by_role = [(role, [at for at, its in zip(heads, roles, strict=True) if its is role]) for role in trace.spec.roles]
    named = sorted((each for each in by_role if each[1]), key=lambda each: -len(each[1]))[:_MOST_ROLES]
    parts = [_said(role, some, short=False) for role, some in named]
    if len(named[0][1]) == len(heads) > 1:
        return Text("every head {does}", {"does": Text(named[0][0].does)})
    others, without = len(heads) - sum(len(some) for _, some in named), roles.count(None)
    if others == without > 0:
        parts.append(Text("{count} heads have no role", {"count": others}, "1 head has no role"))
    elif others:
        parts.append(Text("{count} heads have another role or none", {"count": others}, "1 head has another role"))
    return listed(parts, "{first}; {rest}")
