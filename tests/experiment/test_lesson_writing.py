"""Lessons that are written: what is read back is what was written, and a block has only what a step changes."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from every_field import WITHOUT_RUNS, changes
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviz.definitions.text import Refused
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import LABS
from attnviz.experiment.lessons.lesson import MOST_STEPS, Lesson, LessonStep
from attnviz.experiment.lessons.reading import lesson_named, lesson_names, lesson_of
from attnviz.experiment.lessons.writing import lesson_to_text, with_steps
from attnviz.experiment.view_settings import ViewSettings
from tests.support.new_lessons import new_lesson, new_step

SESSIONS = [each.session for each in presets().values()]


def said_by(step: LessonStep) -> Any:
    """Return all that a step is, but for where it is and how its block says what it shows."""
    block = step.block.model_copy(update={"preset": "", "spec": {}, "view": {}})
    shown = step.spec, step.session.shown_view
    return replace(step, number=0, line=0, block=block, session=step.session.model_copy(update={"format": 1})), shown


def assert_same(lesson: Lesson, again: Lesson) -> None:
    assert (again.title, again.about, again.head) == (lesson.title, lesson.about, lesson.head)
    assert len(again.steps) == len(lesson.steps)
    for step, same in zip(lesson.steps, again.steps, strict=True):
        assert said_by(same) == said_by(step)


@pytest.mark.parametrize("language", ["", "zh_CN"])
@pytest.mark.parametrize("name", lesson_names())
def test_that_a_lesson_is_read_back_as_it_was_also_in_another_order(name: str, language: str) -> None:
    lesson = lesson_named(name, language)
    assert_same(lesson, lesson_of(lesson_to_text(lesson)))
    turned = with_steps(lesson, lesson.steps[::-1])
    assert_same(turned, lesson_of(lesson_to_text(turned)))


PIECES = st.sampled_from(
    [
        "A sentence of {num_heads} heads.",
        "$a_{ij}$ and `{not one}`",
        "- one\n- two\n\n  more",
        "1. first\n2. second",
        "```python\n# no heading\n```",
        "> quoted",
        "权重 \u2028 \x0c &amp; <b>bold</b>",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "\\# no heading",
    ]
)
TEXTS = st.lists(PIECES, max_size=3).map("\n\n".join)
TITLES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="{}"), max_size=12)


@settings(max_examples=60)
@given(data=st.data(), title=TITLES, about=TEXTS)
def test_that_any_steps_are_read_back(data: st.DataObject, title: str, about: str) -> None:
    steps = []
    for session in data.draw(st.lists(st.sampled_from(SESSIONS), min_size=1, max_size=5)):
        changes = data.draw(st.fixed_dictionaries({}, optional={"head": st.integers(0, 3), "query": st.integers(0, 1)}))
        step = new_step(data.draw(TITLES), session.with_view(**changes))
        steps.append(replace(step, text=data.draw(TEXTS), notes=data.draw(TEXTS), hint=data.draw(TEXTS)))
    lesson = with_steps(replace(new_lesson(title), about=about), tuple(steps))
    assert_same(lesson, lesson_of(lesson_to_text(lesson)))


def test_that_a_block_has_only_what_differs_from_the_step_before() -> None:
    session = presets()["masked-softmax-book"].session
    held = session.with_view(key=1)
    seed = held.model_copy(update={"spec": held.spec.model_copy(update={"seed": 7})})
    steps = tuple(new_step(str(place), each) for place, each in enumerate((session, held, held, seed)))
    text = lesson_to_text(with_steps(new_lesson("Mine"), steps))
    head, *blocks = [json.loads(found) for found in re.findall(r"```attnviz\n(.*?)\n```", text, re.DOTALL)]
    assert head["format"] == 1
    assert blocks == [{"preset": "masked-softmax-book"}, {"view": {"key": 1}}, {"spec": {"seed": 7}}]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("## Another", "step 1"),
        ("text\n---\n", "step 1"),
        ("```\nno end", "step 1"),
        ("<!-- no end", "step 1"),
        ("```attnviz\n{}\n```", "step 1"),
        ("{no end", "step 1"),
        ("{import os}", "step 1"),
    ],
)
def test_that_a_text_that_would_be_read_as_something_else_is_refused(text: str, why: str) -> None:
    step = replace(new_step("One", SESSIONS[0]), text=text)
    with pytest.raises(Refused, match=why):
        lesson_to_text(with_steps(new_lesson("Mine"), (step,)))


def test_that_a_lesson_has_a_step_and_not_too_many() -> None:
    with pytest.raises(Refused, match="needs a step"):
        lesson_to_text(new_lesson("Mine"))
    with pytest.raises(Refused, match=f"at most {MOST_STEPS} steps"):
        with_steps(new_lesson("Mine"), (new_step("", SESSIONS[0]),) * (MOST_STEPS + 1))


def assert_read_back(sessions: list[Session]) -> None:
    """Write lessons whose steps show these sessions in turn, and read them back."""
    for start in range(0, len(sessions), MOST_STEPS):
        steps = tuple(new_step("Step", each) for each in sessions[start : start + MOST_STEPS])
        lesson = with_steps(new_lesson("Mine"), steps)
        assert_same(lesson, lesson_of(lesson_to_text(lesson)))


@pytest.mark.parametrize("lab", [lab for lab in LABS if lab not in WITHOUT_RUNS])
def test_that_every_field_of_a_spec_is_read_back_where_a_step_sets_it_and_the_next_resets_it(lab: str) -> None:
    of_lab = [change for change in changes() if change.before.lab == lab]
    assert_read_back([Session(spec=spec) for each in of_lab for spec in (each.before, each.after, each.before)])


_SWEEP = {"knobs": ["num_heads=1,2"], "seeds": "0:3", "measure": "entropy"}


def other_values(view: ViewSettings, name: str) -> list[Any]:
    """Return legal values of a field of view settings other than its own."""
    options = type(view).model_json_schema()["properties"][name].get("enum", [])
    marks = type(view).model_fields[name].metadata
    names = [each for mark in marks if isinstance(mark, OneOf) for each in mark.registry]
    found = []
    for value in (*options, *names, True, False, None, 3, "ab", 0.25, _SWEEP, {"runs": 3}):
        try:
            other = type(view).model_validate(view.model_dump(mode="json") | {name: value})
        except ValueError:
            continue
        if getattr(other, name) != getattr(view, name):
            found.append(getattr(other, name))
    return found


@pytest.mark.parametrize("lab", LABS)
def test_that_every_field_of_a_view_is_read_back_where_a_step_sets_it_and_the_next_resets_it(lab: str) -> None:
    session = next(each for each in SESSIONS if each.spec.lab == lab)
    usual = LABS[lab].view_type()
    sessions = []
    for name in type(usual).model_fields.keys() - {"lab", "pinned_step"}:  # an older file's pinned_step becomes a pin
        values = other_values(usual, name)
        assert values, name
        for value in values:
            changed = usual.model_copy(update={name: value})
            sessions += [session.model_copy(update={"view": view}) for view in (usual, changed, usual)]
    assert_read_back(sessions)
