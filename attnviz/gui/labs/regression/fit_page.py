"""The three views of one fit: the curve over its points, the matrix of a stage of the mechanism, and the training."""

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.colours import contrast_to_offer
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import STAGES
from attnviz.gui.labs.regression.learning_page import TrainingHistory
from attnviz.gui.labs.regression.pictures import StagePicture, picture_of
from attnviz.gui.labs.regression.plots.fit_layout import FitRules, fit_layout
from attnviz.gui.labs.regression.plots.fit_plot import FitPlot
from attnviz.gui.labs.regression.plots.point_drag import Edit
from attnviz.gui.labs.regression.study_pages import Fit, RegressionPage
from attnviz.gui.labs.regression.words import legend_of
from attnviz.gui.plots.layout import Rect
from attnviz.gui.plots.matrix.heatmap import LEAST, Heatmap
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import Look, restyle
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import translate

_FIT, _HISTORY_FROM, _GAP = (240, 170), 720, 10
"""The least width and height of the fit, the width of a page with room for the curves of a training, and the gap."""


class RegressionFit(RegressionPage):
    """The selected query is a line in the fit and a row of the matrix; the selected point a ring and a column."""

    edited = Signal(object)
    """An `Edit` of the points."""
    history_taken = Signal(bool)
    """Whether the curves of the training are on the page; else they need another place."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self._picture: StagePicture | None = None
        self._not_finite = False
        self._chosen_next: int | None = None
        self._drawn: tuple[RegressionTrace, RegressionTrace] | None = None
        self.plot = FitPlot(look)
        self.heatmap = Heatmap(look, "")
        self.history = TrainingHistory(look)
        self._placed: tuple[Rect, FitRules] | None = None
        self._held: tuple[int, float] | None = None
        """The held query and its x, None where another one has been asked for."""
        for part in (self.plot, self.heatmap, self.history):
            part.setParent(self)
        self.plot.hovered.connect(self._hover_query)
        self.plot.clicked.connect(self._lock_query)
        self.plot.point_chosen.connect(self._choose_point)
        self.plot.hand.edited.connect(self._edit)
        self.heatmap.hovered.connect(selection.hover_cell)
        self.heatmap.clicked.connect(selection.lock_cell)
        selection.changed.connect(self._note_held)

    @property
    @override
    def close_up(self) -> QWidget:
        return self.plot

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        if self._drawn is not None:
            self.plot.show_legend(legend_of(self._drawn[0], look))
        self._placed = None
        self._place()

    @override
    def _place(self) -> None:
        """Place the fit, the matrix and the curves of a training; without room for these, emit `history_taken`."""
        if self._drawn is None or self._picture is None or self.plot.hand.holding:
            return  # a plot of another size would move the point under the mouse
        look, (trace, _) = self._look, self._drawn
        rules = FitRules(
            shape=(len(trace.x_test), len(trace.x_train)),
            margins=self.heatmap.margins,
            fit=(look.px(_FIT[0]), look.px(_FIT[1])),
            gap=look.px(_GAP),
            least=look.px(LEAST),
            histories=self.history.least_sizes if trace.spec.trains else (),
            history_from=look.px(_HISTORY_FROM),
        )
        room = Rect(0, 0, self.width(), self.height())
        if self._placed == (room, rules):
            return
        self._placed = room, rules
        layout = fit_layout(room, rules)
        self.plot.setGeometry(*map(round, layout.fit))
        self.heatmap.setGeometry(*map(round, layout.matrix))
        if not trace.spec.trains or layout.history is not None:
            if self.history.parent() is not self:
                self.history.setMinimumHeight(0)
                self.history.setParent(self)
                restyle(self.history, look)  # a change of look that moves it has passed this page already
                self.history.take_ground("window")
                self.history.put_steps_first(False)
                self.history_taken.emit(False)
            self.history.setVisible(trace.spec.trains)
        elif self.history.parent() is self:
            self.history.take_ground("panel")
            self.history.put_steps_first(True)
            self.history_taken.emit(True)
        if layout.history is not None:
            self.history.setGeometry(*map(round, layout.history))

    def forget_query(self) -> None:
        """Take the query of the next trace from the selection, not the nearest to the one selected in this trace."""
        self._held = None

    @Slot()
    def _note_held(self) -> None:
        """Remember the x of the held query."""
        query = self._selection.locked.query
        if self._drawn is not None and query is not None and query < len(self._drawn[0].x_test):
            self._held = query, float(self._drawn[0].x_test[query])

    def _keep_query(self, trace: RegressionTrace) -> None:
        """Select the query of a new trace that is nearest to the previous one."""
        locked = self._selection.locked
        if self._held is None or locked.query != self._held[0]:
            return
        nearest = int(np.abs(trace.x_test - self._held[1]).argmin())
        if nearest != locked.query:
            self._selection.begin_with(replace(locked, query=nearest))

    @override
    def follow(self, trace: RegressionTrace) -> None:
        """Adapt the selection to a trace: the held query is the one nearest to that of the trace before."""
        queries, keys = trace.weights.shape
        self._keep_query(trace)
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
        self._note_held()
        self.plot.show_trace(trace, shown)
        self.plot.show_legend(legend_of(trace, self._look))
        if trace.spec.trains:
            self.history.show_trace(trace)

    @override
    def show_data(self, data: Fit) -> None:
        """Draw the view's step of the mechanism; its colours have been prepared."""
        trace, view = data.shown, data.view
        contrast, theme = view.contrast_drawn, self._look.theme
        self._picture = picture_of(trace, view.stage, view.colour_map, theme, contrast=contrast)
        self.plot.colour_weights(data.weights, contrast)
        self._contrast = contrast if view.stage == "weights" else None
        dark = self._contrast == ""
        self._offered = contrast_to_offer(trace.weights, trace.levels) if dark else ""
        title = translate(STAGES[view.stage])
        self.heatmap.setAccessibleName(self.tr("{0}: queries by training points").format(title))
        self.heatmap.show_matrix(self._picture.matrix, self._picture.table)
        self._place()
        self._not_finite = view.stage in ("weights", "pooling") and bool(np.isnan(trace.row_sums).any())

    @override
    def colour_line(self) -> ColourLine | None:
        picture = self._picture
        if picture is None:
            return None
        return ColourLine(
            picture.scale,
            picture.table,
            picture.caption,
            not_finite=self._not_finite,
            contrast=self._contrast,
            offered=self._offered,
            left_out=picture.matrix.mask is not None,
        )

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
        """Select a point; the query on screen stays, locked or under the mouse."""
        shown, held = self._selection.current, self._selection.locked
        self._selection.hover(None)
        self._selection.lock(Selection(0, held.query, point))
        if shown.query != held.query:
            self._selection.hover(Selection(0, shown.query, point))

    @Slot(object)
    def _edit(self, edit: Edit) -> None:
        """Choose the edited point, and pass the edit on."""
        self._chosen_next = edit.point
        if edit.point is None:
            self._choose_point(None)
        self.edited.emit(edit)
