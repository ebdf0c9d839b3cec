"""Where the parts of the training page are: curves, tiles of all heads, predictions, and the chosen head, large.

A pure function from measured lengths to rectangles, in pixels; it needs no window.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from attnviz.gui.plots.layout import Margins, Rect, TileGrid, TileRules, cells_size, tile_grid

NOWHERE = Rect(0, 0, 0, 0)
"""The place of a part that is not shown."""
_HEAD_SHARES = (1.0, 0.94, 0.88, 0.82, 0.76, 0.68, 0.6, 0.5, 0.4)
"""The sides of the chosen head that are tried, as shares of the largest that fits."""
_CURVES = (1.0, 1.15, 1.35, 1.55, 1.8, 2.1, 2.4)
"""The heights of the curves that are tried, in their least height."""
_AMPLE_WIDTH, _AMPLE_HEIGHT = 2.0, 2.2
"""The width and height of a plot, in its least ones, beyond which more is worth nothing."""
_HEAD, _SEEN, _WHOLE, _TILE, _CHIPS, _PLOTS, _IN_LAYERS = 2.3, 3.0, 1.2, 1.5, 1.8, 3.0, 0.3
"""How much a larger head, more tiles in sight, all of them, larger tiles, more predictions in sight, higher curves, and
a row of tiles for each layer are worth against each other."""


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


class _Curves(NamedTuple):
    plots: tuple[Rect, Rect]
    slider: Rect
    worth: float


class _Rest(NamedTuple):
    tiles: Rect
    grid: TileGrid
    label: int
    title: Rect
    chips: Rect
    across: int
    worth: float


@lru_cache(maxsize=64)
def train_layout(room: Rect, rules: TrainRules) -> TrainLayout:
    """Return where the parts are: the chosen head as large as wanted, the others beside it, or below in a high room."""
    largest = _head_side(room, rules)
    best: tuple[tuple[float, float], TrainLayout] | None = None
    for head, curves, column in _choices(room, rules):
        rest = _rest(column, rules)
        cells = head.within(rules.margins)
        area = cells.width * cells.height
        worth = _HEAD * math.sqrt(area) / largest + rest.worth + curves.worth
        if best is None or (min(area, rules.wanted), worth) > best[0]:
            layout = TrainLayout(
                curves.plots,
                curves.slider,
                rest.tiles,
                rest.grid,
                rest.label,
                head,
                rest.title,
                rest.chips,
                rest.across,
            )
            best = (min(area, rules.wanted), worth), layout
    assert best is not None
    return best[1]


def _choices(room: Rect, rules: TrainRules) -> Iterator[tuple[Rect, _Curves, Rect]]:
    """Yield places of the chosen head and of the curves, and what they leave to tiles and predictions."""
    heights = [0.0, *(times * rules.plot[1] for times in _CURVES)]
    for height in heights:
        block = height + rules.slider + (rules.gap / 2 if height else 0)
        above = _curves(Rect(room.x, room.y, room.width, block), rules)
        under = Rect(room.x, room.y + block + rules.gap, room.width, room.height - block - rules.gap)
        for head, column in _beside(under, rules):
            yield head, above, column
        for head, column in _beside(room, rules):
            if column.height - block - rules.gap > 0:
                beside = _curves(Rect(column.x, column.y, column.width, block), rules)
                lower = column._replace(y=column.y + block + rules.gap, height=column.height - block - rules.gap)
                yield head, beside, lower
        if room.width < room.height:
            for head, column in _below(under, rules):
                yield head, above, column


def _head_side(room: Rect, rules: TrainRules) -> float:
    """Return the side of the cells of the chosen head in all of a room."""
    inner = room.within(rules.margins)
    return max(1.0, min(inner.width, inner.height))


def _head_sizes(room: Rect, rules: TrainRules) -> Iterator[tuple[float, float]]:
    """Yield widths and heights of the chosen head, labels included."""
    margins, side = rules.margins, _head_side(room, rules)
    for share in _HEAD_SHARES:
        cells = cells_size((rules.tokens, rules.tokens), share * side, share * side, 1)[0]
        yield (
            min(room.width, cells + margins.left + margins.right),
            min(max(1.0, room.height), cells + margins.top + margins.bottom),
        )


def _beside(room: Rect, rules: TrainRules) -> Iterator[tuple[Rect, Rect]]:
    """Yield places of the chosen head at the right, and what it leaves at its left."""
    least = max(rules.chip[0] + rules.scroll_bar, rules.labels[-1].text + 2 * rules.edge + rules.scroll_bar)
    height = max(1.0, room.height)
    for width, tall in _head_sizes(room._replace(width=max(1.0, room.width - least - 2 * rules.gap)), rules):
        left = room.right - width
        column = Rect(room.x, room.y, max(1.0, left - 2 * rules.gap - room.x), height)
        yield Rect(math.floor(left), room.y, width, tall), column


def _below(room: Rect, rules: TrainRules) -> Iterator[tuple[Rect, Rect]]:
    """Yield places of the chosen head at the top, and what it leaves below."""
    for width, tall in _head_sizes(room, rules):
        left = room.x + max(0.0, (room.width - width) / 2)
        top = room.y + tall + rules.gap
        if room.bottom - top >= rules.chips_title[0] + rules.chip[1]:
            yield Rect(math.floor(left), room.y, width, tall), Rect(room.x, top, room.width, room.bottom - top)


def _curves(room: Rect, rules: TrainRules) -> _Curves:
    """Return the two plots, side by side where each has its least width, over the row to choose a step."""
    slider = Rect(room.x, room.bottom - rules.slider, room.width, rules.slider)
    width, height = (room.width - rules.gap) / 2, room.height - rules.slider - rules.gap / 2
    least_width, least = rules.plot
    if width >= least_width and height >= least:
        left = Rect(room.x, room.y, width, height)
        plots = left, left.moved(width + rules.gap, 0)
    elif room.width >= least_width and (height - rules.gap) / 2 >= least:
        height = (height - rules.gap) / 2
        upper = Rect(room.x, room.y, room.width, height)
        plots = upper, upper.moved(0, height + rules.gap)
    else:
        return _Curves((NOWHERE, NOWHERE), slider, 0.0)
    high = min(1.0, plots[0].height / (_AMPLE_HEIGHT * least))
    wide = min(1.0, plots[0].width / (_AMPLE_WIDTH * least_width))
    return _Curves(plots, slider, _PLOTS * (4 + high + wide) / 3)


def _rest(room: Rect, rules: TrainRules) -> _Rest:
    """Return the tiles, and the predictions below them: in as many lines as they need, or in one that scrolls."""
    best: _Rest | None = None
    heading = _heading_height(room, rules)
    for chips, across, shown in _chip_lines(room, rules):
        tall = room.height - chips - rules.gap
        for rest in _tiles(room._replace(height=max(1.0, tall)), rules):
            tiles, grid, label, worth = rest
            top = min(tiles.bottom + rules.gap, max(room.y, room.bottom - chips))
            title = Rect(room.x, top, room.width, max(1.0, min(heading, room.bottom - top - 1)))
            place = Rect(room.x, title.bottom, room.width, max(1.0, min(chips - heading, room.bottom - title.bottom)))
            found = _Rest(tiles, grid, label, title, place, across, worth + _CHIPS * shown)
            if best is None or found.worth > best.worth:
                best = found
    assert best is not None
    return best


def _heading_height(room: Rect, rules: TrainRules) -> float:
    two_lines, one_line, width = rules.chips_title
    return one_line if room.width >= width else two_lines


def _chip_lines(room: Rect, rules: TrainRules) -> Iterator[tuple[float, int, float]]:
    """Yield heights of the predictions with their heading, how many are in a line, and the share in sight."""
    heading = _heading_height(room, rules)
    across = max(1, math.floor(room.width / rules.chip[0]))
    needed = math.ceil(rules.tokens / across)
    yield heading + needed * rules.chip[1], across, 1.0
    fewer = max(1, math.floor((room.width - rules.scroll_bar) / rules.chip[0]))
    needed = math.ceil(rules.tokens / fewer)
    for lines in {1, 2, 3, needed // 2}:
        if 0 < lines < needed:
            yield heading + lines * rules.chip[1], fewer, lines / needed


def _tiles(room: Rect, rules: TrainRules) -> Iterator[tuple[Rect, TileGrid, int, float]]:
    """Yield tiles in rows that hold a layer, or an equal part of one; they scroll where not all are in sight."""
    least, most = rules.tile
    found = False
    for label, (height, text) in enumerate(rules.labels):
        for across in (each for each in range(1, rules.heads + 1) if rules.heads % each == 0):
            step = (room.width - 2 * rules.edge + rules.gap) / across
            if step - rules.gap < text and (across > 1 or label < len(rules.labels) - 1):
                continue
            down = rules.layers * rules.heads // across
            tall = (room.height - 2 * rules.edge + rules.gap) / down - rules.gap - height
            longer = min(most, step - rules.gap, tall)
            bar = 0.0
            if longer < least:
                bar = rules.scroll_bar
                longer = min(least, (room.width - bar - 2 * rules.edge + rules.gap) / across - rules.gap)
            if longer < least / 2 and found:
                continue
            found = True
            tiles = TileRules(
                count=rules.layers * rules.heads,
                shape=(rules.tokens, rules.tokens),
                label=height,
                text=min(text, max(1.0, step - rules.gap - bar / across)),
                gap=rules.gap,
                least=least,
                most=most,
                scroll_bar=rules.scroll_bar,
                edge=rules.edge,
            )
            grid = tile_grid(tiles, across, max(1, math.floor(longer)))
            seen = min(1.0, room.height / grid.height)
            worth = (
                _SEEN * seen
                + _WHOLE * (seen == 1)
                + _TILE * min(1.0, longer / most)
                + _IN_LAYERS * (across == rules.heads)
            )
            if room.height < height + least + 2 * rules.edge:
                worth -= _SEEN  # not one row of tiles is in sight
            place = Rect(room.x, room.y, min(room.width, grid.width + bar), min(room.height, grid.height))
            yield place, grid, label, worth - 0.05 * label
