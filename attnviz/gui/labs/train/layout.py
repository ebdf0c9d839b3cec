"""Where the parts of the training page are: curves, tiles of all heads, predictions, and the chosen head, large.

A pure function from measured lengths to rectangles, in pixels; it needs no window.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from attnviz.gui.plots.layout import Margins, Rect, TileGrid, TileRules, cells_size, tile_grid

NOWHERE = Rect(0, 0, 0, 0)
"""The place of a part that is not shown."""
_HEAD_SHARE = 0.55
"""The share of the width that the chosen head has, with its labels, unless more is wanted."""
_AMPLE, _PLOTS_SHARE, _TILES_SHARE = 2.2, 0.3, 0.62
"""The most height of a plot, in its least one; the share of a column that both plots have, and that the smallest tiles
keep from the predictions."""


class TileLabel(NamedTuple):
    """One way to write above a tile."""

    height: float
    text: float
    """The width of the widest text: no tile is narrower."""


@dataclass(frozen=True, slots=True)
class TrainRules:
    """What is measured of the parts before they are placed."""

    tokens: int
    """Rows and columns of each head, and places of the predictions."""
    margins: Margins
    """For the labels of the chosen head."""
    layers: int
    heads: int
    """In each layer."""
    labels: tuple[TileLabel, ...]
    """Of the tiles: in a line, or in two lines that are narrower."""
    tile: tuple[float, float]
    """The smallest and the largest side of a tile."""
    chip: tuple[float, float]
    """The width and height of a token above its prediction."""
    chips_title: tuple[float, float, float]
    """The height of the heading of the predictions in two lines and in one, and the width that one line needs."""
    plot: tuple[float, float]
    """The least width and height of the curves of one plot, with its heading."""
    slider: float
    """The height of the row to choose a step."""
    gap: float
    scroll_bar: float
    edge: float
    """The room around all tiles, for the border of the chosen one."""
    wanted: float = 0.0
    """The area of the chosen head's cells that no other part may take."""


@dataclass(frozen=True, slots=True)
class TrainLayout:
    """The rectangle of each part."""

    plots: tuple[Rect, Rect]
    """`NOWHERE` without room for them."""
    slider: Rect
    tiles: Rect
    """Where the tiles are in sight; they may need more height."""
    grid: TileGrid
    label: int
    """Which of the ways to write above a tile."""
    head: Rect
    """The chosen head with its labels."""
    title: Rect
    """The heading of the predictions."""
    chips: Rect
    """Where the predictions are in sight."""
    across: int
    """How many predictions are in a line."""

    @property
    def parts(self) -> tuple[Rect, ...]:
        """Those that are shown."""
        every = (*self.plots, self.slider, self.tiles, self.head, self.title, self.chips)
        return tuple(part for part in every if part != NOWHERE)


def train_layout(room: Rect, rules: TrainRules) -> TrainLayout:
    """Return where the parts are: the chosen head at the right, at least as large as wanted where that fits.

    The curves are above all where such a head still fits below them, else in the column of tiles and predictions.
    """
    gap, margins, (plot_width, plot) = rules.gap, rules.margins, rules.plot
    beside, above = margins.left + margins.right, margins.top + margins.bottom
    narrowest = max(rules.chip[0], rules.labels[-1].text + 2 * rules.edge) + rules.scroll_bar + 2 * gap
    widest = max(1.0, room.width - narrowest - beside)
    wanted = min(widest, rules.tokens * math.ceil(math.sqrt(rules.wanted) / rules.tokens))
    steps = rules.slider + gap
    spare = room.height - steps - gap / 2 - above  # for the plots and the cells
    in_a_row = room.width >= 2 * plot_width + gap and spare - plot >= max(1.0, wanted)
    side = min(widest, max(wanted, _HEAD_SHARE * room.width - beside), room.height - above)
    if in_a_row:
        side = min(side, spare - plot, max(wanted, spare - _AMPLE * plot))
    cells = cells_size((rules.tokens, rules.tokens), side, side, 1)[0]
    size = min(room.width, cells + beside), min(max(1.0, room.height), cells + above)
    left = math.floor(room.right - size[0])
    plots, slider, top = (NOWHERE, NOWHERE), NOWHERE, room.y
    if in_a_row:
        plots, slider = _curves(room, max(plot, min(_AMPLE * plot, spare - cells)), rules)
        top = slider.bottom + gap
    head = Rect(left, top, *size)
    column = Rect(room.x, top, max(1.0, left - 2 * gap - room.x), max(1.0, room.bottom - top))
    if not in_a_row:
        plots, slider = _curves_in_column(column, rules)
        top = slider.bottom + gap
        column = column._replace(y=top, height=max(1.0, room.bottom - top))
    title, chips, across = _predictions(column, rules)
    tiles = column._replace(height=max(1.0, title.y - gap - column.y))
    label, grid, bar = _tiles(tiles, rules)
    tiles = tiles._replace(width=min(tiles.width, grid.width + bar), height=min(tiles.height, grid.height))
    up = min(title.y, tiles.bottom + gap) - title.y  # predictions follow the tiles
    return TrainLayout(plots, slider, tiles, grid, label, head, title.moved(0, up), chips.moved(0, up), across)


