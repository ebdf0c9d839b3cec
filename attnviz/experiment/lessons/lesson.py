"""The data of a lesson: steps that show a run, with questions and tasks. A frozen value, read from a file.

A step's texts are Markdown in one language; everything else of a step is in its block, which is the same in every
language. Numbers in texts, tasks and answers are expressions of the step's own run: see `expression`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import to_jsonable_python

from attnviz.definitions.text import Refused, Text, quoted
from attnviz.experiment.files.session import FORMAT, Session, session_of
from attnviz.experiment.labs import LABS, Spec, Trace, Trained, make_spec
from attnviz.experiment.lessons.expression import ExpressionError, Values, evaluate, holds
from attnviz.experiment.study import StudyResult
from attnviz.experiment.view_settings import Place, ViewSettings

MOST_STEPS = 60
MOST_CHOICES = 6
LETTERS = "ABCDEF"
"""The names of choices."""
MOST_CELLS = 400
"""The most cells that a learner is asked to mark."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class SessionChange(_Part):
    """Values of some fields of a spec and of its view, as in sessions."""

    spec: dict[str, Any] = Field(default_factory=dict)
    view: dict[str, Any] = Field(default_factory=dict)

    def of(self, session: Session) -> Session:
        """Return a session with these values instead of its own; a spec with ``lab`` starts from defaults.

        Raises:
            SpecError: a value is invalid.
        """
        spec, view = dict(self.spec), dict(self.view)
        if "lab" not in spec:
            spec = session.spec.model_dump(mode="json") | spec
        if make_spec(spec).lab == session.spec.lab:
            view = session.shown_view.model_dump(mode="json") | view
        return session_of({"format": FORMAT, "spec": spec, "view": view})


class LessonTask(_Part):
    """``do``: the learner's task."""

    until: str
    """The condition that is true once it is done."""
    answer: SessionChange
    """The effect of "show me"."""

    def problems(self, values: Values | None, solved: Values | None) -> Iterator[Text]:
        """Yield the errors: it must be open with the values of its step, and done with those of its answer.

        Unknown values are not checked.
        """
        details = {"said": quoted(self.until)}
        try:
            if values is not None and holds(self.until, values):
                yield Text("the task is already done when the step opens: {said} is true", details)
            if solved is not None and not holds(self.until, solved):
                yield Text(
                    "the solution does not complete the task: {said} is not true after it", {"said": quoted(self.until)}
                )
        except ExpressionError as error:
            yield error.text


class Look(_Part):
    """The target of the spotlight: a head, a row, a cell, a stage or a control."""

    head: Place | None = None
    query: Place | None = None
    key: Place | None = None
    stage: str = ""
    control: str = ""

    @property
    def held(self) -> Mapping[str, int]:
        """The spotlighted part of the picture, as fields of a view."""
        positions = {"head": self.head, "query": self.query, "key": self.key}
        return {name: position for name, position in positions.items() if position is not None}

    @model_validator(mode="after")
    def _check(self) -> Self:
        if sum((bool(self.held), bool(self.stage), bool(self.control))) != 1:
            raise Refused("a look is at a head, query and key, or at a stage, or at a control")
        if self.key is not None and self.query is None:
            raise Refused("a look at a key needs its query too")
        return self


class Verdict(Enum):
    """The result of a check."""

    MET = "met"
    NOT_YET = "not yet"
    CANNOT_TELL = "cannot tell"


def judged(condition: str, values: Values) -> Verdict:
    """Return whether a condition is true of a run; unknown if the run lacks one of its names."""
    try:
        return Verdict.MET if holds(condition, values) else Verdict.NOT_YET
    except ExpressionError:
        return Verdict.CANNOT_TELL


