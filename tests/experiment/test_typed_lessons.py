"""What is typed into the editor of lessons: nothing of it is lost, and every problem is named at its field."""

from dataclasses import replace
from typing import Any

import pytest

from attnviz.definitions.text import Refused
from attnviz.engine.lessons import LessonRuns, check_lesson
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.lessons.lesson import SessionChange, values_of
from attnviz.experiment.lessons.offers import offers, offers_of_cells
from attnviz.experiment.lessons.reading import lesson_named, lesson_names, lesson_of
from attnviz.experiment.lessons.typed import TypedChoice, TypedLesson, TypedStep, typed_lesson, without_choice
from attnviz.experiment.lessons.writing import lesson_to_text
from tests.support.new_lessons import new_lesson

SESSION = preset("masked-softmax-book").session
CHOICES = (TypedChoice("Key 1", "Look again."), TypedChoice("Key 2", "It has {weights[0, 0, 1, 1]:.0%}."))
ASKS = TypedStep(session=SESSION, title="A", form="choices", question="Which?", choices=CHOICES, right=1)
DOES = TypedStep(
    session=SESSION,
    title="B",
    has_task=True,
    task="Mask less.",
    until="valid_lens == [2, 4]",
    solution=SessionChange(spec={"valid_lens": [2, 4]}),
)
TRACE = LessonRuns(new_lesson("")).trace_of(SESSION)
VALUES = values_of(SESSION.spec, SESSION.shown_view, TRACE)


@pytest.mark.parametrize("language", ["", "zh_CN"])
@pytest.mark.parametrize("name", lesson_names())
def test_that_a_lesson_is_the_same_after_it_was_opened_for_writing(name: str, language: str) -> None:
    lesson = lesson_named(name, language)
    again = typed_lesson(lesson).finished()
    for step, same in zip(lesson.steps, again.steps, strict=True):
        assert replace(same, line=step.line) == step
    assert replace(again, steps=()) == replace(lesson, steps=())


def test_that_a_question_and_a_task_are_written_read_and_pass_the_check() -> None:
    number = TypedStep(session=SESSION, form="number", question="How much?", number="weights[0, 0, 1, 0]")
    cells = TypedStep(session=SESSION, form="cells", question="Where?", cells="weights[0, 0] > 0")
    by_run = replace(
        ASKS,
        by_run=True,
        right=None,
        choices=tuple(
            replace(choice, condition=f"argmax(weights[0, 0, 1]) == {place}") for place, choice in enumerate(CHOICES)
        ),
    )
    typed = TypedLesson(title="Mine", steps=(ASKS, DOES, number, cells, by_run))
    read = lesson_of(lesson_to_text(typed.finished()))
    assert not list(check_lesson(read))
    assert read.steps[0].block.predict is not None
    assert read.steps[0].block.predict.right_choice(VALUES) == 1
    assert read.steps[4].block.predict is not None
    assert read.steps[4].block.predict.right_choice(VALUES) == 1
    again = typed_lesson(read)
    assert [replace(step, block=ASKS.block) for step in again.steps] == list(typed.steps)


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"text": "{wrong[0]}"}, "text", "no 'wrong' here; nearest: weights"),
        ({"text": "{num_head}"}, "text", "nearest: num_heads"),
        ({"text": "{weights}"}, "text", "several values"),
        ({"text": "{no end"}, "text", "a brace is left open"),
        ({"text": "## B"}, "text", "no heading"),
        ({"title": "{x y}"}, "title", "not an expression"),
        ({"question": " "}, "question", "needs a text"),
        ({"question": "a\n\n1. b"}, "question", "read as its choices"),
        ({"answer": "{wrong}"}, "answer", "no 'wrong'"),
        ({"right": None}, "choices", "no choice is marked"),
        ({"choices": CHOICES[:1], "right": 0}, "choices", "at least two choices"),
        ({"choices": (*CHOICES, TypedChoice("Key 1"))}, "choice.2", "the same as choice A"),
        ({"choices": (*CHOICES, TypedChoice())}, "choice.2", "needs a text"),
        ({"choices": (*CHOICES, TypedChoice("- a"))}, "choice.2", "one paragraph"),
        ({"choices": (*CHOICES, TypedChoice("a", "# b"))}, "why.2", "paragraphs"),
        ({"choices": (*CHOICES, TypedChoice("a", "{b c}"))}, "why.2", "not an expression"),
        ({"by_run": True}, "condition.0", "an expression is needed"),
        ({"by_run": True, "choices": tuple(replace(each, condition="1 == 1") for each in CHOICES)}, "choices", "2 of"),
        (
            {"by_run": True, "choices": tuple(replace(each, condition="x > 1") for each in CHOICES)},
            "condition.1",
            "'x'",
        ),
        ({"form": "number"}, "number", "an expression is needed"),
        ({"form": "number", "number": "weights"}, "number", "not a number"),
        ({"form": "number", "number": "1", "within": "much"}, "within", "'much' must be a number"),
        ({"form": "cells", "cells": "weights[0, 0]"}, "cells", "not a matrix"),
        ({"has_task": True}, "task", "needs a text"),
        ({"has_task": True}, "solution", "no solution yet"),
        ({"has_task": True, "until": "num_heads == 4 4"}, "until", "not an expression"),
        ({"has_task": True, "until": "batch_size == 2"}, "until", "already done when the step opens"),
        ({"has_task": True, "until": "seed == 1", "solution": SessionChange(spec={"seed": "x"})}, "solution", "seed"),
    ],
)
def test_that_every_problem_is_named_at_its_field(changes: dict[str, Any], field: str, words: str) -> None:
    assert ASKS.problems(VALUES) == ()
    step = replace(ASKS, **changes)
    assert any(problem.field == field and words in str(problem.text) for problem in step.problems(VALUES)), [
        (problem.field, str(problem.text)) for problem in step.problems(VALUES)
    ]


