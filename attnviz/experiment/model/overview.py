"""The numbers of a model's heads, one for each: what the overview of layers and heads is coloured by.

They are the statistics of `attnviz.definitions.statistics`, some that need more than the weights, and the roles of
`attnviz.definitions.roles`. A role is measured without the tokens where heads rest: without the first key and without
special tokens. A head is named after it only where it stands out, and how sure that is, is part of what is measured.

Shape letters: L layers, h heads, Q queries, K keys.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.registry import Registry
from attnviz.definitions.roles import ROLES, Role
from attnviz.definitions.statistics import STATISTICS
from attnviz.definitions.text import English, Text, number_said, percent_said
from attnviz.experiment.colours import Scale

Array = NDArray[np.floating]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadNumber:
    """One number per head."""

    name: str
    title: English
    help: English
    number: Callable[[float], str]
    """Writes a value."""
    kind: Literal["statistic", "further", "role"] = "further"


SINK = HeadNumber(
    name="sink_share",
    title="On sinks",
    help="Share of the weight on the first token and on special tokens, where a head rests that has nothing to do",
    number=percent_said,
)
NORM = HeadNumber(
    name="norm",
    title="Weighted by norm",
    help="How much a head writes: each weight times the length of the value that it lets through, after the output "
    "projection (Kobayashi et al. 2020)",
    number=number_said,
)
NORM_ENTROPY = HeadNumber(
    name="norm_entropy",
    title="Entropy by norm",
    help="How spread the rows are, in bits, when each weight counts times the length of its value after the output "
    "projection",
    number=number_said,
)
FURTHER = (SINK, NORM, NORM_ENTROPY)

OVERVIEW: Registry[HeadNumber] = Registry(
    "number of heads",
    (
        *(
            HeadNumber(name=each.name, title=each.title, help=each.help, number=each.number, kind="statistic")
            for each in STATISTICS.values()
        ),
        *FURTHER,
        *(
            HeadNumber(name=f"role_{role.name}", title=role.title, help=role.help, number=percent_said, kind="role")
            for role in ROLES.values()
        ),
    ),
)
"""All of them, in the order in which they are offered."""

MARGIN = 0.25
"""A head stands out in a role if its score is at least this far above what even weights would score."""
LEAST_AGREEING = 0.5
"""... and at least this share of the rows that count give most of their weight to the role's keys."""
FEWEST_ROWS = 3
"""... of at least so many rows."""


@dataclass(frozen=True, slots=True, eq=False)
class RoleMeasure:
    """How much the heads of a model do what a role says, in one text. (L, h) each; NaN where no row counts."""

    scores: NDArray[np.float64]
    """The mean weight on the role's keys, of rows without sinks; from 0 to 1."""
    chance: NDArray[np.float64]
    """What it would be with even weights on the keys that the rows may look at."""
    rows: NDArray[np.int64]
    """How many rows count."""
    agreeing: NDArray[np.int64]
    """How many of them give more than half of their weight to the role's keys."""
    distances: NDArray[np.int64]
    """How far back, in the role of a fixed distance; else 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """The numbers of all heads. L layers, h heads of the layer with most; NaN where a layer has fewer."""

    numbers: Mapping[str, NDArray[np.float64]]
    """(L, h), by the names of `OVERVIEW`; those that need what is not known of the model are NaN."""
    roles: Mapping[str, RoleMeasure]
    """By the names of `ROLES`."""
    thumbnails: NDArray[np.float16]
    """(L, h, S, S), the weights; of more than S tokens the means of blocks."""

    def role(self, layer: int, head: int) -> Role | None:
        """Return the role in which a head stands out most; None if in none."""
        found = [(self.roles[role.name].scores[layer, head], role) for role in ROLES.values()]
        out = [(score, role) for score, role in found if self.stands_out(role, layer, head)]
        return max(out, key=lambda pair: (pair[0], pair[1].least_distance is not None))[1] if out else None

    def stands_out(self, role: Role, layer: int, head: int) -> bool:
        """Return whether a head is named after a role: far above chance, and in most of the rows that count."""
        measure = self.roles[role.name]
        score, chance = measure.scores[layer, head], measure.chance[layer, head]
        rows, agreeing = measure.rows[layer, head], measure.agreeing[layer, head]
        if not score >= max(role.from_score, chance + MARGIN * (1 - chance)):
            return False
        return bool(rows >= FEWEST_ROWS and agreeing >= LEAST_AGREEING * rows)

    def role_name(self, layer: int, head: int) -> Text | None:
        """Return the name of that role, with the distance in one of a fixed distance."""
        role = self.role(layer, head)
        return None if role is None else role.named_at(int(self.roles[role.name].distances[layer, head]))

    def sure(self, role: Role, layer: int, head: int) -> Text:
        """Return how sure a role is: "by chance 12 %; in 9 of 10 rows"; of even rows chance says nothing."""
        measure = self.roles[role.name]
        words = {
            "agreeing": int(measure.agreeing[layer, head]),
            "count": int(measure.rows[layer, head]),
            "chance": percent_said(measure.chance[layer, head]),
        }
        if role.of_rows is not None:
            return Text("in {agreeing} of {count} rows", words)
        return Text("by chance {chance}; in {agreeing} of {count} rows", words)

    def of(self, name: str) -> NDArray[np.float64]:
        """Return (L, h), the numbers of a record of `OVERVIEW`."""
        return self.roles[name.removeprefix("role_")].scores if OVERVIEW[name].kind == "role" else self.numbers[name]

    def scale(self, name: str) -> Scale:
        """Return the scale of such numbers, from the smallest to the largest."""
        values = self.of(name)
        finite = values[np.isfinite(values)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        return Scale(low, high if high > low else low + 1.0)
