"""Lessons as text for `reading`: the block of a step has only the differences from the step before."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from attnviz.definitions.text import Refused, Text
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset, preset_of
from attnviz.experiment.labs import Spec, SpecError
from attnviz.experiment.lessons.expression import ExpressionError, names_in
from attnviz.experiment.lessons.lesson import (
    MOST_STEPS,
    Block,
    Choice,
    Lesson,
    LessonStep,
    SessionChange,
    first_session,
)
from attnviz.experiment.lessons.reading import (
    BLOCK,
    NOT_ONE_TEXT,
    PARTS,
    expressions_of,
    first_lab_session,
    is_one_text,
    lesson_of,
)
from attnviz.experiment.view_settings import ViewSettings

_LONGEST_LINE = 100


def with_steps(lesson: Lesson, steps: tuple[LessonStep, ...]) -> Lesson:
    """Return a lesson with other steps, numbered in order.

    Raises:
        Refused: they are too many.
    """
    if len(steps) > MOST_STEPS:
        raise Refused("a lesson has at most {most} steps", most=MOST_STEPS)
    return replace(lesson, steps=tuple(replace(step, number=number) for number, step in enumerate(steps, 1)))


def write_lesson(lesson: Lesson, path: Path) -> None:
    """Write a lesson to a file.

    Raises:
        Refused: as `lesson_to_text`.
        OSError: the file cannot be written.
    """
    content = lesson_to_text(lesson).encode()
    write_atomically(path, lambda file: file.write(content))


def lesson_to_text(lesson: Lesson) -> str:
    """Return the text of a lesson; `lesson_of` reads it back to the same steps.

    Raises:
        Refused: it has no steps, or a text of a step would not be read back; says of which.
    """
    if not lesson.steps:
        raise Refused("a lesson needs a step; nearest: add the view on screen")
    _check_text(lesson.about, Text("the lesson"))
    parts = [f"# {_heading(lesson.title)}", lesson.about, _fenced(lesson.head.model_dump(mode="json"))]
    before = first_lab_session()
    for step in lesson.steps:
        name = Text("step {number}", {"number": str(step.number)})
        for text in step.texts:
            _check_text(text, name)
        block = block_of(step, before)
        parts += [f"## {_heading(step.title)}", step.text]
        if block != Block():
            parts.append(_fenced(_values(block)))
        for heading, text in _parts(step):
            parts += [f"### {heading}", text]
        before = step.session
    text = "\n\n".join(part for part in parts if part) + "\n"
    for step, read in zip(lesson.steps, lesson_of(text).steps, strict=True):
        _check_same(step, read)
    return text


def _check_same(step: LessonStep, read: LessonStep) -> None:
    """Raise `Refused` if a step is not read back as it was written: nothing that was typed may be lost."""
    same_block = (read.block.predict, read.block.do) == (step.block.predict, step.block.do)
    for name in (*PARTS.values(), "text"):
        if getattr(read, name) != getattr(step, name).strip() or read.choices != step.choices or not same_block:
            values = {"number": str(step.number), "name": name}
            raise Refused("step {number}: the text of its part {name} would be read as something else", **values)


def block_of(step: LessonStep, before: Session) -> Block:
    """Return the block of a step that follows one with another session: unchanged if it is still valid.

    Else it has the shortest change to its session from the session before, or from a preset.
    """
    own = step.block
    candidates = [own] if own != Block() else []
    bases = dict.fromkeys(("", own.preset, known.name if (known := preset_of(step.spec)) else ""))
    for name in bases:
        change = change_between(preset(name).session if name else before, step.session)
        candidates.append(own.model_copy(update={"preset": name, "spec": change.spec, "view": change.view}))
    there = [block for block in candidates if _leads(block, before, step.session)]
    if own in there:
        return own
    return min(there, key=lambda block: len(json.dumps(_values(block))))


def _leads(block: Block, before: Session, session: Session) -> bool:
    base = preset(block.preset).session if block.preset else before
    try:
        reached = SessionChange(spec=block.spec, view=block.view).of(base)
    except SpecError:
        return False
    return (reached.spec, reached.shown_view) == (session.spec, session.shown_view)


def change_between(before: Session, after: Session) -> SessionChange:
    """Return the change from one session to another: the effect of "show me"."""
    base, begins = before, {}
    if before.spec.lab != after.spec.lab:
        base, begins = first_session(after.spec.lab), {"lab": after.spec.lab}
    spec = begins | _difference(base.spec, after.spec)
    return SessionChange(spec=spec, view=_difference(base.shown_view, after.shown_view))


def _difference(base: Spec | ViewSettings, other: Spec | ViewSettings) -> dict[str, Any]:
    """Return the fields in which another spec or view of the same lab differs from a base, as JSON values.

    A field that the other omits because it has its default is written out: the base has another value.
    """
    before, after = base.model_dump(mode="json"), other.model_dump(mode="json")
    removed = {name: to_jsonable_python(getattr(other, name), fallback=dict) for name in before if name not in after}
    return {name: value for name, value in (after | removed).items() if name not in before or before[name] != value}


def _values(block: Block) -> dict[str, Any]:
    return block.model_dump(mode="json", exclude_defaults=True)


def _fenced(values: dict[str, Any]) -> str:
    """Return a block: on one line if it is short, else with a line for each name."""
    content = json.dumps(values, ensure_ascii=False)
    if len(content) > _LONGEST_LINE:
        lines = (f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())
        content = "{\n" + ",\n".join(lines) + "\n}"
    return f"```{BLOCK}\n{content}\n```"


def _heading(title: str) -> str:
    """Return a title as a one-line heading; Markdown strips # signs at its end, unless more follow."""
    line = " ".join(title.split())
    return f"{line} ##" if line.endswith("#") else line


def _parts(step: LessonStep) -> Iterator[tuple[str, str]]:
    for heading, name in PARTS.items():
        text = getattr(step, name)
        if name == "question" and step.choices:
            text = "\n\n".join(part for part in (text, listed_choices(step.choices)) if part)
        if text:
            yield heading, text


def listed_choices(choices: tuple[Choice, ...]) -> str:
    """Return choices as the list that `reading.choices_of` parses."""
    items = []
    for number, choice in enumerate(choices, 1):
        paragraphs = "\n\n".join(part for part in (choice.text, choice.why) if part)
        items.append(f"{number}. " + re.sub(r"\n(?=[^\n])", "\n   ", paragraphs))
    return ("\n\n" if any(choice.why for choice in choices) else "\n").join(items)


def _check_text(text: str, where: Text) -> None:
    if not is_one_text(text):
        raise Refused("{where}: {problem}", where=where, problem=Text(NOT_ONE_TEXT))
    try:
        for expression in expressions_of(text):
            names_in(expression)
    except ExpressionError as error:
        raise Refused("{where}: {problem}", where=where, problem=error.text) from error
