"""Layout of Markdown with formulas on a page drawn by matplotlib: measured, broken into lines and placed, in inches."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from attnviz.definitions.text import Refused, quoted
from attnviz.experiment.lessons.reading import text_reader
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, families

if TYPE_CHECKING:
    from markdown_it.token import Token

_STYLES = {"strong_open": "bold", "em_open": "italic"}
_CLOSES = {"strong_close": "bold", "em_close": "italic"}
_CLOSING = "，。：；？！、）》”’」』】,.:;?!)"
"""Characters that must not begin a line."""
_OPENING = "（《“‘「『【("
"""Characters that must not end a line."""
_WORD = re.compile(
    r"\s+|[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef“”‘’]|[^\s\u3000-\u30ff\u3400-\u9fff\uff00-\uffef“”‘’]+"
)
"""Matches white space, one Chinese character, or a word of any other script."""
_INDENT = 1.4
"""The indent of list items, relative to the type size."""


class Part(NamedTuple):
    """A text of a slide, in Markdown."""

    markdown: str
    bold: bool = False
    colour: str = "text"
    """The name of a colour of the palette."""
    mark: str = ""
    """The text before its first line, such as the letter of a choice."""


class _Word(NamedTuple):
    text: str
    style: str
    """"", "bold", "italic" or "math"."""
    is_apart: bool
    """Whether there is a blank before it."""
    may_begin: bool
    """Whether a line may begin with it."""


class Run(NamedTuple):
    """Consecutive characters of one style; ``left`` is their left end."""

    left: float
    text: str
    style: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its runs, its height above and below the base line, and the distance from the line before it."""

    runs: tuple[Run, ...]
    size: float
    """Points."""
    colour: str
    above: float
    below: float
    gap: float = 0.0

    @property
    def height(self) -> float:
        """Its height in a column."""
        return self.gap + self.above + self.below


def lines_of(parts: Iterable[Part], width: float, size: float) -> list[Line]:
    """Return texts as lines of a column, in type of ``size`` points.

    Raises:
        Refused: a formula cannot be set.
    """
    lines: list[Line] = []
    for part in parts:
        for at, (mark, indent, paragraph) in enumerate(_paragraphs(part)):
            left = indent * _INDENT * size * POINT
            broken = list(_broken(paragraph, width - left, size))
            for index, line in enumerate(broken):
                gap = 0.0 if index or not lines else (0.7 if not at or not indent else 0.3) * size * POINT
                runs = tuple(run._replace(left=run.left + left) for run in line.runs)
                if mark and not index:
                    runs = (Run(left - _INDENT * size * POINT, mark, "bold" if part.mark else ""), *runs)
                lines.append(replace(line, runs=runs, gap=gap, colour=part.colour))
    return lines


def height_of(lines: Iterable[Line]) -> float:
    """Return the height of a column of lines."""
    return sum(line.height for line in lines)


def draw_lines(figure: Any, lines: Sequence[Line], left: float, top: float, theme: Any) -> None:
    """Draw lines below each other; ``top`` is counted from the bottom of the page."""
    wide, high = figure.get_size_inches()
    for line in lines:
        top -= line.gap + line.above
        for run in line.runs:
            look: dict[str, Any] = {
                "fontweight": "bold" if run.style == "bold" else "normal",
                "fontstyle": "italic" if run.style == "italic" else "normal",
                "parse_math": run.style == "math",
            }
            at = (left + run.left) / wide, top / high
            colour = getattr(theme, line.colour)
            figure.text(*at, run.text, fontsize=line.size, color=colour, va="baseline", ha="left", **look)
        top -= line.below


