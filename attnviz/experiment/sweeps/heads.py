"""Heads over many runs: the mean and spread of each head's measures, and the role that it has in most runs.

The rows of a sweep have every number of each head. They are taken in one at a time, so the memory does not depend on
how many there are. A failed run, and a run in which a head has no such number, does not count.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import CSV, SCREEN, head_name
from attnviz.definitions.roles import ROLES, Role
from attnviz.definitions.text import Refused, Text, listed, nearest_word, quoted
from attnviz.experiment.scalars import Scalar, column_of_head
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, Crossing
from attnviz.experiment.sweeps.roles import MOST_HEADS, RoleOverRuns, RolesOverRuns, fingerprint_of

_OF_A_HEAD = re.compile(r"(.+)_(?:(\d+)\.)?(\d+)")
_ROLE = "role"
"""The column with the role of each head in a run, after the name of its stack."""

Numbers = NDArray[np.float64]
Row = Mapping[str, Any]
ColourBy = Literal["role", "layer"]


class Head(NamedTuple):
    """A head of a sweep's runs."""

    stack: str
    """As in `Scalar`; "" in a model with one stack."""
    layer: int
    """-1 in a lab without layers."""
    head: int

    @property
    def name(self) -> str:
        """Its name: "2.1", "cross 2.1", or "3" without layers."""
        name = str(SCREEN.head(self.head)) if self.layer < 0 else head_name(self.layer, self.head)
        return f"{self.stack} {name}" if self.stack else name

    def column(self, measure: str) -> str:
        """Return the column of one of its measures."""
        return column_of_head(measure, *((self.head,) if self.layer < 0 else (self.layer, self.head)))


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """A measure of all heads of a stack, (n,) each."""

    heads: tuple[Head, ...]
    mean: Numbers
    """NaN where no run has the number."""
    spread: Numbers
    """The standard deviation over the runs, divided by n - 1; NaN for fewer than two runs."""
    count: NDArray[np.int64]


