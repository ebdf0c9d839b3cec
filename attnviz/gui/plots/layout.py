"""Layout of pictures: pure functions from sizes to rectangles, all in pixels.

Widgets measure their texts, request rectangles here, and apply them; so every layout can be tested without a window.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

_WHOLE_PIXELS_COST = 0.04
"""Align cells to whole pixels if that reduces their side by at most this share."""
_WHOLE_FROM, _THIN = 3, 6
"""From this size on, cells of a tile are aligned to whole pixels; a tile of one row is this high."""
_BELOW_FROM = 1.15
"""Move the bars below the pictures if that enlarges the pictures by at least this factor."""
_NARROW_BARS = 0.7
"""Bars beside the pictures shrink to this share of their width before they are left out."""
_STRETCHED_FROM, _THINNEST = 4, 1 / 3
"""Cells stop being square beyond this aspect ratio of their matrix: they are stretched until its shorter side is this
share of the longer one, so that two rows of twenty have room for their numbers."""


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
        """The area in square pixels."""
        return self.width * self.height

    def moved(self, x: float, y: float) -> "Rect":
        """Return the rectangle translated by x and y."""
        return self._replace(x=self.x + x, y=self.y + y)

    def within(self, margins: "Margins") -> "Rect":
        """Return the rectangle without its margins."""
        width = self.width - margins.left - margins.right
        height = self.height - margins.top - margins.bottom
        return Rect(self.x + margins.left, self.y + margins.top, max(0.0, width), max(0.0, height))


class Margins(NamedTuple):
    """The margins for labels around the cells of a matrix."""

    left: float
    top: float
    right: float
    bottom: float


def cells_size(shape: tuple[int, int], width: float, height: float, least: float) -> tuple[float, float]:
    """Return the size of a matrix with square cells, as large as fits; the cells of a long one are stretched.

    Args:
        shape: rows and columns.
        width: the available width.
        height: the available height.
        least: a side that would be thinner is drawn this thick, with cells that are not square.
    """
    rows, columns = shape
    width, height = max(1.0, width), max(1.0, height)
    side = in_whole_pixels(min(width / columns, height / rows))
    thin = max(least, thinnest(shape) * side)
    return max(columns * side, min(thin, width)), max(rows * side, min(thin, height))


def in_whole_pixels(side: float) -> float:
    """Return the side of a cell in whole pixels if that costs little: see `_WHOLE_PIXELS_COST`."""
    whole = math.floor(side + 1e-6)  # a bisection may end slightly below
    return float(whole) if whole >= max(1, side * (1 - _WHOLE_PIXELS_COST)) else side


def has_true_proportions(shape: tuple[int, int]) -> bool:
    """Return whether a matrix has square cells: its aspect ratio is at most `_STRETCHED_FROM`."""
    return max(shape) <= _STRETCHED_FROM * min(shape)


def thinnest(shape: tuple[int, int]) -> float:
    """Return the least length of a side of a matrix, in cell sides along the other one."""
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
    """Return the rectangles, labels included, of matrices of one size, as large as possible.

    Args:
        count: the number of matrices.
        shape: rows and columns of each.
        margins: for the labels of each.
        room: the available rectangle.
        gap: between neighbours.
        least: see `cells_size`.
        across: the number of matrices per row; None: the one that makes them largest.
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
    """The constraints of the thumbnails of all heads."""

    count: int
    shape: tuple[int, int]
    """Rows and columns of each."""
    label: float
    """The height of the text above each."""
    text: float
    """The width of the widest text above a tile, which is the least width of tiles."""
    gap: float
    least: float
    """The limits of the longer side of a tile."""
    most: float
    scroll_bar: float
    """The width of a scroll bar, needed if not all tiles are visible."""
    edge: float
    """The margin around all tiles, for the border of the chosen one."""


@dataclass(frozen=True, slots=True)
class TileGrid:
    """Tiles in one or two columns; they may be higher than the visible area."""

    across: int
    step: tuple[float, float]
    """The distance to the right and lower neighbours of a tile."""
    size: tuple[float, float]
    """The size of a tile's cells."""
    label: float
    edge: float
    width: float
    """The total width, without a scroll bar."""
    height: float

    def tile(self, place: int) -> Rect:
        """Return the cells of a tile, in the coordinates of the grid."""
        x, y = place % self.across * self.step[0], place // self.across * self.step[1]
        return Rect(self.edge + x, self.edge + self.label + y, *self.size)


NO_BARS = Rect(0, 0, 0, 0)
NO_TILES = TileGrid(1, (0, 0), (0, 0), 0, 0, 0, 0)


def tile_grid(rules: TileRules, across: int, longer: float) -> TileGrid:
    """Return the grid of tiles with a given longer side."""
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
    """The visible area of the tiles."""
    grid: TileGrid
    pictures: tuple[Rect, ...]
    """Including their labels."""
    bars: Rect = NO_BARS
    """The bars of the chosen row, if any."""

    def cells(self, margins: Margins) -> float:
        """Return the area of the cells of all large pictures."""
        return sum(each.within(margins).area for each in self.pictures)


@lru_cache(maxsize=16)  # each frame requests the last one again
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
    """Return the layout of all heads and the chosen one: the others at its left, in two columns if one is too high.

    Args:
        room: the available rectangle.
        shape: rows and columns of the chosen head; None for pictures with a layout of their own, in all the room
            beside.
        margins: for its labels.
        tiles: of all heads; with fewer than two there are no tiles.
        items: the number of large pictures, one for each batch item.
        gap: between neighbours.
        least: see `cells_size`.
        wanted: the area of the large pictures' cells that a second column must leave.
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
    """Return the layout of heads and the bars of the chosen row: beside the pictures, or below if that enlarges these.

    If the pictures are smaller than the area ``wanted``, and clearly larger without bars or then reach it, the bars are
    narrower, or left out. ``bars`` are the width that they need beside and the height that they need below; see
    `heads_layout` for the rest.
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
