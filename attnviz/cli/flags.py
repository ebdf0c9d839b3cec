"""Command-line flags generated from the fields of a settings model."""

import argparse
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from attnviz.export.options import Flag, choices_of, mark_of


def add_flags(parser: argparse.ArgumentParser, model: type[BaseModel]) -> None:
    """Add a flag for every field that is marked with `Flag`; it is None if it is not given."""
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
    kind = field.annotation if field.annotation in (int, float) else str
    return {"metavar": flag.metavar, "type": kind if flag.parse is None else _reader(flag.parse)}


def _reader(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read


def _help(field: FieldInfo, flag: Flag) -> str:
    text = field.description or ""
    text = text[:1].lower() + text[1:]
    usual = flag.usual or ("" if field.annotation is bool else str(field.default).removesuffix(".0"))
    return f"{text} ({usual})" if usual else text
