"""The attention lab's figures for a paper: the chosen heads of a stage under one colour bar, or a stage's matrices."""

from math import ceil
from typing import Any

import numpy as np

from attnviz.experiment.attention.stages import CELL_STAGES
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.colours.levels import LOWEST, reduce_to
from attnviz.export.figures.grid_layout import TITLE, TOP, GridLayout, grid_layout
from attnviz.export.figures.panels import draw_panels
from attnviz.export.figures.parts import (
    BAR,
    CAPTION_ROW,
    Cells,
    bar_block,
    colours_for,
    draw_caption,
    draw_cells,
    draw_colour_bar,
    draw_signs,
    label_axis,
)
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import POINT, SMALL_TYPE, TYPE

_TITLES = {
    "scores": "score",
    "masked_scores": "masked score",
    "weights": "weight",
    "dropped_weights": "weight after dropout",
}
_LEAST_BAR = 0.5


def draw_attention(trace: AttentionTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure of the chosen stage, heads and batch item."""
    figure = _draw_heads(trace, settings) if settings.stage in CELL_STAGES else draw_panels(trace, settings)
    draw_caption(figure, settings.caption, settings.palette)
    return figure


def _draw_heads(trace: AttentionTrace, settings: FigureSettings) -> Any:
    from matplotlib.figure import Figure

    stage, item, theme = settings.stage, settings.item, settings.palette
    heads = settings.heads_of(trace.num_heads)
    levels = trace.levels(stage, settings.contrast)[item]  # type: ignore[arg-type]
    scale = trace.scale(stage, settings.contrast)  # type: ignore[arg-type]
    values = getattr(trace, stage)[item]
    dropped = trace.dropped if stage == "dropped_weights" else None
    colours = colours_for(scale, settings.colour_map, theme)
    layout = grid_layout(trace, len(heads), bar_block(scale), settings)
    figure = Figure(figsize=(layout.width, layout.height), facecolor="none" if settings.transparent else theme.panel)
    cell = layout.panel[0] / trace.weights.shape[3]
    numbers = len(heads) == 1 and cell >= 3.2 * SMALL_TYPE * POINT
    for index, head in enumerate(heads):
        axes = figure.add_axes(layout.place(index))
        cells = Cells(levels[head], values[head], colours, None if dropped is None else dropped[item, head])
        draw_cells(axes, cells, theme, numbers=numbers, diverging=scale.diverging)
        if trace.num_heads > 1 and layout.title:
            name = f"{head + 1}" if layout.only_numbered else f"head {head + 1}"
            axes.set_title(name, fontsize=TYPE, pad=2)
        _label(axes, trace, layout, index, len(heads))
    chosen = levels[list(heads)]
    length = min(max(layout.panel[1], _LEAST_BAR) if layout.page is None else layout.page / 2, 1.6)
    left, top = layout.width - layout.bar, TOP + TITLE
    bar = figure.add_axes(layout.box(left, top, BAR, length))
    title = _TITLES[stage] + (" (top: each head's largest)" if settings.contrast and not scale.diverging else "")
    draw_colour_bar(bar, scale, colours, title, theme)
    of_dropped = "" if dropped is None else "#" + bytes(colours[LOWEST].tolist()).hex()
    low = draw_signs(figure, (left, top + length + 0.1), chosen, theme, of_dropped)
    if layout.only_numbered:
        x, y = left / layout.width, 1 - (low + BAR / 2) / layout.height
        figure.text(x, y, "1: head 1", fontsize=SMALL_TYPE, va="center", color=theme.muted)
    _say_what_is_reduced(figure, trace, settings)
    return figure


def _label(axes: Any, trace: AttentionTrace, layout: GridLayout, index: int, count: int) -> None:
    """Label the rows beside the first column and the columns below the last panel of each; name the axes once."""
    row, column = divmod(index, layout.columns)
    wide, tall = layout.panel
    rows_named, columns_named = layout.named
    axes.set_yticks([])
    axes.set_xticks([])
    if column == 0:
        if rows_named:
            label_axis(axes.yaxis, trace.query_tokens, tall)
        if rows_named or row == layout.rows // 2:
            axes.set_ylabel("queries", fontsize=TYPE, labelpad=2)
    if index + layout.columns >= count:
        if columns_named:
            label_axis(axes.xaxis, trace.key_tokens, wide, across=True)
        if columns_named or column == layout.columns // 2:
            axes.set_xlabel("keys", fontsize=TYPE, labelpad=2)


def _say_what_is_reduced(figure: Any, trace: AttentionTrace, settings: FigureSettings) -> None:
    Q, K = trace.weights.shape[2:]
    rows, columns = reduce_to(np.zeros((Q, K), np.uint8), 2048, 2048).shape
    if (rows, columns) != (Q, K):
        text = f"each pixel: the largest of {ceil(Q / rows)} × {ceil(K / columns)} cells"
        lift = CAPTION_ROW / figure.get_size_inches()[1] if settings.caption else 0.0
        figure.text(0.99, 0.01 + lift, text, fontsize=SMALL_TYPE, ha="right", va="bottom", color=settings.palette.muted)
