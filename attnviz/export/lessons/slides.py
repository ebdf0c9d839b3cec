"""A lesson as slides: a PDF with a page for each step, in a projector's aspect ratio. Its questions stay open."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from attnviz.definitions.text import One, Text
from attnviz.experiment.lessons.reading import as_markdown
from attnviz.export.figures.type_style import POINT, figure_style, without_glyph
from attnviz.export.lessons.content import Exercise, LessonContent, LessonFigure, Question, StepContent
from attnviz.export.lessons.slide_text import Line, Part, draw_lines, height_of, lines_of, widest
from attnviz.palette import LIGHT

WIDTH, HEIGHT = 40 / 3, 7.5
"""The size of a page in inches."""
SIZES = 18.0, 17.0, 16.0, 15.0, 14.0, 13.0, 12.0
"""In points: a page takes the first size in which its text fits; the last is 24 pixels of 1080."""
_TITLE, _FOOT = 26.0, 12.0
_MARGIN, _GAP = 0.6, 0.5
_COLUMN = 4.9
"""The width of the text beside a picture."""
_ALONE = 9.0
"""The width of a text without one."""
_DRAWN, _BESIDE, _DENSE = 9.0, 7.0, 13.5
"""The drawing width of a figure in centimetres, before it is enlarged: alone, beside another one, and detailed."""
_MOST_ENLARGED = 2.6
_STACKED = 2
"""The most pictures in one column; more are in two."""


@dataclass(frozen=True, kw_only=True)
class _Page:
    """The content of one page."""

    step: StepContent
    parts: tuple[Part, ...]
    pictures: tuple[LessonFigure, ...] = ()
    caption: str = ""
    names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Of the cells that are drawn empty instead of a hidden picture."""


class _Deck:
    """Draws pages and their pictures into one PDF, so that each font is in it once, and then lays them together."""

    def __init__(self, lesson: LessonContent) -> None:
        from matplotlib.backends.backend_pdf import PdfPages

        self.lesson = lesson
        self.foot = " · ".join(text for text in (lesson.title, _missing(lesson)) if text)
        self._file = io.BytesIO()
        self._pdf: Any = PdfPages(self._file, metadata={"CreationDate": None})
        self._corners: list[tuple[float, float, float] | None] = []

    def add(self, figure: Any, corner: tuple[float, float, float] | None = None) -> None:
        """Add a page; or a picture at a position of the last one, left and bottom (inches) and scale."""
        self._pdf.savefig(figure, facecolor=figure.get_facecolor() if corner is None else "none")
        self._corners.append(corner)

    def finished(self) -> bytes:
        """Return the PDF."""
        from pypdf import PdfReader, PdfWriter, Transformation
        from pypdf.generic import NameObject, TextStringObject

        self._pdf.close()
        writer = PdfWriter()
        for drawn, corner in zip(PdfReader(self._file).pages, self._corners, strict=True):
            if corner is None:
                page = writer.add_page(drawn)
            else:
                left, low, scale = corner
                page.merge_transformed_page(drawn, Transformation().scale(scale).translate(left / POINT, low / POINT))
        for page in writer.pages:
            page.compress_content_streams()
        writer.compress_identical_objects()
        writer.add_metadata({"/Title": self.lesson.title, "/Creator": "attnviz"})
        writer.root_object[NameObject("/Lang")] = TextStringObject(self.lesson.language.replace("_", "-"))
        whole = io.BytesIO()
        writer.write(whole)
        return whole.getvalue()


def slides_of(lesson: LessonContent, *, answers: bool = False) -> bytes:
    """Return a lesson as a PDF; with ``answers`` a further page after each question and task answers it.

    A text that is too long for its page continues on another one.

    Raises:
        Refused: a figure cannot be drawn, or a formula cannot be typeset.
    """
    with figure_style(LIGHT):
        deck = _Deck(lesson)
        for step in lesson.steps:
            for page in _pages(lesson, step, answers=answers):
                _draw(deck, page)
        return deck.finished()


def _missing(lesson: LessonContent) -> str:
    lost = signs_lost(lesson)
    one: One = "1 sign has no glyph on this machine"
    return lesson.tr(Text("{count} characters have no glyph on this machine", {"count": lost}, one)) if lost else ""


