"""All heads of a model at once, layers by heads: small pictures while they fit, else a colour and a number each."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.layers.statistics import HeadValues
from attnviz.gui.plots.heads.head_map import HeadMap
from attnviz.gui.plots.heads.head_tiles import HeadTiles
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import Placed
from attnviz.gui.widgets.selection import Selection

_LARGEST_TILE = 260
_BAR = 28
"""More than the height of the colour bar below the page, at scale 1."""
Pictures = Callable[[], tuple[NDArray[np.uint8], NDArray[np.bool_]]]
"""Returns the (n, Q, K) levels of all heads and their (Q, K) mask, computed only if they are drawn."""


class HeadsView(Placed):
    """Chooses between `HeadTiles` and a `HeadMap` by the available room: every head is visible."""

    hovered = Signal(object)
    """The head under the mouse, counted through all layers, or None."""
    clicked = Signal(int)
    """The head that the user chose."""
    painted = Signal(float)
    """The milliseconds of the last drawing."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._shown: tuple[HeadValues, Pictures, ColourTable, ColourTable | None] | None = None
        self.with_pictures = True
        """Whether small pictures are drawn where they fit."""
        self._too_low: tuple[int, int] | None = None
        """The size in which the small pictures did not fit, since when there are none."""
        self.tiles = HeadTiles(look, self, most=_LARGEST_TILE, layers_beside=True)
        self.cells = HeadMap(look, name, self)
        self.cells.hide()
        self.tiles.grid.hovered.connect(self._hover)
        self.tiles.grid.clicked.connect(self.clicked)
        self.cells.hovered.connect(self.hovered)
        self.cells.clicked.connect(self.clicked)
        for part in (self.tiles.grid, self.cells):
            part.painted.connect(self.painted)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self._draw()

    def show_values(
        self, values: HeadValues, pictures: Pictures, table: ColourTable, colours: ColourTable | None = None
    ) -> None:
        """Draw a number for every head, and its picture if there is room; ``colours`` are those of a scale."""
        if self._shown is None or self._shown[0].values.shape != values.values.shape:
            self._too_low = None
        self._shown = values, pictures, table, colours
        self._draw()

    @property
    def uses_weights(self) -> bool:
        """Whether the weights are drawn, and not only the roles."""
        return self.cells.isHidden()

    def height_in(self, width: float, height: float, layers: int) -> float:
        """Return the part of this room's height used for ``layers`` layers."""
        if self.with_pictures and self.tiles.fit_in(width, height):
            return self.tiles.height_in(width, height)
        return min(height, self.cells.most_height(layers))

    @property
    def used_width(self) -> int:
        """The right end of the pictures or cells."""
        return self.tiles.grid.width() if self.uses_weights else math.ceil(max(c.right() for c in self.cells.cells))

    def select(self, selection: Selection) -> None:
        """Mark a head, counted through all layers, and a cell in all small pictures."""
        self.tiles.grid.select(selection)
        self.cells.select(selection.head)

    @override
    def _place(self) -> None:
        small = self.uses_weights
        self._choose()
        if small != self.uses_weights:
            self._draw()

    def _choose(self) -> None:
        fits = self.with_pictures and self.tiles.fit_in(self.width(), self.height())
        if fits and self._too_low is not None:
            # Without pictures the colour bar goes: its height must not bring them back.
            width, height = self._too_low
            fits = self.width() != width or self.height() > height + self._look.px(_BAR)
        self._too_low = None if fits else self._too_low or (self.width(), self.height())
        self.tiles.setVisible(fits)
        self.cells.setVisible(not fits)
        self.tiles.setGeometry(self.rect())
        self.cells.setGeometry(self.rect())

    def _draw(self) -> None:
        """Draw the visible widget; the layout of either needs the number of heads."""
        if self._shown is None:
            return
        values, pictures, table, colours = self._shown
        self.tiles.expect(*values.values.shape)
        self._choose()
        if self.uses_weights:
            self.tiles.show_values(values, *pictures(), table)
        else:
            self.cells.show_values(values, colours)

    @Slot(object)
    def _hover(self, tile: Selection | None) -> None:
        self.hovered.emit(None if tile is None else tile.head)
