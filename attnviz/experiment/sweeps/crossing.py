"""Many runs: a spec with several fields set to their values, in all combinations or pair by pair.

A crossing knows its runs by number and builds each on demand: it is small however many they are. The first field
changes slowest.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from attnviz.definitions.text import Text
from attnviz.experiment.extras import extras_of_sweep
from attnviz.experiment.labs import Spec, SpecError, scalars_of, text_columns_of
from attnviz.experiment.scalars import Scalar, TextColumn
from attnviz.experiment.sweeps.fields import (
    NO_VALUE,
    activating,
    example,
    is_idle,
    kind_of,
    refuse_given,
    swept_fields,
    with_changes,
)
from attnviz.experiment.sweeps.values import field_and_values, idle, read_values
from attnviz.versions import own_version

RUN, FAILURE, SPEC, SWEEP = "run", "failure", "spec", "sweep"
"""The columns of every sweep's table besides its fields and scalars."""
MOST_RUNS = 100_000_000
_TRIED = 100
"""The number of runs that are tried to find whether a field has an effect, and whether any is valid."""


@dataclass(frozen=True, slots=True)
class Over:
    """A field and its values."""

    field: str
    """Dotted with its part, if it has one: "data.noise"."""
    values: Sequence[Any]


@dataclass(frozen=True)
class Crossing:
    """The runs of a sweep."""

    base: Spec
    """Gives all fields that are not swept."""
    overs: tuple[Over, ...]
    paired: bool = False
    """Whether the first values are combined, then the second, ...; else all combinations are run."""
    extras: tuple[str, ...] = ()
    """The names of the studies whose numbers are columns too."""

    def __len__(self) -> int:
        """Return the number of runs."""
        lengths = [len(over.values) for over in self.overs]
        return lengths[0] if self.paired else math.prod(lengths)

    @property
    def fields(self) -> tuple[str, ...]:
        """The swept fields, in order."""
        return tuple(over.field for over in self.overs)

    def changes(self, run: int) -> dict[str, Any]:
        """Return the values that a run sets, by field; runs are counted from 0."""
        if self.paired:
            return {over.field: over.values[run] for over in self.overs}
        changes = []
        for over in reversed(self.overs):
            run, index = divmod(run, len(over.values))
            changes.append((over.field, over.values[index]))
        return dict(reversed(changes))

    def spec(self, run: int) -> Spec | SpecError:
        """Return the spec of a run, or the reason why it is invalid."""
        return with_changes(self.base, self.changes(run))

    @cached_property
    def digest(self) -> str:
        """Identifies this sweep: its spec, fields and values, and the version of attnviz."""
        sha = hashlib.sha256()
        settings = [own_version(), json.loads(self.base.model_dump_json()), self.paired and len(self.overs) > 1]
        settings += [self.extras] if self.extras else []
        sha.update(json.dumps(settings, sort_keys=True).encode())
        for over in self.overs:
            sha.update(json.dumps(over.field).encode())
            if isinstance(over.values, range):
                sha.update(f" {over.values}".encode())
            for value in () if isinstance(over.values, range) else over.values:
                sha.update(json.dumps(value, sort_keys=True).encode() + b"\n")
        return sha.hexdigest()[:16]

    def some(self) -> range:
        """Return up to a hundred of its runs, evenly spaced."""
        return range(0, len(self), max(1, len(self) // _TRIED))

    @cached_property
    def scalars(self) -> tuple[Scalar, ...]:
        """The scalars of its runs, determined from some of them."""
        specs = [spec for spec in map(self.spec, self.some()) if not isinstance(spec, SpecError)]
        extras = extras_of_sweep(self.base.lab, self.extras)
        of_studies = ((scalar for each in extras if each.scalars for scalar in each.scalars(spec)) for spec in specs)
        known = {scalar.name: scalar for spec in specs for scalar in scalars_of(spec)}
        return tuple((known | {scalar.name: scalar for each in of_studies for scalar in each}).values())

    @cached_property
    def text_columns(self) -> tuple[TextColumn, ...]:
        """The texts about its runs, determined from some of them."""
        specs = [spec for spec in map(self.spec, self.some()) if not isinstance(spec, SpecError)]
        return tuple({column.name: column for spec in specs for column in text_columns_of(spec)}.values())

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of every table of it, in order; those of single heads come with the rows."""
        texts = (column.name for column in self.text_columns if not column.per_head)
        scalars = (scalar.name for scalar in self.scalars)
        return (RUN, *self.fields, *texts, *scalars, FAILURE, SPEC, SWEEP)


def read_crossing(
    base: Spec, overs: Sequence[str], *, paired: bool = False, seed: int = 0, extras: tuple[str, ...] = ()
) -> Crossing:
    """Return the runs described by texts such as ``num_heads=1,2,4``; see `read_values`.

    ``seed`` is that of values that are drawn; ``extras`` are studies whose numbers are columns too.

    Raises:
        SpecError: a field cannot be swept, a value cannot be parsed, or no run is valid; names the nearest.
    """
    return crossed(base, [field_and_values(text, base) for text in overs], paired=paired, seed=seed, extras=extras)


def crossed(
    base: Spec,
    overs: Iterable[tuple[str, str | Iterable[Any]]],
    *,
    paired: bool = False,
    seed: int = 0,
    extras: tuple[str, ...] = (),
) -> Crossing:
    """Return the runs of fields with their values: a text as parsed by `read_values`, or the values themselves.

    Raises:
        SpecError: as `read_crossing`.
        Refused: the lab has no such study, or it adds no column.
    """
    extras_of_sweep(base.lab, extras)
    swept: list[Over] = []
    for field, wanted in overs:
        refuse_given(field, base)
        known = swept_fields(base)
        if isinstance(wanted, str):
            values = read_values(field, wanted, kind_of(field, base, known, NO_VALUE), base, seed)
        else:
            kind_of(field, base, dict.fromkeys(type(base).model_fields) | known, NO_VALUE)
            values = _plain(wanted)
        if not len(values):
            raise SpecError.of(field, "no_values", "{field} has no value; nearest: 1", field=field)
        if field in (over.field for over in swept):
            sentence = "{field} is swept twice; nearest: all its values in one list"
            raise SpecError.of(field, "twice", sentence, field=field)
        swept.append(Over(field, _as_range(values)))
    if not swept:
        details = {"example": example(base)}
        raise SpecError.of("", "no_sweep", "no field is swept; nearest: {example}", **details)
    lengths = [len(over.values) for over in swept]
    if paired and len(set(lengths)) > 1:
        listing = ", ".join(f"{over.field} {len(over.values)}" for over in swept)
        sentence = "paired fields must have the same number of values, not {said}; nearest: {nearest} each"
        raise SpecError.of("", "unequal", sentence, said=listing, nearest=min(lengths))
    count = lengths[0] if paired else math.prod(lengths)
    if count > MOST_RUNS:
        sentence = "the sweep has {count} runs, and must have at most {most}"
        raise SpecError.of("", "too_many_runs", sentence, count=count, most=MOST_RUNS)
    crossing = Crossing(base, tuple(swept), paired, tuple(dict.fromkeys(extras)))
    _check_effect(crossing)
    return crossing


def _plain(values: Iterable[Any]) -> Sequence[Any]:
    """Return values as in JSON: the numbers of a library become Python's."""
    if isinstance(values, range):
        return values
    return tuple(each.item() if hasattr(each, "item") else each for each in values)


def _as_range(values: Sequence[Any]) -> Sequence[Any]:
    """Return evenly spaced integers as a range, which is small and independent of the notation."""
    if isinstance(values, range) or any(type(value) is not int for value in values):
        return values
    step = values[1] - values[0] if len(values) > 1 else 1
    numbers = range(values[0], values[0] + step * len(values), step or 1)
    return numbers if tuple(numbers) == tuple(values) else values


def _check_effect(crossing: Crossing) -> None:
    """Raise a SpecError if no run is valid, or a field has no effect in any of the tried ones."""
    tried = [crossing.spec(run) for run in crossing.some()]
    legal = [spec for spec in tried if not isinstance(spec, SpecError)]
    if not legal and len(tried) == len(crossing):
        first = next(each for each in tried if isinstance(each, SpecError))
        raise SpecError.of("", "none_legal", "no run of the sweep is legal; {why}", why=first.text)
    for field in crossing.fields:
        if legal and all(is_idle(field, spec) for spec in legal):
            raise idle(field, activating(field, legal[0]) or example(crossing.base).partition("=")[0])


def counts_said(crossing: Crossing) -> Text:
    """Return a text with the number of runs: "4 × 8 = 32 runs"."""
    lengths = [len(over.values) for over in crossing.overs]
    values: Mapping[str, Any] = {"count": len(crossing), "lengths": " × ".join(map(str, lengths))}
    if crossing.paired or len(lengths) == 1:
        return Text("{count} runs", values, "1 run")
    return Text("{lengths} = {count} runs", values, "1 run")
