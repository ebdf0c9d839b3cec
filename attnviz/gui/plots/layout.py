"""Where pictures are placed: pure functions from sizes to rectangles, all in pixels.

Widgets measure their texts, ask here for rectangles, and take them; so every layout can be tested without a window.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

_WHOLE_PIXELS_COST = 0.04
"""Cells take whole pixels where that makes their side at most this much smaller."""
_WHOLE_FROM, _THIN = 3, 6
"""Cells of a tile take whole pixels from this size on; a tile of one row is this high."""
_BELOW_FROM = 1.15
"""The bars of a row are below the pictures where these are then so many times as large."""
_NARROW_BARS = 0.7
"""The bars beside the pictures have this share of their width before they are left out."""
_BESIDE_FROM, _APART = 1.1, 8
"""Rows of tensors are beside each other where cells are then so many times as large, with so many gaps between them."""
_CORNER_FROM = 1.05
"""The second factor of a product is above it where cells are then so many times as large."""
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
    side = _in_whole_pixels(min(width / columns, height / rows))
    thin = max(least, _thinnest(shape) * side)
    return max(columns * side, min(thin, width)), max(rows * side, min(thin, height))


def _in_whole_pixels(side: float) -> float:
    """Return the side of a cell in whole pixels where that costs little: see `_WHOLE_PIXELS_COST`."""
    whole = math.floor(side + 1e-6)  # `_largest` finds a little less
    return float(whole) if whole >= max(1, side * (1 - _WHOLE_PIXELS_COST)) else side


def has_true_proportions(shape: tuple[int, int]) -> bool:
    """Return whether a matrix has square cells: its longer side has at most 4 times as many."""
    return max(shape) <= _STRETCHED_FROM * min(shape)


def _thinnest(shape: tuple[int, int]) -> float:
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
    thin = min(max(_THIN, _thinnest(rules.shape) * longer / max(rows, columns)), longer)
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
        tall * max(rows, columns) / max(rows, _thinnest(tiles.shape)), tiles.least + 2 * spare / across, tiles.most
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


class Tensor(NamedTuple):
    """A matrix beside others: an input, a parameter or a result of a stage."""

    shape: tuple[int, int]
    margins: Margins
    sign: float = 0
    """The width of the sign before it, such as "=" or "×"."""
    title: float = 0
    """The width of its title, which begins at the left of the cells."""


def tensors_layout(
    rows: Sequence[Sequence[Tensor]], room: Rect, *, gap: float, least: float
) -> tuple[tuple[Rect, ...], ...]:
    """Return the rectangles, labels included, of rows of tensors with one scale: a cell is as large in all of them.

    Rows are one below the other; neighbours are beside each other where that makes cells clearly larger. A side that
    would be thinner than ``least`` is drawn this thick, and the cells of a long one are stretched into room that is
    left. Signs are in the space to the left of a rectangle; a title that is wider than its rectangle has room to the
    right.
    """
    if not rows:
        return ()
    if not any(_fits(lines, 0.0, room, gap, least) for lines in _arrangements(rows, gap)):
        rows = [[tensor._replace(title=0) for tensor in row] for row in rows]  # not even the titles fit: they are cut
    lines, *others = _arrangements(rows, gap)
    side = _largest_side(lines, room, gap, least)
    for other in others:
        larger = _largest_side(other, room, gap, least)
        if larger > _BESIDE_FROM * side:
            lines, side = other, larger
    side = _in_whole_pixels(side)
    stretch = _largest(lambda stretch: _fits(lines, side, room, gap, least, stretch), 1.0)
    placed = iter(_placed(lines, side, room, gap, least, stretch))
    return tuple(tuple(islice(placed, len(row))) for row in rows)


def product_layout(
    factors: Sequence[Tensor], room: Rect, *, gap: float, least: float, wanted: float
) -> tuple[tuple[Rect, ...], bool]:
    """Return the rectangles of a matrix, what it is multiplied with and what this makes; and whether they are in line.

    Where cells are clearly larger so, the second factor is above the product: the row and the column of a number then
    meet in it. A cell is as large in all of them; cells less wide than ``wanted``, which a number needs, are widened to
    it where there is room. See `tensors_layout` for the rest.
    """
    line, corner = (_product_placed(place, factors, room, gap, least, wanted) for place in (_in_line, _in_corner))
    in_line = line[:1] > corner[:1] or (line[0] == corner[0] and _CORNER_FROM * line[1] >= corner[1])
    return (line if in_line else corner)[2], in_line


def _product_placed(
    place: "_PlaceProduct", factors: Sequence[Tensor], room: Rect, gap: float, least: float, wanted: float
) -> tuple[bool, float, tuple[Rect, ...]]:
    """Return whether there is room for numbers in one arrangement of a product, the side of a cell, and the places."""
    bare = [tensor._replace(title=0) for tensor in factors]  # where not even the titles fit, they are cut

    def rects(side: float, wide: float = 1.0, stretch: float = 0.0) -> list[Rect]:
        return place(parts, _product_cells(parts, side, wide, least, stretch), gap)

    def fits(side: float, wide: float = 1.0, stretch: float = 0.0) -> bool:
        width, height = _extent(rects(side, wide, stretch), parts)
        return width <= room.width and height <= room.height

    parts: Sequence[Tensor] = factors
    parts = factors if fits(0.0) else bare
    side = _in_whole_pixels(_largest(fits, max(room.width, room.height)))
    wide = wanted / max(side, 1.0)
    wide = wide if 1 < wide <= _WIDEST and fits(side, wide) else 1.0
    placed = rects(side, wide, _largest(lambda stretch: fits(side, wide, stretch), _FARTHEST))
    width, height = _extent(placed, parts)
    x, y = room.x + max(0.0, (room.width - width) / 2), room.y + max(0.0, (room.height - height) / 3)
    moved = tuple(each._replace(x=math.floor(each.x + x), y=math.floor(each.y + y)) for each in placed)
    return side * wide >= wanted, side, moved


_WIDEST, _FARTHEST = 1.8, 1.6
"""How many times as wide as high a cell is made for its number; and how far cells of a product are stretched, see
`_cells_of`: rows of few tokens then have room for their names."""


def _product_cells(
    factors: Sequence[Tensor], side: float, wide: float, least: float, stretch: float
) -> list[tuple[float, float]]:
    """Return the widths and heights of the cells: rows are as high on both sides, columns as wide in both matrices."""
    wider = [tensor.shape[1] * (wide - 1) * side for tensor in factors]
    left, matrix, made = (_cells_of(tensor, side, least, stretch) for tensor in factors)
    height, width = max(left[1], made[1]), max(matrix[0] + wider[1], made[0] + wider[2])
    return [(left[0] + wider[0], height), (width, matrix[1]), (width, height)]


_PlaceProduct = Callable[[Sequence[Tensor], Sequence[tuple[float, float]], float], list[Rect]]


def _in_line(factors: Sequence[Tensor], cells: Sequence[tuple[float, float]], gap: float) -> list[Rect]:
    sizes = [_with_labels(tensor, size) for tensor, size in zip(factors, cells, strict=True)]
    tallest, x, rects = max(height for _, height in sizes), 0.0, []
    for tensor, (width, height) in zip(factors, sizes, strict=True):
        x += tensor.sign
        rects.append(Rect(x, (tallest - height) / 2, width, height))
        x += max(width, tensor.margins.left + tensor.title) + gap
    return rects


def _in_corner(factors: Sequence[Tensor], cells: Sequence[tuple[float, float]], gap: float) -> list[Rect]:
    """Place the second matrix above the product, their columns aligned."""
    left, matrix, made = (_with_labels(tensor, size) for tensor, size in zip(factors, cells, strict=True))
    before = max(left[0], factors[0].margins.left + factors[0].title) + gap
    x = before + max(factors[1].margins.left, factors[2].margins.left)
    top = matrix[1] + gap + max(factors[0].margins.top, factors[2].margins.top)
    return [
        Rect(0.0, top - factors[0].margins.top, *left),
        Rect(x - factors[1].margins.left, 0.0, *matrix),
        Rect(x - factors[2].margins.left, top - factors[2].margins.top, *made),
    ]


def _with_labels(tensor: Tensor, cells: tuple[float, float]) -> tuple[float, float]:
    margins = tensor.margins
    return cells[0] + margins.left + margins.right, cells[1] + margins.top + margins.bottom


def _extent(rects: Sequence[Rect], factors: Sequence[Tensor]) -> tuple[float, float]:
    """Return the width and height that rectangles take with their titles."""
    both = zip(rects, factors, strict=True)
    width = max(max(rect.right, rect.x + tensor.margins.left + tensor.title) for rect, tensor in both)
    return width, max(rect.bottom for rect in rects)


def _arrangements(rows: Sequence[Sequence[Tensor]], gap: float) -> list[list[list[Tensor]]]:
    """Return the ways to put rows into lines, in order: first each into one of its own."""
    ways = []
    for breaks in product((True, False), repeat=len(rows) - 1):
        lines = [list(rows[0])]
        for new, row in zip(breaks, rows[1:], strict=True):
            if new:
                lines.append(list(row))
            else:
                first = row[0]._replace(sign=row[0].sign + _APART * gap)
                lines[-1] += [first, *row[1:]]
        ways.append(lines)
    return ways


def _placed(
    lines: Sequence[Sequence[Tensor]], side: float, room: Rect, gap: float, least: float, stretch: float
) -> Iterable[Rect]:
    heights = [max(_tensor_size(tensor, side, least, stretch)[1] for tensor in line) for line in lines]
    spare = room.height - sum(heights) - gap * (len(lines) - 1)
    y = room.y + max(0.0, spare / 3)
    for line, height in zip(lines, heights, strict=True):
        sizes = [_tensor_size(tensor, side, least, stretch) for tensor in line]
        x = room.x + max(0.0, (room.width - _row_width(line, sizes, gap)) / 2)
        for tensor, (width, tall) in zip(line, sizes, strict=True):
            x += tensor.sign
            cells = _cells_of(tensor, side, least, stretch)[0] + tensor.margins.left + tensor.margins.right
            yield Rect(math.floor(x), math.floor(y + (height - tall) / 2), cells, tall)
            x += width + gap
        y += height + gap


def _largest_side(rows: Sequence[Sequence[Tensor]], room: Rect, gap: float, least: float) -> float:
    """Return the largest side of a cell; 0 where nothing fits."""
    return _largest(lambda side: _fits(rows, side, room, gap, least), max(room.width, room.height))


def _largest(fits: Callable[[float], bool], most: float) -> float:
    """Return the largest number up to ``most`` that fits, by bisection: sizes grow with it; 0 where none does."""
    low, high = 0.0, most
    if fits(high):
        return high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _cells_of(tensor: Tensor, side: float, least: float, stretch: float = 0.0) -> tuple[float, float]:
    """Return the width and height of the cells; with a ``stretch`` of 1 a long matrix is 3:1."""
    rows, columns = tensor.shape
    thin = max(least, stretch * _thinnest(tensor.shape) * side)
    return max(columns * side, thin), max(rows * side, thin)


def _tensor_size(tensor: Tensor, side: float, least: float, stretch: float = 0.0) -> tuple[float, float]:
    (width, height), margins = _cells_of(tensor, side, least, stretch), tensor.margins
    return margins.left + max(width + margins.right, tensor.title), height + margins.top + margins.bottom


def _row_width(row: Sequence[Tensor], sizes: Sequence[tuple[float, float]], gap: float) -> float:
    return sum(width for width, _ in sizes) + sum(tensor.sign for tensor in row) + gap * (len(row) - 1)


def _fits(
    rows: Sequence[Sequence[Tensor]], side: float, room: Rect, gap: float, least: float, stretch: float = 0.0
) -> bool:
    height = gap * (len(rows) - 1)
    for row in rows:
        sizes = [_tensor_size(tensor, side, least, stretch) for tensor in row]
        height += max(tall for _, tall in sizes)
        if _row_width(row, sizes, gap) > room.width:
            return False
    return height <= room.height


@dataclass(frozen=True, slots=True)
class FitRules:
    """What is known of a fit, its matrix and the curves of its training before they are placed."""

    shape: tuple[int, int]
    """Rows and columns of the matrix."""
    margins: Margins
    """For the labels of the matrix."""
    fit: tuple[float, float]
    """The least width and height of the fit, axes included."""
    gap: float
    least: float
    """See `cells_size`."""
    histories: tuple[tuple[float, float], ...] = ()
    """The least width and height of the training's curves in each of their arrangements; none without a training."""
    history_from: float = 0.0
    """The curves are beside the fit in rooms of this width."""


