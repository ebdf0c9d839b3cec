"""The middle of the regression lab: the fit, its weights, and while a width is learned its history."""

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviz.experiment.picture import WEIGHT_SCALE
from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.gui.forms.choice_editors import ComboBox
from attnviz.gui.plots.cell_view import Cell
from attnviz.gui.plots.colour_bar import ColourBar
from attnviz.gui.plots.colour_table import ColourTable, colour_table
from attnviz.gui.plots.fit_plot import FitPlot
from attnviz.gui.plots.heatmap import Heatmap, Matrix
from attnviz.gui.plots.history_plot import HistoryPlot
from attnviz.gui.selection import Selection, SelectionModel
from attnviz.gui.theme import Look

PACES: tuple[float | None, ...] = (2, 10, 60, None)
DEFAULT_PACE = 2  # index of 60 steps a second


class RegressionStage(QWidget):
    """Shows one trace; the chosen query is a line in the fit and a row in the heatmap."""

    painted = Signal(float)
    """Milliseconds that the last drawing of the heatmap took."""
    pace_chosen = Signal(object)
    """Steps a second, or None for as fast as they come."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._look = look
        self._map = "viridis"
        self._selection = selection
        self.trace: RegressionTrace | None = None
        self.fit = FitPlot(look)
        self.heatmap = Heatmap(look, self.tr("Weights: queries by training points"))
        self.loss = HistoryPlot(look, self.tr("loss (sum of squares)"), "accent")
        self.w = HistoryPlot(look, self.tr("w = 1/width"), "output")
        self.bar = ColourBar(look)
        self.read_out = QLabel()
        self.read_out.setObjectName("caption")
        self._legend = QLabel()
        self._legend.setObjectName("caption")
        self._contrast = QCheckBox(self.tr("Full contrast"))
        self._contrast.setToolTip(self.tr("Colours reach to the largest weight instead of 1"))
        self._contrast.setChecked(True)
        self._contrast.toggled.connect(self._show)
        self._pace = ComboBox()
        self._pace.setAccessibleName(self.tr("Pace of the training"))
        for pace in PACES:
            self._pace.addItem(self.tr("full speed") if pace is None else self.tr("{0} steps/s").format(pace), pace)
        self._pace.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self._pace.setCurrentIndex(DEFAULT_PACE)
        self._pace.currentIndexChanged.connect(self._choose_pace)
        self._lay_out()
        selection.changed.connect(self._select)
        self.fit.hovered.connect(self._hover_query)
        self.fit.clicked.connect(self._lock_query)
        self.heatmap.hovered.connect(self._hover_cell)
        self.heatmap.clicked.connect(self._lock_cell)
        self.heatmap.painted.connect(self.painted)

    @property
    def table(self) -> ColourTable:
        """The colours of weights."""
        return colour_table(self._map, self._look.theme)

    @property
    def pace(self) -> float | None:
        """The chosen pace of training."""
        return PACES[self._pace.currentIndex()]

    def show_trace(self, trace: RegressionTrace) -> None:
        """Draw a trace."""
        self.trace = trace
        queries, keys = trace.weights.shape
        self._selection.fit(1, queries, keys, first_query=queries // 2)
        self.fit.show_trace(trace)
        self._show()
        trains = trace.spec.estimator == "parametric"
        for part in (self.loss, self.w, self._pace, self._pace_label):
            part.setVisible(trains)
        self._grid.setColumnStretch(1, 1 if trains else 0)
        if trains:
            self._show_history(trace)
        self._show_legend(trace)
        self._select()

    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
        self._map = name
        self._show()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._look = look
        for part in (self.fit, self.heatmap, self.loss, self.w, self.bar):
            part.restyle(look)
        self._show()
        if self.trace is not None:
            self._show_legend(self.trace)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._legend)
        top.addStretch(1)
        self._pace_label = QLabel(self.tr("Pace"))
        self._pace_label.setObjectName("caption")
        top.addWidget(self._pace_label)
        top.addWidget(self._pace)
        self._grid = grid = QGridLayout()
        grid.setSpacing(8)
        grid.addWidget(self.fit, 0, 0, 1, 2)
        grid.addWidget(self.heatmap, 1, 0, 2, 1)
        grid.addWidget(self.loss, 1, 1)
        grid.addWidget(self.w, 2, 1)
        grid.setRowStretch(0, 5)
        grid.setRowStretch(1, 2)
        grid.setRowStretch(2, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        bottom = QHBoxLayout()
        bottom.addWidget(self.bar, 1)
        bottom.addWidget(self._contrast)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 8)
        layout.setSpacing(8)
        layout.addLayout(top)
        layout.addLayout(grid, 1)
        layout.addWidget(self.read_out)
        layout.addLayout(bottom)

    @Slot()
    def _show(self) -> None:
        trace = self.trace
        if trace is None:
            return
        full = self._contrast.isChecked()
        matrix = Matrix(
            levels=trace.contrast_levels if full else trace.levels,
            values=trace.weights,
            mask=None,
            row_labels=tuple(f"{x:.3g}" for x in trace.x_test),
            column_labels=tuple(f"{x:.2g}" for x in trace.x_train),
            row_sums=None,
            title="",
            row_title=self.tr("queries x"),
            column_title=self.tr("keys: training inputs"),
            square=False,
        )
        self.heatmap.show_matrix(matrix, self.table)
        scale = trace.contrast_scale if full else WEIGHT_SCALE
        caption = self.tr("weight, up to the largest") if full else self.tr("weight")
        self.bar.show_scale(scale, self.table, caption, masked=False, not_finite=False)

    def _show_history(self, trace: RegressionTrace) -> None:
        epochs = trace.spec.epochs
        # The loss stands before a step, w after it; w begins with its first value.
        self.loss.show_history(np.arange(trace.step, dtype=np.float64), trace.loss, epochs)
        start = [] if trace.w_start is None else [trace.w_start]
        self.w.show_history(np.arange(trace.step + 1, dtype=np.float64), np.concatenate((start, trace.w)), epochs)

    def _show_legend(self, trace: RegressionTrace) -> None:
        theme = self._look.theme
        entries = [("●", theme.k, self.tr("training points")), ("━", theme.accent, self.tr("fit"))]
        if np.isfinite(trace.y_truth).any():
            entries.insert(1, ("╌", theme.muted, self.tr("truth")))
        parts = [f'<span style="color:{colour}">{sign}</span> {text}' for sign, colour, text in entries]
        self._legend.setText("&nbsp;&nbsp;&nbsp;".join(parts))

    @Slot()
    def _select(self) -> None:
        trace, chosen = self.trace, self._selection.current
        if trace is None or chosen.query is None:
            return
        self.fit.select(chosen.query)
        self.heatmap.select(Cell(chosen.query, chosen.key))
        x, y = trace.x_test[chosen.query], trace.y_hat[chosen.query]
        said = self.tr("no training point in reach") if np.isnan(y) else f"f({x:.4g}) = {y:.4f}"
        parts = [self.tr("query {0}").format(f"x = {x:.4g}"), said]
        if chosen.key is not None and chosen.key < len(trace.x_train):
            key = chosen.key
            parts.append(self.tr("key {0}").format(f"x = {trace.x_train[key]:.4g}"))
            parts.append(self.tr("weight {0}").format(f"{trace.weights[chosen.query, key]:.4f}"))
        self.read_out.setText("   ".join(parts))

    @Slot()
    def _choose_pace(self) -> None:
        self.pace_chosen.emit(self.pace)

    @Slot(object)
    def _hover_query(self, query: int | None) -> None:
        self._selection.hover(None if query is None else Selection(0, query))

    @Slot(int)
    def _lock_query(self, query: int) -> None:
        self._selection.lock(Selection(0, query))

    @Slot(object)
    def _hover_cell(self, cell: Cell | None) -> None:
        self._selection.hover(None if cell is None else Selection(0, cell.row, cell.column))

    @Slot(object)
    def _lock_cell(self, cell: Cell) -> None:
        self._selection.lock(Selection(0, cell.row, cell.column))
