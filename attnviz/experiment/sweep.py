"""A sweep: one numeric knob of a spec set to one value after another, such as ``num_heads=1:16``."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.text import English, Text, closest, said
from attnviz.experiment.chosen_records import ChosenRecords, KnobsOfRecord, RecordWithKnobs
from attnviz.experiment.knob import fields_of
from attnviz.experiment.labs import Spec, SpecError, make_spec

MOST_FRAMES = 500
"""The most values of a sweep."""
_BETWEEN = 20
"""The number of values in a range of a real-valued field without a step."""
_FAR = 200
"""The largest distance at which a nearest legal value is searched."""
_GRAMMAR: English = (
    "sweep {said} must read FIELD=FIRST:LAST, FIELD=FIRST:LAST:STEP or FIELD=V1,V2,V3; nearest: {nearest}"
)
_WHOLE: English = "{field}: {name} {said} must be a whole number; nearest: {nearest}"

Number = int | float


@dataclass(frozen=True, slots=True)
class SweptSpec:
    """A legal spec of a sweep, and the value that its field was set to."""

    value: Number
    spec: Spec


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A value that the spec's rules forbid, and the sentence that says why."""

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
    """Return the sweep that a text describes, from a spec that gives all other fields.

    ``FIELD=FIRST:LAST`` sets every whole number of a whole field, and 20 evenly spaced numbers of any other, both ends
    included; ``FIELD=FIRST:LAST:STEP`` steps so far; ``FIELD=V1,V2,V3`` sets these. A field of a part is dotted.

    Raises:
        SpecError: no such field, not a number, more than 500 values, or none is legal; names the nearest. Given
            weights have no field to sweep.
    """
    field, sign, wanted = (part.strip() for part in text.partition("="))
    if spec.is_given:
        raise SpecError.of(
            field,
            "given",
            "{field} cannot be swept: given weights are shown as they are, and have no knob to sweep; nearest: a spec "
            "of another mechanism",
            field=said(field),
        )
    if not sign or not field:
        raise SpecError.of("", "no_sweep", _GRAMMAR, said=said(text), nearest=_an_example(spec))
    whole = _is_whole(field, spec)
    values = _values(field, wanted, whole=whole)
    tried = [(value, _attempt(spec, field, value)) for value in values]
    specs = tuple(SweptSpec(value, found) for value, found in tried if not isinstance(found, SpecError))
    left_out = tuple(LeftOut(value, found.text) for value, found in tried if isinstance(found, SpecError))
    if not specs:
        nearest = _nearest_legal(spec, field, values[0], whole=whole)
        words = {"field": field, "wanted": wanted, "why": left_out[0].why, "nearest": nearest}
        raise SpecError.of(field, "none_legal", "no value of {field}={wanted} is legal; {why}{nearest}", **words)
    if "." not in field and field not in type(spec).active_fields(spec.model_dump()):
        near = _an_example(spec).partition("=")[0]
        words = {"field": field, "near": near}
        raise SpecError.of(
            field, "idle", "{field} changes nothing beside the other fields of this spec; nearest: {near}", **words
        )
    return Sweep(field, specs, left_out)


def numeric_fields(spec: Spec) -> dict[str, bool]:
    """Return every field that can be swept, and whether it holds only whole numbers."""
    found: dict[str, bool] = {}
    for name in fields_of(spec):
        part = getattr(spec, name)
        found |= _numeric(type(spec), name, "")
        if isinstance(part, BaseModel):
            for inner in fields_of(part):
                found |= _numeric(type(part), inner, f"{name}.")
        if isinstance(part, ChosenRecords | KnobsOfRecord):
            found |= {f"{name}.{path}": knob.whole for path, (_, knob) in part.knobs().items()}
    return found


def knob_of_record(spec: Spec, field: str) -> tuple[RecordWithKnobs, NumberKnob] | None:
    """Return the record and the knob that a field such as "masks.dilated.n" names; None if it is no such field."""
    name, _, path = field.partition(".")
    chosen = getattr(spec, name)
    return chosen.knobs().get(path) if isinstance(chosen, ChosenRecords | KnobsOfRecord) else None


def _numeric(model: type[Any], name: str, prefix: str) -> dict[str, bool]:
    annotation = fields_of(model)[name].annotation
    kinds = set(get_args(annotation) or (annotation,)) - {type(None)}
    return {prefix + name: kinds == {int}} if kinds and kinds <= {int, float} else {}


def _is_whole(field: str, spec: Spec) -> bool:
    """Return whether a field holds only whole numbers."""
    known = numeric_fields(spec)
    if field in known:
        return known[field]
    part, _, inner = field.rpartition(".")
    there = getattr(spec, part, None) if part in fields_of(spec) else None
    words = {"field": field, "nearest": closest(field, known, cutoff=0.0) or next(iter(known))}
    if field in fields_of(spec) or (isinstance(there, BaseModel) and inner in fields_of(there)):
        raise SpecError.of(field, "no_number", "{field} is no number that could be swept; nearest: {nearest}", **words)
    words |= {"said": said(field), "part": part, "kind": getattr(there, "kind", "")}
    if words["kind"]:
        sentence = "there is no field {said} beside {part}.kind '{kind}'; nearest: {nearest}"
    else:
        sentence = "there is no field {said} in this spec; nearest: {nearest}"
    raise SpecError.of(field, "no_such_field", sentence, **words)


