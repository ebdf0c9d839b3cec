"""Lessons in Markdown files: included ones, and those of lecturers. Every error names its line.

The first heading is the lesson's title, each ``##`` begins a step, and each ``###`` a part of it: Predict, Answer, Do,
Done, Hint or Notes, by these names in every language. A fenced block ``attnviz`` has everything else, as JSON: of the
lesson before its first step, and of each step. The spec of a step is that of the step before with the fields that the
block changes, or a preset's with them; one that names its ``lab`` starts from defaults.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from attnviz.definitions.labs import FIRST_LAB
from attnviz.definitions.text import English, Refused, Text, nearest_word, number_said, quoted
from attnviz.experiment.fields.problems import problems_of
from attnviz.experiment.files import consent
from attnviz.experiment.files.session import Session, session_from_json
from attnviz.experiment.files.specs_in_files import preset, text_of
from attnviz.experiment.labs import SpecError
from attnviz.experiment.lessons.expression import (
    ExpressionError,
    Values,
    expressions_in,
    filled,
    names_in,
    parse,
    problems_in,
)
from attnviz.experiment.lessons.lesson import (
    MOST_STEPS,
    Block,
    Choice,
    Head,
    Lesson,
    LessonStep,
    SessionChange,
    Topic,
    first_session,
)
from attnviz.experiment.texts.printed_sums import wrong_sums
from attnviz.folders import resource, resource_in

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

SUFFIX = ".md"
PARTS = {"Predict": "question", "Answer": "answer", "Do": "task", "Done": "done", "Hint": "hint", "Notes": "notes"}
"""The parts of a step by their headings, and the field of `LessonStep` that each becomes."""
BLOCK = "attnviz"
"""The info string of a block's fence."""
NOT_ONE_TEXT: English = "a text must have no heading, no block and nothing left open"
"""The message about a text that cannot be in a lesson; see `is_one_text`."""
_VERBATIM = re.compile(r"(`[^`\n]*`|\$\$.+?\$\$|\$[^$\n]+\$)", re.DOTALL)
"""Code and formulas, in which braces are braces."""
_PartT = TypeVar("_PartT", bound=BaseModel)


class LessonError(Refused):
    """A file is not a lesson; its text begins with the line."""

    def __init__(self, line: int, problem: Text) -> None:
        super().__init__(Text("line {line}: {problem}", {"line": line, "problem": problem}))
        self.line = line


def fill(markdown: str, values: Values | None) -> str:
    """Return a text with the values of its expressions, or without values with placeholders.

    Code and formulas stay unchanged.

    Raises:
        ExpressionError: an expression has no value.
    """
    parts = _VERBATIM.split(markdown)
    return "".join(part if index % 2 else filled(part, values) for index, part in enumerate(parts))


def expressions_of(markdown: str) -> tuple[str, ...]:
    """Return the expressions of a text; raises `ExpressionError` if a brace is not closed."""
    return tuple(chain.from_iterable(map(expressions_in, _VERBATIM.split(markdown)[::2])))


def text_reader() -> "MarkdownIt":
    """Return a parser for the texts of lessons, with formulas, but without HTML and images."""
    from markdown_it import MarkdownIt  # only lessons need it
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    return MarkdownIt("commonmark", {"html": False}).disable("image").use(dollarmath_plugin, double_inline=True)


def as_markdown(text: str) -> str:
    """Return a plain text as Markdown, with the characters escaped that have a meaning there."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>$#" else sign for sign in text)


def lesson_names() -> tuple[str, ...]:
    """Return the names of the included lessons, in order."""
    return tuple(path.stem for path in sorted(resource("lessons").glob(f"*{SUFFIX}")))


@cache
def lesson_named(name: str, language: str = "") -> Lesson:
    """Return an included lesson, in a language if available, else in English.

    Raises:
        SpecError: there is no such lesson.
        LessonError: its file is not one.
    """
    names = lesson_names()
    if name not in names:
        near = nearest_word(name, names)
        raise SpecError.of("lesson", "no_such_lesson", "there is no lesson {said}{near}", said=quoted(name), near=near)
    lesson = read_lesson(_file_of(name, language), resource("lessons") / f"{name}.attnviz")
    for step in lesson.steps:
        for session in (step.session, *([step.solved] if step.solved is not None else [])):
            _allow_code(session.spec)
    return lesson


def _allow_code(spec: Any) -> None:
    """Allow the functions of a lesson that comes along: its text is attnviz's own."""
    mods = getattr(spec, "mods", None)
    if mods is not None and mods.source is not None:
        consent.allow(mods.digest, remember=False)


