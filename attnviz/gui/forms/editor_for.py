"""Which editor a field of a spec gets: chosen by its type and limits alone."""

import types
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from attnviz.experiment.attention.inputs import RandomInputs
from attnviz.experiment.attention.masks import FurtherMasks
from attnviz.experiment.attention.valid_lens import ValidLens
from attnviz.experiment.knob import OneOf
from attnviz.experiment.regression.data import BookData, Grid
from attnviz.experiment.regression.estimators import Overlay
from attnviz.gui.forms.choice_editors import ChoiceEdit, SwitchEdit
from attnviz.gui.forms.data_edit import DataEdit
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.grid_edit import GridEdit
from attnviz.gui.forms.inputs_edit import InputsEdit
from attnviz.gui.forms.masks_edit import MasksEdit
from attnviz.gui.forms.number_editors import FloatEdit, IntEdit, OptionalFloatEdit, OptionalIntEdit
from attnviz.gui.forms.overlays_edit import OverlaysEdit
from attnviz.gui.forms.text_editors import PaintedEdit, TextEdit
from attnviz.gui.forms.valid_lens_edit import ValidLensEdit
from attnviz.gui.widgets.words import title_of, translate

_PART_EDITORS: dict[type, type[Editor]] = {
    RandomInputs: InputsEdit,
    BookData: DataEdit,
    Grid: GridEdit,
}
"""Editors of parts that come in kinds, by the type of the field's default."""


def editor_for(name: str, field: FieldInfo) -> Editor:
    """Return the editor for a field, chosen by its type and limits alone."""
    kind, optional = _without_none(field.annotation)
    extra = field.json_schema_extra
    slider: Any = tuple(extra["slider"]) if isinstance(extra, dict) and "slider" in extra else None  # type: ignore[arg-type]
    clicks: Any = tuple(extra["clicks"]) if isinstance(extra, dict) and "clicks" in extra else ()  # type: ignore[arg-type]
    low, high = _limits(field)
    if type(field.default) in _PART_EDITORS:
        return _PART_EDITORS[type(field.default)]()
    if (names := next((each for each in field.metadata if isinstance(each, OneOf)), None)) is not None:
        records = names.registry.values()
        helps = {record.name: translate(getattr(record, "help", "")) for record in records}
        return ChoiceEdit({record.name: translate(record.title) for record in records}, helps)
    if get_origin(kind) is Literal:
        return ChoiceEdit({choice: title_of(choice, name) for choice in get_args(kind)})
    if kind is FurtherMasks:
        return MasksEdit()
    if kind is bool:
        return SwitchEdit()
    if kind is str:
        return PaintedEdit(translate("none"))
    if get_origin(kind) is tuple and get_args(kind)[0] is Overlay:
        return OverlaysEdit()
    if get_origin(kind) is tuple:
        return TextEdit(translate("none"))
    if kind is int:
        return (
            OptionalIntEdit(high, translate("as hidden" if name.endswith("_size") else "none"))
            if optional
            else IntEdit(low, high, slider)
        )
    if kind is float:
        return OptionalFloatEdit(low, high, 0.5) if optional else FloatEdit(low, high, slider, clicks)
    if kind == ValidLens:
        return ValidLensEdit()
    raise TypeError(f"no editor is known for a field of type {kind}")


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
        if len(kinds) == 1:
            return kinds[0], True
    return annotation, False


def _limits(field: FieldInfo) -> tuple[Any, Any]:
    """Return the least and the greatest value that arrows and sliders reach; typing goes beyond, to be judged."""
    low: Any = None
    high: Any = None
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