@dataclass(frozen=True, slots=True)
class FitLayout:
    """The fit, its matrix, and the curves of its training."""

    fit: Rect
    matrix: Rect
    """With its labels."""
    history: Rect | None = None
    """None where there is no training, or no room for its curves."""

    @property
    def covered(self) -> float:
        """The area of the fit and the matrix together."""
        return self.fit.area + self.matrix.area


def fit_layout(room: Rect, rules: FitRules) -> FitLayout:
    """Return where a fit and its matrix are: one beside the other, or below it where the matrix is wider than the room.

    The curves of a training have a place where the fit and the matrix still cover most of the room.
    """
    layouts = [_fit_and_matrix(room, rules, history) for history in (*rules.histories, None)]
    best = max(layouts[:-1], key=lambda layout: layout.covered, default=layouts[-1])
    large = best.covered >= _COVERED * room.area and best.matrix.area >= _MATRIX_LEAST * room.area
    fits = best.fit.width >= rules.fit[0] and best.fit.height >= rules.fit[1]
    return best if large and fits and room.width >= rules.history_from else layouts[-1]


_COVERED, _MATRIX_LEAST = 0.68, 0.12
"""The shares of the room that a fit and its matrix, and the matrix alone, have beside the curves of a training."""
_HISTORY_SHARE = 0.27
"""The share of the width that the curves have at least where they are at the right of the matrix."""
_MATRIX_MOST, _STRETCHED_MOST = 0.5, 0.36
"""The share of the width that the matrix has at most beside the fit, or of the height below it: with square cells, and
with others."""