def translations(name: str) -> tuple[str, ...]:
    """Return the languages, except English, of an included lesson."""
    return tuple(path.parent.name for path in sorted(resource("lessons").glob(f"*/{name}{SUFFIX}")))


@cache
def topics(language: str = "") -> tuple[Topic, ...]:
    """Return the heads of all included lessons, in order; no step is read."""
    in_order = []
    for name in lesson_names():
        (head, *_), errors = _parts_of(_file_of(name, language).read_text(encoding="utf-8").partition("\n## ")[0])
        block = _block_of(head, Head, errors)
        assert block is not None, errors
        in_order.append(Topic(name, head.heading, block.presets))
    return tuple(in_order)


def _file_of(name: str, language: str) -> Path:
    return resource_in(language, f"lessons/{name}{SUFFIX}")


def read_lesson(path: Path, stored: Path | None = None) -> Lesson:
    """Return the lesson of a file, with a stored run beside it, of the same name.

    Raises:
        OSError: the file cannot be read.
        SpecError: it is too large, or no text; or the stored run cannot be read.
        LessonError: it is not a lesson; names the line.
    """
    lesson, errors = read_lesson_and_errors(path, stored)
    if errors:
        raise errors[0]
    return lesson


def read_lesson_and_errors(path: Path, stored: Path | None = None) -> tuple[Lesson, tuple[LessonError, ...]]:
    """Return the readable part of the lesson of a file and all errors, as `lesson_and_errors` does.

    Raises:
        OSError, SpecError: as `read_lesson`.
    """
    with path.open("rb") as stream:
        text = text_of(stream, path.name)
    file = path.absolute() if stored is None else None
    stored = path.with_suffix(".attnviz") if stored is None else stored
    trained = None
    if stored.is_file():
        with stored.open("rb") as stream:
            trained = session_from_json(text_of(stream, stored.name)).trained
    lesson, errors = lesson_and_errors(text, path.stem, trained)
    return replace(lesson, file=file), errors


def lesson_of(text: str, name: str = "", trained: Any = None) -> Lesson:
    """Return the lesson of a text; raises the first `LessonError` of `lesson_and_errors`."""
    lesson, errors = lesson_and_errors(text, name, trained)
    if errors:
        raise errors[0]
    return lesson


def lesson_and_errors(text: str, name: str = "", trained: Any = None) -> tuple[Lesson, tuple[LessonError, ...]]:
    """Return a lesson of the valid steps, and all errors in the others, by line.

    The steps after one with an invalid block have no session to start from, so they are left out as well, up to one
    that starts from a preset or names its lab; errors in their texts are reported nonetheless.
    """
    parts, errors = _parts_of(text)
    if not parts or parts[0].level != 1:
        errors.append(_error(1, "a lesson begins with its title; nearest: # Masked softmax"))
        return Lesson(name=name, title="", about="", head=Head(), steps=(), trained=trained), (errors[0],)
    first, *others = parts
    begun: list[list[_Part]] = []
    for part in others:
        if part.level == 1:
            errors.append(_error(part.line, "a lesson has one title; nearest: ## for a step"))
            continue
        if part.level == 2:
            begun.append([])
        if begun:
            begun[-1].append(part)
        else:
            sentence: English = "the part {said} is before the first step; nearest: ## for a step"
            errors.append(_error(part.line, sentence, said=part.heading))
    if len(begun) > MOST_STEPS or not (begun or errors):
        numbers = {"most": MOST_STEPS, "count": str(len(begun))}
        errors.append(_error(first.line, "a lesson has 1 to {most} steps, not {count}", **numbers))
    head = _block_of(first, Head, errors) or Head()
    steps: list[LessonStep] = []
    session: Session | None = first_lab_session()
    for number, group in enumerate(begun[:MOST_STEPS], 1):
        step, session = _step_of(number, group, session, errors)
        if step is not None:
            steps.append(step)
    lesson = Lesson(name=name, title=first.heading, about=first.text, head=head, steps=tuple(steps), trained=trained)
    return lesson, tuple(sorted(errors, key=lambda error: error.line))


