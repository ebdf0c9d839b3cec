"""A session: an experiment with its view settings, pinned runs, notes, and optionally its trained model."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    PrivateAttr,
    SerializeAsAny,
    ValidationError,
    field_serializer,
    model_validator,
)

from attnviz.definitions.text import English, Refused, Text, nearest_word, quoted, text_of_error
from attnviz.experiment.fields.problems import Problem, problems_of, too_many_fields
from attnviz.experiment.labs import LABS, Spec, SpecError, Trained, is_trained, make_spec
from attnviz.experiment.pin import Pin
from attnviz.experiment.run import Cursor
from attnviz.experiment.view_settings import ViewSettings

FORMAT = 7
"""The newest session format that this attnviz reads.

A session is written in the lowest format that can hold it, so that an older attnviz opens it if possible: 1, 2 with a
model that an older version trained, 3 with ``pins``, 4 with a trained model, 5 with a spec of the model lab, some of
whose runs earlier versions showed differently (see `Session.predates`), 6 with fields of it that version 5 does not
know, or 7 with the user's own functions. Each format can hold everything that a lower one can, and is read alike."""
_WITH_PINS = 3
LONGEST_NOTES = 200_000


def _checked(value: Any) -> Any:
    if not isinstance(value, Spec):
        raise Refused("this is not the spec of a lab")
    return value


_AnySpec = Annotated[
    Spec, PlainValidator(_checked), PlainSerializer(lambda spec, info: spec.model_dump(mode=info.mode))
]
"""A validated spec, which pydantic accepts unchanged; the registry defines the labs."""


def _checked_trained(value: Any) -> Any:
    if not (value is None or is_trained(value)):
        raise Refused("this is not the trained model of a lab")
    return value


_AnyTrained = Annotated[
    Trained | None,
    PlainValidator(_checked_trained),
    PlainSerializer(lambda trained: None if trained is None else trained.to_json()),
]


class Session(BaseModel):
    """The content of a ``.attnviz`` file, also embedded in every exported figure. Its JSON names are fixed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    spec: _AnySpec
    view: SerializeAsAny[ViewSettings] | None = None
    """The view settings; None means the lab's defaults."""
    pinned: _AnySpec | None = None
    """The run pinned in the spec's lab, or in another one; see `all_pins`."""
    pins: tuple[Annotated[Pin, PlainValidator(lambda pin: pin)], ...] = ()
    """The content that ``pinned`` cannot express: further pins, and its own if it is not compared at its end."""
    notes: str = Field("", max_length=LONGEST_NOTES)
    trained: _AnyTrained = None
    """The trained model as it was saved, possibly of another spec; None without one. See `fitting`."""
    origin: str = ""
    """The path of the session's file, in a backup of its unsaved changes; empty in that file itself."""
    _predates: bool = PrivateAttr(default=False)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.view is not None and self.view.lab != self.spec.lab:
            raise Refused(
                "a view of the lab '{lab}' cannot be beside a spec of '{other}'", lab=self.view.lab, other=self.spec.lab
            )
        return self

    @field_serializer("pins")
    def _pins_by_lab(self, pins: tuple[Pin, ...]) -> dict[str, Any]:
        """Return the spec and the step of each pin by its lab; the spec of ``pinned`` is not repeated."""
        held = {pin.lab: {} if pin.spec == self.pinned else {"spec": pin.spec.model_dump(mode="json")} for pin in pins}
        steps = {pin.lab: {} if pin.cursor is None else {"step": pin.step} for pin in pins}
        return {lab: held[lab] | steps[lab] for lab in held}

    @property
    def format(self) -> int:
        """The lowest format that can hold it."""
        of_specs = [spec.session_format for spec in (self.spec, *(pin.spec for pin in self.all_pins))]
        of_model = 1 if self.trained is None else self.trained.session_format
        return max(*of_specs, of_model, self.shown_view.session_format, _WITH_PINS if self.pins else 1)

    @property
    def predates(self) -> bool:
        """Whether a version wrote it that may have shown its run differently, see `TraceBase.shown_otherwise`."""
        return self._predates

    @property
    def shown_view(self) -> ViewSettings:
        """The view settings, or the lab's defaults."""
        return LABS[self.spec.lab].view_type() if self.view is None else self.view

    @property
    def all_pins(self) -> tuple[Pin, ...]:
        """Every pinned run, at most one in each lab, in the order of the labs."""
        first = () if self.pinned is None else (Pin(self.pinned),)
        by_lab = {pin.lab: pin for pin in (*first, *self.pins)}
        return tuple(by_lab[lab] for lab in LABS if lab in by_lab)

    def with_pins(self, pins: Iterable[Pin]) -> Self:
        """Return the session with these pinned runs and no others."""
        own_first = sorted(pins, key=lambda pin: pin.lab != self.spec.lab)
        pinned = own_first[0].spec if own_first else None
        further = tuple(pin for pin in own_first if pin.spec != pinned or pin.cursor is not None)
        return self.model_copy(update={"pinned": pinned, "pins": further})

    @property
    def fitting(self) -> Trained | None:
        """The trained model, if it fits the spec; else None."""
        return self.trained if self.trained is not None and self.trained.fits(self.spec) else None

    @property
    def misfit(self) -> Text:
        """A message about a trained model that does not fit the spec; empty without one."""
        if self.trained is None or self.fitting is not None:
            return Text()
        return Text("the trained model in it is of another spec and was left out")

    def with_trained(self, trained: Trained | None) -> Self:
        """Return the session with a trained model."""
        return self.model_copy(update={"trained": trained})

    def with_view(self, **changes: Any) -> Self:
        """Return the session with other values of some (validated) view settings."""
        return self.model_copy(update={"view": self.shown_view.model_copy(update=changes)})

    def beside(self, folder: Path) -> Self:
        """Return the session with the text files that its spec names relative to a folder read into it."""
        spec = self.spec.beside(folder)
        return self if spec is self.spec else self.model_copy(update={"spec": spec})

    def before_training(self) -> Self:
        """Return the session showing a training before its first step; itself without training."""
        has_step = "step" in type(self.shown_view).model_fields
        return self.with_view(step=0) if self.spec.waits and has_step else self


