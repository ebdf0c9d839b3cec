"""The middle of the regression lab: the fit, a step of its mechanism, and while a width is learned its history."""

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.experiment.stages import REGRESSION_STAGES
from attnviz.gui.background import AT_ONCE, Background
from attnviz.gui.forms.choice_editors import ComboBox
from attnviz.gui.forms.words import translate
from attnviz.gui.labs.regression_pictures import header_of, picture_of
from attnviz.gui.labs.stage_header import StageHeader
from attnviz.gui.labs.stage_player import StagePlayer
from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.labs.stage_words import stage_title
from attnviz.gui.plots.cell_view import Cell
from attnviz.gui.plots.colour_bar import ColourBar
from attnviz.gui.plots.colour_table import ColourTable, colour_table
from attnviz.gui.plots.fit_plot import FitPlot
from attnviz.gui.plots.heatmap import Heatmap
from attnviz.gui.plots.history_plot import HistoryPlot
from attnviz.gui.selection import Selection, SelectionModel
from attnviz.gui.theme import Look, Theme

PACES: tuple[float | None, ...] = (2, 10, 60, None)
DEFAULT_PACE = 2  # index of 60 steps a second


class RegressionStage(QWidget):
    """Shows one trace; the chosen query is a line in the fit and a row in the matrix of the chosen stage."""

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
        self.strip = StageStrip(REGRESSION_STAGES, "weights")
        self.player = StagePlayer(self.strip)
        self.header = StageHeader(look)
        self.fit = FitPlot(look)
        self.heatmap = Heatmap(look, "")
        self.loss = HistoryPlot(look, self.tr("loss (sum of squares)"), "accent")
        self.w = HistoryPlot(look, self.tr("w = 1/width"), "output")
        self.bar = ColourBar(look)
        self.read_out = _caption()
        self._legend = _caption()
        self._contrast = QCheckBox(self.tr("Full contrast"))
        self._contrast.setToolTip(self.tr("Colours reach to the largest weight instead of 1"))
        self._contrast.setChecked(True)
        self._pace_label = _caption(self.tr("Pace"))
        self._pace = ComboBox()
        self._pace.setAccessibleName(self.tr("Pace of the training"))
        for pace in PACES:
            self._pace.addItem(self.tr("full speed") if pace is None else self.tr("{0} steps/s").format(pace), pace)
        self._pace.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self._pace.setCurrentIndex(DEFAULT_PACE)
        self._background = Background(self)
        self._background.done.connect(self._draw)
        self._lay_out()
        self._connect()

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
        trains = trace.spec.trains
        for part in (self.loss, self.w, self._pace, self._pace_label):
            part.setVisible(trains)
        self._grid.setColumnStretch(1, 2 if trains else 0)
        if trains:
            self._show_history(trace)
        self._legend.setText(_legend_of(trace, self._look.theme))
        self._show()

    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
        self._map = name
        self._show()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._look = look
        for part in (self.player, self.header, self.fit, self.heatmap, self.loss, self.w, self.bar):
            part.restyle(look)
        self._show()
        if self.trace is not None:
            self._legend.setText(_legend_of(self.trace, look.theme))

    def _connect(self) -> None:
        self.strip.changed.connect(self._show)
        self._contrast.toggled.connect(self._show)
        self._pace.currentIndexChanged.connect(self._choose_pace)
        self._selection.changed.connect(self._select)
        self.fit.hovered.connect(self._hover_query)
        self.fit.clicked.connect(self._lock_query)
        self.heatmap.hovered.connect(self._selection.hover_cell)
        self.heatmap.clicked.connect(self._selection.lock_cell)
        self.heatmap.painted.connect(self.painted)

    def _lay_out(self) -> None:
        self._grid = grid = QGridLayout()
        grid.setSpacing(8)
        grid.addWidget(self.fit, 0, 0, 1, 2)
        grid.addWidget(self.heatmap, 1, 0, 2, 1)
        grid.addWidget(self.loss, 1, 1)
        grid.addWidget(self.w, 2, 1)
        grid.setRowStretch(0, 5)
        grid.setRowStretch(1, 2)
        grid.setRowStretch(2, 2)
        grid.setColumnStretch(0, 3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.setSpacing(6)
        layout.addLayout(_line(self.strip, self.player))
        layout.addWidget(self.header)
        layout.addLayout(_line(self._legend, None, self._pace_label, self._pace))
        layout.addLayout(grid, 1)
        layout.addWidget(self.read_out)
        layout.addLayout(_line(self.bar, self._contrast))

    @Slot()
    def _show(self) -> None:
        """Draw the chosen stage of the trace; nothing is computed but its colours, those of many cells elsewhere."""
        trace, stage = self.trace, self.strip.stage
        if trace is None:
            return
        # The worker has prepared the weights in full contrast, which is how they are drawn as they come.
        ready = stage == "weights" and self._contrast.isChecked()
        # A step of a training is drawn with its curve, or the next one would overtake it.
        if ready or trace.weights.size <= AT_ONCE or not trace.final:
            self._draw((trace, stage))
        else:
            self._background.start(lambda: _prepared(trace, stage), instead=True)

    @Slot(object)
    def _draw(self, prepared: tuple[RegressionTrace, str]) -> None:
        """Draw a stage whose colours are there, unless another has been asked for meanwhile."""
        trace, stage = prepared
        if trace is not self.trace or stage != self.strip.stage:
            return
        full = self._contrast.isChecked()
        picture = picture_of(trace, stage, self._map, self._look.theme, full_contrast=full)
        self.heatmap.setAccessibleName(self.tr("{0}: queries by training points").format(stage_title(stage)))
        self.heatmap.show_matrix(picture.matrix, picture.table)
        self.bar.show_scale(picture.scale, picture.table, picture.caption, masked=False, not_finite=False)
        self._contrast.setVisible(stage == "weights")
        header = header_of(trace, stage)
        self.header.show_stage(header.latex, header.spoken, header.shapes)
        self._select()

    def _show_history(self, trace: RegressionTrace) -> None:
        epochs = trace.spec.epochs
        # The loss stands before a step, w after it; w begins with its first value.
        self.loss.show_history(np.arange(trace.step, dtype=np.float64), trace.loss, epochs)
        start = [] if trace.w_start is None else [trace.w_start]
        self.w.show_history(np.arange(trace.step + 1, dtype=np.float64), np.concatenate((start, trace.w)), epochs)

    @Slot()
    def _select(self) -> None:
        trace, chosen = self.trace, self._selection.current
        if trace is None or chosen.query is None:
            return
        self.fit.select(chosen.query)
        self.heatmap.select(Cell(chosen.query, chosen.key))
        self.read_out.setText(_reading_of(trace, self.strip.stage, chosen.query, chosen.key))

    @Slot()
    def _choose_pace(self) -> None:
        self.pace_chosen.emit(self.pace)

    @Slot(object)
    def _hover_query(self, query: int | None) -> None:
        self._selection.hover(None if query is None else Selection(0, query))

    @Slot(int)
    def _lock_query(self, query: int) -> None:
        self._selection.lock(Selection(0, query))


def _caption(text: str = "") -> QLabel:
    label = QLabel(text)
    label.setObjectName("caption")
    return label


def _line(*parts: QWidget | None) -> QHBoxLayout:
    """Return parts side by side; None is the room that is left."""
    line = QHBoxLayout()
    line.setSpacing(8)
    for part in parts:
        if part is None:
            line.addStretch(1)
        else:
            line.addWidget(part, 1 if isinstance(part, ColourBar | StageStrip) else 0)
    return line


def _prepared(trace: RegressionTrace, stage: str) -> tuple[RegressionTrace, str]:
    trace.prepare_stage(stage)
    return trace, stage


def _legend_of(trace: RegressionTrace, theme: Theme) -> str:
    entries = [("●", theme.k, translate("training points")), ("━", theme.accent, translate("fit"))]
    if np.isfinite(trace.y_truth).any():
        entries.insert(1, ("╌", theme.muted, translate("truth")))
    parts = [f'<span style="color:{colour}">{sign}</span> {text}' for sign, colour, text in entries]
    return "&nbsp;&nbsp;&nbsp;".join(parts)


def _reading_of(trace: RegressionTrace, stage: str, query: int, key: int | None) -> str:
    """Return the line that says what the chosen query, and the chosen cell of a stage, hold."""
    x, y = trace.x_test[query], trace.y_hat[query]
    said = translate("no training point in reach") if np.isnan(y) else f"f({x:.4g}) = {y:.4f}"
    parts = [translate("query {0}").format(f"x = {x:.4g}"), said]
    if key is not None and key < len(trace.x_train):
        parts.append(translate("key {0}").format(f"x = {trace.x_train[key]:.4g}"))
        match stage:
            case "differences":
                parts.append(translate("x − xᵢ = {0}").format(f"{trace.differences[query, key]:.4g}"))
            case "kernel":
                parts.append(f"K(u) = {trace.kernel_values[query, key]:.4g}")
            case "weights":
                parts.append(translate("weight {0}").format(f"{trace.weights[query, key]:.4f}"))
            case "pooling":
                parts.append(translate("weight × yᵢ = {0}").format(f"{trace.contributions[query, key]:.4g}"))
    return "   ".join(parts)
