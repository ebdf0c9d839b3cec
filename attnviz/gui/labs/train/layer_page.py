"""The page of one layer of a training: every stage of its attention, or the parts before and after all layers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Slot
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.experiment.colours import DIVERGING, Scale, quantise, symmetric_scale
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.layers.lines_page import Lined, LinesPage
from attnviz.gui.layers.stages_page import StagesPage
from attnviz.gui.plots.matrix.head_grid import Thumbnail
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate

_UNIT = Scale(0.0, 1.0)


def matrix_around(trace: TrainTrace, place: str) -> tuple[Matrix, Scale]:
    """Return the part before or after the layers as a matrix of (tokens, ...), and its colour scale."""
    values: NDArray[np.floating]
    if place == "prediction":
        values, scale, columns = trace.probabilities, _UNIT, trace.vocabulary
        title, of = translate("probability of the next token"), translate("next tokens")
    elif place == "tokens":
        values = np.zeros((len(trace.token_numbers), len(trace.vocabulary)))
        values[np.arange(len(values)), list(trace.token_numbers)] = 1.0
        scale, columns = _UNIT, trace.vocabulary
        title, of = translate("tokens, one of the vocabulary each"), translate("vocabulary")
    else:
        values = trace.embedded
        scale, columns = symmetric_scale(values), tuple(str(each + 1) for each in range(values.shape[1]))
        title, of = translate("residual stream before layer 1"), translate("features")
    matrix = Matrix(
        levels=quantise(values, None, scale.low, scale.high),
        values=values,
        mask=None,
        row_labels=trace.words,
        column_labels=columns,
        row_sums=None,
        title=title,
        row_title=translate("tokens"),
        column_title=of,
        square=False,
        column_role="muted" if place == "embed" else "output",
    )
    return matrix, scale


class TrainLines(LinesPage[Shown]):
    """The weights of the chosen layer as lines, its heads by their names in the whole model."""

    @override
    def lined(self, data: Shown) -> Lined:
        layer = data.content.layer
        names = [head_name(data.view.layer, head) for head in range(layer.num_heads)]
        heads = (
            Thumbnail(head, translate("head {0}").format(name), name, off=head in layer.heads_off)
            for head, name in enumerate(names)
        )
        return Lined(layer, 0, tuple(heads), data.view.every_query)


class LayerPage(StagesPage[Shown]):
    """Draws the chosen stage of the chosen layer, or the part around the layers as one matrix."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self._around: tuple[Matrix, Scale] | None = None
        self.reading = ""
        """The number of the marked cell of the matrix around the layers; "" without."""
        self.matrix = Heatmap(look, self.tr("What is before or after the layers"))
        self._stack.addWidget(self.matrix)
        self.matrix.painted.connect(self.painted)
        self.matrix.hovered.connect(self._hover)
        self.matrix.clicked.connect(self._lock)

    @override
    def show_data(self, data: Shown) -> None:
        if data.view.place == "layer":
            if self._around is not None:
                self._picture = self._around = None  # nothing moves from another picture
            super().show_data(data)
            return
        self.motion.end()
        self._picture, self._around = data, matrix_around(data.trace, data.view.place)
        self._stack.setCurrentWidget(self.matrix)
        self.matrix.show_matrix(self._around[0], self._table_of(data))

    @override
    def select(self) -> None:
        if self._around is None:
            super().select()
        else:
            query = self._selection.current.query
            self.matrix.select(None if query is None else Cell(query, None))

    @override
    def colour_line(self) -> ColourLine | None:
        if self._around is None or self._picture is None:
            return super().colour_line()
        scale = self._around[1]
        caption = self.tr("number") if scale.diverging else self.tr("probability")
        return ColourLine(scale, self._table_of(self._picture), caption)

    def _table_of(self, data: Shown) -> ColourTable:
        diverging = self._around is not None and self._around[1].diverging
        return colour_table(DIVERGING, self._look.theme) if diverging else data.weights

    @Slot(object)
    def _hover(self, cell: Cell | None) -> None:
        self.reading = "" if cell is None else self._text_of(cell)
        head = self._selection.locked.head
        self._selection.hover(None if cell is None else Selection(head, cell.row, None))

    @Slot(object)
    def _lock(self, cell: Cell) -> None:
        self.reading = self._text_of(cell)
        self._selection.lock(Selection(self._selection.locked.head, cell.row, None))

    def _text_of(self, cell: Cell) -> str:
        if self._around is None or cell.column is None:
            return ""
        matrix, _ = self._around
        row, column = matrix.row_labels[cell.row], matrix.column_labels[cell.column]
        return f"{row}, {column}: {float(matrix.values[cell.row, cell.column]):.4g}"
