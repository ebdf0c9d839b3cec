"""A lesson being written: the typed texts, valid or not, and their errors.

`TypedStep.problems` names the field of each problem, so that an editor shows it there; `TypedLesson.finished` returns
the lesson if there is none. Disabled parts, such as a question that is turned off, are kept.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from attnviz.definitions.text import English, Refused, Text, quoted
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import SpecError, Trained
from attnviz.experiment.lessons.expression import Values, names_in
from attnviz.experiment.lessons.lesson import (
    LETTERS,
    MOST_CHOICES,
    TESTED,
    Block,
    Choice,
    Head,
    Lesson,
    LessonStep,
    LessonTask,
    PredictionQuestion,
    SessionChange,
)
from attnviz.experiment.lessons.reading import NOT_ONE_TEXT, choices_of, is_one_text, problem_of, problems_of_text
from attnviz.experiment.lessons.writing import listed_choices, with_steps
from attnviz.experiment.view_settings import ViewSettings

RIGHT, WRONG = "True", "False"
"""The conditions of choices if the author marks the right one."""
_TEXTS = ("title", "text", "hint", "notes")
_OF_QUESTION, _OF_TASK = ("question", "answer"), ("task", "done")
_TITLES: dict[str, English] = {
    "title": "title",
    "text": "text",
    "hint": "hint",
    "notes": "notes",
    "question": "question",
    "choices": "choices",
    "number": "number",
    "within": "tolerance",
    "cells": "cells",
    "answer": "answer",
    "task": "task",
    "until": "condition",
    "solution": "solution",
    "done": "text once it is done",
}


class FieldProblem(NamedTuple):
    """A problem of a field: one of `TypedStep`, or "choice.0", "why.0" and "condition.0" of a choice."""

    field: str
    text: Text
    is_missing: bool = False
    """Whether the field is still empty, so that an editor asks for it instead of reporting an error."""

    @property
    def title(self) -> Text:
        """The title of the field."""
        name, _, index = self.field.partition(".")
        return Text("choice {letter}", {"letter": LETTERS[int(index)]}) if index else Text(_TITLES[name])


@dataclass(frozen=True, slots=True)
class TypedChoice:
    """A choice."""

    text: str = ""
    why: str = ""
    condition: str = ""
    """When it is right, if the run decides."""


@dataclass(frozen=True, kw_only=True)
class TypedStep:
    """A step as typed."""

    session: Session
    block: Block = field(default_factory=Block)
    """The other content of its block, without question and task."""
    title: str = ""
    text: str = ""
    hint: str = ""
    notes: str = ""
    form: str = ""
    """The kind of question: "choices", "number" or "cells" to mark; "" for none."""
    question: str = ""
    choices: tuple[TypedChoice, ...] = ()
    by_run: bool = False
    """Whether the conditions of the choices decide which is right, instead of the author."""
    right: int | None = None
    """The choice marked by the author as the right one, counted from 0."""
    number: str = ""
    within: str = "0.05"
    cells: str = ""
    answer: str = ""
    has_task: bool = False
    task: str = ""
    until: str = ""
    solution: SessionChange | None = None
    """The effect of "show me"; None until it was taken from the screen."""
    done: str = ""

    @property
    def view(self) -> ViewSettings:
        """The view that it shows, with the spotlighted part selected."""
        look = self.block.look
        return self.session.shown_view.changed(**(look.held if look is not None else {}))

    @cached_property
    def solved(self) -> Session | None:
        """The session once its task is done as its author did it; None if that is not known."""
        if not self.has_task or self.solution is None:
            return None
        try:
            return self.solution.of(self.session)
        except SpecError:
            return None

    @property
    def fields(self) -> tuple[str, ...]:
        """The enabled texts, by name."""
        return (*_TEXTS, *(_OF_QUESTION if self.form else ()), *(_OF_TASK if self.has_task else ()))

    @property
    def expressions(self) -> tuple[str, ...]:
        """The enabled expressions besides its texts."""
        of_form = {
            "choices": tuple(choice.condition for choice in self.choices) if self.by_run else (),
            "number": (self.number,),
            "cells": (self.cells,),
        }
        return (*of_form.get(self.form, ()), *((self.until,) if self.has_task else ()))

    def problems(self, values: Values | None = None, solved: Values | None = None) -> tuple[FieldProblem, ...]:
        """Return all problems, given the values of names at its run and at that of its solution.

        Without values only those that need no run: whether an expression has a value is not checked.
        """
        return (*self._of_texts(values), *self._of_question(values), *self._of_task(values, solved))

    def finished(self, number: int = 1) -> LessonStep:
        """Return it as a step of a lesson.

        Raises:
            Refused: it has a problem; names the field.
        """
        for problem in self.problems():
            values = {"number": str(number), "field": problem.title, "problem": problem.text}
            raise Refused("step {number}, {field}: {problem}", **values)
        asks, has_task = bool(self.form), self.has_task
        task = LessonTask(until=self.until, answer=self.solution) if has_task and self.solution is not None else None
        of_choices = tuple(Choice(each.text.strip(), each.why.strip()) for each in self.choices)
        # An answer without a question, or a sentence about a task without one, is kept if the file has it.
        alone_answer = not (self.question or self.choices)
        return LessonStep(
            number=number,
            line=1,
            title=self.title,
            text=self.text.strip(),
            session=self.session,
            block=self.block.model_copy(update={"do": task, "predict": self._prediction()}),
            question=self.question.strip() if asks else "",
            choices=of_choices if self.form == "choices" else (),
            answer=self.answer.strip() if asks or alone_answer else "",
            task=self.task.strip() if has_task else "",
            done=self.done.strip() if has_task or not (self.task or self.until) else "",
            hint=self.hint.strip(),
            notes=self.notes.strip(),
        )

    def _prediction(self) -> PredictionQuestion | None:
        if self.form == "choices":
            return PredictionQuestion(choices=self._conditions())
        if self.form == "number":
            return PredictionQuestion(number=self.number, within=_tolerance(self.within) or 0.0)
        return PredictionQuestion(cells=self.cells) if self.form == "cells" else None

    def _conditions(self) -> tuple[str, ...]:
        if self.by_run:
            return tuple(choice.condition for choice in self.choices)
        return tuple(RIGHT if index == self.right else WRONG for index in range(len(self.choices)))

    def _of_texts(self, values: Values | None) -> Iterator[FieldProblem]:
        for name in self.fields:
            text = getattr(self, name)
            if name != "title" and not is_one_text(text):
                yield FieldProblem(name, Text(NOT_ONE_TEXT))
            yield from (FieldProblem(name, problem) for problem in _known(text, values))

    def _of_question(self, values: Values | None) -> Iterator[FieldProblem]:
        if self.form and not self.question.strip():
            yield FieldProblem("question", Text("a question needs a text"), is_missing=True)
        if self.form == "choices":
            yield from self._of_choices(values)
        elif self.form:
            expression = getattr(self, self.form)
            if problem := _grammar(expression):
                yield FieldProblem(self.form, problem, not expression.strip())
                if self.form == "cells":
                    return
            elif self.form == "number" and _tolerance(self.within) is None:
                pass
            elif (prediction := self._prediction()) is not None and _can_tell(expression, values):
                assert values is not None
                yield from (FieldProblem(self.form, problem) for _, problem in prediction.problems(values))
            if self.form == "number" and _tolerance(self.within) is None:
                details = {"said": quoted(self.within)}
                yield FieldProblem("within", Text("{said} must be a number of at least 0; nearest: 0.05", details))

    def _of_choices(self, values: Values | None) -> Iterator[FieldProblem]:
        wrong = list(self._of_each_choice(values))
        yield from wrong
        if choices_of(self.question)[1]:
            yield FieldProblem("question", Text("a list in the question would be read as its choices"))
        if len(self.choices) < 2:
            yield FieldProblem("choices", Text("a question needs at least two choices; nearest: 2 choices"))
        elif not self.by_run and (self.right is None or self.right >= len(self.choices)):
            yield FieldProblem("choices", Text("no choice is marked as the right one"), is_missing=True)
        conditions = [choice.condition for choice in self.choices]
        if self.by_run and len(self.choices) > 1 and not wrong and all(_can_tell(each, values) for each in conditions):
            assert values is not None
            for index, problem in PredictionQuestion(choices=tuple(conditions)).problems(values):
                yield FieldProblem("choices" if index < 0 else f"condition.{index}", problem)

    def _of_each_choice(self, values: Values | None) -> Iterator[FieldProblem]:
        first: dict[str, int] = {}
        for index, choice in enumerate(self.choices):
            text, why = choice.text.strip(), choice.why.strip()
            same = first.setdefault(text, index)
            read = choices_of(listed_choices((Choice(text, why), Choice("x"))))
            if not text:
                yield FieldProblem(f"choice.{index}", Text("a choice needs a text"), is_missing=True)
            elif same != index:
                yield FieldProblem(f"choice.{index}", Text("the same as choice {letter}", {"letter": LETTERS[same]}))
            elif choices_of(listed_choices((Choice(text), Choice("x")))) != ("", (Choice(text), Choice("x"))):
                problem = Text("a choice must be one paragraph, without a heading, a list or a block")
                yield FieldProblem(f"choice.{index}", problem)
            elif read != ("", (Choice(text, why), Choice("x"))):
                yield FieldProblem(
                    f"why.{index}", Text("a reason must be paragraphs, without a heading, a list or a block")
                )
            for name, part in (("choice", text), ("why", why)):
                yield from (FieldProblem(f"{name}.{index}", problem) for problem in _known(part, values))
            if self.by_run and (grammar := _grammar(choice.condition)):
                yield FieldProblem(f"condition.{index}", grammar, not choice.condition.strip())

    def _of_task(self, values: Values | None, solved: Values | None) -> Iterator[FieldProblem]:
        if not self.has_task:
            return
        if not self.task.strip():
            yield FieldProblem("task", Text("a task needs a text"), is_missing=True)
        if problem := _grammar(self.until):
            yield FieldProblem("until", problem, not self.until.strip())
        elif self.solution is not None:
            known = [each if _can_tell(self.until, each) else None for each in (values, solved)]
            task = LessonTask(until=self.until, answer=self.solution)
            yield from (FieldProblem("until", problem) for problem in task.problems(*known))
        elif _can_tell(self.until, values):
            task = LessonTask(until=self.until, answer=SessionChange())
            yield from (FieldProblem("until", problem) for problem in task.problems(values, None))
        if self.solution is None:
            problem = Text("no solution yet; nearest: do the task in the window, then use the screen as the solution")
            yield FieldProblem("solution", problem, is_missing=True)
            return
        try:
            self.solution.of(self.session)
        except SpecError as error:
            yield FieldProblem("solution", error.text)


def typed(step: LessonStep) -> TypedStep:
    """Return a step of a lesson as its author would have typed it."""
    prediction, task = step.block.predict, step.block.do
    conditions = () if prediction is None else prediction.choices
    marked = set(conditions) <= {RIGHT, WRONG} and conditions.count(RIGHT) == 1
    form = "" if prediction is None else "choices" if conditions else "number" if prediction.number else "cells"
    return TypedStep(
        session=step.session,
        block=step.block.model_copy(update={"do": None, "predict": None}),
        title=step.title,
        text=step.text,
        hint=step.hint,
        notes=step.notes,
        form=form,
        question=step.question,
        choices=tuple(
            TypedChoice(choice.text, choice.why, "" if marked else condition)
            for choice, condition in zip(step.choices, conditions, strict=True)
        ),
        by_run=bool(conditions) and not marked,
        right=conditions.index(RIGHT) if marked and conditions else None,
        number="" if prediction is None else prediction.number,
        within="0.05" if prediction is None else f"{prediction.within:g}",
        cells="" if prediction is None else prediction.cells,
        answer=step.answer,
        has_task=task is not None,
        task=step.task,
        until="" if task is None else task.until,
        solution=None if task is None else task.answer,
        done=step.done,
    )


@dataclass(frozen=True, kw_only=True)
class TypedLesson:
    """A lesson as typed."""

    title: str
    about: str = ""
    head: Head = field(default_factory=Head)
    steps: tuple[TypedStep, ...] = ()
    name: str = ""
    file: Path | None = None
    trained: Trained | None = None

    def finished(self) -> Lesson:
        """Return it as a lesson.

        Raises:
            Refused: a step has a problem; names the step and the field. Or there are too many steps.
        """
        empty = Lesson(name=self.name, title=self.title, about=self.about, head=self.head, steps=())
        steps = tuple(step.finished(number) for number, step in enumerate(self.steps, 1))
        return replace(with_steps(empty, steps), trained=self.trained, file=self.file)


def typed_lesson(lesson: Lesson) -> TypedLesson:
    """Return a lesson as its author would have typed it."""
    return TypedLesson(
        title=lesson.title,
        about=lesson.about,
        head=lesson.head,
        steps=tuple(map(typed, lesson.steps)),
        name=lesson.name,
        file=lesson.file,
        trained=lesson.trained,
    )


def with_choice(step: TypedStep) -> TypedStep:
    """Return a step with another, empty choice, if it may have one more."""
    more = (TypedChoice(),) if len(step.choices) < MOST_CHOICES else ()
    return replace(step, choices=step.choices + more)


def without_choice(step: TypedStep, index: int) -> TypedStep:
    """Return a step without one of its choices; the mark of the right one stays with its choice."""
    right = step.right
    if right is not None:
        right = None if right == index else right - (right > index)
    return replace(step, choices=step.choices[:index] + step.choices[index + 1 :], right=right)


def _known(text: str, values: Values | None) -> Iterator[Text]:
    """Yield the problems of a text's expressions, except those that need a test which was not run."""
    problems = list(problems_of_text(text))
    if problems or values is None or (TESTED in text and TESTED not in values):
        yield from problems
    else:
        yield from problems_of_text(text, values)


def _grammar(expression: str) -> Text | None:
    if not expression.strip():
        return Text("an expression is needed; nearest: choose one from Insert")
    return problem_of(expression)


def _can_tell(expression: str, values: Values | None) -> bool:
    """Return whether these values suffice for an expression; not if it needs a test that was not run."""
    return (
        values is not None and _grammar(expression) is None and (TESTED in values or TESTED not in names_in(expression))
    )


def _tolerance(typed_number: str) -> float | None:
    try:
        number = float(typed_number.strip().replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
