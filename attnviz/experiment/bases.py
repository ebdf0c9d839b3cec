"""Base classes of specs and traces: no training, one head, one item, no layers, no rules, no warnings."""

import inspect
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from attnviz.definitions.legal import Legal
from attnviz.definitions.text import English, Refused, Text, quoted
from attnviz.experiment.run import Cursor, RichDisplay, row_sum_facts, run_time


def _check_properties(cls: type, fields: Iterable[str]) -> None:
    """Raise a TypeError for a field with the name of a base's property: its value could not be set or read."""
    for name in fields:
        inherited = next((vars(base)[name] for base in cls.__mro__[1:] if name in vars(base)), None)
        if isinstance(inherited, property):
            raise TypeError(
                f"{cls.__name__}.{name} is a field, and a property of a base of {cls.__name__}: give it another name, "
                f"or define a property {name}"
            )


class SpecBase(BaseModel):
    """A spec without fields; a lab adds them, including ``lab``, ``device`` and ``steps``: 0 without training."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Check the fields of a lab's spec.

        Raises:
            TypeError: a field has the name of one of the properties below, which would be read instead.
        """
        super().__pydantic_init_subclass__(**kwargs)
        _check_properties(cls, cls.model_fields)

    if TYPE_CHECKING:  # fields or properties of the lab

        @property
        def lab(self) -> str:
            """The name of its lab."""

        @property
        def device(self) -> str:
            """The device: "auto", "cpu", "cuda:0", ... ."""

        @property
        def steps(self) -> int:
            """The number of training steps of a run."""

    @property
    def session_format(self) -> int:
        """The lowest session format that can hold it.

        Later ones note that earlier versions showed its run differently.
        """
        return 1

    @property
    def code(self) -> tuple[str, ...]:
        """The texts of the user's Python files that a run executes, if it is allowed to."""
        return ()

    def beside(self, folder: Path) -> Self:
        """Return it with the text files that it names, whose paths may be relative to a folder, read into it."""
        del folder
        return self

    @property
    def first_waits_for(self) -> English:
        """What the first run of such specs waits for besides PyTorch, in a few words; empty for nothing."""
        return ""

    @property
    def trains(self) -> bool:
        """Whether a run has several steps."""
        return self.steps > 0

    @property
    def motion(self) -> str:
        """The kind of animation that shows its steps, a name in `MOTIONS`."""
        return "training"

    @property
    def is_given(self) -> bool:
        """Whether the weights were computed by another model."""
        return False

    @property
    def heads_run(self) -> int:
        """The number of heads of a run."""
        return 1

    @property
    def layers_run(self) -> int:
        """The number of layers of a run; 0 in a lab without layers."""
        return 0

    @property
    def has_layers(self) -> bool:
        """Whether a run has layers, even if their number is known only once it has started."""
        return self.layers_run > 0

    @property
    def items_run(self) -> int:
        """The number of batch items of a run."""
        return 1

    @property
    def sizes_known(self) -> bool:
        """Whether the numbers of heads and items of a run follow from the spec alone."""
        return True

    @property
    def name_parts(self) -> tuple[str, ...]:
        """The parts of a proposed file name for its run."""
        return (self.lab,)

    @property
    def subject(self) -> Text:
        """The name of its runs' content, such as a folder's, if any; presets with another one do not name the spec."""
        return Text()

    @property
    def shown_first(self) -> int:
        """The step at which a new training is shown; without training steps before it until Run is pressed."""
        return 0

    @property
    def waits(self) -> bool:
        """Whether a new run pauses at `shown_first`, until Run is pressed; else it plays to its end at once."""
        return self.trains

    def keeps_step_of(self, other: object) -> bool:
        """Return whether its run is shown at the step on screen of another's run."""
        del other
        return False

    @classmethod
    def active_fields(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that have an effect, given these (possibly invalid) values."""
        del values
        return frozenset(cls.model_fields)

    @classmethod
    def notes(cls, values: Mapping[str, Any]) -> Mapping[str, Text]:
        """Return notes about valid values, by field."""
        del values
        return {}

    @classmethod
    def legal_values(cls, values: Mapping[str, Any]) -> Mapping[str, Legal]:
        """Return the numbers that the other fields allow, by field, given these (possibly invalid) values."""
        del values
        return {}


def _has_no_default(value: Any) -> bool:
    """Return whether a dataclass would leave no class attribute for a field with this value."""
    return value is MISSING or (isinstance(value, Field) and value.default is MISSING)


class TraceBase(RichDisplay):
    """A trace without data; a lab's is a frozen dataclass with its own. One head, one item, and no warnings."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Check the fields of a lab's trace.

        Raises:
            TypeError: a field without a default has the name of one of the properties below, which cannot be set.
        """
        super().__init_subclass__(**kwargs)
        own = ((name, vars(cls).get(name, MISSING)) for name in inspect.get_annotations(cls))
        _check_properties(cls, (name for name, value in own if _has_no_default(value)))

    if TYPE_CHECKING:  # fields or properties of the lab

        @property
        def spec(self) -> Any:
            """The spec of the run."""

        @property
        def weights(self) -> NDArray[Any]:
            """The weights; the last two axes are queries and keys."""

        @property
        def step(self) -> int:
            """The number of training steps taken."""

        @property
        def device(self) -> str:
            """The device of the run."""

        @property
        def dtype(self) -> str:
            """The dtype of the computation."""

        @property
        def milliseconds(self) -> float:
            """The duration of the run, or of its last step."""

    @property
    def spec_written_out(self) -> Any:
        """The spec with the data of files written into it."""
        return self.spec

    @property
    def final(self) -> bool:
        """Whether no further trace of the same run follows."""
        return not self.incomplete and self.step == self.spec.steps

    @property
    def cursor(self) -> Cursor:
        """Its cursor in the run."""
        return Cursor(step=self.step)

    @property
    def num_heads(self) -> int:
        """The number of heads."""
        return 1

    @property
    def num_layers(self) -> int:
        """The number of layers; 0 in a lab without layers."""
        layers: int = self.spec.layers_run
        return layers

    @property
    def headless(self) -> Collection[int]:
        """The layers without attention, counted from 0."""
        return ()

    @property
    def items(self) -> int:
        """The number of batch items."""
        return 1

    @property
    def stage_names(self) -> tuple[str, ...]:
        """Its stages, in order, if they do not follow from its spec; else empty."""
        return ()

    @property
    def known_steps(self) -> int:
        """The number of steps in the history of its run."""
        return self.step

    @property
    def incomplete(self) -> Text:
        """A text about the missing part of a stopped run; empty if nothing is missing."""
        return Text()

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every text by the user that a figure shows."""
        return ()

    @property
    def untrained_note(self) -> Text:
        """A note that its weights are random or before training; empty if they are not."""
        return Text()

    @property
    def warning(self) -> Text:
        """A warning that its numbers are not what their name says, for every picture and export; empty for none."""
        return Text()

    @property
    def badge(self) -> Text:
        """A short warning for the status bar; empty for none."""
        return Text()

    @property
    def shown_otherwise(self) -> tuple[Text, ...]:
        """What was shown differently by versions whose sessions have a lower format than `SpecBase.session_format`."""
        return ()

    @cached_property
    def row_sums(self) -> NDArray[Any]:
        """The sum of each row of weights."""
        return np.asarray(self.weights.sum(axis=-1, dtype=np.float64))

    def prepare(self, watched: str = "") -> None:
        """Compute in the worker what the screen will need; ``watched`` is the stage on screen."""
        del watched
        _ = self.row_sums

    def facts(self) -> tuple[Text, ...]:
        """Return the status bar's facts about the run."""
        values = {"device": self.device, "dtype": self.dtype}
        facts = [Text("{device}, {dtype}", values)]
        if self.spec.trains:
            facts.append(Text("step {step} of {steps}", {"step": self.step, "steps": self.spec.steps}))
        if hasattr(self.spec, "seed"):
            facts.append(Text("seed {seed}", {"seed": self.spec.seed}))
        return *facts, run_time(self.milliseconds)

    def weight_facts(self) -> tuple[Text, ...]:
        """Return the status bar's facts about the weights, to be joined without spaces."""
        return row_sum_facts(self.row_sums)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return every array under its fixed name in a file."""
        return {"weights": self.weights}

    def arrays_of(self, layers: Sequence[int]) -> dict[str, NDArray[Any]]:
        """Return every array of some layers, counted from 0.

        Raises:
            ValueError: the arrays of this lab are not stored by layer.
        """
        del layers
        raise Refused("the lab {lab} has no arrays of single layers; leave out 'layers'", lab=quoted(self.spec.lab))

    def summary(self) -> str:
        """Return a line for a terminal."""
        return f"{self.spec.lab}: weights {self.weights.shape}"
