"""A sweep in an animation: one numeric field of a spec set to one value after another, such as ``num_heads=1:16``."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from attnviz.definitions.text import Text
from attnviz.experiment.labs import Spec, SpecError
from attnviz.experiment.sweeps.fields import (
    NO_NUMBER,
    activating,
    example,
    is_idle,
    kind_of,
    numeric_fields,
    refuse_given,
    with_changes,
)
from attnviz.experiment.sweeps.values import Number, field_and_values, idle, listed_or_range

MOST_FRAMES = 500
"""The most values of a sweep."""
_FAR = 200
"""The largest distance within which a nearest valid value is searched."""


@dataclass(frozen=True, slots=True)
class SweptSpec:
    """A valid spec of a sweep, and the value that its field was set to."""

    value: Number
    spec: Spec


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A value that the spec's rules forbid, and the message that says why."""

    value: Number
    why: Text


@dataclass(frozen=True, slots=True)
class Sweep:
    """The specs that are run in order, and the values left out."""

    field: str
    """The name of the field, with its part if it has one: "data.noise"."""
    specs: tuple[SweptSpec, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def changes_points(self) -> bool:
        """Whether the points or the queries of a regression differ between values."""
        return isinstance(getattr(self.specs[0].spec, self.field.partition(".")[0]), BaseModel)


def parse_sweep(text: str, spec: Spec) -> Sweep:
    """Return the sweep described by a text, from a spec that gives all other fields.

    ``FIELD=FIRST:LAST`` sets every integer of an integer field, and 20 evenly spaced numbers of any other, both ends
    included; ``FIELD=FIRST:LAST:STEP`` sets the step; ``FIELD=V1,V2,V3`` sets these. A field of a part is dotted.

    Raises:
        SpecError: no such field, not a number, more than 500 values, or none is valid; names the nearest. Given weights
            have no field to sweep.
    """
    refuse_given(text.partition("=")[0].strip(), spec)
    field, wanted = field_and_values(text, spec)
    whole = kind_of(field, spec, numeric_fields(spec), NO_NUMBER)
    values = listed_or_range(field, wanted, whole=whole, most=MOST_FRAMES)
    tried = [(value, with_changes(spec, {field: value})) for value in values]
    specs = tuple(SweptSpec(value, result) for value, result in tried if not isinstance(result, SpecError))
    left_out = tuple(LeftOut(value, result.text) for value, result in tried if isinstance(result, SpecError))
    if not specs:
        nearest = _nearest_legal(spec, field, values[0], whole=whole)
        details = {"field": field, "wanted": wanted, "why": left_out[0].why, "nearest": nearest}
        raise SpecError.of(field, "none_legal", "no value of {field}={wanted} is legal; {why}{nearest}", **details)
    if "." not in field and is_idle(field, spec):
        raise idle(field, activating(field, spec) or example(spec).partition("=")[0])
    return Sweep(field, specs, left_out)


def _nearest_legal(spec: Spec, field: str, value: Number, *, whole: bool) -> Text:
    """Return "; nearest: ..." with the nearest valid value of an integer field; empty if none is near."""
    if not whole:
        return Text()
    legal = (each for each in _around(int(value)) if not isinstance(with_changes(spec, {field: each}), SpecError))
    nearest = next(legal, None)
    return Text() if nearest is None else Text("; nearest {field}: {nearest}", {"field": field, "nearest": nearest})


def _around(value: int) -> Iterator[int]:
    start = min(max(value, 1), 2**31 - 1)
    for far in range(_FAR):
        yield from (start - far, start + far)
