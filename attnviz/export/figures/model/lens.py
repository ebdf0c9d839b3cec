"""The figure of the logit lens: in each cell the top token after a layer, coloured by its probability."""

from typing import Any

from attnviz.definitions.counting import numbers
from attnviz.definitions.text import Refused, Text
from attnviz.experiment.colours import WEIGHT_SCALE, quantise, takes_dark_text
from attnviz.experiment.model.lens import LensTrace
from attnviz.export.figures.parts import (
    CAPTION_ROW,
    Cells,
    add_axes,
    bar_block,
    colours_for,
    draw_caption,
    draw_cells,
    draw_colour_bar,
    label_axis,
    new_page,
    shortened,
    widest,
)
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, SMALL_TYPE, TYPE, width_of

_EDGE, _GAP = 0.08, 0.1
_TITLE = TYPE * LINE_HEIGHT * POINT
_LABEL = SMALL_TYPE * LINE_HEIGHT * POINT
_ROW, _LEAST_ROW, _LEAST_CELL = 1.5 * _LABEL, 0.02, 0.01
"""The height of a row, if the page has none of its own; the least height and the least width of a cell."""
_LEAST_TYPE = 4.0
"""The least size of the words in cells, in points; longer words are cut."""
_INK = {True: "black", False: "white"}


def draw_lens(found: LensTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: layers from the top, the prediction below a line, and the text from left to right.

    Raises:
        Refused: the page is too small.
    """
    top_names = [[_named(found, token) for token in row] for row in found.ids[..., 0].tolist()]
    rows, columns = found.ids.shape[:2]
    bar, left = bar_block(WEIGHT_SCALE), width_of(str(rows), SMALL_TYPE) + 0.3
    below, caption = widest(found.tokens) + 0.08, CAPTION_ROW
    wide = settings.width - left - bar - 2 * _EDGE - _GAP
    around = 2 * _EDGE + _TITLE + below + caption
    tall = rows * _ROW if settings.height is None else settings.height - around
    if tall / rows < _LEAST_ROW or wide / columns < _LEAST_CELL:
        values = {"width": settings.width_cm, "rows": rows, "columns": columns}
        sentence = "a page of {width:.3g} cm has no room for {rows} layers × {columns} tokens; a larger one has"
        raise Refused(sentence, **values)
    figure = new_page(settings.width, around + tall, settings)
    box = _EDGE + left, _EDGE + _TITLE, wide, tall
    axes = add_axes(figure, box)
    levels = quantise(found.probabilities[..., 0], None, 0.0, 1.0)
    draw_cells(axes, Cells(levels, None, WEIGHT_SCALE), settings)
    label_axis(axes.yaxis, numbers(rows), tall)
    label_axis(axes.xaxis, found.tokens, wide, across=True)
    axes.set_ylabel(settings.tr("layer"), fontsize=TYPE, labelpad=2)
    axes.set_title(settings.tr("Logit lens: the top token after each layer"), fontsize=TYPE, pad=3, loc="left")
    axes.axhline(rows - 1.5, color=settings.palette.accent, linewidth=1.0)
    if tall / rows >= _LABEL:
        room = 0.94 * wide / columns
        longest = max(width_of(name, SMALL_TYPE) for row in top_names for name in row)
        size = max(_LEAST_TYPE, SMALL_TYPE * min(1.0, room / longest))
        dark = takes_dark_text(colours_for(WEIGHT_SCALE, settings))
        for row in range(rows):
            for column in range(columns):
                name = _fitting(top_names[row][column], room, size)
                ink = _INK[bool(dark[levels[row, column]])]
                axes.text(column, row, name, color=ink, fontsize=size, ha="center", va="center")
    corner = _EDGE + left + wide + _GAP, _EDGE + _TITLE
    draw_colour_bar(figure, corner, min(max(tall, 0.4), 1.6), WEIGHT_SCALE, Text("probability"), settings)
    draw_caption(figure, settings.caption or settings.tr(found.checked), settings.palette)
    return figure


def _named(found: LensTrace, token: int) -> str:
    name = found.name(token)
    return shortened(name) if name.strip() else "␣"


def _fitting(name: str, room: float, size: float) -> str:
    """Return a name, shortened to a width; "" if not even its first letter fits."""
    shown = name
    while shown and width_of(shown if shown == name else f"{shown}…", size) > room:
        shown = shown[:-1]
    return shown if shown in ("", name) else f"{shown}…"
