"""The model lab's figure for a paper: one number for every head, and one head large."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import SCREEN, head_name
from attnviz.definitions.stages import STAGES
from attnviz.definitions.text import Refused, Text, listed
from attnviz.experiment.colours import DARK_TEXT, LIGHT_TEXT, Scale, quantise, takes_dark_text
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.overview import OVERVIEW
from attnviz.experiment.model.trace import ModelTrace, changes_said
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.export.figures.layers import contrast_title, draw_panels
from attnviz.export.figures.parts import (
    BAR,
    CAPTION_ROW,
    Box,
    Cells,
    add_axes,
    bar_block,
    colours_for,
    draw_caption,
    draw_cells,
    draw_colour_bar,
    draw_signs,
    label_axis,
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


def draw_model(trace: ModelTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: the overview of all heads, and below it one head at the chosen stage.

    At stages that have no number for each query and key it shows the matrices of the chosen layer.

    Raises:
        ValueError: the page is too small for them, or the layer lacks the stage.
    """
    number, head = settings.large_of(trace.num_layers)
    number, head = number or 0, head or 0
    layer = trace.layer_at(number)
    _check_stage(layer, number, settings.stage)
    changes = listed(changes_said(trace.spec, trace.read), "{first} · {rest}")
    said = settings.tr(changes) if changes else ""
    caption = " · ".join(text for text in (settings.caption, said) if text)
    settings = settings.model_copy(update={"caption": caption})
    if STAGES[settings.stage].cells is None:
        named = settings.tr(Text("layer {number}", {"number": number + 1})) + f" · {caption}" * bool(caption)
        settings = settings.model_copy(update={"caption": named})
        figure = draw_panels(layer, settings)
    else:
        figure = _draw(trace, settings, layer, number, head)
    draw_caption(figure, settings.caption, settings.palette)
    return figure


def _check_stage(layer: Layer, number: int, stage: str) -> None:
    if stage not in layer.stage_names:
        words = {"stage": stage, "layer": number + 1, "stages": ", ".join(layer.stage_names)}
        raise Refused("layer {layer} has no stage {stage}; it has {stages}; nearest: weights", **words)


def _draw(trace: ModelTrace, settings: FigureSettings, layer: Layer, number: int, head: int) -> Any:
    theme, width = settings.palette, settings.width
    name = settings.overview or ModelViewSettings().overview
    values = trace.overview.of(name)
    scale, stage = layer.scale(settings.stage, settings.contrast_drawn), settings.stage
    scale_of_heads = trace.overview.scale(name)
    bar = max(bar_block(scale), bar_block(scale_of_heads))
    beside = max(width_of(str(trace.num_layers), SMALL_TYPE), widest(layer.query_names)) + 0.26
    room = width - beside - bar - 2 * _EDGE - 0.1
    rows, columns = values.shape
    cell = min(room / columns, _LARGEST_CELL)
    side = min(room, _LARGEST)
    below = widest(layer.key_names) + _LABEL + 0.1
    around = 2 * _EDGE + 2 * _TITLE + 2 * _LABEL + _GAP + below + CAPTION_ROW * bool(settings.caption)
    height = around + rows * cell + side
    if settings.height is not None:
        share = (settings.height - around) / (rows * cell + side)
        cell, side, height = cell * min(share, 1.0), side * min(share, 1.0), settings.height
    if cell < _LEAST_CELL or side < _LEAST:
        raise Refused(
            "a page of {width:.3g} cm has no room for {rows} × {columns} heads and one of them large; a larger one has",
            width=settings.width_cm,
            rows=rows,
            columns=columns,
        )
    figure = new_page(width, height, settings)
    top = _EDGE + _TITLE
    box = beside, top, columns * cell, rows * cell
    _draw_overview(figure, box, values, scale_of_heads, name, (number, head), settings)
    left = beside + max(columns * cell, side) + 0.1
    colours = colours_for(scale_of_heads, settings.colour_map, theme)
    title = settings.tr(OVERVIEW[name].title)
    draw_colour_bar(add_axes(figure, (left, top, BAR, max(rows * cell, 0.4))), scale_of_heads, colours, title, theme)
    top += max(rows * cell, 0.4) + 2 * _LABEL + _GAP + _TITLE
    axes = add_axes(figure, (beside, top, side, side))
    colours = colours_for(scale, settings.colour_map, theme)
    levels = layer.levels(stage, settings.contrast_drawn)[0, head]
    draw_cells(axes, Cells(levels, None, colours), theme, diverging=scale.diverging)
    _label_large(axes, trace, layer, (number, head), side, settings)
    length = min(side, 1.6)
    stretched = "" if scale.diverging else settings.contrast_drawn
    title = settings.tr(contrast_title(stage, stretched))
    draw_colour_bar(add_axes(figure, (left, top, BAR, length)), scale, colours, title, theme)
    draw_signs(figure, (left, top + length + 0.1), levels, settings)
    return figure


