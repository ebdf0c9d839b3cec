"""The fields of a spec that a sweep can set, and a spec with some of them changed."""

from collections.abc import Mapping
from itertools import combinations
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.text import English, closest, quoted
from attnviz.experiment.fields.chosen_records import ChosenRecords, KnobsOfRecord, RecordWithKnobs
from attnviz.experiment.fields.knob import fields_of
from attnviz.experiment.labs import Spec, SpecError, make_spec

Kind = Literal["whole", "number", "truth", "word"]
"""The values of a field: integers, any numbers, true or false, a name or a text."""
_KINDS: dict[frozenset[type], Kind] = {
    frozenset({int}): "whole",
    frozenset({float}): "number",
    frozenset({int, float}): "number",
    frozenset({bool}): "truth",
    frozenset({str}): "word",
}
_FIXED = ("lab",)
"""Identifies the lab of a spec, and cannot be swept."""


def swept_fields(spec: Spec) -> dict[str, Kind]:
    """Return every field that a sweep can set, and its kind; that of a part is dotted: "data.noise"."""
    fields: dict[str, Kind] = {}
    for name in fields_of(spec):
        part = getattr(spec, name)
        fields |= _with_kind(type(spec), name, "")
        if isinstance(part, BaseModel):
            for inner in fields_of(part):
                fields |= _with_kind(type(part), inner, f"{name}.")
        if isinstance(part, ChosenRecords | KnobsOfRecord):
            kinds: dict[str, Kind] = {
                f"{name}.{path}": "whole" if knob.whole else "number" for path, (_, knob) in part.knobs().items()
            }
            fields |= kinds
    return {name: kind for name, kind in fields.items() if name not in _FIXED}


def numeric_fields(spec: Spec) -> dict[str, bool]:
    """Return every numeric field, and whether it holds only integers."""
    return {name: kind == "whole" for name, kind in swept_fields(spec).items() if kind in ("whole", "number")}


def knob_of_record(spec: Spec, field: str) -> tuple[RecordWithKnobs, NumberKnob] | None:
    """Return the record and the option named by a field such as "masks.dilated.n"; None if it is no such field."""
    name, _, path = field.partition(".")
    chosen = getattr(spec, name)
    return chosen.knobs().get(path) if isinstance(chosen, ChosenRecords | KnobsOfRecord) else None


def may_be_none(spec: Spec, field: str) -> bool:
    """Return whether a field may be unset, which is typed "none"."""
    top, _, inner = field.partition(".")
    known = fields_of(getattr(spec, top) if inner else spec)
    return (inner or top) in known and type(None) in _types(known[inner or top].annotation)


NO_NUMBER: English = "{field} is not a number that can be swept; nearest: {nearest}"
NO_VALUE: English = "{field} is not a number, name or text that can be swept; nearest: {nearest}"


def kind_of(field: str, spec: Spec, known: Mapping[str, Any], other: English) -> Any:
    """Return the entry of a field in ``known``.

    Raises:
        SpecError: there is none; names the nearest. ``other`` is the message about another field.
    """
    if field in known:
        return known[field]
    part, _, inner = field.rpartition(".")
    there = getattr(spec, part, None) if part in fields_of(spec) else None
    values = {"field": field, "nearest": closest(field, known, cutoff=0.0) or next(iter(known))}
    if field in fields_of(spec) or (isinstance(there, BaseModel) and inner in fields_of(there)):
        raise SpecError.of(field, "no_number", other, **values)
    values |= {"said": quoted(field), "part": part, "kind": getattr(there, "kind", "")}
    if values["kind"]:
        sentence = "there is no field {said} beside {part}.kind '{kind}'; nearest: {nearest}"
    else:
        sentence = "there is no field {said} in this spec; nearest: {nearest}"
    raise SpecError.of(field, "no_such_field", sentence, **values)


def example(spec: Spec) -> str:
    """Return an example of a sweep over an active field, as typed."""
    active, known = type(spec).active_fields(spec.model_dump()), numeric_fields(spec)
    field, whole = next((each for each in known.items() if each[0] in active), next(iter(known.items())))
    return f"{field}={'1:4' if whole else '0.1:2'}"


def is_idle(field: str, spec: Spec) -> bool:
    """Return whether a field of a spec currently has no effect."""
    return field.partition(".")[0] not in type(spec).active_fields(spec.model_dump())


def activating(field: str, spec: Spec) -> str:
    """Return the changes of other fields that give a field an effect, as typed, such as "choose=sample"; "" for none.

    At most two changes are tried, of fields with few values, or from 0 to 1.
    """
    model, values = type(spec), dict(spec)
    known = fields_of(model).items()
    changes = [(name, value) for name, of in known for value in _others(of.annotation, values[name])]
    for tried in (*((change,) for change in changes), *combinations(changes, 2)):
        if field.partition(".")[0] in model.active_fields(values | dict(tried)):
            return ", ".join(f"{name}={str(value).lower()}" for name, value in tried)
    return ""


def _others(annotation: Any, value: Any) -> tuple[Any, ...]:
    """Return the other values of a field with few; of a number that is 0, 1."""
    if get_origin(annotation) is Literal:
        return tuple(each for each in get_args(annotation) if each != value)
    return (not value,) if isinstance(value, bool) else (1,) if value == 0 and isinstance(value, int) else ()


def refuse_given(field: str, spec: Spec) -> None:
    """Raise a SpecError if the weights of a spec are given."""
    if spec.is_given:
        raise SpecError.of(
            field,
            "given",
            "{field} cannot be swept: given weights are shown as they are, with no setting to sweep; "
            "nearest: a spec of another mechanism",
            field=quoted(field),
        )


def with_changes(spec: Spec, changes: Mapping[str, Any]) -> Spec | SpecError:
    """Return the spec with fields set, or the reason why that is invalid; dependent fields follow."""
    values = spec.model_dump()
    changed = _nested(values, changes)
    try:
        return make_spec(values | changed)
    except SpecError:
        active = type(spec).active_fields(values | changed)
        follows: Mapping[str, Any] = {name: each for name, each in values.items() if name in active}
        try:
            return make_spec({**follows, **changed})
        except SpecError as error:
            return error


def _nested(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changed values of the spec's own fields; a part of another kind starts with its defaults."""
    changed: dict[str, Any] = {}
    for field in sorted(changes, key=lambda field: not field.endswith(".kind")):
        top, *within = field.split(".")
        before = changed.get(top, values.get(top, {}))
        if within == ["kind"] and before.get("kind") != changes[field]:
            before = {}
        changed[top] = _set(before, within, changes[field])
    return changed


def _set(values: Any, path: list[str], value: Any) -> Any:
    """Return the values with the one at a path set."""
    if not path:
        return value
    name, *within = path
    return {**values, name: _set(values.get(name, {}), within, value)}


def _with_kind(model: type[Any], name: str, prefix: str) -> dict[str, Kind]:
    kind = _KINDS.get(frozenset(_types(fields_of(model)[name].annotation) - {type(None)}))
    return {} if kind is None else {prefix + name: kind}


def _types(annotation: Any) -> set[type]:
    """Return the types of an annotation's values."""
    within, origin = get_args(annotation), get_origin(annotation)
    if origin is Literal:
        return {type(value) for value in within}
    if origin is Annotated:
        return _types(within[0])
    return {each for part in within for each in _types(part)} if origin in (Union, UnionType) else {annotation}
