"""The loss by ablating all heads of a role at once, compared with each of them, and each pair, alone."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from attnviz.definitions.counting import head_name
from attnviz.definitions.roles import Role
from attnviz.definitions.text import Text, percent_said
from attnviz.experiment.train.effects import change_said, loss_said
from attnviz.experiment.train.studies import HeadsInTurnTrace, Quality, RolesInTurnTrace

Head: TypeAlias = tuple[int, ...]
"""A layer and the number of a head there, from 0."""
_NEEDED, _SPARE = 0.1, 0.02
"""The least loss of accuracy without a needed role, and the largest without spare heads."""


@dataclass(frozen=True, slots=True)
class RoleEffect:
    """All heads of one role."""

    role: Role
    heads: tuple[tuple[int, int], ...]
    before: float
    """The accuracy with them."""
    accuracy: float
    """Without them."""
    alone: float
    """The most that is lost without one of them alone."""
    two: float | None
    """The most that is lost without two of them; None if pairs are not measured, or are all of them."""

    @property
    def names(self) -> tuple[str, ...]:
        """The heads, "2.1", "2.2"."""
        return tuple(head_name(*head) for head in self.heads)

    @property
    def lost(self) -> float:
        """The accuracy lost without them."""
        return self.before - self.accuracy

    @property
    def values(self) -> dict[str, Any]:
        """The values of sentences about it."""
        return {
            "role": Text(self.role.title),
            "before": percent_said(self.before),
            "after": percent_said(self.accuracy),
            "alone": change_said(max(self.alone, 0.0)),
            "two": change_said(max(self.two or 0.0, 0.0)),
        }

    def said(self) -> Text:
        """Return the numbers in one line."""
        values = self.values
        if len(self.heads) == 1:
            return Text("{before} → {after}", values)
        if self.two is None:
            return Text("{before} → {after}; each alone at most {alone}", values)
        return Text("{before} → {after}; each alone at most {alone}, two at most {two}", values)


@dataclass(frozen=True, slots=True)
class PairEffect:
    """A pair of heads."""

    name: str
    lost: float
    loss_gained: float
    apart: float
    """The sum of the accuracies lost without the one and without the other."""
    loss_apart: float
    """The increases of the loss, likewise."""


def role_effects(study: RolesInTurnTrace, alone: HeadsInTurnTrace) -> tuple[RoleEffect, ...]:
    """Return the roles of a study in order, with the results for each head alone of a study of the same model."""
    roles = {role.name: role for role in study.spec.of.roles}
    return tuple(
        RoleEffect(
            role=roles[each.role],
            heads=each.heads,
            before=study.shown.accuracy,
            accuracy=each.quality.accuracy,
            alone=max(float(alone.effect[head]) for head in each.heads),
            two=max(
                (study.shown.accuracy - pair.quality.accuracy for pair in study.pairs if pair.role == each.role),
                default=None,
            ),
        )
        for each in study.roles
    )


def pair_effects(study: RolesInTurnTrace, alone: HeadsInTurnTrace) -> tuple[PairEffect, ...]:
    """Return the measured pairs, the most needed first; a role with exactly two heads is a pair."""
    studied = (*study.pairs, *(each for each in study.roles if len(each.heads) == 2))
    effects = (_pair(each.heads, each.quality, alone) for each in studied)
    return tuple(sorted(effects, key=lambda each: (-each.lost, -each.loss_gained)))


def pairs_with(head: Head, without: HeadsInTurnTrace, alone: HeadsInTurnTrace) -> tuple[PairEffect, ...]:
    """Return pairs of a head with each other active one, from studies without and with that head.

    First those whose loss rises most beyond the sum of the single increases.
    """
    effects = (
        _pair((head, other), Quality(float(without.loss[other]), float(without.accuracy[other])), alone)
        for other in np.ndindex(without.loss.shape)
        if other not in without.spec.of.pairs_off
    )
    return tuple(sorted(effects, key=lambda each: each.loss_apart - each.loss_gained))


def backup_sentence(pairs: tuple[PairEffect, ...]) -> Text:
    """Return which pair of `pairs_with` costs most beyond what its heads cost alone."""
    if not pairs:
        return Text("There is no other head that is on.")
    most = pairs[0]
    values = {"pair": most.name, "both": loss_said(most.loss_gained), "apart": loss_said(most.loss_apart)}
    return Text("Without both {pair} the loss changes by {both}; without each alone, added, by {apart}.", values)


def _pair(heads: tuple[Head, ...], both: Quality, alone: HeadsInTurnTrace) -> PairEffect:
    shown = alone.shown
    return PairEffect(
        ", ".join(head_name(*head) for head in heads),
        shown.accuracy - both.accuracy,
        both.loss - shown.loss,
        sum(float(alone.effect[head]) for head in heads),
        sum(float(alone.loss[head]) - shown.loss for head in heads),
    )


def spare_heads_sentence(effects: tuple[RoleEffect, ...]) -> Text:
    """Return that any head of a role is spare, but not all of them; empty if that was not measured for a role."""
    spare = [each for each in effects if each.alone <= _SPARE and each.lost >= _NEEDED and len(each.heads) > 1]
    if not spare:
        return Text()
    most = max(spare, key=lambda each: each.lost)
    values = most.values | {"count": len(most.heads)}
    return Text("{role}: any one of {count} heads can be off (at most {alone}), but not all ({after}).", values)


def role_off_sentence(effects: tuple[RoleEffect, ...], off: Collection[tuple[int, int]]) -> Text:
    """Return the loss without a role if exactly its heads are ablated; else an empty text."""
    effect = next((each for each in effects if set(each.heads) == set(off)), None)
    if effect is None:
        return Text()
    return Text("{role} off: accuracy {numbers}.", {"role": Text(effect.role.title), "numbers": effect.said()})
