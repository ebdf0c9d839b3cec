"""Records chosen in a spec, with their options, such as the further masks: ``{"dilated": {"n": 2}}``."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Protocol, Self, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema
from typing_extensions import override

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.text import English, Text, nearest_word, quoted
from attnviz.experiment.fields.problems import Repair, problem, said_value

V = TypeVar("V")


class Frozen(Mapping[str, V]):
    """An immutable, hashable mapping; a subclass used as the type of a field defines how it is parsed."""

    __slots__ = ("_values",)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return pydantic's schema of a field of this type."""
        written = core_schema.plain_serializer_function_ser_schema(_written)
        return core_schema.no_info_plain_validator_function(cls._parse, serialization=written)

    @classmethod
    def _parse(cls, raw: Any) -> Self:
        """Return a value from a file or editor; raises a custom pydantic error if it is invalid."""
        raise NotImplementedError

    def __init__(self, values: Mapping[str, V] | None = None) -> None:
        self._values = dict(values or {})

    def __getitem__(self, name: str) -> V:
        return self._values[name]

    @override
    def __contains__(self, name: object) -> bool:  # Mapping's takes every KeyError for a missing name
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return repr(self._values)


class RecordWithKnobs(Protocol):
    """A record that a spec can choose."""

    @property
    def name(self) -> str:
        """Its name in files and specs."""

    @property
    def title(self) -> str:
        """Its name in the form."""

    @property
    def help(self) -> str:
        """One or two sentences for the form."""

    @property
    def knobs(self) -> tuple[NumberKnob, ...]:
        """Its options."""


class KnobsOfRecord(Frozen[float]):
    """The options of the one record that another field names. A subclass says which that is."""

    @property
    @abstractmethod
    def record(self) -> RecordWithKnobs:
        """The record."""

    def knobs(self) -> dict[str, tuple[RecordWithKnobs, NumberKnob]]:
        """Return every option with its record, by name."""
        return {knob.name: (self.record, knob) for knob in self.record.knobs}


class ChosenRecords(Frozen[Frozen[float]]):
    """The options of each record that is on, by name. A subclass says which records there are."""

    field: ClassVar[str]
    """The field of the spec: "masks"."""
    kind: ClassVar[English]
    """The kind of record: "mask"."""

    @classmethod
    @abstractmethod
    def records(cls) -> Mapping[str, RecordWithKnobs]:
        """Return the records that can be chosen, by name."""

    @classmethod
    def knobs(cls) -> dict[str, tuple[RecordWithKnobs, NumberKnob]]:
        """Return every option with its record, by its path in the field: "dilated.n"."""
        return {f"{each.name}.{knob.name}": (each, knob) for each in cls.records().values() for knob in each.knobs}

    @override
    @classmethod
    def _parse(cls, raw: Any) -> Self:
        """Return the value with default options filled in."""
        field, kind = cls.field, cls.kind
        if not isinstance(raw, Mapping):
            raise problem(
                field,
                f"{field}_form",
                "{place} {said} must be an object with a {kind}'s name for each",
                place=field,
                kind=Text(kind),
                said=quoted(raw),
            )
        known = cls.records()
        for name in raw:
            if name not in known:
                near = _near(name, known)
                sentence = "there is no {kind} {said} in {place}{near}"
                raise problem(field, f"no_such_{kind}", sentence, kind=Text(kind), place=field, **near)
        codes = f"{field}_form", f"{kind}_knob"
        on = {name: record for name, record in known.items() if name in raw}
        return cls({name: knobs_of(record, raw[name], f"{field}.{name}", *codes) for name, record in on.items()})

    def check_sizes(self, sizes: Mapping[str, int]) -> None:
        """Raise a custom pydantic error if an option exceeds the limit for the sizes of a spec."""
        for path, (record, knob) in self.knobs().items():
            if record.name in self:
                check_size(record, knob, self[record.name][knob.name], f"{self.field}.{path}", sizes)


def knobs_of(record: RecordWithKnobs, raw: Any, field: str, form: str, code: str) -> Frozen[float]:
    """Return the options of a record, including defaults; raises a custom pydantic error if invalid.

    ``form`` and ``code`` are the codes of problems with the whole and with a number.
    """
    if not isinstance(raw, Mapping):
        sentence: English = "{place} {said} must be an object with a number for each setting"
        raise problem(field, form, sentence, place=field, said=quoted(raw))
    for name in raw:
        if name not in (known := with_defaults(record)):
            near = _near(name, known)
            raise problem(field, "no_such_knob", "there is no setting {said} in {place}{near}", place=field, **near)
    values = {knob.name: raw.get(knob.name, knob.default) for knob in record.knobs}
    return Frozen({knob.name: _number(record, knob, values[knob.name], field, code) for knob in record.knobs})


def check_size(record: RecordWithKnobs, knob: NumberKnob, value: float, field: str, sizes: Mapping[str, int]) -> None:
    """Raise a custom pydantic error if an option exceeds the limit for the sizes of a spec."""
    if knob.most is not None and value > (most := knob.most_for(sizes)):
        rule = Text("must be at most {limit}", {"limit": f"{most:g}"})
        raise _wrong(record, knob, value, field, "knob_of_sizes", rule, most)


def _number(record: RecordWithKnobs, knob: NumberKnob, value: Any, within: str, code: str) -> float:
    field = f"{within}.{knob.name}"
    rule = Text("must be a whole number" if knob.whole else "must be a number")
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 - NaN
        raise _wrong(record, knob, value, field, code, rule, knob.default)
    nearest = min(max(value, knob.least), knob.greatest)
    if nearest != value:
        bound: English = "must be at least {limit}" if value < knob.least else "must be at most {limit}"
        raise _wrong(record, knob, value, field, code, Text(bound, {"limit": f"{nearest:g}"}), nearest)
    if knob.whole and value != int(value):
        raise _wrong(record, knob, value, field, code, rule, round(value))
    return int(value) if knob.whole else float(value)


def _wrong(
    record: RecordWithKnobs, knob: NumberKnob, value: Any, field: str, code: str, rule: Text, nearest: float
) -> PydanticCustomError:
    return problem(
        field,
        code,
        "{place} {said} {rule}; nearest: {nearest}",
        "{title} {said} {rule}; nearest: {nearest}",
        (Repair.of(field, nearest),),
        title=Text("{record}: {knob}", {"record": Text(record.title), "knob": Text(knob.title)}),
        place=field,
        said=said_value(value),
        rule=rule,
        nearest=f"{nearest:g}",
        nearest_values=(nearest,),
    )


def with_defaults(record: RecordWithKnobs) -> dict[str, float]:
    """Return the default options of a record."""
    return {knob.name: knob.default for knob in record.knobs}


def _written(mapping: Frozen[Any]) -> dict[str, Any]:
    return {name: _written(each) if isinstance(each, Frozen) else each for name, each in mapping.items()}


def _near(name: object, known: Mapping[str, Any]) -> dict[str, Any]:
    return {"said": quoted(name), "near": nearest_word(name, known)}
