"""The editor of a spec's field, chosen by the field's type and limits from a registry that a lab can extend."""

import types
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from attnviz.experiment.attention.fields import RandomInputs
from attnviz.experiment.attention.masks import FurtherMasks
from attnviz.experiment.attention.painted import CellsText
from attnviz.experiment.attention.valid_lens import ValidLens
from attnviz.experiment.knob import OneOf, limits_of
from attnviz.experiment.regression.data import BookData, Grid
from attnviz.experiment.regression.spec import Overlay
from attnviz.experiment.train.spec import Change, FromHereOn
from attnviz.experiment.train.task import TASK_TYPES, TokenWords
from attnviz.gui.forms.branch_editors import ChangesEdit, ProbeEdit, RateEdit
from attnviz.gui.forms.data_edit import DataEdit, GridEdit
from attnviz.gui.forms.editor import ChoiceEdit, Editor, SwitchEdit
from attnviz.gui.forms.inputs_edit import InputsEdit
from attnviz.gui.forms.masks_edit import MasksEdit
from attnviz.gui.forms.number_editors import FloatEdit, IntEdit, OptionalFloatEdit, OptionalIntEdit
from attnviz.gui.forms.overlays_edit import OverlaysEdit
from attnviz.gui.forms.task_edit import TaskEdit
from attnviz.gui.forms.text_editors import PaintedEdit, TextEdit
from attnviz.gui.forms.valid_lens_edit import ValidLensEdit
from attnviz.gui.widgets.words import title_of, translate


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
        if len(kinds) == 1:
            return kinds[0], True
    return annotation, False


@dataclass(frozen=True, slots=True)
class Knob:
    """A field, as the makers of editors see it."""

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

    def extra(self, name: str, otherwise: Any) -> Any:
        """Return an extra argument that `knob` was given beside the limits."""
        extra = self.field.json_schema_extra
        return extra.get(name, otherwise) if isinstance(extra, dict) else otherwise

    def mark(self, kind: type[Any]) -> Any:
        """Return the marker of this type in the field's annotations."""
        return next(each for each in self.field.metadata if isinstance(each, kind))


def _choice(knob: Knob) -> Editor:
    return ChoiceEdit({choice: title_of(choice, knob.name) for choice in get_args(knob.kind)})


def _record(knob: Knob) -> Editor:
    records = knob.mark(OneOf).records
    helps = {record.name: translate(getattr(record, "help", "")) for record in records}
    return ChoiceEdit({record.name: translate(record.title) for record in records}, helps)


def _whole(knob: Knob) -> Editor:
    low, high = knob.limits
    if knob.optional:
        return OptionalIntEdit(high, translate(knob.extra("nothing", "none")))
    return IntEdit(low, high, _slider(knob), tuple(knob.extra("stops", ())))


def _number(knob: Knob) -> Editor:
    low, high = knob.limits
    if knob.optional:
        return OptionalFloatEdit(low, high, 0.5)
    return FloatEdit(low, high, _slider(knob), tuple(knob.extra("clicks", ())))


def _slider(knob: Knob) -> Any:
    slider = knob.extra("slider", None)
    return None if slider is None else tuple(slider)


def _text(knob: Knob) -> Editor:
    return TextEdit(translate(knob.extra("nothing", "none")))


EDITORS: dict[Hashable, Callable[[Knob], Editor]] = {
    OneOf: _record,
    CellsText: lambda _: PaintedEdit(translate("none")),
    RandomInputs: lambda _: InputsEdit(),
    TASK_TYPES["repeat"]: lambda _: TaskEdit(),
    FromHereOn: lambda knob: RateEdit(*knob.limits, _slider(knob)),
    tuple[Change, ...]: lambda _: ChangesEdit(),
    TokenWords: lambda _: ProbeEdit(),
    BookData: lambda _: DataEdit(),
    Grid: lambda _: GridEdit(),
    ValidLens: lambda _: ValidLensEdit(),
    FurtherMasks: lambda _: MasksEdit(),
    tuple: _text,
    tuple[Overlay, ...]: lambda _: OverlaysEdit(),
    Literal: _choice,
    bool: lambda _: SwitchEdit(),
    int: _whole,
    float: _number,
    str: _text,
}
"""Makers of editors, by the type of a marker in the field's annotations, by the type of its default (a part with
several kinds), by the type of its values, or by the origin of that type."""


def editor_for(name: str, field: FieldInfo) -> Editor:
    """Return the editor for a field.

    Raises:
        TypeError: there is no editor for its type.
    """
    knob = Knob(name, field)
    part = type(field.default) if isinstance(field.default, BaseModel) else None
    for key in (*map(type, field.metadata), part, field.annotation, knob.kind, get_origin(knob.kind)):
        if key in EDITORS:
            return EDITORS[key](knob)
    raise TypeError(f"no editor is known for a field of type {field.annotation}")
