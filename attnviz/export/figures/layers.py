"""A layer of attention in a figure: the chosen heads of a stage under one colour bar, or a stage's matrices."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.counting import SCREEN
from attnviz.definitions.stages import STAGES, cells_of
from attnviz.definitions.text import Refused, Text
from attnviz.experiment.colours import LOWEST, Scale, reduce_to, symmetric_scale
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.panels import Panel, Rows, panels_of, signed
from attnviz.export.figures.grid_layout import FAIR, TITLE, TOP, GridLayout, check_height, grid_layout, is_low
from attnviz.export.figures.parts import (
    BAR,
    CAPTION_ROW,
    Cells,
    add_axes,
    add_text,
    bar_block,
    colours_for,
    draw_caption,
    draw_cells,
    draw_colour_bar,
    draw_signs,
    label_axis,
    new_page,
    number,
)
from attnviz.export.figures.settings import CM, FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, SMALL_TYPE, TYPE, width_of

_PANEL_TITLE = 2 * TYPE * LINE_HEIGHT * POINT
_MARGIN, _SIGN = 0.08, 0.16
_ROW = 0.8  # the height of the tallest panel of a row
_SMALL_ROW = 0.24  # the same if the page would otherwise be higher than paper
_LEAST_ROW = 0.08
_TINY_TYPE = 5.5
_ACROSS = 4  # the number of heads of a split per row


def draw_panels(layer: Layer, settings: FigureSettings) -> Any:
    """Return a matplotlib figure of a stage's matrices: their names above, their shapes below, a scale for each.

    Raises:
        ValueError: the page is too small for them, or would be too high.
    """
    width, page = settings.width, settings.height
    caption = CAPTION_ROW if settings.caption else 0.0
    room = None if page is None else page - 2 * _MARGIN - caption
    rows = _panel_rows(layer, settings, room)
    around = 2 * _MARGIN + caption

    def row_of(count: int) -> float:
        return max(_SMALL_ROW, min(_ROW, (FAIR - around) / count - _PANEL_TITLE))

    tall = row_of(len(rows)) if room is None else room / len(rows) - _PANEL_TITLE
    if tall < _LEAST_ROW:
        raise Refused(
            "a page of {width:.3g} × {height:.3g} cm has no room for stage {stage!r} of {count} heads; a larger one "
            "has, or choose some of the heads",
            width=width * 2.54,
            height=settings.height_cm,
            stage=settings.stage,
            count=len(settings.heads_of(layer.num_heads)),
        )
    height = len(rows) * (tall + _PANEL_TITLE) + around if page is None else page

    def fits(count: int, width: float) -> bool:
        every = settings.heads_of(layer.num_heads)[:count]
        narrower = settings.model_copy(update={"heads": every, "width_cm": width / CM})
        count = len(_panel_rows(layer, narrower, None))
        return is_low(count * (row_of(count) + _PANEL_TITLE) + around)

    check_height(height, width, len(settings.heads_of(layer.num_heads)), fits)
    figure = new_page(width, height, settings)
    most = max(panel.values.shape[0] for row in rows for panel in row)
    for index, row in enumerate(rows):
        _draw_row(figure, row, _MARGIN + index * (tall + _PANEL_TITLE), tall, most, settings)
    return figure


def _panel_rows(layer: Layer, settings: FigureSettings, room: float | None) -> Rows:
    stage, item = settings.stage, settings.item
    heads = settings.heads_of(layer.num_heads)
    if stage == "split":
        whole, parts = _folded("Q", layer.projected("q")[item], layer.split_into_heads("q")[item], settings)
        return (whole, *_abreast(parts, settings.width, room, before=1, across=_ACROSS))
    if stage == "merge":
        whole, parts = _folded("concat", layer.merged[item], layer.heads[item], settings)
        return (whole, *_abreast(parts, settings.width, room, before=1, across=_ACROSS))
    query = layer.weights.shape[2] - 1
    if STAGES[stage].shows_heads:
        named = [
            tuple(_of_head(panel, head, settings) for panel in panels)
            for head in heads
            for panels in panels_of(layer, stage, item, head, query)
        ]
        return _abreast(named, settings.width, room, across=1)
    return panels_of(layer, stage, item, heads[0], query)


def _abreast(
    groups: Sequence[tuple[Panel, ...]], width: float, room: float | None, *, across: int, before: int = 0
) -> Rows:
    """Return groups of panels in rows: ``across`` in each, or as many as fit best on a page of given height."""

    def size(count: int) -> float:
        assert room is not None
        return min(room / (before + ceil(len(groups) / count)) - _PANEL_TITLE, width / (count * len(groups[0])) - _SIGN)

    if room is None and (before + ceil(len(groups) / across)) * (_ROW + _PANEL_TITLE) > FAIR:
        room = FAIR  # heads are closer, so that the page is no higher than necessary
        most = max(across, int(width / (len(groups[0]) * (_SMALL_ROW + _SIGN))))
        across = max(range(1, min(len(groups), most) + 1), key=size)
    elif room is not None:
        across = max(range(1, len(groups) + 1), key=size)
    starts = range(0, len(groups), across)
    return tuple(tuple(panel for group in groups[start : start + across] for panel in group) for start in starts)


def _folded(
    name: str, whole: np.ndarray, parts: np.ndarray, settings: FigureSettings
) -> tuple[tuple[Panel, ...], Rows]:
    """Return a tensor (L, D) and its heads (h, L, d), each a group of one, all with the scale of the whole."""
    scale = symmetric_scale(whole)
    letter = "H" if name == "concat" else name
    first = (signed(name, "q", whole, "queries", "features", by_head=True, scale=scale),)
    parts_of = [
        (_of_head(signed(letter, "q", parts[head], "queries", "features", scale=scale), head, settings),)
        for head in settings.heads_of(len(parts))
    ]
    return first, tuple(parts_of)


def _of_head(panel: Panel, head: int, settings: FigureSettings) -> Panel:
    number = SCREEN.head(head)
    name = settings.tr(Text("{name} of head {head}", {"name": panel.name, "head": number}))
    return replace(panel, name=name, short=f"{panel.name} {number}")


def _draw_row(
    figure: Any, row: tuple[Panel, ...], top: float, tall: float, most_rows: int, settings: FigureSettings
) -> None:
    """Draw panels from left to right; sides are proportional to the roots of sizes, so that a vector stays visible.

    ``most_rows`` is the number of rows of the figure's tallest panel, which sets the scale of all.
    """
    room = settings.width - 2 * _MARGIN - _SIGN * len(row)
    sizes = [(sqrt(panel.values.shape[0]), sqrt(panel.values.shape[1])) for panel in row]
    down = tall / sqrt(most_rows)
    across = min(room / sum(size[1] for size in sizes), down * 1.6)
    x = _MARGIN
    for panel, (rows, columns) in zip(row, sizes, strict=True):
        if panel.sign:
            centre = x + _SIGN / 2, top + _PANEL_TITLE / 2 + tall / 2
            add_text(figure, *centre, panel.sign, ha="center", va="center", fontsize=TYPE)
        x += _SIGN
        w, h = columns * across, max(rows * down, 0.08)
        y = top + _PANEL_TITLE / 2 + (tall - h) / 2
        _draw_panel(add_axes(figure, (x, y, w, h)), panel, w, settings)
        x += w


def _draw_panel(axes: Any, panel: Panel, width: float, settings: FigureSettings) -> None:
    theme = settings.palette
    draw_cells(axes, Cells(panel.levels, panel.values, panel.scale), settings)
    role = theme.text_of(panel.role if hasattr(theme, panel.role) else "text")
    name = settings.tr(panel.word) if panel.word else panel.name
    if width_of(name, TYPE) > width + _SIGN * 0.5:
        name = panel.short or name
    axes.set_title(name, fontsize=TYPE, pad=2, color=role)
    axes.set_xticks([])
    axes.set_yticks([])
    shape = " × ".join(map(str, panel.values.shape))
    reach = f", ±{number(panel.scale.high)}" if panel.scale.diverging else ", 0..1"
    fitting = (text for text in (shape + reach, shape) if width_of(text, _TINY_TYPE) <= width + _SIGN * 0.6)
    axes.set_xlabel(next(fitting, ""), fontsize=_TINY_TYPE, labelpad=1.5)


_LEAST_BAR = 0.5
_SUM = 0.32
"""The width reserved for the sum of a row, in inches."""


def draw_layer(layer: Layer, settings: FigureSettings) -> Any:
    """Return a matplotlib figure of the chosen stage, heads and batch item."""
    figure = _draw_heads(layer, settings) if STAGES[settings.stage].cells else draw_panels(layer, settings)
    draw_caption(figure, settings.caption, settings.palette)
    return figure


def draw_of_several(
    layer: Layer, number: int, description: Text, settings: FigureSettings, draw: Callable[[FigureSettings], Any]
) -> Any:
    """Return the figure of a run with several layers, drawn by ``draw``, with ``description`` in its caption.

    Stages without a number for each query and key show the matrices of ``layer``, whose number is counted from 0.
    """
    of_cells = STAGES[settings.stage].cells is not None
    named = "" if of_cells else settings.tr(Text("layer {number}", {"number": number + 1}))
    caption = " · ".join(filter(None, (named, settings.caption, settings.tr(description) if description else "")))
    settings = settings.model_copy(update={"caption": caption})
    figure = draw(settings) if of_cells else draw_panels(layer, settings)
    draw_caption(figure, caption, settings.palette)
    return figure


def _draw_heads(layer: Layer, settings: FigureSettings) -> Any:
    stage, item, theme = settings.stage, settings.item, settings.palette
    heads = settings.heads_of(layer.num_heads)
    levels = layer.levels(stage, settings.contrast_drawn)[item]
    scale = layer.scale(stage, settings.contrast_drawn)
    values = layer.shown(stage)[item]
    dropped = layer.dropped if cells_of(stage).dropped else None
    layout = grid_layout(layer, len(heads), bar_block(scale), settings)
    figure = new_page(layout.width, layout.height, settings)
    cell = layout.panel[0] / layer.weights.shape[3]
    numbers = len(heads) == 1 and cell >= 3.2 * SMALL_TYPE * POINT
    for index, head in enumerate(heads):
        axes = add_axes(figure, layout.panel_box(index))
        cells = Cells(levels[head], values[head], scale, None if dropped is None else dropped[item, head])
        draw_cells(axes, cells, settings, numbers=numbers)
        if settings.sums and stage == "weights":
            _write_sums(axes, layer.row_sums[item, head], layout.panel, settings)
        if layer.num_heads > 1 and layout.title:
            number = SCREEN.head(head)
            name = str(number) if layout.only_numbered else settings.tr(Text("head {number}", {"number": number}))
            axes.set_title(name, fontsize=TYPE, pad=2)
        _label(axes, layer, layout, index, settings)
    chosen = levels[list(heads)]
    length = min(max(layout.panel[1], _LEAST_BAR) if layout.page is None else layout.page / 2, 1.6)
    left, top = layout.width - layout.bar, TOP + TITLE
    draw_colour_bar(figure, (left, top), length, scale, contrast_title(stage, scale, settings), settings)
    of_dropped = "" if dropped is None else "#" + bytes(colours_for(scale, settings)[LOWEST].tolist()).hex()
    low = draw_signs(figure, (left, top + length + 0.1), chosen, settings, of_dropped)
    if layout.only_numbered:
        note = settings.tr("1: head 1")
        add_text(figure, left, low + BAR / 2, note, fontsize=SMALL_TYPE, va="center", color=theme.muted)
        low += BAR
    if layer.has_sink and cells_of(stage).weights:
        note = settings.tr("a sink takes\nthe rest of 1")
        add_text(figure, left, low + BAR / 2, note, fontsize=SMALL_TYPE, va="top", color=theme.muted)
    _say_what_is_reduced(figure, layer, settings)
    return figure


def _write_sums(axes: Any, sums: NDArray[np.floating], panel: tuple[float, float], settings: FigureSettings) -> None:
    """Write the sum of each row beside the cells, which become narrower; nothing if the rows are too low."""
    wide, tall = panel
    if tall / len(sums) < SMALL_TYPE * LINE_HEIGHT * POINT or wide < 3 * _SUM:
        return
    left, low, width, height = axes.get_position().bounds
    axes.set_position((left, low, width * (1 - _SUM / wide), height))
    x = 1 + 0.04 / (wide - _SUM)
    for row, value in enumerate(sums):
        style = {"transform": axes.get_yaxis_transform(), "fontsize": SMALL_TYPE, "color": settings.palette.muted}
        axes.text(x, row, f"{value:.3f}".replace("nan", "NaN"), va="center", ha="left", **style)


def contrast_title(stage: str, scale: Scale, settings: FigureSettings) -> Text:
    """Return the title of a colour bar: the numbers of a stage, possibly stretched by a contrast."""
    number, contrast = Text(cells_of(stage).name), settings.contrast_drawn
    if not contrast or scale.diverging:
        return number
    return Text("{number} ({contrast})", {"number": number, "contrast": Text(CONTRASTS[contrast].figure)})


def _label(axes: Any, layer: Layer, layout: GridLayout, index: int, settings: FigureSettings) -> None:
    """Label the rows beside the first column and the columns below the last panel of each; name the axes once."""
    row, column = divmod(index, layout.columns)
    count = len(settings.heads_of(layer.num_heads))
    wide, tall = layout.panel
    rows_named, columns_named = layout.named
    axes.set_yticks([])
    axes.set_xticks([])
    if column == 0:
        if rows_named:
            label_axis(axes.yaxis, layer.query_names, tall)
        if rows_named or row == layout.rows // 2:
            axes.set_ylabel(settings.tr("queries"), fontsize=TYPE, labelpad=2)
    if index + layout.columns >= count:
        if columns_named:
            label_axis(axes.xaxis, layer.key_names, wide, across=True)
        if columns_named or column == layout.columns // 2:
            axes.set_xlabel(settings.tr("keys"), fontsize=TYPE, labelpad=2)


def _say_what_is_reduced(figure: Any, layer: Layer, settings: FigureSettings) -> None:
    Q, K = layer.weights.shape[2:]
    rows, columns = reduce_to(np.zeros((Q, K), np.uint8), 2048, 2048).shape
    if (rows, columns) != (Q, K):
        numbers = {"rows": ceil(Q / rows), "columns": ceil(K / columns)}
        text = settings.tr(Text("each pixel: the largest of {rows} × {columns} cells", numbers))
        lift = CAPTION_ROW / figure.get_size_inches()[1] if settings.caption else 0.0
        figure.text(0.99, 0.01 + lift, text, fontsize=SMALL_TYPE, ha="right", va="bottom", color=settings.palette.muted)
