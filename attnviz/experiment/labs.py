"""The registry of labs, and the lab-independent types of specs and traces used by all layers.

A lab is one row in the registry of each layer: its name and title in ``definitions.labs``, its data types here, its run
in ``engine.labs``, its exports in ``export.labs``, its screen in ``gui.labs.rooms``. Its data types are those of
``LAB`` in the module ``lab`` of its package here, which is imported on first use.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, Self

from numpy.typing import NDArray
from pydantic import ValidationError

from attnviz.definitions.formats import suffixes_with
from attnviz.definitions.labs import FIRST_LAB, LAB_NAMES, LabRow
from attnviz.definitions.registry import LateRegistry
from attnviz.definitions.text import English, Refused, Text, listed, nearest_word, quoted
from attnviz.experiment.bases import SpecBase, TraceBase
from attnviz.experiment.fields.problems import Problem, problems_of, too_many_fields
from attnviz.experiment.files.plain_files import is_there
from attnviz.experiment.run import Failure
from attnviz.experiment.scalars import MILLISECONDS, Scalar, TextColumn
from attnviz.experiment.study import StudyOf, StudyResult
from attnviz.experiment.view_settings import Chosen, ViewSettings

Spec = SpecBase
"""The spec of any lab."""
Asked = SpecBase | StudyOf
"""Input of the engine: a lab's spec, or a study of one."""


Trace = TraceBase
"""The trace of any lab: all results of a run, or of its first steps."""
Outcome = TraceBase | StudyResult
"""The result of a run or a study."""


class Trained(Protocol):
    """The stored states of a training, from which it can resume; a frozen value."""

    @property
    def spec(self) -> Spec:
        """The spec of the training."""

    @property
    def step(self) -> int:
        """The newest stored step."""

    @property
    def session_format(self) -> int:
        """The lowest session format that can hold it."""

    def fits(self, spec: Any) -> bool:
        """Return whether the training of a spec has these states."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values, including ``spec``."""

    @classmethod
    def from_json(cls, spec: Any, values: Mapping[str, Any]) -> Self:
        """Return it from JSON values whose ``spec`` has been read.

        Raises:
            ValueError: a value is missing or invalid; names the field and the rule.
        """


_OF_SPECS = ("device", "steps")
_OF_TRACES = ("spec", "weights", "step", "device", "dtype", "milliseconds")
"""What `SpecBase` and `TraceBase` leave to the types of a lab."""

