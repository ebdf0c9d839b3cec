"""Where the thumbnails of a head grid lie: any number of tiles of one size, as large as the room allows."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize

from attnviz.gui.theme import Look

_MAX_ASPECT = 3.0
_NO_LABEL_BELOW = 20
_FEW = 32


@dataclass(frozen=True, slots=True)
class GridLayout:
    """The rectangle of every tile's cells, and how much room there is for a label above each."""

    tiles: tuple[QRectF, ...]
    label_height: int
    """0 where hundreds of tiles leave no room for labels."""


def lay_out(room: QSize, shape: tuple[int, int, int], look: Look) -> GridLayout:
    """Return the layout of (tiles, rows, columns); cells fall on whole pixels where they can."""
    count, rows, columns = shape
    if count == 0:
        return GridLayout((), 0)
    gap = look.px(12 if count <= _FEW else 6)
    label = look.px(18 if count <= _FEW else 14)
    aspect = min(max(columns / rows, 1 / _MAX_ASPECT), _MAX_ASPECT)
    if _largest_tile(room, count, gap, label, aspect)[1] < look.px(_NO_LABEL_BELOW):
        # Hundreds of heads: the cells are worth more than their numbers, which pointing still tells.
        gap, label = 2, 0
    width, height, across = _largest_tile(room, count, gap, label, aspect)
    width, height = _whole_cells(width, columns), _whole_cells(height, rows)
    down = math.ceil(count / across)
    left = max(0.0, (room.width() - across * width - (across - 1) * gap) / 2)
    top = max(0.0, (room.height() - down * (height + label) - (down - 1) * gap) / 2)
    tiles = tuple(
        QRectF(
            round(left + index % across * (width + gap)),
            round(top + index // across * (height + label + gap) + label),
            width,
            height,
        )
        for index in range(count)
    )
    return GridLayout(tiles, label)


def _largest_tile(room: QSize, count: int, gap: int, label: int, aspect: float) -> tuple[float, float, int]:
    sizes = (_tile_size(room, across, count, gap, label, aspect) for across in range(1, count + 1))
    return max(sizes, key=lambda size: size[0])


def _tile_size(room: QSize, across: int, count: int, gap: int, label: int, aspect: float) -> tuple[float, float, int]:
    down = math.ceil(count / across)
    width = (room.width() - 8 - (across - 1) * gap) / across
    height = (room.height() - 8 - (down - 1) * gap) / down - label
    width = max(1.0, min(width, height * aspect))
    return width, width / aspect, across


def _whole_cells(length: float, cells: int) -> float:
    """Return the greatest length not above this one that gives every cell the same whole number of pixels."""
    return float(int(length / cells) * cells if length >= cells else max(1, int(length)))
