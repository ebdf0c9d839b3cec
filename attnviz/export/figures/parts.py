"""The parts of figures for a paper: cells as one image with exact colours, hatching, labels, and a colour bar.

Lengths are inches on the finished page, font sizes are points on it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import are_numbers, short_name
from attnviz.definitions.text import Text
from attnviz.experiment.colours import (
    DARK_TEXT,
    DIVERGING,
    HIGHEST,
    LIGHT_TEXT,
    LOWEST,
    MASKED,
    NOT_FINITE,
    Scale,
    colours_of_levels,
    reduce_to,
    takes_dark_text,
)
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import POINT, SMALL_TYPE, TYPE, width_of
from attnviz.palette import Theme

CAPTION_TYPE, CAPTION_ROW = 8.0, 0.22
"""The caption's font size in points, and the height of its line."""
CELLS = "cells"
"""The label of axes that show cells; each pixel has a level's colour, apart from hatching, crosses and numbers."""
COLOUR_BAR = "colour bar"
"""The label of the axes of a colour bar."""
BAR = 0.09
"""The width of a colour bar."""
LABEL_PITCH = SMALL_TYPE * 1.05 * POINT
"""The least distance between two labels."""

_MOST_PIXELS = 2048  # per side of an image; more cells are reduced to blocks, each with its maximum
_LEAST_PIXELS = 320  # per side; fewer cells are repeated, so that a smoothing viewer blurs only edges
_CAPTION_MARGIN = 0.1
_MOST_HATCHED = 96  # cells per side; smaller ones have no room for a hatch, only for a colour


Box = tuple[float, float, float, float]
"""Left, top, width and height, in inches from the top left corner of a page."""


def new_page(width: float, height: float, settings: FigureSettings) -> Any:
    """Return an empty page as a matplotlib figure."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), facecolor="none" if settings.transparent else settings.palette.panel)


def add_axes(page: Any, box: Box) -> Any:
    """Add axes in a box of a page."""
    (left, top, wide, tall), (width, height) = box, page.get_size_inches()
    return page.add_axes((left / width, 1 - (top + tall) / height, wide / width, tall / height))


def add_text(page: Any, left: float, top: float, text: str, **style: Any) -> None:
    """Write a text at a position of a page."""
    width, height = page.get_size_inches()
    page.text(left / width, 1 - top / height, text, **style)


def number(value: float) -> str:
    """Return a number in a few characters, as cells and colour bars show it."""
    if value == 0:
        return "0"
    return f"{value:.2f}" if 0.005 <= abs(value) < 99.5 else f"{value:.0e}" if abs(value) < 0.005 else f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class Cells:
    """A matrix to be drawn: colour levels (Q, K) as in `experiment.colours.levels`, and the numbers if they are few."""

    levels: NDArray[np.uint8]
    values: NDArray[Any] | None
    scale: Scale
    dropped: NDArray[np.bool_] | None = None
    """(Q, K), True where dropout set a weight to 0; None if dropout is off."""
    written: Callable[[float], str] = number
    """Formats a number."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.levels.shape[0], self.levels.shape[1]


def colours_for(scale: Scale, settings: FigureSettings) -> NDArray[np.uint8]:
    """Return the (256, 3) colours of a scale: the chosen map, or the diverging one if 0 is in the middle."""
    return colours_of_levels(DIVERGING if scale.diverging else settings.colour_map, settings.palette)


