"""Defaults of specs and traces: no training, one head, one item, no layers, no rules between fields, no warnings."""

import inspect
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from attnviz.definitions.legal import Legal
from attnviz.definitions.text import Refused, Text, said
from attnviz.experiment.run import Cursor, RichDisplay, row_sum_facts, run_time


def _check_properties(cls: type, fields: Iterable[str]) -> None:
    """Raise a TypeError for a field that has the name of a property of a base: its value could not be set or read."""
    for name in fields:
        inherited = next((vars(base)[name] for base in cls.__mro__[1:] if name in vars(base)), None)
        if isinstance(inherited, property):
            raise TypeError(
                f"{cls.__name__}.{name} is a field, and a property of a base of {cls.__name__}: give it another name, "
                f"or define a property {name}"
            )


class SpecBase(BaseModel):
    """A spec without knobs; a lab adds them, ``lab`` and ``device`` among them, and ``steps``: 0 without training."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Check the fields of a lab's spec.

        Raises:
            TypeError: a field has the name of one of the properties below, which would be read in its place.
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

    session_format: ClassVar[int] = 1
    """The lowest format of sessions that can hold it; later ones say that earlier versions showed its run otherwise."""

    @property
    def trains(self) -> bool:
        """Whether a run has several steps."""
        return self.steps > 0

    @property
    def is_given(self) -> bool:
        """Whether the weights were computed by another model."""
        return False

    @property
    def heads_run(self) -> int:
        """How many heads a run has."""
        return 1

    @property
    def layers_run(self) -> int:
        """How many layers a run has; 0 in a lab without layers."""
        return 0

    @property
    def has_layers(self) -> bool:
        """Whether a run has layers, even where their number is known only when it has begun."""
        return self.layers_run > 0

    @property
    def items_run(self) -> int:
        """How many batch items a run has."""
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
        """What its runs are of, where that has a name of its own, such as a folder's; no preset of another names it."""
        return Text()

    @property
    def shown_first(self) -> int:
        """The step of a new training that is shown at once; before it, nothing is trained until Run is pressed."""
        return 0

    def keeps_step_of(self, other: object) -> bool:
        """Return whether its run is shown at the step that is shown of another's."""
        del other
        return False

    @classmethod
    def active_fields(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that have an effect, given these (perhaps invalid) values."""
        del values
        return frozenset(cls.model_fields)

    @classmethod
    def notes(cls, values: Mapping[str, Any]) -> Mapping[str, Text]:
        """Return notes about legal values, by field."""
        del values
        return {}

    @classmethod
    def legal_values(cls, values: Mapping[str, Any]) -> Mapping[str, Legal]:
        """Return the numbers that the other fields leave to a field, of these (perhaps invalid) values, by field."""
        del values
        return {}


def _has_no_default(value: Any) -> bool:
    """Return whether a dataclass would leave no attribute of the class for a field with this value."""
    return value is MISSING or (isinstance(value, Field) and value.default is MISSING)


class TraceBase(RichDisplay):
    """A trace without numbers; a lab's is a frozen dataclass with them. One head, one item, and nothing to warn of."""

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
            """The spec that made it."""

        @property
        def weights(self) -> NDArray[Any]:
            """The weights; the last two axes are queries and keys."""

        @property
        def step(self) -> int:
            """The number of training steps taken."""

        @property
        def device(self) -> str:
            """The device that ran."""

        @property
        def dtype(self) -> str:
            """The number format of the computation."""

        @property
        def milliseconds(self) -> float:
            """How long the run, or its last step, took."""

    @property
    def spec_written_out(self) -> Any:
        """The spec with data of files written into it."""
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
        """How many heads there are."""
        return 1

    @property
    def num_layers(self) -> int:
        """How many layers there are; 0 in a lab without layers."""
        layers: int = self.spec.layers_run
        return layers

    @property
    def headless(self) -> Collection[int]:
        """The layers that have no attention, from 0."""
        return ()

    @property
    def items(self) -> int:
        """How many batch items there are."""
        return 1

    @property
    def stage_names(self) -> tuple[str, ...]:
        """The stages that it has, in order, where they do not follow from its spec; else none."""
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
        """That its weights are random or before training; empty if they are not."""
        return Text()

    @property
    def warning(self) -> Text:
        """That its numbers are not what they are called, for every picture and export of them; empty if they are."""
        return Text()

    @property
    def badge(self) -> Text:
        """A warning for the status bar, in a few words; empty: none."""
        return Text()

    @property
    def shown_otherwise(self) -> tuple[Text, ...]:
        """What versions showed otherwise whose sessions have a lower format than `SpecBase.session_format`."""
        return ()

    @cached_property
    def row_sums(self) -> NDArray[Any]:
        """The sum of each row of weights."""
        return np.asarray(self.weights.sum(axis=-1, dtype=np.float64))

    def prepare(self, watched: str = "") -> None:
        """Compute in the worker what the screen will need; ``watched`` is the shown stage."""
        del watched
        _ = self.row_sums

    def facts(self) -> tuple[Text, ...]:
        """Return the status bar's facts about the run."""
        words = {"device": self.device, "dtype": self.dtype}
        found = [Text("{device}, {dtype}", words)]
        if self.spec.trains:
            found.append(Text("step {step} of {steps}", {"step": self.step, "steps": self.spec.steps}))
        if hasattr(self.spec, "seed"):
            found.append(Text("seed {seed}", {"seed": self.spec.seed}))
        return *found, run_time(self.milliseconds)

    def weight_facts(self) -> tuple[Text, ...]:
        """Return the status bar's facts about the weights, to be joined without spaces."""
        return row_sum_facts(self.row_sums)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return every array under its fixed name in a file."""
        return {"weights": self.weights}

    def arrays_of(self, layers: Sequence[int]) -> dict[str, NDArray[Any]]:
        """Return every array of some layers, counted from 0.

        Raises:
            ValueError: the arrays of this lab are not kept by layers.
        """
        del layers
        raise Refused("the lab {lab} has no arrays of single layers; leave out 'layers'", lab=said(self.spec.lab))

    def summary(self) -> str:
        """Return a line for a terminal."""
        return f"{self.spec.lab}: weights {self.weights.shape}"
