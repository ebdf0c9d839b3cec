"""The roles of heads over the runs of a sweep, and how certain they are; a session keeps them with its view."""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from attnviz.definitions.roles import ROLES, Role
from attnviz.definitions.text import Text
from attnviz.experiment.fields.knob import OneOf, Whole
from attnviz.experiment.layers.statistics import HeadRole

_Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""
MOST_HEADS = 20_000
_Count = Annotated[Whole, Field(ge=0, le=2**31 - 1)]
_Hash = Annotated[str, Field(max_length=64, pattern=r"^[0-9a-f]*$")]


class RoleOverRuns(BaseModel):
    """The role in which a head stands out most often: in more than half of the runs in which it can be measured."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    stack: Annotated[str, Field(max_length=40)] = ""
    """As in `Scalar`; "" in a model with one stack."""
    layer: Annotated[Whole, Field(ge=-1, le=2**31 - 1)]
    """-1 in a lab without layers."""
    head: _Count
    name: Annotated[str, OneOf(ROLES)]
    distance: _Count = 0
    """How far back it attends, in a role of a fixed distance: the same in all runs that count as outstanding."""
    outstanding: _Count
    """The number of runs in which the head stands out in it: far above chance, and in most of the counted rows."""
    of: Annotated[_Count, Field(ge=1)]
    """The number of runs in which the head has a score in it."""
    score: FiniteFloat
    """The mean score."""

    @model_validator(mode="after")
    def _check_counts(self) -> "RoleOverRuns":
        if self.outstanding > self.of:
            raise ValueError(f"outstanding {self.outstanding} is more than of {self.of}")
        return self

    @property
    def role(self) -> Role:
        """The role."""
        return ROLES[self.name]

    @property
    def share(self) -> float:
        """The share of these runs in which the head stands out."""
        return self.outstanding / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `share`, if the texts of the runs were drawn independently from one source."""
        return wilson(self.outstanding, self.of)

    @property
    def said(self) -> Text:
        """A text with the role, the counts and the interval."""
        low, high = self.interval
        values = {"role": self.role.title_at(self.distance), "count": self.outstanding, "of": self.of}
        values |= {"low": f"{100 * low:.0f}", "high": f"{100 * high:.0f}"}
        return Text("{role} in {count} of {of} runs (95 % interval {low} to {high} %)", values)


def wilson(count: int, of: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share, ``count`` of ``of`` (Wilson 1927); it is within [0, 1]."""
    share, per = count / of, _Z**2 / of
    middle = (share + per / 2) / (1 + per)
    reach = math.sqrt(per * share * (1 - share) + per**2 / 4) / (1 + per)
    return max(0.0, middle - reach), min(1.0, middle + reach)


class RolesOverRuns(BaseModel):
    """The roles of a model's heads over many texts or images."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    folder: Annotated[str, Field(max_length=4096)] = ""
    model: _Hash = ""
    """The fingerprint of the model."""
    file: Annotated[str, Field(max_length=4096)] = ""
    """The file of the texts as typed after ``@``; "": they were typed."""
    fingerprint: _Hash = ""
    """Of the texts; a different one in the same file is reported."""
    runs: _Count = 0
    """The number of runs that count."""
    roles: Annotated[tuple[RoleOverRuns, ...], Field(max_length=MOST_HEADS)] = ()

    def of_stack(self, stack: str) -> Mapping[tuple[int, int], RoleOverRuns]:
        """Return the roles of the heads of a stack, by layer and head."""
        return {(each.layer, each.head): each for each in self.roles if each.stack == stack}

    def head_roles(self, stack: str) -> Mapping[tuple[int, int], HeadRole]:
        """Return the roles as those of a single text, with the mean score."""
        return {at: HeadRole(each.role, each.score, each.distance) for at, each in self.of_stack(stack).items()}


def fingerprint_of(values: Iterable[Any]) -> str:
    """Return the fingerprint of the values of a sweep's field."""
    sha = hashlib.sha256()
    for value in values:
        sha.update(json.dumps(value).encode() + b"\n")
    return sha.hexdigest()[:32]
