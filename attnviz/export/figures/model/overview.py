"""The model lab's figure for a paper: one measure of every head, and one head large."""

from typing import Any

import numpy as np

from attnviz.definitions.counting import head_name, numbers
from attnviz.definitions.text import Refused, Text, listed
from attnviz.experiment.colours import quantise
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.overview import OVERVIEW
from attnviz.experiment.model.sides import HeadAt
from attnviz.experiment.model.trace import ModelTrace
from attnviz.export.figures.layers import contrast_title, draw_of_several
from attnviz.export.figures.parts import (
    CAPTION_ROW,
    Box,
    Cells,
    add_axes,
    bar_block,
    draw_cells,
    draw_colour_bar,
    draw_signs,
    label_axis,
    label_large,
    new_page,
    widest,
)
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, SMALL_TYPE, TYPE, width_of

_EDGE, _GAP = 0.08, 0.14
_TITLE = TYPE * LINE_HEIGHT * POINT
_LABEL = SMALL_TYPE * LINE_HEIGHT * POINT
_LARGEST_CELL, _LEAST_CELL = 0.3, 0.03
_LARGEST, _LEAST = 3.2, 0.5
_LARGEST_CELL_BESIDE, _SHARE_OF_HEADS = 0.9, 0.35
"""For a large head to the right: the largest cell of the overview, and its least share of the common width."""


