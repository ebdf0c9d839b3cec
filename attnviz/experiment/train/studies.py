"""Studies of a training at one of its steps: another run's trace, a test, ablation of heads or roles, writing.

A study has the spec of its training. It runs on demand, in the same worker, and repeats no step that the training on
screen has taken. Shape letters: L layers, h heads, V vocabulary.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator
from typing_extensions import override

from attnviz.definitions.text import Text
from attnviz.experiment.study import StudyOf, StudyResult
from attnviz.experiment.train.spec import MOST_STEPS, TrainSpec
from attnviz.experiment.train.trace import TrainTrace

MOST_WRITTEN = 400
"""The most tokens written at once."""
MOST_PAIRED = 8
"""The most heads of a role whose pairs are ablated; they have 28."""


class _Study(StudyOf):
    of: TrainSpec
    step: int = Field(ge=0, le=MOST_STEPS)
    """The number of training steps before the study."""

    def tested_on(self, count: int) -> Text:
        """Return a description of the ``count`` sequences of a test."""
        of, all_of_them = self.of, self.of.task.record.sequences
        if of.held_out:
            return Text("{count} held-out sequences", {"count": count})
        if all_of_them is not None and all_of_them(of.knobs) <= self.step * of.batch_size:
            return Text("{count} newly drawn sequences, some of which occurred in training", {"count": count})
        return Text("{count} newly drawn sequences (some may have occurred in training)", {"count": count})

    def is_of_another_training(self, other: "_Study") -> bool:
        """Return whether its model took other steps than that of another study, not only more or fewer of them."""
        return self.of.past != other.of.past or self.of.shares_steps_with(other.of) < min(self.step, other.step)


class TraceAt(_Study):
    """The trace of a training at a step, for comparison."""


class HeldOut(_Study):
    """Loss and accuracy on held-out sequences, or newly drawn ones if the spec holds out none.

    With every head on, and with the spec's heads ablated.
    """


class HeadsInTurn(_Study):
    """The same with each head ablated in turn, besides those that the spec ablates."""


class RolesInTurn(_Study):
    """The same with all heads of a role ablated, for each role that heads have, and with each pair of them.

    Roles are those of the model with the spec's heads ablated, and so are the measurements.
    """


class Writing(_Study):
    """A text that the model writes after a prompt, each token drawn from its prediction."""

    prompt: tuple[str, ...] = Field(min_length=1)
    """Tokens; the model sees the last ones within its context length."""
    count: int = Field(80, ge=1, le=MOST_WRITTEN)
    temperature: float = Field(0.7, ge=0, le=100)
    """The divisor of the logits; 0 takes the most probable token."""
    seed: int = Field(0, ge=0, le=2**31 - 1)

    @model_validator(mode="after")
    def _check_prompt(self) -> Self:
        self.of.check_words("prompt", self.prompt)
        return self


@dataclass(frozen=True, eq=False)
class TraceAtTrace(StudyResult):
    """The trace of another step or training."""

    spec: TraceAt
    trace: TrainTrace


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of a model's predictions, over the predictable positions."""

    loss: float
    accuracy: float


@dataclass(frozen=True, eq=False)
class HeldOutTrace(StudyResult):
    """Predictions on the sequences of a test."""

    spec: HeldOut
    sequences: int
    """The number of sequences."""
    whole: Quality
    """With every head on."""
    shown: Quality
    """With the spec's heads off."""

    @override
    def values(self) -> Mapping[str, Any]:
        return {"sequences": self.sequences, **asdict(self.shown), "whole": asdict(self.whole)}


@dataclass(frozen=True, eq=False)
class HeadsInTurnTrace(StudyResult):
    """Predictions on the sequences of a test with one more head ablated. Arrays are read-only."""

    spec: HeadsInTurn
    sequences: int
    shown: Quality
    """With the spec's heads ablated."""
    loss: NDArray[np.float64]
    """(L, h), with that head ablated too."""
    accuracy: NDArray[np.float64]
    """(L, h)."""

    @property
    def effect(self) -> NDArray[np.float64]:
        """(L, h), the accuracy lost without that head; below 0 if the model does better without."""
        return np.asarray(self.shown.accuracy - self.accuracy)


@dataclass(frozen=True, slots=True)
class HeadsOff:
    """Heads of a role that were ablated together."""

    role: str
    heads: tuple[tuple[int, int], ...]
    """The layer and index of each, in order."""
    quality: Quality
    """Without them."""


@dataclass(frozen=True, eq=False)
class RolesInTurnTrace(StudyResult):
    """Predictions on the sequences of a test with several more heads ablated."""

    spec: RolesInTurn
    sequences: int
    shown: Quality
    """With the spec's heads ablated."""
    roles: tuple[HeadsOff, ...]
    """All heads of each role, in the order of the spec's roles."""
    pairs: tuple[HeadsOff, ...]
    """Each pair of heads of a role with 3 to `MOST_PAIRED`; two heads are all of theirs."""


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """One written token."""

    token: int
    probability: float
    """Of this token, at the writing's temperature."""
    seen: tuple[int, ...]
    """The tokens in the model's context, the last ones before it."""


@dataclass(frozen=True, eq=False)
class WritingTrace(StudyResult):
    """A written text."""

    spec: Writing
    prompt: tuple[int, ...]
    written: tuple[Written, ...]


Study = TraceAt | HeldOut | HeadsInTurn | RolesInTurn | Writing
StudyTrace = TraceAtTrace | HeldOutTrace | HeadsInTurnTrace | RolesInTurnTrace | WritingTrace