class HeadsOverRuns:
    """The heads of a sweep's runs, and their numbers so far."""

    def __init__(self, crossing: Crossing) -> None:
        self.measures: Mapping[str, Scalar] = {each.name: each for each in crossing.scalars if each.per_head}
        """The measures with a number per head, by name."""
        named = (each for each in crossing.text_columns if each.per_head)
        self._roles = {each.name: each.stack for each in named if each.name == _column(each.stack, _ROLE)}
        self.runs = 0
        """The number of runs that count."""
        self._at: dict[tuple[str, Head], int] = {}
        """The index of each measure of a head in the arrays below."""
        self._sorted: tuple[int, tuple[Head, ...]] = 0, ()  # the heads in order, and the length of `_at` then
        self._count, self._mean, self._squares = np.zeros(0, np.int64), np.zeros(0), np.zeros(0)
        self._outstanding: dict[Head, Counter[str]] = {}
        self._names: tuple[str, ...] = ()
        """The columns of the last row, and those of heads among them."""
        self._columns: list[str] = []
        self._indices = np.zeros(0, np.intp)
        self._texts: list[tuple[str, Head]] = []

    def add(self, row: Row) -> None:
        """Take in a row; its numbers may be texts, as in CSV."""
        if row[FAILURE]:
            return
        self.runs += 1
        self._find_columns(tuple(row))
        values = np.array([_number(row[name]) for name in self._columns], np.float64)
        finite = np.isfinite(values)
        at, values = self._indices[finite], values[finite]
        self._count[at] += 1  # Welford 1962: no difference of large sums
        apart = values - self._mean[at]
        self._mean[at] += apart / self._count[at]
        self._squares[at] += apart * (values - self._mean[at])
        for name, head in self._texts:
            if row[name]:
                self._outstanding.setdefault(head, Counter()).update(set(str(row[name]).split()))

    def _find_columns(self, names: tuple[str, ...]) -> None:
        if names == self._names:
            return
        self._names, self._columns, self._texts = names, [], []
        indices = []
        for name in names:
            match = _OF_A_HEAD.fullmatch(name)
            measure = None if match is None else self.measures.get(match[1])
            if match is None or (measure is None and match[1] not in self._roles):
                continue
            stack = self._roles[match[1]] if measure is None else measure.stack
            head = Head(stack, int(match[2] or 0) - 1, int(match[3]) - CSV.first_head)
            if measure is None:
                self._texts.append((name, head))
            else:
                self._columns.append(name)
                indices.append(self._at.setdefault((measure.name, head), len(self._at)))
        self._indices = np.array(indices, np.intp)
        more = np.zeros(len(self._at) - len(self._count))
        self._count = np.append(self._count, more.astype(np.int64))
        self._mean, self._squares = np.append(self._mean, more), np.append(self._squares, more)

    @property
    def heads(self) -> tuple[Head, ...]:
        """All heads, stack after stack, layer after layer."""
        if len(self._at) != self._sorted[0]:
            self._sorted = len(self._at), tuple(sorted({head for _, head in self._at}))
        return self._sorted[1]

    def points(self, measure: str) -> Points:
        """Return a measure of all heads of its stack."""
        stack = self.measures[measure].stack
        heads = tuple(head for head in self.heads if head.stack == stack)
        at = np.array([self._at.get((measure, head), -1) for head in heads], np.intp)
        count = np.where(at < 0, 0, self._count[at]) if len(self._count) else np.zeros(len(heads), np.int64)
        mean, spread = np.full(len(heads), np.nan), np.full(len(heads), np.nan)
        mean[count > 0] = self._mean[at[count > 0]]
        several = count > 1
        spread[several] = np.sqrt(self._squares[at[several]] / (count[several] - 1))
        return Points(heads, mean, spread, count)

    @property
    def roles(self) -> dict[Head, RoleOverRuns]:
        """The roles of the heads that have one."""
        found: dict[Head, RoleOverRuns] = {}
        for head, counts in self._outstanding.items():
            of_head = [
                RoleOverRuns(
                    **head._asdict(),
                    name=name,
                    distance=int(far[:9]) if far.isdecimal() else 0,
                    outstanding=often,
                    of=int(self._count[at]),
                    score=float(self._mean[at]),
                )
                for text, often in counts.items()
                for name, _, far in [text.removesuffix(")").partition("(")]
                if name in ROLES and (at := self._at.get((_column(head.stack, f"role_{name}"), head))) is not None
            ]
            if of_head and (best := max(of_head, key=lambda each: (each.share, each.score))).share > 1 / 2:
                found[head] = best
        return found

    @property
    def has_roles(self) -> bool:
        """Whether the rows have the role of each head."""
        return bool(self._roles)


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Heads that are drawn alike."""

    title: Text
    heads: frozenset[Head]
    role: Role | None = None
    level: float | None = None
    """Of a layer: its place among all, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class HeadsPicture:
    """All heads as points: their means in two measures."""

    heads: HeadsOverRuns
    x: Scalar
    y: Scalar
    colour_by: ColourBy = "role"

    @property
    def points(self) -> tuple[Points, Points]:
        """The measures of the heads."""
        return self.heads.points(self.x.name), self.heads.points(self.y.name)

    @property
    def groups(self) -> tuple[Group, ...]:
        """All heads of the picture, by role or by layer."""
        heads, roles = self.points[0].heads, self.heads.roles
        if self.colour_by == "layer":
            layers = sorted({head.layer for head in heads})
            levels = np.linspace(0, 1, len(layers)).tolist()
            return tuple(
                Group(
                    Text("layer {layer}", {"layer": layer + 1}) if layer >= 0 else Text("heads"),
                    frozenset(head for head in heads if head.layer == layer),
                    level=level,
                )
                for layer, level in zip(layers, levels, strict=True)
            )
        named = (
            Group(
                Text(role.title), frozenset(head for head in heads if head in roles and roles[head].role is role), role
            )
            for role in ROLES.values()
        )
        others = Group(Text("no role"), frozenset(head for head in heads if head not in roles))
        return tuple(group for group in (*named, others) if group.heads)

    @property
    def sentence(self) -> Text:
        """A sentence about all heads."""
        values = {"heads": len(self.points[0].heads), "count": self.heads.runs}
        return Text("{heads} heads: means over {count} runs, with bars of one standard deviation.", values)

    def told(self, head: Head) -> Text:
        """Return a text about a head: its name, its role, and both numbers with their spread."""
        role, numbers = self.heads.roles.get(head), []
        for measure, points in zip((self.x, self.y), self.points, strict=True):
            at = points.heads.index(head)
            values: dict[str, Any] = {"title": measure.title, "mean": measure.number(float(points.mean[at]))}
            values |= {"spread": measure.number(float(points.spread[at])), "count": int(points.count[at])}
            if points.count[at] > 1:
                numbers.append(Text("{title} {mean} ± {spread} ({count} runs)", values))
            else:
                numbers.append(
                    Text("{title} {mean} (1 run)", values) if points.count[at] else Text("{title}: none", values)
                )
        head_said = Text("head {name}", {"name": head.name})
        return listed([head_said, *([] if role is None else [role.said]), *numbers], "{first} · {rest}")


def other_measures(scalar: Scalar, among: Iterable[Scalar]) -> tuple[Scalar, ...]:
    """Return the measures of the same heads as a measure; none for one that is not of heads."""
    return tuple(each for each in among if scalar.per_head and each.per_head and each.stack == scalar.stack)