def session_to_json(session: Session) -> str:
    """Return the session as readable JSON in ASCII, so that every file's metadata can hold it."""
    without = {name for name in ("origin", "pins", "trained") if not getattr(session, name)}
    values = {"format": session.format} | session.model_dump(mode="json", exclude=without)
    return json.dumps(values, indent=2, allow_nan=False) + "\n"


def session_from_json(text: str) -> Session:
    """Return the session in a JSON text.

    Raises:
        SpecError: the text is truncated or not JSON, of a newer format, or a value is invalid; names the position.
    """
    return session_of(_object_of(text, "a session is a JSON object, {{...}}"))


def session_or_spec_from_json(text: str) -> Session:
    """Return the session in a JSON text; a bare spec becomes a session with default settings.

    Raises:
        SpecError: as `session_from_json`.
    """
    values = _object_of(text, "a spec is a JSON object, {{...}}")
    return session_of(values) if "format" in values or "spec" in values else Session(spec=make_spec(values))


def session_of(values: dict[str, Any]) -> Session:
    """Return the session described by JSON values.

    Raises:
        SpecError: as `session_from_json`.
    """
    _check_format(values)
    known = ("format", *Session.model_fields)
    unknown = next((name for name in values if name not in known), None)
    if unknown is not None:
        near = nearest_word(unknown, known)
        raise SpecError.of(
            "", "extra_forbidden", "there is no field {name} in a session{near}", name=quoted(unknown), near=near
        )
    if "spec" not in values:
        raise SpecError.of("spec", "missing", "the session holds no 'spec'")
    spec = _spec_at("spec", values["spec"])
    notes = values.get("notes", "")
    if not isinstance(notes, str) or len(notes) > LONGEST_NOTES:
        limits = {"said": quoted(notes), "most": LONGEST_NOTES}
        raise SpecError.of("notes", "notes", "notes {said} must be text of at most {most} characters", **limits)
    if any("\ud800" <= sign <= "\udfff" for sign in notes):
        raise SpecError.of("notes", "string_unicode", "notes holds a character that is not text")
    view = None if values.get("view") is None else _view_of(values["view"], spec.lab)
    view, step = (None, None) if view is None else view.without_pinned_step()
    trained = None if values.get("trained") is None else _trained_of(values["trained"])
    pins = _pins_of(values, spec.lab, step)
    origin = values.get("origin", "")
    if not isinstance(origin, str) or "\0" in origin:
        raise SpecError.of("origin", "origin", "origin {said} must be the path of a file", said=quoted(origin))
    session = Session(spec=spec, view=view, notes=notes, origin=origin).with_pins(pins).with_trained(trained)
    session._predates = values["format"] < spec.session_format
    return session


