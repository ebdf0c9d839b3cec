"""Declarations of a spec's fields, with everything that a form, a help text and a manual need."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Lt
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, FailFast, Field, GetCoreSchemaHandler
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError, PydanticKnownError, core_schema

from attnviz.definitions.empty_rows import EMPTY_ROW_POLICIES
from attnviz.definitions.legal import Legal, neighbours
from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True, eq=False)
class OneOf:
    """Declares that a string names a record: ``Annotated[str, OneOf(KERNELS)]``.

    The registry (or another mapping of records by name) is consulted at every validation, so that a record added later
    is valid at once. A form offers the records by title.
    """

    registry: Mapping[str, Any]
    or_empty: bool = False
    """Whether an empty string, meaning none, is valid too."""
    only: Callable[[Any], bool] | None = None
    """Returns whether a record is valid here; None: all are."""

    @property
    def records(self) -> tuple[Any, ...]:
        """The valid records, in registry order."""
        return tuple(filter(self.only, self.registry.values()))

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return pydantic's schema for the field."""
        return core_schema.no_info_before_validator_function(self._check, handler(source))

    def _check(self, value: Any) -> Any:
        names = (*([""] if self.or_empty else []), *(record.name for record in self.records))
        if not isinstance(value, str) or value not in names:
            # The same error as that of a Literal of these names, so that its message is the same.
            *others, last = map(repr, names)
            expected = f"{', '.join(others)} or {last}" if others else last
            raise PydanticKnownError("literal_error", {"expected": expected})
        return value


class TypedText(ABC):
    """Marks a field whose typed form in the window differs from that in files; a subclass defines it."""

    @abstractmethod
    def typed(self, value: Any) -> str:
        """Return a value of the field as typed or displayed."""


def title_of_choice(field: FieldInfo | None, value: object) -> English:
    """Return the title of the record that a field's value names, or of one of its few values; empty if it has none."""
    for mark in field.metadata if field is not None else ():
        if isinstance(mark, OneOf) and isinstance(value, str) and value in mark.registry:
            title: English = mark.registry[value].title
            return title
    return titles_of(field).get(str(value), "")


def titles_of(field: FieldInfo | None) -> dict[str, English]:
    """Return the titles that a field declares for its values, in the order of the form."""
    extra = field.json_schema_extra if field is not None else None
    titles: Any = extra.get("titles", {}) if isinstance(extra, dict) else {}
    of_choices: dict[str, English] = dict(titles)
    return of_choices


def nothing_of(field: FieldInfo | None) -> English:
    """Return the text for an optional field that is not set."""
    extra: Any = None if field is None else field.json_schema_extra
    nothing: English = (extra or {}).get("nothing", "none")
    return nothing


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticKnownError("int_type")
    return value


def _no_boolean_nor_list_of_some(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticKnownError("float_type")
    if isinstance(value, list) and bool in map(type, value):
        raise PydanticCustomError("boolean_among_numbers", "true and false are not numbers")
    return value


# pydantic reads true and false as 1 and 0; in a spec they are a mistake.
Whole = Annotated[int, BeforeValidator(_no_boolean)]
WholeOrNone = Annotated[int | None, BeforeValidator(_no_boolean)]
Number = Annotated[float, BeforeValidator(_no_boolean_nor_list_of_some)]
NumberOrNone = Annotated[float | None, BeforeValidator(_no_boolean_nor_list_of_some)]
Numbers = Annotated[tuple[float, ...], FailFast(), BeforeValidator(_no_boolean_nor_list_of_some)]


def in_order(key: Callable[[Any], Any] | None = None) -> AfterValidator:
    """Return the validator of a tuple that removes duplicates and sorts."""
    return AfterValidator(lambda entries: tuple(sorted(set(entries), key=key)))


def knob(
    default: Any,
    title: English,
    help: English,  # noqa: A002 - it is what the reader of a spec looks for
    *,
    group: English,
    slider: tuple[float, float] | None = None,
    stops: tuple[float, ...] = (),
    clicks: tuple[float, ...] = (),
    nothing: English = "none",
    first: float | None = None,
    titles: Mapping[str, English] | None = None,
    **limits: Any,
) -> Any:
    """Return a pydantic field that a form can be built from.

    Args:
        default: its default value; a factory is passed as ``default_factory`` in ``limits``.
        title: the label beside the editor.
        help: one or two sentences for the tooltip.
        group: the heading above it; "More" is collapsed, "" is not part of the form.
        slider: the range that the slider covers; typing reaches the whole legal range.
        stops: the stops of the slider, if not all of its range or evenly spaced; for a
            real number the arrows visit them too.
        clicks: values offered as buttons below the editor.
        nothing: the editor's text for an optional value that is not set.
        first: the initial number of an optional value when it is switched on, if not its default.
        titles: the form's names of its values, if they are a few words or kinds.
        limits: pydantic's constraints (ge, gt, le, lt, ...).
    """
    extra: dict[str, Any] = {"group": group}
    if nothing != "none":
        extra["nothing"] = nothing
    if titles:
        extra["titles"] = dict(titles)
    if first is not None:
        extra["first"] = first
    if slider:
        extra["slider"] = list(slider)
    if stops:
        extra["stops"] = list(stops)
    if clicks:
        extra["clicks"] = list(clicks)
    return Field(default, title=title, description=help, json_schema_extra=extra, **limits)


class Part(BaseModel):
    """A part of a spec: frozen, and unknown fields are rejected."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


def seed_knob(help: English, group: English) -> Any:  # noqa: A002
    """Return the field of a spec's seed."""
    return knob(0, "Seed", help, group=group, slider=(0, 99), ge=0, le=2**31 - 1)


def momentum_knob() -> Any:
    """Return the field of the momentum of an optimiser."""
    help_text = "The share of the previous step that the next one keeps."
    return knob(0.9, "Momentum", help_text, group="Training", slider=(0, 0.99), ge=0, lt=1)


def device_knob() -> Any:
    """Return the field of a spec's device."""
    help_text = "auto, cpu, mps or cuda:0; auto takes the first GPU, else the CPU."
    return knob("auto", "Device", help_text, group="", pattern=r"^(auto|cpu|mps|cuda(:[0-9]{1,2})?)$")


MaskPolicy = Literal["zero", "book", "inf"]
"""The weights of a row without a valid key."""
MASK_POLICIES: Mapping[str, English] = {name: policy.title for name, policy in EMPTY_ROW_POLICIES.items()}
"""The titles of the policies."""


def limits_of(field: FieldInfo) -> tuple[Any, Any]:
    """Return the least and greatest valid number of a field; at an open bound, one a little inside."""
    low: Any = -math.inf
    high: Any = math.inf
    for limit in field.metadata:
        match limit:
            case Ge(ge=bound):
                low = bound
            case Gt(gt=bound):
                low = float(bound) + 1e-6  # type: ignore[arg-type]
            case Le(le=bound):
                high = bound
            case Lt(lt=bound):
                high = float(bound) - 0.01  # type: ignore[arg-type]
    return low, high


def nearest_in(legal: Legal, number: int, field: FieldInfo) -> tuple[int, ...]:
    """Return the nearest of the numbers that rules allow for a field, within its own limits."""
    low, high = limits_of(field)
    return tuple(each for each in neighbours(legal, number) if low <= each <= high)


def fields_of(model: object) -> dict[str, FieldInfo]:
    """Return the fields of a pydantic model, or of its type, in the order of the form."""
    kind = model if isinstance(model, type) else type(model)
    return kind.model_fields if issubclass(kind, BaseModel) else {}
