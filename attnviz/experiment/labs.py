"""The registry of labs, and what all layers may ask of a lab's spec and trace without knowing which lab it is.

A lab is one row in the registry of each layer: its name and title in ``definitions.labs``, its nouns here, its run in
``engine.labs``, what leaves it in ``export.labs``, its screen in ``gui.labs.registry``.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, Self

from numpy.typing import NDArray
from pydantic import ValidationError

from attnviz.definitions.formats import suffixes_with
from attnviz.definitions.labs import LAB_NAMES
from attnviz.definitions.registry import Registry
from attnviz.definitions.sentences import nearest_word, said
from attnviz.experiment.attention import stages as attention_stages
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view_settings import AttentionViewSettings
from attnviz.experiment.facts import Fact
from attnviz.experiment.failure import Failure
from attnviz.experiment.given.file import values_of_arrays
from attnviz.experiment.problems import Problem, problems_of, too_many_fields
from attnviz.experiment.regression import view_settings as regression_view
from attnviz.experiment.regression.data import FileData, edit_text
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Cursor
from attnviz.experiment.view_settings import ViewSettings


class Asked(Protocol):
    """What the engine can be asked to run: a lab's spec, or a question beside one."""

    @property
    def lab(self) -> str:
        """The name of the lab that runs and shows it."""

    @property
    def trains(self) -> bool:
        """Whether a run goes on in steps."""

    @property
    def device(self) -> str:
        """Where it runs: "auto", "cpu", "cuda:0", ..."""