def _fit_and_matrix(room: Rect, rules: FitRules, history: tuple[float, float] | None) -> FitLayout:
    """Return the layout with the curves of a training under the fit, or at the right of a matrix below it."""
    gap, (rows, columns) = rules.gap, rules.shape
    most = _MATRIX_MOST if has_true_proportions(rules.shape) else _STRETCHED_MOST
    if columns * room.height <= rows * room.width:
        matrix = _matrix_size(rules, most * (room.width - gap), room.height)
        taken = 0.0 if history is None else history[1] + gap
        fit = Rect(room.x, room.y, room.width - gap - matrix[0], room.height - taken)
        curves = Rect(fit.x, fit.bottom + gap, fit.width, taken - gap)
        return FitLayout(fit, Rect(fit.right + gap, room.y, *matrix), None if history is None else curves)
    taken = 0.0 if history is None else max(history[0], _HISTORY_SHARE * room.width) + gap
    matrix = _matrix_size(rules, room.width - taken, most * (room.height - gap))
    low = max(matrix[1], 0.0 if history is None else history[1])
    fit = Rect(room.x, room.y, room.width, room.height - gap - low)
    place = Rect(room.x, fit.bottom + gap, *matrix)
    if history is None:
        return FitLayout(fit, place.moved((room.width - place.width) / 2, 0))
    return FitLayout(fit, place, Rect(place.right + gap, place.y, room.right - place.right - gap, low))


