"""A tile for each head of each layer: its weights, its name, its number, and its role below."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.definitions.roles import ROLES, Role
from attnviz.experiment.layers.statistics import HeadValues
from attnviz.gui.plots.heads.role_words import role_text_colour, role_title
from attnviz.gui.plots.layout import TileGrid, TileRules, tile_grid
from attnviz.gui.plots.matrix.head_grid import HeadGrid, Thumbnail
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import reveal_in

_LEAST, _MOST = 34, 150
"""The smallest and the largest side of a tile, at scale 1."""


class HeadTiles(QScrollArea):
    """A row holds a layer, or an equal part of one. Tiles scroll if not all heads are visible."""

    def __init__(
        self, look: Look, parent: QWidget | None = None, *, most: int = _MOST, layers_beside: bool = False
    ) -> None:
        """``most`` is the largest side of a tile at scale 1; ``layers_beside``: a row may hold several layers."""
        super().__init__(parent)
        self._look = look
        self._most, self._layers_beside = most, layers_beside
        self._layers = self._heads = 1
        self._roles: tuple[Role, ...] = tuple(ROLES.values())
        self.grid = HeadGrid(look)
        self.grid.accented = True
        self.setObjectName("tiles")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self.grid)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look

    def show_values(
        self, values: HeadValues, levels: NDArray[np.uint8], mask: NDArray[np.bool_], table: ColourTable
    ) -> None:
        """Draw the (n, Q, K) levels of every head: beside its name its number, and its role below."""
        self.expect(*values.values.shape)
        self._roles = values.offered
        made: list[Thumbnail] = []
        for at in np.ndindex(self._layers, self._heads):
            name, named, value = head_name(*at), values.roles.get((at[0], at[1])), float(values.values[at])
            note = values.number(value) if math.isfinite(value) else ""
            # A second line for all: heads get their roles while they train.
            below = " " if named is None else role_title(named.role, named.distance)
            colour = role_text_colour(None if named is None else named.role, self._look.theme)
            made.append(Thumbnail(len(made), name, name, note, below, colour, at in values.off))
        self.grid.show_heads(levels, mask, table, tuple(made))
        self.place()

    @property
    def text_width(self) -> int:
        """The width of the widest text above a tile, for any role."""
        small, bold = (QFontMetrics(self._look.font("small", bold=bold)).horizontalAdvance for bold in (False, True))
        name = bold(head_name(self._layers - 1, self._heads - 1))
        return max(name + self._look.px(6) + small("0.00"), *(small(role_title(role)) for role in self._roles)) + 2

    def grid_in(self, width: float, height: float) -> TileGrid:
        """Return the largest tiles that are all visible, or the smallest, as many in a row as fit, which scroll."""
        px, edge, rules = self._look.px, self.grid.rules.edge, self._rules
        best, side = self._best(width, height)
        width = width - 2 * edge + rules.gap
        if side < px(_LEAST):
            width -= rules.scroll_bar
            best = self._choices(width, rules.gap)[-1]
        return tile_grid(rules, best, max(1, math.floor(max(side, min(px(_LEAST), width / best - rules.gap)))))

    def expect(self, layers: int, heads: int) -> None:
        """Set the number of heads, before a trace is drawn."""
        self._layers, self._heads = layers, heads

    def fit_in(self, width: float, height: float) -> bool:
        """Return whether all tiles can be visible."""
        return self._best(width, height)[1] >= self._look.px(_LEAST)

    def height_in(self, width: float, height: float) -> float:
        """Return the height of the tiles of `grid_in`, if all are visible."""
        rules, (across, side) = self._rules, self._best(width, height)
        rows = self._layers * self._heads / across
        return rows * (rules.label + math.ceil(side) + rules.gap) + 2 * rules.edge

    @property
    def _rules(self) -> TileRules:
        metrics = QFontMetrics(self._look.font("small"))
        return replace(self.grid.rules, text=self.text_width, label=2 * metrics.height() + 3)

    def _best(self, width: float, height: float) -> tuple[int, float]:
        """Return the number of tiles per row that makes them largest, and their side."""
        rules = self._rules
        width, height = width - 2 * rules.edge + rules.gap, height - 2 * rules.edge + rules.gap

        def side(across: int) -> float:
            down = self._layers * self._heads / across
            return min(self._look.px(self._most), width / across - rules.gap, height / down - rules.gap - rules.label)

        best = max(self._choices(width, rules.gap), key=side)
        return best, side(best)

    def _choices(self, width: float, gap: float) -> list[int]:
        """Return the possible numbers of tiles per row, the fewest first."""
        least = max(self._look.px(_LEAST), self.text_width) + gap
        rows = [n for n in range(1, self._heads + 1) if self._heads % n == 0]
        if self._layers_beside:
            rows += [n * self._heads for n in range(2, self._layers + 1) if self._layers % n == 0]
        return [n for n in rows if n == 1 or width / n >= least]

    def least_height(self, width: float | None = None) -> float:
        """Return the height of a row of the smallest tiles, or of all rows in this width."""
        rules, label = self.grid.rules, 2 * QFontMetrics(self._look.font("small")).height() + 3
        around = 2 * rules.edge - rules.gap
        rows = 1 if width is None else self._layers * self._heads // self._choices(width - around, rules.gap)[-1]
        return rows * (label + self._look.px(_LEAST) + rules.gap) + around

    def place(self) -> None:
        """Lay the tiles out in the available room."""
        self.grid.place(self.grid_in(self.width(), self.height()))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def reveal(self, head: int) -> None:
        """Scroll the tile of a head, counted through all layers, into view."""
        tile = self.grid.tile_of(head)
        if tile is not None:
            reveal_in(self, tile, self._look.px(8))
