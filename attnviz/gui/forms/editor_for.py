"""The editor of a spec's field, chosen by the field's type and limits; a lab adds editors of its own kinds."""

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from attnviz.definitions.text import English
from attnviz.experiment.fields.chosen_records import ChosenRecords
from attnviz.experiment.fields.knob import OneOf, limits_of, nothing_of
from attnviz.gui.forms.editor import ChoiceEdit, Editor, SwitchEdit
from attnviz.gui.forms.number_editors import FloatEdit, IntEdit, OptionalFloatEdit, OptionalIntEdit
from attnviz.gui.forms.records_edit import RecordsEdit
from attnviz.gui.forms.text_editors import TextEdit
from attnviz.gui.widgets.words import title_of, translate


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
        if len(kinds) == 1:
            return kinds[0], True
    return annotation, False


@dataclass(frozen=True, slots=True)
class Knob:
    """A field, as passed to the makers of editors."""

    name: str
    field: FieldInfo

    @property
    def kind(self) -> Any:
        """The type of its values, without None."""
        return _without_none(self.field.annotation)[0]

    @property
    def optional(self) -> bool:
        """Whether it may be None."""
        return _without_none(self.field.annotation)[1]

    @property
    def limits(self) -> tuple[Any, Any]:
        """The least and greatest value for arrows and sliders; other values can be typed and are validated."""
        return limits_of(self.field)

    @property
    def slider(self) -> Any:
        """The range of its slider; None: it has none."""
        slider = self.extra("slider", None)
        return None if slider is None else tuple(slider)

    @property
    def nothing(self) -> English:
        """The text for a value that is not set."""
        return nothing_of(self.field)

    def extra(self, name: str, otherwise: Any) -> Any:
        """Return an extra argument of `knob` besides the limits."""
        extra = self.field.json_schema_extra
        return extra.get(name, otherwise) if isinstance(extra, dict) else otherwise

    def mark(self, kind: type[Any]) -> Any:
        """Return the marker of this type in the field's annotations."""
        return next(each for each in self.field.metadata if isinstance(each, kind))


def _choice(knob: Knob) -> Editor:
    return ChoiceEdit({choice: title_of(choice, knob.field) for choice in get_args(knob.kind)})


def _help(record: object) -> English:
    text: English = getattr(record, "help", "")
    return text


def _record(knob: Knob) -> Editor:
    records = knob.mark(OneOf).records
    helps = {record.name: _help(record) for record in records}
    return ChoiceEdit(
        {record.name: translate(record.title) for record in records},
        {name: translate(text) for name, text in helps.items()},
    )


def _whole(knob: Knob) -> Editor:
    low, high = knob.limits
    if knob.optional:
        return OptionalIntEdit(high, translate(knob.nothing))
    return IntEdit(low, high, knob.slider, tuple(knob.extra("stops", ())))


def _number(knob: Knob) -> Editor:
    low, high = knob.limits
    if knob.optional:
        first = knob.extra("first", knob.field.default)
        return OptionalFloatEdit(low, high, first or low, knob.slider, translate(knob.nothing))
    return FloatEdit(low, high, knob.slider, tuple(knob.extra("clicks", ())), tuple(knob.extra("stops", ())))


def _text(knob: Knob) -> Editor:
    return TextEdit(translate(knob.nothing))


EditorMaker = Callable[[Knob], Editor]
_EDITORS: Mapping[object, EditorMaker] = {
    OneOf: _record,
    ChosenRecords: lambda knob: RecordsEdit(knob.kind),
    tuple: _text,
    Literal: _choice,
    bool: lambda _: SwitchEdit(),
    int: _whole,
    float: _number,
    str: _text,
}
"""Makers of editors, by the type of a marker in the field's annotations, by the type of its default (a part with
several kinds), by the type of its values or one of its bases, or by the origin of that type."""


def editor_for(name: str, field: FieldInfo, own: Mapping[object, EditorMaker] | None = None) -> Editor:
    """Return the editor for a field; the ``own`` editors of a lab go before those that all labs share.

    Raises:
        TypeError: there is no editor for its type.
    """
    knob, makers = Knob(name, field), {**_EDITORS, **(own or {})}
    bases = type(field.default).__mro__ if isinstance(field.default, BaseModel) else ()
    bases += knob.kind.__mro__ if isinstance(knob.kind, type) else ()
    for key in (*map(type, field.metadata), *bases, field.annotation, knob.kind, get_origin(knob.kind)):
        if key in makers:
            return makers[key](knob)
    raise TypeError(f"no editor is known for a field of type {field.annotation}")
