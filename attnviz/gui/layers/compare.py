"""One head of two layers side by side: A, B, and B − A, the same cell marked in all three."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QToolButton
from typing_extensions import override

from attnviz.definitions.stages import cells_of
from attnviz.definitions.text import Text
from attnviz.experiment.colours import DIVERGING, MASKED, NOT_FINITE, Scale
from attnviz.experiment.layers.comparison import Aligned, HeadDifference, head_difference
from attnviz.experiment.layers.layer import Layer
from attnviz.gui.layers.heads_view import cell_matrix, weight_line
from attnviz.gui.plots.layout import Margins, Rect, in_a_grid
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.heatmap import LEAST, Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix, longest
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import Placed
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import translate

_AMPLE = 10_000
"""More than the height of any window."""


class Pair(NamedTuple):
    """The drawing data of two layers."""

    a: Layer | None
    """None: B alone is drawn."""
    b: Layer
    stage: str
    """The stage that is compared; it has one number for each query and key."""
    item: int
    head: int
    table: ColourTable
    """The colours of the stage."""
    sums: bool
    """Whether the sum of each row is beside it."""
    titles: tuple[str, str]
    """Of A and of B."""
    text: str
    """The text above the pictures about the differences."""
    contrast: str = ""
    """The contrast of the colours of weights, the same in A and B, a name in `CONTRASTS`."""
    apart: str = ""
    """Why B − A is not drawn, if it could be; empty: it is drawn."""
    aligned: Aligned = Aligned()
    """The queries and keys that are compared."""
    offered: Sequence[str] = ()
    """The names of runs that become A with one click."""

    def has_stage(self, layer: Layer) -> bool:
        """Return whether a layer has the compared tensor; given weights have no scores."""
        return layer.has(self.stage) and (not layer.is_given or cells_of(self.stage).weights)

    def shows(self, layer: Layer) -> bool:
        """Return whether a layer has the head, the batch item and the stage."""
        return self.head < layer.num_heads and self.item < len(layer.weights) and self.has_stage(layer)

    @property
    def layers(self) -> list[Layer]:
        """A, if there is one, and B, if they have the stage."""
        return [layer for layer in (self.b, self.a) if layer is not None and self.has_stage(layer)]

    @property
    def names(self) -> tuple[str, ...]:
        """The longest names of queries and keys of A and B."""
        return tuple(name for layer in self.layers for name in longest((*layer.query_names, *layer.key_names)))

    @property
    def scale(self) -> Scale:
        """The colour scale of A and B: one for both."""
        return max((layer.scale(self.stage, self.contrast) for layer in self.layers), key=lambda scale: scale.high)

    @property
    def colour_line(self) -> ColourLine:
        """The contents of the colour bar of A and B."""
        cells = cells_of(self.stage)
        levels = [layer.levels(self.stage)[self.item] for layer in self.layers if self.item < len(layer.weights)]
        line = weight_line(self.b, self.contrast, self.table, self.item, self.stage) if cells.weights else None
        if line is not None:
            line = line._replace(caption=translate("weight, A and B"))
        return (line or ColourLine(self.scale, self.table, translate("score")))._replace(
            scale=self.scale,
            masked=any((each == MASKED).any() for each in levels),
            not_finite=any((each == NOT_FINITE).any() for each in levels),
            dropped=cells.dropped and any(layer.dropout for layer in self.layers),
        )

    @property
    def difference(self) -> HeadDifference | str:
        """B − A, or a message about why there is none."""
        if self.apart or self.a is None:
            return self.apart
        found = head_difference(self.a, self.b, self.stage, self.item, self.head, self.aligned)
        return found.filled(translate) if isinstance(found, Text) else found


class PairView(Placed):
    """Draws a pair in one row, the pictures of one size; above them the buttons of A and the differences."""

    painted = Signal(float)
    """Milliseconds that the last drawing took."""
    offered_chosen = Signal(int)
    """The index of the offered run that the user chose as A."""

    def __init__(self, look: Look, selection: SelectionModel) -> None:
        super().__init__()
        self._look = look
        self.drawn: Pair | None = None
        self._further: list[QToolButton] = []
        self.a, self.b, self.difference = (
            Heatmap(look, name) for name in (self.tr("A, the pinned run"), self.tr("B, this run"), self.tr("B − A"))
        )
        self.bar = ColourBar(look)
        self.changes = QLabel()
        self.changes.setWordWrap(True)
        self.changes.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.changes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.changes.setAccessibleName(self.tr("What differs"))
        self.pin, self.unpin = QToolButton(), QToolButton()
        self.unpin.setText(self.tr("Unpin"))
        for part in (self.a, self.b, self.difference, self.bar, self.changes, self.pin, self.unpin):
            part.setParent(self)
        for heatmap in (self.a, self.b, self.difference):
            heatmap.hovered.connect(selection.hover_cell)
            heatmap.clicked.connect(selection.lock_cell)
            heatmap.painted.connect(self.painted)

    def show_pair(self, pair: Pair) -> None:
        """Draw a pair."""
        self.drawn = pair
        self._offer(pair.offered)
        difference = pair.difference
        self._draw_layer(self.b, pair.b, pair, pair.titles[1])
        self.a.setVisible(pair.a is not None)
        if pair.a is not None:
            self._draw_layer(self.a, pair.a, pair, pair.titles[0])
        drawn = isinstance(difference, HeadDifference)
        self.difference.setVisible(drawn)
        self.bar.setVisible(drawn)
        if isinstance(difference, HeadDifference):
            self._draw_difference(pair, difference)
        self.changes.setText(
            pair.text if isinstance(difference, HeadDifference) else f"{difference} {pair.text}".strip()
        )
        self._place()

    def select(self, cell: Cell | None) -> None:
        """Mark a cell in every picture that has it."""
        for heatmap in (self.a, self.b, self.difference):
            heatmap.select(cell)
        if cell is not None and self.drawn is not None and not self.drawn.aligned.has(cell.row, cell.column or 0):
            self.a.select(None)

    def _offer(self, runs: Sequence[str]) -> None:
        while len(self._further) < len(runs):
            button = QToolButton(self)
            button.clicked.connect(self._choose)
            self._further.append(button)
        for place, button in enumerate(self._further):
            button.setVisible(place < len(runs))
            button.setText(runs[place] if place < len(runs) else "")

    @Slot()
    def _choose(self) -> None:
        self.offered_chosen.emit(self._further.index(self.sender()))  # type: ignore[arg-type]

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look

    def height_in(self, width: int) -> int:
        """Return the height of the pictures in a width, including the parts around them."""
        if not self._parts:
            return 0
        bar = self._look.px(20) if self.difference in self._parts else 0
        below = max(place.bottom for place in self._places(Rect(0, self._place_text(width), width, _AMPLE)))
        return math.ceil(below) + bar

    @property
    def _parts(self) -> list[Heatmap]:
        """The pictures that are drawn."""
        shown = [part for part in (self.a, self.b, self.difference) if part.isVisibleTo(self)]
        return [] if self.drawn is None else shown

    def _place_text(self, width: int) -> int:
        """Place the buttons and the text; return the top of the pictures."""
        px = self._look.px
        buttons = [self.pin, *(each for each in self._further if not each.isHidden()), self.unpin]
        left, height = 0, max(px(28), *(button.sizeHint().height() for button in buttons))
        for button in buttons:
            size = button.sizeHint()
            button.setGeometry(left, (height - size.height()) // 2, size.width(), size.height())
            left += size.width() + px(8)
        least = min(width - left, px(320))
        beside = QRect(left + px(4), 0, width - left - px(4), height)
        if self.changes.heightForWidth(beside.width()) > height or beside.width() < least:
            beside = QRect(0, height, width, min(self.changes.heightForWidth(width), px(60)))
        self.changes.setGeometry(beside)
        return beside.bottom() + px(8)

    def _places(self, room: Rect) -> tuple[Rect, ...]:
        """Return where the pictures are in a room."""
        assert self.drawn is not None
        px, shown = self._look.px, self._parts
        margins = tuple(map(max, zip(*(part.margins for part in shown), strict=True)))
        queries, keys = self.drawn.b.weights.shape[2:]
        return in_a_grid(
            len(shown), (queries, keys), Margins(*margins), room, gap=px(12), least=px(LEAST), across=len(shown)
        )

    @override
    def _place(self) -> None:
        """Place the buttons and the text above A, B and B − A."""
        width = self.width()
        top, shown = self._place_text(width), self._parts
        if not shown:
            return
        bar = self._look.px(20) if self.difference in shown else 0
        for part, place in zip(
            shown, self._places(Rect(0, top, width, max(1, self.height() - top - bar))), strict=True
        ):
            part.setGeometry(*map(round, place))
            if part is self.difference:
                self.bar.setGeometry(round(place.x), round(place.bottom), round(place.width), bar)

    def _draw_layer(self, heatmap: Heatmap, layer: Layer, pair: Pair, title: str) -> None:
        heatmap.setVisible(pair.shows(layer))
        if pair.shows(layer):
            both = [each for each in pair.layers if pair.shows(each)]
            matrix = cell_matrix(
                layer, pair.stage, pair.item, pair.head, title, contrast=pair.contrast, scale=pair.scale, beside=both
            )
            sums = matrix.row_sums if pair.sums and not self._look.present else None
            heatmap.show_matrix(replace(matrix, row_sums=sums, names_beside=pair.names), pair.table)

    def _title_of(self, found: HeadDifference) -> str:
        if not np.nan_to_num(found.values).any():
            return self.tr("B − A, 0 everywhere")
        return f"B − A  ±{found.scale.high:.3g}" if self._look.numbers else "B − A"

    def _draw_difference(self, pair: Pair, found: HeadDifference) -> None:
        """Draw B − A, with B's labels."""
        table = colour_table(DIVERGING, self._look.theme)
        matrix = Matrix(
            levels=found.levels,
            values=found.values,
            mask=found.mask,
            row_labels=pair.b.query_names,
            column_labels=pair.b.key_names,
            names_beside=pair.names,
            row_sums=None,
            title=self._title_of(found),
            row_title=self.tr("queries"),
            column_title=self.tr("keys"),
            signed=True,
        )
        self.difference.show_matrix(matrix, table)
        masked, not_finite = (bool((found.levels == level).any()) for level in (MASKED, NOT_FINITE))
        self.bar.show_line(ColourLine(found.scale, table, self.tr("B − A"), masked, not_finite))
