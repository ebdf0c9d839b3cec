"""What is on screen: the colours, cell by cell, and what a screen reader gets."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyqtgraph import PlotWidget
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSlider,
    QWidget,
)

from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.plots.curves.marks import CurveMark
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.head_grid import HeadGrid
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.tile import ColourTable

Colours = NDArray[np.uint32]
"""Colours as 0xRRGGBB, one per pixel or per cell."""

# Sliders are not among them: the box beside each takes the same keys.
USED_BY_HAND = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QPlainTextEdit, QAbstractItemView)
NAMED = (*USED_BY_HAND, PlotWidget, Canvas, StageStrip)


def look(widget: QWidget) -> Colours:
    """Return the pixels of a widget."""
    return pixels(widget.grab().toImage())


def pixels(image: QImage) -> Colours:
    """Return the pixels of a picture."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
    return rows[:, : image.width()] & 0xFFFFFF


def colours_of(table: ColourTable, levels: NDArray[np.uint8]) -> Colours:
    """Return the colours of levels in a colour table."""
    red, green, blue = np.moveaxis(table.rgb.astype(np.uint32), -1, 0)
    return np.asarray(red << 16 | green << 8 | blue, np.uint32)[levels]


def inside(picture: Colours, place: QRectF, ratio: float = 1) -> Colours:
    """Return the pixels within a rectangle of the widget, without its edges (grid lines, marks)."""
    edge = 3 if min(place.width(), place.height()) >= 10 else 0
    left, top = (place.x() + edge) * ratio, (place.y() + edge) * ratio
    right, bottom = (place.right() - edge) * ratio, (place.bottom() - edge) * ratio
    if edge == 0:
        # A cell of a few pixels: its middle one.
        left, top = (left + right) / 2, (top + bottom) / 2
        right, bottom = left + 1, top + 1
    return picture[int(top) : max(int(bottom), int(top) + 1), int(left) : max(int(right), int(left) + 1)]


def ground(picture: Colours, place: QRectF, ratio: float = 1) -> int:
    """Return the most frequent colour of a rectangle: the cell's, despite text and hatching."""
    found, counts = np.unique(inside(picture, place, ratio), return_counts=True)
    return int(found[counts.argmax()])


def heatmap_colours(heatmap: Heatmap, shape: tuple[int, int], picture: Colours | None = None, ratio: float = 1) -> Any:
    """Return the colour of every cell of a (Q, K) heatmap."""
    seen = look(heatmap) if picture is None else picture
    rows, columns = shape
    return np.array([[ground(seen, heatmap.rect_of(q, k), ratio) for k in range(columns)] for q in range(rows)])


def grid_colours(grid: HeadGrid, shape: tuple[int, int], picture: Colours | None = None, ratio: float = 1) -> Any:
    """Return the colour of every cell of an (h, Q, K) grid of heads."""
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


def is_drawn(plot: CurvePlot, x: Any, y: Any) -> bool:
    """Return whether one of the curves of a plot has exactly these points."""
    drawn = [mark.data for mark in plot.layer.marks if isinstance(mark, CurveMark)]
    return any(np.array_equal(xs, x) and np.array_equal(ys, y, equal_nan=True) for xs, ys in drawn)


def name_of(widget: QWidget) -> str:
    """Return the accessible name of a widget."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""


def missed_by(reached: list[QWidget], window: QWidget) -> list[tuple[str, str]]:
    """Return the visible interactive widgets that were not reached."""
    used = [it for it in window.findChildren(QWidget) if isinstance(it, USED_BY_HAND) or _takes_tab(it)]
    used = [it for it in used if it.isVisible() and it.isEnabled() and it.window() is window]
    inside = [it for it in used if any(isinstance(up, USED_BY_HAND) for up in ancestors(it))]
    missed = [it for it in used if it not in inside and it not in reached and not _goes_on_to_another(it)]
    # Buttons that exclude each other are one stop of Tab; arrow keys walk among them.
    missed = [it for it in missed if not (isinstance(it, QAbstractButton) and _has_a_reached_neighbour(it, reached))]
    # So are the stages in their strip, which has the keyboard as a whole.
    missed = [it for it in missed if not any(isinstance(up, StageStrip) and up in reached for up in ancestors(it))]
    return [(type(it).__name__, name_of(it)) for it in missed]


def nameless_in(window: QWidget) -> list[tuple[str, str]]:
    """Return the visible buttons, boxes, tables and pictures without an accessible name."""
    found = [it for it in window.findChildren(QWidget) if it.isVisible() and isinstance(it, NAMED)]
    found = [it for it in found if not any(isinstance(up, USED_BY_HAND) for up in ancestors(it))]
    return [(type(it).__name__, it.objectName()) for it in found if not name_of(it).strip()]


def _takes_tab(widget: QWidget) -> bool:
    # A slider does not count: the box beside it takes the same keys.
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and not isinstance(widget, QSlider)


def _goes_on_to_another(widget: QWidget) -> bool:
    """Return whether a widget passes the focus to a child, or only scrolls others."""
    return widget.focusProxy() is not None or isinstance(widget, QScrollArea)


def ancestors(widget: QWidget) -> list[QWidget]:
    """Return the parents of a widget, the nearest first."""
    parent = widget.parentWidget()
    return [] if parent is None else [parent, *ancestors(parent)]


def _has_a_reached_neighbour(button: QAbstractButton, reached: list[QWidget]) -> bool:
    group = button.group()
    return group is not None and any(it in reached for it in group.buttons())


def is_stop(widget: QWidget) -> bool:
    """Return whether the Tab key reaches a widget."""
    if not widget.isVisible() or not widget.isEnabled() or not widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        return False
    if widget.focusProxy() is not None or isinstance(widget, QScrollArea):
        return False
    return not any(isinstance(up, USED_BY_HAND) for up in ancestors(widget))