class PredictionQuestion(_Part):
    """``predict``: the question before the picture is shown. It has one of three forms."""

    choices: Annotated[tuple[str, ...], Field(max_length=MOST_CHOICES)] = ()
    """A condition for each choice in the text; the right choice is the one whose condition is true."""
    number: str = ""
    """The expression of the number to predict."""
    within: Annotated[float, Field(ge=0)] = 0.05
    """The tolerance of a guess."""
    cells: str = ""
    """The cells to mark: an expression that is true there, (queries, keys)."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if sum(map(bool, (self.choices, self.number, self.cells))) != 1:
            raise Refused("a prediction has 'choices', or a 'number', or 'cells'")
        if len(self.choices) == 1:
            raise Refused("one choice does not make a question; nearest: 2 choices")
        return self

    @property
    def expressions(self) -> tuple[str, ...]:
        """The expressions that determine its answer."""
        return self.choices or (self.number or self.cells,)

    def problems(self, values: Values) -> Iterator[tuple[int, Text]]:
        """Yield the reasons why there is no right answer, each with the index of its choice, or -1."""
        undecided = set()
        for index, choice in enumerate(self.choices):
            try:
                holds(choice, values)
            except ExpressionError as error:
                undecided.add(index)
                yield index, error.text
        try:
            if self.number:
                self.true_number(values)
            elif self.cells:
                self.true_cells(values)
            elif not undecided:
                self.right_choice(values)
        except ExpressionError as error:
            yield -1, error.text

    def right_choice(self, values: Values) -> int:
        """Return the right choice, counted from 0.

        Raises:
            ExpressionError: not exactly one condition is true, or one has no value.
        """
        true = [index for index, each in enumerate(self.choices) if holds(each, values)]
        if len(true) != 1:
            raise ExpressionError("{count} of the choices are right, not one", count=str(len(true)))
        return true[0]

    def true_number(self, values: Values) -> float:
        """Return the number to predict; raises `ExpressionError` if it is not one finite number."""
        value = evaluate(self.number, values)
        if np.ndim(value) or isinstance(value, str) or value is None or not np.isfinite(value):
            raise ExpressionError("{said} is not a number", said=quoted(self.number))
        return float(value)

    def true_cells(self, values: Values) -> NDArray[np.bool_]:
        """Return the cells to mark, (queries, keys); raises `ExpressionError` if it is no such matrix."""
        value = np.asarray(evaluate(self.cells, values))
        if value.ndim != 2 or value.dtype != np.bool_ or not 0 < value.size <= MOST_CELLS:
            details = {"said": quoted(self.cells), "most": MOST_CELLS}
            raise ExpressionError("{said} is not a matrix of true and false with at most {most} cells", **details)
        return value

    def is_right(self, number: float, values: Values) -> bool:
        """Return whether a number is within the tolerance."""
        return abs(number - self.true_number(values)) <= self.within * (1 + 1e-9)


class Block(_Part):
    """The block of a step as written in the file."""

    preset: str = ""
    spec: dict[str, Any] = Field(default_factory=dict)
    view: dict[str, Any] = Field(default_factory=dict)
    controls: tuple[str, ...] = ()
    look: Look | None = None
    do: LessonTask | None = None
    predict: PredictionQuestion | None = None

    @property
    def conditions(self) -> tuple[str, ...]:
        """Every expression of its task and of its question."""
        return (*((self.do.until,) if self.do else ()), *(self.predict.expressions if self.predict else ()))


class Head(_Part):
    """The block of the lesson itself, before its first step."""

    format: Annotated[int, Field(ge=1, le=1)] = 1
    minutes: Annotated[int, Field(ge=1, le=240)] = 10
    presets: tuple[str, ...] = ()
    """The presets on its topic, which link to the lesson."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice, and why it is right or wrong; Markdown."""

    text: str
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class LessonStep:
    """One step to see or do."""

    number: int
    """Counted from 1."""
    line: int
    """The line of its file where it begins, counted from 1."""
    title: str
    text: str
    session: Session
    block: Block
    question: str = ""
    choices: tuple[Choice, ...] = ()
    answer: str = ""
    """The text after the prediction."""
    task: str = ""
    done: str = ""
    """The text after the task is done."""
    hint: str = ""
    notes: str = ""
    """For the lecturer only."""

    @property
    def spec(self) -> Spec:
        """The spec that it shows."""
        return self.session.spec

    @cached_property
    def view(self) -> ViewSettings:
        """The view that it shows, with the spotlighted part selected."""
        view = self.session.shown_view
        look = self.block.look
        return view if look is None or not look.held else view.changed(**look.held)

    @cached_property
    def solved(self) -> Session | None:
        """The session once its task is done as its author did it; None without a task."""
        return None if self.block.do is None else self.block.do.answer.of(self.session)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it in Markdown."""
        of_choices = (part for choice in self.choices for part in (choice.text, choice.why))
        own = (self.title, self.text, self.question, self.answer, self.task, self.done, self.hint, self.notes)
        return tuple(text for text in (*own, *of_choices) if text)


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A sequence of steps."""

    name: str
    """Its file name without the suffix, such as "04-masked-softmax"."""
    title: str
    about: str
    """A sentence or two about it."""
    head: Head
    steps: tuple[LessonStep, ...]
    trained: Trained | None = None
    """The included training as a stored run."""
    file: Path | None = None
    """The user's file that it was read from."""

    @property
    def number(self) -> int:
        """Its number among the included lessons, from its name; 0 if it has none."""
        return _number_in(self.name)

    def trained_for(self, spec: Spec) -> Trained | None:
        """Return the stored run of a spec; None if the lesson has none."""
        return self.trained if self.trained is not None and self.trained.fits(spec) else None


@dataclass(frozen=True, slots=True)
class Topic:
    """A lesson whose steps have not been read."""

    name: str
    title: str
    presets: tuple[str, ...]
    """The presets that link to it."""

    @property
    def number(self) -> int:
        """Its number among the included lessons."""
        return _number_in(self.name)


def _number_in(name: str) -> int:
    first = name.partition("-")[0]
    return int(first) if first.isdecimal() else 0


TESTED = "tested"
"""The name of the results of a test, which takes longer than the run itself."""


def values_of(spec: Spec, view: ViewSettings, trace: Trace | None, test: StudyResult | None = None) -> dict[str, Any]:
    """Return the values of the names in expressions.

    They are the fields of the spec and of the view, by their JSON names; the arrays of the trace, by their names in an
    NPZ; ``step``, the number of training steps of the trace; ``roles``, for each role of a head the scores (layers,
    heads) measured last before that step; and ``tested``, the values of a test.
    """
    written = spec.model_dump(mode="json")
    left_out = (name for name in type(spec).model_fields if name not in written)  # some are, at their defaults
    values = {name: to_jsonable_python(getattr(spec, name), fallback=dict) for name in left_out}
    values |= view.model_dump(mode="json") | written
    if trace is None:
        return values
    if test is not None:
        values[TESTED] = test.values()
    arrays = trace.arrays()
    values |= arrays | {"step": trace.step}
    if "role_names" in arrays and len(arrays["role_steps"]):
        at = max(int(np.searchsorted(arrays["role_steps"], trace.step, side="right")) - 1, 0)
        values["roles"] = {str(name): arrays["roles"][at, :, :, i] for i, name in enumerate(arrays["role_names"])}
    return values


def first_session(lab: str) -> Session:
    """Return the default session of a lab."""
    return Session(spec=make_spec({"lab": lab}), view=LABS[lab].view_type())
