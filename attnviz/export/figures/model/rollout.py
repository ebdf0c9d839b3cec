"""The figure of a map of tokens: its matrix, or the row of a patch or special token over its image."""

from typing import Any

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.counting import with_positions
from attnviz.definitions.text import Refused, Text
from attnviz.experiment.colours import Scale, quantise, stretched, stretched_scale
from attnviz.experiment.model.token_maps.sentences import title_of
from attnviz.experiment.model.token_maps.study import DARK, TokenMapTrace
from attnviz.export.figures.model.image import draw_over_image
from attnviz.export.figures.parts import (
    CAPTION_ROW,
    Cells,
    add_axes,
    bar_block,
    draw_cells,
    draw_colour_bar,
    draw_signs,
    label_large,
    new_page,
    widest,
)
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, SMALL_TYPE, TYPE

_EDGE = 0.08
_TITLE, _LABEL = TYPE * LINE_HEIGHT * POINT, SMALL_TYPE * LINE_HEIGHT * POINT
_LEAST = 0.5


def draw_rollout(trace: TokenMapTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure of a map of tokens.

    Raises:
        Refused: the page is too small.
    """
    contrast = settings.contrast_drawn if trace.has_shares else ""
    cells = trace.cells()
    levels = stretched(cells.values, cells.mask | (cells.values != 0), trace.scale, contrast)
    scale = stretched_scale(cells.values, trace.scale, contrast)
    number = Text(trace.record.title)
    if contrast:
        number = Text("{number} ({contrast})", {"number": number, "contrast": Text(CONTRASTS[contrast].figure)})
    if trace.read.image is not None:
        query = min((trace.position or 0) if settings.query is None else settings.query, len(trace.read) - 1)
        words = {"map": title_of(trace), "query": trace.read.names[query]}
        titles = Text("{map} · “{query}” draws on", words), number
        row, largest = levels[query], cells.largest_beside(query)
        if trace.has_shares and not contrast and 0 < largest < DARK:
            row, scale = quantise(cells.values[query], cells.mask[query], 0.0, largest), Scale(0.0, largest)
        return draw_over_image(trace.read, (row, query), scale, titles, settings)
    rows, columns = with_positions(cells.names), cells.names
    beside, below, bar = widest(rows) + 0.26, widest(columns) + _LABEL + 0.1, bar_block(scale)
    side = settings.width - beside - bar - 2 * _EDGE - 0.1
    around = 2 * _EDGE + _TITLE + below + CAPTION_ROW * bool(settings.caption)
    if settings.height is not None:
        side = min(side, settings.height - around)
    if side < _LEAST:
        values = {"width": settings.width_cm, "height": 2.54 * (around + _LEAST)}
        sentence = (
            "a page of {width:.3g} cm has no room for the map; nearest: a width of 8 and a height of {height:.3g}"
        )
        raise Refused(sentence, **values)
    figure = new_page(settings.width, settings.height or side + around, settings)
    box = (beside, _EDGE + _TITLE, side, side)
    axes = add_axes(figure, box)
    draw_cells(axes, Cells(levels, cells.values, scale), settings)
    label_large(axes, (rows, columns), box, settings)
    axes.set_title(settings.tr(title_of(trace)), fontsize=TYPE, pad=3, loc="left")
    left, length = beside + side + 0.1, min(side, 1.6)
    draw_colour_bar(figure, (left, box[1]), length, scale, number, settings)
    draw_signs(figure, (left, box[1] + length + 0.1), levels, settings)
    return figure
