"""Where pictures are placed: pure functions from sizes to rectangles, all in pixels.

Widgets measure their texts, ask here for rectangles, and take them; so every layout can be tested without a window.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

_WHOLE_PIXELS_COST = 0.04
"""Cells take whole pixels where that makes their side at most this much smaller."""
_WHOLE_FROM, _THIN = 3, 6
"""Cells of a tile take whole pixels from this size on; a tile of one row is this high."""
_BELOW_FROM = 1.15
"""The bars of a row are below the pictures where these are then so many times as large."""
_NARROW_BARS = 0.7
"""The bars beside the pictures have this share of their width before they are left out."""
_STRETCHED_FROM, _THINNEST = 4, 1 / 3
"""Cells of a matrix whose longer side has more than so many times as many are not square: they are stretched until its
shorter side is this share of the longer one, so that two rows of twenty have room for their numbers."""


class Rect(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower side."""
        return self.y + self.height

    @property
    def area(self) -> float:
        """Its area in square pixels."""
        return self.width * self.height

    def moved(self, x: float, y: float) -> "Rect":
        """Return the rectangle at another distance from the origin."""
        return self._replace(x=self.x + x, y=self.y + y)

    def within(self, margins: "Margins") -> "Rect":
        """Return what margins leave of the rectangle."""
        width = self.width - margins.left - margins.right
        height = self.height - margins.top - margins.bottom
        return Rect(self.x + margins.left, self.y + margins.top, max(0.0, width), max(0.0, height))


class Margins(NamedTuple):
    """The room for labels around the cells of a matrix."""

    left: float
    top: float
    right: float
    bottom: float


def cells_size(shape: tuple[int, int], width: float, height: float, least: float) -> tuple[float, float]:
    """Return the largest width and height in which a matrix has square cells, or stretched ones where it is long.

    Args:
        shape: rows and columns.
        width: the room.
        height: the room.
        least: a side that would be thinner is drawn this thick, with cells that are not square.
    """
    rows, columns = shape
    width, height = max(1.0, width), max(1.0, height)
    side = in_whole_pixels(min(width / columns, height / rows))
    thin = max(least, thinnest(shape) * side)
    return max(columns * side, min(thin, width)), max(rows * side, min(thin, height))


def in_whole_pixels(side: float) -> float:
    """Return the side of a cell in whole pixels where that costs little: see `_WHOLE_PIXELS_COST`."""
    whole = math.floor(side + 1e-6)  # a bisection finds a little less
    return float(whole) if whole >= max(1, side * (1 - _WHOLE_PIXELS_COST)) else side


def has_true_proportions(shape: tuple[int, int]) -> bool:
    """Return whether a matrix has square cells: its longer side has at most 4 times as many."""
    return max(shape) <= _STRETCHED_FROM * min(shape)


def thinnest(shape: tuple[int, int]) -> float:
    """Return the least length of a side of a matrix, in sides of its cells along the other one."""
    return 0.0 if has_true_proportions(shape) else _THINNEST * max(shape)


