"""What the screen and the figure draw of a training: where the axis of the loss ends, and what a head's curve is of."""

from math import ceil, isfinite, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.roles import ROLES, Role, role_of
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace

_AROUND = 0.5
"""Room above ln V, the loss of a model that finds all V tokens equally probable."""
_FARTHEST = 1e9


def first_loss_end(spec: TrainSpec) -> int:
    """Return where the axis of the loss ends as long as no loss is larger than that of a first step."""
    return ceil(log(spec.vocab_size) + _AROUND)


def loss_end(trace: TrainTrace) -> int:
    """Return where the axis of the loss ends: a whole number, which a loss of the history can only raise."""
    loss = trace.history.loss
    reached = float(loss[np.isfinite(loss)].max(initial=0.0))
    return max(first_loss_end(trace.spec), ceil(min(reached, _FARTHEST)))


class HeadCurve(NamedTuple):
    """The curve of a head: its score in one role after each measured step."""

    layer: int
    head: int
    place: int
    """Of the role in `ROLES`."""
    role: Role
    named: bool
    """Whether the head has the role at the last measured step; else it is only the nearest to it."""
    scores: NDArray[np.float64]
    """(m,), at `History.role_steps`."""


def head_curves(trace: TrainTrace, chosen: str = "") -> tuple[HeadCurve, ...]:
    """Return a curve for each head, layer after layer: of a chosen role, or ("") of the head's own.

    A head's own role is the one that it has at the last step that was measured, or is nearest to.
    """
    scores = trace.history.roles
    if not len(scores):
        return ()
    curves, roles = [], tuple(ROLES.values())
    for layer, head in np.ndindex(*scores.shape[1:3]):
        last: list[float] = scores[-1, layer, head].tolist()
        own = role_of(last)
        name = chosen or ("" if own is None else own.name)
        away = [score - role.from_score for score, role in zip(last, roles, strict=True)]
        nearest = int(np.nanargmax(away)) if any(map(isfinite, away)) else 0
        place = list(ROLES).index(name) if name else nearest
        named = last[place] >= roles[place].from_score
        curves.append(HeadCurve(layer, head, place, roles[place], named, scores[:, layer, head, place]))
    return tuple(curves)
