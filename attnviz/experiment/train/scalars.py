"""The scalars of the training lab: learning success and time, the roles of the heads, and their statistics."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.roles import Role
from attnviz.definitions.text import Text, percent_said
from attnviz.experiment.layers.scalars import statistics_of_layers
from attnviz.experiment.scalars import Scalar
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace

GOAL = 0.95
"""The accuracy that counts as learned."""


def _loss(trace: TrainTrace) -> float:
    return float(trace.history.loss[trace.step - 1]) if trace.step else float("nan")


def _accuracy(trace: TrainTrace) -> float:
    return float(trace.history.accuracy[trace.step - 1]) if trace.step else float("nan")


def _steps_to_goal(trace: TrainTrace) -> float:
    """Return the first step whose batch reached the goal accuracy."""
    reached = np.flatnonzero(trace.history.accuracy[: trace.step] >= GOAL)
    return float(reached[0]) + 1 if len(reached) else float("inf")


def _steps_to_role(index: int, from_score: float, trace: TrainTrace) -> float:
    """Return the first measured step after which a head has reached the score of a role."""
    history = trace.history
    reached = (history.roles[..., index] >= from_score).any(axis=(1, 2)) & (history.role_steps <= trace.step)
    steps = history.role_steps[reached]
    return float(steps[0]) if len(steps) else float("inf")


def _role(index: int, trace: TrainTrace) -> NDArray[np.float64]:
    return trace.role_scores[..., index]


_LEARNED = (
    Scalar(
        name="steps_to_95",
        title=Text("Steps to 95 %"),
        help=Text("The first step with an accuracy of 95 %; infinite if there is none"),
        of=_steps_to_goal,
    ),
    Scalar(
        name="loss",
        title=Text("Loss"),
        help=Text("The mean cross-entropy of the last step's batch, before that step"),
        of=_loss,
    ),
    Scalar(
        name="accuracy",
        title=Text("Accuracy"),
        help=Text("Share of the positions of that batch at which the top prediction was right"),
        of=_accuracy,
        number=percent_said,
    ),
)
_STATISTICS = statistics_of_layers(lambda trace: trace.layers)


def _of_role(index: int, role: Role) -> tuple[Scalar, Scalar]:
    title = Text(role.title)
    return (
        Scalar(
            name=f"role_{role.name}",
            title=Text("Role: {role}", {"role": title}),
            help=Text("{help} The score, from 0 to 1; that of all heads is the highest.", {"help": Text(role.help)}),
            of=partial(_role, index),
            per_head=True,
            summary="largest",
        ),
        Scalar(
            name=f"steps_to_{role.name}",
            title=Text("Steps to {role}", {"role": title}),
            help=Text("Steps until a head first has this role; infinite if none has"),
            of=partial(_steps_to_role, index, role.from_score),
        ),
    )


def scalars_of(spec: Any) -> tuple[Scalar, ...]:
    """Return the scalars of a spec's trace."""
    assert isinstance(spec, TrainSpec)
    of_roles = (each for index, role in enumerate(spec.roles) for each in _of_role(index, role))
    return (*_LEARNED, *of_roles, *_STATISTICS)