def _object_of(text: str, otherwise: English) -> dict[str, Any]:
    try:
        values = json.loads(text, object_pairs_hook=_without_doubles)
    except SpecError:
        raise
    except RecursionError as error:
        raise SpecError.of("", "json_invalid", "this is not JSON: it is nested too deep") from error
    except ValueError as error:
        if not isinstance(error, json.JSONDecodeError):  # Python's own limit for numbers
            raise SpecError.of("", "json_invalid", "this is not JSON: a number has too many digits") from error
        if not text.strip():
            raise SpecError.of("", "json_invalid", "this is not JSON: it is empty") from error
        if error.pos >= len(text.rstrip()) - 1:
            sentence = "this is not JSON: {why}; the file seems to be cut"
        else:
            sentence = "this is not JSON: {why}"
        raise SpecError.of("", "json_invalid", sentence, why=str(error)) from error
    if not isinstance(values, dict):
        raise SpecError.of("", "not_an_object", otherwise)
    return values


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raises `SpecError` for duplicate names instead of guessing which value counts."""
    values = dict(pairs)
    if len(values) < len(pairs):
        seen: set[str] = set()
        double = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        sentence = "{name} is given twice; only one value can count"
        raise SpecError.of(double, "given_twice", sentence, name=quoted(double))
    return values


def _check_format(values: dict[str, Any]) -> None:
    version = values.get("format")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise SpecError.of(
            "format",
            "no_format",
            "format {said} must be the number of a session format; nearest: 1",
            said=quoted(version),
        )
    if version > FORMAT:
        details = {"said": quoted(version), "most": FORMAT}
        raise SpecError.of(
            "format",
            "newer_format",
            "format {said} is of a newer attnviz, this one reads up to {most}; a newer attnviz opens it",
            **details,
        )


def _object_at(field: str, values: Any) -> dict[str, Any]:
    if not isinstance(values, dict):
        sentence = "{place} {said} must be an object, {{...}}"
        raise SpecError.of(field, "not_an_object", sentence, place=field, said=quoted(values))
    return values


def _spec_at(field: str, values: Any) -> Spec:
    try:
        return make_spec(_object_at(field, values))
    except SpecError as error:
        raise _moved(field, error.problems) from error


def _pins_of(values: dict[str, Any], lab: str, step: int | None) -> Iterable[Pin]:
    """Return the pinned runs in a session's values; ``step`` is that of the lab's own in earlier versions."""
    pins: dict[str, Pin] = {}
    if values.get("pinned") is not None:
        first = _pinned_spec_at("pinned", values["pinned"])
        pins[first.lab] = Pin(first, _cursor_at(step, first) if first.lab == lab else None)
    further = {} if values.get("pins") is None else values["pins"]
    for name, pin in _object_at("pins", further).items():
        field = f"pins.{name}"
        if not isinstance(pin, dict) or not set(pin) <= {"spec", "step"}:
            details = {"place": field, "said": quoted(pin)}
            raise SpecError.of(field, "not_a_pin", "{place} {said} must be an object of 'spec' and 'step'", **details)
        again = name in pins and "spec" not in pin
        if name in pins and not again:
            sentence = "{place} holds a spec, and 'pinned' is of that lab too; only one can count"
            raise SpecError.of(f"{field}.spec", "given_twice", sentence, place=field)
        held = pins[name].spec if again else _pinned_spec_at(f"{field}.spec", pin.get("spec"))
        if held.lab != name:
            details = {"place": field, "said": quoted(held.lab), "lab": quoted(name)}
            raise SpecError.of(field, "other_lab", "{place} {said} must be a spec of the lab {lab}", **details)
        at = pin.get("step")
        if at is not None and (isinstance(at, bool) or not isinstance(at, int) or not 0 <= at <= held.steps):
            sentence = "{place}.step {said} must be a whole number from 0 to {steps}, its steps"
            details = {"place": field, "said": quoted(at), "steps": str(held.steps)}
            raise SpecError.of(f"{field}.step", "no_such_step", sentence, **details)
        pins[name] = Pin(held, _cursor_at(at, held))
    return pins.values()


def _cursor_at(step: int | None, spec: Spec) -> Cursor | None:
    return None if step is None or step >= spec.steps else Cursor(step=step)


def _pinned_spec_at(field: str, values: Any) -> Spec:
    """Return the spec of a pinned run."""
    spec = _spec_at(field, values)
    if not LABS[spec.lab].compares:
        those = ", ".join(lab.name for lab in LABS.values() if lab.compares)
        sentence = "{place} is a spec of the lab {lab}, which compares no runs; labs that do: {labs}"
        raise SpecError.of(field, "no_such_pin", sentence, place=field, lab=quoted(spec.lab), labs=those)
    return spec


def _view_of(values: Any, lab: str) -> ViewSettings:
    wide = too_many_fields(_object_at("view", values))
    if wide is not None:
        raise _moved("view", (wide,))
    model = LABS[lab].view_type
    try:
        return model.model_validate({"lab": lab} | values)
    except ValidationError as error:
        raise _moved("view", problems_of(error, model)) from error


def _trained_of(values: Any) -> Trained:
    spec = _spec_at("trained.spec", _object_at("trained", values).get("spec"))
    model = LABS[spec.lab].trained_type
    if model is None:
        those = ", ".join(lab.name for lab in LABS.values() if lab.trained_type is not None)
        raise SpecError.of(
            "trained.spec",
            "nothing_trained",
            "trained.spec must be a spec of a lab that trains a model: {those}",
            those=those,
        )
    try:
        return model.from_json(spec, values)
    except ValueError as error:
        raise SpecError.of(
            "trained", "unreadable_model", "in trained: {problem}", problem=text_of_error(error)
        ) from error


def _moved(field: str, problems: tuple[Problem, ...]) -> SpecError:
    """Return the problems of a part as problems of the whole; their messages name the part."""
    moved = (
        replace(
            each,
            field=f"{field}.{each.field}".rstrip("."),
            text=Text("in {place}: {problem}", {"place": field, "problem": each.text}),
            template_in_form="",
        )
        for each in problems
    )
    return SpecError(tuple(moved))