def _curves(room: Rect, height: float, rules: TrainRules) -> tuple[tuple[Rect, Rect], Rect]:
    """Return two plots of this height, side by side where each has its least width, and the row to choose a step."""
    gap, several = rules.gap, room.width >= 2 * rules.plot[0] + rules.gap
    first = Rect(room.x, room.y, (room.width - gap) / 2 if several else room.width, height)
    second = first.moved(first.width + gap, 0) if several else first.moved(0, height + gap)
    return (first, second), Rect(room.x, second.bottom + gap / 2, room.width, rules.slider)


def _curves_in_column(room: Rect, rules: TrainRules) -> tuple[tuple[Rect, Rect], Rect]:
    """Return the plots, `NOWHERE` without room for them, and the row to choose a step, at the top of a column."""
    width, least = rules.plot
    rows = 1 if room.width >= 2 * width + rules.gap else 2
    others = _tile_rows(1, rules) + rules.chips_title[0] + rules.chip[1] + rules.slider + (rows + 2) * rules.gap
    height = (room.height - others) / rows
    if room.width < width or height < least:
        return (NOWHERE, NOWHERE), Rect(room.x, room.y, room.width, rules.slider)
    return _curves(room, min(height, max(least, min(_AMPLE * least, _PLOTS_SHARE * room.height / rows))), rules)


def _tile_rows(count: int, rules: TrainRules) -> float:
    """Return the height of rows of the smallest tiles."""
    return count * (rules.labels[-1].height + rules.tile[0] + rules.gap) + 2 * rules.edge


def _tile_columns(width: float, rules: TrainRules) -> list[int]:
    """Return how many tiles may be in a row, the fewest first: a row holds a layer, or an equal part of one."""
    least = max(rules.tile[0], rules.labels[-1].text) + rules.gap
    across = (each for each in range(1, rules.heads + 1) if rules.heads % each == 0)
    return [each for each in across if each == 1 or (width - 2 * rules.edge + rules.gap) / each >= least]


def _predictions(room: Rect, rules: TrainRules) -> tuple[Rect, Rect, int]:
    """Return the heading and the predictions at the foot of a column, and how many are in a line.

    They have all lines that they need, or as many as leave room for the smallest tiles, and scroll.
    """
    two_lines, one_line, width = rules.chips_title
    heading = one_line if room.width >= width else two_lines
    across = max(1, math.floor(room.width / rules.chip[0]))
    needed = math.ceil(rules.tokens / across)
    rows = rules.layers * rules.heads // _tile_columns(room.width, rules)[-1]
    free = room.height - heading - min(_tile_rows(rows, rules), _TILES_SHARE * room.height)
    lines = max(1, min(needed, math.floor(free / rules.chip[1])))
    if lines < needed:
        across = max(1, math.floor((room.width - rules.scroll_bar) / rules.chip[0]))
    top = max(room.y, room.bottom - heading - lines * rules.chip[1])
    title = Rect(room.x, top, room.width, max(1.0, min(heading, room.bottom - top - 1)))
    return title, Rect(room.x, title.bottom, room.width, max(1.0, room.bottom - title.bottom)), across


def _tiles(room: Rect, rules: TrainRules) -> tuple[int, TileGrid, float]:
    """Return the way to write above tiles, their grid, and the width of a scroll bar where not all are in sight.

    The tiles are the largest that are all in sight; where those are too small, the smallest, as many in a row as fit.
    """
    least, most = rules.tile
    count, bar = rules.layers * rules.heads, 0.0
    width, height = (length - 2 * rules.edge + rules.gap for length in (room.width, room.height))
    choices = []
    for across in _tile_columns(room.width, rules):
        wide = width / across - rules.gap
        label = 0 if wide >= rules.labels[0].text else len(rules.labels) - 1
        tall = height * across / count - rules.gap - rules.labels[label].height
        choices.append((min(most, wide, tall), across, label))
    longer, across, label = max(choices)
    if longer < least:
        bar, across, label = rules.scroll_bar, _tile_columns(room.width - rules.scroll_bar, rules)[-1], -1
        longer = min(least, (width - bar) / across - rules.gap)
    tiles = TileRules(
        count=count,
        shape=(rules.tokens, rules.tokens),
        label=rules.labels[label].height,
        text=min(rules.labels[label].text, max(1.0, (width - bar) / across - rules.gap)),
        gap=rules.gap,
        least=least,
        most=most,
        scroll_bar=rules.scroll_bar,
        edge=rules.edge,
    )
    return label % len(rules.labels), tile_grid(tiles, across, max(1, math.floor(longer))), bar