def _paragraphs(part: Part) -> Iterator[tuple[str, int, list[_Word]]]:
    """Yield paragraphs: the text before each, its indent, and its words."""
    tokens = text_reader().parse(part.markdown)
    numbers: list[int | None] = []  # of the lists that a paragraph is in; None: bullets
    mark, base = part.mark, int(bool(part.mark))
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            numbers.append(int(token.attrGet("start") or 1) - 1 if token.type.startswith("ordered") else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            numbers.pop()
        elif token.type == "list_item_open":
            number = numbers[-1]
            numbers[-1] = None if number is None else number + 1
            mark = "•" if number is None else f"{number + 1}."
        elif token.type == "inline" or token.type.startswith("math_block"):
            children = token.children if token.type == "inline" else [token]
            yield mark, base + len(numbers), list(_words(children or [], bold=part.bold))
            mark = ""
        elif token.type in ("fence", "code_block"):
            for line in token.content.rstrip().splitlines():
                yield mark, base + len(numbers), [_Word(line, "", is_apart=False, may_begin=True)]
                mark = ""


def _words(tokens: Sequence["Token"], *, bold: bool) -> Iterator[_Word]:
    styles = ["bold"] if bold else []
    apart, before = False, ""
    for token in tokens:
        if token.type in _STYLES:
            styles.append(_STYLES[token.type])
        elif token.type in _CLOSES:
            styles.pop()
        elif token.type.startswith("math_"):
            text = " ".join(token.content.split())
            yield _Word(f"${text}$", "math", apart, may_begin=apart or _is_chinese(before))
            apart, before = False, "$"
        elif token.type in ("softbreak", "hardbreak"):
            apart = True
        elif token.content:
            for word in _WORD.findall(token.content):
                if word.isspace():
                    apart = True
                    continue
                near = _is_chinese(word[0]) or _is_chinese(before)
                begins = (apart or near) and word[0] not in _CLOSING and before not in _OPENING
                yield _Word(word, styles[-1] if styles else "", apart, may_begin=begins)
                apart, before = False, word[-1]


def _is_chinese(sign: str) -> bool:
    return bool(sign) and (sign > "\u2fff" or sign in "“”‘’")


def _broken(words: Sequence[_Word], width: float, size: float) -> Iterator[Line]:
    """Yield the lines of a paragraph, each as full as possible."""
    blank = _extent("a a", "", size)[0] - _extent("aa", "", size)[0]
    chunks: list[list[_Word]] = []  # what stays together
    for word in words:
        if chunks and not word.may_begin:
            chunks[-1].append(word)
        else:
            chunks.append([word])
    line: list[_Word] = []
    for chunk in chunks:
        if line and _width(line, size, blank) + _width(chunk, size, blank, after=True) > width:
            yield _line(line, size, blank)
            line = []
        line += chunk
    if line:
        yield _line(line, size, blank)


def _width(words: Sequence[_Word], size: float, blank: float, *, after: bool = False) -> float:
    wide = [_extent(word.text, word.style, size)[0] for word in words]
    return sum(wide) + blank * sum(word.is_apart for word in words[0 if after else 1 :])


def _line(words: Sequence[_Word], size: float, blank: float) -> Line:
    runs: list[Run] = []
    left, above, below = 0.0, 0.92 * size * POINT, (LINE_HEIGHT + 0.1 - 0.92) * size * POINT
    for index, word in enumerate(words):
        apart = word.is_apart and index > 0
        wide, high, deep = _extent(word.text, word.style, size)
        if word.style == "math":
            above, below = max(above, high - deep + 0.1 * size * POINT), max(below, deep + 0.1 * size * POINT)
        if runs and word.style != "math" and runs[-1].style == word.style:
            text = f"{runs[-1].text}{' ' if apart else ''}{word.text}"
            runs[-1] = runs[-1]._replace(text=text)
            left = runs[-1].left + _extent(text, word.style, size)[0]
            continue
        runs.append(Run(left + (blank if apart else 0.0), word.text, word.style))
        left = runs[-1].left + wide
    return Line(tuple(runs), size, "text", above, below)


def widest(texts: Iterable[str], size: float) -> float:
    """Return the width of the widest of some texts in type of ``size`` points."""
    return max((_extent(text, "", size)[0] for text in texts), default=0.0)


@lru_cache(4096)
def _extent(text: str, style: str, size: float) -> tuple[float, float, float]:
    """Return the width of a text, its height, and its descent below the baseline."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    look: dict[str, Any] = {"bold": {"weight": "bold"}, "italic": {"style": "italic"}}.get(style, {})
    font = FontProperties(family=families(), size=size, **look)
    try:
        sizes = text_to_path.get_text_width_height_descent(text, font, ismath=style == "math")
    except ValueError as error:
        why = str(error).strip().splitlines()[-1]
        raise Refused("the formula {latex} cannot be set: {why}", latex=quoted(text.strip("$")), why=why) from error
    wide, high, deep = (each * POINT for each in sizes)
    return wide, high, deep
