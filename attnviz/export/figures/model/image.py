"""The figure of an image: overlaid by what a patch or special token attends to, in one head."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import head_name
from attnviz.definitions.text import Refused, Text
from attnviz.experiment.colours import Scale, colours_of_levels
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.model.trace import ModelTrace
from attnviz.export.figures.layers import contrast_title
from attnviz.export.figures.parts import (
    CAPTION_ROW,
    Cells,
    add_axes,
    bar_block,
    draw_cells,
    draw_colour_bar,
    draw_signs,
    new_page,
)
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, SMALL_TYPE, TYPE, width_of

_EDGE, _GAP = 0.08, 0.1
_TITLE = 1.4 * TYPE * LINE_HEIGHT * POINT
_CHIP = 2 * SMALL_TYPE * LINE_HEIGHT * POINT
_FRAME = 0.8
"""The share of a patch that shows the image; the rest has the colour alone."""
_IMAGE = 0.45
"""How much of the image in grey shows through the colour."""


def draw_image(trace: ModelTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure: the row of a query over the image, special tokens as chips above it.

    Raises:
        Refused: the run reads no image, or the layer has no attention.
    """
    if trace.read.image is None:
        raise Refused("the page image is of a run that reads an image; nearest: overview")
    number, head = (each or 0 for each in settings.large_of(trace.num_layers))
    number = trace.layers.nearest(number)
    layer = trace.layer_at(number)
    query = min(settings.query or 0, len(trace.read) - 1)
    levels = layer.levels("weights", settings.contrast_drawn)[0, head][query]
    scale = layer.scale("weights", settings.contrast_drawn)
    words = {"name": head_name(number, head), "query": trace.read.names[query]}
    title = Text("head {name} · “{query}” looks at", words)
    titles = title, contrast_title("weights", scale, settings)
    return draw_over_image(trace.read, (levels, query), scale, titles, settings)


def draw_over_image(
    read: ReadText,
    row: tuple[NDArray[np.uint8], int],
    scale: Scale,
    titles: tuple[Text, Text],
    settings: FigureSettings,
) -> Any:
    """Return a figure of an image, overlaid by the colour levels (T,) of a query's row, and the query itself.

    ``titles`` are those above the image, and of the colour bar.
    """
    image, (levels, query) = read.image, row
    assert image is not None
    table = colours_of_levels(settings.colour_map, settings.palette)
    bar, chips = bar_block(scale), _CHIP * (image.first > 0)
    wide = settings.width - 2 * _EDGE - bar - _GAP
    high, across = image.rows * image.patch[0], image.columns * image.patch[1]
    around = 2 * _EDGE + _TITLE + chips + CAPTION_ROW * bool(settings.caption)
    tall = wide * high / across if settings.height is None else settings.height - around
    side = min(wide / across, max(tall, 0.2) / high)
    wide, tall = side * across, side * high
    figure = new_page(settings.width, settings.height or tall + around, settings)
    top = _EDGE + _TITLE + chips
    axes = add_axes(figure, (_EDGE, top, wide, tall))
    draw_cells(axes, Cells(levels[image.first :].reshape(image.rows, image.columns), None, scale), settings)
    grey = image.pixels[:high, :across].astype(float) @ (0.3, 0.59, 0.11)
    shown = np.dstack([grey] * 3 + [np.where(_inside(image.rows, image.columns, image.patch), 255 * _IMAGE, 0)])
    extent = (-0.5, image.columns - 0.5, image.rows - 0.5, -0.5)
    axes.imshow(shown.astype(np.uint8), extent=extent, interpolation="none", aspect="auto")
    axes.set_axis_off()
    _mark(axes, image, query, settings)
    left = _EDGE
    for place in range(image.first):
        name = read.names[place]
        room = width_of(name, SMALL_TYPE) + 0.12
        chip = add_axes(figure, (left, top - chips, room, 0.75 * chips))
        chip.set_facecolor(tuple(table[levels[place]] / 255))
        chip.set_xticks([])
        chip.set_yticks([])
        ink = "black" if table[levels[place]].astype(float) @ (0.3, 0.59, 0.11) > 140 else "white"
        chip.text(0.5, 0.5, name, color=ink, fontsize=SMALL_TYPE, ha="center", va="center", transform=chip.transAxes)
        for edge in chip.spines.values():
            edge.set_color(settings.palette.q if place == query else settings.palette.line)
            edge.set_linewidth(1.4 if place == query else 0.5)
        left += room + 0.06
    title = settings.tr(titles[0])
    figure.text(_EDGE / settings.width, 1 - (_EDGE + 0.6 * _TITLE) / figure.get_size_inches()[1], title, fontsize=TYPE)
    corner = _EDGE + wide + _GAP
    draw_colour_bar(figure, (corner, top), min(tall, 1.6), scale, titles[1], settings)
    draw_signs(figure, (corner, top + min(tall, 1.6) + 0.1), levels[None], settings)
    return figure


def _inside(rows: int, columns: int, patch: tuple[int, int]) -> Any:
    """Return which pixels are inside the edges of the patches."""

    def of(count: int, side: int) -> Any:
        at, edge = np.arange(side), max(1, round((1 - _FRAME) / 2 * side))
        return np.tile((at >= edge) & (at < side - edge), count)

    return of(rows, patch[0])[:, None] & of(columns, patch[1])


def _mark(axes: Any, image: Any, query: int, settings: FigureSettings) -> None:
    """Draw a frame around the patch of the query."""
    from matplotlib.patches import Rectangle

    place = image.place(query)
    if place is not None:
        corner = place[1] - 0.5, place[0] - 0.5
        colour = settings.palette.q
        axes.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=colour, linewidth=1.4, clip_on=False))
