"""What the check of a lesson finds: whatever it says or asks that its runs do not show."""

import numpy as np
import pytest

from attnviz.engine.lessons import LessonRuns, check_lesson, check_translation
from attnviz.experiment.lessons.reading import lesson_named, lesson_names, lesson_of, translations

STEP = '# A\n## B\n{text}\n```attnviz\n{{"preset": "masked-softmax-book"{more}}}\n```\n'
DO = '"do": {{"until": "valid_lens == [2, 4]", "answer": {{"spec": {{"valid_lens": {0}}}}}}}'


def problems_of(more: str = "", text: str = "", after: str = "") -> list[str]:
    lesson = lesson_of(STEP.format(text=text, more=f", {more}" if more else "") + after)
    return [str(problem) for problem in check_lesson(lesson)]


@pytest.mark.parametrize("name", lesson_names())
def test_that_a_lesson_that_comes_along_can_be_given(name: str) -> None:
    lesson = lesson_named(name)
    assert list(check_lesson(lesson)) == []
    for language in translations(name):
        assert list(check_translation(lesson, lesson_named(name, language), language)) == []


def test_that_a_sound_step_has_no_problem() -> None:
    task = DO.format("[2, 4]")
    assert problems_of(f'"controls": ["valid_lens"], {task}', "{weights[0, 0, 0, 2]}", "### Do\nx") == []


@pytest.mark.parametrize(
    ("more", "text", "after", "words"),
    [
        (DO.format("[2, 3]"), "", "### Do\nx", "the solution does not complete the task"),
        (DO.format("[2, 4]").replace("== [2, 4]", "== [2, 3]"), "", "### Do\nx", "already done when the step opens"),
        ('"predict": {"choices": ["1 == 1", "2 == 2"]}', "", "### Predict\nx\n\n1. a\n2. b", "2 of the choices"),
        ('"predict": {"number": "log(weights[0, 0, 0, 3])"}', "", "### Predict\nx", "is not a number"),
        ('"predict": {"cells": "weights == 0"}', "", "### Predict\nx", "not a matrix"),
        ("", "{weights[0, 0, 0, 9]}", "", "has no value here"),
        ('"controls": ["num_heads"]', "", "", "not a control that acts here"),
        ('"look": {"query": 7}', "", "", "the last one is 1"),
        ('"look": {"stage": "capped"}', "", "", "no stage"),
        ('"spec": {"inputs": {"kind": "file", "path": "gone.npz"}}', "", "", "gone.npz"),
    ],
)
def test_that_what_a_run_does_not_show_is_found(more: str, text: str, after: str, words: str) -> None:
    problem = problems_of(more, text, after)[0]
    assert words in problem
    assert problem.startswith("line 2: step 1: ")


def test_that_a_test_of_a_training_has_values_where_they_are_named() -> None:
    text = "{tested.accuracy} {tested.whole.loss:.2f}"
    training = '"spec": {"steps": 2, "num_tokens": 17, "num_hiddens": 8, "num_heads": 2, "heads_off": ["1.1"]}'
    lesson = lesson_of(f'# A\n## B\n{text}\n```attnviz\n{{"preset": "train-copy", {training}}}\n```')
    assert list(check_lesson(lesson)) == []


def test_that_a_step_shows_its_own_training_and_not_that_of_the_step_before() -> None:
    faster = '## C\n```attnviz\n{"spec": {"learning_rate": 0.5}}\n```'
    lesson = lesson_of(f'# A\n## B\n```attnviz\n{{"preset": "kernel-learned"}}\n```\n{faster}')
    runs = LessonRuns(lesson)
    slow, fast = (runs.trace_of(step.session).arrays()["w"] for step in lesson.steps)
    alone = LessonRuns(lesson).trace_of(lesson.steps[1].session).arrays()["w"]
    assert not np.array_equal(slow, fast)
    assert np.array_equal(fast, alone)


def test_that_another_language_has_the_same_blocks_and_numbers() -> None:
    one = lesson_of("# A\n## B\n{num_heads} heads\n### Hint\nx")
    assert list(check_translation(one, lesson_of("# 甲\n## 乙\n有 {num_heads} 个头\n### Hint\n好"), "zh_CN")) == []
    other_block = '```attnviz\n{"view": {"head": 1}}\n```'
    for text in ("有 4 个头\n### Hint\n好", "{num_heads}", f"{{num_heads}}\n{other_block}\n### Hint\n好"):
        assert len(list(check_translation(one, lesson_of(f"# 甲\n## 乙\n{text}"), "zh_CN"))) == 1


def test_that_what_heads_add_is_what_the_lesson_about_it_says_in_later_steps() -> None:
    lesson = lesson_named("13-what-a-head-adds")
    (shown,) = [LessonRuns(lesson).shown(step.session, frozenset({"tested"})) for step in lesson.steps[:1]]
    tested = shown.values["tested"]
    said = lesson.steps[1].text, lesson.steps[2].text
    assert f"Head 2.2 adds {tested['attribution'][1, 1]:.2f} of {tested['attribution_logit']:.2f}" in said[0]
    assert f"Head 1.2 adds {tested['attribution'][0, 1]:.2f}" in said[1]
    largest = np.argsort(-tested["attribution"], axis=None)[:2]
    assert sorted(map(int, largest)) == [4, 5]  # heads 2.1 and 2.2
