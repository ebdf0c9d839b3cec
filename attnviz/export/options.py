"""The settings of exports: each is described once, as a field of a settings model.

The fields define the editors of a dialog (`attnviz.gui.forms`), the flags of the command line, and their validation.
"""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, TypeVar, get_args

from annotated_types import Ge, Le
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from attnviz.definitions.text import English, Refused, Text, nearest_word, quoted
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.fields.problems import problems_of

Mark = TypeVar("Mark")
Settings = TypeVar("Settings", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Flag:
    """Declares that a field is a command-line flag."""

    name: str
    metavar: str = ""
    usual: str = ""
    """The default in the help text, if not the field's own."""


@dataclass(frozen=True, slots=True)
class Said:
    """The name of a field's number in messages: "width 70 cm"."""

    word: str = ""
    """Empty means the field's name."""
    unit: English = ""


def mark_of(field: FieldInfo, kind: type[Mark]) -> Mark | None:
    """Return the mark of a type among a field's annotations."""
    return next((each for each in field.metadata if isinstance(each, kind)), None)


def checked(model: type[Settings], values: Mapping[str, Any], *, by_flag: bool = False) -> Settings:
    """Return validated settings.

    Args:
        model: the type of the settings.
        values: of some fields; the others have their defaults.
        by_flag: whether messages name the command-line flags instead of the fields.

    Raises:
        ValueError: a value is invalid; the message names the first such value and the nearest valid one.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        text = _text(error.errors(include_url=False)[0], model, by_flag=by_flag)
        raise Refused(text or problems_of(error, model)[0].text) from None


def _text(details: ErrorDetails, model: type[BaseModel], *, by_flag: bool) -> Text:
    """Return the message for a number out of range or an unknown word; empty for other errors."""
    name, value = str(details["loc"][0]), details["input"]
    field = model.model_fields.get(name)
    if field is None:
        return Text()
    flag = mark_of(field, Flag)
    called = flag.name.removeprefix("--") if flag is not None and by_flag else name
    match details["type"]:
        case "greater_than_equal" | "less_than_equal" if isinstance(value, int | float):
            phrase = mark_of(field, Said) or Said()
            low, high = (
                next(getattr(mark, end) for mark in field.metadata if isinstance(mark, kind))
                for kind, end in ((Ge, "ge"), (Le, "le"))
            )
            usual = low if field.default is None else field.default
            nearest = min(max(value, low), high) if abs(value) < inf else usual
            number = quoted(value) if isinstance(value, int) else f"{value:g}"  # an int may be too large for a float
            numbers = {"low": f"{low:g}", "high": f"{high:g}", "nearest": f"{nearest:g}"}
            numbers |= {"name": phrase.word or called, "number": f"{number} {phrase.unit}".rstrip()}
            return Text("{name} {number} must be in {low}..{high}; nearest: {nearest}", numbers)
        case "literal_error":
            choices = choices_of(field)
            named = {"name": called, "said": quoted(value), "choices": ", ".join(choices)}
            return Text("{name} {said} must be one of {choices}{near}", named | {"near": nearest_word(value, choices)})
    return Text()


def choices_of(field: FieldInfo) -> tuple[str, ...]:
    """Return the choices of a Literal field, or of one that names records."""
    names = mark_of(field, OneOf)
    return tuple(get_args(field.annotation)) if names is None else tuple(names.registry)


def add_flags(parser: argparse.ArgumentParser, model: type[BaseModel]) -> None:
    """Add a flag for every field marked with `Flag`; None if not given."""
    for name, field in model.model_fields.items():
        flag = mark_of(field, Flag)
        if flag is not None:
            parser.add_argument(flag.name, dest=name, default=None, help=_help(field, flag), **_form(field, flag))


def given(model: type[BaseModel], options: argparse.Namespace) -> dict[str, Any]:
    """Return the given values, by field name."""
    values = {name: getattr(options, name, None) for name in model.model_fields}
    return {name: value for name, value in values.items() if value is not None}


def _form(field: FieldInfo, flag: Flag) -> dict[str, Any]:
    """Return argparse's keywords for a flag: with or without a value, and how it is parsed."""
    if field.annotation is bool:
        return {"action": argparse.BooleanOptionalAction if flag.usual else "store_true"}
    if not flag.metavar:
        return {"choices": choices_of(field)}
    return {"metavar": flag.metavar, "type": field.annotation if field.annotation in (int, float) else str}


def _help(field: FieldInfo, flag: Flag) -> str:
    text = field.description or ""
    text = text[:1].lower() + text[1:]
    usual = flag.usual or ("" if field.annotation is bool else str(field.default).removesuffix(".0"))
    return f"{text} ({usual})" if usual else text
