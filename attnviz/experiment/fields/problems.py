"""The problems of a spec, as messages that name the value, the rule and the nearest valid value.

Each problem keeps its code and numbers, so that the window can translate it.
"""

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from attnviz.definitions.text import English, Text, closest, quoted, untranslated
from attnviz.experiment.fields.knob import limits_of

_SENTENCES: dict[str, English] = {
    "greater_than_equal": "{field} {said} must be at least {ge}",
    "greater_than": "{field} {said} must be above {gt}",
    "less_than_equal": "{field} {said} must be at most {le}",
    "less_than": "{field} {said} must be below {lt}",
    "int_parsing": "{field} {said} must be a whole number",
    "int_parsing_size": "{field} {said} has too many digits",
    "int_type": "{field} {said} must be a whole number",
    "int_from_float": "{field} {said} must be a whole number",
    "float_parsing": "{field} {said} must be a number",
    "float_type": "{field} {said} must be a number",
    "finite_number": "{field} {said} must be a finite number",
    "bool_parsing": "{field} {said} must be true or false",
    "bool_type": "{field} {said} must be true or false",
    "string_type": "{field} {said} must be text",
    "string_unicode": "{field} holds a character that is not text",
    "string_pattern_mismatch": "{field} {said} must be auto, cpu, mps or cuda:0 (or another number)",
    "string_too_long": "{field} is longer than {max_length} characters",
    "tuple_type": "{field} {said} must be a list",
    "too_short": "{field} must hold at least {min_length}; nearest: {min_length}",
    "too_long": "{field} holds more than {max_length} entries; nearest: {max_length}",
    "model_attributes_type": "{field} {said} must be an object with a 'kind'",
    "model_type": "{field} {said} must be an object",
    "dict_type": "{field} {said} must be an object",
    "literal_error": "{field} {said} must be one of {expected}",
    "extra_forbidden": "there is no field {name!r}",
    "missing": "{field} is missing",
    "union_tag_invalid": "{field}: kind {tag!r} must be one of {expected_tags}",
    "union_tag_not_found": "{field} needs a 'kind'",
}

_OF_NO_VALUE = (
    "int_parsing",
    "int_parsing_size",
    "int_type",
    "float_parsing",
    "float_type",
    "finite_number",
    "bool_parsing",
    "bool_type",
    "string_type",
    "string_unicode",
    "string_pattern_mismatch",
)
"""Problems of values without a nearest valid value, for which the field's default is offered."""
_STEP_INSIDE = 0.01
"""The distance of the offered nearest value from an open bound."""


MOST_FIELDS = 100
"""The most fields of a part of a spec or session; a valid one has about thirty."""
_MOST_PROBLEMS = 100


@dataclass(frozen=True, slots=True)
class Repair:
    """A valid value that removes a problem."""

    field: str
    """Dotted with the part of the field, if it has parts: "x_test.stop"."""
    value: Any
    text: str
    """The value as text."""

    @classmethod
    def of(cls, field: str, number: float) -> "Repair":
        """Return the repair that sets a number."""
        return cls(field, number, _figure(number))


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem, of one field (empty: of the whole)."""

    field: str
    code: str
    text: Text
    numbers: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    template_in_form: English = ""
    """The template of the text in the words of the form, if they differ by more than the title of each field."""
    title: English = ""
    """The title of the field, or of its part."""
    repairs: tuple[Repair, ...] = ()
    """The nearest valid values; a problem of several fields has some for each."""

    @property
    def message(self) -> str:
        """The text in English."""
        return str(self.text)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that it is about, without their parts; the first is the one whose value is rejected."""
        return tuple(dict.fromkeys(each.partition(".")[0] for each in (self.field, *(r.field for r in self.repairs))))

    @property
    def nearest(self) -> tuple[float, ...]:
        """The nearest valid values of the field, if any."""
        return tuple(self.numbers.get("nearest_values", ()))


def problem(
    field: str, code: str, sentence: English, in_form: English = "", repairs: tuple[Repair, ...] = (), /, **numbers: Any
) -> PydanticCustomError:
    """Return the error to raise in a validator of the whole spec; it is shown at ``field``.

    ``sentence`` names its numbers in braces, and so does ``in_form``, which has the words of the form if these differ
    by more than the titles of fields. ``nearest_values`` may list valid numbers of the field, which are its repairs and
    the text of ``{nearest}``; ``repairs`` are valid values of any kind.
    """
    if "nearest_values" in numbers:
        numbers = {"nearest": said_all(numbers["nearest_values"]), **numbers}
    hidden = {"at_field": field, "template": sentence, "in_form": in_form, "repairs": repairs}
    return PydanticCustomError(code, sentence, {**numbers, **hidden})


def said_value(value: object) -> str:
    """Return a value as quoted in a message; 60.0, as a form returns it, is 60."""
    return _figure(value) if isinstance(value, float) and value.is_integer() else quoted(value)


def said_all(numbers: Iterable[float]) -> str:
    """Return a list of the nearest valid numbers as text."""
    return ", ".join(map(_figure, numbers))


def problems_of(error: ValidationError, model: type[BaseModel]) -> tuple[Problem, ...]:
    """Return the problems of a failed validation of ``model``, the first hundred of them."""
    return tuple(_problem_of(details, model) for details in islice(error.errors(include_url=False), _MOST_PROBLEMS))


