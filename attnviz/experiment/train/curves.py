"""The curves of a training on screen and in figures: the end of the loss axis, and the curve of each head."""

from collections.abc import Sequence
from math import ceil, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.roles import Role
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace

_AROUND = 0.5
"""The margin above ln V, the loss of a model for which all V tokens are equally probable."""
_FARTHEST = 1e9


def first_loss_end(spec: TrainSpec) -> int:
    """Return the end of the loss axis while no loss exceeds that of a first step."""
    return ceil(log(spec.vocab_size) + _AROUND)


def loss_end(trace: TrainTrace) -> int:
    """Return the end of the loss axis: an integer, which a loss of the history can only raise."""
    loss = trace.history.loss
    reached = float(loss[np.isfinite(loss)].max(initial=0.0))
    return max(first_loss_end(trace.spec), ceil(min(reached, _FARTHEST)))


def _from_scores(roles: Sequence[Role]) -> NDArray[np.float64]:
    return np.array([role.from_score for role in roles])


def roles_held(scores: NDArray[np.float64], roles: Sequence[Role]) -> NDArray[np.intp]:
    """Return (...), the index of the role that `role_of` names a head after, from (..., R) scores; -1 for none."""
    reached = np.where(scores >= _from_scores(roles), scores, -np.inf)
    order = np.array(sorted(range(len(roles)), key=lambda index: roles[index].least_distance is None))
    return np.where((reached > -np.inf).any(-1), order[reached[..., order].argmax(-1)], -1)


class HeadCurve(NamedTuple):
    """The curve of a head: its score in one role after each measured step."""

    layer: int
    head: int
    role_index: int
    """The index of the role in those of the spec."""
    role: Role
    named: bool
    """Whether the head has the role at the last measured step; else it is only the nearest to it."""
    distance: int
    """The distance of the head at the last measured step, in the role of a fixed distance; 0: not measured, or the head
    has another distance at the current step, while a picture shows one distance per head."""
    steps: NDArray[np.int64]
    """(m,), ascending."""
    scores: NDArray[np.float64]
    """(m,)."""


def head_curves(trace: TrainTrace, chosen: str = "") -> tuple[HeadCurve, ...]:
    """Return a curve for each head, layer after layer: of a chosen role, or ("") of the head's own.

    A head's own role is the one that it has at the last measured step, or is nearest to. A role that the task lacks
    counts as not chosen.

    A trace beyond the measured steps of its history was itself measured: there the curves end.
    """
    history, here = trace.history, trace.measured
    steps, scores, distances = history.role_steps, history.roles, history.role_distances
    one_measure = not history.on_probe and not trace.spec.heads_off  # a curve is measured with every head on
    if one_measure and trace.step > steps.max(initial=-1):
        steps = np.append(steps, trace.step)
        scores, distances = np.append(scores, here.scores[None], axis=0), np.append(distances, here.distances[None], 0)
    if not len(scores):
        return ()
    curves, roles = [], trace.spec.roles
    names, last = [role.name for role in roles], scores[-1]
    away = np.where(np.isfinite(last), last - _from_scores(roles), -np.inf)
    held = np.full(last.shape[:2], names.index(chosen)) if chosen in names else roles_held(last, roles)
    shown_roles = np.where(held < 0, away.argmax(-1), held)
    for layer, head in np.ndindex(*shown_roles.shape):
        index = int(shown_roles[layer, head])
        named = bool(last[layer, head, index] >= roles[index].from_score)
        distance, shown = int(distances[-1, layer, head]), trace.distance(layer, head)
        if distance != shown and trace.role(layer, head) is roles[index]:
            distance = 0
        of_head = scores[:, layer, head, index]
        curves.append(HeadCurve(layer, head, index, roles[index], named, distance, steps, of_head))
    return tuple(curves)