def first_lab_session() -> Session:
    """Return the default session of a lesson's first step."""
    return first_session(FIRST_LAB)


def is_one_text(text: str) -> bool:
    """Return whether a text stays one text in a lesson: it has no heading or block, and closes what it opens."""
    parts, errors = _parts_of(f"# a\n\n{text}\n\n# b\n")
    return not errors and len(parts) == 2 and parts[0].block is None and parts[0].text == text.strip()


@dataclass(slots=True)
class _Part:
    """A heading, with the text up to the next."""

    level: int
    heading: str
    line: int
    """Counted from 1."""
    lines: list[str] = field(default_factory=list)
    known: bool = True
    """Whether its heading has a level that a lesson knows."""
    block: str | None = None
    block_line: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()


def _tokens_of(text: str) -> Sequence["Token"]:
    from markdown_it import MarkdownIt  # only lessons need it

    return MarkdownIt("commonmark").parse(text)


def _lines_of(text: str) -> list[str]:
    """Return the lines as counted by Markdown; `str.splitlines` knows further line ends."""
    return re.split(r"\r\n|\n|\r", text)


def _parts_of(text: str) -> tuple[list[_Part], list[LessonError]]:
    lines = _lines_of(text)
    parts: list[_Part] = []
    errors: list[LessonError] = []
    tokens = _tokens_of(text)
    marks = [token for token in tokens if token.level == 0 and token.map and token.type in ("heading_open", "fence")]
    ends = [*(mark.map[0] for mark in marks[1:] if mark.map), len(lines)]
    if marks and marks[0].map and any(line.strip() for line in lines[: marks[0].map[0]]):
        errors.append(_error(1, "a lesson begins with its title; nearest: # Masked softmax"))
    headings = {id(token): tokens[index + 1].content for index, token in enumerate(tokens[:-1])}
    for mark, end in zip(marks, ends, strict=False):
        assert mark.map is not None
        start, after = mark.map
        if mark.type == "heading_open":
            level = int(mark.tag[1:])
            if level > 3:
                errors.append(_error(start + 1, "a lesson has headings of three levels; nearest: ###"))
            parts.append(_Part(min(level, 3), headings[id(mark)], start + 1, lines[after:end], known=level <= 3))
        elif not parts:
            errors.append(_error(start + 1, "a lesson begins with its title; nearest: # Masked softmax"))
        elif mark.info.strip() == BLOCK:
            owner = next((part for part in reversed(parts) if part.level < 3), parts[0])
            if owner.block is not None:
                errors.append(_error(start + 1, "a step has one block, and this is its second"))
            else:
                owner.block, owner.block_line = mark.content, start + 1
            parts[-1].lines += lines[after:end]
        else:
            parts[-1].lines += lines[start:end]
    return parts, errors


def _step_of(
    number: int, parts: list[_Part], before: Session | None, errors: list[LessonError]
) -> tuple[LessonStep | None, Session | None]:
    """Return a step and the session for the next one; None for invalid ones, whose errors are added to ``errors``."""
    own, at, so_far = parts[0], parts[0].block_line or parts[0].line, len(errors)
    block, texts = _block_of(own, Block, errors), _texts_of(parts, errors)
    if block is None:
        return None, None
    errors += (LessonError(at, problem) for each in block.conditions if (problem := problem_of(each)))
    choices: tuple[Choice, ...] = ()
    if block.predict is not None and block.predict.choices:
        texts["question"], choices = choices_of(texts.get("question", ""))
        if len(choices) != len(block.predict.choices):
            counts = {"there": str(len(choices)), "asked": str(len(block.predict.choices))}
            sentence: English = "the text has {there} choices and the block {asked}; nearest: {there}"
            errors.append(_error(own.line, sentence, **counts))
    for wanted, there in (("Predict", block.predict), ("Do", block.do)):
        if (there is not None) is not bool(texts.get(PARTS[wanted])):
            sentence = "the part {part} is in the text and in the block, or in neither"
            errors.append(_error(own.line, sentence, part=wanted))
    if before is None and not (block.preset or "lab" in block.spec):
        return None, None
    try:
        session = _session_of(block, before or first_lab_session())
    except SpecError as error:
        errors.append(LessonError(at, error.text))
        return None, None
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
    except SpecError as error:
        errors.append(LessonError(at, error.text))
    return step if len(errors) == so_far else None, session


