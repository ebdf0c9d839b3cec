"""The typed values of a field: lists, ranges, names, ``log(...)``, ``draw(...)`` and ``@FILE``."""

import json
import math
import random
import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from attnviz.definitions.text import English, Text, quoted
from attnviz.experiment.files.specs_in_files import saying
from attnviz.experiment.labs import Spec, SpecError
from attnviz.experiment.sweeps.fields import Kind, example, may_be_none
from attnviz.experiment.sweeps.files import ValueFile

_BETWEEN = 20
"""The number of values in a range of a real-valued field without a step."""
_GRAMMAR: English = (
    "sweep {said} must read FIELD=FIRST:LAST, FIELD=FIRST:LAST:STEP or FIELD=V1,V2,V3; nearest: {nearest}"
)
MOST_VALUES = 1_000_000
"""The most values of a field that are not evenly spaced integers."""
_WHOLE: English = "{field}: {name} {said} must be a whole number; nearest: {nearest}"
_KINDS: Mapping[Kind, English] = {
    "whole": "a whole number",
    "number": "a number",
    "truth": "true or false",
    "word": "a text",
}
_TRUTHS = {"true": True, "false": False}
_SPREAD = re.compile(r"(log|draw)\b\s*(.*)", re.DOTALL)
_COMMA = re.compile(r",(?![^()]*\))")
"""Matches a comma between values, but not one between the arguments of a call: ``mods.mask_mod=f(2, 4),f(3, 4)``."""
_ABOVE_0 = re.compile(r"(?=.*[1-9])[0-9]+(\.[0-9]+)?")
"""Matches the typed numbers that a proposal keeps."""

Number = int | float


def field_and_values(text: str, spec: Spec) -> tuple[str, str]:
    """Return the two sides of ``FIELD=VALUES``.

    Raises:
        SpecError: one of them is missing; names an example.
    """
    field, sign, wanted = (part.strip() for part in text.partition("="))
    if not sign or not field:
        raise SpecError.of("", "no_sweep", _GRAMMAR, said=quoted(text), nearest=example(spec))
    return field, wanted


def idle(field: str, nearest: str) -> SpecError:
    """Return the error of a field without effect; ``nearest`` is one with effect, or a change that gives it one."""
    values = {"field": field, "near": nearest}
    sentence: English = "{field} changes nothing beside the other fields of this spec; nearest: {near}"
    return SpecError.of(field, "idle", sentence, **values)


def read_values(field: str, wanted: str, kind: Kind, spec: Spec, seed: int) -> Sequence[Any]:
    """Return the values of a field described by a text.

    Besides the syntax of `listed_or_range`: names and texts separated by commas, ``true`` and ``false``, ``none`` if a
    field may be unset, ``log(FIRST, LAST, COUNT)`` evenly in the exponent with both ends, ``draw(FIRST, LAST, COUNT)``
    COUNT random values between them, evenly in the exponent, from ``seed`` and the name of the field, and the values
    of a file: ``@FILE`` with one on each line, ``@FILE.csv:COLUMN`` and ``@FILE.jsonl:FIELD``; see `ValueFile`.

    Raises:
        SpecError: a value cannot be parsed; names the nearest that can, or the error in the file.
    """
    spread = _SPREAD.fullmatch(wanted) if kind in ("whole", "number") else None
    if spread is not None:
        return _spread(field, spread[1], spread[2], seed, whole=kind == "whole")
    of_file = wanted.startswith("@")
    if not of_file and kind in ("whole", "number") and ":" in wanted:
        return listed_or_range(field, wanted, whole=kind == "whole")
    nothing = may_be_none(spec, field)
    if of_file:
        return _of_file(field, wanted[1:].strip(), kind, nothing=nothing)
    return tuple(_value(field, each.strip(), kind, nothing=nothing) for each in _COMMA.split(wanted))