def draw_model(trace: ModelTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: the overview of all heads, and below it or to its right one head at the chosen stage.

    Stages without a number for each query and key show the matrices of the chosen layer.

    Raises:
        Refused: the page is too small for them, or the layer lacks the stage.
    """
    number, head = (each or 0 for each in settings.large_of(trace.num_layers))
    layers = trace.layers
    if settings.large is None:
        number = layers.nearest(number)
    elif number in layers.others:
        values = {"layer": number + 1, "what": layers.others[number]}
        values["nearest"] = head_name(layers.nearest(number), head)
        sentence = "no head of layer {layer} can be large: it has no attention ({what}); nearest: {nearest}"
        raise Refused(sentence, **values)
    layer = trace.layer_at(number)
    if settings.stage not in layer.stage_names:
        values = {"stage": settings.stage, "layer": number + 1, "stages": ", ".join(layer.stage_names)}
        raise Refused("layer {layer} has no stage {stage}; it has {stages}; nearest: weights", **values)
    changes = listed(trace.altered, "{first} · {rest}")
    return draw_of_several(
        layer, number, changes, settings, lambda settings: _draw(trace, settings, layer, (number, head))
    )


def _draw(trace: ModelTrace, settings: FigureSettings, layer: Layer, at: tuple[int, int]) -> Any:
    width, shown = settings.width, (settings.stage, settings.contrast_drawn)
    scale, levels = layer.scale(*shown), layer.levels(*shown)[0, at[1]]
    name = settings.overview or next(iter(OVERVIEW))
    scale_of_heads = trace.overview.scale(name)
    bar = max(bar_block(scale), bar_block(scale_of_heads))
    of_heads, of_large = width_of(str(trace.num_layers), SMALL_TYPE) + 0.26, widest(layer.query_names) + 0.26
    beside = max(of_heads, of_large)
    room = width - beside - bar - 2 * _EDGE - 0.1
    rows, columns = trace.overview.of(name).shape
    cell = min(room / columns, _LARGEST_CELL)
    side = min(room, _LARGEST)
    below, caption = widest(layer.key_names) + _LABEL + 0.1, CAPTION_ROW * bool(settings.caption)
    around = 2 * _EDGE + 2 * _TITLE + 2 * _LABEL + _GAP + below + caption
    height, right = around + rows * cell + side, 0.0
    if settings.height is not None:
        share = (settings.height - around) / (rows * cell + side)
        cell, side, height = cell * min(share, 1.0), side * min(share, 1.0), settings.height
        # On a wide page the head is larger to the right of the overview.
        high = height - 2 * _EDGE - _TITLE - caption
        both = width - of_heads - of_large - 2 * (bar + 0.1) - 2 * _EDGE
        large = min(high - below, (1 - _SHARE_OF_HEADS) * both)
        if large > side:
            wide = min((both - large) / columns, (high - 2 * _LABEL) / rows, _LARGEST_CELL_BESIDE)
            cell, side, right = wide, large, of_heads + columns * wide + bar + 0.1
    if cell < _LEAST_CELL or side < _LEAST:
        values = {"width": settings.width_cm, "rows": rows, "columns": columns}
        raise Refused(
            "a page of {width:.3g} cm has no room for {rows} × {columns} heads and one of them large; a larger one has",
            **values,
        )
    figure = new_page(width, height, settings)
    top, tall = _EDGE + _TITLE, max(rows * cell, 0.4)
    left, beside = (of_heads, right + of_large) if right else (beside, beside)
    _draw_overview(figure, (left, top, columns * cell, rows * cell), trace, name, at, settings)
    left += (columns * cell if right else max(columns * cell, side)) + 0.1
    draw_colour_bar(figure, (left, top), tall, scale_of_heads, OVERVIEW[name].title, settings)
    top, length = top if right else top + tall + 2 * _LABEL + _GAP + _TITLE, min(side, 1.6)
    left = beside + side + 0.1
    axes = add_axes(figure, (beside, top, side, side))
    draw_cells(axes, Cells(levels, None, scale), settings)
    label_large(axes, (layer.query_names, layer.key_names), (beside, top, side, side), settings)
    role_name = Text("off") if at in trace.pairs_off else trace.overview.role_name(*at)
    named = Text("head {name}", {"name": HeadAt(trace.kind, *at).name})
    axes.set_title(settings.tr(listed([named, role_name] if role_name else [named])), fontsize=TYPE, pad=3, loc="left")
    draw_colour_bar(figure, (left, top), length, scale, contrast_title(settings.stage, scale, settings), settings)
    draw_signs(figure, (left, top + length + 0.1), levels, settings)
    return figure


def _draw_overview(
    figure: Any, box: Box, trace: ModelTrace, name: str, chosen: tuple[int, int], settings: FigureSettings
) -> None:
    """Draw the measure of each head in its colour, the layers from the top, with a ring around the chosen head."""
    from matplotlib.patches import Rectangle

    (_, _, wide, tall), record = box, OVERVIEW[name]
    values, scale = trace.overview.of(name), trace.overview.scale(name)
    known, shown = np.isfinite(values), values.copy()
    for pair in trace.pairs_off:
        shown[pair] = np.nan  # no number under a cross
    axes = add_axes(figure, box)
    cells = Cells(quantise(values, known, scale.low, scale.high), shown, scale, written=record.number)
    longest = max((width_of(record.number(value), SMALL_TYPE) for value in values[known]), default=0.0)
    draw_cells(axes, cells, settings, numbers=longest < 0.95 * wide / values.shape[1])
    label_axis(axes.yaxis, numbers(values.shape[0]), tall)
    label_axis(axes.xaxis, numbers(values.shape[1]), wide, across=True)
    axes.set_ylabel(settings.tr("layer"), fontsize=TYPE, labelpad=2)
    axes.set_xlabel(settings.tr("head"), fontsize=TYPE, labelpad=1)
    for layer, reason in trace.model.others.items():
        axes.axhspan(layer - 0.5, layer + 0.5, facecolor=settings.palette.faint, edgecolor="none", zorder=2)
        style = {"fontsize": SMALL_TYPE, "color": settings.palette.muted, "va": "center", "ha": "center", "zorder": 3}
        axes.text((values.shape[1] - 1) / 2, layer, settings.tr(reason), clip_on=True, **style)
    for layer, head in trace.pairs_off:
        for ends in ((-0.5, 0.5), (0.5, -0.5)):
            axes.plot((head - 0.5, head + 0.5), np.add(layer, ends), color=settings.palette.danger, linewidth=0.8)
    row, column = chosen
    accent = settings.palette.accent
    axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=accent, linewidth=1.4))
    axes.set_title(settings.tr(record.title), fontsize=TYPE, pad=3, loc="left")