def _matrix_size(rules: FitRules, width: float, height: float) -> tuple[float, float]:
    """Return the width and height of the matrix, labels included: of square cells, or all of the room."""
    across = rules.margins.left + rules.margins.right
    down = rules.margins.top + rules.margins.bottom
    if not has_true_proportions(rules.shape):
        return max(width, across + rules.least), max(height, down + rules.least)
    cells = cells_size(rules.shape, width - across, height - down, rules.least)
    return cells[0] + across, cells[1] + down


def history_sizes(plot: tuple[float, float], line: float, gap: float) -> tuple[tuple[float, float], ...]:
    """Return the least width and height of two plots and a line below them: one above the other, and side by side."""
    width, height = plot
    return (width, 2 * height + line + 2 * gap), (2 * width + gap, height + line + gap)


def history_layout(room: Rect, plot: tuple[float, float], line: float, gap: float) -> tuple[Rect, Rect, Rect]:
    """Return where two plots and the line below them are: one above the other where they have their least height."""
    below = Rect(room.x, room.bottom - line, room.width, line)
    height = room.height - line - gap
    if height >= 2 * plot[1] + gap or room.width < 2 * plot[0] + gap:
        each = Rect(room.x, room.y, room.width, max(1.0, (height - gap) / 2))
        return each, each.moved(0, each.height + gap), below
    each = Rect(room.x, room.y, max(1.0, (room.width - gap) / 2), max(1.0, height))
    return each, each.moved(each.width + gap, 0), below