def draw_cells(axes: Any, cells: Cells, settings: FigureSettings, *, numbers: bool = False) -> None:
    """Draw cells as one image in exact colours without seams; cell (i, j) is centred on y = i, x = j."""
    axes.set_label(CELLS)
    theme, colours, (rows, columns) = settings.palette, colours_for(cells.scale, settings), cells.shape
    image = colours[reduce_to(cells.levels, _MOST_PIXELS, _MOST_PIXELS, diverging=cells.scale.diverging)]
    for axis in (0, 1):
        image = image.repeat(max(1, -(-_LEAST_PIXELS // image.shape[axis])), axis=axis)
    extent = (-0.5, columns - 0.5, rows - 0.5, -0.5)
    axes.imshow(image, origin="upper", interpolation="none", aspect="auto", extent=extent)
    for side in axes.spines.values():
        side.set_color(theme.line)
    axes.tick_params(length=0, pad=2, labelsize=SMALL_TYPE)
    if max(rows, columns) <= _MOST_HATCHED:
        _hatch(axes, cells.levels == MASKED, theme)
        _cross(axes, cells.levels == NOT_FINITE)
        if cells.dropped is not None:
            _cross(axes, cells.dropped)
    if numbers and cells.values is not None:
        _write_numbers(axes, cells, takes_dark_text(colours))


def _hatch(axes: Any, where: NDArray[np.bool_], theme: Theme) -> None:
    """Hatch cells as one shape, so that edges between neighbours are invisible."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    edges = np.diff(np.pad(where, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]  # in the same order, since each run of a row ends before the next begins
    if len(rows):
        left, right, top, bottom = starts - 0.5, ends - 0.5, rows - 0.5, rows + 0.5
        corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
        vertices = np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1).reshape(-1, 2)
        codes = np.tile([Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY], len(rows))
        patch = PathPatch(Path(vertices, codes), facecolor="none", edgecolor=theme.hatch, hatch="//////", linewidth=0)
        axes.add_artist(patch)  # add_patch would update the axes' limits from every corner


def _cross(axes: Any, where: NDArray[np.bool_]) -> None:
    """Cross out cells that are not finite, or weights set to 0 by dropout."""
    from matplotlib.collections import LineCollection

    strokes = np.array([[(-0.3, -0.3), (0.3, 0.3)], [(-0.3, 0.3), (0.3, -0.3)]])
    centres = np.argwhere(where)[:, ::-1]
    if len(centres):
        segments = (centres[:, None, None] + strokes).reshape(-1, 2, 2)
        axes.add_collection(LineCollection(list(segments), colors="white", linewidths=0.6))


def _write_numbers(axes: Any, cells: Cells, dark: NDArray[np.bool_]) -> None:
    assert cells.values is not None
    for (row, column), value in np.ndenumerate(cells.values):
        level = cells.levels[row, column]
        if (
            level in (MASKED, NOT_FINITE)
            or np.isnan(value)
            or (cells.dropped is not None and cells.dropped[row, column])
        ):
            continue
        colour = DARK_TEXT if dark[level] else LIGHT_TEXT
        axes.text(column, row, cells.written(value), color=colour, fontsize=SMALL_TYPE, ha="center", va="center")


def label_axis(axis: Any, labels: Sequence[str], length: float, *, across: bool = False) -> None:
    """Label as many cells as have room along an axis of a length; ``across`` rotates labels by 90 degrees."""
    room = length / max(len(labels), 1)
    has_words = not are_numbers(labels)
    needed = LABEL_PITCH if has_words or not across else SMALL_TYPE * POINT * (0.65 * max(map(len, labels)) + 0.4)
    every = _round_step(needed / room) if room < needed else 1
    ticks = range(0 if has_words else every - 1, len(labels), every)  # multiples: 5, 10, 15, ...
    axis.set_ticks(list(ticks), [shortened(labels[index]) for index in ticks])
    if across and has_words:
        for text in axis.get_ticklabels():
            text.set_rotation(90)


def _round_step(least: float) -> int:
    size = 1
    while True:
        for step in (1, 2, 5):
            if step * size >= least:
                return step * size
        size *= 10


def label_large(axes: Any, names: tuple[Sequence[str], Sequence[str]], box: Box, settings: FigureSettings) -> None:
    """Label the rows and columns of a large head with the names of queries and keys, in the colours of these."""
    theme, (_, _, wide, tall) = settings.palette, box
    label_axis(axes.yaxis, names[0], tall)
    label_axis(axes.xaxis, names[1], wide, across=True)
    axes.tick_params(axis="y", colors=theme.q_text)
    axes.tick_params(axis="x", colors=theme.k_text)
    axes.set_ylabel(settings.tr("queries"), fontsize=TYPE, labelpad=2, color=theme.q_text)
    axes.set_xlabel(settings.tr("keys"), fontsize=TYPE, labelpad=1, color=theme.k_text)


def shortened(label: str) -> str:
    """Return a token, shortened to fit beside an axis."""
    label = short_name(label)
    return label if len(label) <= 14 else f"{label[:13]}…"


def widest(labels: Sequence[str]) -> float:
    """Return the width of the widest label, among the eight with the most characters."""
    longest = sorted(dict.fromkeys(map(shortened, labels)), key=len)[-8:]  # a set's order differs between processes
    return max((width_of(each, SMALL_TYPE) for each in longest), default=0.0)


def draw_caption(figure: Any, text: str, theme: Theme) -> None:
    """Write a line at the bottom of a page, in smaller type if it is long, truncated if that is too wide as well."""
    if not text:
        return
    width, height = figure.get_size_inches()
    room = width - 2 * _CAPTION_MARGIN
    shown, needed = text, width_of(text, CAPTION_TYPE)
    size = min(CAPTION_TYPE, max(SMALL_TYPE, 0.99 * CAPTION_TYPE * room / needed))
    if (needed := width_of(text, size)) > room:
        shown = f"{text[: int(len(text) * room / needed)]}…"
    while len(shown) > 2 and width_of(shown, size) > room:
        shown = f"{shown[: -2 - len(shown) // 12]}…"
    corner = _CAPTION_MARGIN / width, 0.45 * CAPTION_ROW / height
    figure.text(*corner, shown, fontsize=size, ha="left", va="center", color=theme.text)


def draw_signs(
    figure: Any, corner: tuple[float, float], levels: NDArray[np.uint8], settings: FigureSettings, dropped: str = ""
) -> float:
    """Draw the legend of cells without a colour of the bar, from ``corner`` (from the top left corner) downwards.

    ``dropped`` is the colour of weights set to 0 by dropout; empty without any.

    Returns:
        The position of the next such line, from the top.
    """
    from matplotlib.patches import Rectangle

    theme = settings.palette
    signs: list[tuple[str, str, str, bool]] = [
        (settings.tr("masked"), theme.masked, "///////", bool((levels == MASKED).any())),
        (settings.tr("no number"), theme.not_finite, "", bool((levels == NOT_FINITE).any())),
        (settings.tr("× dropped"), dropped, "", bool(dropped)),
    ]
    x, y = corner
    for name, colour, hatch, is_there in signs:
        if not is_there:
            continue
        axes = add_axes(figure, (x, y, BAR, BAR))
        axes.set_axis_off()
        edge: dict[str, Any] = {"edgecolor": theme.hatch, "hatch": hatch} if hatch else {}
        axes.add_patch(Rectangle((0, 0), 1, 1, facecolor=colour, linewidth=0, **edge))
        axes.text(1.35, 0.5, name, fontsize=SMALL_TYPE, va="center", color=theme.muted)
        y += 0.13
    return y


def bar_block(scale: Scale) -> float:
    """Return the width of a colour bar with its numbers and its name; the same for most scales."""
    return max(0.62, BAR + 0.26 + max(map(width_of, _ticks_of(scale)[1])))


def _ticks_of(scale: Scale) -> tuple[list[float], list[str]]:
    ends = [scale.low, (scale.low + scale.high) / 2, scale.high]
    if scale.logarithmic:
        ends = [scale.low, (scale.low * scale.high) ** 0.5, scale.high]
        return [math.log10(end) for end in ends], [f"{end:.3g}" for end in ends]
    return ends, [f"{end:.3g}".replace("-", "−") for end in ends]


def draw_colour_bar(
    figure: Any, corner: tuple[float, float], length: float, scale: Scale, title: Text, settings: FigureSettings
) -> None:
    """Draw the colour bar of a scale as one upright image, with the ends and the middle labelled.

    ``corner`` is its top left corner, from that of the page.
    """
    axes = add_axes(figure, (*corner, BAR, length))
    axes.set_label(COLOUR_BAR)
    ramp = colours_for(scale, settings)[np.arange(HIGHEST, LOWEST - 1, -1)][:, None]
    low, high = (math.log10(scale.low), math.log10(scale.high)) if scale.logarithmic else (scale.low, scale.high)
    axes.imshow(ramp, origin="upper", interpolation="none", aspect="auto", extent=(0, 1, low, high))
    axes.set_yticks(*_ticks_of(scale))
    axes.set_xticks([])
    axes.yaxis.tick_right()
    axes.tick_params(length=2, width=0.5, pad=1.5, labelsize=SMALL_TYPE)
    axes.set_ylabel(settings.tr(title), fontsize=SMALL_TYPE, labelpad=2)
    axes.yaxis.set_label_position("right")
    for side in axes.spines.values():
        side.set_color(settings.palette.line)