RunEvent = Trace | Failure[Any]
"""An event of a lab's run."""
Event = Outcome | Failure[Any]
"""An event of the engine."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A kind of file that becomes the data of a spec when it is dropped on the window."""

    endings: tuple[str, ...]
    holds: English
    """A message about the content of such a file {name} and the lab that accepts it."""
    values: Callable[[Path], dict[str, Any]]
    """Returns the fields of a spec for a file, which it may read; never raises."""
    alone: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of a spec that is opened from such a file alone; with some, dropping the file enters its lab."""
    page: str = ""
    """The page on which such a file is opened; empty for the first one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab(LabRow):
    """The data types of one kind of experiment."""

    spec_type: type[Spec]
    trace_type: type[Any]
    view_type: type[ViewSettings]
    stages: Mapping[Any, English]
    """The titles of its mechanism's stages by name, in order; a spec has some of them."""
    stages_of: Callable[[Any], tuple[str, ...]]
    """Returns the stages of a spec's run."""
    opening_preset: str
    """The preset shown when the lab is first opened."""
    sentence_of: Callable[[Any, Any, Chosen], Text] = lambda *_: Text()
    """Returns the plain sentence about a trace, a view and its selection; empty for none."""
    data_files: tuple[DataFile, ...] = ()
    folder_ending: str = ""
    """The suffix of files that occur only in such a folder; dropping one drops its folder."""
    picture_values: Callable[[Path], dict[str, Any]] | None = None
    """Returns the fields of a spec for a picture that is dropped on the window; None if the lab reads none."""
    folder_file: str = ""
    """The file that identifies a folder for the field ``folder`` of its specs; empty: it accepts none."""
    stroke_text: Callable[[Any, Any, str], Text] = lambda *_: Text()
    """Describes a mouse edit, from the old spec, the new one and the field; empty: the values are described."""
    takes_all_cores: Callable[[Any], bool] = lambda _: False
    """Returns whether the run of a spec or study is one large step that gains from all cores."""
    change_text: Callable[[Any, Any], Text] = lambda *_: Text()
    """Describes the difference of two specs if the values of their fields would not; else empty."""
    trained_type: type[Trained] | None = None
    """The type of its stored trainings; None without any."""
    test_of: Callable[[Any], StudyOf | None] = lambda _: None
    """Returns the study of a trace whose results lessons call ``tested``; None in a lab without one."""
    overview: Mapping[str, Any] = field(default_factory=dict)
    """The records of the measures for an overview of all heads, by name; empty in a lab without one."""
    extras: Mapping[str, Any] = field(default_factory=dict)
    """The records of further numbers of a run (`attnviz.experiment.extras.Extra`), by name; empty in a lab without any.
    """
    scalars: Callable[[Any], tuple[Scalar, ...]] = lambda _: ()
    """Returns the scalars of the last trace of a spec, the main one first; each trace has its milliseconds too."""
    text_columns: Callable[[Any], tuple[TextColumn, ...]] = lambda _: ()
    """Returns the texts about the last trace of a spec."""
    trace_of: Callable[[Any, Mapping[str, NDArray[Any]]], Any] | None = None
    """Returns the trace of a spec from its stored arrays, or raises if any is missing; None: arrays do not suffice."""
    compares: bool = False
    """Whether a session may pin a run of it for comparison."""

    def __post_init__(self) -> None:
        """Check that its types belong together.

        Raises:
            TypeError: a spec or view of these types would be of another lab, or a field that every lab has is missing.
        """
        for kind in (self.spec_type, self.view_type):
            of = kind.model_fields["lab"].default if "lab" in kind.model_fields else None
            if of != self.name:
                raise TypeError(f"{kind.__name__}.lab is {of!r} by default; the lab is called {self.name!r}")
        if not issubclass(self.trace_type, TraceBase):
            raise TypeError(f"{self.trace_type.__name__}, the trace of the lab {self.name!r}, is no TraceBase")
        of_spec, of_trace = self.spec_type.model_fields, getattr(self.trace_type, "__dataclass_fields__", {})
        lacks = [each for each in _OF_SPECS if each not in of_spec and not hasattr(self.spec_type, each)]
        lacks += [each for each in _OF_TRACES if each not in of_trace and not hasattr(self.trace_type, each)]
        if lacks:
            raise TypeError(f"the spec or the trace of the lab {self.name!r} has no {', '.join(lacks)}")


LABS: LateRegistry[Lab] = LateRegistry("lab", {name: f"attnviz.experiment.{name}.lab:LAB" for name in LAB_NAMES})
"""The labs, each imported on first use."""


def lab_of_folder(path: Path) -> tuple[Lab, Path] | None:
    """Return the lab that accepts a folder, and the folder; None if no lab does.

    A file of weights, or the one that identifies a folder, stands for its folder.
    """
    for lab in (each for each in LABS.values() if each.folder_file):
        is_known = path.name == lab.folder_file and any(path.parent.glob(f"*{lab.folder_ending}"))
        folder = path.parent if is_known or path.suffix == lab.folder_ending else path
        if is_there(folder / lab.folder_file):
            return lab, folder
    return None


def lab_of_data(path: Path) -> tuple[Lab, DataFile] | None:
    """Return the lab that accepts a file as its data; None if no lab does."""
    for lab in LABS.values():
        for data in lab.data_files:
            if path.suffix.lower() in data.endings:
                return lab, data
    return None


PICTURES = (".png", ".jpg", ".jpeg")
"""The suffixes of pictures that become the image of a spec."""


def lab_of_picture(path: Path) -> tuple[Lab, dict[str, Any]] | None:
    """Return the lab that reads a picture, and the fields to set; None if no lab does."""
    for lab in LABS.values():
        if lab.picture_values is not None and path.suffix.lower() in PICTURES:
            return lab, lab.picture_values(path)
    return None


def is_no_model(path: Path) -> Text:
    """Return the message about a folder that no lab accepts."""
    needed = ", ".join(lab.folder_file for lab in LABS.values() if lab.folder_file)
    return Text("{path} has no {file}, so it is not a model folder", {"path": str(path), "file": needed})


