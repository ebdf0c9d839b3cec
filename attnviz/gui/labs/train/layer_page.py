"""The second page of the training lab: every step of one layer's attention, or what is before and after all layers."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.experiment.colours import DIVERGING, Scale, quantise, symmetric_scale
from attnviz.experiment.layers.content import Content, cells_touched, content_of
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.layers.heads_view import Picture
from attnviz.gui.layers.lines_page import Lined
from attnviz.gui.layers.stages_page import StagesPage
from attnviz.gui.plots.matrix.head_grid import Thumbnail
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.plots.page import ColourLine, Page
from attnviz.gui.run.background import AT_ONCE, Background
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate

_UNIT = Scale(0.0, 1.0)


def matrix_around(trace: TrainTrace, place: str) -> tuple[Matrix, Scale]:
    """Return what is before the layers or after them as a matrix of (tokens, ...), and its colour scale."""
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


def lined(data: Shown) -> Lined:
    """Return what the page of lines draws: the chosen layer, its heads by their names."""
    trace, layer = data.trace, data.view.layer
    names = tuple(head_name(layer, head) for head in range(trace.num_heads))
    heads = (
        Thumbnail(head, translate("head {0}").format(name), name, off=name in trace.spec.heads_off)
        for head, name in enumerate(names)
    )
    return Lined(trace.layers[layer], 0, tuple(heads), data.view.every_query)


class LayerPage(Page[Shown]):
    """The pages of the attention lab drawn from the chosen layer's trace."""

    drawn = Signal()
    """The picture that took longer than a frame is there."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._selection = selection
        self._shown: Shown | None = None
        self._around: Scale | None = None
        self.stages = StagesPage(look, selection)
        self.matrix = Heatmap(look, self.tr("What is before or after the layers"))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.stages)
        self._stack.addWidget(self.matrix)
        column_of(self, self._stack, gap=-1)
        self._background = Background(self)
        self._background.done.connect(self._take)
        self.stages.painted.connect(self.painted)
        self.matrix.painted.connect(self.painted)
        self.matrix.hovered.connect(self._hover)
        self.matrix.clicked.connect(self._lock)

    @property
    @override
    def close_up(self) -> QWidget:
        return self.stages.close_up if self._around is None else self.matrix

    @override
    def show_data(self, data: Shown) -> None:
        self._shown = data
        trace, view, _ = data[:3]
        if view.place != "layer":
            matrix, self._around = matrix_around(trace, view.place)
            table = colour_table(DIVERGING, self._look.theme) if self._around.diverging else data.weights
            self._stack.setCurrentWidget(self.matrix)
            self.matrix.show_matrix(matrix, table)
            self.select()
            return
        self._around = None
        layer, of = trace.layers[view.layer], view.of_layer
        head, query = min(self._selection.current.head, trace.num_heads - 1), self._selection.current.query or 0
        if cells_touched(layer, of) <= AT_ONCE:
            self._draw(content_of(layer, of, head, query))
        else:
            self._background.start(lambda: content_of(layer, of, head, query), instead=True)

    @override
    def select(self) -> None:
        chosen = self._selection.current
        if self._around is None:
            self.stages.select()
        else:
            self.matrix.select(None if chosen.query is None else Cell(chosen.query, None))

    @override
    def restyle(self, look: Look) -> None:
        self._look = look
        self.stages.restyle(look)
        self.matrix.restyle(look)

    @override
    def colour_line(self) -> ColourLine | None:
        if self._shown is None:
            return None
        if self._around is None:
            return self.stages.colour_line()
        diverging = self._around.diverging
        table = colour_table(DIVERGING, self._look.theme) if diverging else self._shown.weights
        return ColourLine(self._around, table, self.tr("number") if diverging else self.tr("probability"))

    def read_out(self) -> str:
        """Return the number of the marked cell of the matrix around the layers; "" without."""
        return self._said

    _said = ""

    def _draw(self, content: Content) -> None:
        assert self._shown is not None
        weights: ColourTable = self._shown.weights
        table = weights if content.view.shows_weights else colour_table(DIVERGING, self._look.theme)
        self._stack.setCurrentWidget(self.stages)
        self.stages.show_data(Picture(content, table, weights, self._shown.trace))

    @Slot(object)
    def _take(self, content: Content) -> None:
        """Draw a content, unless another one was asked for meanwhile."""
        data = self._shown
        if data is None or data.view.place != "layer":
            return
        if content.layer is data.trace.layers[data.view.layer] and content.view == data.view.of_layer:
            self._draw(content)
            self.drawn.emit()

    @Slot(object)
    def _hover(self, cell: Cell | None) -> None:
        self._said = "" if cell is None else self._text_of(cell)
        head = self._selection.locked.head
        self._selection.hover(None if cell is None else Selection(head, cell.row, None))

    @Slot(object)
    def _lock(self, cell: Cell) -> None:
        self._said = self._text_of(cell)
        self._selection.lock(Selection(self._selection.locked.head, cell.row, None))

    def _text_of(self, cell: Cell) -> str:
        if self._shown is None or cell.column is None:
            return ""
        matrix, _ = matrix_around(self._shown.trace, self._shown.view.place)
        row, column = matrix.row_labels[cell.row], matrix.column_labels[cell.column]
        return f"{row}, {column}: {float(matrix.values[cell.row, cell.column]):.4g}"