def test_that_a_solution_that_does_not_do_the_task_is_found() -> None:
    solved = values_of(SESSION.spec, SESSION.shown_view, None)
    assert DOES.problems(VALUES, solved)[0].field == "until"
    assert DOES.solved is not None
    assert DOES.problems(VALUES, values_of(DOES.solved.spec, SESSION.shown_view, None)) == ()


def test_that_what_is_switched_off_is_kept_and_asks_nothing() -> None:
    off = replace(ASKS, form="", has_task=False, until="x y")
    assert off.problems(VALUES) == ()
    step = off.finished()
    assert (step.question, step.choices, step.block.predict, step.block.do) == ("", (), None, None)
    assert replace(off, form="choices").choices == CHOICES


def test_that_an_unfinished_step_is_refused_with_its_number_and_field() -> None:
    lesson = TypedLesson(title="Mine", steps=(ASKS, replace(ASKS, choices=(CHOICES[0], TypedChoice()))))
    with pytest.raises(Refused, match="step 2, choice B: a choice needs a text"):
        lesson.finished()


def test_that_the_mark_stays_with_its_choice_when_another_is_removed() -> None:
    assert without_choice(ASKS, 0).right == 0
    assert without_choice(ASKS, 1).right is None
    assert without_choice(replace(ASKS, right=0), 1).right == 0


def test_that_what_is_offered_is_true_of_what_is_on_screen() -> None:
    view = SESSION.shown_view.changed(query=1, key=0)
    changed = SESSION.spec.model_copy(update={"seed": 9})
    found = offers(SESSION.spec, view, TRACE, VALUES, changed)
    assert found[0].expression == "seed"  # what differs comes first
    weight = next(each for each in found if each.expression == "weights[0, 0, 1, 0]")
    assert weight.value == pytest.approx(float(TRACE.weights[0, 0, 1, 0]))
    for offer in found:
        step = replace(ASKS, text=offer.in_text if not isinstance(offer.value, bool) else "")
        assert step.problems(VALUES) == ()
        wanted = replace(DOES, until=f"not ({offer.condition})", solution=None).problems(VALUES)
        assert [problem.field for problem in wanted] == ["solution"], offer
    for offer in offers_of_cells(view, TRACE, VALUES):
        assert replace(ASKS, form="cells", cells=offer.expression).problems(VALUES) == ()


@pytest.mark.parametrize(
    "text", ["<b>x</b>", "مرحبا {num_hiddens} \u202e", "{" * 3000, "x" * 10_000, "{{}}", "\\", "`", "$"]
)
def test_that_any_text_is_read_back_or_refused(text: str) -> None:
    step = replace(ASKS, text=text, notes=text, question=text, choices=(TypedChoice(text, text), TypedChoice("b")))
    lesson = TypedLesson(title=text, steps=(step,))
    problems = step.problems(VALUES)
    try:
        read = lesson_of(lesson_to_text(lesson.finished()))
    except Refused:
        assert problems
    else:
        assert (read.steps[0].text, read.steps[0].choices[0].why) == (text.strip(), text.strip())
