"""The middle of the attention lab: all heads of one batch item, and one head large."""

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from attnviz.experiment.attention_trace import AttentionTrace, Stage
from attnviz.gui.labs.read_out import ReadOut
from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.plots.cell_view import Cell
from attnviz.gui.plots.colour_bar import ColourBar
from attnviz.gui.plots.colour_table import DIVERGING, ColourTable, colour_table
from attnviz.gui.plots.head_grid import HeadGrid
from attnviz.gui.plots.heatmap import Heatmap, Matrix
from attnviz.gui.selection import Selection, SelectionModel
from attnviz.gui.theme import Look


class AttentionStage(QWidget):
    """Shows one trace: which item and which step of the mechanism are chosen above, which head and cell by pointing."""

    painted = Signal(float)
    """Milliseconds that the last drawing took."""
    view_changed = Signal()
    """Another batch item or step is shown."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._look = look
        self._map = "viridis"
        self._selection = selection
        self.trace: AttentionTrace | None = None
        self.strip = StageStrip()
        self.strip.changed.connect(self._show_other)
        self.grid = HeadGrid(look)
        self.heatmap = Heatmap(look, self.tr("Weights of the chosen head"))
        self.bar = ColourBar(look)
        self.read_out = ReadOut()
        self._contrast = QCheckBox(self.tr("Contrast per head"))
        self._contrast.setToolTip(self.tr("Colours reach to each head's largest weight instead of 1"))
        self._contrast.toggled.connect(self._show_other)
        self._lay_out()
        selection.changed.connect(self._select)
        self.grid.hovered.connect(selection.hover)
        self.grid.clicked.connect(selection.lock)
        self.heatmap.hovered.connect(self._hover_cell)
        self.heatmap.clicked.connect(self._lock_cell)
        self.grid.painted.connect(self._measure)
        self.heatmap.painted.connect(self._measure)
        self._times = {self.grid: 0.0, self.heatmap: 0.0}

    @property
    def item(self) -> int:
        """The batch item on screen."""
        return self.strip.item

    @property
    def weight_table(self) -> ColourTable:
        """The colours of weights."""
        return colour_table(self._map, self._look.theme)

    @property
    def table(self) -> ColourTable:
        """The colours of the step on screen: diverging for scores."""
        return colour_table(DIVERGING, self._look.theme) if self.strip.shows_scores else self.weight_table

    @property
    def step(self) -> Stage:
        """The step of the mechanism on screen."""
        return self.strip.step

    def show_trace(self, trace: AttentionTrace) -> None:
        """Draw a trace at the chosen item, step and head, as far as it has them."""
        self.trace = trace
        self.strip.offer(items=trace.weights.shape[0], dropout=trace.spec.dropout_acts)
        self._selection.fit(*trace.weights.shape[1:])
        self._show()

    def show_step(self, step: Stage) -> None:
        """Show another step of the mechanism: scores, masked scores, weights, weights after dropout."""
        self.strip.press(step)
        self._show_other()

    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
        self._map = name
        self._show()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._look = look
        for part in (self.grid, self.heatmap, self.bar):
            part.restyle(look)
        self._show()

    def _lay_out(self) -> None:
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setHandleWidth(8)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.grid)
        self._splitter.addWidget(self.heatmap)
        self._splitter.setSizes([400, 600])
        self._splitter.setStretchFactor(0, 4)
        self._splitter.setStretchFactor(1, 6)
        bottom = QHBoxLayout()
        bottom.addWidget(self.bar, 1)
        bottom.addWidget(self._contrast)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 8)
        layout.setSpacing(8)
        layout.addWidget(self.strip)
        layout.addWidget(self._splitter, 1)
        layout.addWidget(self.read_out)
        layout.addLayout(bottom)

    @Slot()
    def _show_other(self) -> None:
        self._show()
        self.view_changed.emit()

    def _show(self) -> None:
        trace = self.trace
        if trace is None:
            return
        self._contrast.setVisible(not self.strip.shows_scores)
        per_head = self._per_head
        mask = None if self.step == "scores" else trace.mask[self.item, 0]
        levels = trace.levels(self.step, per_head)[self.item]
        self.grid.setVisible(trace.num_heads > 1)
        self.grid.show_heads(levels, mask, self.table)
        self._show_head()
        caption = self.tr("each head to its largest weight") if per_head else self._caption(trace)
        not_finite = not self.strip.shows_scores and not np.isfinite(trace.row_sums).all()
        self.bar.show_scale(
            trace.scale(self.step, per_head),
            self.table,
            caption,
            masked=mask is not None and not mask.all(),
            not_finite=not_finite,
        )

    @property
    def _per_head(self) -> bool:
        return self._contrast.isChecked() and not self.strip.shows_scores

    def _caption(self, trace: AttentionTrace) -> str:
        if self.strip.shows_scores:
            return self.tr("score, all heads")
        return self.tr("weight, all heads") if trace.num_heads > 1 else self.tr("weight")

    def _show_head(self) -> None:
        trace = self.trace
        if trace is None:
            return
        head = min(self._selection.current.head, trace.num_heads - 1)
        is_scores = self.strip.shows_scores
        values = trace.scores if is_scores else getattr(trace, self.step)
        sums = None if is_scores else trace.row_sums[self.item, head]
        if self.step == "dropped_weights":
            sums = values[self.item, head].sum(axis=-1, dtype=np.float64)
        matrix = Matrix(
            levels=trace.levels(self.step, self._per_head)[self.item, head],
            values=values[self.item, head],
            mask=None if self.step == "scores" else trace.mask[self.item, head],
            row_labels=trace.query_tokens,
            column_labels=trace.key_tokens,
            row_sums=sums,
            title=self._title(trace, head),
            row_title=self.tr("queries"),
            column_title=self.tr("keys"),
        )
        self.heatmap.show_matrix(matrix, self.table)
        self._mark(head)

    def _title(self, trace: AttentionTrace, head: int) -> str:
        names = {"scores": self.tr("scores"), "masked_scores": self.tr("masked scores")}
        what = names.get(self.step, self.tr("weights"))
        if trace.num_heads == 1:
            return what
        return self.tr("head {0} of {1}, {2}").format(head + 1, trace.num_heads, what)

    @Slot()
    def _select(self) -> None:
        trace = self.trace
        if trace is None:
            return
        head = min(self._selection.current.head, trace.num_heads - 1)
        if head == self._drawn_head:
            self._mark(head)
        else:
            self._show_head()

    def _mark(self, head: int) -> None:
        self._drawn_head = head
        chosen = self._selection.current
        self.grid.select(chosen)
        self.heatmap.select(None if chosen.query is None else Cell(chosen.query, chosen.key))
        if self.trace is not None:
            self.read_out.show_cell(self.trace, self.item, chosen)

    @Slot(object)
    def _hover_cell(self, cell: Cell | None) -> None:
        head = self._selection.locked.head
        self._selection.hover(None if cell is None else Selection(head, cell.row, cell.column))

    @Slot(object)
    def _lock_cell(self, cell: Cell) -> None:
        self._selection.lock(Selection(self._selection.locked.head, cell.row, cell.column))

    @Slot(float)
    def _measure(self, milliseconds: float) -> None:
        self._times[self.sender()] = milliseconds  # type: ignore[index]
        self.painted.emit(sum(self._times.values()))

    _drawn_head = -1
