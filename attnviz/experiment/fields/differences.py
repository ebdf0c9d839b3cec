"""The differences between two specs, field by field."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from attnviz.definitions.text import Text, untranslated
from attnviz.experiment.fields.knob import TypedText, fields_of
from attnviz.experiment.labs import Spec

_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Difference:
    """One changed field: its name in the spec, and both values as text."""

    field: str
    old: Text
    new: Text

    def __str__(self) -> str:
        return f"{self.field}: {self.old} → {self.new}"


def differences(old: Spec, new: Spec) -> tuple[Difference, ...]:
    """Return every differing field that has an effect in either spec, in the order of the form."""
    if type(old) is not type(new):
        return (Difference("lab", untranslated(old.lab), untranslated(new.lab)),)
    return tuple(
        _difference(name, *(as_typed(type(new), name, getattr(spec, name)) for spec in (old, new)))
        for name in differing(old, new)
    )


def differing(old: Spec, new: Spec, but: str = "") -> tuple[str, ...]:
    """Return the differing fields, except ``but``, that have an effect in either of two specs of one lab."""
    spec_type = type(new)
    changed = tuple(name for name in fields_of(spec_type) if getattr(old, name) != getattr(new, name))
    if set(changed) <= {but}:
        return ()
    # A field without effect in both, such as the heads of a module without heads, changes nothing in the picture.
    active = spec_type.active_fields(vars(old)) | spec_type.active_fields(vars(new))
    return tuple(name for name in changed if name in active and name != but)


def share_parts(new: Spec, old: Spec) -> None:
    """Let a spec share its equal parts with an older one of its lab, instead of holding copies.

    This changes no behaviour, since specs are frozen and these parts equal; but a long undo history consists of specs,
    and each then takes little more memory than its changes.
    """
    if type(new) is type(old):
        parts = {name: part for name, part in old if isinstance(part, BaseModel | tuple)}
        new.__dict__.update({name: part for name, part in parts.items() if getattr(new, name) == part})


def _difference(name: str, old: Any, new: Any) -> Difference:
    """Return short texts of both values; full ones if the short ones are equal."""
    difference = Difference(name, written(old), written(new))
    if difference.old != difference.new:
        return difference
    a, b = _in_full(old), _in_full(new)
    start = max(0, next((n for n, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), 0) - _LONGEST // 2)
    lead = "…" if start else ""
    return Difference(name, *(untranslated(lead + _cut(each[start:])) for each in (a, b)))


def _in_full(value: Any) -> str:
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    return value if isinstance(value, str) else repr(value)


def as_typed(owner: type[Any], name: str, value: Any) -> Any:
    """Return a value of a field as typed in the window: painted cells count from one."""
    field = fields_of(owner).get(name)
    marks = (each for each in field.metadata if isinstance(each, TypedText)) if field is not None else iter(())
    mark = next(marks, None)
    return value if mark is None else mark.typed(value)


def written(value: Any) -> Text:
    """Return a value of a spec as a short text."""
    if isinstance(value, bool):
        return Text("on" if value else "off")
    if value is None or value in ("", (), {}):
        return Text("none")
    return untranslated(_cut(_in_words(value)))


def _in_words(value: Any) -> str:
    if isinstance(value, BaseModel):
        kind = getattr(value, "kind", "")
        parts = ", ".join(f"{name} {written(part)}" for name, part in value if name != "kind")
        return f"{kind} ({parts})" if kind and parts else kind or parts
    if isinstance(value, Mapping):
        return ", ".join(_entry(name, part) for name, part in value.items())
    if isinstance(value, tuple):
        text = ", ".join(str(written(each)) for each in value)
        return text if all(isinstance(each, str) for each in value) else f"({text})"  # names need no brackets
    return f"{value:g}" if isinstance(value, float) else str(value)


def _entry(name: str, part: Any) -> str:
    if isinstance(part, Mapping):
        return f"{name} ({written(part)})" if part else name
    return f"{name} {written(part)}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
