"""What the choices around an export share: each is described once, as a field of a settings model.

A dialog makes its editors of the fields (`attnviz.gui.forms`), the command line its flags, and Python its checks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeVar, get_args

from annotated_types import Ge, Le
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from attnviz.definitions.sentences import nearest_word, said
from attnviz.experiment.problems import problems_of

Mark = TypeVar("Mark")
Settings = TypeVar("Settings", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Flag:
    """Says that a field is a flag of the command line."""

    name: str
    metavar: str = ""
    usual: str = ""
    """What the help says of the default, where that is not the field's own."""
    parse: Callable[[str], Any] | None = None
    """Reads what is typed; raises ValueError with a sentence. None reads it as the field's type."""


@dataclass(frozen=True, slots=True)
class Said:
    """How sentences name a field's number: "width 70 cm"."""

    word: str = ""
    """Empty is the field's name."""
    unit: str = ""


def mark_of(field: FieldInfo, kind: type[Mark]) -> Mark | None:
    """Return the mark of a type among a field's annotations."""
    return next((each for each in field.metadata if isinstance(each, kind)), None)


def checked(model: type[Settings], values: Mapping[str, Any], *, by_flag: bool = False) -> Settings:
    """Return settings of these values.

    Args:
        model: the type of the settings.
        values: of some fields, the others have their defaults.
        by_flag: whether sentences name the flags of the command line instead of the fields.

    Raises:
        ValueError: what is wrong with the first of them; a sentence that names the nearest legal value.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        sentence = _sentence(error.errors(include_url=False)[0], model, by_flag=by_flag)
        raise ValueError(sentence or problems_of(error, model)[0].message) from None


def _sentence(details: ErrorDetails, model: type[BaseModel], *, by_flag: bool) -> str:
    """Return our own sentence about a number out of reach or an unknown word; empty where it is something else."""
    name, value = str(details["loc"][0]), details["input"]
    field = model.model_fields.get(name)
    if field is None:
        return ""
    flag = mark_of(field, Flag)
    called = flag.name.removeprefix("--") if flag is not None and by_flag else name
    match details["type"]:
        case "greater_than_equal" | "less_than_equal":
            words = mark_of(field, Said) or Said()
            low, high = (
                next(getattr(each, end) for each in field.metadata if isinstance(each, kind))
                for kind, end in ((Ge, "ge"), (Le, "le"))
            )
            nearest = min(max(value, low), high) if isfinite(value) else field.default
            number = f"{words.word or called} {value:g} {words.unit}".rstrip()
            return f"{number} must lie in {low:g}..{high:g}; nearest: {nearest:g}"
        case "literal_error":
            choices = choices_of(field)
            return f"{called} {said(value)} must be one of {', '.join(choices)}{nearest_word(value, choices)}"
    return ""


def choices_of(field: FieldInfo) -> tuple[str, ...]:
    """Return the words that a field of a Literal takes."""
    return tuple(get_args(field.annotation))
