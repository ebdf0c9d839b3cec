"""A lesson as a handout: Markdown, with its figures as SVG files beside it. Its questions stay open."""

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from attnviz.export.lessons.content import Exercise, LessonContent, LessonFigure, Question, StepContent
from attnviz.export.lessons.safe_markdown import code, escaped, safe_line, safe_markdown

_WIDTH = 11.0
"""The width of a figure in centimetres."""


class Handout(NamedTuple):
    """The text of a handout, and the figures that it names, as files beside it."""

    text: str
    figures: dict[str, bytes]


def handout_of(lesson: LessonContent, folder: str, *, answers: bool = False, notes: bool = False) -> Handout:
    """Return a lesson as Markdown; the figures are in ``folder``, beside it.

    Without ``answers`` they are not revealed: the figure of a question comes with its answer, at the end.

    Raises:
        Refused: a figure cannot be drawn.
    """
    writer = _Writer(lesson, folder)
    lines = [f"# {safe_line(lesson.title)}", safe_markdown(lesson.about)]
    for step in lesson.steps:
        lines += writer.step(step, notes=notes)
    asking = [step for step in lesson.steps if step.question or step.exercise]
    if answers and asking:
        lines.append(f"# {lesson.tr('Answers')}")
        for step in asking:
            lines += writer.answers(step)
    return Handout("\n\n".join(line for line in lines if line) + "\n", writer.figures)


class _Writer:
    """Writes paragraphs, and keeps the figures that they name."""

    def __init__(self, lesson: LessonContent, folder: str) -> None:
        self._lesson, self._folder = lesson, folder
        self.figures: dict[str, bytes] = {}

    def step(self, step: StepContent, *, notes: bool) -> Iterator[str]:
        yield f"## {step.number} {safe_line(step.title)}"
        yield safe_markdown(step.text)
        if step.question is None:
            yield from self._pictures(step.pictures, f"step-{step.number:02}", step.caption)
        else:
            yield from self._question(step.question)
        if step.exercise is not None:
            yield f"**{self._lesson.tr('Do')}**"
            yield safe_markdown(step.exercise.text)
            if step.hint:
                yield f"*{self._lesson.tr('Hint')}*: {safe_markdown(step.hint)}"
        if notes and step.notes:
            yield f"**{self._lesson.tr('Notes')}**"
            yield safe_markdown(step.notes)

    def answers(self, step: StepContent) -> Iterator[str]:
        yield f"## {step.number} {safe_line(step.title)}"
        if step.question is not None:
            yield from self._answer(step.question)
            yield from self._pictures(step.pictures, f"step-{step.number:02}", step.caption)
        if step.exercise is not None:
            yield from self._solution(step.exercise)
            yield from self._pictures(step.exercise.pictures, f"step-{step.number:02}-done", "")

    def _question(self, question: Question) -> Iterator[str]:
        yield f"**{self._lesson.tr('Predict')}**"
        yield safe_markdown(question.text)
        yield from (f"{choice.letter}. {safe_line(choice.text)}  " for choice in question.choices)
        if question.number is not None:
            yield f"{self._lesson.tr('Your guess')}: \\_\\_\\_\\_\\_\\_\\_\\_"
        if question.cells is not None:
            yield _table(question, "")

    def _answer(self, question: Question) -> Iterator[str]:
        if question.right:
            yield f"**{question.right}**"
        for choice in question.choices:
            sign = "✓" if choice.is_right else "✗"
            yield f"{choice.letter} {sign} {safe_line(choice.text)}  \n{safe_markdown(choice.why)}".rstrip()
        if question.cells is not None:
            yield _table(question, "✓")
        yield safe_markdown(question.answer)

    def _solution(self, exercise: Exercise) -> Iterator[str]:
        yield "\n".join(f"- {_escaped(name)}: {code(value)}" for name, value in exercise.changes)
        yield safe_markdown(exercise.done)

    def _pictures(self, pictures: tuple[LessonFigure, ...], name: str, caption: str) -> Iterator[str]:
        for number, picture in enumerate(pictures, 1):
            file = f"{self._folder}/{name}{f'-{number}' if len(pictures) > 1 else ''}.svg"
            width = _WIDTH * (1.4 if picture.is_dense else 1)
            self.figures[file] = picture.drawn("svg", width_cm=width, transparent=False)
            alt = ": ".join(part for part in (picture.title, picture.description) if part)
            yield f"*{_escaped(picture.title)}*" if picture.title else ""
            yield f"![{_escaped(alt)}]({quote(file)})"
        yield f"*{_escaped(caption)}*" if caption else ""


def _table(question: Question, mark: str) -> str:
    """Return the cells to mark as a table; ``mark`` is in those that are right."""
    assert question.cells is not None
    rows, columns = question.names
    lines = [" | ".join(["", "", *map(_escaped, columns), ""]).strip(), "|" + "---|" * (len(columns) + 1)]
    for name, cells in zip(rows, question.cells, strict=True):
        lines.append(" | ".join(["", _escaped(name), *(mark if cell else "" for cell in cells), ""]).strip())
    return "\n".join(lines)


def _escaped(text: str) -> str:
    """Return a text of a run, such as a token, escaped for Markdown, also within a table."""
    return escaped(text).replace("|", "\\|")
