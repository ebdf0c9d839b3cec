"""The Markdown of a handout says what its lesson says, and no program that renders it finds HTML or a link in it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from attnviz.engine.lessons import LessonRuns
from attnviz.experiment.lessons.reading import lesson_named, lesson_names, lesson_of, text_reader
from attnviz.export.lessons.content import content_of
from attnviz.export.lessons.handout import handout_of
from attnviz.export.lessons.safe_markdown import code, safe_line, safe_markdown

ANY_PROGRAM = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
"""Renders as the programs do that know no formulas, and pass HTML and links through."""
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- hidden -->",
    "<javascript:alert(1)>",
    "[x](javascript:alert(1))",
    "![x](javascript:alert(1))",
    "[x][r]\n\n[r]: javascript:alert(1)",
    "$<b>x</b>$",
    "$[x](javascript:alert(1))$",
    "$$\n<script>\n$$",
    "`<i>`",
    "```<b>\n<script>\n```",
]
PLAIN = ["a_b*c", "**bold** *and*", "5\\$ and $", "- one\n- two", "3. three\n4. four"]
PLAIN += ["> said", "\\# x", "\\- y", "&amp;lt;"]
TEXTS = st.lists(st.sampled_from(["\n\n", "\n", " ", "- ", "> ", "   ", "\\", "`", "$", *HOSTILE, *PLAIN]), max_size=8)


def acting(markdown: str) -> list[Token]:
    """Return the tokens of a text that are HTML, links or images."""
    tokens = ANY_PROGRAM.parse(markdown)
    every = [*tokens, *(child for token in tokens for child in token.children or ())]
    return [token for token in every if token.type in ("html_block", "html_inline", "link_open", "image")]


@given(parts=TEXTS)
@example(parts=HOSTILE)
def test_that_no_text_has_html_or_a_link_that_acts(parts: list[str]) -> None:
    text = "".join(parts)
    assert not acting(safe_markdown(text))
    assert not acting(safe_line(text))
    assert not acting(code(text))


@pytest.mark.parametrize("name", lesson_names())
@pytest.mark.parametrize("language", ["", "zh_CN"])
def test_that_the_texts_of_the_lessons_say_the_same(name: str, language: str) -> None:
    reader = text_reader()
    for step in lesson_named(name, language).steps:
        for text in step.texts:
            assert reader.render(safe_markdown(text)) == reader.render(text)


@pytest.mark.parametrize("text", [*PLAIN, "\n\n".join(PLAIN), "a\n\n```python\n# <b>\n```\n\n1. x\n\n   y\n2. z"])
def test_that_a_text_without_links_says_the_same(text: str) -> None:
    assert text_reader().render(safe_markdown(text)) == text_reader().render(text)


def test_that_a_whole_handout_has_nothing_that_acts_but_its_figures() -> None:
    hostile = "<script>alert(1)</script> [x](javascript:alert(1))"
    block = (
        '```attnviz\n{"preset": "causal-sentence", "predict": {"choices": ["causal", "not causal"]}, '
        '"do": {"until": "seed == 1", "answer": {"spec": {"seed": 1}}}}\n```'
    )
    parts = [f"# A {hostile}", hostile, f"## B {hostile}", hostile, block]
    parts += [f"### Predict\n\n{hostile}\n\n1. {hostile}\n\n   {hostile}\n2. other", f"### Answer\n\n{hostile}"]
    parts += [f"### {part}\n\n{hostile}" for part in ("Do", "Done", "Hint", "Notes")]
    lesson = lesson_of("\n\n".join(parts), "a (lesson) of mine")
    runs = LessonRuns(lesson)
    content = content_of(lesson, [runs.step_shown(step) for step in lesson.steps])
    handout = handout_of(content, "a (lesson) of mine-figures", answers=True, notes=True)
    found = acting(handout.text)
    assert {token.type for token in found} == {"image"}
    assert {token.attrGet("src") for token in found} == {
        file.replace(" ", "%20").replace("(", "%28").replace(")", "%29") for file in handout.figures
    }
    assert handout.text.count("(javascript:alert(1))") == handout.text.count("alert(1)") / 2


def test_that_the_cells_to_mark_look_alike_in_a_handout_without_answers() -> None:
    block = '```attnviz\n{"preset": "causal-sentence", "predict": {"cells": "mask[0, 0]"}}\n```'
    lesson = lesson_of(f"# A\n\n## B\n\n{block}\n\n### Predict\n\nMark them.\n")
    content = content_of(lesson, [LessonRuns(lesson).step_shown(step) for step in lesson.steps])
    rows = [line for line in handout_of(content, "figures").text.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 10
    assert len({row.partition(" | ")[2] for row in rows}) == 1
    told = handout_of(content, "figures", answers=True).text
    assert told.count("✓") == 55
