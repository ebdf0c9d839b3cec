"""What a person sees: the colours on the screen, cell by cell."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyqtgraph import PlotWidget
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from attnviz.gui.plots.colour_table import ColourTable
from attnviz.gui.plots.head_grid import HeadGrid
from attnviz.gui.plots.heatmap import Heatmap

Colours = NDArray[np.uint32]
"""Colours as 0xRRGGBB, one a pixel or one a cell."""


def look(widget: QWidget) -> Colours:
    """Return the pixels of a widget."""
    return pixels(widget.grab().toImage())


def pixels(image: QImage) -> Colours:
    """Return the pixels of a picture."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
    return rows[:, : image.width()] & 0xFFFFFF


def colours_of(table: ColourTable, levels: NDArray[np.uint8]) -> Colours:
    """Return the colours that a table gives to levels."""
    red, green, blue = np.moveaxis(table.rgb.astype(np.uint32), -1, 0)
    return np.asarray(red << 16 | green << 8 | blue, np.uint32)[levels]


def inside(picture: Colours, place: QRectF, ratio: float = 1) -> Colours:
    """Return the pixels within a rectangle of the widget, its edges (grid lines, marks) left out."""
    edge = 3 if min(place.width(), place.height()) >= 10 else 0
    left, top = (place.x() + edge) * ratio, (place.y() + edge) * ratio
    right, bottom = (place.right() - edge) * ratio, (place.bottom() - edge) * ratio
    if edge == 0:
        # A cell of a few pixels: its middle one.
        left, top = (left + right) / 2, (top + bottom) / 2
        right, bottom = left + 1, top + 1
    return picture[int(top) : max(int(bottom), int(top) + 1), int(left) : max(int(right), int(left) + 1)]


def ground(picture: Colours, place: QRectF, ratio: float = 1) -> int:
    """Return the colour that fills most of a rectangle: a cell's, whatever is printed or hatched on it."""
    found, counts = np.unique(inside(picture, place, ratio), return_counts=True)
    return int(found[counts.argmax()])


def heatmap_colours(heatmap: Heatmap, shape: tuple[int, int], picture: Colours | None = None, ratio: float = 1) -> Any:
    """Return the colour of every cell of a heatmap that shows (Q, K) cells."""
    seen = look(heatmap) if picture is None else picture
    rows, columns = shape
    return np.array([[ground(seen, heatmap.rect_of(q, k), ratio) for k in range(columns)] for q in range(rows)])


def grid_colours(grid: HeadGrid, shape: tuple[int, int], picture: Colours | None = None, ratio: float = 1) -> Any:
    """Return the colour of every cell of every head of a grid that shows (h, Q, K) cells."""
    seen = look(grid) if picture is None else picture
    rows, columns = shape
    return np.array(
        [
            [[ground(seen, cell_of(tile, shape, q, k), ratio) for k in range(columns)] for q in range(rows)]
            for tile in grid.tiles
        ]
    )


def cell_of(tile: QRectF, shape: tuple[int, int], query: int, key: int) -> QRectF:
    """Return the rectangle of a cell in a head's tile."""
    rows, columns = shape
    width, height = tile.width() / columns, tile.height() / rows
    return QRectF(tile.x() + key * width, tile.y() + query * height, width, height)


def is_drawn(plot: PlotWidget, x: Any, y: Any) -> bool:
    """Return whether one of the curves of a plot has exactly these points."""
    items = [item for item in plot.getPlotItem().listDataItems() if hasattr(item, "getOriginalDataset")]
    drawn = [item.getOriginalDataset() for item in items]
    return any(np.array_equal(xs, x) and np.array_equal(ys, y, equal_nan=True) for xs, ys in drawn if xs is not None)