def endings_opened() -> tuple[str, ...]:
    """Return the suffixes of the files that can be opened: of sessions, specs and figures, and of the data of labs."""
    of_data = (ending for lab in LABS.values() for data in lab.data_files for ending in data.endings)
    of_folders = (lab.folder_ending for lab in LABS.values() if lab.folder_ending)
    return tuple(dict.fromkeys((*suffixes_with("session"), *of_data, *of_folders)))


class SpecError(Refused):
    """An invalid spec; its message names the first problem, `problems` has all."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(listed([problem.text for problem in problems[:3]], "{first}; {rest}"))
        self.problems = problems

    @classmethod
    def of(cls, field: str, code: str, template: English, /, **values: Any) -> Self:
        """Return the error of one problem."""
        return cls((Problem(field, code, Text(template, values), values),))


def is_trained(value: object) -> bool:
    """Return whether a value is the stored training of a lab."""
    spec = getattr(value, "spec", None)
    kind = LABS[spec.lab].trained_type if isinstance(spec, Spec) else None
    return kind is not None and isinstance(value, kind)


def make_spec(values: Mapping[str, Any]) -> Spec:
    """Return the validated spec of these values; ``lab`` names the lab, `FIRST_LAB` by default.

    Raises:
        SpecError: a value is invalid, or two values contradict each other.
    """
    name = values.get("lab", FIRST_LAB)
    if not isinstance(name, str) or name not in LABS:
        details = {"said": quoted(name), "labs": ", ".join(LABS), "near": nearest_word(name, LABS)}
        raise SpecError.of("lab", "no_such_lab", "lab {said} must be one of {labs}{near}", **details)
    wide = too_many_fields(values)
    if wide is not None:
        raise SpecError((wide,))
    spec_type: type[Any] = LABS[name].spec_type
    try:
        spec = spec_type.model_validate(dict(values))
    except ValidationError as error:
        other = "" if "lab" in values else _other_lab(values)
        if other:
            sentence = "without 'lab' a spec belongs to {first}, but its fields belong to {other}; nearest: {near}"
            details = {"first": quoted(FIRST_LAB), "other": quoted(other), "near": f'"lab": "{other}"'}
            raise SpecError.of("lab", "other_lab", sentence, **details) from error
        raise SpecError(problems_of(error, spec_type)) from error
    except ValueError as error:
        raise SpecError.of("", "unreadable_value", "a value cannot be read: {error}", error=str(error)) from error
    # The sets of given field names would take most of the memory of an undo step.
    field_names: frozenset[str] = frozenset(spec.model_fields_set)
    object.__setattr__(spec, "__pydantic_fields_set__", _shared(field_names))
    validated: Spec = spec
    return validated


def _other_lab(values: Mapping[str, Any]) -> str:
    """Return the name of the first lab that has all of these fields; "" if that is `FIRST_LAB`, or none has."""
    having = (name for name, lab in LABS.items() if values.keys() <= lab.spec_type.model_fields.keys())
    first = next(having, FIRST_LAB)
    return "" if first == FIRST_LAB else first


@lru_cache(maxsize=64)
def _shared(names: frozenset[str]) -> set[str]:
    """Return one shared set for all specs made from the same fields; pydantic copies it before a change."""
    return set(names)


def spec_to_json(spec: Spec) -> str:
    """Return the spec as readable JSON, which `session_or_spec_from_json` reads."""
    return spec.model_dump_json(indent=2) + "\n"


def scalars_of(spec: Spec) -> tuple[Scalar, ...]:
    """Return the scalars of the last trace of a spec."""
    return (*LABS[spec.lab].scalars(spec), MILLISECONDS)


def stages_of(spec: Spec) -> tuple[str, ...]:
    """Return the stages of a spec's run, in order."""
    return LABS[spec.lab].stages_of(spec)


def wrong_stage(stage: str, spec: Spec) -> Text:
    """Return a message about a stage that the spec lacks; empty if it has it."""
    stages = stages_of(spec)
    if stage in stages:
        return Text()
    near = nearest_word(stage, stages) or Text("; nearest: {nearest}", {"nearest": "weights"})
    values = {"said": quoted(stage), "stages": ", ".join(stages), "near": near}
    return Text("stage {said} must be one of {stages}{near}", values)


def text_columns_of(spec: Spec) -> tuple[TextColumn, ...]:
    """Return the texts about the last trace of a spec."""
    return LABS[spec.lab].text_columns(spec)
