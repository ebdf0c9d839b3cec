"""Lessons in Markdown files: those that come along, and those of lecturers. Every error names its line.

The first heading is the lesson's title, each ``##`` begins a step, and each ``###`` a part of it: Predict, Answer, Do,
Done, Hint or Notes, by these names in every language. A fenced block ``attnviz`` has what is not text, as JSON: of the
lesson before its first step, and of each step. The spec of a step is that of the step before with the fields that the
block changes, or a preset's with them; one that names its ``lab`` begins anew.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from attnviz.definitions.labs import FIRST_LAB
from attnviz.definitions.text import English, Refused, Text, nearest_word, said
from attnviz.experiment.labs import SpecError
from attnviz.experiment.lessons.expression import ExpressionError, Values, expressions_in, filled, names_in
from attnviz.experiment.lessons.lesson import (
    MOST_STEPS,
    Block,
    Change,
    Choice,
    Head,
    Lesson,
    LessonStep,
    Topic,
    first_session,
)
from attnviz.experiment.problems import problems_of
from attnviz.experiment.session import Session, session_from_json
from attnviz.experiment.specs_in_files import preset, text_of
from attnviz.folders import resource, resource_in

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

SUFFIX = ".md"
PARTS = {"Predict": "question", "Answer": "answer", "Do": "task", "Done": "done", "Hint": "hint", "Notes": "notes"}
"""The parts of a step by their headings, and the field of `LessonStep` that each becomes."""
BLOCK = "attnviz"
"""What the fence of a block says."""
_VERBATIM = re.compile(r"(`[^`\n]*`|\$\$.+?\$\$|\$[^$\n]+\$)", re.DOTALL)
"""Code and formulas, in which braces are braces."""
_PartT = TypeVar("_PartT", bound=BaseModel)


class LessonError(Refused):
    """A file is not a lesson; its text begins with the line."""

    def __init__(self, line: int, problem: Text) -> None:
        super().__init__(Text("line {line}: {problem}", {"line": line, "problem": problem}))
        self.line = line


def fill(markdown: str, values: Values | None) -> str:
    """Return a text with the values of its expressions, or without values with a sign for each.

    Code and formulas stay as they are.

    Raises:
        ExpressionError: an expression has no value.
    """
    parts = _VERBATIM.split(markdown)
    return "".join(part if place % 2 else filled(part, values) for place, part in enumerate(parts))


def expressions_of(markdown: str) -> tuple[str, ...]:
    """Return the expressions of a text; raises `ExpressionError` if a brace is left open."""
    return tuple(chain.from_iterable(map(expressions_in, _VERBATIM.split(markdown)[::2])))


def text_reader() -> "MarkdownIt":
    """Return a reader of the texts of lessons, with formulas, which takes neither HTML nor images."""
    from markdown_it import MarkdownIt  # nothing but a lesson needs them
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    return MarkdownIt("commonmark", {"html": False}).disable("image").use(dollarmath_plugin, double_inline=True)


def lesson_names() -> tuple[str, ...]:
    """Return the names of the lessons that come along, in order."""
    return tuple(path.stem for path in sorted(resource("lessons").glob(f"*{SUFFIX}")))


@cache
def lesson_named(name: str, language: str = "") -> Lesson:
    """Return a lesson that comes along, in a language if it is there, else in English.

    Raises:
        SpecError: there is no such lesson.
        LessonError: its file is not one.
    """
    names = lesson_names()
    if name not in names:
        near = nearest_word(name, names)
        raise SpecError.of("lesson", "no_such_lesson", "there is no lesson {said}{near}", said=said(name), near=near)
    return read_lesson(_file_of(name, language), resource("lessons") / f"{name}.attnviz")


def translations(name: str) -> tuple[str, ...]:
    """Return the languages, but for English, in which a lesson comes along."""
    return tuple(path.parent.name for path in sorted(resource("lessons").glob(f"*/{name}{SUFFIX}")))


@cache
def topics(language: str = "") -> tuple[Topic, ...]:
    """Return what the heads of all lessons that come along say, in order; no step is read."""
    found = []
    for name in lesson_names():
        head, *_ = _parts_of(_file_of(name, language).read_text(encoding="utf-8").partition("\n## ")[0])
        found.append(Topic(name, head.heading, _block_of(head, Head).presets))
    return tuple(found)


def _file_of(name: str, language: str) -> Path:
    return resource_in(language, f"lessons/{name}{SUFFIX}")


def read_lesson(path: Path, stored: Path | None = None) -> Lesson:
    """Return the lesson of a file; a stored run beside it, of the same name, comes along.

    Raises:
        OSError: the file cannot be read.
        SpecError: it is too large, or no text; or the stored run cannot be read.
        LessonError: it is not a lesson; names the line.
    """
    with path.open("rb") as stream:
        text = text_of(stream, path.name)
    file = path.absolute() if stored is None else None
    stored = path.with_suffix(".attnviz") if stored is None else stored
    trained = None
    if stored.is_file():
        with stored.open("rb") as stream:
            trained = session_from_json(text_of(stream, stored.name)).trained
    return replace(lesson_of(text, path.stem, trained), file=file)


def lesson_of(text: str, name: str = "", trained: Any = None) -> Lesson:
    """Return the lesson that a text is; raises `LessonError`."""
    parts = _parts_of(text)
    if not parts or parts[0].level != 1:
        _refuse(1, "a lesson begins with its title; nearest: # Masked softmax")
    first, *others = parts
    steps: list[LessonStep] = []
    session = first_lab_session()
    begun: list[list[_Part]] = []
    for part in others:
        if part.level == 1:
            _refuse(part.line, "a lesson has one title; nearest: ## for a step")
        if part.level == 2:
            begun.append([])
        if not begun:
            _refuse(part.line, "the part {said} is before the first step; nearest: ## for a step", said=part.heading)
        begun[-1].append(part)
    if not 0 < len(begun) <= MOST_STEPS:
        _refuse(first.line, "a lesson has 1 to {most} steps, not {count}", most=MOST_STEPS, count=str(len(begun)))
    for number, group in enumerate(begun, 1):
        step = _step_of(number, group, session)
        session = step.session
        steps.append(step)
    head = _block_of(first, Head)
    return Lesson(name=name, title=first.heading, about=first.text, head=head, steps=tuple(steps), trained=trained)


def first_lab_session() -> Session:
    """Return what the first step of a lesson begins with."""
    return first_session(FIRST_LAB)


def is_one_text(text: str) -> bool:
    """Return whether a text stays what it is in a lesson: it has no heading or block, and ends before what follows."""
    try:
        parts = _parts_of(f"# a\n\n{text}\n\n# b\n")
    except LessonError:  # a heading of a level that no lesson has
        return False
    return len(parts) == 2 and parts[0].block is None and parts[0].text == text.strip()


@dataclass(slots=True)
class _Part:
    """A heading, with what follows it up to the next."""

    level: int
    heading: str
    line: int
    """Counted from 1."""
    lines: list[str] = field(default_factory=list)
    block: str | None = None
    block_line: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()


def _tokens_of(text: str) -> Sequence["Token"]:
    from markdown_it import MarkdownIt  # nothing but a lesson needs it

    return MarkdownIt("commonmark").parse(text)


def _lines_of(text: str) -> list[str]:
    """Return the lines as Markdown counts them; `str.splitlines` knows further ends of lines."""
    return re.split(r"\r\n|\n|\r", text)


def _parts_of(text: str) -> list[_Part]:
    lines = _lines_of(text)
    parts: list[_Part] = []
    tokens = _tokens_of(text)
    marks = [token for token in tokens if token.level == 0 and token.map and token.type in ("heading_open", "fence")]
    ends = [*(mark.map[0] for mark in marks[1:] if mark.map), len(lines)]
    if marks and marks[0].map and any(line.strip() for line in lines[: marks[0].map[0]]):
        _refuse(1, "a lesson begins with its title; nearest: # Masked softmax")
    headings = {id(token): tokens[place + 1].content for place, token in enumerate(tokens[:-1])}
    for mark, end in zip(marks, ends, strict=False):
        assert mark.map is not None
        start, after = mark.map
        if mark.type == "heading_open":
            level = int(mark.tag[1:])
            if level > 3:
                _refuse(start + 1, "a lesson has headings of three levels; nearest: ###")
            parts.append(_Part(level, headings[id(mark)], start + 1, lines[after:end]))
        elif not parts:
            _refuse(start + 1, "a lesson begins with its title; nearest: # Masked softmax")
        elif mark.info.strip() == BLOCK:
            owner = next(part for part in reversed(parts) if part.level < 3)
            if owner.block is not None:
                _refuse(start + 1, "a step has one block, and this is its second")
            owner.block, owner.block_line = mark.content, start + 1
            parts[-1].lines += lines[after:end]
        else:
            parts[-1].lines += lines[start:end]
    return parts


def _step_of(number: int, parts: list[_Part], before: Session) -> LessonStep:
    own, *others = parts
    block = _block_of(own, Block)
    texts: dict[str, str] = {}
    for part in others:
        if part.heading not in PARTS:
            near = nearest_word(part.heading, PARTS)
            words = {"said": said(part.heading), "parts": ", ".join(PARTS), "near": near}
            _refuse(part.line, "a part is one of {parts}, not {said}{near}", **words)
        name = PARTS[part.heading]
        if name in texts:
            _refuse(part.line, "the step has two parts {said}", said=said(part.heading))
        texts[name] = part.text
    choices: tuple[Choice, ...] = ()
    if block.predict is not None and block.predict.choices:
        texts["question"], choices = _choices_of(texts.get("question", ""))
        if len(choices) != len(block.predict.choices):
            words = {"there": str(len(choices)), "asked": str(len(block.predict.choices))}
            _refuse(own.line, "the text has {there} choices and the block {asked}; nearest: {there}", **words)
    for wanted, there in (("Predict", block.predict), ("Do", block.do)):
        if (there is not None) is not bool(texts.get(PARTS[wanted])):
            _refuse(own.line, "the part {part} is in the text and in the block, or in neither", part=wanted)
    try:
        session = _session_of(block, before)
    except SpecError as error:
        raise LessonError(own.block_line or own.line, error.text) from error
    step = LessonStep(
        number=number,
        line=own.line,
        title=own.heading,
        text=own.text,
        session=session,
        block=block,
        choices=choices,
        **texts,
    )
    try:
        _ = step.solved
        for expression in chain.from_iterable(map(expressions_of, step.texts)):
            names_in(expression)
    except (SpecError, ExpressionError) as error:
        raise LessonError(own.block_line or own.line, error.text) from error
    return step


def names_used(step: LessonStep) -> frozenset[str]:
    """Return every name that the expressions of a step use."""
    block = step.block
    conditions = (*((block.do.until,) if block.do else ()), *(block.predict.expressions if block.predict else ()))
    return frozenset(
        chain.from_iterable(map(names_in, (*conditions, *chain.from_iterable(map(expressions_of, step.texts)))))
    )


def _session_of(block: Block, before: Session) -> Session:
    begun = preset(block.preset).session if block.preset else before
    return Change(spec=block.spec, view=block.view).of(begun)


def _choices_of(text: str) -> tuple[str, tuple[Choice, ...]]:
    """Return the question and its choices: the items of the first list, each with the paragraphs of why."""
    lines, tokens = _lines_of(text), _tokens_of(text)
    lists = [token for token in tokens if token.level == 0 and token.type in ("ordered_list_open", "bullet_list_open")]
    if not lists or lists[0].map is None:
        return text, ()
    choices: list[list[str]] = []
    start, end = lists[0].map
    for token in tokens:
        inside = token.map is not None and start <= token.map[0] < end
        if token.type == "list_item_open" and token.level == 1 and inside:
            choices.append([])
        elif token.type == "inline" and inside and choices:
            choices[-1].append(token.content)
    found = tuple(Choice(each[0] if each else "", "\n\n".join(each[1:])) for each in choices)
    return "\n".join(lines[:start] + lines[end:]).strip(), found


def _block_of(part: _Part, model: type[_PartT]) -> _PartT:
    if part.block is None:
        return model()
    try:
        values = json.loads(part.block, object_pairs_hook=_without_doubles)
        if not isinstance(values, dict):
            _refuse(part.block_line, "a block is a JSON object, {{...}}")
        return model.model_validate(values)
    except json.JSONDecodeError as error:
        raise LessonError(
            part.block_line + error.lineno, Text("this is not JSON: {why}", {"why": error.msg})
        ) from error
    except RecursionError as error:
        raise LessonError(part.block_line, Text("this is not JSON: it is nested too deep")) from error
    except ValidationError as error:
        own = error.errors()[0].get("ctx", {}).get("error")  # of a rule between the parts of a block
        problem = own.text if isinstance(own, Refused) else problems_of(error, model)[0].text
        raise LessonError(part.block_line, problem) from error
    except ExpressionError as error:
        raise LessonError(part.block_line, error.text) from error


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise ExpressionError("{name} is given twice; only one value can count", name=said(double))
    return values


def _refuse(line: int, problem: English, /, **words: Any) -> NoReturn:
    raise LessonError(line, Text(problem, words))