def signs_lost(lesson: LessonContent) -> int:
    """Return the number of characters in a lesson's texts missing from all fonts of this machine."""
    parts = (part for step in lesson.steps for page in _pages(lesson, step, answers=True) for part in page.parts)
    return len(without_glyph([lesson.title, *(part.markdown for part in parts)]))


def _pages(lesson: LessonContent, step: StepContent, *, answers: bool) -> Iterator[_Page]:
    """Yield the page of a step, and with ``answers`` that of its answer."""
    text, task = [Part(step.text)], _task(lesson, step)
    question, exercise = step.question, step.exercise
    if question is None:
        yield _Page(step=step, parts=(*text, *task), pictures=step.pictures, caption=step.caption)
    else:
        yield _Page(step=step, parts=(*text, *_asked(lesson, question)), names=question.names)
    if question is not None and answers:
        answer = tuple(_answered(question))
        yield _Page(step=step, parts=(*answer, *task), pictures=step.pictures, caption=step.caption)
    if exercise is not None and answers:
        yield _Page(step=step, parts=tuple(_solved(lesson, exercise)), pictures=exercise.pictures)


def _task(lesson: LessonContent, step: StepContent) -> Iterator[Part]:
    if step.exercise is not None:
        yield _heading(lesson.tr("Do"))
        yield Part(step.exercise.text)


def _asked(lesson: LessonContent, question: Question) -> Iterator[Part]:
    yield _heading(lesson.tr("Predict"))
    yield Part(question.text)
    yield from (Part(choice.text, mark=choice.letter) for choice in question.choices)


def _answered(question: Question) -> Iterator[Part]:
    yield Part(question.text)
    if question.number is not None:
        yield Part(question.right, bold=True)
    for choice in question.choices:
        colour = "text" if choice.is_right else "muted"
        yield Part(choice.text, mark=choice.letter, bold=choice.is_right, colour=colour)
        yield Part(choice.why, mark="✓" if choice.is_right else "✗", colour=colour)
    yield Part(question.answer)


def _solved(lesson: LessonContent, exercise: Exercise) -> Iterator[Part]:
    yield _heading(lesson.tr("Do"))
    yield Part(exercise.text)
    yield from (Part(f"{name}: **{value}**", mark="•") for name, value in exercise.changes)
    yield Part(exercise.done)


def _heading(text: str) -> Part:
    return Part(text, bold=True, colour="accent")


def _draw(deck: _Deck, page: _Page) -> None:
    """Add a page, and those on which its text continues."""
    from matplotlib.figure import Figure

    has_picture = bool(page.pictures or page.names[0])
    width = _COLUMN if has_picture else _ALONE
    titles = lines_of([Part(f"{page.step.number}  {page.step.title}", bold=True)], WIDTH - 2 * _MARGIN, _TITLE)
    top = HEIGHT - _MARGIN - height_of(titles) - 0.3
    room = top - _MARGIN - 0.35
    for size in SIZES:
        lines = lines_of(page.parts, width, size)
        if height_of(lines) <= room:
            break
    first = True
    while lines or first:
        fitting, lines = _first_of(lines, room)
        paper = Figure((WIDTH, HEIGHT), facecolor=LIGHT.window)
        draw_lines(paper, titles, _MARGIN, HEIGHT - _MARGIN, LIGHT)
        draw_lines(paper, fitting, _MARGIN, top, LIGHT)
        _draw_foot(deck, paper, page)
        spot = _Spot(_MARGIN + width + _GAP, _MARGIN + 0.35, top)
        _add(deck, paper, page if first else replace(page, pictures=(), names=((), ())), spot)
        first = False


def _first_of(lines: Sequence[Line], room: float) -> tuple[list[Line], list[Line]]:
    """Return the lines that fit, at least one of them, and the others."""
    count = 1
    while count < len(lines) and height_of(lines[: count + 1]) <= room:
        count += 1
    rest = list(lines[count:])
    return list(lines[:count]), [replace(rest[0], gap=0.0), *rest[1:]] if rest else []


