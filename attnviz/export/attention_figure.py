"""The attention lab's figures for a paper: the chosen heads of a stage under one colour bar, or a stage's matrices."""

from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np

from attnviz.experiment.attention_stages import CELL_STAGES
from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.experiment.picture import MASKED, NOT_FINITE, reduce_to
from attnviz.export.figure_parts import (
    LABEL_PITCH,
    LINE_HEIGHT,
    POINT,
    SMALL_TYPE,
    TYPE,
    Cells,
    are_positions,
    colours_for,
    draw_cells,
    draw_colour_bar,
    label_axis,
    widest,
)
from attnviz.export.figure_settings import FigureSettings
from attnviz.export.panels_figure import draw_panels

_TITLES = {
    "scores": "score",
    "masked_scores": "masked score",
    "weights": "weight",
    "dropped_weights": "weight after dropout",
}
_TITLE = TYPE * LINE_HEIGHT * POINT
_GAP = 0.08
_BAR, _BAR_BLOCK = 0.09, 0.56
_HIGHEST = 9.4  # of a page
_LEAST_PANEL = 0.5


def draw_attention(trace: AttentionTrace, settings: FigureSettings) -> Any:
    """Return a matplotlib figure of the stage, heads and batch item that the settings choose."""
    if settings.stage in CELL_STAGES:
        return _draw_heads(trace, settings)
    return draw_panels(trace, settings)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the panels of a grid stand, in inches from the top left corner of the page."""

    columns: int
    rows: int
    panel: tuple[float, float]
    left: float
    bottom: float
    width: float

    @property
    def height(self) -> float:
        return self.rows * (self.panel[1] + _TITLE) + (self.rows - 1) * _GAP + self.bottom + 0.04

    def place(self, index: int) -> tuple[float, float, float, float]:
        """Return a panel's box as matplotlib wants it: left, bottom, width, height as shares of the page."""
        row, column = divmod(index, self.columns)
        width, height = self.panel
        x = self.left + column * (width + _GAP)
        y = 0.04 + row * (height + _TITLE + _GAP) + _TITLE
        return self.box(x, y, width, height)

    def box(self, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
        return x / self.width, 1 - (y + height) / self.height, width / self.width, height / self.height


def _draw_heads(trace: AttentionTrace, settings: FigureSettings) -> Any:
    from matplotlib.figure import Figure

    stage, item, theme = settings.stage, settings.item, settings.theme
    heads = settings.heads_of(trace.num_heads)
    levels = trace.levels(stage, settings.contrast)[item]  # type: ignore[arg-type]
    scale = trace.scale(stage, settings.contrast)  # type: ignore[arg-type]
    values = getattr(trace, stage)[item]
    colours = colours_for(scale, settings.colour_map, theme)
    layout = _layout(trace, len(heads), settings.width)
    figure = Figure(figsize=(layout.width, layout.height), facecolor="none" if settings.transparent else theme.panel)
    cell = layout.panel[0] / trace.weights.shape[3]
    numbers = len(heads) == 1 and cell >= 3.2 * SMALL_TYPE * POINT
    for index, head in enumerate(heads):
        axes = figure.add_axes(layout.place(index))
        cells = Cells(levels[head], values[head], colours)
        draw_cells(axes, cells, theme, numbers=numbers, diverging=scale.diverging)
        if trace.num_heads > 1:
            axes.set_title(f"head {head + 1}", fontsize=TYPE, pad=2)
        _label(axes, trace, layout, index, len(heads))
    chosen = levels[list(heads)]
    bar = figure.add_axes(layout.box(layout.width - _BAR_BLOCK, 0.04 + _TITLE, _BAR, min(layout.panel[1], 1.6)))
    title = _TITLES[stage] + (" (top: each head's largest)" if settings.contrast and not scale.diverging else "")
    draw_colour_bar(bar, scale, colours, title, theme)
    _draw_signs(figure, layout, chosen, settings)
    _say_what_is_reduced(figure, trace, settings)
    return figure


def _layout(trace: AttentionTrace, count: int, width: float) -> _Layout:
    """Return as many columns as leave every token's label room; where none does, a grid of fair shape."""
    Q, K = trace.weights.shape[2:]
    tokens, keys = trace.query_tokens, trace.key_tokens
    words = not (are_positions(tokens) and are_positions(keys))
    left = widest(tokens) + _TITLE + 0.06
    below = SMALL_TYPE * LINE_HEIGHT * POINT if are_positions(keys) else widest(keys)
    room = width - left - _BAR_BLOCK - _GAP
    aspect = min(max(Q / K, 1 / 3), 3.0)

    def grid(columns: int) -> _Layout:
        panel = (room - (columns - 1) * _GAP) / columns
        rows = ceil(count / columns)
        return _Layout(columns, rows, (panel, panel * aspect), left, below + _TITLE + 0.08, width)

    def legible(layout: _Layout) -> bool:
        across, down = layout.panel[0] / K, layout.panel[1] / Q
        return min(across, down) >= LABEL_PITCH and layout.height <= _HIGHEST

    most = max(1, min(count, int((room + _GAP) / (_LEAST_PANEL + _GAP))))
    fair = min(most, max(1, round(sqrt(1.3 * count))))
    if words:
        return next((layout for layout in map(grid, range(most, 0, -1)) if legible(layout)), grid(fair))
    return grid(fair)


def _label(axes: Any, trace: AttentionTrace, layout: _Layout, index: int, count: int) -> None:
    """Label the rows beside the first column and the columns below the last panel of each; name the axes once."""
    first, last = index % layout.columns == 0, index + layout.columns >= count
    axes.set_yticks([])
    axes.set_xticks([])
    if first:
        label_axis(axes.yaxis, trace.query_tokens, layout.panel[1])
        axes.set_ylabel("queries", fontsize=TYPE, labelpad=2)
    if last:
        label_axis(axes.xaxis, trace.key_tokens, layout.panel[0], across=True)
        axes.set_xlabel("keys", fontsize=TYPE, labelpad=2)


def _draw_signs(figure: Any, layout: _Layout, levels: np.ndarray, settings: FigureSettings) -> None:
    """Say what cells without a colour of the bar mean, below the bar."""
    from matplotlib.patches import Rectangle

    theme = settings.theme
    signs = [("masked", theme.masked, "///////", MASKED), ("no number", theme.not_finite, "", NOT_FINITE)]
    y = 0.04 + _TITLE + min(layout.panel[1], 1.6) + 0.1
    for name, colour, hatch, level in signs:
        if not (levels == level).any():
            continue
        axes = figure.add_axes(layout.box(layout.width - _BAR_BLOCK, y, _BAR, _BAR))
        axes.set_axis_off()
        edge: dict[str, Any] = {"edgecolor": theme.hatch, "hatch": hatch} if hatch else {}
        axes.add_patch(Rectangle((0, 0), 1, 1, facecolor=colour, linewidth=0, **edge))
        axes.text(1.35, 0.5, name, fontsize=SMALL_TYPE, va="center", color=theme.muted)
        y += 0.13


def _say_what_is_reduced(figure: Any, trace: AttentionTrace, settings: FigureSettings) -> None:
    Q, K = trace.weights.shape[2:]
    rows, columns = reduce_to(np.zeros((Q, K), np.uint8), 2048, 2048).shape
    if (rows, columns) != (Q, K):
        text = f"each pixel: the largest of {ceil(Q / rows)} × {ceil(K / columns)} cells"
        figure.text(0.99, 0.01, text, fontsize=SMALL_TYPE, ha="right", va="bottom", color=settings.theme.muted)
