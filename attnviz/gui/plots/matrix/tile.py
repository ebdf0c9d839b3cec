"""From colour levels to pixels: tables of 256 colours (0 masked, 255 not finite), a tile, and the hatching over it."""

from collections import deque
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QPixmap, QTransform

from attnviz.experiment.colours import DARK_TEXT, DIVERGING, LIGHT_TEXT, colours_of_levels, reduce_to, takes_dark_text
from attnviz.gui.theme import Look
from attnviz.palette import Theme


class ColourTable:
    """The 256 colours of one colour map under one theme."""

    def __init__(self, map_name: str, theme: Theme) -> None:
        self.diverging = map_name == DIVERGING
        """Whether the middle colour means 0."""
        self.rgb = colours_of_levels(map_name, theme)
        channels = self.rgb.astype(np.uint32)
        opaque = channels[:, 0] << 16 | channels[:, 1] << 8 | channels[:, 2] | 0xFF000000
        self.pixels: NDArray[np.uint32] = opaque.astype(np.uint32)
        self.is_light = takes_dark_text(self.rgb)
        self.names = tuple(f"#{colour:06x}" for colour in (opaque & 0xFFFFFF).tolist())
        """Each as "#rrggbb"."""

    def ink(self, level: int) -> str:
        """Return the text colour on a level, as "#rrggbb"."""
        return DARK_TEXT if self.is_light[level] else LIGHT_TEXT


@cache
def colour_table(map_name: str, theme: Theme) -> ColourTable:
    """Return the cached table of a colour map."""
    return ColourTable(map_name, theme)


_HATCH_SPACING = 6


def draw_tiles(painter: QPainter, targets: Sequence[QRectF], levels: NDArray[np.uint8], table: ColourTable) -> None:
    """Draw (n, Q, K) levels into n rectangles of one size; reduced to maxima if cells are finer than pixels."""
    if not targets:
        return
    ratio = painter.device().devicePixelRatio()
    size = targets[0].size()
    reduced = reduce_to(
        levels, max(1, int(size.height() * ratio)), max(1, int(size.width() * ratio)), diverging=table.diverging
    )
    # QImage reads rows of a known length from the bare pointer, so the pixels must be contiguous.
    pixels = np.ascontiguousarray(table.pixels[reduced])
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    rows, columns = pixels.shape[-2:]
    for target, tile in zip(targets, pixels, strict=True):
        painter.drawImage(target, QImage(tile.data, columns, rows, columns * 4, QImage.Format.Format_RGB32))


_outlines: deque[tuple[NDArray[np.bool_], QPainterPath]] = deque(maxlen=2)
"""The masks outlined last, with their paths: thumbnails and the large picture of a trace have the same one."""


def mask_path(mask: NDArray[np.bool_]) -> QPainterPath:
    """Return the outline of the masked cells (mask False) in cell coordinates, runs of a row merged, and equal rows.

    The path is shared with other callers and must not be changed.
    """
    for outlined, path in _outlines:
        if np.array_equal(outlined, mask):
            return path
    path = QPainterPath()
    if mask.size:
        differs = (mask[1:] != mask[:-1]).any(axis=1)
        firsts = np.flatnonzero(np.concatenate(([True], differs)))
        heights = np.diff(firsts, append=len(mask)).tolist()
        forbidden = np.zeros((len(firsts), mask.shape[1] + 2), np.bool_)
        np.logical_not(mask[firsts], out=forbidden[:, 1:-1])
        # Where a row of cells changes, twice for each run; a search of flat booleans is the fastest.
        places, columns = np.divmod(np.flatnonzero(forbidden[:, 1:] != forbidden[:, :-1]), mask.shape[1] + 1)
        rows, starts, stops = firsts.tolist(), columns[::2].tolist(), columns[1::2].tolist()
        for place, start, stop in zip(places[::2].tolist(), starts, stops, strict=True):
            path.addRect(start, rows[place], stop - start, heights[place])
    _outlines.append((mask.copy(), path))
    return path


def draw_hatching(
    painter: QPainter,
    target: QRectF,
    path: QPainterPath,
    shape: tuple[int, int],
    look: Look,
    brush: QBrush | None = None,
) -> None:
    """Hatch a path in cell coordinates of a (Q, K) tile drawn into ``target``; None: as for masked cells."""
    if path.isEmpty():
        return
    to_target = QTransform().translate(target.x(), target.y())
    to_target.scale(target.width() / shape[1], target.height() / shape[0])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrushOrigin(QPoint(0, 0))
    painter.fillPath(to_target.map(path), brush or hatch_brush(look, painter.device().devicePixelRatio()))
    painter.restore()


_SMALL_CELLS = 14
"""Cells of fewer pixels are small."""
Border = tuple[QRectF, str, float]
"""A rectangle, the role of its line's colour, and the line width in pixels."""


def draw_frames(painter: QPainter, frames: Sequence[Border], look: Look) -> None:
    """Draw frames, each with a second line in the window's colour around it, visible over dark and light cells.

    A frame around small cells is thin and outside them, so that their colours stay visible.
    """
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for around, own in ((2, False), (0, True)):
        for frame, role, thickness in frames:
            small = min(frame.width(), frame.height()) < _SMALL_CELLS
            line = 1.0 if small else thickness
            painter.setPen(QPen(look.color(role if own else "window"), line + around))
            painter.drawRect(frame.adjusted(-1, -1, 1, 1) if small else frame)


def cross_brush(look: Look) -> QBrush:
    """Return crossed lines, the sign of a cell that is not a number."""
    return QBrush(look.color("window"), Qt.BrushStyle.DiagCrossPattern)


def hatch_brush(look: Look, ratio: float = 1.0) -> QBrush:
    """Return diagonal lines of the theme's hatch colour on transparent ground, evenly spaced on the screen."""
    size = look.px(_HATCH_SPACING)
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(look.theme.hatch))
    for offset in (-size, 0, size):
        painter.drawLine(offset - 1, size + 1, offset + size + 1, -1)
    painter.end()
    return QBrush(pixmap)


def whole_cells(length: float, cells: int) -> float:
    """Return the greatest length up to this one that gives every cell the same integer number of pixels."""
    return float(int(length / cells) * cells if length >= cells else max(1, int(length)))
