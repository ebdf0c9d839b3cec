"""The three views of one fit: the curve over its points, the matrix of a step of the mechanism, and the training."""

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QSlider, QWidget
from typing_extensions import override

from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import STAGES, RegressionViewSettings
from attnviz.gui.labs.lab_stage import ColourLine
from attnviz.gui.labs.regression.pictures import Picture, picture_of
from attnviz.gui.labs.regression.study_pages import Fit, RegressionPage
from attnviz.gui.plots.curves.fit_plot import FitPlot
from attnviz.gui.plots.curves.point_drag import Edit
from attnviz.gui.plots.curves.training_plots import HistoryPlot
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import SteadyLabel, caption
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate

_MOST_NAMED = 4


class TrainingHistory(QWidget):
    """Shows the history and the trace's step; emits the step that the user wants to see."""

    looked = Signal(int)
    """The step to show."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.loss = HistoryPlot(look, self.tr("loss (sum of squares)"), "accent")
        self.w = HistoryPlot(look, self.tr("w = 1/width"), "output")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("Step of the training"))
        self.slider.setToolTip(self.tr("Show an earlier step; Run continues from there"))
        self.steps = SteadyLabel()
        self.steps.setObjectName("number")
        self._known = self._shown = 0
        line = row_of(None, caption(self.tr("step")), self.slider, self.steps, gap=-1, wide=(self.slider,))
        column_of(self, self.loss, self.w, line, gap=4, wide=(self.loss, self.w))
        self.slider.valueChanged.connect(self._look)
        self.slider.sliderReleased.connect(self._follow)
        self.loss.looked.connect(self._look)
        self.w.looked.connect(self._look)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.loss.restyle(look)
        self.w.restyle(look)

    def show_trace(self, trace: RegressionTrace) -> None:
        """Draw the whole history, and mark the trace's step."""
        epochs, self._known, self._shown = trace.spec.epochs, trace.known_steps, trace.step
        # The loss is that before a step, w that after it; w begins with its initial value.
        before = np.arange(self._known, dtype=np.float64)
        loss = f"{trace.loss[trace.step - 1]:.4g}" if trace.step else "-"
        self.loss.show_history(before, trace.loss, epochs, trace.step, loss)
        steps = np.arange(self._known + 1, dtype=np.float64)
        self.w.show_history(steps, trace.w_path, epochs, trace.step, self._in_words(trace.w_path[trace.step]))
        self.steps.setText(f"{trace.step} / {epochs}")
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, epochs)
        if not self.slider.isSliderDown():  # not while the user drags it
            self._follow()

    def _in_words(self, w: np.ndarray) -> str:
        """Return w (h,) of each head as text; of many heads, to keep it short, the least and greatest."""
        if len(w) > _MOST_NAMED:
            return self.tr("{0} to {1}").format(f"{w.min():.4g}", f"{w.max():.4g}")
        return ", ".join(f"{each:.4g}" for each in w)

    @Slot()
    def _follow(self) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._shown)

    @Slot(int)
    def _look(self, step: int) -> None:
        self.looked.emit(min(step, self._known))


class RegressionFit(RegressionPage):
    """The selected query is a line in the fit and a row of the matrix; the selected point a ring and a column."""

    with_stages = True
    edited = Signal(object)
    """An `Edit` of the points."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self._look = look
        self._picture: Picture | None = None
        self._not_finite = False
        self._chosen_next: int | None = None
        self._drawn: tuple[RegressionTrace, RegressionTrace] | None = None
        self.plot = FitPlot(look)
        self.legend = caption(wraps=True)
        self.heatmap = Heatmap(look, "")
        self.history = TrainingHistory(look)
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(8)
        grid.addWidget(self.plot, 0, 0, 1, 2)
        grid.addWidget(self.legend, 1, 0, 1, 2)
        grid.addWidget(self.heatmap, 2, 0)
        grid.addWidget(self.history, 2, 1)
        grid.setRowStretch(0, 5)
        grid.setRowStretch(2, 4)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 2)
        self.plot.hovered.connect(self._hover_query)
        self.plot.clicked.connect(self._lock_query)
        self.plot.point_chosen.connect(self._choose_point)
        self.plot.hand.edited.connect(self._edit)
        self.heatmap.hovered.connect(selection.hover_cell)
        self.heatmap.clicked.connect(selection.lock_cell)

    @property
    @override
    def close_up(self) -> QWidget:
        return self.plot

    @override
    def uses_contrast(self, view: RegressionViewSettings) -> bool:
        return view.stage == "weights"

    @override
    def restyle(self, look: Look) -> None:
        self._look = look
        for part in (self.plot, self.heatmap, self.history):
            part.restyle(look)

    @override
    def follow(self, trace: RegressionTrace) -> None:
        """Adapt the selection to a trace's sizes."""
        queries, keys = trace.weights.shape
        self._selection.fit(1, queries, keys, first_query=queries // 2)
        if self._chosen_next is not None and self._chosen_next < keys:
            # A point that was added, or dragged past others, has a new index.
            if self._chosen_next != self._selection.locked.key:
                self._choose_point(self._chosen_next)
            self._chosen_next = None

    def show_curves(self, trace: RegressionTrace, shown: RegressionTrace) -> None:
        """Draw the fit and its training; ``shown`` is the trace itself, or one of its heads as a trace."""
        if self._drawn == (trace, shown):
            return
        self._drawn = trace, shown
        self.plot.show_trace(trace, shown)
        if trace.spec.trains == self.history.isHidden():
            self.history.setVisible(trace.spec.trains)
            self._grid.setColumnStretch(1, 2 if trace.spec.trains else 0)  # triggers a new layout, so only if needed
        if trace.spec.trains:
            self.history.show_trace(trace)

    @override
    def show_data(self, data: Fit) -> None:
        """Draw the view's step of the mechanism; its colours have been prepared."""
        trace, view = data.shown, data.view
        self._picture = picture_of(
            trace, view.stage, view.colour_map, self._look.theme, full_contrast=view.full_contrast
        )
        title = translate(STAGES[view.stage])
        self.heatmap.setAccessibleName(self.tr("{0}: queries by training points").format(title))
        self.heatmap.show_matrix(self._picture.matrix, self._picture.table)
        self._not_finite = view.stage in ("weights", "pooling") and bool(np.isnan(trace.row_sums).any())

    @override
    def colour_line(self) -> ColourLine | None:
        picture = self._picture
        if picture is None:
            return None
        return ColourLine(picture.scale, picture.table, picture.caption, not_finite=self._not_finite)

    @override
    def select(self) -> None:
        chosen = self._selection.current
        if chosen.query is not None:
            self.plot.select(chosen.query, chosen.key)
            self.heatmap.select(Cell(chosen.query, chosen.key))

    @Slot(object)
    def _hover_query(self, query: int | None) -> None:
        self._selection.hover(None if query is None else Selection(0, query, self._selection.locked.key))

    @Slot(int)
    def _lock_query(self, query: int) -> None:
        self._selection.lock(Selection(0, query, self._selection.locked.key))

    @Slot(object)
    def _choose_point(self, point: int | None) -> None:
        self._selection.hover(None)
        self._selection.lock(Selection(0, self._selection.locked.query, point))

    @Slot(object)
    def _edit(self, edit: Edit) -> None:
        self._chosen_next = edit.point
        if edit.point is None:
            self._choose_point(None)
        self.edited.emit(edit)