def _texts_of(parts: list[_Part], errors: list[LessonError]) -> dict[str, str]:
    """Return the parts of a step after its first, by the fields of `LessonStep`."""
    own, *others = parts
    texts: dict[str, str] = {}
    for part in others:
        if part.known and part.heading not in PARTS:
            near = nearest_word(part.heading, PARTS)
            values = {"said": quoted(part.heading), "parts": ", ".join(PARTS), "near": near}
            errors.append(_error(part.line, "a part is one of {parts}, not {said}{near}", **values))
        elif part.known and PARTS[part.heading] in texts:
            errors.append(_error(part.line, "the step has two parts {said}", said=quoted(part.heading)))
        elif part.known:
            texts[PARTS[part.heading]] = part.text
    for part in parts:
        for text in (part.heading if part is own else "", part.text):
            errors += (LessonError(part.line, problem) for problem in problems_of_text(text))
    return texts


def problem_of(expression: str) -> Text | None:
    """Return why a text is not an expression; None if it is one."""
    try:
        parse(expression)
    except ExpressionError as error:
        return error.text
    return None


def problems_of_text(markdown: str, values: Values | None = None) -> Iterator[Text]:
    """Yield the errors in a text: of an expression's grammar; with values, that it has none, or several.

    With values, printed sums must add up, too.
    """
    has_names = False
    for part in _VERBATIM.split(markdown)[::2]:
        for problem in problems_in(part, values):
            has_names = True
            yield problem
    if values is not None and not has_names:
        for printed, value in wrong_sums(" ".join(fill(markdown, values).split())):
            printed_sum = {"sum": printed, "value": number_said(value, 6)}
            yield Text("{sum} is {value} as it is printed; nearest: more digits", printed_sum)


def names_used(step: LessonStep) -> frozenset[str]:
    """Return every name used by the expressions of a step."""
    of_texts = chain.from_iterable(map(expressions_of, step.texts))
    return frozenset(chain.from_iterable(map(names_in, (*step.block.conditions, *of_texts))))


def _session_of(block: Block, before: Session) -> Session:
    begun = preset(block.preset).session if block.preset else before
    return SessionChange(spec=block.spec, view=block.view).of(begun)


def choices_of(text: str) -> tuple[str, tuple[Choice, ...]]:
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
    listed = tuple(Choice(each[0] if each else "", "\n\n".join(each[1:])) for each in choices)
    return "\n".join(lines[:start] + lines[end:]).strip(), listed


def _block_of(part: _Part, model: type[_PartT], errors: list[LessonError]) -> _PartT | None:
    if part.block is None:
        return model()
    try:
        values = json.loads(part.block, object_pairs_hook=_without_doubles)
        if isinstance(values, dict):
            return model.model_validate(values)
        errors.append(_error(part.block_line, "a block is a JSON object, {{...}}"))
    except json.JSONDecodeError as error:
        errors.append(_error(part.block_line + error.lineno, "this is not JSON: {why}", why=error.msg))
    except RecursionError:
        errors.append(_error(part.block_line, "this is not JSON: it is nested too deep"))
    except ValidationError as error:
        of_rules = [each.get("ctx", {}).get("error") for each in error.errors()]  # of rules between parts of a block
        problems = [own.text for own in of_rules if isinstance(own, Refused)]
        problems = problems or [problem.text for problem in problems_of(error, model)]
        errors += (LessonError(part.block_line, problem) for problem in problems)
    except ExpressionError as error:
        errors.append(LessonError(part.block_line, error.text))
    return None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise ExpressionError("{name} is given twice; only one value can count", name=quoted(double))
    return values


def _error(line: int, problem: English, /, **values: Any) -> LessonError:
    return LessonError(line, Text(problem, values))
