"""A stage that is no grid of weights as a figure: its matrices side by side, with the signs between them."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, sqrt
from typing import Any

import numpy as np

from attnviz.experiment.attention.tensor_panels import Panel, Rows, panels_of, signed
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.colours.levels import symmetric_scale
from attnviz.export.figures.grid_layout import FAIR, check_height, is_low
from attnviz.export.figures.parts import CAPTION_ROW, Cells, colours_for, draw_cells, number
from attnviz.export.figures.settings import CM, FigureSettings
from attnviz.export.figures.type_style import LINE_HEIGHT, POINT, TYPE, width_of

_TITLE = 2 * TYPE * LINE_HEIGHT * POINT
_MARGIN, _SIGN = 0.08, 0.16
_ROW = 0.8  # height of the tallest panel of a row
_SMALL_ROW = 0.24  # used if the page would be higher than paper
_LEAST_ROW = 0.08
_TINY_TYPE = 5.5
_ACROSS = 4  # heads of a split per row


def draw_panels(trace: AttentionTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure of a stage's matrices: their names above, their shapes below, a scale for each.

    Raises:
        ValueError: the page is too small for them, or would be too high.
    """
    from matplotlib.figure import Figure

    theme, width, page = settings.palette, settings.width, settings.height
    caption = CAPTION_ROW if settings.caption else 0.0
    room = None if page is None else page - 2 * _MARGIN - caption
    rows = _rows_of(trace, settings, room)
    around = 2 * _MARGIN + caption

    def row_of(count: int) -> float:
        return max(_SMALL_ROW, min(_ROW, (FAIR - around) / count - _TITLE))

    tall = row_of(len(rows)) if room is None else room / len(rows) - _TITLE
    if tall < _LEAST_ROW:
        raise ValueError(
            f"a page of {width * 2.54:.3g} × {settings.height_cm:.3g} cm has no room for stage {settings.stage!r} of "
            f"{len(settings.heads_of(trace.num_heads))} heads; a larger one has, or choose some of the heads"
        )
    height = len(rows) * (tall + _TITLE) + around if page is None else page

    def fits(count: int, width: float) -> bool:
        every = settings.heads_of(trace.num_heads)[:count]
        narrower = settings.model_copy(update={"heads": every, "width_cm": width / CM})
        count = len(_rows_of(trace, narrower, None))
        return is_low(count * (row_of(count) + _TITLE) + around)

    check_height(height, width, len(settings.heads_of(trace.num_heads)), fits)
    figure = Figure(figsize=(width, height), facecolor="none" if settings.transparent else theme.panel)
    most = max(panel.values.shape[0] for row in rows for panel in row)
    for index, row in enumerate(rows):
        _draw_row(figure, row, _MARGIN + index * (tall + _TITLE), tall, most, settings)
    return figure


def _rows_of(trace: AttentionTrace, settings: FigureSettings, room: float | None) -> Rows:
    stage, item = settings.stage, settings.item
    heads = settings.heads_of(trace.num_heads)
    if stage == "split":
        whole, parts = _folded("Q", trace.projected_q[item], trace.q[item], heads)
        return (whole, *_abreast(parts, settings.width, room, before=1, across=_ACROSS))
    if stage == "merge":
        whole, parts = _folded("concat", trace.merged[item], trace.heads[item], heads)
        return (whole, *_abreast(parts, settings.width, room, before=1, across=_ACROSS))
    query = trace.weights.shape[2] - 1
    if stage == "heads":
        pooled = [panels_of(trace, "heads", item, head, query)[0] for head in heads]
        named = [
            tuple(replace(panel, name=f"{panel.name} of head {head + 1}") for panel in panels)
            for head, panels in zip(heads, pooled, strict=True)
        ]
        return _abreast(named, settings.width, room, across=1)
    return panels_of(trace, stage, item, heads[0], query)  # type: ignore[arg-type]


