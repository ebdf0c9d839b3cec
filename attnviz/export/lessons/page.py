"""A lesson as one page for a browser: it needs no network, and asks before it shows, as the window does."""

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from attnviz.definitions.text import English, Text
from attnviz.experiment.lessons.reading import text_reader
from attnviz.export.lessons.content import Exercise, LessonContent, LessonFigure, Question, StepContent
from attnviz.export.lessons.svg import Drawings, formula
from attnviz.folders import resource

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_WIDTH, _DENSE_WIDTH, _BESIDE_WIDTH = 9.0, 13.5, 7.5
"""The width of a figure in centimetres, to which its type is proportional: alone, detailed, and beside another one."""
_STACKED = 2
"""The most figures in one column; more are in two."""
_PLACE = re.compile(r"{{([a-z-]+)}}")
_SIZE = re.compile(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"')


def page_of(lesson: LessonContent, *, notes: bool = False) -> str:
    """Return a lesson as HTML; with ``notes`` those for the lecturer are in it.

    Raises:
        Refused: a figure cannot be drawn, or a formula cannot be set.
    """
    drawings, reader = Drawings(), _reader()
    steps = "\n".join(_Step(lesson, step, drawings, reader).html(notes=notes) for step in lesson.steps)
    parts = {name: (resource("lesson_page") / f"page.{name}").read_text(encoding="utf-8") for name in ("css", "js")}
    step_links = (
        f'<li><a href="#{step.number}" title="{_plain(step.title)}">{step.number}</a></li>' for step in lesson.steps
    )
    values = parts | {
        "language": lesson.language.replace("_", "-"),
        "hash": base64.b64encode(hashlib.sha256(parts["js"].encode()).digest()).decode(),
        "title": _plain(lesson.title),
        "light": drawings.light,
        "dark": drawings.dark,
        "words": _words(lesson),
        "about": reader.renderInline(lesson.about),
        "steps": steps,
        "steps-word": escape(lesson.tr("Steps")),
        "places": "".join(step_links),
        "back": escape(lesson.tr("‹ Back")),
        "every": escape(lesson.tr("All steps")),
        "next": escape(lesson.tr("Next ›")),
    }
    page = (resource("lesson_page") / "page.html").read_text(encoding="utf-8")
    return _PLACE.sub(lambda match: values[match[1]], page)


def _words(lesson: LessonContent) -> str:
    """Return the texts of the script, as attributes."""
    messages = {
        "show": lesson.tr("Show the answer"),
        "next": lesson.tr("Next ›"),
        "solve": lesson.tr("Show me"),
        "restore": lesson.tr("Back to the step"),
        "right": lesson.tr("Right."),
        "wrong": lesson.tr("Wrong."),
        "right-number": lesson.tr("Right: you answered {0}, and it is {1}."),
        "other-number": lesson.tr("You answered {0}; it is {1}."),
        "it-is": lesson.tr("It is {0}."),
        "no-number": lesson.tr("“{0}” is not a number; nearest: 0.5"),
        "every-cell": lesson.tr("Right: every cell."),
        "cells-differ": lesson.tr("Cells that differ: {0}."),
    }
    return " ".join(f'data-{name}="{escape(text)}"' for name, text in messages.items())


def _reader() -> "MarkdownIt":
    """Return a reader whose formulas are drawn, and whose links are only text."""
    reader = text_reader()
    rules: dict[str, Any] = {
        "math_inline": lambda tokens, at, *_: formula(tokens[at].content),
        "math_inline_double": lambda tokens, at, *_: formula(tokens[at].content, displayed=True),
        "math_block": lambda tokens, at, *_: f"<p>{formula(tokens[at].content.strip(), displayed=True)}</p>",
        "link_open": lambda *_: "",
        "link_close": lambda tokens, at, *_: _address(tokens, at),
    }
    for name, rule in rules.items():
        reader.add_render_rule(name, lambda _, *args, rule=rule: rule(*args))
    return reader


def _address(tokens: Sequence[Any], at: int) -> str:
    opened = next(token for token in reversed(tokens[:at]) if token.type == "link_open")
    return f" ({escape(str(opened.attrGet('href')))})"


def _plain(markdown: str) -> str:
    """Return a title for an attribute."""
    return escape(re.sub(r"[$*`\\]", "", markdown))


class _Step:
    """Writes a step."""

    def __init__(self, lesson: LessonContent, step: StepContent, drawings: Drawings, reader: "MarkdownIt") -> None:
        self._lesson, self._step, self._drawings, self._reader = lesson, step, drawings, reader

    def html(self, *, notes: bool) -> str:
        step = self._step
        texts = [f"<h2><small>{step.number}</small>{self._reader.renderInline(step.title)}</h2>", self._md(step.text)]
        pictures = list(self._figure(step.pictures, step.caption, "of-step" if step.exercise else ""))
        if step.question is not None:
            texts += self._question(step.question)
            pictures = [*self._waiting(step.question), '<div class="reveal">', *pictures, "</div>"]
        if step.exercise is not None:
            texts += self._exercise(step.exercise)
            pictures += self._figure(step.exercise.pictures, "", "of-answer")
        if notes and step.notes:
            texts.append(f'<aside class="notes"><h3>{self._tr("Notes")}</h3>{self._md(step.notes)}</aside>')
        return (
            f'<section class="step" id="step-{step.number}" tabindex="-1">\n'
            f'<div class="words">\n{"".join(texts)}</div>\n'
            f'<div class="picture">\n{"".join(pictures)}</div>\n</section>'
        )

    def _tr(self, text: English) -> str:
        return escape(self._lesson.tr(text))

    def _md(self, markdown: str) -> str:
        return str(self._reader.render(markdown))

    def _figure(self, pictures: tuple[LessonFigure, ...], caption: str, part: str) -> Iterator[str]:
        yield f'<figure class="{part}">' if part else "<figure>"
        if caption:
            yield f"<figcaption>{escape(caption)}</figcaption>"
        columns = 1 if len(pictures) <= _STACKED else 2
        yield f'<div class="figures" style="--columns:{columns};--rows:{-(-len(pictures) // columns)}">'
        for picture in pictures:
            width = _DENSE_WIDTH if picture.is_dense else _BESIDE_WIDTH if len(pictures) > 1 else _WIDTH
            svg = self._drawings.figure(picture, width)
            size = _SIZE.search(svg)
            ratio = float(size[1]) / float(size[2]) if size else 1.0
            title = f"<b>{escape(picture.title)}</b>" if picture.title else ""
            label = escape(": ".join(part for part in (picture.title, picture.description) if part))
            yield f'<div role="img" aria-label="{label}" style="--ratio:{ratio:.3f}">{title}{svg}</div>'
        yield "</div></figure>\n"

    def _question(self, question: Question) -> Iterator[str]:
        number = (
            "" if question.number is None else f' data-number="{question.number!r}" data-within="{question.within}"'
        )
        number += f' data-said="{escape(question.right)}"' if number else ""
        yield f'<div class="box question"{number}><h3>{self._tr("Predict")}</h3>{self._md(question.text)}'
        if question.choices:
            yield '<ol class="choices">'
            for choice in question.choices:
                right = " data-right" if choice.is_right else ""
                text = f"<b>{choice.letter}</b><span>{self._reader.renderInline(choice.text)}</span>"
                yield f'<li><button type="button" class="choice"{right}>{text}</button>'
                yield f'<div class="why reveal">{self._md(choice.why)}</div></li>' if choice.why else "</li>"
            yield "</ol>"
        if question.number is not None:
            name = self._tr("Your guess")
            yield f'<form class="guess"><input inputmode="decimal" autocomplete="off" aria-label="{name}" '
            yield f'placeholder="{self._tr("a number")}"><button>{self._tr("Check")}</button></form>'
            yield '<p class="problem" role="alert"></p>'
        show = f'<button type="button" class="show-answer">{self._tr("Show the answer")}</button>'
        compare = f'<button type="button" class="compare">{self._tr("Check")}</button>'
        yield f'<div class="actions while-open">{compare if question.cells is not None else ""}{show}</div>'
        yield '<p class="verdict" role="status"></p>'
        right = f"<p><b>{escape(question.right)}</b></p>" if question.right else ""
        yield f'<noscript>{right}</noscript><div class="reveal">{self._md(question.answer)}</div></div>'

    def _waiting(self, question: Question) -> Iterator[str]:
        rows, columns = question.names
        if question.cells is not None:
            yield f'<div class="waiting"><p class="while-open">{self._tr(_MARK)}</p>'
            yield f'<p class="reveal"><b>{self._tr("Your cells")}</b></p>'
        else:
            yield f'<div class="waiting while-open"><p>{self._tr("Answer first, then see the picture.")}</p>'
        if rows:
            across = "".join(f"<th>{escape(name)}</th>" for name in columns)
            yield f'<div class="scrolls"><table class="cells" style="--across:{len(columns)}">'
            yield f"<thead><tr><td></td>{across}</tr></thead><tbody>"
            for row, name in enumerate(rows):
                cells = (self._cell(question, row, column) for column in range(len(columns)))
                yield f"<tr><th>{escape(name)}</th>{''.join(cells)}</tr>"
            yield "</tbody></table></div>"
        yield "</div>\n"

    def _cell(self, question: Question, row: int, column: int) -> str:
        if question.cells is None:
            return "<td><span>?</span></td>"
        names = {"query": question.names[0][row], "key": question.names[1][column]}
        name = escape(self._lesson.tr(Text("query {query}, key {key}", names)))
        true = int(question.cells[row, column])
        return f'<td><button type="button" aria-pressed="false" aria-label="{name}" data-true="{true}">?</button></td>'

    def _exercise(self, exercise: Exercise) -> Iterator[str]:
        yield f'<div class="box task"><h3>{self._tr("Do")}</h3>{self._md(exercise.text)}'
        if self._step.hint:
            yield f'<details class="hint"><summary>{self._tr("Hint")}</summary>{self._md(self._step.hint)}</details>'
        yield f'<div class="actions"><button type="button" class="solve">{self._tr("Show me")}</button></div>'
        changes = "".join(f"<li>{escape(name)}: <b>{escape(value)}</b></li>" for name, value in exercise.changes)
        yield f'<div class="of-answer"><ul class="changes">{changes}</ul>{self._md(exercise.done)}</div></div>'


_MARK: English = "Mark the cells with a click, or with the arrow keys and Space."
