"""All heads of one batch item side by side, any number of them, under one colour table."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from attnviz.gui.plots.canvas import ARROWS, Canvas
from attnviz.gui.plots.colour_table import ColourTable
from attnviz.gui.plots.tile import draw_hatching, draw_tiles, mask_path
from attnviz.gui.selection import Selection
from attnviz.gui.theme import Look

_MAX_ASPECT = 3.0
_NO_LABEL_BELOW = 20


class HeadGrid(Canvas):
    """Thumbnails of every head; the chosen head has a border, the chosen cell is lit in all of them."""

    hovered = Signal(object)
    """`Selection` under the mouse, or None."""
    clicked = Signal(object)
    """`Selection` under the mouse."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._levels: NDArray[np.uint8] = np.zeros((0, 1, 1), np.uint8)
        self._mask: NDArray[np.bool_] = np.ones((1, 1), bool)
        self._mask_path = QPainterPath()
        self._table: ColourTable | None = None
        self._selection = Selection()
        self._placed_for: object = None
        self._labelled = True
        self._tiles: list[QRectF] = []
        self.setAccessibleName(self.tr("All heads"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_heads(self, levels: NDArray[np.uint8], mask: NDArray[np.bool_] | None, table: ColourTable) -> None:
        """Draw (h, Q, K) colour levels; the (Q, K) mask is hatched, None hatches nothing."""
        self._levels, self._table = levels, table
        new_mask = np.ones(levels.shape[1:], bool) if mask is None else mask
        if new_mask.shape != self._mask.shape or not np.array_equal(new_mask, self._mask):
            self._mask, self._mask_path = new_mask, mask_path(new_mask)
        self.setAccessibleDescription(self.tr("%n head(s)", None, len(levels)))
        self.redraw()

    def select(self, selection: Selection) -> None:
        """Move the border and the lit cell."""
        self._selection = selection
        self.update()

    def sizeHint(self) -> QSize:
        """Return a third of a stage."""
        return QSize(600, self.look.px(240))

    @property
    def tiles(self) -> list[QRectF]:
        """The rectangle of every head's cells, in widget coordinates; cells fall on whole pixels where they can."""
        asked_for = (self.size(), self._levels.shape, self.look.scale)
        if asked_for != self._placed_for:
            self._placed_for, self._tiles = asked_for, self._place_tiles()
        return self._tiles

    def _place_tiles(self) -> list[QRectF]:
        heads, rows, columns = self._levels.shape
        if heads == 0:
            return []
        gap, label = self.look.px(12 if heads <= 32 else 6), self._label_height()
        aspect = min(max(columns / rows, 1 / _MAX_ASPECT), _MAX_ASPECT)
        if self._largest_tile(heads, gap, label, aspect)[1] < self.look.px(_NO_LABEL_BELOW):
            # Hundreds of heads: the cells are worth more than their numbers, which pointing still tells.
            gap, label = 2, 0
        self._labelled = label > 0
        width, height, across = self._largest_tile(heads, gap, label, aspect)
        width, height = _whole_cells(width, columns), _whole_cells(height, rows)
        down = math.ceil(heads / across)
        left = max(0.0, (self.width() - across * width - (across - 1) * gap) / 2)
        top = max(0.0, (self.height() - down * (height + label) - (down - 1) * gap) / 2)
        return [
            QRectF(
                round(left + index % across * (width + gap)),
                round(top + index // across * (height + label + gap) + label),
                width,
                height,
            )
            for index in range(heads)
        ]

    def draw(self, painter: QPainter) -> None:
        """Draw every head with its label and hatching."""
        tiles = self.tiles
        if self._table is None or not tiles:
            return
        self._label_tiles(painter, tiles)
        draw_tiles(painter, tiles, self._levels, self._table)
        for target in tiles:
            if self._draws_hatching(target):
                draw_hatching(painter, target, self._mask_path, self._mask.shape, self.look)

    def _label_tiles(self, painter: QPainter, tiles: list[QRectF]) -> None:
        height = self._label_height()
        if not self._labelled:
            return
        painter.setFont(self.look.font("small"))
        painter.setPen(QColor(self.look.theme.muted))
        widest = painter.fontMetrics().horizontalAdvance(self.tr("head {0}").format(len(tiles)))
        label = self.tr("head {0}") if widest <= tiles[0].width() else "{0}"
        for head, target in enumerate(tiles):
            line = QRectF(target.x(), target.y() - height - 3, target.width() + 40, height)
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, label.format(head + 1))

    def draw_marks(self, painter: QPainter) -> None:
        """Draw the border of the chosen head and the chosen cell in every head."""
        tiles = self.tiles
        if not tiles:
            return
        chosen = self._selection
        rows, columns = self._mask.shape
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if chosen.query is not None and chosen.query < rows:
            for target in tiles:
                height = target.height() / rows
                band = QRectF(target.x(), target.y() + chosen.query * height, target.width(), height)
                if chosen.key is not None and chosen.key < columns:
                    width = target.width() / columns
                    band.setLeft(target.x() + chosen.key * width)
                    band.setWidth(width)
                    _frame(painter, band, QColor(self.look.theme.k))
                elif height >= 3:
                    _frame(painter, band, QColor(self.look.theme.q))
        if len(tiles) > 1 and chosen.head < len(tiles):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.look.theme.accent), 2))
            painter.drawRoundedRect(tiles[chosen.head].adjusted(-3, -3, 3, 3), 3, 3)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Preview the cell under the mouse."""
        self.hovered.emit(self._selection_at(event))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Lock the cell under the mouse."""
        selection = self._selection_at(event)
        if selection is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(selection)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose another head with the arrows."""
        step = ARROWS.get(event.key())
        if step is None or not self.tiles:
            super().keyPressEvent(event)
            return
        across = sum(target.y() == self.tiles[0].y() for target in self.tiles)
        head = self._selection.head + step[0] * across + step[1]
        if 0 <= head < len(self.tiles):
            self.clicked.emit(replace(self._selection, head=head))

    def leaveEvent(self, event: QEvent) -> None:
        """End the preview."""
        self.hovered.emit(None)
        super().leaveEvent(event)

    def _selection_at(self, event: QMouseEvent) -> Selection | None:
        rows, columns = self._mask.shape
        place = event.position()
        for head, target in enumerate(self.tiles):
            if target.contains(place):
                query = int((place.y() - target.y()) / target.height() * rows)
                key = int((place.x() - target.x()) / target.width() * columns)
                return Selection(head, min(query, rows - 1), min(key, columns - 1))
        return None

    def _draws_hatching(self, target: QRectF) -> bool:
        """Hatching finer than the lines' spacing would be noise; there the neutral colour alone says it."""
        return target.width() >= self.look.px(40)

    def _label_height(self) -> int:
        return self.look.px(18 if len(self._levels) <= 32 else 14)

    def _largest_tile(self, heads: int, gap: int, label: int, aspect: float) -> tuple[float, float, int]:
        sizes = (self._tile_size(across, heads, gap, label, aspect) for across in range(1, heads + 1))
        return max(sizes, key=lambda size: size[0])

    def _tile_size(self, across: int, heads: int, gap: int, label: int, aspect: float) -> tuple[float, float, int]:
        down = math.ceil(heads / across)
        width = (self.width() - 8 - (across - 1) * gap) / across
        height = (self.height() - 8 - (down - 1) * gap) / down - label
        width = max(1.0, min(width, height * aspect))
        return width, width / aspect, across


def _whole_cells(length: float, cells: int) -> float:
    """Return the greatest length not above this one that gives every cell the same whole number of pixels."""
    return float(int(length / cells) * cells if length >= cells else max(1, int(length)))


def _frame(painter: QPainter, band: QRectF, colour: QColor) -> None:
    painter.setPen(QPen(colour, 1.5 if min(band.width(), band.height()) >= 6 else 1))
    painter.drawRect(band.adjusted(0, 0, -1, -1))