def _abreast(
    groups: Sequence[tuple[Panel, ...]], width: float, room: float | None, *, across: int, before: int = 0
) -> Rows:
    """Return groups of panels in rows: ``across`` in each, or on a page of given height as many as fit best."""

    def size(count: int) -> float:
        assert room is not None
        return min(room / (before + ceil(len(groups) / count)) - _TITLE, width / (count * len(groups[0])) - _SIGN)

    if room is None and (before + ceil(len(groups) / across)) * (_ROW + _TITLE) > FAIR:
        room = FAIR  # heads are closer, so that the page is no higher than it must be
        most = max(across, int(width / (len(groups[0]) * (_SMALL_ROW + _SIGN))))
        across = max(range(1, min(len(groups), most) + 1), key=size)
    elif room is not None:
        across = max(range(1, len(groups) + 1), key=size)
    starts = range(0, len(groups), across)
    return tuple(tuple(panel for group in groups[start : start + across] for panel in group) for start in starts)


def _folded(name: str, whole: np.ndarray, parts: np.ndarray, heads: tuple[int, ...]) -> tuple[tuple[Panel, ...], Rows]:
    """Return a tensor (L, D) and its heads (h, L, d), each a group of one, all with the scale of the whole."""
    scale = symmetric_scale(whole)
    letter = "H" if name == "concat" else name
    first = (signed(name, "q", whole, "queries", "features", by_head=True, scale=scale),)
    parts_of = [
        (signed(f"{letter} of head {head + 1}", "q", parts[head], "queries", "features", scale=scale),)
        for head in heads
    ]
    return first, tuple(parts_of)


def _draw_row(
    figure: Any, row: tuple[Panel, ...], top: float, tall: float, most_rows: int, settings: FigureSettings
) -> None:
    """Draw panels from left to right; sides are proportional to the roots of sizes, so that a vector stays visible.

    ``most_rows``: the rows of the figure's tallest panel, which set the scale of all.
    """
    width, height = figure.get_size_inches()
    room = width - 2 * _MARGIN - _SIGN * len(row)
    sizes = [(sqrt(panel.values.shape[0]), sqrt(panel.values.shape[1])) for panel in row]
    down = tall / sqrt(most_rows)
    across = min(room / sum(size[1] for size in sizes), down * 1.6)
    x = _MARGIN
    for panel, (rows, columns) in zip(row, sizes, strict=True):
        if panel.sign:
            place = x + _SIGN / 2, top + _TITLE / 2 + tall / 2
            figure.text(place[0] / width, 1 - place[1] / height, panel.sign, ha="center", va="center", fontsize=TYPE)
        x += _SIGN
        w, h = columns * across, max(rows * down, 0.08)
        y = top + _TITLE / 2 + (tall - h) / 2
        axes = figure.add_axes((x / width, 1 - (y + h) / height, w / width, h / height))
        _draw_panel(axes, panel, w, settings)
        x += w


def _draw_panel(axes: Any, panel: Panel, width: float, settings: FigureSettings) -> None:
    theme = settings.palette
    colours = colours_for(panel.scale, settings.colour_map, theme)
    draw_cells(axes, Cells(panel.levels, panel.values, colours), theme, diverging=panel.scale.diverging)
    role = getattr(theme, panel.role, theme.text)
    short = panel.name.replace(" of head ", " ")
    name = panel.name if width_of(panel.name, TYPE) <= width + _SIGN * 0.5 else short
    axes.set_title(name, fontsize=TYPE, pad=2, color=role)
    axes.set_xticks([])
    axes.set_yticks([])
    shape = " × ".join(map(str, panel.values.shape))
    reach = f", ±{number(panel.scale.high)}" if panel.scale.diverging else ", 0..1"
    fitting = (text for text in (shape + reach, shape) if width_of(text, _TINY_TYPE) <= width + _SIGN * 0.6)
    axes.set_xlabel(next(fitting, ""), fontsize=_TINY_TYPE, labelpad=1.5)
