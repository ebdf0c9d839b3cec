"""The measures of a model's heads, one number per head, which colour the overview of layers and heads.

They are the statistics of `attnviz.definitions.statistics`, some that need more than the weights, and the roles of
`attnviz.definitions.roles`. A role is measured without attention sinks: without the first key and without special
tokens. A head is named after it only if it stands out, and how certain that is, is measured too.

Shape letters: L layers, h heads, Q queries, K keys.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.roles import ROLES, Role, role_of
from attnviz.definitions.statistics import STATISTICS, Summary
from attnviz.definitions.text import English, Text, number_said, percent_said
from attnviz.experiment.colours import Scale
from attnviz.experiment.layers.statistics import HeadRole
from attnviz.experiment.scalars import Scalar


def _of_heads(
    name: str, title: English, about: English, number: Callable[[float], str], summary: Summary = "mean"
) -> Scalar:
    """Return a measure with one number per head, which traces have in their overview."""
    return Scalar(
        name=name,
        title=Text(title),
        help=Text(about),
        of=lambda trace: trace.overview.of(name),
        per_head=True,
        summary=summary,
        number=number,
    )


SINK = _of_heads(
    "sink_share",
    "On sinks",
    (
        "Share of the weight on the first token and on special tokens (attention sinks), where a "
        "head with nothing to do parks its attention"
    ),
    percent_said,
)
NORM = _of_heads(
    "norm",
    "Weighted by norm",
    "How much a head writes: each weight times the norm of its value after the output "
    "projection (Kobayashi et al. 2020)",
    number_said,
)
NORM_ENTROPY = _of_heads(
    "norm_entropy",
    "Entropy by norm",
    "How spread out the rows are, in bits, with each weight multiplied by the norm of its "
    "value after the output projection",
    number_said,
)
FURTHER = (SINK, NORM, NORM_ENTROPY)
OF_ROLES = tuple(
    _of_heads(f"role_{role.name}", role.title, role.help, percent_said, "largest") for role in ROLES.values()
)
_OF_STATISTICS = (_of_heads(each.name, each.title, each.help, each.number) for each in STATISTICS.values())
OVERVIEW: Mapping[str, Scalar] = {each.name: each for each in (*_OF_STATISTICS, *FURTHER, *OF_ROLES)}
"""All measures by name, in menu order."""
WITHIN_A_TEXT = frozenset({"diagonal", "previous", "distance", *(each.name for each in OF_ROLES)})
"""The measures that compare positions within one text, which cross-attention has not."""
NOT_ACROSS = Text(
    "This number compares places within one text. In cross-attention, queries and keys are tokens of different texts, "
    "so there is none."
)

MARGIN = 0.25
"""A head stands out in a role if its score exceeds that of uniform weights by at least this margin,"""
LEAST_AGREEING = 0.5
"""... if at least this share of the counted rows give most of their weight to the role's keys,"""
FEWEST_ROWS = 3
"""... and if there are at least this many counted rows."""

_ROUNDING = 1e-6
"""Numbers closer than this differ by the rounding of float32."""


@dataclass(frozen=True, eq=False)
class RoleMeasure:
    """How far the heads of a model follow a role, in one text. (L, h) each; NaN if no row counts."""

    scores: NDArray[np.float64]
    """The mean weight on the role's keys, of rows without sinks; from 0 to 1."""
    chance: NDArray[np.float64]
    """The score of uniform weights on the keys that the rows may attend to."""
    rows: NDArray[np.int64]
    """The number of counted rows."""
    agreeing: NDArray[np.int64]
    """The number of them that give more than half of their weight to the role's keys."""
    distances: NDArray[np.int64]
    """The distance, in the role of a fixed distance; else 0."""

    @cached_property
    def outstanding(self) -> NDArray[np.float64]:
        """The scores of heads that stand out: far above chance, and in most of the counted rows; NaN for others."""
        often = (self.rows >= FEWEST_ROWS) & (self.agreeing >= LEAST_AGREEING * self.rows)
        return np.where(often & (self.scores >= self.chance + MARGIN * (1 - self.chance)), self.scores, np.nan)


@dataclass(frozen=True, eq=False)
class Overview:
    """The measures of all heads. L layers, h heads of the layer with most; NaN where a layer has fewer."""

    numbers: Mapping[str, NDArray[np.float64]]
    """(L, h), by the names of `OVERVIEW`; NaN for those that need unknown parts of the model."""
    roles: Mapping[str, RoleMeasure]
    """By the names of `ROLES`."""
    thumbnails: NDArray[np.float16]
    """(L, h, S, S), the weights; for more than S tokens the means of blocks."""
    across: bool = False
    """Whether it is of cross-attention, which has no `WITHIN_A_TEXT`."""

    @cached_property
    def head_roles(self) -> Mapping[tuple[int, int], HeadRole]:
        """The role that each head is named after, by layer and head: the one in which it stands out most."""
        scores, roles = np.stack([self.roles[name].outstanding for name in ROLES], axis=-1), tuple(ROLES.values())
        indices = zip(*np.nonzero(np.isfinite(scores).any(axis=-1)), strict=True)
        roles_of = {(int(layer), int(head)): role_of(scores[layer, head].tolist(), roles) for layer, head in indices}
        measures = {at: (role, self.roles[role.name]) for at, role in roles_of.items() if role is not None}
        return {
            at: HeadRole(role, float(measure.scores[at]), int(measure.distances[at]))
            for at, (role, measure) in measures.items()
        }

    def standing_out(self, layer: int, head: int) -> tuple[Role, ...]:
        """Return all roles that a head stands out in; the one that it is named after is first."""
        scores = {name: self.roles[name].outstanding[layer, head] for name in ROLES}
        reached = [role for name, role in ROLES.items() if scores[name] >= role.from_score]
        return tuple(sorted(reached, key=lambda role: (role is not self.role(layer, head), -scores[role.name])))

    def role(self, layer: int, head: int) -> Role | None:
        """Return the role that a head is named after; None if it stands out in none."""
        named = self.head_roles.get((layer, head))
        return None if named is None else named.role

    def role_name(self, layer: int, head: int) -> Text | None:
        """Return the name of that role, with the distance in one of a fixed distance."""
        named = self.head_roles.get((layer, head))
        return None if named is None else named.role.named_at(named.distance)

    def of(self, name: str) -> NDArray[np.float64]:
        """Return (L, h), the numbers of a record of `OVERVIEW`."""
        return self.numbers[name] if name in self.numbers else self.roles[name.removeprefix("role_")].scores

    def scale(self, name: str) -> Scale:
        """Return the scale of such numbers, from the smallest to the largest; rounding alone is one colour."""
        values = self.of(name)
        finite = values[np.isfinite(values)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        return Scale(low, high if high - low > _ROUNDING else low + 1.0)
