"""The figure of what each head adds to a logit, or of what its ablation costs: a map of heads, and what MLPs add."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import numbers
from attnviz.definitions.text import Refused, Text, listed
from attnviz.experiment.colours import quantise, symmetric_scale
from attnviz.experiment.model.residual.attribution import IGNORED, AttributionTrace
from attnviz.experiment.model.sides import OF_KIND, SIDES
from attnviz.experiment.model.studies import HeadsInTurnTrace
from attnviz.export.figures.parts import (
    CAPTION_ROW,
    Cells,
    add_axes,
    add_text,
    bar_block,
    draw_caption,
    draw_cells,
    draw_colour_bar,
    label_axis,
    new_page,
)
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, SMALL_TYPE, TYPE, width_of

_EDGE, _GAP = 0.08, 0.1
_TITLE = TYPE * LINE_HEIGHT * POINT
_LABEL = SMALL_TYPE * LINE_HEIGHT * POINT
_LARGEST_CELL, _LEAST_CELL = 0.5, 0.03


def draw_head_effects(found: AttributionTrace | HeadsInTurnTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: a map for each kind of heads, layers from the top, with one diverging scale.

    Raises:
        Refused: the page is too small.
    """
    maps, said = _maps_of(found, settings)
    lines = _lines(said, settings.width - 2 * _EDGE)
    every = np.concatenate([values.ravel() for _, values in maps])
    scale = symmetric_scale(every)
    rows, columns = len(maps[0][1]), [values.shape[1] for _, values in maps]
    left, bar = width_of(str(rows), SMALL_TYPE) + 0.3, bar_block(scale)
    wide = settings.width - left - bar - 2 * _EDGE - _GAP * len(maps)
    around = 2 * _EDGE + (len(lines) + 2) * _LABEL + _TITLE + CAPTION_ROW * bool(settings.caption)
    cell = wide / sum(columns)
    high = min(cell, _LARGEST_CELL) if settings.height is None else (settings.height - around) / rows
    if min(cell, high) < _LEAST_CELL:
        words = {"width": settings.width_cm, "rows": rows, "columns": sum(columns)}
        raise Refused("a page of {width:.3g} cm has no room for {rows} × {columns} heads; a larger one has", **words)
    cell = min(cell, _LARGEST_CELL)
    figure = new_page(settings.width, around + rows * high, settings)
    longest = max((width_of(found.number(value), SMALL_TYPE) for value in every[np.isfinite(every)]), default=0.0)
    style = {"fontsize": SMALL_TYPE, "color": settings.palette.text, "va": "top"}
    for number, line in enumerate(lines):
        add_text(figure, _EDGE, _EDGE + number * _LABEL, line, **style)
    at, top = _EDGE + left, _EDGE + (len(lines) + 1) * _LABEL
    for title, values in maps:
        box = at, top, values.shape[1] * cell, rows * high
        axes = add_axes(figure, box)
        levels = quantise(values, np.isfinite(values), scale.low, scale.high)
        draw_cells(axes, Cells(levels, values, scale, written=found.number), settings, numbers=longest < 0.95 * cell)
        label_axis(axes.xaxis, numbers(values.shape[1]) if values.shape[1] > 1 else ("MLP",), box[2], across=True)
        label_axis(axes.yaxis, numbers(rows) if title is maps[0][0] else ("",) * rows, box[3])
        axes.set_title(settings.tr(title), fontsize=SMALL_TYPE, pad=3, loc="left")
        at += box[2] + _GAP
    draw_colour_bar(figure, (at, top), min(max(rows * high, 0.4), 1.6), scale, found.title, settings)
    draw_caption(figure, settings.caption, settings.palette)
    return figure


def _maps_of(
    found: AttributionTrace | HeadsInTurnTrace, settings: FigureSettings
) -> tuple[list[tuple[Text, NDArray[np.float64]]], str]:
    """Return the titled numbers (layers, heads) of each map, and the sentence about them."""
    if isinstance(found, HeadsInTurnTrace):
        return [(Text("head"), found.of_single)], settings.tr(Text("Each head is turned off (ablated) in turn."))
    several = len(found.of_kind) > 1
    maps = [
        (Text(SIDES[OF_KIND[kind]].title) if several else Text("head"), values)
        for kind, values in found.of_kind.items()
    ]
    if found.mlp.any():
        maps.append((Text(), found.mlp[:, None]))
    return maps, settings.tr(listed([found.sentence(), IGNORED], "{first} {rest}"))


def _lines(said: str, room: float) -> list[str]:
    """Return a sentence in lines that fit into a width, broken at blanks; Chinese between any two characters."""
    lines = [""]
    for part in re.findall(r"[^\s\u4e00-\u9fff]*[\s\u4e00-\u9fff]?", said):
        if lines[-1] and width_of((lines[-1] + part).rstrip(), SMALL_TYPE) > room:
            lines.append("")
        lines[-1] += part
    return lines