def _an_example(spec: Spec) -> str:
    active = type(spec).active_fields(spec.model_dump())
    field, whole = next(
        (each for each in numeric_fields(spec).items() if each[0] in active), next(iter(numeric_fields(spec).items()))
    )
    return f"{field}={'1:4' if whole else '0.1:2'}"


def _values(field: str, wanted: str, *, whole: bool) -> tuple[Number, ...]:
    if ":" not in wanted:
        listed = wanted.split(",")
        if len(listed) > MOST_FRAMES:
            words = {"field": field, "count": len(listed), "most": MOST_FRAMES}
            raise SpecError.of(
                field, "too_many", "{field}: {count} values are more than {most}; nearest: {most}", **words
            )
        return tuple(_number(field, each, whole=whole) for each in listed)
    parts = wanted.split(":")
    if len(parts) > 3:
        nearest = f"{field}={':'.join(parts[:3])}"
        raise SpecError.of(field, "no_sweep", _GRAMMAR, said=said(f"{field}={wanted}"), nearest=nearest)
    first, last = (_number(field, each, whole=whole) for each in parts[:2])
    step = _number(field, parts[2], whole=whole, name="step") if len(parts) == 3 else None
    return _range(field, first, last, step, whole=whole)


def _range(field: str, first: Number, last: Number, step: Number | None, *, whole: bool) -> tuple[Number, ...]:
    """Return the numbers from the first to the last, ascending or descending."""
    span = abs(last - first)
    if not math.isfinite(span):
        words = {"field": field, "first": first, "last": last}
        raise SpecError.of(
            field, "too_far", "{field}: {first:g} and {last:g} are too far apart; nearest: 0:{last:g}", **words
        )
    if step is not None and step <= 0:
        nearest = _figure(1 if whole else span / (_BETWEEN - 1) or 1.0)
        words = {"field": field, "step": _figure(step), "nearest": nearest}
        raise SpecError.of(field, "step", "{field}: step {step} must be above 0; nearest: {nearest}", **words)
    if step is None:
        step = 1 if whole else span / (_BETWEEN - 1)
    if not span or not step:  # effectively one number
        return (first,)
    steps = math.floor(min(span / step, 1e12) + 1e-9)
    if steps >= MOST_FRAMES:
        smallest = span / (MOST_FRAMES - 1)
        # A little more than needed, so that rounding to six digits cannot make it too little.
        nearest = _figure(math.ceil(smallest) if whole else float(f"{smallest * 1.00001:.6g}"))
        raise SpecError.of(
            field,
            "too_many",
            "{field}: step {step} from {first} to {last} makes more than {most} frames; nearest step: {nearest}",
            field=field,
            step=_figure(step),
            first=_figure(first),
            last=_figure(last),
            most=MOST_FRAMES,
            nearest=nearest,
        )
    way = 1 if last >= first else -1
    if whole:
        return tuple(int(first + way * each * step) for each in range(steps + 1))
    # Twelve digits: 0.1 + 2 · 0.1 is 0.3, as it would be typed.
    return tuple(float(f"{first + way * each * step:.12g}") for each in range(steps + 1))


def _number(field: str, text: str, *, whole: bool, name: str = "value") -> Number:
    words: dict[str, Any] = {"field": field, "name": name, "said": said(text.strip())}
    try:
        number = float(text)
    except ValueError as error:
        if whole:
            raise SpecError.of(field, "no_number", _WHOLE, **words, nearest=1) from error
        sentence = "{field}: {name} {said} must be a number; nearest: {nearest}"
        raise SpecError.of(field, "no_number", sentence, **words, nearest=0.5) from error
    if not math.isfinite(number):
        raise SpecError.of(field, "no_number", "{field}: {name} {said} must be a finite number; nearest: 1", **words)
    if whole and number != int(number):
        words |= {"said": text.strip(), "nearest": max(1, round(number)) if name == "step" else round(number)}
        raise SpecError.of(field, "no_number", _WHOLE, **words)
    return int(number) if whole else number


def _attempt(spec: Spec, field: str, value: Number) -> Spec | SpecError:
    """Return the spec with the field set; fields that follow from others follow."""
    given = spec.model_dump()
    top, *within = field.split(".")
    changed = {top: _set(given.get(top, {}), within, value) if within else value}
    try:
        return make_spec(given | changed)
    except SpecError:
        active = type(spec).active_fields(given)
        follows: Mapping[str, Any] = {name: each for name, each in given.items() if name in active}
        try:
            return make_spec({**follows, **changed})
        except SpecError as error:
            return error


def _set(values: Mapping[str, Any], path: list[str], value: Number) -> dict[str, Any]:
    """Return the values with the one at a path set."""
    name, *within = path
    return {**values, name: _set(values.get(name, {}), within, value) if within else value}


def _nearest_legal(spec: Spec, field: str, value: Number, *, whole: bool) -> Text:
    """Return "; nearest: ..." with the nearest legal value of an integer field; empty if none is near."""
    if not whole:
        return Text()
    legal = (each for each in _around(int(value)) if not isinstance(_attempt(spec, field, each), SpecError))
    found = next(legal, None)
    return Text() if found is None else Text("; nearest {field}: {nearest}", {"field": field, "nearest": found})


def _around(value: int) -> Iterator[int]:
    start = min(max(value, 1), 2**31 - 1)
    for far in range(_FAR):
        yield from (start - far, start + far)


def _figure(value: Number) -> str:
    return f"{value:.6g}" if isinstance(value, float) or abs(value) >= 1e15 else str(value)