def _draw_foot(deck: _Deck, paper: Any, page: _Page) -> None:
    page_number = f"{page.step.number} / {len(deck.lesson.steps)}"
    look: dict[str, Any] = {"fontsize": _FOOT, "color": LIGHT.muted, "va": "baseline"}
    paper.text(_MARGIN / WIDTH, 0.45 / HEIGHT, deck.foot, ha="left", **look)
    paper.text(1 - _MARGIN / WIDTH, 0.45 / HEIGHT, page_number, ha="right", **look)


@dataclass(frozen=True, slots=True)
class _Spot:
    """The area for the pictures of a page; inches from the left and from the bottom."""

    left: float
    low: float
    top: float

    @property
    def width(self) -> float:
        return WIDTH - _MARGIN - self.left


def _add(deck: _Deck, paper: Any, page: _Page, spot: _Spot) -> None:
    """Add a page, and its pictures as large as possible."""
    top = spot.top
    if page.caption and page.pictures:
        caption = lines_of([Part(as_markdown(page.caption), bold=True, colour="accent")], spot.width, SIZES[-3])
        draw_lines(paper, caption, spot.left, top, LIGHT)
        top -= height_of(caption) + 0.15
    if page.names[0]:
        _draw_cells(paper, page.names, spot)
    columns = 1 if len(page.pictures) <= _STACKED else 2
    rows = -(-len(page.pictures) // columns)
    placed = []
    for index, picture in enumerate(page.pictures):
        row, column = divmod(index, columns)
        wide, high = spot.width / columns, (top - spot.low) / rows
        left, upper = spot.left + column * wide, top - row * high
        if picture.title:
            title = lines_of([Part(as_markdown(picture.title), bold=True)], wide, SIZES[-1])
            draw_lines(paper, title, left + 0.1, upper, LIGHT)
            upper -= height_of(title)
        drawn_at = _DENSE if picture.is_dense else _BESIDE if len(page.pictures) > 1 else _DRAWN
        figure = picture.figure(width_cm=drawn_at)
        its_wide, its_high = figure.get_size_inches()
        low = top - (row + 1) * high + 0.1
        scale = min((wide - 0.1) / its_wide, (upper - low) / its_high, _MOST_ENLARGED)
        placed.append((figure, (left + (wide - its_wide * scale) / 2, upper - its_high * scale, scale)))
    deck.add(paper)
    for figure, at in placed:
        deck.add(figure, at)


def _draw_cells(paper: Any, names: tuple[tuple[str, ...], tuple[str, ...]], spot: _Spot) -> None:
    """Draw the cells of a hidden picture, each with a question mark."""
    from matplotlib.patches import Rectangle

    rows, columns = map(len, names)
    size = min((spot.width - 1.0) / columns, (spot.top - spot.low - 0.5) / rows, 1.0)
    above, upright = 0.4, False
    if widest(names[1], min(SIZES[0], 40 * size)) > size - 0.1:  # columns too narrow for their names
        above, upright = widest(names[1], min(SIZES[0], 40 * size)) + 0.2, True
        size = min(size, (spot.top - spot.low - above - 0.1) / rows)
    left, top = spot.left + (spot.width - size * columns + 0.6) / 2, spot.top - above
    look: dict[str, Any] = {"fontsize": min(SIZES[0], 40 * size), "color": LIGHT.muted, "va": "center"}
    for row, name in enumerate(names[0]):
        at = top - (row + 0.5) * size
        paper.text((left - 0.1) / WIDTH, at / HEIGHT, name, ha="right", parse_math=False, **look)
        for column in range(columns):
            corner = (left + column * size) / WIDTH, (at - size / 2) / HEIGHT
            cell = Rectangle(corner, size / WIDTH, size / HEIGHT, fc=LIGHT.panel, ec=LIGHT.line, lw=1)
            paper.add_artist(cell)
            paper.text(corner[0] + size / 2 / WIDTH, at / HEIGHT, "?", ha="center", **look)
    for column, name in enumerate(names[1]):
        at = (left + (column + 0.5) * size) / WIDTH
        stands: dict[str, Any] = {"rotation": 90, "va": "bottom"} if upright else {}
        low = top + (0.08 if upright else 0.15)
        paper.text(at, low / HEIGHT, name, ha="center", parse_math=False, **look | stands)