class Spec(Asked, Protocol):
    """A frozen pydantic model whose fields are knobs; ``lab`` and ``device`` are two of them."""

    @property
    def steps(self) -> int:
        """How many training steps a run takes; 0 where nothing is trained."""

    @property
    def is_given(self) -> bool:
        """Whether the weights were read from a file, so that nothing is computed and no knob means anything."""

    @property
    def heads_run(self) -> int:
        """How many heads a run has."""

    @property
    def items_run(self) -> int:
        """How many batch items a run has."""

    @property
    def sizes_known(self) -> bool:
        """Whether the spec alone tells how many heads and items a run has."""

    def keeps_step_of(self, other: Any) -> bool:
        """Return whether it is another's training with other points or overlays, so that it is shown at its step."""

    @property
    def name_parts(self) -> tuple[str, ...]:
        """What a file of its run is called, part by part."""

    @classmethod
    def active_fields(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that matter beside these (perhaps not yet valid) values."""

    @classmethod
    def notes(cls, values: Mapping[str, Any]) -> Mapping[str, str]:
        """Return what is worth saying of (perhaps not yet valid) values, by field."""

    @classmethod
    def model_validate(cls, obj: Any) -> Self:
        """As pydantic's."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Self:
        """As pydantic's."""

    def model_dump(self, *, mode: str = "python") -> dict[str, Any]:
        """As pydantic's."""

    def model_dump_json(self, *, indent: int | None = None) -> str:
        """As pydantic's."""

    def __iter__(self) -> Generator[tuple[str, Any], None, None]:
        """As pydantic's: names and values."""


class Outcome(Protocol):
    """What a run came to, or a question beside one."""

    @property
    def spec(self) -> Asked:
        """What was asked for."""

    @property
    def final(self) -> bool:
        """Whether no further event of the same run follows."""

    def prepare(self, watched: str = "") -> None:
        """Compute what the screen will ask for, in the worker; ``watched`` is the stage shown."""


class Trace(Outcome, Protocol):
    """Everything one run produced, or had produced after some of its steps. All arrays are read-only."""

    @property
    def spec(self) -> Spec:
        """The spec that made it."""

    @property
    def spec_written_out(self) -> Spec:
        """The spec with what it takes from a file written into it, as far as its lab does so."""

    @property
    def device(self) -> str:
        """The device that really ran."""

    @property
    def dtype(self) -> str:
        """The number format that it computed in."""

    @property
    def milliseconds(self) -> float:
        """How long the run, or its last step, took."""

    @property
    def weights(self) -> NDArray[Any]:
        """The attention weights; the last two axes are queries and keys."""

    @property
    def row_sums(self) -> NDArray[Any]:
        """The sum of each row of weights."""

    @property
    def num_heads(self) -> int:
        """How many heads there are."""

    @property
    def items(self) -> int:
        """How many batch items there are."""

    @property
    def cursor(self) -> Cursor:
        """The place of its run that it shows."""

    @property
    def step(self) -> int:
        """How many training steps lie behind it."""

    @property
    def known_steps(self) -> int:
        """How far the history of its run reaches."""

    @property
    def incomplete(self) -> str:
        """What a run that was stopped lacks, as a sentence; empty where nothing is missing."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every text of the user's that a figure writes."""

    @property
    def badge(self) -> str:
        """What must not be overlooked in the status bar, in a few words; empty where there is nothing."""

    def facts(self) -> tuple[Fact, ...]:
        """Return what the status bar says of the run."""

    def weight_facts(self) -> tuple[Fact, ...]:
        """Return what the status bar says of the weights, in parts that follow each other without a gap."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return every array under its fixed name in a file."""

    def summary(self) -> str:
        """Return a few lines for a terminal."""


RunEvent = Trace | Failure[Any]
"""What comes out of a lab's run."""
Event = Outcome | Failure[Any]
"""What comes out of the engine."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """Files that become the data of a spec when they are dropped on the window."""

    endings: tuple[str, ...]
    holds: str
    """A sentence that says what such a file {0} holds and which lab takes it."""
    values: Callable[[Path], dict[str, Any]]
    """Returns the fields of the spec that is about a file, which it may look into; raises nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """The nouns of one kind of experiment."""

    name: str
    spec_type: type[Spec]
    trace_type: type[Any]
    view_type: type[ViewSettings]
    stages: Mapping[Any, str]
    """What the stages of its mechanism are called on screen, by name and in order; a spec has some of them."""
    stages_of: Callable[[Any], tuple[str, ...]]
    """Returns the stages of a spec's run."""
    opening_preset: str = ""
    """What the lab shows when it is entered for the first time; empty is its spec's defaults."""
    data_file: DataFile | None = None
    stroke_text: Callable[[Any, Any, str], str] = lambda *_: ""
    """Says what a stroke of the mouse did, from the old spec, the new one and the field; empty: the values are said."""
    compares: bool = False
    """Whether a session may pin a run of it, to compare others with."""

    @property
    def title(self) -> str:
        """What the lab is called on screen."""
        return LAB_NAMES[self.name].title


_ATTENTION = Lab(
    name="attention",
    spec_type=AttentionSpec,
    trace_type=AttentionTrace,
    view_type=AttentionViewSettings,
    opening_preset="causal-sentence",
    stages=attention_stages.TITLES,
    stages_of=attention_stages.stages_of,
    data_file=DataFile(suffixes_with("arrays"), "{0} holds arrays, which the attention lab takes.", values_of_arrays),
    stroke_text=lambda *changed: "Paint the mask" if changed[2] == "painted" else "",
    compares=True,
)
_REGRESSION = Lab(
    name="regression",
    spec_type=RegressionSpec,
    trace_type=RegressionTrace,
    view_type=regression_view.RegressionViewSettings,
    opening_preset="kernel-learned",
    stages=regression_view.STAGES,
    stages_of=lambda _: tuple(regression_view.STAGES),
    data_file=DataFile(
        suffixes_with("points"),
        "{0} holds points, which the kernel-regression lab takes.",
        lambda path: {"data": FileData(path=str(path))},
    ),
    stroke_text=lambda old, new, _: edit_text(old.data, new.data),
)
LABS: Registry[Lab] = Registry("lab", (_ATTENTION, _REGRESSION))


class SpecError(ValueError):
    """A spec that is not legal; its sentence names the first problem, `problems` has all."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(problem.message for problem in problems[:3]))
        self.problems = problems


def is_spec(value: object) -> bool:
    """Return whether a value is the spec of a lab."""
    return isinstance(value, tuple(lab.spec_type for lab in LABS.values()))


def is_trace(value: object) -> bool:
    """Return whether a value is the trace of a lab."""
    return isinstance(value, tuple(lab.trace_type for lab in LABS.values()))


def make_spec(values: Mapping[str, Any]) -> Spec:
    """Return the validated spec of these values; ``lab`` says which kind, attention when it is not given.

    Raises:
        SpecError: a value is illegal, or two clash.
    """
    name = values.get("lab", "attention")
    if not isinstance(name, str) or name not in LABS:
        message = f"lab {said(name)} must be one of {', '.join(LABS)}{nearest_word(name, LABS)}"
        raise SpecError((Problem("lab", "no_such_lab", message, {"value": name}),))
    wide = too_many_fields(values)
    if wide is not None:
        raise SpecError((wide,))
    spec_type: type[Any] = LABS[name].spec_type
    try:
        spec = spec_type.model_validate(dict(values))
    except ValidationError as error:
        raise SpecError(problems_of(error, spec_type)) from error
    except ValueError as error:
        raise SpecError((Problem("", "unreadable_value", f"a value cannot be read: {error}", {}),)) from error
    # The names of the fields that were given would be most of what a step of undo holds on to.
    given: frozenset[str] = frozenset(spec.model_fields_set)
    object.__setattr__(spec, "__pydantic_fields_set__", _shared(given))
    made: Spec = spec
    return made


@lru_cache(maxsize=64)
def _shared(given: frozenset[str]) -> set[str]:
    """Return one set for all specs that were made from the same fields; pydantic copies it before a change."""
    return set(given)


def spec_to_json(spec: Spec) -> str:
    """Return the spec as readable JSON, which `session_or_spec_from_json` takes back."""
    return spec.model_dump_json(indent=2) + "\n"
