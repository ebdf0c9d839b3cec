"""What is wrong with a spec, as sentences that name the value, the rule and the nearest legal value.

Each problem keeps its code and numbers, so that a window can say it in another language.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

_SENTENCES = {
    "greater_than_equal": "{field} {value} must be at least {ge}; nearest: {ge}",
    "greater_than": "{field} {value} must be above {gt}",
    "less_than_equal": "{field} {value} must be at most {le}; nearest: {le}",
    "less_than": "{field} {value} must be below {lt}",
    "int_parsing": "{field} {value!r} must be a whole number",
    "int_type": "{field} {value!r} must be a whole number",
    "int_from_float": "{field} {value} must be a whole number; nearest: {nearest}",
    "float_parsing": "{field} {value!r} must be a number",
    "float_type": "{field} {value!r} must be a number",
    "finite_number": "{field} {value} must be a finite number",
    "bool_parsing": "{field} {value!r} must be true or false",
    "bool_type": "{field} {value!r} must be true or false",
    "string_type": "{field} {value!r} must be text",
    "string_pattern_mismatch": "{field} {value!r} must be auto, cpu, mps or cuda:0 (or another number)",
    "string_too_long": "{field} is longer than {max_length} characters",
    "model_attributes_type": "{field} {value!r} must be an object with a 'kind'",
    "model_type": "{field} {value!r} must be an object",
    "literal_error": "{field} {value!r} must be one of {expected}",
    "extra_forbidden": "there is no field {field!r}",
    "missing": "{field} is missing",
    "union_tag_invalid": "{field}: kind {tag} must be one of {expected_tags}",
    "union_tag_not_found": "{field} needs a 'kind'",
    "json_invalid": "this is not JSON: {error}",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, at one field (empty where it concerns the whole)."""

    field: str
    code: str
    message: str
    numbers: Mapping[str, Any]

    @property
    def nearest(self) -> tuple[float, ...]:
        """The nearest legal values of the field, where there are such."""
        return tuple(self.numbers.get("nearest_values", ()))


def problem(field: str, code: str, sentence: str, /, **numbers: Any) -> PydanticCustomError:
    """Return the error to raise in a validator that sees the whole spec; ``field`` is where it will be shown.

    ``sentence`` names its numbers in braces; ``nearest_values`` may list legal values of the field.
    """
    return PydanticCustomError(code, sentence, {**numbers, "at_field": field})


def problems_of(error: ValidationError, known_fields: tuple[str, ...] = ()) -> tuple[Problem, ...]:
    """Return the problems of a failed validation; ``known_fields`` lets a misspelt one be guessed."""
    return tuple(_problem_of(details, known_fields) for details in error.errors(include_url=False))


def _problem_of(details: ErrorDetails, known_fields: tuple[str, ...]) -> Problem:
    context = dict(details.get("ctx", {}))
    place = [str(part) for part in details["loc"]]
    field = str(context.pop("at_field", ".".join(place)))
    value = details["input"]
    numbers: dict[str, Any] = {**context, "value": value}
    code = details["type"]
    sentence = _SENTENCES.get(code)
    if code == "extra_forbidden":
        close = difflib.get_close_matches(place[-1], known_fields, 1)
        sentence = f"{sentence}; nearest: {close[0]}" if close else sentence
    if code == "int_from_float":
        numbers["nearest"] = round(value)
    for bound in ("ge", "le"):
        if bound in context:
            numbers["nearest_values"] = (context[bound],)
    if sentence is None:
        return Problem(field, code, details["msg"], numbers)
    return Problem(field, code, sentence.format(field=field or "the file", **_short(numbers)), numbers)


def _short(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Cut what a hostile file could make endless."""
    return {
        key: value if isinstance(value, (int, float)) and abs(value) < 1e15 else _cut(value)
        for key, value in numbers.items()
    }


def _cut(value: Any) -> str:
    text = str(value)[:200] if isinstance(value, str) else repr(value)[:200]
    return text if len(text) < 80 else f"{text[:77]}..."
