"""A stage that is no grid of weights as a figure: its matrices side by side, with what stands between them."""

from math import sqrt
from typing import Any

import numpy as np

from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.experiment.picture import symmetric_scale
from attnviz.experiment.tensor_panels import Panel, Rows, panels_of, signed
from attnviz.export.figure_parts import LINE_HEIGHT, POINT, TYPE, Cells, colours_for, draw_cells, number
from attnviz.export.figure_settings import FigureSettings

_TITLE = 2 * TYPE * LINE_HEIGHT * POINT
_MARGIN, _SIGN = 0.08, 0.16
_ROW = 0.8  # height of the tallest panel of a row
_ACROSS = 4  # heads of a split in one row


def draw_panels(trace: AttentionTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure of a stage's matrices: their names above, their shapes below, a scale for each."""
    from matplotlib.figure import Figure

    rows = _rows_of(trace, settings)
    theme, width = settings.theme, settings.width
    height = len(rows) * (_ROW + _TITLE) + 2 * _MARGIN
    figure = Figure(figsize=(width, height), facecolor="none" if settings.transparent else theme.panel)
    for index, row in enumerate(rows):
        _draw_row(figure, row, _MARGIN + index * (_ROW + _TITLE), settings)
    return figure


def _rows_of(trace: AttentionTrace, settings: FigureSettings) -> Rows:
    stage, item = settings.stage, settings.item
    heads = settings.heads_of(trace.num_heads)
    if stage == "split":
        return _folded("Q", trace.projected_q[item], trace.q[item], heads)
    if stage == "merge":
        return _folded("concat", trace.merged[item], trace.heads[item], heads)
    query = trace.weights.shape[2] - 1
    if stage == "heads":
        return tuple(panels_of(trace, "heads", item, head, query)[0] for head in heads)
    return panels_of(trace, stage, item, heads[0], query)  # type: ignore[arg-type]


def _folded(name: str, whole: np.ndarray, parts: np.ndarray, heads: tuple[int, ...]) -> Rows:
    """Return a tensor (L, D) and its heads (h, L, d), all under the scale of the whole."""
    scale = symmetric_scale(whole)
    letter = "H" if name == "concat" else name
    first = (signed(name, "q", whole, "queries", "features", by_head=True, scale=scale),)
    panels = [
        signed(f"{letter} of head {head + 1}", "q", parts[head], "queries", "features", scale=scale) for head in heads
    ]
    return (first, *(tuple(panels[start : start + _ACROSS]) for start in range(0, len(panels), _ACROSS)))


def _draw_row(figure: Any, row: tuple[Panel, ...], top: float, settings: FigureSettings) -> None:
    """Draw panels from left to right; their sides follow the roots of their sizes, so that a vector stays visible."""
    width, height = figure.get_size_inches()
    room = width - 2 * _MARGIN - _SIGN * len(row)
    sizes = [(sqrt(panel.values.shape[0]), sqrt(panel.values.shape[1])) for panel in row]
    across = min(room / sum(size[1] for size in sizes), _ROW / max(size[0] for size in sizes) * 1.6)
    down = _ROW / max(size[0] for size in sizes)
    x = _MARGIN
    for panel, (rows, columns) in zip(row, sizes, strict=True):
        if panel.sign:
            place = x + _SIGN / 2, top + _TITLE / 2 + _ROW / 2
            figure.text(place[0] / width, 1 - place[1] / height, panel.sign, ha="center", va="center", fontsize=TYPE)
        x += _SIGN
        w, h = columns * across, max(rows * down, 0.08)
        y = top + _TITLE / 2 + (_ROW - h) / 2
        axes = figure.add_axes((x / width, 1 - (y + h) / height, w / width, h / height))
        _draw_panel(axes, panel, settings)
        x += w


def _draw_panel(axes: Any, panel: Panel, settings: FigureSettings) -> None:
    theme = settings.theme
    colours = colours_for(panel.scale, settings.colour_map, theme)
    draw_cells(axes, Cells(panel.levels, panel.values, colours), theme, diverging=panel.scale.diverging)
    role = getattr(theme, panel.role, theme.text)
    axes.set_title(panel.name, fontsize=TYPE, pad=2, color=role)
    axes.set_xticks([])
    axes.set_yticks([])
    shape = " × ".join(map(str, panel.values.shape))
    reach = f", ±{number(panel.scale.high)}" if panel.scale.diverging else ", 0..1"
    axes.set_xlabel(shape + reach, fontsize=5.5, labelpad=1.5)