def listed_or_range(field: str, wanted: str, *, whole: bool, most: int | None = None) -> Sequence[Number]:
    """Return the numbers of ``V1,V2,V3``, ``FIRST:LAST`` or ``FIRST:LAST:STEP``, both ends included.

    Raises:
        SpecError: not a number, or more than ``most``; names the nearest.
    """
    if ":" not in wanted:
        listed = wanted.split(",")
        if most is not None and len(listed) > most:
            values = {"field": field, "count": len(listed), "most": most}
            raise SpecError.of(
                field, "too_many", "{field}: {count} values are more than {most}; nearest: {most}", **values
            )
        return tuple(_number(field, each, whole=whole) for each in listed)
    parts = wanted.split(":")
    if len(parts) > 3:
        nearest = f"{field}={':'.join(parts[:3])}"
        raise SpecError.of(field, "no_sweep", _GRAMMAR, said=quoted(f"{field}={wanted}"), nearest=nearest)
    first, last = (_number(field, each, whole=whole) for each in parts[:2])
    step = _number(field, parts[2], whole=whole, name="step") if len(parts) == 3 else None
    return _range(field, first, last, step, whole=whole, most=most)


def _range(
    field: str, first: Number, last: Number, step: Number | None, *, whole: bool, most: int | None
) -> Sequence[Number]:
    """Return the numbers from the first to the last, ascending or descending."""
    span = abs(last - first)
    if not math.isfinite(span):
        values = {"field": field, "first": first, "last": last}
        raise SpecError.of(
            field, "too_far", "{field}: {first:g} and {last:g} are too far apart; nearest: 0:{last:g}", **values
        )
    if step is not None and step <= 0:
        nearest = _figure(1 if whole else span / (_BETWEEN - 1) or 1.0)
        values = {"field": field, "step": _figure(step), "nearest": nearest}
        raise SpecError.of(field, "step", "{field}: step {step} must be above 0; nearest: {nearest}", **values)
    if step is None:
        step = 1 if whole else span / (_BETWEEN - 1)
    if not span or not step:  # effectively one number
        return (first,)
    steps = math.floor(min(span / step, 1e12) + 1e-9)
    if most is not None and steps >= most:
        smallest = span / (most - 1)
        # A little more than needed, so that rounding to six digits cannot make it too small.
        nearest = _figure(math.ceil(smallest) if whole else float(f"{smallest * 1.00001:.6g}"))
        raise SpecError.of(
            field,
            "too_many",
            "{field}: step {step} from {first} to {last} makes more than {most} frames; nearest step: {nearest}",
            field=field,
            step=_figure(step),
            first=_figure(first),
            last=_figure(last),
            most=most,
            nearest=nearest,
        )
    way = 1 if last >= first else -1
    if whole:
        return range(int(first), int(last) + way, way * int(step))
    if steps >= MOST_VALUES:
        values = {"field": field, "most": MOST_VALUES, "nearest": _figure(span / 100)}
        sentence: English = "{field}: this step makes more than {most} values; nearest step: {nearest}"
        raise SpecError.of(field, "too_many", sentence, **values)
    # Twelve digits: 0.1 + 2 · 0.1 is 0.3, as it would be typed.
    return tuple(float(f"{first + way * each * step:.12g}") for each in range(steps + 1))


