"""Layout of a stage's tensors with one scale: in rows, or as the parts of a product; all in pixels."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import islice, product
from typing import NamedTuple

from attnviz.gui.plots.layout import Margins, Rect, in_whole_pixels, thinnest

_BESIDE_FROM, _APART = 1.1, 8
"""Rows of tensors are side by side if that enlarges cells by this factor, with this many gaps between them."""
_CORNER_FROM = 1.05
"""The second factor of a product is above it if that enlarges cells by at least this factor."""


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
    """Return the rectangles, labels included, of rows of tensors with one scale: all have cells of the same size.

    Rows are one below the other; neighbours are side by side if that makes cells clearly larger. A side that would be
    thinner than ``least`` is drawn this thick, and the cells of a long tensor are stretched into remaining room. Signs
    are in the space to the left of a rectangle; a title wider than its rectangle has room to the right.
    """
    if not rows:
        return ()
    if not any(_fits(lines, 0.0, room, gap, least) for lines in _arrangements(rows, gap)):
        rows = [
            [tensor._replace(title=0) for tensor in row] for row in rows
        ]  # not even the titles fit: they are truncated
    lines, *others = _arrangements(rows, gap)
    side = _largest_side(lines, room, gap, least)
    for other in others:
        larger = _largest_side(other, room, gap, least)
        if larger > _BESIDE_FROM * side:
            lines, side = other, larger
    side = in_whole_pixels(side)
    stretch = _largest(lambda stretch: _fits(lines, side, room, gap, least, stretch), 1.0)
    placed = iter(_placed(lines, side, room, gap, least, stretch))
    return tuple(tuple(islice(placed, len(row))) for row in rows)


def product_layout(
    factors: Sequence[Tensor], room: Rect, *, gap: float, least: float, wanted: float
) -> tuple[tuple[Rect, ...], bool]:
    """Return the rectangles of a matrix, its factor and their product; and whether they are in line.

    If that makes cells clearly larger, the second factor is above the product: the row and the column of a number then
    meet in it. All have cells of the same size; cells narrower than ``wanted``, which a number needs, are widened to it
    if there is room. See `tensors_layout` for the rest.
    """
    line, corner = (_product_placed(place, factors, room, gap, least, wanted) for place in (_in_line, _in_corner))
    in_line = line[:1] > corner[:1] or (line[0] == corner[0] and _CORNER_FROM * line[1] >= corner[1])
    return (line if in_line else corner)[2], in_line


def _product_placed(
    place: "_PlaceProduct", factors: Sequence[Tensor], room: Rect, gap: float, least: float, wanted: float
) -> tuple[bool, float, tuple[Rect, ...]]:
    """Return whether one arrangement of a product has room for numbers, the side of a cell, and the rectangles."""
    bare = [tensor._replace(title=0) for tensor in factors]  # if not even the titles fit, they are truncated

    def rects(side: float, wide: float = 1.0, stretch: float = 0.0) -> list[Rect]:
        return place(parts, _product_cells(parts, side, wide, least, stretch), gap)

    def fits(side: float, wide: float = 1.0, stretch: float = 0.0) -> bool:
        width, height = _extent(rects(side, wide, stretch), parts)
        return width <= room.width and height <= room.height

    parts: Sequence[Tensor] = factors
    parts = factors if fits(0.0) else bare
    side = in_whole_pixels(_largest(fits, max(room.width, room.height)))
    wide = wanted / max(side, 1.0)
    wide = wide if 1 < wide <= _WIDEST and fits(side, wide) else 1.0
    placed = rects(side, wide, _largest(lambda stretch: fits(side, wide, stretch), _FARTHEST))
    width, height = _extent(placed, parts)
    x, y = room.x + max(0.0, (room.width - width) / 2), room.y + max(0.0, (room.height - height) / 3)
    moved = tuple(each._replace(x=math.floor(each.x + x), y=math.floor(each.y + y)) for each in placed)
    return side * wide >= wanted, side, moved


_WIDEST, _FARTHEST = 1.8, 1.6
"""The greatest aspect ratio of a cell widened for its number; and the greatest stretch of a product's cells, see
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
    """Return the width and height of rectangles including their titles."""
    both = zip(rects, factors, strict=True)
    width = max(max(rect.right, rect.x + tensor.margins.left + tensor.title) for rect, tensor in both)
    return width, max(rect.bottom for rect in rects)


def _arrangements(rows: Sequence[Sequence[Tensor]], gap: float) -> list[list[list[Tensor]]]:
    """Return the ways to distribute rows over lines, in order: the first has one line per row."""
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
    """Return the largest side of a cell; 0 if nothing fits."""
    return _largest(lambda side: _fits(rows, side, room, gap, least), max(room.width, room.height))


def _largest(fits: Callable[[float], bool], most: float) -> float:
    """Return the largest number up to ``most`` that fits, by bisection, since sizes grow with it; 0 if none does."""
    low, high = 0.0, most
    if fits(high):
        return high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _cells_of(tensor: Tensor, side: float, least: float, stretch: float = 0.0) -> tuple[float, float]:
    """Return the width and height of the cells; with a ``stretch`` of 1 a long matrix has an aspect ratio of 3:1."""
    rows, columns = tensor.shape
    thin = max(least, stretch * thinnest(tensor.shape) * side)
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