def too_many_fields(values: Mapping[str, Any]) -> Problem | None:
    """Return the problem of JSON values one part of which has far too many fields; None if there is none."""
    waiting: list[tuple[str, Any]] = [("", values)]
    visited: set[int] = set()  # a dict may contain itself
    while waiting:
        name, part = waiting.pop()
        if isinstance(part, Mapping) and id(part) not in visited:
            visited.add(id(part))
            if len(part) > MOST_FIELDS:
                numbers = {"count": len(part), "most": MOST_FIELDS}
                if part is values:
                    text = Text("the whole holds {count} fields; at most {most} are read", numbers)
                else:
                    named = {"name": quoted(name), **numbers}
                    text = Text("{name} holds {count} fields; at most {most} are read", named)
                return Problem("", "too_many_fields", text, numbers)
            waiting += part.items()
        elif isinstance(part, list):
            waiting += ((name, each) for each in part if isinstance(each, Mapping))
    return None


def _figure(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:g}"


def _problem_of(details: ErrorDetails, model: type[BaseModel]) -> Problem:
    context: dict[str, Any] = dict(details.get("ctx", {}))
    loc = [str(part) for part in details["loc"]]
    at_field, repairs = context.pop("at_field", None), context.pop("repairs", ())
    template: English = context.pop("template", "")
    in_form: English = context.pop("in_form", "")
    field = str(at_field) if at_field is not None else ".".join(loc)
    code, value = details["type"], details["input"]
    owner = _owner(model, details["loc"])
    name = loc[-1] if loc else ""
    fields = (owner.model_fields.get(name), model.model_fields.get(field.partition(".")[0]))
    title: English = next((each.title for each in fields if each is not None and each.title), "")
    nearest = _nearest(code, name, value, context, owner)
    numbers: dict[str, Any] = {"value": value, **context}
    if not isinstance(nearest, str):
        numbers["nearest_values"] = (nearest,)
    repairs = repairs or tuple(Repair.of(field, each) for each in numbers.get("nearest_values", ()))
    sentence = _SENTENCES.get(code)
    if sentence is None:
        # Custom messages are complete; pydantic's own lack the field's name, and are English.
        text = Text(template, context) if template else untranslated(details["msg"])
        if at_field is None:
            text = Text("{field}: {problem}", {"field": field, "problem": text})
        return Problem(field, code, text, numbers, in_form, title, repairs)
    values: dict[str, Any] = {"field": field if loc else "the spec", "name": name[:80], "said": said_value(value)}
    limits: dict[str, Any] = {bound: _figure(context[bound]) for bound in ("ge", "gt", "le", "lt") if bound in context}
    if code == "literal_error":  # pydantic joins them in English
        *others, last = re.findall(r"'[^']*'", context["expected"])
        rest = {"first": ", ".join(others), "rest": last}
        values["expected"] = Text("{first} or {rest}", rest) if others else last
    text = Text(sentence, context | limits | values)
    if nearest != "":
        said_nearest = nearest if isinstance(nearest, str) else _figure(nearest)
        text = Text("{problem}; nearest: {nearest}", {"problem": text, "nearest": said_nearest})
    return Problem(field, code, text, numbers, "", title, repairs)


def _owner(model: type[BaseModel], loc: tuple[int | str, ...]) -> type[BaseModel]:
    """Return the model that holds the field at a path: the spec itself, or one of its parts.

    In a tagged union the path contains the kind: ``("inputs", "ones", "values")``.
    """
    for step in loc[:-1]:
        field = model.model_fields.get(str(step))
        kinds = () if field is None else get_args(field.annotation) or (field.annotation,)
        parts = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
        named = [part for part in parts if "kind" in part.model_fields and part.model_fields["kind"].default in loc]
        if parts:
            model = (named or parts)[0]
    return model


def _nearest(code: str, name: str, value: Any, context: Mapping[str, Any], owner: type[BaseModel]) -> float | str:
    """Return the nearest valid number, or a text in place of it for another value; empty if none is near."""
    field = owner.model_fields.get(name)
    match code:
        case "greater_than_equal" | "less_than_equal":
            return cast("float", context["ge" if code.startswith("g") else "le"])
        case "greater_than":
            return cast("float", context["gt"]) + _STEP_INSIDE
        case "less_than":
            return cast("float", context["lt"]) - _STEP_INSIDE
        case "int_from_float":
            low, high = (-math.inf, math.inf) if field is None else limits_of(field)
            return int(min(max(round(value), low), high))
        case "extra_forbidden":
            return closest(name, owner.model_fields)
        case "literal_error":
            return closest(value, re.findall(r"'([^']*)'", context["expected"]))
        case "tuple_type":
            return "[]" if field is not None and field.get_default(call_default_factory=True) == () else ""
        case "union_tag_invalid":
            return closest(context["tag"], re.findall(r"'([^']*)'", context["expected_tags"]))
    usual: Any = None
    if code in _OF_NO_VALUE and field is not None and not field.is_required():
        usual = field.get_default(call_default_factory=True)
    if isinstance(usual, bool):
        return str(usual).lower()
    if isinstance(usual, int | float):
        return usual
    return quoted(usual) if isinstance(usual, str) and usual else ""