def in_a_grid(
    count: int,
    shape: tuple[int, int],
    margins: Margins,
    room: Rect,
    *,
    gap: float,
    least: float,
    across: int | None = None,
) -> tuple[Rect, ...]:
    """Return the rectangles, labels included, of matrices of one size, as large as they can be.

    Args:
        count: how many matrices.
        shape: rows and columns of each.
        margins: for the labels of each.
        room: where they are placed.
        gap: between neighbours.
        least: see `cells_size`.
        across: how many are in a row; None: what makes them largest.
    """
    best: tuple[float, int, tuple[float, float]] | None = None
    for columns in range(1, count + 1) if across is None else (across,):
        down = math.ceil(count / columns)
        width = (room.width - (columns - 1) * gap) / columns - margins.left - margins.right
        height = (room.height - (down - 1) * gap) / down - margins.top - margins.bottom
        size = cells_size(shape, width, height, least)
        if best is None or size[0] * size[1] > best[0]:
            best = size[0] * size[1], columns, size
    assert best is not None
    _, columns, (width, height) = best
    width, height = width + margins.left + margins.right, height + margins.top + margins.bottom
    down = math.ceil(count / columns)
    left = room.x + max(0.0, (room.width - columns * width - (columns - 1) * gap) / 2)
    top = room.y + max(0.0, (room.height - down * height - (down - 1) * gap) / 3)
    return tuple(
        Rect(
            math.floor(left + place % columns * (width + gap)),
            math.floor(top + place // columns * (height + gap)),
            width,
            height,
        )
        for place in range(count)
    )


@dataclass(frozen=True, slots=True)
class TileRules:
    """What is known of the thumbnails of all heads before they are placed."""

    count: int
    shape: tuple[int, int]
    """Rows and columns of each."""
    label: float
    """The height of the text above each."""
    text: float
    """The width of the widest text above a tile: no tile is narrower."""
    gap: float
    least: float
    """The smallest and the largest longer side of a tile."""
    most: float
    scroll_bar: float
    """The width of a scroll bar, needed where not all tiles are in sight."""
    edge: float
    """The room around all tiles, for the border of the chosen one."""


@dataclass(frozen=True, slots=True)
class TileGrid:
    """Tiles in one or two columns; they may need more height than is in sight."""

    across: int
    step: tuple[float, float]
    """From a tile to its right and its lower neighbour."""
    size: tuple[float, float]
    """Of the cells of a tile."""
    label: float
    edge: float
    width: float
    """Of all, without a scroll bar."""
    height: float

    def tile(self, place: int) -> Rect:
        """Return the cells of a tile, in the coordinates of the grid."""
        x, y = place % self.across * self.step[0], place // self.across * self.step[1]
        return Rect(self.edge + x, self.edge + self.label + y, *self.size)


NO_BARS = Rect(0, 0, 0, 0)
NO_TILES = TileGrid(1, (0, 0), (0, 0), 0, 0, 0, 0)


def tile_grid(rules: TileRules, across: int, longer: float) -> TileGrid:
    """Return the grid of tiles whose longer side is given."""
    rows, columns = rules.shape
    side = longer / max(rows, columns)
    side = math.floor(side) if side >= _WHOLE_FROM else side
    thin = min(max(_THIN, thinnest(rules.shape) * longer / max(rows, columns)), longer)
    width, height = math.ceil(max(columns * side, thin)), math.ceil(max(rows * side, thin))
    step = math.ceil(max(width, rules.text) + rules.gap), math.ceil(height + rules.label + rules.gap)
    down = math.ceil(rules.count / across)
    around = 2 * rules.edge - rules.gap
    return TileGrid(
        across, step, (width, height), rules.label, rules.edge, across * step[0] + around, down * step[1] + around
    )


@dataclass(frozen=True, slots=True)
class HeadsLayout:
    """The thumbnails of all heads, and beside them the large pictures: one, or one for each batch item."""

    tiles: Rect
    """Where the tiles are in sight."""
    grid: TileGrid
    pictures: tuple[Rect, ...]
    """With their labels."""
    bars: Rect = NO_BARS
    """Of the chosen row, where there are bars."""

    def cells(self, margins: Margins) -> float:
        """Return the area of the cells of all large pictures."""
        return sum(each.within(margins).area for each in self.pictures)


@lru_cache(maxsize=16)  # each frame asks for the last one again
def heads_layout(
    room: Rect,
    shape: tuple[int, int] | None,
    margins: Margins,
    tiles: TileRules,
    *,
    items: int = 1,
    gap: float,
    least: float,
    wanted: float = 0,
) -> HeadsLayout:
    """Return where all heads and the chosen one are: the others at its left, in two columns where one is too high.

    Args:
        room: where they are placed.
        shape: rows and columns of the chosen head; None for pictures that lay out themselves, in all the room beside.
        margins: for its labels.
        tiles: of all heads; with fewer than two there are no tiles.
        items: how many large pictures, one for each batch item.
        gap: between neighbours.
        least: see `cells_size`.
        wanted: the area of the large pictures' cells that a second column may not take.
    """

    def beside(grid: TileGrid) -> HeadsLayout:
        bar = tiles.scroll_bar if grid.height > room.height else 0.0
        taken = grid.width + bar + 2 * gap if grid is not NO_TILES else 0.0
        right = Rect(room.x + taken, room.y, max(1.0, room.width - taken), room.height)
        large = (right,) if shape is None else in_a_grid(items, shape, margins, right, gap=gap, least=least)
        height = min(grid.height, room.height)
        top = min(*(each.y for each in large), room.bottom - height)
        return HeadsLayout(Rect(min(each.x for each in large) - taken, top, grid.width + bar, height), grid, large)

    if tiles.count < 2:
        return beside(NO_TILES)
    small, smaller = (beside(tile_grid(tiles, across, tiles.least)) for across in (2, 1))
    helps = small.grid.height <= room.height < smaller.grid.height
    if not helps or small.cells(margins) < min(wanted, smaller.cells(margins)):
        small = smaller
    across, down, (rows, columns) = small.grid.across, math.ceil(tiles.count / small.grid.across), tiles.shape
    spare = room.right - max(each.right for each in small.pictures)  # they are centred: as much is at their left
    tall = (room.height - 2 * tiles.edge + tiles.gap) / down - tiles.gap - tiles.label
    longer = min(
        tall * max(rows, columns) / max(rows, thinnest(tiles.shape)), tiles.least + 2 * spare / across, tiles.most
    )
    return beside(tile_grid(tiles, across, longer)) if longer > tiles.least else small


def heads_and_bars_layout(
    room: Rect,
    shape: tuple[int, int],
    margins: Margins,
    tiles: TileRules,
    *,
    bars: tuple[float, float],
    items: int = 1,
    gap: float,
    least: float,
    wanted: float = 0,
) -> HeadsLayout:
    """Return where heads and the bars of the chosen row are: beside the pictures, or below if these are larger then.

    Where the pictures do not have the area ``wanted`` so, and are clearly larger without bars or have it then, these
    are narrower, or left out.
    ``bars`` are the width that they need beside and the height that they need below; see `heads_layout` for the rest.
    """

    def placed(width: float, height: float) -> HeadsLayout:
        part = room._replace(width=max(1.0, room.width - width), height=max(1.0, room.height - height))
        return heads_layout(part, shape, margins, tiles, items=items, gap=gap, least=least, wanted=wanted)

    width, height = bars
    beside, below, alone = placed(width + gap, 0), placed(0, height + gap), placed(0, 0)
    most = alone.cells(margins)
    enough = wanted if most >= wanted else most / _BELOW_FROM
    if below.cells(margins) > _BELOW_FROM * beside.cells(margins):
        if below.cells(margins) < enough:
            return alone
        start, top = min(each.x for each in below.pictures), max(each.bottom for each in below.pictures) + gap
        wide = max(each.right for each in below.pictures) - start
        return replace(below, bars=Rect(start, top, wide, room.bottom - top))
    if beside.cells(margins) < enough:
        width *= _NARROW_BARS
        beside = placed(width + gap, 0)
    if beside.cells(margins) < enough:
        return alone
    return replace(beside, bars=Rect(room.right - width, room.y, width, room.height))