def _spread(field: str, name: str, in_brackets: str, seed: int, *, whole: bool) -> tuple[Number, ...]:
    """Return the values of ``log(FIRST, LAST, COUNT)`` or ``draw(FIRST, LAST, COUNT)``."""
    parts = [part.strip() for part in in_brackets.strip("()").split(",")]
    if len(parts) != 3 or (in_brackets[:1], in_brackets[-1:]) != ("(", ")"):
        usual = ("1", "100", "20") if whole else ("0.0001", "0.1", "20")
        pairs = zip_longest(parts[:3], usual, fillvalue="")
        nearest = ", ".join(part if _ABOVE_0.fullmatch(part) else other for part, other in pairs)
        values: dict[str, Any] = {"field": field, "said": quoted(f"{name}{in_brackets}"), "name": name}
        sentence: English = "{field}: {said} must read {name}(FIRST, LAST, COUNT); nearest: {name}({nearest})"
        raise SpecError.of(field, "no_sweep", sentence, **values, nearest=nearest)
    first, last = (_number(field, each, whole=False) for each in parts[:2])
    count = int(_number(field, parts[2], whole=True, name="count"))
    for end in (first, last):
        if end <= 0:
            values = {"field": field, "end": _figure(end), "name": name, "nearest": 1 if whole else 0.001}
            sentence = (
                "{field}: {end} in {name}(...) must be above 0, since the values are spaced "
                "logarithmically; nearest: {nearest}"
            )
            raise SpecError.of(field, "not_above_0", sentence, **values)
    if not 1 <= count <= MOST_VALUES:
        values = {"field": field, "count": count, "most": MOST_VALUES, "nearest": min(max(count, 1), MOST_VALUES)}
        sentence = "{field}: count {count} must be from 1 to {most}; nearest: {nearest}"
        raise SpecError.of(field, "count", sentence, **values)
    if name == "log":
        shares = [each / (count - 1) if count > 1 else 0.0 for each in range(count)]
    else:
        # The generator of the standard library draws the same numbers in every version of Python.
        drawn = random.Random(f"{seed} {field}")
        shares = [drawn.random() for _ in range(count)]
    low, high = math.log(first), math.log(last)
    ends: dict[float, Number] = {0.0: first, 1.0: last}
    numbers = [ends.get(share, float(f"{math.exp(low + share * (high - low)):.12g}")) for share in shares]
    if not whole:
        return tuple(map(float, numbers))
    return tuple(dict.fromkeys(map(round, numbers))) if name == "log" else tuple(map(round, numbers))


def _of_file(field: str, typed: str, kind: Kind, *, nothing: bool) -> tuple[Any, ...]:
    """Return the values in a file as typed after ``@``."""
    with saying(Text("{field}: {path}", {"field": field, "path": typed or "@"})):
        values = []
        for number, value in ValueFile.of(typed).values():
            try:
                values.append(_stored(field, value, kind, nothing=nothing))
            except SpecError:
                with saying(Text("line {line}", {"line": number})):
                    raise
        return tuple(values)


def _stored(field: str, value: Any, kind: Kind, *, nothing: bool) -> Any:
    """Return a value of a file; true, false, numbers and None are those of JSON."""
    if isinstance(value, str):
        return _value(field, value, kind, nothing=nothing)
    if value is None and nothing:
        return None
    if value is None or isinstance(value, bool) != (kind == "truth") or kind == "word":
        said = json.dumps(value)
        nearest = "true" if kind == "truth" else "1" if kind != "word" else '""' if value is None else json.dumps(said)
        values = {"field": field, "said": said, "kind": Text(_KINDS[kind]), "nearest": nearest}
        raise SpecError.of(field, "other_kind", "{field}: value {said} must be {kind}; nearest: {nearest}", **values)
    return value if isinstance(value, bool) else _number(field, json.dumps(value), whole=kind == "whole")


def _value(field: str, text: str, kind: Kind, *, nothing: bool) -> Any:
    if nothing and text.strip() == "none":
        return None
    if kind in ("whole", "number"):
        return _number(field, text, whole=kind == "whole")
    if kind == "truth":
        truth = _TRUTHS.get(text.strip().lower())
        if truth is None:
            sentence: English = "{field}: value {said} must be true or false; nearest: true"
            raise SpecError.of(field, "no_truth", sentence, field=field, said=quoted(text))
        return truth
    return text


def _number(field: str, text: str, *, whole: bool, name: str = "value") -> Number:
    values: dict[str, Any] = {"field": field, "name": name, "said": quoted(text.strip())}
    try:
        number = float(text)
    except ValueError as error:
        if whole:
            raise SpecError.of(field, "no_number", _WHOLE, **values, nearest=1) from error
        sentence: English = "{field}: {name} {said} must be a number; nearest: {nearest}"
        raise SpecError.of(field, "no_number", sentence, **values, nearest=0.5) from error
    if not math.isfinite(number):
        raise SpecError.of(field, "no_number", "{field}: {name} {said} must be a finite number; nearest: 1", **values)
    if whole and number != int(number):
        values |= {"said": text.strip(), "nearest": max(1, round(number)) if name == "step" else round(number)}
        raise SpecError.of(field, "no_number", _WHOLE, **values)
    return int(number) if whole else number


def _figure(value: Number) -> str:
    return f"{value:.6g}" if isinstance(value, float) or abs(value) >= 1e15 else str(value)
