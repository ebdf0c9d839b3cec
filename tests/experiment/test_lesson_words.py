"""What lessons say is true on paper too: instructions for the window are in tasks, hints and notes alone."""

import re

import pytest

from attnviz.experiment.lessons.reading import lesson_named, lesson_names

_OF_THE_WINDOW = re.compile(
    r"above the picture|[Cc]hoose \*|[Mm]ove \*|\*? above\.|[Tt]ype \S+ into|on the left|在图的?上方|在左边选|拖动“"
)


@pytest.mark.parametrize("language", ["", "zh_CN"])
@pytest.mark.parametrize("name", lesson_names())
def test_that_texts_questions_and_answers_need_no_window(name: str, language: str) -> None:
    for step in lesson_named(name, language).steps:
        for text in (step.text, step.question, step.answer):
            found = _OF_THE_WINDOW.search(text)
            assert found is None, f"step {step.number}: {found and found.group(0)}"


_WORN = re.compile(r"\bfilling\b|\bat places?\b|\bplaces? \d|first word\b(?! of)|\blives? on\b|learning by heart", re.I)


@pytest.mark.parametrize("name", lesson_names())
def test_that_lessons_use_the_terms_of_the_field(name: str) -> None:
    for step in lesson_named(name).steps:
        for text in step.texts:
            found = _WORN.search(text)
            assert found is None, f"step {step.number}: {found and found.group(0)}"
