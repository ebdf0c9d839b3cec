"""Undo steps: which changes of the user make one, and its text, such as "Heads 5 → 8 and 2 more"."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from attnviz.definitions.knobs import NumberKnob
from attnviz.experiment.fields.chosen_records import ChosenRecords, KnobsOfRecord
from attnviz.experiment.fields.differences import as_typed, differing, written
from attnviz.experiment.fields.knob import fields_of, nothing_of
from attnviz.experiment.labs import LABS, Spec
from attnviz.gui.widgets.words import field_title, title_of, translate

MERGE_WITHIN_S = 1.0
"""Two changes of one field further apart than this, in seconds, are two gestures."""


@dataclass(frozen=True, slots=True)
class UndoGesture:
    """Changes of one field that make one undo step."""

    field: str = ""
    """"" is no field: that change is a gesture by itself. A drag, "data#3", is one gesture, however long it pauses."""
    number: int = 0
    """The number of the gesture in its window."""
    began: int = 1
    """The generation of its first request; traces from this generation on may be shown until the newest arrives."""
    last: float = 0.0
    """The time of its last change, by the monotonic clock, in seconds."""

    def then(self, field: str, generation: int) -> "UndoGesture":
        """Return the gesture of a change made now, whose request has this generation."""
        now = time.monotonic()
        if field and field == self.field and ("#" in field or now - self.last < MERGE_WITHIN_S):
            return UndoGesture(field, self.number, self.began, now)
        return UndoGesture(field, self.number + 1, generation, now)


_LONGEST = 24
"""The most characters of a value in the text; a longer value is left out."""
_MOST_VALUES = 8


def words_of(old: Spec, new: Spec, field: str = "") -> str:
    """Return a description of the difference of two specs; ``field`` is the one that the user changed, if known."""
    if old.lab != new.lab:
        return translate("Go to {0}").format(translate(LABS[new.lab].title))
    field, _, stroke = field.partition("#")
    field = field.partition(".")[0]
    if described := LABS[new.lab].change_text(old, new).translated(translate):
        return described
    if stroke and (drawn := LABS[new.lab].stroke_text(old, new, field)):
        return translate(drawn)
    names = list(differing(old, new, but=field))
    if field or not names:  # the user's change comes first, then its consequences; inactive fields count too
        changed = next((name for name in fields_of(new) if getattr(old, name) != getattr(new, name)), "lab")
        names.insert(0, field or changed)
    title = field_title(names[0], fields_of(new))
    first = _change(title, getattr(old, names[0]), getattr(new, names[0]), names[0], type(new))
    more = len(names) - 1
    return first if not more else translate("{0} and {1} more").format(first, more)


def _change(title: str, old: Any, new: Any, field: str, owner: type[Any]) -> str:
    """Return a field's title with both values, if they are short and differ in one item."""
    if isinstance(old, BaseModel) and type(old) is type(new):
        parts = [name for name in fields_of(new) if getattr(old, name) != getattr(new, name)]
        if len(parts) != 1:
            return title
        inner = fields_of(new)[parts[0]].title
        named = f"{title}: {translate(inner)}" if inner and translate(inner) != title else title
        return _change(named, getattr(old, parts[0]), getattr(new, parts[0]), parts[0], type(new))
    if isinstance(old, ChosenRecords) and isinstance(new, ChosenRecords):
        return _of_records(title, old, new)
    if isinstance(old, KnobsOfRecord) and isinstance(new, KnobsOfRecord):
        return _of_knobs(title, old, new, new.record.knobs)
    return _change_text(title, *(_value_text(value, field, owner) for value in (old, new)))


def _of_records(title: str, old: ChosenRecords, new: ChosenRecords) -> str:
    """Return the record that was turned on or off, or its field with both values, if only one changed."""
    records = new.records()
    names = [name for name in records if old.get(name) != new.get(name)]
    if len(names) != 1:
        return title
    record = records[names[0]]
    title = translate(record.title)
    if record.name not in old or record.name not in new:
        return _change_text(title, *(translate(written(record.name in chosen)) for chosen in (old, new)))
    return _of_knobs(title, old[record.name], new[record.name], record.knobs)


def _of_knobs(title: str, old: Mapping[str, float], new: Mapping[str, float], knobs: tuple[NumberKnob, ...]) -> str:
    """Return the field of a record with both values, if only one changed."""
    changed = [knob for knob in knobs if old.get(knob.name) != new.get(knob.name)]
    if len(changed) != 1 or changed[0].name not in old:
        return title
    named = f"{title}: {translate(changed[0].title)}"
    return _change_text(named, *(translate(written(each[changed[0].name])) for each in (old, new)))


def _change_text(title: str, a: str, b: str) -> str:
    return f"{title} {a} → {b}" if a and b and a != b else title


def _value_text(value: Any, field: str, owner: type[Any]) -> str:
    """Return a short text for a value; "" if it would be long."""
    if isinstance(value, BaseModel):
        if (record := getattr(value, "record", None)) is not None:
            return translate(record.title)
        return title_of(str(getattr(value, "kind", "")), owner.model_fields.get(field)).removesuffix(" ...")
    if isinstance(value, tuple) and (len(value) > _MOST_VALUES or any(isinstance(each, tuple) for each in value)):
        return ""
    value = as_typed(owner, field, value)
    knob = owner.model_fields.get(field)
    if value is None:
        return translate(nothing_of(knob))
    text = title_of(value, knob) if isinstance(value, str) and value else translate(written(value))
    return text if len(text) <= _LONGEST else ""