def picture_of(heads: HeadsOverRuns, x: str, y: str, colour_by: str) -> HeadsPicture:
    """Return the picture with these measures.

    Raises:
        Refused: there is no such measure, it is of other heads than the first, or no such colour; names the nearest.
    """
    if not heads.measures:
        raise Refused("these runs have no measure with a number per head")
    for name in (x, y):
        if name not in heads.measures:
            near = nearest_word(name, heads.measures, 0.0)
            raise Refused("{name} is no measure with a number per head{near}", name=quoted(name), near=near)
    one, other = heads.measures[x], heads.measures[y]
    if one.stack != other.stack:
        values = {"x": x, "y": y, "nearest": other_measures(one, heads.measures.values())[0].name}
        raise Refused("{x} and {y} are of different heads; nearest: {nearest}", **values)
    if colour_by not in get_args(ColourBy):
        near = nearest_word(colour_by, get_args(ColourBy), 0.0)
        raise Refused(
            "the colour of a head is by role or by layer, not {name}{near}", name=quoted(colour_by), near=near
        )
    return HeadsPicture(heads, one, other, cast("ColourBy", colour_by))


def roles_over_texts(heads: HeadsOverRuns, crossing: Crossing, overs: Sequence[str]) -> RolesOverRuns | None:
    """Return the roles of heads over a sweep of one field; None if there are none. ``overs``: the sweep as typed."""
    found = tuple(heads.roles.values())
    if len(crossing.overs) != 1 or not found:
        return None
    typed = overs[0].partition("=")[2].strip() if overs else ""
    of_values = fingerprint_of(crossing.overs[0].values)
    file = typed[1:].strip() if typed.startswith("@") else ""
    return RolesOverRuns(file=file, fingerprint=of_values, runs=heads.runs, roles=found[:MOST_HEADS])


def heads_of_rows(crossing: Crossing, rows: Iterable[Row]) -> HeadsOverRuns:
    """Return the heads over the runs of a sweep."""
    heads = HeadsOverRuns(crossing)
    for row in rows:
        heads.add(row)
    return heads


class Apart(NamedTuple):
    """Two runs of a head."""

    typical: int
    """The run with the numbers nearest the head's means."""
    extreme: int
    """The run with the numbers farthest from them."""


def runs_of_head(
    head: Head, measures: tuple[str, str], points: tuple[Points, Points], rows: Iterable[Row]
) -> Apart | None:
    r"""Return the most typical and the most extreme run of a head in two measures; None if no run has both.

    The distance of a run is :math:`\sqrt{((x - \bar x)/s_x)^2 + ((y - \bar y)/s_y)^2}`, with the means and standard
    deviations of `Points`; a measure without spread adds nothing. Of runs that are equally far the first one counts.
    """
    columns, at = [head.column(measure) for measure in measures], points[0].heads.index(head)
    means, spreads = np.array([[each.mean[at], each.spread[at]] for each in points]).T
    spreads = np.where(spreads > 0, spreads, np.inf)
    runs, values = [], []
    for row in rows:
        pair = [_number(row.get(name)) for name in columns]
        if not row[FAILURE] and all(map(math.isfinite, pair)):
            runs.append(int(row[RUN]))
            values.append(pair)
    if not runs:
        return None
    order = np.argsort(runs, kind="stable")
    far = np.square((np.array(values)[order] - means) / spreads).sum(axis=1)
    return Apart(runs[order[np.argmin(far)]], runs[order[np.argmax(far)]])


def rows_of_heads(heads: HeadsOverRuns) -> Iterator[dict[str, Any]]:
    """Yield a row for each head: its name, layer and head, its role, and of each measure the mean, spread and count.

    The measures of all stacks have the same columns.
    """
    roles, points = heads.roles, {name: heads.points(name) for name in heads.measures}
    names = list(dict.fromkeys(name.removeprefix(f"{each.stack}_") for name, each in heads.measures.items()))
    for head in heads.heads:
        row: dict[str, Any] = {"name": head.name, "stack": head.stack}
        row |= {"layer": None if head.layer < 0 else head.layer + 1, "head": SCREEN.head(head.head)}
        row |= _role_cells(roles.get(head)) if heads.has_roles else {}
        for name in names:
            of = points.get(_column(head.stack, name))
            at = None if of is None else of.heads.index(head)
            mean, spread, count = (
                (math.nan, math.nan, 0) if of is None else (float(of.mean[at]), float(of.spread[at]), int(of.count[at]))
            )
            row |= {f"{name}_mean": mean, f"{name}_spread": spread, f"{name}_count": count}
        yield row


def _role_cells(named: RoleOverRuns | None) -> dict[str, Any]:
    low, high = (math.nan, math.nan) if named is None else named.interval
    return {
        "role": "" if named is None else named.role.name,
        "role_share": math.nan if named is None else named.share,
        "role_low": low,
        "role_high": high,
        "role_runs": 0 if named is None else named.of,
    }


def _column(stack: str, name: str) -> str:
    return f"{stack}_{name}" if stack else name


def _number(value: Any) -> float:
    return math.nan if value is None or value == "" else float(value)