def _draw_overview(
    figure: Any,
    box: Box,
    values: NDArray[np.float64],
    scale: Scale,
    name: str,
    chosen: tuple[int, int],
    settings: FigureSettings,
) -> None:
    """Draw the number of each head in its colour, the layers from the top, with a ring around the chosen head."""
    from matplotlib.patches import Rectangle

    theme, (_, _, wide, tall) = settings.palette, box
    axes = add_axes(figure, box)
    levels = quantise(values, np.isfinite(values), scale.low, scale.high)
    colours = colours_for(scale, settings.colour_map, theme)
    draw_cells(axes, Cells(levels, None, colours), theme)
    texts = {
        place: OVERVIEW[name].number(values[place]) for place in zip(*np.nonzero(np.isfinite(values)), strict=True)
    }
    cell, dark = wide / values.shape[1], takes_dark_text(colours)
    if max((width_of(text, SMALL_TYPE) for text in texts.values()), default=0.0) < 0.95 * cell:
        for (row, column), text in texts.items():
            colour = DARK_TEXT if dark[levels[row, column]] else LIGHT_TEXT
            axes.text(column, row, text, color=colour, fontsize=SMALL_TYPE, ha="center", va="center")
    label_axis(axes.yaxis, tuple(str(SCREEN.head(each)) for each in range(len(values))), tall)
    label_axis(axes.xaxis, tuple(str(SCREEN.head(each)) for each in range(values.shape[1])), wide, across=True)
    axes.set_ylabel(settings.tr("layer"), fontsize=TYPE, labelpad=2)
    axes.set_xlabel(settings.tr("head"), fontsize=TYPE, labelpad=1)
    row, column = chosen
    ring = Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=theme.accent, linewidth=1.4)
    axes.add_patch(ring)
    axes.set_title(settings.tr(OVERVIEW[name].title), fontsize=TYPE, pad=3, loc="left")


def _label_large(
    axes: Any, trace: ModelTrace, layer: Layer, place: tuple[int, int], side: float, settings: FigureSettings
) -> None:
    theme = settings.palette
    label_axis(axes.yaxis, layer.query_names, side)
    label_axis(axes.xaxis, layer.key_names, side, across=True)
    axes.tick_params(axis="y", colors=theme.q_text)
    axes.tick_params(axis="x", colors=theme.k_text)
    axes.set_ylabel(settings.tr("queries"), fontsize=TYPE, labelpad=2, color=theme.q_text)
    axes.set_xlabel(settings.tr("keys"), fontsize=TYPE, labelpad=1, color=theme.k_text)
    role_name = trace.overview.role_name(*place)
    parts = [Text("head {name}", {"name": head_name(*place)})]
    if place in trace.spec.pairs_off:
        parts.append(Text("off"))
    elif role_name is not None:
        parts.append(role_name)
    axes.set_title(settings.tr(listed(parts)), fontsize=TYPE, pad=3, loc="left")
