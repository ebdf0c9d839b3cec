"""The masks without their own field in the spec: those set by ``masks``, such as ``{"dilated": {"n": 2}}``."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from attnviz.definitions.masks import MASKS
from attnviz.definitions.masks.mask import Mask, NumberKnob
from attnviz.definitions.text import nearest_word, said
from attnviz.experiment.problems import Repair, problem

V = TypeVar("V")


class Frozen(Mapping[str, V]):
    """An immutable, hashable mapping."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, V] | None = None) -> None:
        self._values = dict(values or {})

    def __getitem__(self, name: str) -> V:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return repr(self._values)


class FurtherMasks(Frozen[Frozen[float]]):
    """The knobs of each mask that is on, by its name."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return pydantic's schema of a field of this type."""
        written = core_schema.plain_serializer_function_ser_schema(_written)
        return core_schema.no_info_plain_validator_function(_parse, serialization=written)


def further_masks() -> dict[str, Mask]:
    """Return the masks that ``masks`` sets: those without a field of their own."""
    return {mask.name: mask for mask in MASKS.values() if not mask.field}


def mask_knobs() -> dict[str, tuple[Mask, NumberKnob]]:
    """Return every knob of these masks, with its mask, by its place in ``masks``: "dilated.n"."""
    return {f"{mask.name}.{knob.name}": (mask, knob) for mask in further_masks().values() for knob in mask.knobs}


def with_defaults(mask: Mask) -> dict[str, float]:
    """Return the knobs of a mask with their default values."""
    return {knob.name: knob.default for knob in mask.knobs}


def _written(masks: FurtherMasks) -> dict[str, dict[str, float]]:
    return {name: dict(knobs) for name, knobs in masks.items()}


def _parse(raw: Any) -> FurtherMasks:
    """Return a value from a file or editor with every knob filled in; raises a custom pydantic error if invalid."""
    if not isinstance(raw, Mapping):
        raise problem(
            "masks", "masks_form", "masks {said} must be an object with a mask's name for each", said=said(raw)
        )
    known = further_masks()
    for name in raw:
        if name not in known:
            raise problem("masks", "no_such_mask", "there is no mask {said} in masks{near}", **_near(name, known))
    return FurtherMasks({name: _knobs(mask, raw[name]) for name, mask in known.items() if name in raw})


def _knobs(mask: Mask, raw: Any) -> Frozen[float]:
    place = f"masks.{mask.name}"
    if not isinstance(raw, Mapping):
        raise problem(
            place,
            "masks_form",
            "{place} {said} must be an object with a number for each knob",
            place=place,
            said=said(raw),
        )
    for name in raw:
        if name not in (known := with_defaults(mask)):
            near = _near(name, known)
            raise problem(place, "no_such_knob", "there is no knob {said} in {place}{near}", place=place, **near)
    return Frozen({knob.name: _number(mask, knob, raw.get(knob.name, knob.default)) for knob in mask.knobs})


def _number(mask: Mask, knob: NumberKnob, value: Any) -> float:
    kind = "a whole number" if knob.whole else "a number"
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 - NaN
        raise _wrong(mask, knob, value, f"must be {kind}", knob.default)
    nearest = min(max(value, knob.least), knob.greatest)
    if nearest != value:
        bound = "at least" if value < knob.least else "at most"
        raise _wrong(mask, knob, value, f"must be {bound} {nearest:g}", nearest)
    if knob.whole and value != int(value):
        raise _wrong(mask, knob, value, f"must be {kind}", round(value))
    return int(value) if knob.whole else float(value)


def _wrong(mask: Mask, knob: NumberKnob, value: Any, rule: str, nearest: float) -> PydanticCustomError:
    place = f"masks.{mask.name}.{knob.name}"
    return problem(
        place,
        "mask_knob",
        "{place} {said} {rule}; nearest: {nearest}",
        "{title} {said} {rule}; nearest: {nearest}",
        (Repair.of(place, nearest),),
        title=f"{mask.title}: {knob.title}",
        place=place,
        said=said(value),
        rule=rule,
        nearest=f"{nearest:g}",
        nearest_values=(nearest,),
    )


def _near(name: object, known: Mapping[str, Any]) -> dict[str, str]:
    return {"said": said(name), "near": nearest_word(name, known)}
