"""Where the parts of a stage are: the row of choices, formula, sentence, picture, colour bar and read-out.

A pure function from measured lengths to rectangles, in pixels; it needs no window.
"""

from dataclasses import dataclass

from attnviz.gui.plots.layout import Rect

NOWHERE = Rect(0, 0, 0, 0)
"""The place of a part that is not shown."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """What is measured of a stage before its parts are placed."""

    scale: float
    """Of the type."""
    present: bool
    """Whether it is shown to an audience: one slim row, and the sentence as a caption below the picture."""
    pages: float
    """The width of the buttons of all pages in a row."""
    pages_menu: float
    """The width of the box that opens a list of them."""
    strip: float
    """The width of the strip with the names of all stages; 0 for a page without it."""
    strip_short: float
    """Its width with the name of the chosen stage only."""
    play: float
    view: float
    formula: float
    """The width of the formula; 0 for a page without a row of formula and shapes."""
    shapes: float
    further: float
    """The width of the choices beside the shapes, such as the batch item; 0 without any."""
    legend: float
    """The width of the colour bar with its texts."""
    sentence: bool
    """Whether there is a sentence."""
    read_out: float
    """The width that the read-out needs beside the colour bar."""
    formula_height: float = 0
    """Its natural height: before an audience a formula that is too high for the row is drawn smaller."""
    outer: float = 0
    """The width of a strip in the first row, above that of the stages: of the layers around them; 0 without."""
    outer_short: float = 0
    """Its width with one name only."""
    sentence_width: float = 780
    """The width, at scale 1, of a stage in which its sentences need one line; in a narrower one they have two."""
    note: float = 0
    """The width of the note beside it before an audience, which says that weights are random; 0 without."""


@dataclass(frozen=True, slots=True)
class StageFrame:
    """The rectangle of each part of a stage."""

    pages: Rect
    pages_menu: Rect
    """Either the buttons of the pages are shown, or the box."""
    strip: Rect
    play: Rect
    view: Rect
    formula: Rect
    shapes: Rect
    further: Rect
    sentence: Rect
    note: Rect
    picture: Rect
    legend: Rect
    read_out: Rect
    outer: Rect = NOWHERE

    @property
    def parts(self) -> tuple[Rect, ...]:
        """Those that are shown."""
        every = (getattr(self, name) for name in self.__dataclass_fields__)
        return tuple(part for part in every if part != NOWHERE)


def frame_of(width: float, height: float, lengths: Lengths) -> StageFrame:
    """Return where the parts of a stage of this size are; the picture has all the room that is left."""
    return _frame_to_present(width, height, lengths) if lengths.present else _frame_to_work(width, height, lengths)


_ROW, _FORMULA, _FORMULA_LOW, _FIELD, _LINE, _GAP, _SIDE, _SIDE_PRESENT = 30, 42, 34, 30, 20, 6, 16, 8
"""Heights of the first row, of the formula (the second where the stage is low), of a field and of a line of text, the
gap, and the margin at the sides, which is smaller before an audience, at scale 1."""
_LOW = 560
"""The height of a low stage."""


def _frame_to_work(width: float, height: float, lengths: Lengths) -> StageFrame:
    def px(length: float) -> float:
        return round(length * lengths.scale)

    side, gap = px(_SIDE), px(_GAP)
    inner = max(1.0, width - 2 * side)
    top = px(8)
    pages, menu, strip, play, view = _first_row(side, top, inner, px(_ROW), px(8), lengths)
    top += px(_ROW) + px(2)
    outer = strip if lengths.outer else NOWHERE
    if lengths.outer:
        strip = Rect(side, top, min(lengths.strip, inner), px(_ROW)) if lengths.strip else NOWHERE
        top += px(_ROW) + px(2) if lengths.strip else 0
    formula_height = px(_FORMULA if height >= px(_LOW) else _FORMULA_LOW) if lengths.formula else 0
    middle = top + (formula_height - px(_FIELD)) / 2
    further = lengths.further and Rect(side + inner - lengths.further, middle, lengths.further, px(_FIELD))
    left = inner - lengths.further - (px(12) if lengths.further else 0)
    shapes_width = min(lengths.shapes, max(0.0, left - lengths.formula - px(16)))
    if shapes_width < min(lengths.shapes, px(60)):
        shapes_width = 0.0  # the formula needs the room
    shapes = Rect(side + left - shapes_width, middle, shapes_width, px(_FIELD)) if shapes_width else NOWHERE
    formula = NOWHERE
    if formula_height:
        formula = Rect(side, top, max(1.0, left - shapes_width - (px(12) if shapes_width else 0)), formula_height)
        top += formula_height + px(2)
    else:
        shapes = further = NOWHERE
    said = _sentence_height(inner, lengths)
    sentence = Rect(side, top, inner, said) if said else NOWHERE
    top += said + gap
    one_row = inner >= lengths.legend + px(16) + lengths.read_out
    foot = px(_LINE) if one_row or not lengths.legend else 2 * px(_LINE)
    bottom = height - px(6) - foot
    picture = Rect(side, top, inner, max(1.0, bottom - gap - top))
    legend = Rect(side, bottom, lengths.legend if one_row else inner, px(_LINE)) if lengths.legend else NOWHERE
    if one_row and lengths.legend:
        read_out = Rect(legend.right + px(16), bottom, inner - lengths.legend - px(16), px(_LINE))
    else:
        read_out = Rect(side, height - px(6) - px(_LINE), inner, px(_LINE))
    row = pages, menu, strip, play, view
    return StageFrame(*row, formula, shapes, further or NOWHERE, sentence, NOWHERE, picture, legend, read_out, outer)


def _first_row(
    left: float, top: float, width: float, height: float, gap: float, lengths: Lengths
) -> tuple[Rect, Rect, Rect, Rect, Rect]:
    """Return the places of pages, box of pages, first strip, play and view: all names where they fit, else fewer."""
    first = lengths.outer or lengths.strip
    ends = sum(part + gap for part in (lengths.play, lengths.view) if part)
    several = bool(lengths.pages)
    in_a_row = several and lengths.pages + 2 * gap + first + ends <= width
    pages = Rect(left, top, lengths.pages, height) if in_a_row else NOWHERE
    menu = Rect(left, top, lengths.pages_menu, height) if several and not in_a_row else NOWHERE
    start = left + (lengths.pages if in_a_row else lengths.pages_menu) + 2 * gap if several else left
    strip = Rect(start, top, max(1.0, min(first, left + width - ends - start)), height)
    view = Rect(left + width - lengths.view, top, lengths.view, height) if lengths.view else NOWHERE
    before = lengths.view + gap if lengths.view else 0.0
    play = Rect(left + width - before - lengths.play, top, lengths.play, height) if lengths.play else NOWHERE
    return pages, menu, strip, play, view


def _sentence_height(inner: float, lengths: Lengths) -> float:
    """Return the height of one line, or of two in a narrow stage: it does not depend on the text, which changes."""
    if not lengths.sentence:
        return 0
    return round((1 if inner >= lengths.sentence_width * lengths.scale else 2) * 18 * lengths.scale)


def _frame_to_present(width: float, height: float, lengths: Lengths) -> StageFrame:
    def px(length: float) -> float:
        return round(length * lengths.scale)

    side, gap = px(_SIDE_PRESENT), px(_GAP)
    inner = max(1.0, width - 2 * side)
    row = px(_ROW)
    first, short = (lengths.outer, lengths.outer_short) if lengths.outer else (lengths.strip, lengths.strip_short)
    formula_width = min(
        lengths.formula * min(1.0, (row + px(4)) / max(1.0, lengths.formula_height)),
        max(0.0, inner - lengths.pages_menu - short - lengths.further - 4 * px(16)),
    )
    menu = Rect(side, px(4), lengths.pages_menu, row) if lengths.pages else NOWHERE
    start = menu.right + gap if lengths.pages else float(side)
    beside = lengths.further + gap if lengths.further else 0.0
    room = side + inner - start - formula_width - beside - px(16)
    strip = Rect(start, px(4), max(1.0, min(first, room)), row)
    formula = Rect(side + inner - formula_width, px(2), max(1.0, formula_width), row + px(4))
    top = row + px(10)
    outer = strip if lengths.outer else NOWHERE
    if lengths.outer:
        strip = Rect(side, top - px(4), min(lengths.strip, inner), row) if lengths.strip else NOWHERE
        top += row + px(2) if lengths.strip else 0
    said = _sentence_height(inner - lengths.note, lengths)
    caption = said + px(8) if said else 0.0
    bottom = height - px(6) - caption
    sentence = Rect(side, bottom, inner - lengths.note, caption) if caption else NOWHERE
    note = Rect(sentence.right, bottom, lengths.note, caption) if caption and lengths.note else NOWHERE
    legend = Rect(side, bottom - px(_LINE), inner, px(_LINE)) if lengths.legend else NOWHERE
    end = (legend.y if lengths.legend else bottom) - px(2)
    picture = Rect(side, top, inner, max(1.0, end - top))
    further = Rect(formula.x - beside, px(4), lengths.further, px(_FIELD)) if lengths.further else NOWHERE
    if not lengths.formula:
        formula = further = NOWHERE
    row_ = NOWHERE, menu, strip, NOWHERE, NOWHERE
    return StageFrame(*row_, formula, NOWHERE, further, sentence, note, picture, legend, NOWHERE, outer)
