"""The fields of a spec that can be swept, with their titles in the form, and initial values."""

from attnviz.experiment.fields.knob import fields_of
from attnviz.experiment.labs import Spec
from attnviz.experiment.sweeps.fields import is_idle, knob_of_record, swept_fields
from attnviz.experiment.sweeps.results import SEED
from attnviz.gui.widgets.words import field_title, translate

_STEPS_OF_A_RECORD = 7
_WHOLE_VALUES = 8


def offered(spec: Spec) -> list[str]:
    """Return the fields that have an effect, numbers first; without the seed."""
    kinds = swept_fields(spec)
    active = type(spec).active_fields(spec.model_dump())
    names = [name for name in kinds if name != SEED and name.partition(".")[0] in active]
    return sorted(names, key=lambda name: kinds[name] not in ("whole", "number"))


def has_seed(spec: Spec) -> bool:
    """Return whether another seed gives other numbers."""
    return SEED in swept_fields(spec) and not is_idle(SEED, spec)


def title_of_knob(spec: Spec, name: str) -> str:
    """Return the title of a field in the form, with that of its part in front."""
    if (of_record := knob_of_record(spec, name)) is not None:
        record, knob = of_record
        return f"{translate(record.title)}: {translate(knob.title)}"
    model, _, inner = name.rpartition(".")
    part = type(getattr(spec, model)) if model else type(spec)
    title = field_title(inner, fields_of(part))
    return f"{field_title(model, fields_of(spec))}: {title}" if model else title


def reach_of(spec: Spec, name: str) -> str:
    """Return the range of a number's slider, or a range around its current value."""
    if (of_record := knob_of_record(spec, name)) is not None:
        _, knob = of_record
        return f"{knob.least:g}:{min(knob.greatest, knob.least + _STEPS_OF_A_RECORD):g}"
    model, _, inner = name.rpartition(".")
    owner = getattr(spec, model) if model else spec
    extra = fields_of(owner)[inner].json_schema_extra
    slider = extra.get("slider") if isinstance(extra, dict) else None
    if isinstance(slider, list):
        return ":".join(f"{end:g}" for end in slider if isinstance(end, int | float))
    value = getattr(owner, inner)
    if isinstance(value, int) or value is None:
        return f"1:{value or _WHOLE_VALUES}"
    return f"{value / 2:g}:{value * 2:g}" if value else "0:1"


def first_values(spec: Spec, name: str) -> str:
    """Return initial values: some around the spec's own."""
    kind = swept_fields(spec)[name]
    value = value_of(spec, name)
    if kind == "truth":
        return "false,true"
    if kind == "word":
        return str(value)
    if kind == "whole" and isinstance(value, int) and value > 1:
        return ",".join(str(each) for each in dict.fromkeys((max(1, value // 2), value, 2 * value)))
    return reach_of(spec, name)


def value_of(spec: Spec, name: str) -> object:
    """Return the value of a field of a spec."""
    if (knob_of_record(spec, name)) is not None:
        return None
    model, _, inner = name.rpartition(".")
    return getattr(getattr(spec, model) if model else spec, inner)
